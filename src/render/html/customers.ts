// The part of a page that says what customers see of the license, where it was verified.

import type { Checked, CheckOutcome, CustomerView } from '../../tasks/verify/schema.ts';
import { folded, type Html, html, type MarkTone, mark, name } from '../../view/html/markup.ts';
import { awaitedText, chatTrouble, costText, resultText, subjectText } from '../words/verify.ts';

/** Checks in sight. */
const SHOWN = 20;

const MARKS: { readonly [outcome in CheckOutcome]: readonly [tone: MarkTone, sign: string, word: string] } = {
  differs: ['destroy', '!', 'differs'],
  reported: ['change', '~', 'reported'],
  unseen: ['calm', '?', 'unseen'],
  ok: ['add', '✓', 'ok'],
};

const ORDER = Object.keys(MARKS) as readonly CheckOutcome[];

/** Null where the license was not verified. */
export function customersSection(view: CustomerView | undefined): Html | null {
  if (view === undefined) return null;
  const { checks, summary } = view;
  const sorted = checks.toSorted((one, other) => ORDER.indexOf(one.outcome) - ORDER.indexOf(other.outcome));
  const awaited = awaitedText(view);
  const trouble = chatTrouble(view);
  return html`
    <section aria-labelledby="customers">
      <h2 id="customers">Customers <span class="count">${summary.differs}</span></h2>
      <p>${resultText(view)}. ${costText(view)}.</p>
      ${awaited === null ? null : html`<p>${awaited}.</p>`}
      ${trouble === null ? null : html`<p>${mark('destroy', '!', 'warning')} ${trouble}</p>`}
      ${folded(sorted.map(checkPart), SHOWN)}
    </section>`;
}

function checkPart(each: Checked): Html {
  const { outcome, message, source } = each;
  const [tone, sign, word] = MARKS[outcome];
  const place = source === null ? null : html` <span class="source">${`${source.file}:${source.line}`}</span>`;
  return html`${mark(tone, sign, word)} ${name(subjectText(each))}: ${message}${outcome === 'differs' ? place : null}`;
}
