// What customers see, as a part of the comment on a plan.

import type { Checked, CustomerView } from '../../tasks/verify/schema.ts';
import { bytes, code, cut, fitting, folded, type LineUrl, placeLink, prose } from '../../view/markdown.ts';
import { awaitedText, chatTrouble, costText, OUTCOMES, resultText, subjectText } from '../words/verify.ts';

const LONGEST_MESSAGE = 400;

/** What customers see, below the plan that it is about; empty without a view, or without room for it. */
export function customerBlock(view: CustomerView | undefined, lineOf: LineUrl | null, room: number): string {
  if (view === undefined) return '';
  const opening = `\n**Customers:** ${resultText(view)} (${prose(costText(view))}).\n`;
  return bytes(opening) > room ? '' : `${opening}${body(view, lineOf, room - bytes(opening))}`;
}

/** What differs as a table, what else is worth knowing in a fold. */
function body(view: CustomerView, lineOf: LineUrl | null, room: number): string {
  const differing = view.checks.filter(({ outcome }) => outcome === 'differs');
  const others = view.checks.filter(({ outcome }) => outcome === 'unseen' || outcome === 'reported');
  const awaited = awaitedText(view);
  const trouble = chatTrouble(view);
  const remarks = [
    ...(awaited === null ? [] : [`\n${code(cut(awaited, LONGEST_MESSAGE))}\n`]),
    ...(trouble === null ? [] : [`\n**Warning:** ${code(cut(trouble, LONGEST_MESSAGE))}\n`]),
  ].join('');
  const rows = fitting(
    differing.map((each) => row(each, lineOf)),
    room - bytes(remarks) - SPARE,
  );
  const more = rows.left === 0 ? '' : `\nand ${rows.left} more\n`;
  const table = differing.length === 0 ? '' : `\n${HEAD}${rows.text}${more}`;
  const fold =
    others.length === 0
      ? ''
      : `\n${folded(
          `${others.length} more to know`,
          others.map((each) =>
            cut(`${OUTCOMES[each.outcome]}: ${subjectText(each)}: ${each.message}`, LONGEST_MESSAGE),
          ),
        )}`;
  const all = `${remarks}${table}${fold}`;
  return bytes(all) <= room ? all : `${remarks}${table}`;
}

/** Bytes for the head of the table, and what is left out of it. */
const SPARE = 200;

const HEAD = '| What | Customers see | Where |\n| --- | --- | --- |\n';

function row(each: Checked, lineOf: LineUrl | null): string {
  const { subject, message, source } = each;
  const what = subject === each.check ? subject : `${each.check} ${code(cut(subject, LONGEST_MESSAGE))}`;
  return `| ${what} | ${code(cut(message, LONGEST_MESSAGE))} | ${placeLink(source, lineOf)} |\n`;
}
