// Work on a ledger without its service: which file it is, forgetting, compacting and repairing it.

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { UsageError } from '../../base/errors.ts';
import type { Diagnostic } from '../../base/model.ts';
import { covers, requireHits } from '../../kinds/selection.ts';
import { compact, keptFrom } from '../../ledger/compact.ts';
import type { LedgerEvent } from '../../ledger/events.ts';
import { type Holding, holdingsOf, type NamedIntent, openIntentsOf } from '../../ledger/history.ts';
import { endLease, type Lease, type LeaseRecord } from '../../ledger/lease.ts';
import { isInDatabase } from '../../ledger/place.ts';
import { type Inspection, inspect } from '../../ledger/repair.ts';
import { atOf } from '../../ledger/runs.ts';
import { takeLease } from '../../ledger/tenure.ts';
import type { LedgerStore } from '../../project/project.ts';
import type { TargetSettings } from '../../project/settings.ts';
import { noProject, openProjectFile, PROJECT_FILE, prepareTarget, type TargetChoice } from '../../target/choice.ts';
import type { RunContext } from '../../target/context.ts';
import type { Agree, Stopped } from '../../target/lock.ts';
import {
  type FoundLease,
  foundLease,
  type Lock,
  lockedError,
  lockOf,
  lockOfLedger,
  lossOf,
  whileLocked,
} from '../../target/lock.ts';
import { endOfRun } from '../../target/started-by.ts';
import { isThere, leaseAt, ledgerAt, requireOneLease } from '../../target/stores.ts';

/** The settings of the target, whatever its manifest says. @throws UsageError when chatform.yaml has none, or errors */
async function targetOf(choice: TargetChoice, context: RunContext): Promise<LedgerOfTarget> {
  if (choice.opened === undefined && choice.file === undefined && !existsSync(PROJECT_FILE))
    throw noProject(PROJECT_FILE, '`--ledger FILE` does without');
  const { settings, diagnostics } = await prepareTarget(choice, context);
  if (settings === null) throw new UsageError('the files have errors', diagnostics);
  return { path: settings.ledger, settings, diagnostics };
}

function refuseBoth({ target, ledger, file, baseUrl }: TargetChoice): void {
  if (ledger === undefined) return;
  if (target !== undefined) throw new UsageError('-t names a target of chatform.yaml, so it does not go with --ledger');
  if (file !== undefined || baseUrl !== undefined)
    throw new UsageError('-f and --base-url choose the ledger of a target, so they do not go with --ledger');
}

/** A ledger; `settings` of the target whose it is, null where a file was named. */
interface ChosenLedger {
  readonly path: string;
  readonly settings: TargetSettings | null;
  /** Findings about chatform.yaml. */
  readonly diagnostics: readonly Diagnostic[];
}

interface LedgerOfTarget extends ChosenLedger {
  readonly settings: TargetSettings;
}

/** The ledger. That of a target need not exist yet. @throws UsageError for a file that does not exist */
export async function chosenLedger(choice: TargetChoice, context: RunContext): Promise<ChosenLedger> {
  refuseBoth(choice);
  const { ledger } = choice;
  if (ledger === undefined) return targetOf(choice, context);
  await requireThere(ledger, context);
  return { path: ledger, settings: null, diagnostics: [] };
}

/** A misspelt name would look like an empty ledger, and like a free target. */
async function requireThere(ledger: string, context: RunContext): Promise<void> {
  if (await isThere(ledger, context)) return;
  throw new UsageError(
    isInDatabase(ledger)
      ? `--ledger ${ledger}: the database has no such ledger; correct the name of the project or target`
      : `--ledger ${ledger}: there is no such file`,
  );
}

export async function ledgerPath(choice: TargetChoice, context: RunContext): Promise<string> {
  return (await chosenLedger(choice, context)).path;
}

/** What chatform.yaml says of the database with ledgers, and of the targets. @throws UsageError without a database */
export async function storeOf(
  context: RunContext,
): Promise<{ readonly store: LedgerStore; readonly targets: readonly TargetSettings[] }> {
  const { project, diagnostics } = await openProjectFile({}, context);
  if (project === null) throw new UsageError('the files have errors', diagnostics);
  const { ledgerStore: store, targets } = project;
  if (store === null)
    throw new UsageError(
      `${PROJECT_FILE} names no database for ledgers: add \`ledger_store: { postgres_env: CHATFORM_DATABASE_URL }\``,
    );
  return { store, targets: [...targets.values()] };
}

/** What is forgotten, and the open intents that are closed with it. */
export interface Forgotten {
  readonly released: readonly Holding[];
  readonly intents: readonly NamedIntent[];
}

/** Ends the ownership of what the globs cover. Nothing on the license changes. @throws UsageError for a glob that covers nothing */
export function forgetOwned(
  path: string,
  globs: readonly string[],
  agree: Agree<Forgotten>,
  context: RunContext,
): Promise<Forgotten | Stopped> {
  return whileLocked(lockOfLedger(path), 'ledger forget', context, async (tenure) => {
    const ledger = ledgerAt(path, context);
    const events = await ledger.read();
    const holdings = holdingsOf(events);
    const open = openIntentsOf(events);
    requireHits(
      'ledger forget',
      globs,
      [...holdings, ...open].map(({ address }) => address),
    );
    const isMeant = covers(globs);
    const forgotten = {
      released: holdings.filter(({ address }) => isMeant(address)),
      intents: open.filter(({ address }) => isMeant(address)),
    };
    const stopped = (await agree(forgotten)) ?? (await lossOf(tenure));
    if (stopped !== null) return { stopped };
    const end = endOfRun('ledger forget', 'done', null, tenure, context);
    const { v, at, run } = end;
    const stamp = { v, at, run };
    await ledger.append([
      ...forgotten.released.map(({ address }): LedgerEvent => ({ ...stamp, type: 'forgotten', address })),
      ...forgotten.intents.map(({ intent }): LedgerEvent => ({ ...stamp, type: 'done', intent, outcome: 'unknown' })),
      end,
    ]);
    return forgotten;
  });
}

/** Numbers of events, and from when on they are as they were, RFC 3339. */
export interface Compacted {
  readonly before: number;
  readonly after: number;
  readonly since: string;
}

/** Bytes of runs that a compaction keeps whole. */
const KEPT_BYTES = 1_000_000;

/** Milliseconds in which an event may still be needed by the next run. */
const RECENT = 600_000;

/**
 * Makes the log shorter; its state stays. Events from `since` on, in milliseconds since the epoch, stay as they are: `all` of them, or the newest runs
 * up to a size, and of the others that they ended.
 */
export function compactLedger(
  path: string,
  { since, all }: { readonly since: number; readonly all: boolean },
  context: RunContext,
): Promise<Compacted> {
  const runs = {
    most: all ? Number.POSITIVE_INFINITY : KEPT_BYTES,
    recent: Math.max(since, context.clock.now() - RECENT),
  };
  // An apply that appended while the log is rewritten would be forgotten.
  return whileLocked(lockOfLedger(path), 'ledger compact', context, async (tenure) => {
    let compacted: Compacted = { before: 0, after: 0, since: new Date(since).toISOString() };
    await ledgerAt(path, context).rewrite((events) => {
      const kept = keptFrom(events, since, runs);
      const last = events[kept - 1];
      const cut = last === undefined || last.type === 'unknown' ? since : Math.max(since, Date.parse(last.at));
      const end = endOfRun('ledger compact', 'done', null, tenure, context);
      const first = events[kept];
      const reduced = first === undefined ? end.at : atOf(first);
      const shorter = [...compact(events, since, runs), { ...end, reduced }];
      const isShorter = shorter.length < events.length;
      const after = isShorter ? shorter.length : events.length;
      compacted = { before: events.length, after, since: new Date(cut).toISOString() };
      return isShorter ? shorter : events;
    });
    return compacted;
  });
}

/** A log that was checked, and repaired where it was damaged. */
export interface Repaired {
  readonly damage: Inspection;
  readonly moved: boolean;
}

/** Moves damaged lines out of the log. */
export function repairLedger(
  path: string,
  agree: Agree<Inspection>,
  context: RunContext,
): Promise<Repaired | (Stopped & { readonly damage: Inspection })> {
  if (isInDatabase(path))
    throw new UsageError(
      `${path} is in a database, which keeps each event whole: restore a backup of the database instead`,
    );
  return whileLocked(lockOfLedger(path), 'ledger repair', context, async (tenure) => {
    const damage = await inspect(path);
    if (damage.damaged.length === 0) {
      // Lines of a newer chatform are no damage, and yet cannot be read.
      await ledgerAt(path, context).read();
      return { damage, moved: false };
    }
    const stopped = (await agree(damage)) ?? (await lossOf(tenure));
    if (stopped !== null) return { stopped, damage };
    await damage.mend();
    return { damage, moved: true };
  });
}

interface SeenLease {
  readonly lock: Lock;
  readonly place: Lease;
  readonly record: LeaseRecord | null;
}

async function readLease(choice: TargetChoice, context: RunContext): Promise<SeenLease> {
  refuseBoth(choice);
  const lock =
    choice.ledger === undefined ? lockOf((await targetOf(choice, context)).settings) : lockOfLedger(choice.ledger);
  const place = leaseAt(lock.ledger, context);
  const record = await place.read();
  if (choice.ledger !== undefined && record === null) await requireThere(choice.ledger, context);
  return { lock, place, record };
}

export async function leaseOf(choice: TargetChoice, context: RunContext): Promise<FoundLease> {
  const { lock, place, record } = await readLease(choice, context);
  return foundLease(lock, record, context.clock.now(), place.times);
}

/** Locks by hand, for as long as it lasts. @throws LockedError */
export async function holdLease(
  choice: TargetChoice,
  { reason, lasting: ttl }: { readonly reason: string; readonly lasting: number },
  context: RunContext,
): Promise<FoundLease> {
  const { clock, self } = context;
  const { lock, place } = await readLease(choice, context);
  await requireOneLease(lock.ledger);
  const holder = { ...self, command: 'ledger lock', reason };
  const taken = await takeLease({ lease: place, holder, run: randomUUID(), clock, ttl });
  if ('lockedBy' in taken) throw lockedError(lock, taken.lockedBy, clock.now(), place.times);
  return foundLease(lock, await place.read(), clock.now(), place.times);
}

/** Result of a release. `unchanged`: there was nothing to release, or the holder gave it back meanwhile. */
export type Released =
  | { readonly outcome: 'unchanged'; readonly lease: FoundLease }
  | { readonly outcome: 'released'; readonly lease: FoundLease; readonly from: LeaseRecord };

/** Ends the lease of a run that is dead. A run that lives sends nothing more. */
export async function releaseLease(
  choice: TargetChoice,
  agree: Agree<FoundLease>,
  context: RunContext,
): Promise<Released | Stopped> {
  const { clock, self } = context;
  const { lock, place, record } = await readLease(choice, context);
  const before = foundLease(lock, record, clock.now(), place.times);
  if (record === null || before.state === 'free') return { outcome: 'unchanged', lease: before };
  const declined = await agree(before);
  if (declined !== null) return { stopped: declined };
  const by = { run: randomUUID(), holder: { ...self, command: 'ledger unlock' } };
  const isReleased = await endLease(place, record, by, clock.now());
  const newest = await place.read();
  const lease = foundLease(lock, newest, clock.now(), place.times);
  if (isReleased) return { outcome: 'released', lease, from: record };
  // Another run took it while the person thought.
  if (newest !== null && lease.state === 'held') throw lockedError(lock, newest, clock.now(), place.times);
  return { outcome: 'unchanged', lease };
}
