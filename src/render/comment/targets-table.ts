// The table of several targets in Markdown: a row for each, as many as there is room for.

import { sumOf } from '../../base/grouped.ts';
import { counted } from '../../base/text.ts';
import type { TargetsReport } from '../../tasks/targets/schema.ts';
import { bytes, code, cut, fitting } from '../../view/markdown.ts';
import * as words from '../words/targets.ts';

const LONGEST_STATE = 300;

/** Empty without a row; the line that says how many are not listed may come in addition to `room`. */
export function targetTable(report: Pick<TargetsReport, 'targets' | 'summary'>, room: number): string {
  const of = words.targetsTable(report);
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const lines = of.rows.map(({ cells: [target = '', ...cells], answer }) => {
    const state = answer.message === null ? answer.state : code(cut(cells.at(-1) ?? '', LONGEST_STATE));
    return row([code(target), ...cells.slice(0, -1), state]);
  });
  const title = row(of.head.map(headCell)) + row(of.head.map(() => '---'));
  const table = fitting(lines, room - bytes(title));
  const unlisted = sumOf(Object.fromEntries(of.left)) + table.left;
  const left = unlisted === 0 ? '' : `\n${counted(unlisted, 'more target')} not listed.\n`;
  return table.text === '' ? left : `${title}${table.text}${left}`;
}

/** A report that another job wrote may have any columns. */
function headCell(text: string): string {
  return /^[A-Z][a-z ]*$/.test(text) ? text : code(text);
}
