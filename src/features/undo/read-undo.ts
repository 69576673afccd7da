// Undo of a run: an ordinary plan back to what the run found. Reads no manifest, and changes none.

import { type ApplyOptions, carryOut, type ExecutedPlan, type Intended, isWhole, stopOf } from '../../apply/target.ts';
import { UsageError } from '../../base/errors.ts';
import { few } from '../../base/text.ts';
import { selection } from '../../kinds/selection.ts';
import { type Footprint, footprintOf, type UndoRequest } from '../../ledger/footprint.ts';
import { foldLedger } from '../../ledger/ledger.ts';
import { isOpen } from '../../ledger/runs.ts';
import { type Connection, connected } from '../../license/connect.ts';
import { viewOf } from '../../license/reading/view.ts';
import { compare } from '../../plan/compare.ts';
import type { PlanningChoice } from '../../planning/planning.ts';
import { planOptions, planTarget, withImpact } from '../../planning/planning.ts';
import { heldToPolicies } from '../../planning/policies.ts';
import type { TargetSettings } from '../../project/settings.ts';
import type { RunContext } from '../../target/context.ts';
import { lockOf, type Stop, whileLocked } from '../../target/lock.ts';
import { ledgerAt } from '../../target/stores.ts';
import { possibleBefore, runToUndo } from './chosen-run.ts';
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
  { onPlanned, ...options }: ApplyOptions & { readonly onPlanned: (planned: PlannedUndo) => void },
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
    entryAt: () => null,
    others: () => [],
  };
  // Not of the plan that this reading makes, but of the undo.
  const { demand: _, ...others } = choice;
  const { ledger, events, live, recovery } = await planTarget(about, connection, others, context, {
    viewOf: (state) => viewOf(desired, state, settings.apiVersion, { going: mayGo(footprint) }),
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
