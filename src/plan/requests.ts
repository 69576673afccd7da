// Steps in, the requests they travel in out: what a plan costs is counted here, and what is counted is what is sent.

import { InternalError } from '../base/errors.ts';
import type { ObjectId, Reference, Version } from '../base/model.ts';
import { KINDS } from '../kinds/index.ts';
import type { Call, Kind, Resolve } from '../kinds/kind.ts';
import { CONFIGURATION } from '../service/configuration.ts';
import { leastScopes, neededScopes } from '../service/scopes.ts';
import type { Request, Step } from './plan.ts';
import { waves } from './waves.ts';

/** The call a step makes, once `resolve` knows the ids it needs. */
export function callOf(step: Step, version: Version, resolve: Resolve): Call {
  const kind = KINDS[step.type];
  const key = step.address === null ? String(step.object) : step.address.slice(step.address.indexOf('/') + 1);
  const target = { key, id: step.chosen_id, version, resolve, position: step.position };
  switch (step.operation) {
    case 'create':
      return kind.create(step.fields, target);
    case 'update':
      if (kind.update === undefined) throw new InternalError(`step ${step.id}: a ${kind.noun.one} has no update`);
      return kind.update(objectOf(step, resolve), step.fields, target);
    case 'delete':
      return kind.remove(objectOf(step, resolve), step.fields, target);
    case 'transition':
      return transitionOf(kind, step, objectOf(step, resolve), version);
  }
}

/** A transition that follows a create learns the id from it. */
function objectOf(step: Step, resolve: Resolve): ObjectId {
  if (step.object !== null) return step.object;
  if (step.address === null) throw new InternalError(`step ${step.id} has neither object nor address`);
  return resolve(step.address);
}

function transitionOf(kind: Kind, step: Step, id: ObjectId, version: Version): Call {
  for (const [field, value] of Object.entries(step.fields)) {
    const call = kind.transitions?.[field]?.(value, id, version) ?? null;
    if (call !== null) return call;
  }
  throw new InternalError(`step ${step.id} has no transition`);
}

/** Ids of objects that do not exist yet are stood in for by numbers that no object has, so that only equal references look equal. */
function placeholders(): Resolve {
  const known = new Map<Reference, number>();
  return (reference) => {
    if (!reference.includes('/')) return reference;
    const number = known.get(reference) ?? -1 - known.size;
    known.set(reference, number);
    return number;
  };
}

interface Ride {
  readonly form: Request['form'];
  readonly action: string;
  /** Steps with equal keys can share a request. */
  readonly key: string;
  readonly capacity: number;
}

function rideOf(step: Step, call: Call, version: Version, batchSize: number): Ride {
  const merge = KINDS[step.type].merge;
  const { batch } = CONFIGURATION.actions[call.action];
  if (merge !== undefined)
    return { form: 'joined', action: call.action, key: merge.key(call), capacity: Number.POSITIVE_INFINITY };
  if (batch?.versions.includes(version) === true)
    return { form: 'batch', action: batch.name, key: call.action, capacity: batchSize };
  return { form: 'single', action: call.action, key: `${call.action} ${step.id}`, capacity: 1 };
}

/**
 * Steps that can share a request wait for each other where that saves one: the union of what they depend on becomes what each depends on.
 * Creates never wait, because others wait for them.
 */
function gathered(steps: readonly Step[], rides: ReadonlyMap<string, Ride>): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, Step[]>();
  for (const step of steps) {
    const ride = rides.get(step.id);
    if (ride === undefined || ride.capacity === 1 || (step.operation === 'create' && ride.form === 'batch')) continue;
    const group = groups.get(ride.key);
    if (group === undefined) groups.set(ride.key, [step]);
    else group.push(step);
  }
  const after = new Map(steps.map((step): [string, readonly string[]] => [step.id, step.after]));
  for (const group of groups.values()) {
    const members = new Set(group.map(({ id }) => id));
    const union = [...new Set(group.flatMap((step) => step.after))];
    if (union.some((id) => members.has(id))) continue;
    for (const step of group) after.set(step.id, union);
  }
  return after;
}

/** The call of each step, by the id of the step, with stand-ins for the ids that nobody knows yet. */
export type PlannedCalls = ReadonlyMap<string, Call>;

export function plannedCalls(steps: readonly Step[], version: Version): PlannedCalls {
  const resolve = placeholders();
  return new Map(steps.map((step) => [step.id, callOf(step, version, resolve)]));
}

/** The requests in the order of their waves. A request leaves when every step its own steps wait for is done. */
export function planRequests(
  steps: readonly Step[],
  calls: PlannedCalls,
  version: Version,
  batchSize: number,
): readonly Request[] {
  const rides = new Map<string, Ride>();
  for (const step of steps) {
    const call = calls.get(step.id);
    if (call !== undefined) rides.set(step.id, rideOf(step, call, version, batchSize));
  }
  return waves(gathered(steps, rides)).flatMap((wave, number) => {
    const requests: { action: string; form: Request['form']; steps: string[]; wave: number }[] = [];
    const open = new Map<string, { steps: string[] }>();
    for (const id of wave) {
      const ride = rides.get(id);
      if (ride === undefined) continue;
      const boarding = open.get(ride.key);
      if (boarding !== undefined && boarding.steps.length < ride.capacity) {
        boarding.steps.push(id);
        continue;
      }
      const request = { action: ride.action, form: ride.form, steps: [id], wave: number };
      requests.push(request);
      open.set(ride.key, request);
    }
    return requests;
  });
}

/** The fewest scopes that cover the calls, and the readings before and after them. Specification: "Scopes" of each action. */
export function plannedScopes(calls: PlannedCalls, reading: readonly string[]): readonly string[] {
  const writing = [...calls.values()].flatMap(({ action, body }) => neededScopes(CONFIGURATION.actions[action], body));
  return leastScopes([...reading, ...writing]);
}
