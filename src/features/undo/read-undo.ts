// Undo of a run: an ordinary plan back to what the run found. Reads no manifest, and changes none.

import { type ApplyRequest, carryOut, type ExecutedPlan, type Intended, isWhole, stopOf } from '../../apply/target.ts';
import { UsageError } from '../../base/errors.ts';
import { few } from '../../base/text.ts';
import { coversKind, selection } from '../../kinds/selection.ts';
import type { LedgerEvent } from '../../ledger/events.ts';
import { type Footprint, footprintOf, type UndoRequest } from '../../ledger/footprint.ts';
import { foldLedger } from '../../ledger/ledger.ts';
import { noneCan, ownOf, recordedRun, runMeant, runNamed, whyNoValues } from '../../ledger/named-run.ts';
import { idsOf, isOpen, type RecordedRun, recordedRuns } from '../../ledger/runs.ts';
import { type Connection, connected } from '../../license/connect.ts';
import { viewOf } from '../../license/reading/view.ts';
import { compare } from '../../plan/compare.ts';
import { type PlanningChoice, planOptions, planTarget, withImpact } from '../../planning/planning.ts';
import { heldToPolicies } from '../../planning/policies.ts';
import type { TargetSettings } from '../../project/settings.ts';
import type { RunContext } from '../../target/context.ts';
import { lockOf, type Stop, whileLocked } from '../../target/lock.ts';
import { ledgerAt } from '../../target/stores.ts';
import { outlookOf } from './outlook.ts';
import { lookedAt, mayGo, planUndo, type Undoing } from './undo.ts';

/** A target, and the run to undo. */
export interface UndoSubject {
  readonly settings: TargetSettings;
  /** Owner clients that chatform.yaml names. */
  readonly clients: readonly string[];
  /** As the person named it; null for the last. */
  readonly wanted: string | null;
}

export interface PlannedUndo extends UndoRequest {
  readonly undoing: Undoing;
  /** Id of the run that a user who named none can undo instead, as far as the ledger knows; null where there is none, or this one can be undone. */
  readonly next: string | null;
}

/** Result of an undo. `idle`: there is nothing to send. */
export type Undone = PlannedUndo &
  (
    | { readonly outcome: 'idle' }
    | { readonly outcome: 'stopped'; readonly stop: Stop }
    | ({ readonly outcome: 'applied' } & ExecutedPlan)
  );

/** What an undo would do. Sends reads only. */
export function planUndoOf(subject: UndoSubject, choice: PlanningChoice, context: RunContext): Promise<PlannedUndo> {
  return connected(subject.settings, context, (connection) => planned(subject, connection, choice, context));
}

/** `agree` in `options` is asked with the plan; it sees the whole undo through `onPlanned`. */
export function undoTarget(
  subject: UndoSubject,
  choice: PlanningChoice,
  { onPlanned, ...options }: ApplyRequest & { readonly onPlanned: (planned: PlannedUndo) => void },
  context: RunContext,
): Promise<Undone> {
  const { settings } = subject;
  return whileLocked(lockOf(settings), 'undo', context, (tenure) =>
    connected(
      settings,
      context,
      async (connection): Promise<Undone> => {
        const { ledger, past, live, ...undo } = await planned(subject, connection, choice, context);
        const { plan, desired, options: planning } = undo.undoing;
        onPlanned(undo);
        const intended = {
          command: 'undo',
          undoes: undo.run.id,
          isWhole: isWhole(choice),
          settings,
          plan,
          desired,
          options: planning,
          ledger,
          past,
          live,
          unwritten: [],
        } as const;
        if (plan.steps.length === 0) {
          // A run that was cut short has come to its end, and the next undo takes another one.
          const isEnd = intended.isWhole && (undo.begun !== null || isOpen(undo.run));
          if (isEnd) await carryOut(intended, connection, tenure, options, context);
          return { outcome: 'idle', ...undo };
        }
        const stop = await stopOf(plan, [], tenure, options);
        if (stop !== null) return { outcome: 'stopped', stop, ...undo };
        return {
          outcome: 'applied',
          ...undo,
          ...(await carryOut(intended, connection, tenure, options, context)),
        };
      },
      tenure,
    ),
  );
}

async function planned(
  { settings, clients, wanted }: UndoSubject,
  connection: Connection,
  choice: PlanningChoice,
  context: RunContext,
): Promise<PlannedUndo & Pick<Intended, 'ledger' | 'past' | 'live'>> {
  const past = await ledgerAt(settings.ledger, context).read();
  const request = runToUndo(past, wanted);
  const footprint = footprintOf(past, request);
  requireTraced(footprint.traces, choice);
  const desired = lookedAt(footprint, clients);
  const about = {
    settings,
    desired,
    diagnostics: [],
    moved: [],
    routes: [],
    markOf: () => null,
    shiftMarkOf: () => null,
    entryAt: () => null,
    others: () => [],
  };
  // Not of the plan that this reading makes, but of the undo.
  const { demand: _, ...others } = choice;
  const { ledger, events, live, recovery } = await planTarget(about, connection, others, context, {
    viewOf: (state) =>
      viewOf(desired, state, settings.apiVersion, {
        going: mayGo(footprint),
        protectsKind: coversKind(settings.protect),
      }),
  });
  // An undo deletes what the run made here, and reaches no other license.
  const options = { ...planOptions(settings, choice), pruneInstalledBots: false };
  const known = foldLedger(events);
  const undoing = planUndo({ footprint, live, ledger: known, recovery, options, namespaces: clients });
  const compared = compare({ desired: undoing.desired, live, ledger: known, recovery, options: undoing.options });
  const identity = connection.client.identity();
  const subject = { settings, plan: undoing.plan, compared, events, identity };
  const plan = await heldToPolicies(await withImpact(subject, choice, context), settings, []);
  const next = wanted === null && plan.steps.length === 0 ? possibleBefore(past, request.run) : null;
  return { ...request, undoing: { ...undoing, plan }, next, ledger, past: events, live };
}

/** @throws UsageError for a selection that leaves nothing of the run: the undo would do nothing, and look as if it were done */
function requireTraced(traces: Footprint['traces'], { only = [], except = [] }: PlanningChoice): void {
  if (only.length + except.length === 0 || traces.length === 0) return;
  const addresses = traces.map(({ address }) => address);
  if (addresses.some(selection(only, except))) return;
  throw new UsageError(
    `--only and --except select nothing that the run changed; it changed ${few(addresses)}: select some of it`,
  );
}

/**
 * The run that the user means. `wanted` is an id of `history` or its beginning; null means the last run that changed something. If an undo was
 * cut short and not ended since, it means the run that this undo takes back.
 * @throws UsageError when there is no such run, or more than one, or no image of what was before it
 */
export function runToUndo(events: readonly LedgerEvent[], wanted: string | null): UndoRequest {
  const runs = recordedRuns(events);
  const meant =
    wanted === null ? lastToUndo(events, runs) : (ofFleetRun(events, runs, wanted) ?? runMeant(events, runs, wanted));
  const run = meant.undoes !== null && isOpen(meant) ? recordedRun(runs, meant.undoes) : meant;
  if (run === undefined)
    throw new UsageError(
      `run ${meant.undoes}, which run ${meant.id} began to undo, cannot be undone: ${whyNoValues(ownOf(events, meant.undoes ?? ''))}`,
    );
  const last = runs.at(-1);
  const isBegun = last !== undefined && isOpen(last) && last.undoes !== null && recordedRun(runs, last.undoes) === run;
  return { run, begun: isBegun ? last : null };
}

/** What a run over several targets did here, where that is what is wanted: of several changes the last that can be undone. */
function ofFleetRun(events: readonly LedgerEvent[], runs: readonly RecordedRun[], wanted: string): RecordedRun | null {
  if (runNamed(runs, idsOf, wanted) !== null) return null;
  const id = runNamed([...new Set(runs.flatMap(({ fleetRun }) => fleetRun ?? []))], (fleetRun) => [fleetRun], wanted);
  const parts = id === null ? [] : runs.filter(({ fleetRun }) => fleetRun === id);
  return parts.findLast((run) => outlookOf(events, run, runs).possible !== 'no') ?? parts.at(-1) ?? null;
}

/** The last run that changed something and was not taken back, as far as the ledger knows; or the undo that has to be gone on with. */
function lastToUndo(events: readonly LedgerEvent[], runs: readonly RecordedRun[]): RecordedRun {
  const last = runMeant(events, runs, null);
  if (last.undoes !== null && isOpen(last)) return last;
  const found = lastPossible(events, runs, runs.length);
  if (found !== null) return found;
  throw noneCan('undone', last.id, outlookOf(events, last, runs).reason ?? '');
}

/** The last of the first runs that can be undone, as far as the ledger knows; null when none can. */
function lastPossible(events: readonly LedgerEvent[], runs: readonly RecordedRun[], count: number): RecordedRun | null {
  return runs.slice(0, count).findLast((run) => outlookOf(events, run, runs).possible !== 'no') ?? null;
}

/** Id of the run before this one that can be undone, as far as the ledger knows; null when there is none. */
export function possibleBefore(events: readonly LedgerEvent[], { id }: RecordedRun): string | null {
  const runs = recordedRuns(events);
  return (
    lastPossible(
      events,
      runs,
      runs.findIndex((run) => run.id === id),
    )?.id ?? null
  );
}
