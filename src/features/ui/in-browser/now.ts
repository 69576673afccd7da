// Tells who can take chats by the clock of the reader: what was written is of the time of the reading.

import { cellText, type Row, type Span, spansOf } from '../../../view/blocks.ts';
import { nextHours } from '../next-hours.ts';
import { nowTable, nowTitle, thereText } from '../now-table.ts';
import type { AskedRules } from '../rules-at.ts';
import { dataIn, elementOf, type PageDocument, type PageElement } from './elements.ts';

/** What tells it again. `now`: milliseconds since the epoch. */
export function tellingNow(page: PageDocument): (now: number) => void {
  const data = page.getElementById('ask-data');
  if (data === null) return () => {};
  const side = dataIn(data) as AskedRules;
  const [summary] = page.querySelectorAll('header p');
  const [said] = (summary?.textContent ?? '').replace(/\.$/, '').split('; ');
  return (now) => {
    const next = nextHours(side.staff, side.timezone, now, side.usual);
    const cells = nowTable(next, side, true).rows.flatMap((row) => row.cells);
    const places = page.querySelectorAll('[aria-label="Groups now"] tbody :is(th, td)');
    for (const [nth, place] of [...places].entries()) show(page, place, cells[nth] ?? '');
    for (const title of page.querySelectorAll('h2#now, a[href="#now"]')) title.textContent = nowTitle('now');
    const there = thereText(next, 'now');
    if (summary !== undefined) summary.textContent = `${said}${there === null ? '' : `; ${there}`}.`;
  };
}

/** Leaves what says the same as it is: a text of it may be open. */
function show(page: PageDocument, place: PageElement, cell: Row['cells'][number]): void {
  const parts = spansOf(cellText(cell)).map((span) => spanPart(page, span));
  const text = parts.map(({ textContent }) => textContent).join('');
  if (place.textContent !== text) place.replaceChildren(...parts);
}

function spanPart(page: PageDocument, span: Span): PageElement {
  if (typeof span === 'string') return elementOf(page, 'span', span);
  if ('mark' in span) return elementOf(page, 'span', span.mark.word);
  if ('names' in span) return elementOf(page, 'span', span.names.join(', '));
  if (span.as !== 'message') return elementOf(page, span.tone === undefined ? 'bdi' : 'strong', span.text);
  const fold = page.createElement('details');
  fold.className = 'message';
  fold.append(elementOf(page, 'summary', 'Text to send'), elementOf(page, 'span', span.text));
  return fold;
}
