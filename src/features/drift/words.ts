// Words for a drift check as a whole: its result, what it compared, what it ignores.

import { groupedBy } from '../../base/grouped.ts';
import { isAsSevere, type Severity } from '../../base/model.ts';
import { counted, series } from '../../base/text.ts';
import type { ComparedKind, Difference } from '../../plan/differences/difference.ts';
import { type Span, spansOf, type Text } from '../../view/blocks.ts';
import { time } from '../../view/plain.ts';
import { isUnapplied, isUnmanaged, movement } from '../../view/words/difference.ts';
import type { DriftItem, DriftReport } from './schema.ts';

/** Whether a difference makes the check fail: as severe as `fail_on`, or more. */
export function fails({ severity }: DriftItem, failOn: Severity): boolean {
  return isAsSevere(severity, failOn);
}

/** The items of one resource together, where its first item stands. */
export function byResource(items: readonly DriftItem[]): ReadonlyMap<string, readonly [DriftItem, ...DriftItem[]]> {
  return groupedBy(items, ({ address }) => address);
}

/** Whether a check before the one of `at` saw it. */
export function wasSeenBefore({ first_seen: first }: Pick<DriftItem, 'first_seen'>, at: string): boolean {
  return Date.parse(first) < Date.parse(at);
}

/** Which side changed since when, and since when checks see the difference, unless the one of `at` is the first. */
export function history(item: DriftItem, at: string): readonly Text[] {
  const moved = spansOf(movement(item) ?? []);
  const seen: readonly Span[] = wasSeenBefore(item, at)
    ? ['seen since ', { text: time(item.first_seen), as: 'time' }]
    : [];
  const all = [...moved, ...(moved.length > 0 && seen.length > 0 ? ['; '] : []), ...seen];
  return all.length === 0 ? [] : [all];
}

/** The reason of the ignore rule that covers it, and its end date. */
export function whyIgnored({ ignored }: DriftItem): string {
  if (ignored === null) return '';
  return ignored.until === null ? ignored.reason : `${ignored.reason}, until ${ignored.until}`;
}

/** What makes a check fail: what changed on which side, and how many differences do not. */
export function totals({ items, summary, fail_on: failOn }: DriftReport): string {
  const failing = items.filter((item) => fails(item, failOn));
  const count = (isMeant: (item: DriftItem) => boolean): number => failing.filter(isMeant).length;
  const isWaiting = ({ kind, status }: DriftItem): boolean => kind === 'pending-approval' && status === 'pending';
  const isDue = ({ kind }: DriftItem): boolean => kind === 'due';
  const counts: readonly (readonly [number, string])[] = [
    [count((item) => item.status === 'drift' && !isUnmanaged(item)), 'changed on the license'],
    [count(isUnmanaged), 'unmanaged'],
    [
      count((item) => item.status === 'pending' && !isWaiting(item) && !isUnapplied(item) && !isDue(item)),
      'changed in the manifest',
    ],
    [count(isDue), 'by a date that has come'],
    [count((item) => isUnapplied(item) && !isDue(item)), 'without an apply in the ledger'],
    [count(({ status }) => status === 'conflict'), 'changed differently on both sides'],
    [count(isWaiting), 'waiting for approval'],
    [count(({ status }) => status === 'converged'), 'changed to the same value on both sides'],
    [count(({ status }) => status === 'unknown'), 'that cannot be read back'],
  ];
  const moved = counts.flatMap(([number, words]) => (number === 0 ? [] : [`${number} ${words}`])).join(', ');
  const others = items.filter((item) => !fails(item, failOn));
  const known = others.filter(({ severity }) => severity === 'info').length;
  const below = others.length - known;
  return [
    `${moved}.`,
    ...(below === 0 ? [] : [`${below} more ${below === 1 ? 'is' : 'are'} below fail_on (${failOn}).`]),
    ...(known === 0 ? [] : [`${known} for information.`]),
    ...(summary.ignored === 0 ? [] : [`${summary.ignored} ignored.`]),
  ].join(' ');
}

/** Whether a difference is known and needs no action: an approval, a date, a value that cannot be read, an object that is usual. */
export function isCalm({ status, kind, usual }: Difference): boolean {
  return status === 'converged' || status === 'unknown' || kind === 'pending-approval' || kind === 'due' || usual;
}

/** How the license stands when no difference is severe enough to fail: what matches the manifest, and what does not. */
export function standing(report: DriftReport): string {
  const { items, summary, fail_on: failOn, kinds, scope } = report;
  const differing = items.filter((item) => !isCalm(item)).length;
  if (differing > 0) return `${counted(differing, 'difference is', 'differences are')} below fail_on (${failOn}).`;
  const compared = kinds.filter(({ left_out: left }) => left === null).map(({ nouns }) => nouns);
  if (isIdle(report)) return 'The files declare nothing, and chatform owns nothing on the license.';
  const part = scope === undefined ? '' : ` (${scope.compared} of ${scope.compared + scope.left_out})`;
  const all = compared.length === kinds.length ? 'the license matches' : `${series(compared, 'and')} match`;
  const subject = part === '' ? all : `what was selected of ${series(compared, 'and')}${part} matches`;
  const count = (isMeant: (item: DriftItem) => boolean): number => items.filter(isMeant).length;
  const but = [
    [count(({ kind }) => kind === 'due'), 'by a date that has come'],
    [count(({ kind }) => kind === 'pending-approval'), 'waiting for approval'],
    [summary.unknown, 'that cannot be read back'],
    [summary.ignored, 'that the project ignores'],
  ] as const;
  const exceptions = but.flatMap(([number, what]) => (number === 0 ? [] : [`${number} ${what}`]));
  const whole = `${subject} the manifest${exceptions.length === 0 ? '' : `, except for ${series(exceptions, 'and')}`}.`;
  return `${whole.slice(0, 1).toUpperCase()}${whole.slice(1)}`;
}

/** The first words of a report: `Drift:` when the check fails. */
export function resultWord(report: Pick<DriftReport, 'in_sync' | 'kinds' | 'items'>): string {
  if (!report.in_sync) return 'Drift:';
  return isIdle(report) ? 'Nothing was compared.' : 'In sync.';
}

/** Whether there was nothing to compare. */
export function isIdle({ items, kinds }: Pick<DriftReport, 'kinds' | 'items'>): boolean {
  return items.length === 0 && kinds.every(({ left_out: left }) => left !== null);
}

const LEFT_OUT: { readonly [reason in NonNullable<ComparedKind['left_out']>]: string } = {
  undeclared: 'none declared',
  'no-client': 'no client named under `clients:`',
  'not-selected': 'not selected',
};

/** The kinds whose objects were not compared; null when all were. */
export function notCheckedNames({ kinds }: Pick<DriftReport, 'kinds'>): string | null {
  const names = kinds.flatMap(({ nouns, left_out: left }) => (left === null ? [] : [nouns]));
  return names.length === 0 ? null : names.join(', ');
}

/** The kinds whose objects were not compared, by the reason; null when all were. */
export function notChecked({ kinds }: Pick<DriftReport, 'kinds'>): string | null {
  const parts = Object.entries(LEFT_OUT).flatMap(([reason, why]) => {
    const own = kinds.filter(({ left_out: left }) => left === reason).map(({ nouns }) => nouns);
    return own.length === 0 ? [] : [`${own.join(', ')} (${why})`];
  });
  return parts.length === 0 ? null : parts.join('; ');
}
