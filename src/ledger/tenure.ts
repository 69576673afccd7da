// A lease from taking it to giving it back, and whether a write may be sent. Knows neither the writes nor where a lease is kept.

import pLimit from 'p-limit';
import { asError, UsageError } from '../base/errors.ts';
import type { Clock } from '../base/model.ts';
import { holderText } from '../base/text.ts';
import { type Lease, type LeaseHolder, type LeaseRecord, leaseState } from './lease.ts';

/** A run that wants a lease. */
export interface Claim {
  readonly lease: Lease;
  readonly holder: LeaseHolder;
  /** Unlike that of any other run. */
  readonly run: string;
  readonly clock: Pick<Clock, 'now'>;
  /** Milliseconds that it lasts without a renewal. */
  readonly ttl: number;
}

/** A lease that a run holds. */
export interface Tenure {
  /** Id of the run that holds it, which its events in the ledger have too. */
  readonly run: string;
  /** Call it as often as the times of the lease say. Never rejects: the next call tries a failed renewal again. */
  readonly renew: () => Promise<void>;
  /**
   * Why a write that may take `milliseconds` must not be sent now; null when it may. Reads the lease each time: clocks that disagree, or a person,
   * may have given it to another run. After one refused write all are refused: half of a plan is not resumed after a pause.
   */
  readonly refusal: (milliseconds: number) => Promise<string | null>;
  /** Why writes are refused; null while none was. */
  readonly refused: () => string | null;
  /** Gives it back, unless it is lost. @throws UsageError when that cannot be written: it ends by itself then */
  readonly release: () => Promise<void>;
}

export type Taken =
  | {
      readonly tenure: Tenure;
      /** Of a run that ended without giving the lease back; null when there is none. */
      readonly expired: LeaseRecord | null;
    }
  | { readonly lockedBy: LeaseRecord };

/** Attempts to take a lease. A run that loses to another reads again; a file system that shows old files would make it try for ever. */
const ATTEMPTS = 50;

/** Takes a lease that is free or expired, never one that is held. @throws UsageError when the lease cannot be read or written */
export async function takeLease(claim: Claim): Promise<Taken> {
  const { lease, clock } = claim;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const before = await lease.read();
    const state = leaseState(before, clock.now(), lease.times);
    if (before !== null && state === 'held') return { lockedBy: before };
    const since = timeOf(clock.now());
    const record = renewal(claim, (before?.generation ?? 0) + 1, since);
    if (await lease.replace(record)) {
      return { tenure: holding(claim, record), expired: state === 'expired' ? before : null };
    }
  }
  throw new UsageError(
    'the lease of the target could not be taken: its file system does not show what was just written to it',
  );
}

function renewal({ run, holder, clock, ttl }: Claim, generation: number, since: string): LeaseRecord {
  const now = clock.now();
  return { generation, run, holder, since, renewed: timeOf(now), until: timeOf(now + ttl) };
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function endOf({ until }: LeaseRecord): number {
  return until === null ? Number.NEGATIVE_INFINITY : Date.parse(until);
}

function holding(claim: Claim, first: LeaseRecord): Tenure {
  const { lease, clock, run } = claim;
  const alone = pLimit(1);
  let own = first;
  let lost: string | null = null;
  let refused: string | null = null;
  let trouble: string | null = null;

  const left = (): number => endOf(own) - clock.now();

  const ranOut = (): boolean => {
    if (lost === null && left() <= 0)
      lost = `it ran out at ${own.until}, ${trouble ?? 'while this process was suspended'}`;
    return lost !== null;
  };

  /** Reads the newest record: a renewal of this run without an answer may have succeeded; a record of another run means that the lease is lost. */
  async function look(): Promise<void> {
    const newest = await lease.read();
    if (newest?.run === run && newest.until !== null) own = newest;
    else lost = lossOf(newest);
  }

  async function extend(): Promise<void> {
    try {
      const next = renewal(claim, own.generation + 1, own.since);
      const isKept = await lease.replace(next);
      if (isKept) own = next;
      // It can have waited for a server that was away.
      if (!isKept || left() <= 0) await look();
      trouble = null;
    } catch (error) {
      trouble = `because it could not be renewed: ${asError(error).message}`;
    }
  }

  async function reasonAgainst(milliseconds: number): Promise<string | null> {
    if (ranOut()) return lost;
    if (left() <= milliseconds) await extend();
    try {
      if (lost === null) await look();
    } catch (error) {
      return asError(error).message;
    }
    // The look can have waited for a server that was away: a swap that succeeds proves that no run took the lease meanwhile.
    if (lost === null && left() <= milliseconds) await extend();
    if (ranOut()) return lost;
    return left() > milliseconds
      ? null
      : `it ends at ${own.until}, before the request must${trouble === null ? '' : `, ${trouble}`}`;
  }

  return {
    run,
    renew: () =>
      alone(async () => {
        if (!ranOut()) await extend();
      }),
    refusal: (milliseconds) =>
      alone(async () => {
        refused ??= await reasonAgainst(milliseconds);
        return refused;
      }),
    refused: () => refused,
    release: () =>
      alone(async () => {
        if (lost !== null) return;
        lost = 'it was given back';
        await lease.replace({ ...own, generation: own.generation + 1, renewed: timeOf(clock.now()), until: null });
      }),
  };
}

function lossOf(newest: LeaseRecord | null): string {
  if (newest === null) return 'its record was removed';
  return `it was taken from this run by ${holderText(newest.holder)} at ${newest.since}`;
}
