// Requests that carry the steps of a plan. The count that a plan shows is the count that an apply sends.

import { InternalError } from '../base/errors.ts';
import { grouped } from '../base/grouped.ts';
import type { ObjectId, Reference, Version } from '../base/model.ts';
import { oneOf } from '../base/text.ts';
import { LICENSE_API } from '../kinds/actions.ts';
import { KINDS } from '../kinds/index.ts';
import type { Call, Kind, Resolve } from '../kinds/kind.ts';
import { leastScopes, neededScopes } from '../service/scopes.ts';
import type { Request, Step } from './plan.ts';
import { keyOf } from './reference.ts';

/** Returns the call of a step; `resolve` gives the ids that it needs. */
export function callOf(step: Step, version: Version, resolve: Resolve, secret: string | null = null): Call {
  const kind = KINDS[step.type];
  const key = step.address === null ? String(step.object) : keyOf(step.address);
  const target = { key, id: step.chosen_id, version, resolve, position: step.position, secret };
  switch (step.operation) {
    case 'create':
      return kind.create(step.fields, target);
    case 'update':
      if (kind.update === undefined) throw new InternalError(`step ${step.id}: ${oneOf(kind.noun.one)} has no update`);
      return kind.update(objectOf(step, resolve), step.fields, target);
    case 'delete':
      return kind.remove(objectOf(step, resolve), step.fields, target);
    case 'transition':
      return transitionOf(kind, step, objectOf(step, resolve), version);
  }
}

/** A transition that follows a create takes the id from it. */
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

/** Stands in for the ids of objects that do not exist yet: a negative number each, so that only equal references look equal. */
function placeholders(): Resolve {
  const known = new Map<Reference, number>();
  return (reference) => {
    const number = known.get(reference) ?? -1 - known.size;
    known.set(reference, number);
    return number;
  };
}

interface Transport {
  readonly form: Request['form'];
  readonly action: string;
  /** Steps with equal keys can share a request. */
  readonly key: string;
  readonly capacity: number;
}

function transportOf(step: Step, call: Call, version: Version, batchSize: number): Transport {
  const merge = KINDS[step.type].merge;
  const { batch } = LICENSE_API.actions[call.action];
  if (merge !== undefined)
    return { form: 'joined', action: call.action, key: merge.key(call), capacity: Number.POSITIVE_INFINITY };
  if (batch?.versions.includes(version) === true)
    return { form: 'batch', action: batch.name, key: call.action, capacity: batchSize };
  return { form: 'single', action: call.action, key: `${call.action} ${step.id}`, capacity: 1 };
}

/**
 * Makes steps that can share a request wait for each other where that saves one: each depends on the union of what they depend on. Creates never
 * wait, because other steps wait for them.
 */
function gathered(
  steps: readonly Step[],
  transports: ReadonlyMap<string, Transport>,
): ReadonlyMap<string, readonly string[]> {
  const groups = grouped(
    steps.flatMap((step): readonly (readonly [string, Step])[] => {
      const transport = transports.get(step.id);
      if (transport === undefined || transport.capacity === 1) return [];
      return step.operation === 'create' && transport.form === 'batch' ? [] : [[transport.key, step]];
    }),
  );
  const after = new Map(steps.map((step): [string, readonly string[]] => [step.id, step.after]));
  for (const group of groups.values()) {
    const members = new Set(group.map(({ id }) => id));
    const union = [...new Set(group.flatMap((step) => step.after))];
    if (union.some((id) => members.has(id))) continue;
    for (const step of group) after.set(step.id, union);
  }
  return after;
}

/** The call of each step, by step id, with stand-ins for unknown ids. */
export type PlannedCalls = ReadonlyMap<string, Call>;

export function plannedCalls(steps: readonly Step[], version: Version): PlannedCalls {
  const resolve = placeholders();
  return new Map(steps.map((step) => [step.id, callOf(step, version, resolve)]));
}

/** Returns the requests in the order of their waves. A request is sent when every step that its steps wait for is done. */
export function planRequests(
  steps: readonly Step[],
  calls: PlannedCalls,
  version: Version,
  batchSize: number,
): readonly Request[] {
  const transports = new Map<string, Transport>();
  for (const step of steps) {
    const call = calls.get(step.id);
    if (call !== undefined) transports.set(step.id, transportOf(step, call, version, batchSize));
  }
  return waves(gathered(steps, transports)).flatMap((wave, number) => {
    const requests: { action: string; form: Request['form']; steps: string[]; wave: number }[] = [];
    const open = new Map<string, { steps: string[] }>();
    for (const id of wave) {
      const transport = transports.get(id);
      if (transport === undefined) continue;
      const started = open.get(transport.key);
      if (started !== undefined && started.steps.length < transport.capacity) {
        started.steps.push(id);
        continue;
      }
      const request = { action: transport.action, form: transport.form, steps: [id], wave: number };
      requests.push(request);
      open.set(transport.key, request);
    }
    return requests;
  });
}

/** Returns the fewest scopes that cover the calls and the readings. Specification: "Scopes" of each action. */
export function plannedScopes(calls: PlannedCalls, reading: readonly string[]): readonly string[] {
  const writing = [...calls.values()].flatMap(({ action, body }) => neededScopes(LICENSE_API.actions[action], body));
  return leastScopes([...reading, ...writing]);
}

/** Node -> the nodes it depends on. */
type Dependencies = ReadonlyMap<string, readonly string[]>;

/**
 * Splits a graph into waves (Kahn's algorithm, linear time): wave k holds the nodes whose dependencies are all in earlier waves, at least one of them
 * in wave k - 1. Inside a wave nodes keep the order of `nodes`.
 *
 * Throws InternalError for a dependency on an unknown node, and for a cycle, spelled out as `a -> b -> a` (a depends on b). The kinds decide what
 * depends on what, so no manifest can ask for a cycle.
 */
export function waves(nodes: Dependencies): readonly (readonly string[])[] {
  const waveOf = peel(nodes);
  if (waveOf.size < nodes.size) throw new InternalError(`dependency cycle: ${findCycle(nodes, waveOf).join(' -> ')}`);
  const result: string[][] = [];
  for (const node of nodes.keys()) {
    const wave = waveOf.get(node) ?? 0;
    const members = result[wave];
    if (members === undefined) result[wave] = [node];
    else members.push(node);
  }
  return result;
}

/** Returns the wave of every node that neither is in a cycle nor depends on one. */
function peel(nodes: Dependencies): ReadonlyMap<string, number> {
  const dependents = invert(nodes);
  const unmet = new Map([...nodes].map(([node, dependencies]) => [node, dependencies.length]));
  const waveOf = new Map<string, number>();
  for (const [node, count] of unmet) if (count === 0) waveOf.set(node, 0);
  // A Map also visits entries that are added during the loop, so it is the queue. Waves never fall along it, so the last dependency of a node sets
  // its wave.
  for (const [node, wave] of waveOf) {
    for (const dependent of dependents.get(node) ?? []) {
      const left = (unmet.get(dependent) ?? 0) - 1;
      unmet.set(dependent, left);
      if (left === 0) waveOf.set(dependent, wave + 1);
    }
  }
  return waveOf;
}

function invert(nodes: Dependencies): Dependencies {
  const dependents = new Map<string, string[]>();
  for (const node of nodes.keys()) dependents.set(node, []);
  for (const [node, dependencies] of nodes) {
    for (const dependency of dependencies) {
      const known = dependents.get(dependency);
      if (known === undefined) throw new InternalError(`${node} depends on ${dependency}, which is not a node`);
      known.push(node);
    }
  }
  return dependents;
}

/** Returns a path that ends where it began. Every unpeeled node has an unpeeled dependency, so following them returns to the path. */
function findCycle(nodes: Dependencies, peeled: ReadonlyMap<string, number>): readonly string[] {
  const path = new Set<string>();
  let node = [...nodes.keys()].find((name) => !peeled.has(name));
  while (node !== undefined && !path.has(node)) {
    path.add(node);
    node = nodes.get(node)?.find((name) => !peeled.has(name));
  }
  const walked = [...path];
  return node === undefined ? walked : [...walked.slice(walked.indexOf(node)), node];
}
