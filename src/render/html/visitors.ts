// What a plan does to the ways of visitors in; who goes where, before and after, and who goes astray on the way, out.

import type { Exposed } from '../../plan/order/course.ts';
import type { PlannedRouting } from '../../plan/plan.ts';
import type { Decision } from '../../routing/list.ts';
import { because, described, to, wayOut, who } from '../routing-text.ts';
import { type Html, html } from './markup.ts';
import { folded, listed, mark, name, sentence } from './words.ts';

/** In sight. */
const SHOWN = 12;

export function visitorsSection(routing: PlannedRouting | null): Html | null {
  if (routing === null) return null;
  return html`
    <section aria-labelledby="visitors">
      <h2 id="visitors">Visitors <span class="count">${routing.rerouted.length}</span></h2>
      ${reroutedPart(routing)}
      ${exposedPart(routing)}
    </section>`;
}

function reroutedPart({ rerouted, exact }: PlannedRouting): Html {
  const doubt = exact ? null : html`<p>There may be others: not every pair of rules could be decided.</p>`;
  if (rerouted.length === 0)
    return html`<p>${exact ? 'Nobody’s chats go to other groups.' : 'Nobody is known whose chats go to other groups.'}</p>${doubt}`;
  const ways = rerouted.map(
    (each) => html`
      <p class="who">${name(sentence(who(each.examples)))}</p>
      <p class="way">${groupsOf(each.before, 'was')} <span aria-hidden="true">→</span><span class="sr"> now go to </span> ${groupsOf(each.after, 'is')}</p>
      <p class="remark">${sentence(because(each.cause, each))}${each.examples.slice(0, 1).map(({ visitor }) => html`. Such as ${name(described(visitor))}`)}</p>`,
  );
  return html`<p>Their chats go to other groups afterwards:</p>${folded(ways, SHOWN, (items) => html`<ul class="ways">${items.map((item) => html`<li>${item}</li>`)}</ul>`)}${doubt}`;
}

function groupsOf(decision: Decision, when: 'was' | 'is'): Html {
  return html`<span class="${when}">${name(to(decision))}</span>`;
}

function exposedPart({ way, exposed, longer }: PlannedRouting): Html | null {
  if (way === 'safe') return null;
  if (exposed.length === 0)
    return html`<p>${mark('change', '!', 'not known')} There are too many rules to tell whether anybody’s chats go astray while they are written.</p>`;
  return html`
    <h3>On the way</h3>
    <p>While the rules are written, somebody’s chats go where they neither went nor shall go:</p>
    ${folded(exposed.map(astray), SHOWN, listed)}
    <p>${sentence(wayOut(longer))}.</p>`;
}

function astray({ visitor, before, meanwhile, after, writes }: Exposed): Html {
  return html`${mark('change', '!', `after write ${writes}`)} ${name(described(visitor))} reaches ${groupsOf(meanwhile, 'is')}, and neither ${name(to(before))} nor ${name(to(after))}`;
}
