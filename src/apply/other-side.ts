// Memberships that were written and do not show in; the same edges to be written from the other side, out.
// Whether a written map replaces or merges is not specified: where it merges, a removed edge stays until its other end is written.

import { KINDS, MEMBERSHIP } from '../kinds/index.ts';
import { fetchLive, viewOf } from '../live.ts';
import type { Address, Reference } from '../model.ts';
import { makePlan } from '../plan/assemble.ts';
import { kindOf } from '../plan/bind.ts';
import type { Plan, Step } from '../plan/plan.ts';
import { planRequests } from '../plan/requests.ts';
import type { Unsettled, Verification } from './verify.ts';

function carriesEdges({ type, fields }: Step): boolean {
  return Object.keys(fields).some((field) => KINDS[type].fields[field]?.membership === true);
}

function isAboutEdges({ address, fields }: Unsettled): boolean {
  return fields.some(({ field }) => KINDS[kindOf(address)].fields[field]?.membership === true);
}

/** What the run has written the edges of. */
function writtenEnds(steps: readonly Step[]): ReadonlySet<Reference> {
  return new Set(steps.filter(carriesEdges).map((step) => step.address ?? String(step.object)));
}

/** The same plan with nothing in it but these steps, all of which can leave at once. */
function onlySteps(plan: Plan, steps: readonly Step[], batchSize: number): Plan {
  const free = steps.map((step) => ({ ...step, after: [] }));
  const requests = planRequests(free, plan.api_version, batchSize);
  return { ...plan, steps: free, requests: { ...plan.requests, total: requests.length, plan: requests } };
}

/** A plan of edges only, none of them written from an end that was written before; null when there is no such way. */
export async function planOtherSide(verification: Verification, unsettled: readonly Unsettled[]): Promise<Plan | null> {
  const addresses = new Set<Address>(unsettled.filter(isAboutEdges).map(({ address }) => address));
  if (addresses.size === 0) return null;
  const { desired, ledger, version, ask, steps, options } = verification;
  const kinds = new Set(Object.values(MEMBERSHIP).map(({ kind }) => kind.name));
  const live = await fetchLive(ask, { ...viewOf(desired, ledger, version), kinds }, version);
  const { plan } = makePlan({ desired, live, ledger, options: { ...options, spent: writtenEnds(steps) } });
  if (plan === null) return null;
  const again = plan.steps.filter(
    // What is not listed yet looks like something to create: only what is there can be written once more.
    (step) =>
      step.operation === 'update' && carriesEdges(step) && step.serves.some((address) => addresses.has(address)),
  );
  return again.length === 0 ? null : onlySteps(plan, again, options.batchSize);
}
