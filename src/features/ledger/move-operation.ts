// Moves the ledger of a target, and what drift checks remember, between files and the database of the project. The ledger that is left only says where
// it is.

import { isDeepStrictEqual } from 'node:util';
import { InternalError, UsageError } from '../../base/errors.ts';
import { isObject, jsonIn } from '../../base/json.ts';
import type { LedgerEvent } from '../../ledger/events.ts';
import { fileLedger } from '../../ledger/file.ts';
import { isInDatabase, placeName } from '../../ledger/place.ts';
import type { SightingsPlace } from '../../ledger/sightings-file.ts';
import type { LedgerStore } from '../../project/project.ts';
import type { TargetSettings } from '../../project/settings.ts';
import type { RunContext } from '../../target/context.ts';
import { lockOfLedger, whileLocked } from '../../target/lock.ts';
import { rescueFilesOf } from '../../target/secrets/rescue.ts';
import { endOfRun } from '../../target/started-by.ts';
import { ledgerAsIs, movedTo, sightingsAt } from '../../target/stores.ts';

export interface MovedLedger {
  readonly target: string;
  readonly from: string;
  readonly to: string;
  /** Events that were copied; null for a ledger that was there already. */
  readonly events: number | null;
  /** What the target has to leave out now, as `ledger` names the file that was moved; null for nothing. */
  readonly leave_out: string | null;
}

/** @throws UsageError for a ledger that cannot be read or whose secrets wait in a rescue file, and for a place that has another one */
export function moveLedger(
  settings: Pick<TargetSettings, 'name' | 'ledger' | 'localPath' | 'defaultLedger'>,
  to: 'postgres' | 'file',
  store: LedgerStore,
  context: RunContext,
): Promise<MovedLedger> {
  const { name, ledger, localPath: file, defaultLedger } = settings;
  const stored = placeName({ ...store, name });
  const places = to === 'postgres' ? { from: file, to: stored } : { from: stored, to: file };
  const isNamed = to === 'postgres' && !isInDatabase(ledger);
  const result = { target: name, ...places, leave_out: isNamed ? `ledger: ${ledger}` : null };
  return whileLocked(lockOfLedger(places.from), 'ledger move', context, () =>
    whileLocked(lockOfLedger(places.to), 'ledger move', context, async (tenure) => {
      const [source, destination] = [ledgerAsIs(places.from, context), ledgerAsIs(places.to, context)];
      const [events, there] = await Promise.all([source.read(), destination.read()]);
      const isThere = there.length > 0 && movedTo(there) === null;
      const isHere = events.length > 0 && movedTo(events) === null;
      if (!isHere) {
        if (!isThere && movedTo(events) !== null)
          throw new UsageError(`the ledger ${places.from} was moved to ${movedTo(events)}, and is not in ${places.to}`);
        return { ...result, events: null };
      }
      // A move that was killed has copied them already.
      if (isThere && !isDeepStrictEqual(there, events))
        throw new UsageError(
          `${places.to} has another ledger, so ${places.from} stays where it is: find out which of them is that of ${name}`,
        );
      if (isNamed) await requireNoneWaiting(file);
      if (!isThere) await destination.rewrite(() => events);
      requireSame(events, await destination.read());
      await moveSightings(
        sightingsAt({ ledger: places.from, localPath: file }, context),
        sightingsAt({ ledger: places.to, localPath: file }, context),
      );
      const left = [{ ...endOfRun('ledger move', 'done', settings, tenure, context), moved_to: places.to }];
      // The file that the target reads without `ledger` and `ledger_store` says it, too: without a file, the ledger would be read as new.
      if (isNamed) await fileLedger(defaultLedger).rewrite((own) => (own.length === 0 ? left : own));
      await source.rewrite(() => left);
      return { ...result, events: events.length };
    }),
  );
}

/** Rescue files are next to the file of the ledger, where they are not found once the target names it no more. */
async function requireNoneWaiting(file: string): Promise<void> {
  const [waiting] = await rescueFilesOf(file);
  if (waiting !== undefined)
    throw new UsageError(`secrets wait in ${waiting.path}: run \`chatform secrets rescue\` first`);
}

/** Equal events have equal folds. */
function requireSame(events: readonly LedgerEvent[], copied: readonly LedgerEvent[]): void {
  if (!isDeepStrictEqual(events, copied)) throw new InternalError('a ledger says something else after it was copied');
}

/** Those that cannot be read stay, and cost the memory as in any check. */
async function moveSightings(from: SightingsPlace, to: SightingsPlace): Promise<void> {
  const kept = await from.read();
  if ('problem' in kept || kept.text === null || !isObject(jsonIn(kept.text))) return;
  await to.write(kept.text);
  await from.remove();
}
