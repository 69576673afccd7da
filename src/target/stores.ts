// Where ledgers, leases and sightings are: in files, or in a database. Everything that reads or writes one asks here.

import { existsSync } from 'node:fs';
import { writeRefusal } from '../base/disk.ts';
import { UsageError } from '../base/errors.ts';
import type { Clock } from '../base/model.ts';
import type { LedgerEvent } from '../ledger/events.ts';
import { fileLedger, requireOneName } from '../ledger/file.ts';
import type { Lease } from '../ledger/lease.ts';
import { fileLease } from '../ledger/lease-file.ts';
import type { Backend } from '../ledger/ledger.ts';
import { isInDatabase, logKey } from '../ledger/place.ts';
import { type Database, openDatabase } from '../ledger/postgres/database.ts';
import type { KnownJob } from '../ledger/postgres/jobs.ts';
import { databaseLease } from '../ledger/postgres/lease.ts';
import { databaseLedger, databaseRefusal } from '../ledger/postgres/ledger.ts';
import type { Fence } from '../ledger/postgres/log.ts';
import { databaseSightings } from '../ledger/postgres/sightings.ts';
import { type SightingsPlace, sightingsFile, sightingsPath } from '../ledger/sightings-file.ts';
import type { TargetSettings } from '../project/settings.ts';

/** A database is asked again: it answered before, and does not answer now; or another process migrates it. */
export interface DatabaseNotice {
  readonly type: 'waiting-for-database' | 'waiting-for-migration';
  /** Host and port. */
  readonly server: string;
}

/** The work of a run over several targets on one of them. */
export interface Job {
  /** Id of the run. */
  readonly fleetRun: string;
  /** Rejects with NotBegun once the run is cancelled or has stopped. Resolves at once for work that is under way. */
  readonly begin: () => Promise<void>;
  /** Rejects where other processes may have done the work meanwhile: then nothing is done here. */
  readonly requireOurs: () => Promise<void>;
  /** From now on the work is under way: a request to cancel does not end it. */
  readonly proceed: () => void;
  /** What begins together with a lease in its database; null for work that is under way, and where the run is not in a database. */
  readonly stored: () => KnownJob | null;
}

/** The part of the context of a run that a ledger needs. */
export interface Around {
  readonly databases: Databases;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly notice: (notice: DatabaseNotice) => void;
  readonly job?: Pick<Job, 'stored'>;
}

/** The databases that this process has asked, by the variable with their address, and the leases that it holds in them. */
export interface Databases {
  readonly at: (variable: string, around: Omit<Around, 'databases'>) => Database;
  /** Of the run that holds the lease of a ledger, or held it last. */
  readonly fence: (ledger: string) => Fence;
  /** From now on, the lease of a ledger is that of another run of this process. */
  readonly hold: (ledger: string, fence: Fence) => void;
  /** Ends the connections. */
  readonly close: () => Promise<void>;
}

export function createDatabases(clock: Clock): Databases {
  const databases = new Map<string, Database>();
  const fences = new Map<string, Fence>();
  return {
    at: (variable, { env, notice }) => {
      const onWait = ({ server }: { readonly server: string }): void =>
        notice({ type: 'waiting-for-database', server });
      const found = databases.get(variable) ?? openDatabase({ variable, env, clock, onWait });
      databases.set(variable, found);
      return found;
    },
    fence: (ledger) => fences.get(ledger) ?? { run: null, need: 0 },
    hold: (ledger, fence) => void fences.set(ledger, fence),
    close: async () => {
      await Promise.all([...databases.values()].map((database) => database.close()));
      databases.clear();
    },
  };
}

/**
 * The log of a ledger. One in a database is written only by the run of this process that held its lease when this was called. What it reads and writes
 * throws a UsageError for a ledger that was moved elsewhere.
 */
export function ledgerAt(ledger: string, around: Around): Backend {
  const { read, append, rewrite } = ledgerAsIs(ledger, around);
  const present = (events: readonly LedgerEvent[]): readonly LedgerEvent[] => {
    const to = movedTo(events);
    if (to === null) return events;
    const remedy = isInDatabase(to)
      ? 'name its database as ledger_store in chatform.yaml, and no file as `ledger` of the target'
      : 'leave out ledger_store in chatform.yaml';
    throw new UsageError(
      `the ledger ${ledger} was moved to ${to}: ${remedy}, or move it back with \`chatform ledger move\``,
    );
  };
  return {
    read: async () => present(await read()),
    append,
    rewrite: (change) => rewrite((events) => change(present(events))),
  };
}

/**
 * The log of the ledger of a target. Reading it throws a UsageError where the database has none, and the file of the target has one that was never moved:
 * a plan without it would know nothing of what the target owns.
 */
export function ledgerOf(
  { name, ledger, localPath }: Pick<TargetSettings, 'name' | 'ledger' | 'localPath'>,
  around: Around,
): Backend {
  const log = ledgerAt(ledger, around);
  if (!isInDatabase(ledger)) return log;
  return {
    ...log,
    read: async () => {
      const events = await log.read();
      const left = events.length === 0 ? await fileLedger(localPath).read() : [];
      if (left.length > 0 && movedTo(left) === null)
        throw new UsageError(
          `the ledger of ${name} is still in ${localPath}, and chatform.yaml names a database for it: move it with \`chatform ledger move --to postgres -t ${name}\``,
        );
      return events;
    },
  };
}

/** Where a ledger was moved to; null for one that is here. */
export function movedTo(events: readonly LedgerEvent[]): string | null {
  const last = events.at(-1);
  return last?.type === 'run' ? (last.moved_to ?? null) : null;
}

/** The log of a ledger, also of one that was moved elsewhere. */
export function ledgerAsIs(ledger: string, { databases, ...around }: Around): Backend {
  if (!isInDatabase(ledger)) return fileLedger(ledger);
  const key = logKey(ledger);
  return databaseLedger(databases.at(key.variable, around), key, databases.fence(ledger));
}

/** What drift checks of a target remember. It is where the ledger is, so that all who share the ledger remember the same. */
export function sightingsAt(
  { ledger, localPath }: Pick<TargetSettings, 'ledger' | 'localPath'>,
  { databases, ...around }: Around,
): SightingsPlace {
  if (!isInDatabase(ledger)) return sightingsFile(sightingsPath(localPath));
  const key = logKey(ledger);
  return databaseSightings(databases.at(key.variable, around), key);
}

/** Why a ledger cannot be written; null when it can. */
export async function writeRefusalAt(ledger: string, { databases, ...around }: Around): Promise<string | null> {
  if (!isInDatabase(ledger)) return writeRefusal(ledger);
  return databaseRefusal(databases.at(logKey(ledger).variable, around));
}

/** @throws UsageError for a file with several names: each would have a lease of its own */
export async function requireOneLease(ledger: string): Promise<void> {
  if (!isInDatabase(ledger)) await requireOneName(ledger);
}

/** Whether there is such a ledger. One in a database begins with its first lease. */
export async function isThere(ledger: string, around: Around): Promise<boolean> {
  return isInDatabase(ledger) ? (await leaseAt(ledger, around).read()) !== null : existsSync(ledger);
}

/** @param need - Milliseconds that a request of the run takes at most. */
export function leaseAt(ledger: string, { databases, ...around }: Around, need = 0): Lease {
  if (!isInDatabase(ledger)) return fileLease(ledger);
  const key = logKey(ledger);
  // Of its own, so that a run which lost its lease to another run of this process does not write as that one.
  const fence: Fence = { run: null, need: 0 };
  const job = around.job?.stored() ?? null;
  const isInItsDatabase = job?.run.variable === key.variable && job.run.project === key.project;
  const lease = databaseLease(databases.at(key.variable, around), key, fence, need, isInItsDatabase ? job : null);
  return {
    ...lease,
    replace: async (record) => {
      const isKept = await lease.replace(record);
      if (isKept && record.until !== null) databases.hold(ledger, fence);
      return isKept;
    },
  };
}
