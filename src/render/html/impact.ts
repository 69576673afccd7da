// The part of a page that says what the changes carry: each change in words, each touched group as demand over cover.

import type { TouchedGroupImpact } from '../../plan/impact.ts';
import type { Plan } from '../../plan/plan.ts';
import { code, folded, type Html, html, listed, mark, name, nameBeyond, sentence } from '../../view/html/markup.ts';
import { carriedTexts, chatsWithin, impactNotesOf, impactText, shareText, worseText } from '../words/impact.ts';
import { demandChart, demandLegend } from './demand.ts';

/** Changes and hours in sight. */
const SHOWN = 20;
const HOURS_SHOWN = 5;

/** Groups with a picture: those in which chats would wait longer before the others. */
const DRAWN = 40;

/** Pictures that are open at first. */
const OPEN = 4;

const WORSE = 'chats would wait longer';

/** Null without an impact. */
export function impactSection({ impact }: Pick<Plan, 'impact'>): Html | null {
  if (impact === undefined) return null;
  const { days, from, timezone, groups, missing, assumptions } = impact;
  const notes = impactNotesOf(impact);
  const said = impact.changes.flatMap((change) => {
    const { carried, shares } = notes(change.address);
    const texts = [
      ...(carried === null ? [] : carriedTexts(carried, impact, asIs)),
      ...shares.map((share) => shareText(share, change.address, asIs)),
    ];
    return texts.length === 0 ? [] : [html`${code(change.address)}: ${texts.join('; ')}`];
  });
  const drawn = groups
    .toSorted((one, other) => other.worse.length - one.worse.length || other.chats - one.chats)
    .slice(0, DRAWN);
  return html`
    <section aria-labelledby="impact">
      <h2 id="impact">Impact</h2>
      <p>${sentence(impactText(impact))}.</p>
      <p class="faint">${days} days from ${from.slice(0, 'YYYY-MM-DD'.length)}, hours of ${name(timezone)}.</p>
      ${missing.length === 0 ? null : html`<p>${mark('destroy', '!', 'not looked at')} ${missing.join('; ')}</p>`}
      ${said.length === 0 ? null : folded(said, SHOWN)}
      ${drawn.length === 0 ? null : html`<h3>Demand over cover</h3>${demandLegend(drawn.some(isCompared), WORSE)}${drawn.map((group, index) => groupPart(group, index, days))}`}
      ${assumptions.length === 0 ? null : html`<details class="more"><summary>Assumptions</summary>${listed(assumptions.map((each) => html`${each}`))}</details>`}
    </section>`;
}

const asIs = (text: string): string => text;

function isCompared({ slots }: TouchedGroupImpact): boolean {
  return slots.before !== null && slots.after !== null && slots.before.join() !== slots.after.join();
}

function groupPart(group: TouchedGroupImpact, index: number, days: number): Html {
  const { group: address, name: called, chats, worse, demand, slots } = group;
  const open = index < OPEN ? html` open` : null;
  const count = group.is_new === true ? 'new' : chatsWithin(chats, days);
  const waits = worse.length === 0 ? null : html` ${mark('destroy', '!', WORSE)}`;
  const hours = worse.map((hour) => html`${worseText(hour, group)}`);
  const picture = {
    demand: demand.after,
    slots: slots.after ?? slots.before,
    slotsBefore: isCompared(group) ? slots.before : null,
    marked: new Set(worse.map(({ weekday, hour }) => weekday * 24 + hour)),
    mark: WORSE,
  };
  const label = `Demand and slots of ${called} by hour of the week: ${count}, ${worse.length} hours in which ${WORSE}`;
  return html`
    <details class="resource"${open}>
      <summary>${code(address)}${nameBeyond(address, called)} ${count}${waits}</summary>
      <div class="body">
        <div class="figure">${demandChart(picture, label)}</div>
        ${slots.before === null && slots.after === null ? html`<p class="absent">The slots are not known.</p>` : null}
        ${hours.length === 0 ? null : folded(hours, HOURS_SHOWN)}
      </div>
    </details>`;
}
