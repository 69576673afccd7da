// A world, a plan and what it leads to in; the plan applied, with images of what was there before, and the run that did it, out.

import type { Desired } from '../../../src/base/model.ts';
import { runToUndo } from '../../../src/features/undo/read-undo.ts';
import { lookedAt, mayGo, planUndo, type ResourceUndo, type Undoing } from '../../../src/features/undo/undo.ts';
import { type Footprint, footprintOf, type UndoRequest } from '../../../src/ledger/footprint.ts';
import { foldLedger } from '../../../src/ledger/ledger.ts';
import { fetchLive } from '../../../src/license/reading/live.ts';
import { viewOf } from '../../../src/license/reading/view.ts';
import { recover } from '../../../src/plan/binding/recover.ts';
import type { PlannerOptions } from '../../../src/plan/input.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import { readsOnly } from '../../../src/service/client.ts';
import { isUnprovable } from '../../laws/left-over.ts';
import { type ApplyHow, EVERYTHING, type World } from '../../world.ts';

/** The id of the run. */
export async function applyImaged(
  world: World,
  plan: Plan,
  desired: Desired,
  options: Partial<PlannerOptions> = {},
  how: Partial<ApplyHow> = {},
): Promise<string> {
  const report = await world.apply(plan, desired, { options, ...how });
  if (report.outcome !== 'done' && !(await isUnprovable(world, report))) {
    const failed = report.results.filter(({ outcome }) => outcome.status !== 'done');
    throw new Error(`${report.outcome}: ${JSON.stringify(failed)} ${JSON.stringify(report.unsettled)}`);
  }
  const run = (await world.ledger.read()).findLast((event) => event.type === 'run');
  return run?.run ?? '';
}

async function liveOf({ client, ledger, version }: World, footprint: Footprint, namespaces: readonly string[]) {
  const reader = readsOnly(client);
  const state = foldLedger(await ledger.read());
  const view = viewOf(lookedAt(footprint, namespaces), state, version, { going: mayGo(footprint) });
  return fetchLive((action, body) => reader.call(action, body), view, version);
}

export async function undoOf(
  world: World,
  run: string | null,
  options: Partial<PlannerOptions> = {},
): Promise<Undoing> {
  return (await requestedUndo(world, run, options)).undoing;
}

/** @throws UsageError when there is no such run */
export async function requestedUndo(
  world: World,
  run: string | null,
  options: Partial<PlannerOptions>,
): Promise<{ readonly request: UndoRequest; readonly undoing: Undoing }> {
  const events = await world.ledger.read();
  const request = runToUndo(events, run);
  const footprint = footprintOf(events, request);
  const namespaces = ['client-1', 'client-2'];
  const ledger = foldLedger(events);
  const live = await liveOf(world, footprint, namespaces);
  const undoing = planUndo({
    footprint,
    live,
    ledger,
    recovery: recover(ledger, live, new Map()),
    options: { ...EVERYTHING, ...options },
    namespaces,
  });
  return { request, undoing };
}

/** Addresses that undo said would not be as they were. */
export function excused(...resources: readonly ResourceUndo[]): ReadonlySet<string> {
  const less = resources.filter(({ outcome }) => outcome !== 'reversible' && outcome !== 'as_before');
  return new Set(less.map(({ address }) => address));
}

/** Whatever the ledger has ever heard of may be taken back. */
export async function unafraid({ ledger }: World, options: Partial<PlannerOptions>): Promise<Partial<PlannerOptions>> {
  const addresses = (await ledger.read()).flatMap((event) => ('address' in event ? [event.address] : []));
  return { ...options, acknowledged: new Set([...(options.acknowledged ?? []), ...addresses]) };
}
