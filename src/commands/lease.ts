// `chatform lease status | release`: who holds a target; and the end of that, if a person is certain that the run is dead.

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { UsageError } from '../base/errors.ts';
import { endLease, type LeaseRecord } from '../ledger/lease.ts';
import { fileLease } from '../ledger/lease-file.ts';
import { failureDocument, leaseDocument } from '../render/documents.ts';
import { leaseText, releasedText } from '../render/text/ledger.ts';
import { confirm } from './confirm.ts';
import { type ChangingFlags, type LedgerFlags, refuseBoth, targetOf } from './ledger/locate.ts';
import { found, type Lock, locked, lockOf, lockOfLedger } from './lock.ts';
import type { ExitCode, Terminal } from './terminal.ts';

interface Seen {
  readonly lock: Lock;
  readonly record: LeaseRecord | null;
}

async function look(flags: LedgerFlags, terminal: Terminal): Promise<Seen> {
  refuseBoth(flags);
  const lock = flags.ledger === undefined ? lockOf(await targetOf(flags, terminal), flags) : lockOfLedger(flags.ledger);
  const record = await fileLease(lock.ledger).read();
  // A misspelt name would look like a target that nobody holds.
  if (flags.ledger !== undefined && record === null && !existsSync(flags.ledger))
    throw new UsageError(`--ledger ${flags.ledger}: there is no such file, and no lease beside it`);
  return { lock, record };
}

export async function leaseStatus(flags: LedgerFlags, terminal: Terminal): Promise<ExitCode> {
  const { lock, record } = await look(flags, terminal);
  const lease = found(lock, record, terminal.clock.now());
  terminal.out(flags.json === true ? leaseDocument(lease) : `${leaseText(lease)}\n`);
  return 0;
}

export async function leaseRelease(flags: ChangingFlags, terminal: Terminal): Promise<ExitCode> {
  const json = flags.json === true;
  const { lock, record } = await look(flags, terminal);
  const before = found(lock, record, terminal.clock.now());
  if (record === null || before.state === 'free') {
    terminal.out(json ? leaseDocument(before, { released: false }) : `${leaseText(before)}\n`);
    return 0;
  }
  const question = `${leaseText(before)}\nIf that run lives, it stops in the middle: release it only if it is certain that it is dead.`;
  const refused = await confirm({ question, word: 'release', yes: flags.yes === true }, terminal);
  if (refused !== null) {
    if (json) terminal.out(failureDocument(refused.message, []));
    return refused.code;
  }
  return end({ lock, record }, json, terminal);
}

async function end({ lock, record }: Seen & { readonly record: LeaseRecord }, json: boolean, terminal: Terminal) {
  const { clock, self } = terminal;
  const place = fileLease(lock.ledger);
  const by = { run: randomUUID(), holder: { ...self, command: 'lease release' } };
  const released = await endLease(place, record, by, clock.now());
  const newest = await place.read();
  const after = found(lock, newest, clock.now());
  // Another run took it while the person thought.
  if (!released && newest !== null && after.state === 'held') return locked(lock, newest, json, terminal);
  if (json) terminal.out(leaseDocument(after, { released }));
  else terminal.out(released ? releasedText(after, record.holder) : `${leaseText(after)}\n`);
  return 0;
}
