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
import type { CallOptions } from '../../service/client.ts';
import { leastScopes } from '../../service/scopes.ts';
import type { LicenseReading } from './view.ts';

export type Ask = (
  action: LicenseAction,
  body: JsonObject,
  ends?: Pick<CallOptions, 'signal' | 'enough'>,
) => Promise<Json>;

function questionOf(action: LicenseAction, body: JsonObject): string {
  return `${action} ${canonicalJson(body)}`;
}

/** Sends the same question once: several kinds may need one list. */
function remembered(ask: KindReader['ask'], answers = new Map<string, Promise<Json>>()): KindReader['ask'] {
  return (action, body) => {
    const question = questionOf(action, body);
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
  const [given, enough] = [new AbortController(), new AbortController()];
  const giveUp = (): void => given.abort();
  const tryNoMore = (): void => enough.abort();
  const answers = new Map<string, Promise<Json>>();
  const once = remembered(
    (action, body) => ask(action, body, { signal: given.signal, enough: enough.signal }),
    answers,
  );
  // The reading itself asks what follows from an answer.
  const first: KindReader['ask'] = (action, body) => {
    once(action, body).catch(() => {});
    return new Promise(() => {});
  };
  for (const kind of view.kinds) KINDS[kind].read(readerOf(view, kind, version, first)).catch(() => {});
  return {
    ask: (action, body, ends) => {
      ends?.signal?.addEventListener('abort', giveUp);
      ends?.enough?.addEventListener('abort', tryNoMore);
      const answer = once(action, body);
      // A reading asks once. A large license has no room for its answers next to the plan.
      answers.delete(questionOf(action, body));
      return answer;
    },
    at,
    giveUp,
  };
}

/**
 * Reads all kinds of the view at once. Throws what `ask` throws, after aborting the other questions: a list that may not be read is never taken for
 * an empty one. What a token may not read is thrown once all questions have ended, each asked once, so that one error names all of it.
 */
export async function fetchLive(ask: Ask, view: LicenseReading, version: Version): Promise<Live> {
  const asked = new Set<LicenseAction>();
  const [others, enough] = [new AbortController(), new AbortController()];
  const once = remembered((action, body) => ask(action, body, { signal: others.signal, enough: enough.signal }));
  const onceFor =
    (name: KindName): KindReader['ask'] =>
    (action, body) => {
      // A plan can do without the others, so it needs no scope for them.
      if (view.incidental?.has(name) !== true) asked.add(action);
      return once(action, body);
    };
  const read = await allOrFailure(
    [...view.kinds].map(async (name): Promise<readonly (readonly [KindName, readonly LiveObject[]])[]> => {
      try {
        const objects = await KINDS[name].read(readerOf(view, name, version, onceFor(name)));
        return [[name, objects.map((object) => normalised(KINDS[name], object))]];
      } catch (error) {
        if (view.incidental?.has(name) !== true || !lacksScope(error)) throw error;
        return [];
      }
    }),
    (error) => (lacksScope(error) ? enough : others).abort(),
  );
  const objects: { [kind in KindName]?: readonly LiveObject[] } = Object.fromEntries(read.flat());
  return {
    version,
    objects,
    ruleOrder: (objects[ORDERED.name] ?? []).map(({ id }) => String(id)),
    scopes: leastScopes([...asked].flatMap((action) => LICENSE_API.actions[action].scopes)),
  };
}

/**
 * Throws the first failure in the list of the same type as the one that ended the reading, so that the same cause always reads the same. Of several
 * actions that the token may not do, the failure of one names the others.
 */
async function allOrFailure<T>(
  parts: readonly Promise<T>[],
  onFailure: (error: unknown) => void,
): Promise<readonly T[]> {
  const failed: unknown[] = [];
  const ended = await Promise.allSettled(
    parts.map((part) =>
      part.catch((error: unknown) => {
        failed.push(error);
        onFailure(error);
        throw error;
      }),
    ),
  );
  if (failed.length === 0) return ended.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
  const cause = failed.find(lacksScope) ?? failed[0];
  const failures = ended.flatMap((end): readonly unknown[] => (end.status === 'rejected' ? [end.reason] : []));
  const first = failures.find((failure) => isOfSameType(failure, cause)) ?? cause;
  if (!(first instanceof ApiError) || !lacksScope(first)) throw first;
  const { failure } = first;
  const actions = failures.flatMap((each) =>
    each instanceof ApiError && lacksScope(each) ? [each.failure.action] : [],
  );
  const also = [...new Set(actions)].filter((action) => action !== failure.action);
  throw also.length === 0 ? first : new ApiError({ ...failure, also });
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
