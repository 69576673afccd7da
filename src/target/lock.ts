// Work on a ledger while its lease is held, or not at all. Knows nothing of the work.

import { randomUUID } from 'node:crypto';
import { asError, LockedError, UsageError } from '../base/errors.ts';
import { holderText } from '../base/text.ts';
import { until } from '../base/until.ts';
import { type LeaseRecord, type LeaseState, type LeaseTimes, leaseState, leaseTtl, openFrom } from '../ledger/lease.ts';
import { type Tenure, takeLease } from '../ledger/tenure.ts';
import type { TargetSettings } from '../project/settings.ts';
import type { RunContext } from './context.ts';
import { leaseAt, requireOneLease } from './stores.ts';

/** What is locked, and how to name it. */
export interface Lock {
  /** `target production`, or `ledger FILE`. */
  readonly subject: string;
  readonly ledger: string;
  readonly requestTimeout: number;
  /** Milliseconds to wait for a lease that another holds; default 0. */
  readonly lockTimeout?: number;
}

/** A lease as it was found. */
export interface FoundLease {
  readonly subject: string;
  readonly ledger: string;
  readonly state: LeaseState;
  readonly record: LeaseRecord | null;
  /** From when on another run may take it unless it is renewed: RFC 3339; null when it is free. */
  readonly openFrom: string | null;
  /** Milliseconds by which the clock of the holder is ahead of ours; null when it is not noticeably. */
  readonly ahead: number | null;
}

/** The plan was not agreed to. */
export interface Declined {
  readonly reason: 'declined';
  readonly message: string;
}

/** Why a plan is not carried out: a guard or policy withholds it, it was declined, or the lease was lost meanwhile. */
export type Stop = Declined | { readonly reason: 'withheld' | 'lease-lost'; readonly message: string };

/** Asked before a change. Null to go on; otherwise why not. */
export type Agree<T> = (about: T) => Promise<Declined | null>;

/** Work that was stopped before it changed anything. */
export interface Stopped {
  readonly stopped: Stop;
}

export function lockOf({ name, ledger, requestTimeout, lockTimeout }: TargetSettings): Lock {
  return { subject: `target ${name}`, ledger, requestTimeout, lockTimeout };
}

/** For work on a ledger without the service. */
export function lockOfLedger(ledger: string): Lock {
  return { subject: `ledger ${ledger}`, ledger, requestTimeout: 0 };
}

export function foundLease(
  { subject, ledger }: Lock,
  record: LeaseRecord | null,
  now: number,
  times: LeaseTimes,
): FoundLease {
  const open = record === null ? null : openFrom(record, times);
  const ahead = record === null ? 0 : Date.parse(record.renewed) - now;
  return {
    subject,
    ledger,
    state: leaseState(record, now, times),
    record,
    openFrom: open === null ? null : new Date(open).toISOString(),
    ahead: ahead > times.tolerance ? ahead : null,
  };
}

export function lockedError(lock: Lock, record: LeaseRecord, now: number, times: LeaseTimes): LockedError<FoundLease> {
  const message = `${lock.subject} is locked by ${holderText(record.holder)}: wait until ${record.holder.reason === undefined ? 'that run has ended' : record.until}`;
  return new LockedError(message, foundLease(lock, record, now, times));
}

/** Milliseconds between two looks at a lease: each reads a file and costs no request. */
const PAUSE = 1_000;

/**
 * Takes the lease before `work` reads anything, renews it until `work` ends or fails, and gives it back. Waits for one that another holds as long as
 * the lock says.
 * @throws LockedError; UsageError for a ledger with several names: each would have a lease of its own
 */
export async function whileLocked<T>(
  lock: Lock,
  command: string,
  context: RunContext,
  work: (tenure: Tenure) => Promise<T>,
): Promise<T> {
  const { clock, signal, self, every, notice, job } = context;
  await requireOneLease(lock.ledger);
  const lease = leaseAt(lock.ledger, context, lock.requestTimeout);
  // Where lease and run are in one database, the lease is taken only while the run goes on.
  if (lease.beginsJob !== true) await job?.begin();
  const claim = {
    lease,
    holder: { ...self, command },
    run: randomUUID(),
    clock,
    ttl: leaseTtl(lock.requestTimeout, lease.times),
  };
  const deadline = clock.now() + (lock.lockTimeout ?? 0);
  let told: string | null = null;
  const taken = await until(() => takeLease(claim), {
    clock,
    signal,
    deadline,
    isEnough: (found) => 'tenure' in found,
    pause: () => PAUSE,
    onWait: (_elapsed, found) => {
      if ('tenure' in found || found.lockedBy.run === told) return;
      told = found.lockedBy.run;
      notice({ type: 'waiting-for-lease', holder: found.lockedBy.holder, until: new Date(deadline).toISOString() });
    },
  });
  if ('lockedBy' in taken && signal?.aborted === true) throw new UsageError('interrupted before anything was changed');
  if ('lockedBy' in taken) throw lockedError(lock, taken.lockedBy, clock.now(), lease.times);
  const { tenure, expired } = taken;
  context.databases.fence(lock.ledger).renew = tenure.renew;
  if (expired !== null) notice({ type: 'lease-taken-over', holder: expired.holder });
  const stop = every(lease.times.heartbeat, () => void tenure.renew());
  try {
    if (lease.beginsJob !== true) await job?.begin();
    await job?.requireOurs();
    job?.proceed();
    return await work(tenure);
  } finally {
    stop();
    await tenure.release().catch((error: unknown) => {
      notice({ type: 'lease-not-released', reason: asError(error).message });
    });
  }
}

/** Waits for the lease of a run that was killed to end; not for that of a run which renews it, and so lives. */
export async function deadLeaseEnds(ledger: string, context: RunContext): Promise<void> {
  const { clock, signal, notice } = context;
  const lease = leaseAt(ledger, context);
  const first = await lease.read();
  if (first === null || first.until === null) return;
  let isTold = false;
  const openAt = async (): Promise<number> => {
    const record = await lease.read();
    return record?.generation === first.generation ? (openFrom(record, lease.times) ?? 0) : 0;
  };
  await until(openAt, {
    clock,
    signal,
    isEnough: (open) => clock.now() >= open,
    pause: (_elapsed, open) => Math.min(PAUSE, open - clock.now()),
    onWait: (_elapsed, open) => {
      if (!isTold) notice({ type: 'waiting-for-lease', holder: first.holder, until: new Date(open).toISOString() });
      isTold = true;
    },
  });
}

/** Null while the lease is held. */
export async function lossOf(
  tenure: Tenure,
): Promise<Extract<Stop, { readonly reason: 'withheld' | 'lease-lost' }> | null> {
  const reason = await tenure.refusal(0);
  return reason === null
    ? null
    : { reason: 'lease-lost', message: `the lease was lost before anything was changed: ${reason}` };
}
