// The terminal text of `follow`: each group with what changed, what fits, what else could explain it, and the way back.

import { sumOf } from '../../base/grouped.ts';
import { counted } from '../../base/text.ts';
import type {
  Explanation,
  FollowedFigure,
  FollowedGroup,
  FollowedMeasure,
  FollowReport,
} from '../../tasks/follow/schema.ts';
import type { Paint } from '../../view/paint.ts';
import { plain } from '../../view/plain.ts';
import { INDENT, linesByRow, type RequestCounts } from '../../view/terminal/layout.ts';

const NAMES: { readonly [measure in FollowedMeasure['measure']]: string } = {
  arrivals: 'chats',
  taken: 'taken',
  unanswered: 'unanswered',
  first_response: 'first response',
  ratings: 'rated good',
};

/** `quiet` leaves only groups in which something changed. */
export function followText(
  report: FollowReport,
  requests: RequestCounts,
  { quiet }: { readonly quiet: boolean },
  paint: Paint,
): string {
  const { groups, others, notes, undo, summary, run, window } = report;
  const shown = quiet ? groups.filter(({ result }) => result === 'changed') : groups;
  const isRead = window.hours > 0 && groups.length > 0;
  const changed = summary.changed > 0;
  const lines = [
    ...(quiet ? [] : [paint('strong', titleOf(report)), spanOf(report), '']),
    ...(isRead ? shown.flatMap((group) => groupLines(group, quiet, paint)) : [unreadText(report), '']),
    ...(changed ? ['What else could explain it:', ...others.map((each) => `  ${plain(each)}`), ''] : []),
    ...notes.map((note) => `${paint('warning', 'Note:')} ${plain(note)}`),
    ...(quiet && !changed ? [] : [`${paint('strong', resultText(report))} ${counted(sumOf(requests), 'request')}.`]),
    ...(changed ? [`To see how far run ${plain(run.id)} can be taken back: ${plain(undo)} --plan`] : []),
  ];
  return lines
    .filter((line) => line !== null)
    .map((line) => `${line}\n`)
    .join('');
}

function titleOf({ target, run }: FollowReport): string {
  return `Target ${plain(target)}, ${plain(run.command ?? 'killed run')} ${plain(run.id)} of ${run.at}`;
}

function spanOf({ window, timezone, interrupted }: FollowReport): string | null {
  if (window.hours === 0) return null;
  const asked = window.wanted !== null && window.wanted > window.hours ? `${window.hours} of ` : '';
  const hours = counted(asked === '' ? window.hours : (window.wanted ?? window.hours), 'hour');
  const end = interrupted ? ' (interrupted)' : '';
  return `${asked}${hours}${end}, ${window.from} to ${window.to} (${plain(timezone)}), next to the same hours of the four weeks before`;
}

function unreadText({ groups, window }: FollowReport): string {
  if (groups.length === 0) return 'The run touched no group: there is nothing to compare.';
  return `Nothing to compare yet: the first whole hour since the run begins at ${window.from}, and the reports show it at ${window.next}.`;
}

function groupLines(
  { address, name, measures, fits, others, result }: FollowedGroup,
  quiet: boolean,
  paint: Paint,
): readonly string[] {
  const title = /^\w+\/\d+$/.test(address) ? `${plain(address)} ${JSON.stringify(plain(name))}` : plain(address);
  const rows = quiet ? measures.filter(({ result: each }) => isChange(each)) : measures;
  const about = (each: Explanation): string =>
    `${each.address === null ? '' : `${plain(each.address)}: `}${plain(each.text)}`;
  const lines = linesByRow(rows.map(rowOf), paint.width, INDENT).flatMap((own, index) => {
    const row = rows[index];
    return row !== undefined && isChange(row.result) ? own.map((line) => paint('warning', line)) : own;
  });
  const fitting =
    fits.length === 0 && result === 'changed'
      ? ['  fits: no change of the run']
      : fits.map((each) => `  fits: ${about(each)}`);
  return [
    paint('strong', title),
    ...(rows.length === 0 ? ['  not read'] : lines),
    ...fitting,
    ...others.map((each) => `  or: ${about(each)}`),
    '',
  ];
}

function isChange(result: FollowedMeasure['result']): boolean {
  return result === 'rises' || result === 'falls';
}

function rowOf({ measure, now, before, result, adjusted }: FollowedMeasure): readonly string[] {
  const text = (figure: FollowedFigure): string => figureText(measure, figure);
  return [NAMES[measure], text(now), `before: ${before.map(text).join(', ')}`, wordsOf(result, adjusted)];
}

function wordsOf(result: FollowedMeasure['result'], adjusted: number | null): string {
  switch (result) {
    case 'too-few':
      return 'too few to tell';
    case 'unchanged':
      return 'no change shows';
    case 'rises':
    case 'falls':
      return `${result} (${probabilityText(adjusted ?? 1)})`;
  }
}

/** `p = 0.003`, of all tests together. */
function probabilityText(probability: number): string {
  return probability < 0.00001 ? 'p < 0.00001' : `p = ${Number(probability.toPrecision(1))}`;
}

/** A dash for a share or a mean of nothing. */
function figureText(measure: FollowedMeasure['measure'], { chats, of, seconds }: FollowedFigure): string {
  if (measure === 'first_response' && seconds === null) return '-';
  if (of !== null) return of === 0 ? '-' : `${chats} of ${of}`;
  return seconds === null ? String(chats) : `${Math.round(seconds)} s`;
}

function resultText({ window, summary: { changed, unchanged, too_few: few } }: FollowReport): string {
  if (window.hours === 0) return 'Nothing was compared.';
  const parts = [
    ...(changed === 0 ? [] : [`something changed in ${counted(changed, 'group')}`]),
    ...(unchanged === 0 ? [] : [`no change shows in ${counted(unchanged, 'group')}`]),
    ...(few === 0 ? [] : [`the numbers are too few to tell in ${counted(few, 'group')}`]),
  ];
  const text = parts.length === 0 ? 'nothing was compared' : parts.join('; ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
