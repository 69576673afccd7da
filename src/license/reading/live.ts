// Readings of the live license: each kind of a view read once, and normalised.

import { isServiceNamespace } from '../../base/default-properties.ts';
import { ApiError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Json, JsonObject, KindName, Live, LiveObject, ObjectId, Version } from '../../base/model.ts';
import { inNfc } from '../../base/text.ts';
import { LICENSE_API, type LicenseAction } from '../../kinds/actions.ts';
import { normalise } from '../../kinds/fields.ts';
import { KINDS, ORDERED } from '../../kinds/index.ts';
import type { Kind, KindReader, WantedObject } from '../../kinds/kind.ts';
import { rowsOf } from '../../kinds/wire.ts';
import { leastScopes } from '../../service/scopes.ts';
import type { LicenseReading } from './view.ts';

export type Ask = (action: LicenseAction, body: JsonObject, giveUp?: AbortSignal) => Promise<Json>;

/** Sends the same question once: several kinds may need one list. */
function remembered(ask: KindReader['ask']): KindReader['ask'] {
  const answers = new Map<string, Promise<Json>>();
  return (action, body) => {
    const question = `${action} ${canonicalJson(body)}`;
    const known = answers.get(question);
    if (known !== undefined) return known;
    const answer = ask(action, body);
    answers.set(question, answer);
    return answer;
  };
}

const NO_IDS: ReadonlySet<ObjectId> = new Set();
const NOTHING_WANTED: WantedObject = { ids: new Set(), looks: new Set() };

function readerOf(view: LicenseReading, kind: KindName, version: Version, once: KindReader['ask']): KindReader {
  return {
    version,
    ask: once,
    fields: view.fields.get(kind) ?? new Set(),
    namespaces: view.namespaces,
    clients: view.namespaces.filter((namespace) => !isServiceNamespace(namespace)),
    wanted: view.wanted.get(kind) ?? NOTHING_WANTED,
    losing: view.losing.has(kind),
    adopted: view.losing.get(kind) ?? NO_IDS,
    makers: view.makers === true,
    complete: view.complete.has(kind),
    reads: (other) => (view.alongside ?? view.kinds).has(other),
    groupIds: async () =>
      rowsOf('list_groups', await once('list_groups', { fields: ['agent_priorities'] })).map((row) =>
        row.integer('id'),
      ),
  };
}

/** Questions that were asked before everything that a reading depends on is known. */
export interface Ahead {
  /** Answers these questions without asking again, and asks all others. Only it reports how they ended, errors included. */
  readonly ask: Ask;
  /** When they were asked, in milliseconds since the epoch: what is read is as old as that. */
  readonly at: number;
  /** Ends the questions of a reading that does not take place. */
  readonly giveUp: () => void;
}

/** Asks the first questions of a reading of `view` early. The later reading must be of the same view or a smaller one. */
export function askAhead(ask: Ask, view: LicenseReading, version: Version, at: number): Ahead {
  const given = new AbortController();
  const giveUp = (): void => given.abort();
  const once = remembered((action, body) => ask(action, body, given.signal));
  // The reading itself asks what follows from an answer.
  const first: KindReader['ask'] = (action, body) => {
    once(action, body).catch(() => {});
    return new Promise(() => {});
  };
  for (const kind of view.kinds) KINDS[kind].read(readerOf(view, kind, version, first)).catch(() => {});
  return {
    ask: (action, body, others) => {
      others?.addEventListener('abort', giveUp);
      return once(action, body);
    },
    at,
    giveUp,
  };
}

/**
 * Reads all kinds of the view at once. Throws what `ask` throws, after aborting the other questions: a list that may not be read is never taken for
 * an empty one.
 */
export async function fetchLive(ask: Ask, view: LicenseReading, version: Version): Promise<Live> {
  const asked = new Set<LicenseAction>();
  const others = new AbortController();
  const once = remembered((action, body) => ask(action, body, others.signal));
  const onceFor =
    (name: KindName): KindReader['ask'] =>
    (action, body) => {
      // A plan can do without the others, so it needs no scope for them.
      if (view.incidental?.has(name) !== true) asked.add(action);
      return once(action, body);
    };
  const read = await allOrFirstFailure(
    [...view.kinds].map(async (name): Promise<readonly (readonly [KindName, readonly LiveObject[]])[]> => {
      try {
        const objects = await KINDS[name].read(readerOf(view, name, version, onceFor(name)));
        return [[name, objects.map((object) => normalised(KINDS[name], object))]];
      } catch (error) {
        if (view.incidental?.has(name) !== true || !lacksScope(error)) throw error;
        return [];
      }
    }),
    others,
  );
  const objects: { [kind in KindName]?: readonly LiveObject[] } = Object.fromEntries(read.flat());
  return {
    version,
    objects,
    ruleOrder: (objects[ORDERED.name] ?? []).map(({ id }) => String(id)),
    scopes: leastScopes([...asked].flatMap((action) => LICENSE_API.actions[action].scopes)),
  };
}

/** Throws the first failure in the list of the same type as the first one in time, so that the same cause always reads the same. */
async function allOrFirstFailure<T>(parts: readonly Promise<T>[], others: AbortController): Promise<readonly T[]> {
  let cause: unknown;
  const ended = await Promise.allSettled(
    parts.map((part) =>
      part.catch((error: unknown) => {
        if (!others.signal.aborted) cause = error;
        others.abort();
        throw error;
      }),
    ),
  );
  if (others.signal.aborted) {
    const failures = ended.flatMap((end): readonly unknown[] => (end.status === 'rejected' ? [end.reason] : []));
    throw failures.find((failure) => isOfSameType(failure, cause)) ?? cause;
  }
  return ended.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
}

/** Whether a token may not read. */
function lacksScope(error: unknown): boolean {
  return error instanceof ApiError && error.failure.type === 'authorization';
}

function isOfSameType(one: unknown, other: unknown): boolean {
  return one instanceof ApiError && other instanceof ApiError && one.failure.type === other.failure.type;
}

function normalised(kind: Kind, object: LiveObject): LiveObject {
  const spec = normalise(kind, object.spec);
  const name = inNfc(object.name);
  return spec === object.spec && name === object.name ? object : { ...object, name, spec };
}

/** Looks up objects by their ids; each kind is indexed at its first question. */
export function objectsById({
  objects,
}: Pick<Live, 'objects'>): (kind: KindName, id: ObjectId) => LiveObject | undefined {
  const known = new Map<KindName, ReadonlyMap<ObjectId, LiveObject>>();
  return (kind, id) => {
    const byId = known.get(kind) ?? new Map((objects[kind] ?? []).map((object) => [object.id, object]));
    known.set(kind, byId);
    return byId.get(id);
  };
}

/** The readable part of a license, and why the rest could not be read. A plan needs empty `failures`. */
export interface Survey {
  readonly live: Live;
  readonly failures: readonly unknown[];
}

/** Reads like `fetchLive`, each kind by itself: a kind that may not be read does not hide the others. */
export async function survey(ask: Ask, view: LicenseReading, version: Version): Promise<Survey> {
  const once = remembered(ask);
  const ended = await Promise.allSettled(
    [...view.kinds].map((kind) => fetchLive(once, { ...view, kinds: new Set([kind]), alongside: view.kinds }, version)),
  );
  const parts = ended.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
  return {
    live: {
      version,
      objects: Object.assign({}, ...parts.map(({ objects }) => objects)),
      ruleOrder: parts.flatMap(({ ruleOrder }) => ruleOrder),
      scopes: leastScopes(parts.flatMap(({ scopes }) => scopes)),
    },
    failures: ended.flatMap((end): readonly unknown[] => (end.status === 'rejected' ? [end.reason] : [])),
  };
}
