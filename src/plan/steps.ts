// Writes of a plan, each with the steps that must come before it.

import { grouped } from '../base/grouped.ts';
import { equalJson, isObject } from '../base/json.ts';
import type { Reference, Spec } from '../base/model.ts';
import { referencesOf } from '../kinds/fields.ts';
import { isMembership, MEMBERSHIP } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Draft } from './draft.ts';
import type { EdgeWrite } from './membership/edges.ts';
import type { ListWrite } from './order/sequence.ts';
import type { Step } from './plan.ts';
import { keyOf } from './reference.ts';
import { identity, sent } from './sent.ts';

/** A step before its dependencies are known. */
type OpenStep = Omit<Step, 'after'>;

function stepId(operation: string, subject: string): string {
  return `${operation} ${subject}`;
}

function stepOf(
  made: Draft,
  operation: Step['operation'],
  fields: Spec,
  id = stepId(operation, made.address),
): OpenStep {
  const isNew = operation === 'create';
  return {
    id,
    operation,
    type: made.kind.name,
    address: made.address,
    object: isNew ? null : (made.object?.id ?? null),
    chosen_id: isNew ? (made.resource?.id ?? null) : null,
    fields,
    position: null,
    serves: [made.address],
  };
}

/** Whether the fields contain more than options and identifying fields. */
function carriesContent(made: Draft, fields: Spec): boolean {
  const kept = new Set(Object.keys(identity(made)));
  return Object.keys(fields).some((name) => !kept.has(name) && made.kind.fields[name]?.option !== true);
}

function edgesSpec(write: EdgeWrite): Spec {
  return { [write.field]: Object.fromEntries(write.edges) };
}

function transitions(made: Draft): readonly OpenStep[] {
  return made.fields
    .filter(({ field, reach, after }) => {
      if (reach !== 'transition' && made.verb !== 'replace') return false;
      const contract = made.kind.fields[field];
      return contract?.writable === 'transition' && !(made.object === null && equalJson(after, contract.absent));
    })
    .map(({ field, after }) => stepOf(made, 'transition', { [field]: after }, stepId(`set ${field} of`, made.address)));
}

/** Whether none of its own fields is written, as for most resources of most plans. */
function isAtRest({ verb }: Draft): boolean {
  return verb === 'none';
}

function stepsOf(made: Draft, edges: EdgeWrite | undefined, moves: boolean): readonly OpenStep[] {
  const own = sent(made);
  const fields = edges === undefined ? own : { ...own, ...edgesSpec(edges) };
  switch (made.verb) {
    case 'create':
      return [alsoServing(stepOf(made, 'create', fields), edges), ...transitions(made)];
    case 'replace': {
      const gone = stepOf(made, 'delete', identity(made, true));
      const next = stepOf(made, 'create', fields);
      const { former } = made;
      return former === undefined
        ? [gone, next, ...transitions(made)]
        : [next, ...transitions(made), { ...gone, id: stepId('delete', former), address: former, serves: [former] }];
    }
    case 'delete': {
      const beyond = made.beyond === null ? {} : { [made.beyond]: true };
      return [stepOf(made, 'delete', { ...identity(made), ...beyond })];
    }
    case 'update':
    case 'none': {
      const isOwn = moves || (made.verb === 'update' && carriesContent(made, own));
      if (!isOwn && edges === undefined) return transitions(made);
      const update = stepOf(made, 'update', fields);
      return [isOwn ? alsoServing(update, edges) : onlyServing(update, edges), ...transitions(made)];
    }
  }
}

/** A step that carries edges serves the resources that declare them, wherever that is. */
function alsoServing(step: OpenStep, edges: EdgeWrite | undefined): OpenStep {
  return edges === undefined ? step : { ...step, serves: [...new Set([...step.serves, ...edges.serves])] };
}

/** A step that carries only edges does not serve a resource that does not declare them. */
function onlyServing(step: OpenStep, edges: EdgeWrite | undefined): OpenStep {
  return edges === undefined || edges.serves.length === 0 ? step : { ...step, serves: edges.serves };
}

function undeclaredStep(write: EdgeWrite): OpenStep {
  return {
    id: stepId('update', `${write.kind.name} ${write.reference}`),
    operation: 'update',
    type: write.kind.name,
    address: null,
    object: write.object,
    chosen_id: null,
    fields: edgesSpec(write),
    position: null,
    serves: write.serves,
  };
}

/** Returns what the fields of a step refer to, and the parents in its key. */
function needs(step: OpenStep, made: Draft | undefined, kind: Kind): readonly Reference[] {
  const key = made?.resource?.key;
  const parents = step.operation === 'delete' || key === undefined ? [] : (kind.parents?.(key) ?? []);
  return [...referencesOf(kind, step.fields), ...parents];
}

interface StepIndex {
  readonly open: readonly OpenStep[];
  readonly drafts: ReadonlyMap<string, Draft>;
  readonly created: ReadonlyMap<Reference, string>;
  readonly deleted: ReadonlyMap<Reference, string>;
}

/** Returns, for each delete, the steps that remove the last references to its object and must come first. */
function releases(index: StepIndex, kinds: ReadonlyMap<string, Kind>): ReadonlyMap<string, readonly string[]> {
  const before: [deletion: string, step: string][] = [];
  const add = (reference: Reference, step: OpenStep): void => {
    const deletion = index.deleted.get(reference);
    if (deletion !== undefined) before.push([deletion, step.id]);
  };
  for (const step of index.open) {
    const made = step.address === null ? undefined : index.drafts.get(step.address);
    const kind = kinds.get(step.type);
    if (made === undefined || made.live === null || kind === undefined || step.operation === 'create') continue;
    for (const reference of referencesOf(kind, made.live)) if (!removesItsEdges(made, step)) add(reference, step);
    if (step.operation === 'delete') for (const parent of kind.parents?.(ownKey(made)) ?? []) add(parent, step);
  }
  return grouped(before);
}

/** The delete of one end of an edge removes the edge, so neither end waits for the other. */
function removesItsEdges(made: Draft, step: OpenStep): boolean {
  return step.operation === 'delete' && Object.values(MEMBERSHIP).some(({ kind }) => kind === made.kind);
}

function ownKey({ resource, address }: Draft): string {
  return resource?.key ?? keyOf(address);
}

/**
 * Chains the steps of an ordered list, so that every `next_id` names a rule that stands right, and a failed write leaves a list that the plan has
 * considered. Deletes come last unless that would expose visitors: the old rule stands until the rule that replaces it exists.
 */
function chained(
  steps: readonly OpenStep[],
  writes: readonly ListWrite[],
): ReadonlyMap<string, { readonly position: Step['position']; readonly previous: string | null }> {
  const ids = new Set(steps.map(({ id }) => id));
  const links = new Map<string, { position: Step['position']; previous: string | null }>();
  let previous: string | null = null;
  for (const write of writes) {
    const id = stepId(write.op, write.key);
    if (!ids.has(id)) continue;
    links.set(id, { position: write.op === 'delete' ? null : write.position, previous });
    previous = id;
  }
  return links;
}

/** Returns the steps in a fixed order, each after everything that it depends on. */
export function planSteps(
  drafts: readonly Draft[],
  edges: readonly EdgeWrite[],
  ordered: readonly ListWrite[],
): readonly Step[] {
  if (edges.length + ordered.length === 0 && drafts.every(isAtRest)) return [];
  const byReference = new Map(edges.map((write) => [`${write.kind.name} ${write.reference}`, write]));
  const moving = new Set(
    ordered.filter((write) => write.op === 'update' && write.position !== null).map(({ key }) => key),
  );
  const declared = drafts.flatMap((made) => {
    const write = byReference.get(`${made.kind.name} ${made.address}`);
    const moves = moving.has(made.address);
    return isAtRest(made) && write === undefined && !moves ? [] : stepsOf(made, write, moves);
  });
  const byAddress = new Map<string, Draft>(drafts.map((made) => [made.address, made]));
  const open = [...declared, ...edges.filter(({ reference }) => !byAddress.has(reference)).map(undeclaredStep)];

  const index: StepIndex = {
    open,
    drafts: byAddress,
    created: new Map(
      open.flatMap((step) => (step.operation === 'create' && step.address !== null ? [[step.address, step.id]] : [])),
    ),
    deleted: new Map(
      open.flatMap((step) => (step.operation === 'delete' && step.address !== null ? [[step.address, step.id]] : [])),
    ),
  };
  const kinds = new Map(
    [...drafts.map(({ kind }) => kind), ...edges.map(({ kind }) => kind)].map((kind) => [kind.name, kind]),
  );
  const clearing = new Map(
    drafts.flatMap(({ rival, address }) =>
      rival === null ? [] : [[rival as string, index.deleted.get(address)] as const],
    ),
  );
  const released = releases(index, kinds);
  const links = chained(open, ordered);
  const overwriting = overwrites(open, edges);
  const newAt = new Map<string, Reference>(
    drafts.flatMap(({ former, address }) => (former === undefined ? [] : [[former, address]])),
  );
  const neighbours = new Map(
    [...kinds.values()].flatMap(({ name, follows }) => (follows === undefined ? [] : [[name, follows] as const])),
  );
  const bySort = grouped<string, string>(open.map(({ operation, type, id }) => [`${operation} ${type}`, id]));
  const stepsIn = (kind: string, operation: Step['operation']): readonly string[] =>
    bySort.get(`${operation} ${kind}`) ?? [];
  return open.map((step) => {
    const kind = kinds.get(step.type);
    const made = step.address === null ? undefined : index.drafts.get(step.address);
    const link = links.get(step.id);
    const leaves = made?.resource?.leaves;
    const after = new Set<string>();
    const wait = (id: string | null | undefined): void => {
      if (id !== undefined && id !== null && id !== step.id) after.add(id);
    };
    if (step.operation !== 'delete') wait(index.deleted.get(step.address ?? ''));
    else wait(index.created.get(newAt.get(step.address ?? '') ?? ''));
    if (step.operation === 'create') wait(clearing.get(step.address ?? ''));
    if (step.operation === 'create') wait(index.deleted.get(made?.clearedBy ?? ''));
    const before = made?.behind;
    if (step.operation === 'create' && before !== undefined)
      wait(index.deleted.get(index.drafts.get(before)?.former ?? before));
    for (const [follower, followed] of neighbours) {
      if (step.operation === 'create' && step.type === follower) stepsIn(followed, 'create').forEach(wait);
      // A bot takes chats only when its client is told of them.
      if (step.operation === 'transition' && step.type === followed) stepsIn(follower, 'create').forEach(wait);
      if (step.operation === 'delete' && step.type === followed) stepsIn(follower, 'delete').forEach(wait);
    }
    if (step.operation === 'delete' && kind?.restricts !== undefined) stepsIn(step.type, 'create').forEach(wait);
    if (step.operation !== 'delete') wait(index.created.get(step.address ?? ''));
    if (kind !== undefined) {
      for (const reference of needs(step, made, kind)) wait(index.created.get(reference));
      for (const reference of ownEdges(step, made?.live ?? null, kind)) wait(overwriting.get(reference));
    }
    for (const id of released.get(step.id) ?? []) wait(id);
    // An account is given up only when the one in its place is there.
    if (leaves?.by === 'moved') wait(index.created.get(leaves.to));
    wait(link?.previous);
    return { ...step, position: link?.position ?? null, after: [...after] };
  });
}

/**
 * Returns the updates that write a whole map of members. A step that writes an edge on its own object waits for them: the map was built from a
 * reading without that edge. Service notes, "Groups": whether bots appear in the map is not stated.
 */
function overwrites(open: readonly OpenStep[], edges: readonly EdgeWrite[]): ReadonlyMap<Reference, string> {
  const maps = new Set(edges.map((write) => `${write.kind.name} ${write.reference}`));
  return new Map(
    open.flatMap((step): readonly (readonly [Reference, string])[] => {
      const reference = step.address ?? String(step.object);
      return step.operation === 'update' && maps.has(`${step.type} ${reference}`) ? [[reference, step.id]] : [];
    }),
  );
}

/** Returns the objects at the other end of edges that are no membership, as they are and as they will be. */
function ownEdges(step: OpenStep, live: Spec | null, kind: Kind): readonly Reference[] {
  const names = Object.keys(step.fields).filter(
    (name) => kind.fields[name]?.references?.at === 'keys' && !isMembership(kind.name, name),
  );
  return names.flatMap((name) =>
    [step.fields[name], live?.[name]].flatMap((value) => (isObject(value) ? Object.keys(value) : [])),
  );
}
