// A look in; a comment for a pull request or an issue, or the summary of a job, out: a heading, one table, the details folded.

import type { Json } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import type { DriftItem, DriftReport, Look } from '../../tasks/drift/report.ts';
import { entities } from '../entities.ts';
import { code, folded } from '../markdown-text.ts';
import { uncoloured } from '../paint.ts';
import { itemLines } from './item-lines.ts';
import { byResource, headline } from './resources.ts';
import { waysOut } from './ways-out.ts';
import {
  cut,
  DIFFERS,
  isUnapplied,
  noteLines,
  pathOf,
  shortly,
  standing,
  time,
  totals,
  verdict,
  whyIgnored,
} from './words.ts';

/** GitHub takes 65,536 characters; whoever posts it may put a line of their own above and below. */
const LONGEST = 64_000;

/** What the rows may take of it, so that the details of the most severe have room too. */
const LONGEST_TABLE = 40_000;

const WHO: { readonly [status in DriftItem['status']]: string } = {
  drift: 'the license',
  conflict: 'both',
  pending: 'the repository',
  converged: 'both, to the same',
  unknown: 'nobody can tell',
};

/** Who waits for an approval was moved by nobody. */
function whoMoved(item: DriftItem): string {
  if (item.kind === 'pending-approval' && item.status === 'pending') return '';
  return isUnapplied(item) ? WHO.unknown : WHO[item.status];
}

/** A value in a cell; what is long, or has members, is among the details. */
function cell(json: Json): string {
  return typeof json === 'object' && json !== null ? 'see below' : json === null ? '' : code(shortly(json));
}

function row(item: DriftItem): string {
  const path = pathOf(item);
  const what = [
    ...(path === '' ? [] : [code(path)]),
    ...(item.kind === 'changed' && path !== '' ? [] : [DIFFERS[item.kind]]),
    ...(item.fight ? ['**fight**'] : []),
  ].join(' ');
  const isWhole = path === '';
  const sides = [item.base, item.live, item.desired].map((side) => (isWhole ? '' : cell(side)));
  return `| ${[item.severity, code(item.address), what, whoMoved(item), ...sides].join(' | ')} |\n`;
}

const HEAD = `| Severity | Resource | What | Who moved | Applied | Live | Declared |
| --- | --- | --- | --- | --- | --- | --- |
`;

/** As many pieces as fit, and how many do not. */
function fitting(pieces: readonly string[], room: number): { readonly text: string; readonly left: number } {
  let text = '';
  for (const [index, piece] of pieces.entries()) {
    if (text.length + piece.length > room) return { text, left: pieces.length - index };
    text += piece;
  }
  return { text, left: 0 };
}

function details({ items, target }: DriftReport): readonly string[] {
  return [...byResource(items)].map(([address, those]) => {
    const [first] = those;
    const summary = `<code>${entities(first === undefined ? address : headline(first))}</code>`;
    const ways = waysOut(target, address, those);
    return folded(summary, [
      ...those.flatMap((item) => itemLines(item, uncoloured)),
      ...(ways.length === 0 ? [] : ['', ...ways]),
    ]);
  });
}

function ignored(report: DriftReport): readonly string[] {
  if (report.ignored.length === 0) return [];
  const lines = report.ignored.flatMap((item) => [
    headline(item),
    ...itemLines(item, uncoloured).map((line) => `  ${line}`),
    `    ignored: ${whyIgnored(item)}`,
  ]);
  return [folded(`${counted(report.ignored.length, 'ignored difference')}`, lines)];
}

function notes(report: DriftReport): readonly string[] {
  return report.notes.length === 0 ? [] : [folded('Good to know', noteLines(report))];
}

function more(count: number, what: string): string {
  return count === 0 ? '' : `\nAnd ${counted(count, what)} more: the other reports of this look have them.\n`;
}

function seen(report: DriftReport): string {
  const words = `**${verdict(report)}** ${report.in_sync ? standing(report) : totals(report)}`;
  const cost = `Seen ${time(report.at)} with ${counted(report.requests, 'request')}; fails from \`${report.fail_on}\` on.`;
  const opening = `### Drift of ${code(report.target)}\n\n${words}\n\n${cost}\n`;
  const rows = fitting(report.items.map(row), LONGEST_TABLE);
  const table = rows.text === '' ? '' : `\n${HEAD}${rows.text}${more(rows.left, 'difference')}\n`;
  const spare = 200;
  const below = fitting(
    [...notes(report), ...ignored(report), ...details(report)],
    LONGEST - spare - opening.length - table.length,
  );
  return `${opening}${table}${table === '' && below.text !== '' ? '\n' : ''}${below.text}${more(below.left, 'folded part')}`;
}

export function driftMarkdown(look: Look): string {
  if (look.outcome === 'seen') return seen(look.report);
  const target = look.target === null ? '' : ` of ${code(look.target)}`;
  const said = code(cut(look.message, 2000));
  return `### Drift${target}: the look failed\n\n${said}\n\nNobody knows whether there is drift. Looked at ${time(look.at)}.\n`;
}
