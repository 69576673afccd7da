// Who holds a lease in; how to name them, and the documents about it, out. Decides nothing.

import { FORMAT_VERSION } from '../base/model.ts';
import type { Holder, LeaseRecord, LeaseState } from '../ledger/lease.ts';
import { plain } from './plain.ts';

/** A lease as it is found. */
export interface FoundLease {
  /** What it is the lease of, for a person: a target, or a ledger that belongs to none. */
  readonly subject: string;
  readonly ledger: string;
  readonly state: LeaseState;
  readonly record: LeaseRecord | null;
  /** From when on others may take it unless it is renewed: RFC 3339; null when it is free. */
  readonly openFrom: string | null;
}

export function holderText({ user, host, pid, command }: Holder): string {
  return plain(`${user}@${host} (pid ${pid}, chatform ${command})`);
}

function timesText({ since }: LeaseRecord, openFrom: string | null): string {
  return plain(`since ${since}, until ${openFrom} unless it is renewed`);
}

/** One line, without its end. */
export function leaseText({ subject, state, record, openFrom }: FoundLease): string {
  const name = plain(`${subject.charAt(0).toUpperCase()}${subject.slice(1)}`);
  if (record === null) return `${name} is free: no run has held it yet.`;
  const holder = holderText(record.holder);
  switch (state) {
    case 'free':
      return `${name} is free: ${holder} gave it back at ${plain(record.renewed)}.`;
    case 'held':
      return `${name} is held by ${holder} ${timesText(record, openFrom)}.`;
    case 'expired':
      return `${name} was held by ${holder} until ${plain(String(openFrom))}, and not given back: the next run takes it over.`;
  }
}

/** Why nothing was done, and how to go on: `release` is the command that ends this very lease. */
export function lockedText({ subject, record, openFrom }: FoundLease, release: string, ahead: string | null): string {
  const who = record === null ? 'somebody' : `${holderText(record.holder)} ${timesText(record, openFrom)}`;
  const note = ahead === null ? [] : [`  the clock of that machine is ${ahead} ahead of this one`];
  return [
    `${plain(subject)} is locked by ${who}`,
    `  wait until that run has ended; or, if it is certain that it is dead: ${plain(release)}`,
    ...note,
  ].join('\n');
}

export function releasedText({ subject }: FoundLease, from: Holder): string {
  return `Released: ${plain(subject)} was held by ${holderText(from)}. If that run lives, it sends nothing more.\n`;
}

function memberOf({ record, openFrom }: FoundLease): unknown {
  if (record === null) return null;
  const { generation, holder, since, renewed } = record;
  return { generation, holder, since, renewed, open_from: openFrom };
}

/** What `lease status` and `lease release` found. */
export function leaseDocument(found: FoundLease, more: { readonly [member: string]: unknown } = {}): string {
  const { ledger, state } = found;
  const content = { format_version: FORMAT_VERSION, errored: false, ...more, ledger, state, lease: memberOf(found) };
  return `${JSON.stringify({ ...content, diagnostics: [] }, null, 2)}\n`;
}

/** Another run holds it. */
export function lockedDocument(found: FoundLease, message: string): string {
  return leaseDocument(found, { errored: true, message });
}
