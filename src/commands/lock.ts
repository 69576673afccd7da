// A ledger and what is to be done to what it is the ledger of in; done while its lease is held, or not at all, out. It must not know what is done.

import { randomUUID } from 'node:crypto';
import { CLOCK_TOLERANCE, LEASE_HEARTBEAT, type LeaseRecord, leaseState, leaseTtl, openFrom } from '../ledger/lease.ts';
import { fileLease } from '../ledger/lease-file.ts';
import { type Tenure, takeLease } from '../ledger/tenure.ts';
import type { TargetSettings } from '../project/settings.ts';
import { leaseDocument } from '../render/documents.ts';
import { plain } from '../render/plain.ts';
import { type FoundLease, holderText, lockedText } from '../render/text/ledger.ts';
import type { Refused } from './confirm.ts';
import type { TargetFlags } from './prepare.ts';
import { showError, showWarning } from './report.ts';
import type { ExitCode, Terminal } from './terminal.ts';

/** What is locked, and how to name it. */
export interface Lock {
  readonly subject: string;
  readonly ledger: string;
  readonly requestTimeout: number;
  /** Flags of `lease release` that mean this very lease: one that only looks the same would end that of another target. */
  readonly flags: string;
}

export interface Work {
  /** The command, for whoever finds it locked. */
  readonly command: string;
  readonly json: boolean;
  /** Somebody else has the lease, and why nothing is done. */
  readonly onLocked?: (message: string) => void;
}

export function lockOf(settings: TargetSettings, { target, file }: Pick<TargetFlags, 'target' | 'file'>): Lock {
  const { name, ledger, requestTimeout } = settings;
  const flags = target !== undefined ? ` -t ${target}` : file === undefined ? '' : ` --ledger ${ledger}`;
  return { subject: `target ${name}`, ledger, requestTimeout, flags };
}

/** Of a ledger that is worked on without the service. */
export function lockOfLedger(ledger: string): Lock {
  return { subject: `ledger ${ledger}`, ledger, requestTimeout: 0, flags: ` --ledger ${ledger}` };
}

export function found({ subject, ledger }: Lock, record: LeaseRecord | null, now: number): FoundLease {
  const open = record === null ? null : openFrom(record);
  return {
    subject,
    ledger,
    state: leaseState(record, now),
    record,
    openFrom: open === null ? null : new Date(open).toISOString(),
  };
}

/** Takes the lease before `work` reads anything, renews it until `work` ends, however that is, and gives it back. */
export async function whileLocked(
  lock: Lock,
  { command, json, onLocked }: Work,
  terminal: Terminal,
  work: (tenure: Tenure) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { clock, self } = terminal;
  const taken = await takeLease({
    lease: fileLease(lock.ledger),
    holder: { ...self, command },
    run: randomUUID(),
    clock,
    ttl: leaseTtl(lock.requestTimeout),
  });
  if ('lockedBy' in taken) return locked(lock, taken.lockedBy, json, terminal, onLocked);
  const { tenure, expired } = taken;
  if (expired !== null)
    showWarning(`the lease took over from ${holderText(expired.holder)}, which ended without giving it back`, terminal);
  const stop = terminal.every(LEASE_HEARTBEAT, () => void tenure.renew());
  try {
    return await work(tenure);
  } finally {
    stop();
    await tenure.release().catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      showWarning(`the lease could not be given back, and ends by itself: ${plain(why)}`, terminal);
    });
  }
}

/** What is held by another run is no reason to read, let alone to write. */
export function locked(
  lock: Lock,
  record: LeaseRecord,
  json: boolean,
  terminal: Terminal,
  onLocked: (message: string) => void = () => {},
): ExitCode {
  const now = terminal.clock.now();
  const other = found(lock, record, now);
  const ahead = Date.parse(record.renewed) - now;
  const release = `chatform lease release${lock.flags}`;
  const message = lockedText(other, release, ahead > CLOCK_TOLERANCE ? `${Math.round(ahead / 1000)} s` : null);
  onLocked(message);
  showError(message, terminal);
  if (json) terminal.out(leaseDocument(other, { errored: true, message }));
  return 4;
}

/** A person may take longer to answer than the machine stays awake: asked after the question, and before the first change. */
export async function lossOf(tenure: Tenure, terminal: Terminal): Promise<Refused | null> {
  const reason = await tenure.refusal(0);
  if (reason === null) return null;
  const message = `the lease was lost before anything was changed: ${plain(reason)}`;
  showError(message, terminal);
  return { code: 4, message };
}
