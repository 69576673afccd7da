// The dangers of a page: what is withheld, destroyed, can never be taken back or goes astray. All of them are on the page, whatever its size.

import { few } from '../../base/text.ts';
import type { Caution } from '../../plan/guards/cautions.ts';
import type { Referrer } from '../../plan/plan.ts';
import { folded, type Html, html, mark, name, nameBeyond, sizeOf } from '../../view/html/markup.ts';
import { DANGERS, policyWarnings } from '../words/plan.ts';
import type { PageInput } from './input.ts';
import { diagnosticPart } from './remainder.ts';

/** Dangers of one sort in sight. */
const SHOWN = 20;

/** Bytes of reasons and referrers. */
const REASONS = 1_500_000;

/** Writes an address, as a link where it can. */
type AddressPart = (address: string) => Html;

export function dangersSection(input: PageInput, link: AddressPart): Html {
  const sorts = dangersOf(input, link).filter((sort) => sort.length > 0);
  return html`
    <section aria-labelledby="dangers" class="dangers">
      <h2 id="dangers">Dangers <span class="count">${sorts.flat().length}</span></h2>
      ${
        sorts.length === 0
          ? html`<p>None: nothing is withheld or destroyed, everything can be undone, and no chats are misrouted.</p>`
          : sorts.map((sort) => folded(sort, SHOWN))
      }
    </section>`;
}

/** By sort, the most important first. */
function dangersOf(input: PageInput, link: AddressPart): readonly (readonly Html[])[] {
  const { plan, cautions, gaps } = input;
  const { routing } = plan;
  return [
    plan.withheld.map(
      ({ guard, message, remedy }) =>
        html`${mark('destroy', '!', 'withheld')} ${message} <span class="remark">By <code>${guard}</code>. To continue: <code>${remedy}</code></span>`,
    ),
    cautionParts(cautions, link),
    lostCover(input, link),
    gaps.filter(({ code }) => code !== 'lost-cover').map(diagnosticPart),
    routing === null || routing.way === 'safe'
      ? []
      : [
          html`${mark('change', '!', 'during the apply')} ${routing.exposed.length === 0 ? 'it is not known whether chats are misrouted while the rules are written' : 'some chats are misrouted while the rules are written'}: see <a href="#visitors">Visitors</a>`,
        ],
    policyWarnings(plan).map(
      (policy) => html`${mark('change', '!', 'policy')} ${name(policy.name)}: ${policy.message}`,
    ),
  ];
}

/** All of them; from some size on without their reasons. */
function cautionParts(cautions: readonly Caution[], link: AddressPart): readonly Html[] {
  let used = 0;
  return cautions.map((caution) => {
    const part = used < REASONS ? cautionPart(caution, link) : html`${cautionMark(caution)} ${link(caution.address)}`;
    used += sizeOf(part);
    return part;
  });
}

function cautionMark({ what }: Caution): Html {
  return mark('destroy', what === 'destroy' ? '−' : '!', DANGERS[what].mark);
}

function cautionPart(caution: Caution, link: AddressPart): Html {
  const { address, message, referred_by: referrers } = caution;
  return html`${cautionMark(caution)} ${link(address)}${nameBeyond(address, caution.name)}${message === '' ? null : `: ${message}`}${referrers.length === 0 ? null : html`<span class="remark">Referred to by ${few(referrers.map(referrerName))}</span>`}`;
}

function referrerName({ type, reference, name: called }: Referrer): string {
  return reference.startsWith(`${type}/`) ? reference : `${type.replaceAll('_', ' ')} “${called}” (${reference})`;
}

function lostCover({ pictures, gaps }: PageInput, link: AddressPart): readonly Html[] {
  if (pictures === null) return gaps.filter(({ code }) => code === 'lost-cover').map(diagnosticPart);
  return pictures.cover.groups
    .filter(({ lost }) => lost.length > 0)
    .map(
      ({ address, name: called, lost }) =>
        html`${mark('destroy', '−', 'cover lost')} ${link(address)}${nameBeyond(address, called)}: no agent can get a chat any more ${few(lost.map(({ text }) => text))}`,
    );
}
