// The lease of a target: what its newest record means, and what a place that keeps it must do. Knows no such place.

import type { ValueOf } from '../base/documents.ts';
import type { holder, leaseRecord } from './events.ts';

export type LeaseHolder = ValueOf<typeof holder>;
export type LeaseRecord = ValueOf<typeof leaseRecord>;

/** A place that keeps the lease of one target. One conformance suite holds for all of them: test/ledger/lease-conformance.ts. */
export interface Lease {
  /** The newest record; null when there never was one. @throws UsageError when it cannot be read */
  readonly read: () => Promise<LeaseRecord | null>;
  /**
   * Compare and swap: keeps `record` if the newest generation is the one before it (0 when there is none), and says
   * whether it did. Of many runs that ask for the same generation, one succeeds. The record survives a crash once this
   * resolves. @throws UsageError when it cannot be written
   */
  readonly replace: (record: LeaseRecord) => Promise<boolean>;
  readonly times: LeaseTimes;
  /** The first record begins the work of a run as well, and is not kept once the run is cancelled or has stopped. */
  readonly beginsJob?: boolean;
}

/** Times of the leases of a place, in milliseconds. */
export interface LeaseTimes {
  /** Between two renewals. */
  readonly heartbeat: number;
  /** By which the clocks of two machines may differ without both of them holding the lease. */
  readonly tolerance: number;
  /** That a lease lasts at least without a renewal. */
  readonly shortest: number;
}

/** Of places that have no clock of their own. */
export const LEASE_TIMES: LeaseTimes = { heartbeat: 20_000, tolerance: 10_000, shortest: 60_000 };

/** Milliseconds that a lease lasts without a renewal: after a missed heartbeat, one request of `requestTimeout` still fits. */
export function leaseTtl(requestTimeout: number, { heartbeat, tolerance, shortest }: LeaseTimes = LEASE_TIMES): number {
  return Math.max(shortest, requestTimeout + heartbeat + tolerance);
}

/** `expired`: its run ended without giving it back, or is suspended. */
export type LeaseState = 'free' | 'held' | 'expired';

/** Time (milliseconds) from which others may take a lease that is not renewed; null when it was given back. */
export function openFrom({ until }: LeaseRecord, { tolerance }: LeaseTimes): number | null {
  return until === null ? null : Date.parse(until) + tolerance;
}

export function leaseState(record: LeaseRecord | null, now: number, times: LeaseTimes = LEASE_TIMES): LeaseState {
  const open = record === null ? null : openFrom(record, times);
  if (open === null) return 'free';
  return now < open ? 'held' : 'expired';
}

/** Ends the lease that `found` describes, also that of another run. @returns false when another run has it by now */
export async function endLease(
  lease: Lease,
  found: LeaseRecord,
  by: Pick<LeaseRecord, 'run' | 'holder'>,
  now: number,
): Promise<boolean> {
  const at = new Date(now).toISOString();
  // Its holder may be alive and renew it at the same time.
  for (let record: LeaseRecord | null = found; record?.run === found.run && record.until !== null; ) {
    const { generation } = record;
    if (await lease.replace({ ...by, generation: generation + 1, since: at, renewed: at, until: null })) return true;
    record = await lease.read();
  }
  return false;
}
