// Writes of memberships from their other side, for edges that were removed and still show. Whether a written map replaces or merges is not specified:
// where it merges, a removed edge stays until its other end is written.

import { isObject } from '../base/json.ts';
import type { Address, ObjectId, Reference } from '../base/model.ts';
import { referencesOf } from '../kinds/fields.ts';
import { isMembership, KINDS, kindOf, MEMBERSHIP } from '../kinds/index.ts';
import { fetchLive } from '../license/reading/live.ts';
import { viewOf } from '../license/reading/view.ts';
import { makePlan } from '../plan/assemble.ts';
import { resolver } from '../plan/binding/claims.ts';
import type { Plan, Step } from '../plan/plan.ts';
import { plannedCalls, planRequests } from '../plan/requests.ts';
import type { Unsettled } from './outcome.ts';
import { carriesEdges, type Verification } from './verify.ts';

/** Whether an edge that should be gone is still read. An edge that is not read yet only lags, and no write would speed it up. */
function keepsAnEdge({ address, fields }: Unsettled): boolean {
  return fields.some(({ field, before, after }) => {
    if (!isMembership(kindOf(address), field) || !isObject(before) || !isObject(after)) return false;
    return Object.keys(before).some((neighbour) => !(neighbour in after));
  });
}

function writtenEnds(steps: readonly Step[]): ReadonlySet<Reference> {
  return new Set(steps.filter(carriesEdges).map((step) => step.address ?? String(step.object)));
}

/** The edges of a step only: what else a lagging reading makes it carry was written before. */
function edgesOf(step: Step): Step {
  const edges = Object.entries(step.fields).filter(([field]) => isMembership(step.type, field));
  return { ...step, fields: Object.fromEntries(edges), after: [] };
}

/** Ids of everything declared that exists. The ledger knows those that the lists do not show yet. */
function idsIn(plan: Plan, { ledger }: Verification): ReadonlyMap<Address, ObjectId> {
  const listed = Object.entries(plan.references) as readonly (readonly [Address, ObjectId])[];
  return new Map([...[...ledger.bindings].map(([address, { id }]) => [address, id] as const), ...listed]);
}

/** Whether every reference has an id: a group whose creation failed has none. */
function namesOnly(step: Step, ids: ReadonlyMap<Address, ObjectId>): boolean {
  const resolve = resolver(ids);
  return referencesOf(KINDS[step.type], step.fields).every((reference) => resolve(reference) !== null);
}

/** The same plan with only these steps, which can all be sent at once. */
function onlySteps(plan: Plan, steps: readonly Step[], batchSize: number): Plan {
  const requests = planRequests(steps, plannedCalls(steps, plan.api_version), plan.api_version, batchSize);
  return { ...plan, steps, requests: { ...plan.requests, total: requests.length, plan: requests } };
}

/** Returns a plan of edges only, none of them written from an end that was written before; null when there is none. */
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
