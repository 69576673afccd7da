// Which declared resource is which live object, decided by `id:`, then the ledger, then a natural key. Two candidates are an error that names them.

import { groupedBy } from '../../base/grouped.ts';
import type {
  Address,
  Binding,
  Desired,
  DesiredResource,
  Diagnostic,
  External,
  Live,
  LiveObject,
  ObjectId,
  Reference,
} from '../../base/model.ts';
import { oncePer } from '../../base/once-per.ts';
import { identityOfId, KIND_NAMES, KINDS } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import { type BindingState, type BoundResource, bareId, claim, type KindTable, problem, resolver } from './claims.ts';
import { accountsIn } from './people.ts';
import { bindByNaturalKey, listNames } from './recognise.ts';
import { type Stays, type Undeclared, undeclaredObjects } from './undeclared.ts';

/** Which resource is which object, and what nothing declares. */
export interface Bindings extends Undeclared {
  /** Of the kinds that were read, in the order of the manifest's addresses. */
  readonly bound: ReadonlyMap<Address, BoundResource>;
  /** Every address with a known id: declared, external, undeclared, or of a kind that was not read. */
  readonly ids: ReadonlyMap<Address, ObjectId>;
  readonly problems: readonly Diagnostic[];
  /** The address of a live object, or its bare id. */
  readonly referenceTo: (kind: string, id: ObjectId) => Reference;
  readonly idOf: (reference: Reference) => ObjectId | null;
}

/**
 * Binds by `id:` and ledger, for every resource of the kind before any natural key: a natural key must not take an object that the ledger assigns.
 * Returns the resources that are still unbound.
 */
function bindForCertain(
  state: BindingState,
  table: KindTable,
  resources: readonly DesiredResource[],
): readonly DesiredResource[] {
  const { kind } = table;
  const open: DesiredResource[] = [];
  for (const resource of resources) {
    const wanted = resource.id === null ? undefined : table.objects.get(bareId(kind, String(resource.id)));
    if (wanted !== undefined) {
      claim(state, table, resource, wanted);
    } else if (resource.id !== null && kind.choosesId === undefined && !isReplaced(state, table, resource)) {
      const message = `there is no ${kind.noun.one} with id ${resource.id} on the license`;
      const remedy = 'correct the `id:`, or remove it to have the object created';
      state.problems.push(problem('dangling-reference', resource.place, message, remedy));
    } else {
      open.push(resource);
    }
  }
  // A key that is the whole identity means the object that it names now, whatever it named before.
  if (kind.id === undefined) return open;
  return open.filter((resource) => {
    if (resource.id !== null && !isReplaced(state, table, resource)) return true;
    const known = state.ledger.get(resource.address);
    const object = known === undefined ? undefined : table.objects.get(known.id);
    if (object === undefined) return true;
    claim(state, table, resource, object);
    return false;
  });
}

/** Whether its `id:` is that of an object that was replaced since. */
function isReplaced({ ledger }: BindingState, { kind, objects }: KindTable, { address }: DesiredResource): boolean {
  const known = ledger.get(address);
  return kind.replacing?.overlaps !== undefined && known !== undefined && objects.has(known.id);
}

function bindExternal(state: BindingState, external: External, objects: readonly LiveObject[]): void {
  const noun = KINDS[external.kind].noun;
  const { kind, id } = external;
  const exact = objects.filter((object) => (id === null ? object.name === external.name : object.id === id));
  const found =
    exact.length > 0 || id === null
      ? exact
      : objects.filter((object) => identityOfId(kind, object.id) === identityOfId(kind, id));
  const [first] = found;
  if (found.length === 1 && first !== undefined) {
    state.ids.set(external.address, first.id);
    return;
  }
  if (found.length > 1) {
    const message = `${found.length} live ${noun.many} are ${id === null ? 'named ' : ''}\`${id ?? external.name}\`: ${listNames(found)}`;
    const remedy = id === null ? 'use `external: { id }`' : 'write the `id` as the license writes one of them';
    state.problems.push(problem('ambiguous-match', external.place, message, remedy));
    return;
  }
  const sought = external.id === null ? `named \`${external.name}\`` : `with id \`${external.id}\``;
  const message = `there is no ${noun.one} ${sought} on the license`;
  state.problems.push(problem('dangling-reference', external.place, message, 'correct the external reference'));
}

/** Of a kind that was not read, only the ledger, the `id:` and keys that are ids by themselves give ids. */
function trust(
  state: BindingState,
  kind: Kind,
  resources: readonly DesiredResource[],
  externals: readonly External[],
): void {
  const trusted = (address: Address, id: ObjectId | null | undefined): void => {
    if (id !== null && id !== undefined) state.ids.set(address, id);
  };
  for (const { address, id, key } of resources)
    trusted(address, state.ledger.get(address)?.id ?? id ?? (kind.choosesId === true ? key : null));
  for (const { address, id } of externals) trusted(address, id ?? state.ledger.get(address)?.id);
}

/** `selects`: the resources that may be made. */
export function bind(
  desired: Desired,
  live: Live,
  ledger: ReadonlyMap<Address, Binding>,
  stays: Stays,
  selects: (address: Address) => boolean = () => false,
): Bindings {
  const state: BindingState = { ledger, ids: new Map(), bound: new Map(), problems: [] };
  const tables = new Map<string, KindTable>();
  const byKind = groupedBy(desired.resources, ({ kind }) => kind);
  for (const name of KIND_NAMES) {
    const kind = KINDS[name];
    const objects = live.objects[name];
    const resources = byKind.get(name) ?? [];
    const externals = desired.externals.filter((external) => external.kind === name);
    if (objects === undefined) {
      trust(state, kind, resources, externals);
      continue;
    }
    const table: KindTable = {
      kind,
      objects: new Map(objects.map((object) => [object.id, object])),
      claims: new Map(),
    };
    tables.set(name, table);
    for (const external of externals) bindExternal(state, external, objects);
    bindByNaturalKey(state, table, bindForCertain(state, table, resources));
  }
  const rest = undeclaredObjects(desired, live, ledger, stays, selects, { ids: state.ids, tables });
  for (const [address, object] of rest.undeclared) {
    state.ids.set(address, object.id);
    tables.get(object.kind)?.claims.set(object.id, address);
  }
  return { ...state, ...references(state, tables), ...rest };
}

function references(state: BindingState, tables: ReadonlyMap<string, KindTable>) {
  const idOf = resolver(state.ids);
  const accountsOf = oncePer(({ objects }: KindTable) => accountsIn([...objects.values()]));
  const referenceTo = (kind: string, id: ObjectId): Reference => {
    const table = tables.get(kind);
    if (table === undefined) return String(id);
    const own = bareId(table.kind, String(id));
    if (table.objects.has(own)) return table.claims.get(own) ?? String(id);
    const [only, ...others] = accountsOf(table).get(identityOfId(table.kind.name, own)) ?? [];
    return only === undefined || others.length > 0 ? String(id) : (table.claims.get(only.id) ?? String(only.id));
  };
  return { idOf, referenceTo };
}
