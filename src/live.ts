// A way to ask the service in, the live license out: each kind read once, normalised, as far as the manifest and the ledger need it.

import { canonicalJson } from './canonical.ts';
import { normalise } from './kinds/fields.ts';
import { identifiedBy } from './kinds/identity.ts';
import { isKind, KIND_NAMES, KINDS, MEMBERSHIP, ORDERED } from './kinds/index.ts';
import type { Kind, Reader, Wanted } from './kinds/kind.ts';
import { splitName } from './kinds/namespaced.ts';
import { rowsOf } from './kinds/wire.ts';
import type { Desired, Json, JsonObject, KindName, LedgerState, Live, LiveObject, ObjectId, Version } from './model.ts';
import { ACTIONS, type ActionName } from './service/actions.ts';
import { leastScopes } from './service/scopes.ts';

export type Ask = (action: ActionName, body: JsonObject, giveUp?: AbortSignal) => Promise<Json>;

/** Which part of the license somebody wants to see. */
export interface View {
  readonly kinds: ReadonlySet<KindName>;
  /** The kinds whose lists cost nothing more, because they are read as well; `kinds` when left out. */
  readonly alongside?: ReadonlySet<KindName>;
  /** The fields of interest of each kind. */
  readonly fields: ReadonlyMap<KindName, ReadonlySet<string>>;
  readonly namespaces: readonly string[];
  readonly wanted: ReadonlyMap<KindName, Wanted>;
  /** Kinds of which the ledger owns something that is no longer declared. */
  readonly losing: ReadonlySet<KindName>;
  /** Kinds of which everything undeclared goes. */
  readonly complete: ReadonlySet<KindName>;
}

/** The kinds that a manifest manages or refers to, those the ledger still owns something of, and those that are to have nothing undeclared. */
export function viewOf(desired: Desired, ledger: LedgerState, version: Version): View {
  const touched = new Map<KindName, Touched>();
  const touch = (kind: KindName): Touched => {
    const before = touched.get(kind);
    if (before !== undefined) return before;
    const first = { fields: new Set<string>(), ids: new Set<ObjectId>(), names: new Set<string>() };
    touched.set(kind, first);
    return first;
  };
  const namespaces = new Set(desired.namespaces);
  for (const { address, kind, key, id, spec } of desired.resources) {
    const { fields, ids, names } = touch(kind);
    for (const name of Object.keys(spec)) {
      // What the first resource that declares a field brings about, the others do not have to.
      if (fields.has(name)) continue;
      fields.add(name);
      const target = KINDS[kind].fields[name]?.references?.kind;
      if (target !== undefined) touch(target);
    }
    const chosen = KINDS[kind].choosesId === true ? key : null;
    for (const known of [id, chosen, ledger.bindings.get(address)?.id])
      if (known !== undefined && known !== null) ids.add(known);
    if (typeof spec['name'] === 'string') names.add(spec['name']);
    const namespace = KINDS[kind].namespace?.({ key, spec }) ?? null;
    if (namespace !== null) namespaces.add(namespace);
    for (const parent of KINDS[kind].parents?.(key) ?? [])
      if (parent.startsWith(`${MEMBERSHIP.right.kind.name}/`)) touch(MEMBERSHIP.right.kind.name);
  }
  for (const { kind } of desired.externals) touch(kind);
  for (const kind of desired.complete) touch(kind);
  const declared = new Set(desired.resources.map(({ address }) => address));
  const losing = new Set<KindName>();
  for (const address of ledger.bindings.keys()) {
    const [kind, key] = splitName(address);
    if (!isKind(kind)) continue;
    touch(kind);
    if (!declared.has(address)) losing.add(kind);
    const namespace = KINDS[kind].namespace?.({ key, spec: ledger.applied.get(address)?.spec ?? {} }) ?? null;
    if (namespace !== null) namespaces.add(namespace);
  }
  for (const intent of ledger.intents.values()) {
    const [kind, key] = splitName(intent.address);
    if (!isKind(kind)) continue;
    const spec = identifiedBy(intent.identity);
    const { fields, names } = touch(kind);
    for (const field of Object.keys(spec)) fields.add(field);
    if (typeof spec['name'] === 'string') names.add(spec['name']);
    const namespace = KINDS[kind].namespace?.({ key, spec }) ?? null;
    if (namespace !== null) namespaces.add(namespace);
  }
  // What goes may be something that a rule sends chats to, a stranger's rule too.
  if (Object.values(ORDERED.fields).some(({ references }) => references !== undefined && losing.has(references.kind)))
    touch(ORDERED.name);
  for (const side of Object.values(MEMBERSHIP)) {
    if (touched.get(side.kind.name)?.fields.has(side.field) === true)
      for (const both of Object.values(MEMBERSHIP)) touch(both.kind.name);
  }
  return {
    kinds: new Set(KIND_NAMES.filter((name) => touched.has(name) && KINDS[name].versions.includes(version))),
    fields: new Map([...touched].map(([name, { fields }]) => [name, fields])),
    wanted: new Map([...touched].map(([name, { ids, names }]) => [name, { ids, names }])),
    losing,
    complete: new Set(desired.complete),
    namespaces: [...namespaces].sort(),
  };
}

/** What of a kind somebody wants to see. */
interface Touched {
  readonly fields: Set<string>;
  readonly ids: Set<ObjectId>;
  readonly names: Set<string>;
}

/** What a plan reads whatever the ledger says. */
export function declaredView(desired: Desired, version: Version): View {
  return viewOf(desired, NOTHING_KNOWN, version);
}

const NOTHING_KNOWN: LedgerState = {
  bindings: new Map(),
  applied: new Map(),
  secrets: new Map(),
  orders: new Map(),
  intents: new Map(),
  remaking: new Map(),
};

/** The whole license, as far as a manifest could declare it: every kind, every field, every object in full. */
export function wholeView(desired: Desired, ledger: LedgerState, version: Version): View {
  const { losing, complete, namespaces } = viewOf(desired, ledger, version);
  const kinds = KIND_NAMES.filter((name) => KINDS[name].versions.includes(version));
  return {
    kinds: new Set(kinds),
    fields: new Map(kinds.map((name) => [name, new Set(Object.keys(KINDS[name].fields))])),
    wanted: new Map(kinds.map((name) => [name, 'all'])),
    losing,
    complete,
    namespaces,
  };
}

/** The same question is sent once: several kinds may need one list. */
function remembered(ask: Reader['ask']): Reader['ask'] {
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

const NOBODY: Wanted = { ids: new Set(), names: new Set() };

function readerOf(view: View, kind: KindName, version: Version, once: Reader['ask']): Reader {
  return {
    version,
    ask: once,
    fields: view.fields.get(kind) ?? new Set(),
    namespaces: view.namespaces,
    wanted: view.wanted.get(kind) ?? NOBODY,
    losing: view.losing.has(kind),
    complete: view.complete.has(kind),
    reads: (other) => (view.alongside ?? view.kinds).has(other),
    groupIds: async () =>
      rowsOf('list_groups', await once('list_groups', { fields: ['agent_priorities'] })).map((row) =>
        row.integer('id'),
      ),
  };
}

/** Questions that are on their way before all is known that a reading depends on. */
export interface Ahead {
  /** Answers them without asking again, and asks all others; what they end in, also an error, is told by it alone. */
  readonly ask: Ask;
  /** When they left, in milliseconds since the epoch: what is read is as old as that. */
  readonly at: number;
  /** For a reading that does not take place. */
  readonly giveUp: () => void;
}

/** Asks what a reading of `view` begins with, for one that begins later and surely asks the same: of a view that holds at least as much. */
export function askAhead(ask: Ask, view: View, version: Version, at: number): Ahead {
  const given = new AbortController();
  const giveUp = (): void => given.abort();
  const once = remembered((action, body) => ask(action, body, given.signal));
  // What follows from an answer is for the reading itself to ask.
  const first: Reader['ask'] = (action, body) => {
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
 * Reads all kinds of the view at once. Throws what `ask` throws: a list that may not be read is never taken for an empty one, and the others are
 * given up.
 */
export async function fetchLive(ask: Ask, view: View, version: Version): Promise<Live> {
  const asked = new Set<ActionName>();
  const others = new AbortController();
  const once = remembered((action, body) => {
    asked.add(action);
    return ask(action, body, others.signal);
  });
  const read = await Promise.all(
    [...view.kinds].map(async (name): Promise<readonly [KindName, readonly LiveObject[]]> => {
      const objects = await KINDS[name].read(readerOf(view, name, version, once));
      return [name, objects.map((object) => normalised(KINDS[name], object))];
    }),
  ).catch((error: unknown) => {
    others.abort();
    throw error;
  });
  const objects: { [kind in KindName]?: readonly LiveObject[] } = Object.fromEntries(read);
  return {
    version,
    objects,
    ruleOrder: (objects[ORDERED.name] ?? []).map(({ id }) => String(id)),
    scopes: leastScopes([...asked].flatMap((action) => ACTIONS[action].scopes)),
  };
}

function normalised(kind: Kind, object: LiveObject): LiveObject {
  const spec = normalise(kind, object.spec);
  return spec === object.spec ? object : { ...object, spec };
}

/** What could be read of a license, and why the rest could not: nothing may be planned unless `failures` is empty. */
export interface Survey {
  readonly live: Live;
  readonly failures: readonly unknown[];
}

/** Reads like `fetchLive`, each kind by itself: one that may not be read hides none of the others. */
export async function survey(ask: Ask, view: View, version: Version): Promise<Survey> {
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
