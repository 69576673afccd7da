// Desired and ledger in; which part of the license somebody has to see for them out. Asks nobody.

import type { Desired, KindName, LedgerState, ObjectId, Version } from '../base/model.ts';
import { identifiedBy } from '../kinds/fields.ts';
import { isKind, KIND_NAMES, KINDS, MEMBERSHIP, ORDERED } from '../kinds/index.ts';
import type { Wanted } from '../kinds/kind.ts';
import { splitName } from '../kinds/namespaced.ts';

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
