// Words for the differences that a drift check found, shared by text, Markdown and reports.

import { groupedBy } from '../../base/grouped.ts';
import { isAsSevere, type Json, type Severity } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import type { DriftKind, Status } from '../../project/drift-settings.ts';
import type { ComparedKind, Difference, DriftItem, DriftReport, WayOut } from '../../tasks/drift/report.ts';
import { plain, shortened, time, value } from '../../view/plain.ts';

/** Every status, in the order of reports, and which side changed. */
export const MOVED: { readonly [status in Status]: string } = {
  drift: 'changed on the license',
  conflict: 'changed differently on both sides',
  pending: 'changed in the manifest',
  converged: 'changed to the same value on both sides',
  unknown: 'it is not known which side changed',
};

/** Whether the ledger has no apply to compare with, as a new or a lost ledger: then nothing says which side changed. */
export function isUnapplied({ status, kind, applied_at: applied }: Difference): boolean {
  return status === 'pending' && applied === null && kind !== 'unmanaged' && kind !== 'pending-approval';
}

/** An object that nothing declares: no apply knew it, so nothing says whether it came since the last one. */
function isUnmanaged({ status, kind }: Difference): boolean {
  return status === 'drift' && kind === 'unmanaged';
}

export function movedText(item: Difference): string {
  if (isUnmanaged(item)) return 'nothing declares it';
  if (item.kind === 'due') return 'the date has come';
  return isUnapplied(item) ? 'the ledger has no apply of it' : MOVED[item.status];
}

/** Every kind of difference, and what it says of an object. */
export const DIFFERS: { readonly [kind in DriftKind]: string } = {
  changed: 'differs',
  missing: 'is not on the license',
  unmanaged: 'is on the license, and the manifest does not declare it',
  reordered: 'is in another order',
  unreadable: 'cannot be read back',
  'pending-approval': 'waits for an approval',
  due: 'has other hours from this date on',
};

/** Whether a difference makes the check fail: as severe as `fail_on`, or more. */
export function fails({ severity }: DriftItem, failOn: Severity): boolean {
  return isAsSevere(severity, failOn);
}

/** The items of one resource together, where its first item stands. */
export function byResource(items: readonly DriftItem[]): ReadonlyMap<string, readonly DriftItem[]> {
  return groupedBy(items, ({ address }) => address);
}

/** The address, and the name of an object whose address does not have it. */
export function headline({ address, name, path, id }: DriftItem): string {
  const isOrder = id === null && path.length === 0 && !address.includes('/');
  return isOrder || address.endsWith(`/${name}`) || name === String(id)
    ? plain(address)
    : `${plain(address)}, named ${value(name)}`;
}

export function pathText({ path }: Difference): string {
  return path.map(plain).join('.');
}

/** Where it differs: `group/sales language_code`. */
export function nameOf(item: Difference): string {
  return item.path.length === 0 ? plain(item.address) : `${plain(item.address)} ${pathText(item)}`;
}

/** What differs, without the values: the same text as long as it is the same difference. */
export function titleOf(item: Difference): string {
  const path = pathText(item);
  return `${plain(item.address)} ${item.kind === 'changed' && path !== '' ? path : `${path} ${DIFFERS[item.kind]}`.trim()}`;
}

/** Characters of a value that shares a line. */
const LONGEST_VALUE = 120;

/** Whether its values are not known: a field that cannot be read back is known only by the digest of what was applied; a definition to be replaced may have such fields. */
export function isHidden({ reach }: Difference): boolean {
  return reach === 'unverified' || reach === 'unreadable' || reach === 'replace';
}

export function shortValue(json: Json): string {
  return json === null ? 'nothing' : shortened(value(json), LONGEST_VALUE);
}

/** Which side changed, and since when; empty when that is not the question. */
export function movement(item: Difference): string {
  const { status, kind, applied_at: applied } = item;
  if ((kind === 'unmanaged' && applied === null) || kind === 'pending-approval' || status === 'unknown') return '';
  return applied === null ? movedText(item) : `${movedText(item)} since the apply of ${time(applied)}`;
}

/** Whether another writer writes the same value, which side changed since when, and how often that was seen. */
export function history(item: DriftItem): readonly string[] {
  const { returned, seen_count: count } = item;
  const seen = count > 1 ? `seen ${count} times since ${time(item.first_seen)}` : '';
  const told = [movement(item), seen].filter((part) => part !== '').join('; ');
  const back = `it came back after ${returned} ${returned === 1 ? 'apply' : 'applies'}`;
  return [
    ...(item.fight ? [`a fight: ${back}, so another writer also changes it`] : returned > 0 ? [back] : []),
    ...(told === '' ? [] : [told]),
  ];
}

/** The reason of the ignore rule that covers it, and its end date. */
export function whyIgnored({ ignored }: DriftItem): string {
  if (ignored === null) return '';
  return plain(ignored.until === null ? ignored.reason : `${ignored.reason}, until ${ignored.until}`);
}

/** The notes of a report, each with its place. */
export function noteTexts({ notes }: DriftReport): readonly string[] {
  return notes.map(({ message, source }) => {
    const place = source === null ? '' : `${plain(source.file)}:${source.line}: `;
    return `${place}${plain(message)}`;
  });
}

/** What makes a check fail: what changed on which side, and fights; and how many differences do not. */
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
    [count(isWaiting), 'waiting for an approval'],
    [count(({ status }) => status === 'converged'), 'changed to the same value on both sides'],
    [count(({ status }) => status === 'unknown'), 'that cannot be read back'],
  ];
  const moved = counts.flatMap(([number, words]) => (number === 0 ? [] : [`${number} ${words}`])).join(', ');
  const others = items.length - failing.length;
  return [
    `${moved}.`,
    ...(summary.fights === 0 ? [] : [`${counted(summary.fights, 'fight')} with another writer.`]),
    ...(others === 0 ? [] : [`${others} more ${others === 1 ? 'is' : 'are'} below fail_on (${failOn}).`]),
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
  const all = compared.length === kinds.length ? 'the license matches' : `${listed(compared)} match`;
  const subject = part === '' ? all : `what was selected of ${listed(compared)}${part} matches`;
  const count = (isMeant: (item: DriftItem) => boolean): number => items.filter(isMeant).length;
  const but = [
    [count(({ kind }) => kind === 'due'), 'by a date that has come'],
    [count(({ kind }) => kind === 'pending-approval'), 'waiting for an approval'],
    [summary.unknown, 'that cannot be read back'],
    [summary.ignored, 'that the project ignores'],
  ] as const;
  const exceptions = but.flatMap(([number, what]) => (number === 0 ? [] : [`${number} ${what}`]));
  const whole = `${subject} the manifest${exceptions.length === 0 ? '' : `, except for ${listed(exceptions)}`}.`;
  return `${whole.slice(0, 1).toUpperCase()}${whole.slice(1)}`;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
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

const HARMLESS = /^[\w@%+=:,./-]+$/;

/** One word of a POSIX shell, whatever the text is: names come from people who must not be able to run a command. */
export function quoted(text: string): string {
  const shown = plain(text);
  return HARMLESS.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}

const COMMANDS: { readonly [way in WayOut]: ((target: string, address: string) => string) | null } = {
  apply: (target, address) => `manifest wins:  chatform apply -t ${target} --only ${address}`,
  accept: (target, address) => `license wins:   chatform drift -t ${target} --accept ${address}`,
  import: (target, address) => `license wins:   chatform import -t ${target} --only ${address}`,
  ignore: null,
};

/** The commands that end the differences of a resource, and which side wins by each. */
export function waysOut(target: string, address: string, items: readonly DriftItem[]): readonly string[] {
  return (Object.keys(COMMANDS) as WayOut[]).flatMap((way) => {
    const command = COMMANDS[way];
    if (command === null || !items.some((item) => item.ways_out.includes(way))) return [];
    return [command(quoted(target), quoted(address))];
  });
}
