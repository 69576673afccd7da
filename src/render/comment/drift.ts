// The Markdown of a drift check, for a comment, an issue, or the summary of a job: a heading, one table, the details folded.

import type { Json } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import type { DriftCheck, DriftItem, DriftReport } from '../../tasks/drift/report.ts';
import { code, fitting, folded } from '../../view/markdown.ts';
import { uncoloured } from '../../view/paint.ts';
import { entities, shortened, time } from '../../view/plain.ts';
import { itemLines } from '../text/differences.ts';
import * as words from '../words/drift.ts';

/** GitHub takes 65,536 characters; the poster may add lines above and below. */
const LONGEST = 64_000;

/** Of that, for the rows, so that there is room for the details of the most severe. */
const LONGEST_TABLE = 40_000;

export function driftMarkdown(look: DriftCheck): string {
  if (look.outcome === 'seen') return reportMarkdown(look.report);
  const target = look.target === null ? '' : ` of ${code(look.target)}`;
  const said = code(shortened(look.message, 2000));
  return `### Drift${target}: the check failed\n\n${said}\n\nIt is not known whether there is drift. Checked ${time(look.at)}.\n`;
}

function reportMarkdown(report: DriftReport): string {
  const result = `**${words.resultWord(report)}** ${report.in_sync ? words.standing(report) : words.totals(report)}`;
  const cost = `Checked ${time(report.at)} with ${counted(report.requests, 'request')}; fail_on is \`${report.fail_on}\`.`;
  const unchecked = words.notChecked(report);
  const opening = `### Drift of ${code(report.target)}\n\n${result}\n\n${unchecked === null ? '' : `Not checked: ${unchecked}.\n\n`}${cost}\n`;
  const rows = fitting(report.items.map(row), LONGEST_TABLE, lengthOf);
  const table = rows.text === '' ? '' : `\n${HEAD}${rows.text}${more(rows.left, 'difference')}\n`;
  const spare = 200;
  const below = fitting(
    [...notes(report), ...ignored(report), ...details(report)],
    LONGEST - spare - opening.length - table.length,
    lengthOf,
  );
  return `${opening}${table}${table === '' && below.text !== '' ? '\n' : ''}${below.text}${more(below.left, 'folded part')}`;
}

function lengthOf({ length }: string): number {
  return length;
}

function more(count: number, what: string): string {
  return count === 0 ? '' : `\nAnd ${counted(count, `more ${what}`)}: the other reports of this check have them.\n`;
}

const HEAD = `| Severity | Resource | What | Changed on | Applied | Live | Declared |
| --- | --- | --- | --- | --- | --- | --- |
`;

function row(item: DriftItem): string {
  const path = words.pathText(item);
  const what = [
    ...(path === '' ? [] : [code(path)]),
    ...(item.kind === 'changed' && path !== '' ? [] : [words.DIFFERS[item.kind]]),
    ...(item.fight ? ['**fight**'] : []),
  ].join(' ');
  const sides = [item.base, item.live, item.desired].map((side) => (path === '' ? '' : cell(side)));
  return `| ${[item.severity, code(item.address), what, changedSide(item), ...sides].join(' | ')} |\n`;
}

const SIDES: { readonly [status in DriftItem['status']]: string } = {
  drift: 'the license',
  conflict: 'both sides',
  pending: 'the manifest',
  converged: 'both sides, to the same value',
  unknown: 'not known',
};

/** Empty for an agent that waits for an approval: neither side changed. */
function changedSide(item: DriftItem): string {
  if (item.kind === 'pending-approval' && item.status === 'pending') return '';
  if (item.kind === 'due') return 'the date';
  return words.isUnapplied(item) ? SIDES.unknown : SIDES[item.status];
}

/** A value in a cell; the details have mappings and lists. */
function cell(json: Json): string {
  return typeof json === 'object' && json !== null ? 'see below' : json === null ? '' : code(words.shortValue(json));
}

function details({ items, target }: DriftReport): readonly string[] {
  return [...words.byResource(items)].map(([address, those]) => {
    const [first] = those;
    const summary = `<code>${entities(first === undefined ? address : words.headline(first))}</code>`;
    const ways = words.waysOut(target, address, those);
    return folded(summary, [
      ...those.flatMap((item) => itemLines(item, uncoloured)),
      ...(ways.length === 0 ? [] : ['', ...ways]),
    ]);
  });
}

function ignored(report: DriftReport): readonly string[] {
  if (report.ignored.length === 0) return [];
  const lines = report.ignored.flatMap((item) => [
    words.headline(item),
    ...itemLines(item, uncoloured).map((line) => `  ${line}`),
    `    ignored: ${words.whyIgnored(item)}`,
  ]);
  return [folded(counted(report.ignored.length, 'ignored difference'), lines)];
}

function notes(report: DriftReport): readonly string[] {
  return report.notes.length === 0 ? [] : [folded('Good to know', words.noteTexts(report))];
}
