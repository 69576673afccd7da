// A plan in; all that deserves a second look before it is made out: what is withheld, destroyed, can never be taken back or goes astray. None of it is
// ever left out, whatever the size of the plan.

import type { DiagnosticCode } from '../../base/model.ts';
import { few } from '../../base/text.ts';
import type { Caution } from '../../plan/guards/cautions.ts';
import type { Referrer } from '../../plan/plan.ts';
import { type Html, html, sizeOf } from './markup.ts';
import { diagnosticPart } from './remainder.ts';
import type { Told } from './told.ts';
import { folded, listed, mark, name } from './words.ts';

/** In sight, of each sort. */
const SHOWN = 20;

/** Bytes that reasons and referrers may take. */
const REASONS = 1_500_000;

const WORDS: { readonly [what in Caution['what']]: string } = {
  'data-loss': 'data may be lost',
  irreversible: 'cannot be taken back',
  'other-licenses': 'other licenses',
  destroy: 'destroyed',
  credential: 'credential',
  access: 'access widened',
};

/** That nobody is there for somebody. */
const GAPS: ReadonlySet<DiagnosticCode> = new Set(['nobody-there', 'route-failed']);

type Link = (address: string) => Html;

export function dangersSection(told: Told, link: Link): Html {
  const sorts = dangersOf(told, link).filter((sort) => sort.length > 0);
  return html`
    <section aria-labelledby="dangers" class="dangers">
      <h2 id="dangers">Dangers <span class="count">${sorts.flat().length}</span></h2>
      ${
        sorts.length === 0
          ? html`<p>None: nothing is withheld, destroyed or impossible to take back, and nobody’s chats go astray.</p>`
          : sorts.map((sort) => folded(sort, SHOWN, listed))
      }
    </section>`;
}

/** Sorts of them, in the order in which they matter. */
function dangersOf(told: Told, link: Link): readonly (readonly Html[])[] {
  const { plan, cautions, diagnostics } = told;
  const { routing } = plan;
  return [
    plan.withheld.map(
      ({ guard, message, remedy }) =>
        html`${mark('destroy', '!', 'withheld')} ${message} <span class="remark">By <code>${guard}</code>. To go on: <code>${remedy}</code></span>`,
    ),
    cautionParts(cautions, link),
    lostCover(told, link),
    diagnostics.filter(({ code }) => GAPS.has(code)).map(diagnosticPart),
    routing === null || routing.way === 'safe'
      ? []
      : [
          html`${mark('change', '!', 'on the way')} ${routing.exposed.length === 0 ? 'it is not known whether somebody’s chats go astray while the rules are written' : 'somebody’s chats go astray while the rules are written'}: see <a href="#visitors">Visitors</a>`,
        ],
    plan.policies
      .filter(({ level, passed }) => level === 'warn' && !passed)
      .map(
        (policy) =>
          html`${mark('change', '!', 'policy')} ${name(policy.name)}: ${policy.message}${policy.failure === null ? null : ` (${policy.failure})`}`,
      ),
  ];
}

/** All of them; when they are very many, the last ones without their reasons. */
function cautionParts(cautions: readonly Caution[], link: Link): readonly Html[] {
  let used = 0;
  return cautions.map((caution) => {
    const part = used < REASONS ? cautionPart(caution, link) : html`${wordOf(caution)} ${link(caution.address)}`;
    used += sizeOf(part);
    return part;
  });
}

function wordOf({ what }: Caution): Html {
  return mark('destroy', what === 'destroy' ? '−' : '!', WORDS[what]);
}

function cautionPart(caution: Caution, link: Link): Html {
  const { address, name: called, message, referred_by: referrers } = caution;
  const isAlike = address.endsWith(`/${called}`) || called === address;
  return html`${wordOf(caution)} ${link(address)}${isAlike ? null : html` <span class="name">${name(called)}</span>`}${message === '' ? null : `: ${message}`}${referrers.length === 0 ? null : html`<span class="remark">Referred to by ${few(referrers.map(referrerName))}</span>`}`;
}

function referrerName({ type, reference, name: called }: Referrer): string {
  return reference.startsWith(`${type}/`) ? reference : `${type.replaceAll('_', ' ')} “${called}” (${reference})`;
}

function lostCover({ scene, diagnostics }: Told, link: Link): readonly Html[] {
  if (scene === null) return diagnostics.filter(({ code }) => code === 'lost-cover').map(diagnosticPart);
  return scene.cover.report.groups
    .filter(({ lost }) => lost.length > 0)
    .map(
      ({ address, name: called, lost }) =>
        html`${mark('destroy', '−', 'cover lost')} ${link(address)}${address.endsWith(`/${called}`) ? null : html` <span class="name">${name(called)}</span>`}: nobody can get a chat any more ${few(lost.map(({ text }) => text))}`,
    );
}
