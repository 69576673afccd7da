// Words for the differences that a drift check found, shared by text, Markdown and reports.

import { isAsSevere, type Json, type Severity } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import type { DriftKind, Status } from '../../project/drift-settings.ts';
import type { Difference, DriftItem, DriftReport, WayOut } from '../../tasks/drift/report.ts';
import { plain, shortened, time, value } from '../plain.ts';

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
  const found = new Map<string, DriftItem[]>();
  for (const item of items) {
    const others = found.get(item.address);
    if (others === undefined) found.set(item.address, [item]);
    else others.push(item);
  }
  return found;
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

/** The counts of a report: what changed on which side, fights, ignored differences. */
export function totals({ items, summary }: DriftReport): string {
  const waiting = items.filter(({ kind, status }) => kind === 'pending-approval' && status === 'pending').length;
  const unapplied = items.filter(isUnapplied).length;
  const due = items.filter(({ kind }) => kind === 'due').length;
  const counts: readonly (readonly [number, string])[] = [
    [summary.drift - summary.unmanaged, 'changed on the license'],
    [summary.unmanaged, 'unmanaged'],
    [summary.pending - waiting - unapplied - due, 'changed in the manifest'],
    [due, 'by a date that has come'],
    [unapplied, 'without an apply in the ledger'],
    [summary.conflict, 'changed differently on both sides'],
    [waiting, 'waiting for an approval'],
    [summary.converged, 'changed to the same value on both sides'],
    [summary.unknown, 'that cannot be read back'],
  ];
  const moved = counts.flatMap(([count, words]) => (count === 0 ? [] : [`${count} ${words}`])).join(', ');
  const fought = summary.fights === 0 ? '' : ` ${counted(summary.fights, 'fight')} with another writer.`;
  return `${moved}.${fought}${summary.ignored === 0 ? '' : ` ${summary.ignored} ignored.`}`;
}

/** How the license stands when no difference is severe enough to fail. */
export function standing({ summary, fail_on: failOn }: DriftReport): string {
  const differing = summary.drift + summary.pending + summary.conflict;
  if (differing > 0) return `${counted(differing, 'difference is', 'differences are')} below fail_on (${failOn}).`;
  const but = [
    ...(summary.unknown === 0 ? [] : [`${summary.unknown} that cannot be read back`]),
    ...(summary.ignored === 0 ? [] : [`${summary.ignored} that the project ignores`]),
  ];
  return `The license matches the manifest${but.length === 0 ? '' : `, except for ${but.join(' and ')}`}.`;
}

/** The first word of a report: `Drift:` when the check fails. */
export function resultWord({ summary, in_sync: inSync }: DriftReport): string {
  if (!inSync) return 'Drift:';
  return summary.drift + summary.pending + summary.conflict > 0 ? 'In sync.' : 'No drift.';
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
