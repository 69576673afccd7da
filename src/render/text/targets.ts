// The terminal text of a command for several targets: what is the same once, what is different in full, the table, and the counts.

import { grouped } from '../../base/grouped.ts';
import { byText } from '../../base/json.ts';
import { counted } from '../../base/text.ts';
import type { TargetAnswer, TargetsReport } from '../../tasks/targets/schema.ts';
import type { Paint } from '../../view/paint.ts';
import { plain } from '../../view/plain.ts';
import { table } from '../../view/terminal/layout.ts';
import * as words from '../words/targets.ts';

/** Different results in full; of more, the targets are only in the table. */
export const MOST_SHOWN = 50;

/** Beyond so many different results, those that differ in values only are shown by one of them. */
const MOST_IN_FULL = 5;

export interface ShownResult {
  readonly text: string;
  /** Equal for results that differ in values only; null where each of them must be shown. */
  readonly likeness: string | null;
}

/** `shown`: what there is to read of each entry of `alike`. */
export function targetsText(report: TargetsReport, shown: readonly ShownResult[], paint: Paint): string {
  const results = report.alike.slice(0, MOST_SHOWN).map(({ targets }, index) => {
    const { text = '', likeness = null } = shown[index] ?? {};
    return { targets, text: text.trimEnd(), likeness: report.alike.length > MOST_IN_FULL ? likeness : null };
  });
  const read = results.filter(({ text }) => text !== '');
  const byLikeness = grouped(read.map((result) => [result.likeness ?? result, result]));
  const parts = [...byLikeness.values()].flatMap(([first, ...others]) => {
    const title = paint('strong', words.sameTitle(first.targets));
    const more = others.flatMap(({ targets }) => targets).toSorted(byText);
    const like = more.length === 0 ? '' : `${words.likeText(more)}\n`;
    return [`${title}\n${like}\n${first.text}\n\n`];
  });
  const left = report.alike.slice(MOST_SHOWN).flatMap(({ targets }) => targets);
  if (report.targets.length === 0) return `${words.sinceText(report) ?? ''}\n`;
  const isCut = left.length > 0 && parts.length > 0;
  const more = isCut ? `${counted(left.length, 'more target')} only in the table: \`-t NAME\` shows one.\n\n` : '';
  return `${parts.join('')}${more}${tableText(report, paint)}${summaryText(report, paint)}`;
}

function tableText(report: TargetsReport, paint: Paint): string {
  const of = words.targetsTable(report);
  // The counts say it all.
  if (of.rows.length === 0) return '';
  const left = words.leftText(of);
  const note = left === null ? '' : `${left}\n`;
  const head = of.head.map((title) => title.toUpperCase());
  const lines = table([head, ...of.rows.map(({ cells }) => cells)], paint.width);
  return `${lines.map((line) => `${line}\n`).join('')}${note}\n`;
}

/** `30 targets: 27 changes, 1 in sync, 1 withheld, 1 unreachable; 27 requests; digest 5f1c...`. */
function summaryText(report: TargetsReport, paint: Paint): string {
  const facts = words.factsText(report, (state, text) => {
    const tone = words.toneOf(state);
    return tone === null ? text : paint(tone, text);
  });
  const since = words.sinceText(report);
  return `${paint('strong', `${counted(report.summary.targets, 'target')}:`)} ${facts}\n${since === null ? '' : `${since}\n`}`;
}

/** One target while others are under way. */
export function answerLine(answer: TargetAnswer, paint: Paint): string {
  const counts = Object.entries(answer.figures).flatMap(([column, count]) =>
    count > 0 ? [words.figureText(count, column)] : [],
  );
  const tone = words.toneOf(answer.state);
  const text = words.stateText(answer);
  return `${plain(answer.target)}: ${tone === null ? text : paint(tone, text)}${counts.length === 0 ? '' : ` (${counts.join(', ')})`}\n`;
}
