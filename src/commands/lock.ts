// A target and what is to be done to it in; done while the target's lease is held, or not at all, out. It must not know what is done.

import { randomUUID } from 'node:crypto';
import { CLOCK_TOLERANCE, LEASE_HEARTBEAT, type LeaseRecord, leaseState, leaseTtl, openFrom } from '../ledger/lease.ts';
import { fileLease } from '../ledger/lease-file.ts';
import { type Tenure, takeLease } from '../ledger/tenure.ts';
import type { TargetSettings } from '../project/settings.ts';
import { type FoundLease, holderText, lockedDocument, lockedText } from '../render/lease-text.ts';
import { plain } from '../render/plain.ts';
import type { TargetFlags } from './prepare.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export interface Work {
  /** The command, for whoever finds the target locked. */
  readonly command: string;
  readonly flags: LeaseFlags;
}

/** What says which lease is meant. */
export type LeaseFlags = Pick<TargetFlags, 'target' | 'file' | 'baseUrl' | 'json'>;

export function found(target: string, record: LeaseRecord | null, now: number): FoundLease {
  const open = record === null ? null : openFrom(record);
  return {
    target,
    state: leaseState(record, now),
    record,
    openFrom: open === null ? null : new Date(open).toISOString(),
  };
}

/** Takes the lease before `work` reads anything, renews it until `work` ends, however that is, and gives it back. */
export async function whileLocked(
  settings: TargetSettings,
  { command, flags }: Work,
  terminal: Terminal,
  work: (tenure: Tenure) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { clock, self } = terminal;
  const taken = await takeLease({
    lease: fileLease(settings.ledger),
    holder: { ...self, command },
    run: randomUUID(),
    clock,
    ttl: leaseTtl(settings.requestTimeout),
  });
  if ('lockedBy' in taken) return locked(found(settings.name, taken.lockedBy, clock.now()), flags, terminal);
  const { tenure, expired } = taken;
  if (expired !== null)
    warn(`took over from ${holderText(expired.holder)}, which ended without giving it back`, terminal);
  const stop = terminal.every(LEASE_HEARTBEAT, () => void tenure.renew());
  try {
    return await work(tenure);
  } finally {
    stop();
    await tenure.release().catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      warn(`could not be given back, and ends by itself: ${plain(why)}`, terminal);
    });
  }
}

/** What is held by another run is no reason to read, let alone to write. */
export function locked(other: FoundLease, flags: LeaseFlags, terminal: Terminal): ExitCode {
  const renewed = other.record === null ? 0 : Date.parse(other.record.renewed);
  const ahead = renewed - terminal.clock.now();
  const message = lockedText(other, releaseOf(flags), ahead > CLOCK_TOLERANCE ? `${Math.round(ahead / 1000)} s` : null);
  terminal.err(`${terminal.paintErr('error', 'Error:')} ${message}\n`);
  if (flags.json === true) terminal.out(lockedDocument(other, message));
  return 4;
}

/** The same target again: a release that only looks the same would end the lease of another one. */
function releaseOf({ target, file = [], baseUrl }: LeaseFlags): string {
  const named = target === undefined ? [] : ['-t', target];
  const given = baseUrl === undefined ? [] : [...file.flatMap((each) => ['-f', each]), '--base-url', baseUrl];
  return ['chatform lease release', ...named, ...(file.length === 0 ? [] : given)].join(' ');
}

function warn(what: string, terminal: Terminal): void {
  terminal.err(`${terminal.paintErr('warning', 'Warning:')} the lease of the target ${what}\n`);
}
