// What the newest record of a lease says in; whether a target is free to be written to out; and what a place that keeps a lease must do. It must not
// know any such place.

/** Who runs, for whoever finds the target locked. */
export interface Holder {
  readonly user: string;
  readonly host: string;
  readonly pid: number;
  readonly command: string;
}

/** `ann@build-7 (pid 4711, chatform apply)`. The names come from outside, so escape the text before printing it. */
export function holderText({ user, host, pid, command }: Holder): string {
  return `${user}@${host} (pid ${pid}, chatform ${command})`;
}

/** One generation of a lease. Times are RFC 3339, by the clock of the holder. */
export interface LeaseRecord {
  /** One more than the generation before it, whoever made that. */
  readonly generation: number;
  /** The run that holds it: the same in each of its renewals, and never that of another run. */
  readonly run: string;
  readonly holder: Holder;
  /** When the run got it. */
  readonly since: string;
  readonly renewed: string;
  /** When it ends unless it is renewed; null when it was given back, by `holder`. */
  readonly until: string | null;
}

/** A place that keeps the lease of one target. One conformance suite holds for all of them: test/ledger/lease-conformance.ts. */
export interface Lease {
  /** The newest record; null when there never was one. @throws UsageError when it cannot be read */
  readonly read: () => Promise<LeaseRecord | null>;
  /**
   * Compare and swap: keeps `record` if the newest generation is the one before it (0 when there is none), and says whether it did. Of many who
   * ask for the same generation, one succeeds. Would survive a crash once it resolves. @throws UsageError when it cannot be written
   */
  readonly replace: (record: LeaseRecord) => Promise<boolean>;
}

/** Milliseconds between two renewals. */
export const LEASE_HEARTBEAT = 20_000;

/** Milliseconds by which the clocks of two machines may differ without both of them holding the lease. */
export const CLOCK_TOLERANCE = 10_000;

const SHORTEST = 60_000;

/** Milliseconds that a lease lasts without a renewal: a request that may take as long as `requestTimeout` fits in after a heartbeat was missed. */
export function leaseTtl(requestTimeout: number): number {
  return Math.max(SHORTEST, requestTimeout + LEASE_HEARTBEAT + CLOCK_TOLERANCE);
}

/** `expired`: its run ended without giving it back, or sleeps. */
export type LeaseState = 'free' | 'held' | 'expired';

/** From when on others may take a lease that is not renewed (milliseconds); null when it was given back. */
export function openFrom({ until }: LeaseRecord): number | null {
  return until === null ? null : Date.parse(until) + CLOCK_TOLERANCE;
}

export function leaseState(record: LeaseRecord | null, now: number): LeaseState {
  const open = record === null ? null : openFrom(record);
  if (open === null) return 'free';
  return now < open ? 'held' : 'expired';
}

/** Ends a lease that `found` describes, whoever holds it. @returns false when it has changed hands since then */
export async function endLease(
  lease: Lease,
  found: LeaseRecord,
  by: Pick<LeaseRecord, 'run' | 'holder'>,
  now: number,
): Promise<boolean> {
  const at = new Date(now).toISOString();
  // A holder that lives may renew it at the same time.
  for (let record: LeaseRecord | null = found; record?.run === found.run && record.until !== null; ) {
    const { generation } = record;
    if (await lease.replace({ ...by, generation: generation + 1, since: at, renewed: at, until: null })) return true;
    record = await lease.read();
  }
  return false;
}
