// Memberships that were written and do not show in; the same edges to be written from the other side, out.
// Whether a written map replaces or merges is not specified: where it merges, a removed edge stays until its other end is written.

import { isObject } from '../base/json.ts';
import type { Address, ObjectId, Reference } from '../base/model.ts';
import { referencesOf } from '../kinds/fields.ts';
import { isMembership, KINDS, kindOf, MEMBERSHIP } from '../kinds/index.ts';
import { makePlan } from '../plan/assemble.ts';
import { resolver } from '../plan/binding/claims.ts';
import type { Plan, Step } from '../plan/plan.ts';
import { plannedCalls, planRequests } from '../plan/requests.ts';
import { fetchLive } from '../reading/live.ts';
import { viewOf } from '../reading/view.ts';
import type { Unsettled, Verification } from './verify.ts';

function carriesEdges({ type, fields }: Step): boolean {
  return Object.keys(fields).some((field) => isMembership(type, field));
}

/** Whether an edge that should be gone is still read. One that is not read yet only lags: no write from anywhere would make it come sooner. */
function keepsAnEdge({ address, fields }: Unsettled): boolean {
  return fields.some(({ field, before, after }) => {
    if (!isMembership(kindOf(address), field) || !isObject(before) || !isObject(after)) return false;
    return Object.keys(before).some((neighbour) => !(neighbour in after));
  });
}

/** What the run has written the edges of. */
function writtenEnds(steps: readonly Step[]): ReadonlySet<Reference> {
  return new Set(steps.filter(carriesEdges).map((step) => step.address ?? String(step.object)));
}

/** The edges of the steps and nothing else: whatever else a reading that lags makes them carry was written before. */
function edgesOf(step: Step): Step {
  const edges = Object.entries(step.fields).filter(([field]) => isMembership(step.type, field));
  return { ...step, fields: Object.fromEntries(edges), after: [] };
}

/** Ids of everything declared that exists. What the lists do not show yet, the ledger knows. */
function idsIn(plan: Plan, { ledger }: Verification): ReadonlyMap<Address, ObjectId> {
  const listed = Object.entries(plan.references) as readonly (readonly [Address, ObjectId])[];
  return new Map([...[...ledger.bindings].map(([address, { id }]) => [address, id] as const), ...listed]);
}

/** A group whose creation failed has no id, and no edge. */
function namesOnly(step: Step, ids: ReadonlyMap<Address, ObjectId>): boolean {
  const resolve = resolver(ids);
  return referencesOf(KINDS[step.type], step.fields).every((reference) => resolve(reference) !== null);
}

/** The same plan with nothing in it but these steps, all of which can leave at once. */
function onlySteps(plan: Plan, steps: readonly Step[], batchSize: number): Plan {
  const requests = planRequests(steps, plannedCalls(steps, plan.api_version), plan.api_version, batchSize);
  return { ...plan, steps, requests: { ...plan.requests, total: requests.length, plan: requests } };
}

/** A plan of edges only, none of them written from an end that was written before; null when there is no such way. */
export async function planOtherSide(verification: Verification, unsettled: readonly Unsettled[]): Promise<Plan | null> {
  const addresses = new Set<Address>(unsettled.filter(keepsAnEdge).map(({ address }) => address));
  if (addresses.size === 0) return null;
  const { desired, ledger, version, ask, steps, options } = verification;
  const kinds = new Set(Object.values(MEMBERSHIP).map(({ kind }) => kind.name));
  const live = await fetchLive(ask, { ...viewOf(desired, ledger, version), kinds }, version);
  const { plan } = makePlan({ desired, live, ledger, options: { ...options, spent: writtenEnds(steps) } });
  if (plan === null) return null;
  const ids = idsIn(plan, verification);
  const again = plan.steps
    .filter(
      (step) =>
        step.operation === 'update' && carriesEdges(step) && step.serves.some((address) => addresses.has(address)),
    )
    .map(edgesOf)
    .filter((step) => namesOnly(step, ids));
  return again.length === 0
    ? null
    : onlySteps({ ...plan, references: Object.fromEntries(ids) }, again, options.batchSize);
}
