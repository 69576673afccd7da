// What a look found in; the words that every report says it with, out. Decides nothing, and knows no format.

import { isAsSevere, type Json, type Severity } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import type { DriftKind, Status } from '../../project/drift-settings.ts';
import type { Difference, DriftItem, DriftReport } from '../../tasks/drift/report.ts';
import { plain, value } from '../plain.ts';

/** Every status, in the order of reports, and who moved. */
export const MOVED: { readonly [status in Status]: string } = {
  drift: 'the license moved',
  conflict: 'both moved apart',
  pending: 'the repository moved',
  converged: 'both moved to the same',
  unknown: 'nobody can tell who moved',
};

/** Without a base nobody knows whether the license moved: the ledger may be new, or lost. */
export function isUnapplied({ status, kind, applied_at: applied }: Difference): boolean {
  return status === 'pending' && applied === null && kind !== 'unmanaged' && kind !== 'pending-approval';
}

export function mover(item: Difference): string {
  return isUnapplied(item) ? 'the ledger knows of no apply of it' : MOVED[item.status];
}

/** Every kind of difference, and what it says of an object. */
export const DIFFERS: { readonly [kind in DriftKind]: string } = {
  changed: 'differs',
  missing: 'is not on the license',
  unmanaged: 'is on the license, and nothing declares it',
  reordered: 'is in another order',
  unreadable: 'cannot be read back',
  'pending-approval': 'waits for an approval',
};

/** Whether it makes the look fail: as severe as `fail_on`, or more. */
export function fails({ severity }: DriftItem, failOn: Severity): boolean {
  return isAsSevere(severity, failOn);
}

export function pathOf({ path }: Difference): string {
  return path.map(plain).join('.');
}

/** Where it differs. */
export function nameOf(item: Difference): string {
  return item.path.length === 0 ? plain(item.address) : `${plain(item.address)} ${pathOf(item)}`;
}

/** What differs, without the values: the same words as long as it is the same difference. */
export function subject(item: Difference): string {
  const path = pathOf(item);
  return `${plain(item.address)} ${item.kind === 'changed' && path !== '' ? path : `${path} ${DIFFERS[item.kind]}`.trim()}`;
}

/** To the second, in UTC. */
export function time(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** Characters of a value that are shown at most, where it shares a line. */
const LONGEST_VALUE = 120;

/** A value among others on one line, cut when it is long. */
export function shortly(json: Json): string {
  return json === null ? 'nothing' : cut(value(json), LONGEST_VALUE);
}

export function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most).join('')}…`;
}

/** Who moved, and since when; empty when that is not the question. */
export function movement(item: Difference): string {
  const { status, kind, applied_at: applied } = item;
  const isEvident = kind === 'unmanaged' && applied === null;
  if (isEvident || kind === 'pending-approval' || status === 'unknown') return '';
  return applied === null ? mover(item) : `${mover(item)} since the apply of ${time(applied)}`;
}

/** Whether somebody else writes the same thing, who moved since when, and how often that was seen. */
export function history(item: DriftItem): readonly string[] {
  const { returned, seen_count: count } = item;
  const seen = count > 1 ? `seen ${count} times since ${time(item.first_seen)}` : '';
  const told = [movement(item), seen].filter((part) => part !== '').join('; ');
  const back = `it came back after ${returned} ${returned === 1 ? 'apply' : 'applies'}`;
  return [
    ...(item.fight ? [`a fight: ${back}, so somebody else writes it too`] : returned > 0 ? [back] : []),
    ...(told === '' ? [] : [told]),
  ];
}

/** The reason of the rule that covers it, and how long that holds. */
export function whyIgnored({ ignored }: DriftItem): string {
  if (ignored === null) return '';
  return plain(ignored.until === null ? ignored.reason : `${ignored.reason}, until ${ignored.until}`);
}

/** What a person should know beside the differences, each with its place. */
export function noteLines({ notes }: DriftReport): readonly string[] {
  return notes.map(({ message, source }) => {
    const place = source === null ? '' : `${plain(source.file)}:${source.line}: `;
    return `${place}${plain(message)}`;
  });
}

/** Of a look: what moved where, fights and what is ignored. */
export function totals({ items, summary }: DriftReport): string {
  const waiting = items.filter(({ kind, status }) => kind === 'pending-approval' && status === 'pending').length;
  const unapplied = items.filter(isUnapplied).length;
  const counts: readonly (readonly [number, string])[] = [
    [summary.drift, 'moved on the license'],
    [summary.pending - waiting - unapplied, 'moved in the repository'],
    [unapplied, 'that the ledger knows no apply of'],
    [summary.conflict, 'moved on both sides'],
    [waiting, 'waiting for an approval'],
    [summary.converged, 'moved to the same on both sides'],
    [summary.unknown, 'that cannot be read back'],
  ];
  const moved = counts.flatMap(([count, words]) => (count === 0 ? [] : [`${count} ${words}`])).join(', ');
  const fought = summary.fights === 0 ? '' : ` ${counted(summary.fights, 'fight')} with another writer.`;
  return `${moved}.${fought}${summary.ignored === 0 ? '' : ` ${summary.ignored} ignored.`}`;
}

/** How the license stands when nothing is severe enough to fail: no more than was seen. */
export function standing({ summary, fail_on: failOn }: DriftReport): string {
  const { drift, pending, conflict } = summary;
  const told = drift + pending + conflict;
  if (told > 0) return `${counted(told, 'difference')}, none as severe as fail_on (${failOn}).`;
  const but = [
    ...(summary.unknown === 0 ? [] : [`${summary.unknown} that cannot be read back`]),
    ...(summary.ignored === 0 ? [] : [`${summary.ignored} that the project ignores`]),
  ];
  return `The license is as the manifest says${but.length === 0 ? '' : `, but for ${but.join(' and ')}`}.`;
}

/** The first word of it all: `Drift:` fails, everything else does not. */
export function verdict({ summary, in_sync: inSync }: DriftReport): string {
  if (!inSync) return 'Drift:';
  return summary.drift + summary.pending + summary.conflict > 0 ? 'In sync:' : 'No drift.';
}
