// What a snapshot shows of a license and its ledger: what readers of the repository may see.

import { byText, equalJson, isList, isObject } from '../../base/json.ts';
import type {
  Address,
  Desired,
  Json,
  KindName,
  LedgerState,
  Live,
  LiveObject,
  Move,
  Spec,
  Version,
} from '../../base/model.ts';
import { perVersion } from '../../kinds/field.ts';
import { KIND_NAMES, KINDS, kindOf } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import { splitName } from '../../kinds/namespaced.ts';
import { type LicenseReading, viewOf, wholeView } from '../../license/reading/view.ts';
import type { Bindings } from '../../plan/binding/bind.ts';
import { isOwn, type TokenOwner } from '../../plan/guards/lockout.ts';
import type { SeenLedger, SeenObject, Snapshot } from '../../planning/snapshot/snapshot.ts';
import { declaredNames, isCalledByUs, namesIn, type ShownNames, UNCHANGED } from './snapshot-names.ts';

/** What was read, and what decides how much of it is shown. */
export interface SnapshotInput {
  readonly desired: Desired;
  readonly live: Live;
  readonly ledger: LedgerState;
  readonly bindings: Pick<Bindings, 'bound'>;
  readonly own: TokenOwner;
  /** Leave nothing out. */
  readonly full: boolean;
  /** Renamed keys, of which the ledger may not know yet. */
  readonly moved: readonly Move[];
  /** Ids that chatform.yaml names. */
  readonly named: readonly string[];
  /** What the environment gave to the files. */
  readonly inserted: readonly string[];
  /** Whether `protect:` covers the address. */
  readonly protects: (address: Address) => boolean;
}

/** The view of a plan of these files; with `full`, of the whole license. */
export function snapshotView(desired: Desired, ledger: LedgerState, version: Version, full: boolean): LicenseReading {
  const view = full ? wholeView(desired, ledger, version) : viewOf(desired, ledger, version);
  return { ...view, complete: view.kinds };
}

type SnapshotPart = Pick<Snapshot, 'full' | 'scopes' | 'objects' | 'rule_order' | 'own' | 'nameless' | 'ledger'>;

export function shown(read: SnapshotInput): SnapshotPart {
  const { live, ledger, desired, full } = read;
  const named = [...read.named, ...read.moved.map(({ from }) => splitName(from)[1])];
  const names = full ? UNCHANGED : namesIn(live, ledger, declaredNames(desired, named));
  const declared = declaredSpecs(read);
  const kinds = KIND_NAMES.filter((kind) => live.objects[kind] !== undefined);
  const all = kinds.flatMap((kind) => live.objects[kind] ?? []);
  const owner = all.find((object) => read.own !== null && 'account' in read.own && isOwn(read.own, object));
  const objects = kinds.map((kind) => {
    const listed = (live.objects[kind] ?? []).map((object) => seen(object, declared.get(object) ?? null, read, names));
    // Lists have no order of their own: `rule_order` has that of the rules.
    return [kind, listed.toSorted((a, b) => byText(String(a.id), String(b.id)))] as const;
  });
  const nameless = kinds.map(
    (kind) => [kind, (live.objects[kind] ?? []).filter(({ id }) => names.isNameless(kind, id)).length] as const,
  );
  return {
    full,
    scopes: live.scopes,
    objects: Object.fromEntries(objects),
    rule_order: live.ruleOrder,
    own: owner === undefined ? null : { type: owner.kind, id: names.id(owner.kind, owner.id) },
    nameless: Object.fromEntries(nameless.filter(([, count]) => count > 0)),
    ledger: seenLedger(read, names),
  };
}

function declaredSpecs({ bindings }: SnapshotInput): ReadonlyMap<LiveObject, Spec> {
  const bound = [...bindings.bound.values()];
  return new Map(
    bound.flatMap(({ object, resource }): readonly (readonly [LiveObject, Spec])[] =>
      object === null ? [] : [[object, resource.spec]],
    ),
  );
}

/** Fields that a snapshot shows of every object: identity, references, and what the kind calls structural. */
export function structure(kind: Kind): ReadonlySet<string> {
  const shown = Object.entries(kind.fields).filter(
    ([, field]) => field.structural === true || field.references !== undefined,
  );
  return new Set([...(kind.identity ?? []), ...shown.map(([name]) => name)]);
}

function seen(object: LiveObject, declared: Spec | null, read: SnapshotInput, names: ShownNames): SeenObject {
  const kind = KINDS[object.kind];
  const { facts } = object;
  const isSeen = (field: string): boolean => read.full || declared?.[field] !== undefined || structure(kind).has(field);
  const kept = Object.entries(object.spec).filter(([field]) => isSeen(field));
  const spec = Object.fromEntries(
    kept.map(([field, value]) => [field, masked(value, secretsOf(declared?.[field], read))]),
  );
  const others = Object.keys(kind.fields).filter((field) => isSeen(field) && object.spec[field] === undefined);
  const unread = others.filter((field) => facts.unread?.includes(field) === true);
  const unset = others.filter(
    (field) =>
      !unread.includes(field) && perVersion(kind.fields[field]?.readable ?? 'never', read.live.version) !== 'never',
  );
  const hidden = kept.filter(([field, value]) => !equalJson(spec[field], value)).map(([field]) => field);
  return {
    id: names.id(object.kind, object.id),
    name: nameOf(object, declared, read, names),
    spec: names.spec(object.kind, spec),
    ...(facts.owner === true ? { owner: true } : {}),
    ...(facts.derived === true ? { derived: true } : {}),
    ...(facts.builtin === true ? { builtin: true } : {}),
    ...(facts.pendingApproval === true ? { pending_approval: true } : {}),
    ...(facts.possiblyUnset === true ? { possibly_unset: true } : {}),
    ...(facts.members === undefined ? {} : { members: names.members(facts.members) }),
    ...spared(object, declared, read),
    ...some('unread', unread),
    ...some('unset', unset),
    ...some('masked', hidden),
  };
}

function some<N extends string>(name: N, fields: readonly string[]): { readonly [name in N]?: readonly string[] } {
  return fields.length === 0 ? {} : ({ [name]: fields } as { readonly [name in N]: readonly string[] });
}

/** Texts of the environment in the declared value: the value on the license may also have them. */
function secretsOf(declared: Json | undefined, { full, inserted }: SnapshotInput): readonly string[] {
  return full || declared === undefined ? [] : textsIn(declared, inserted);
}

/** The name, or the shown id. A person's name is shown where the files have it; other objects are found by their names. */
function nameOf(object: LiveObject, declared: Spec | null, read: SnapshotInput, names: ShownNames): string {
  const isSaid = read.desired.externals.some(({ kind, name }) => kind === object.kind && name === object.name);
  const isSeen = read.full || isSaid || !isCalledByUs(object.kind) || declared?.['name'] !== undefined;
  return isSeen ? masked(object.name, secretsOf(declared?.['name'], read)) : String(names.id(object.kind, object.id));
}

/** Why the object stays: a number in the place of its id no longer matches a glob of `protect:`. */
function spared(
  object: LiveObject,
  declared: Spec | null,
  { protects, full }: SnapshotInput,
): Pick<SeenObject, 'spared'> {
  const { kind, id, facts } = object;
  if (facts.spared !== undefined) return { spared: facts.spared };
  if (facts.preset === true) return { spared: 'it came with the license' };
  const isProtected = !full && declared === null && isCalledByUs(kind) && protects(`${kind}/${id}`);
  return isProtected ? { spared: '`protect:` covers it' } : {};
}

function seenLedger(read: SnapshotInput, names: ShownNames): SeenLedger {
  const { ledger, desired, full, moved } = read;
  const specs = new Map<Address, Spec>(desired.resources.map(({ address, spec }) => [address, spec]));
  for (const { from, to } of moved) {
    const spec = specs.get(to);
    if (spec !== undefined) specs.set(from, spec);
  }
  const sorted = <T>(entries: ReadonlyMap<Address, T>): readonly (readonly [Address, T])[] =>
    [...entries].sort(([a], [b]) => byText(a, b));
  const keep = (address: Address, field: string, kind: Kind): boolean => {
    const declared = specs.get(address);
    if (full) return true;
    if (declared === undefined) return kind.identity?.includes(field) === true;
    return declared[field] !== undefined && secretsOf(declared[field], read).length === 0;
  };
  return {
    bindings: sorted(ledger.bindings).map(([address, { id, origin }]) => ({
      address: names.address(address),
      id: names.id(kindOf(address), id),
      origin,
    })),
    applied: sorted(ledger.applied).map(([address, { spec, digests, at, reads }]) => {
      const kind = KINDS[kindOf(address)];
      const shown = (values: Spec): Spec => {
        const kept = Object.entries(values).filter(
          ([field, value]) => keep(address, field, kind) && (full || equalJson(masked(value), value)),
        );
        return names.spec(kind.name, Object.fromEntries(kept));
      };
      return {
        address: names.address(address),
        spec: shown(spec),
        digests: Object.fromEntries(Object.entries(digests).filter(([field]) => keep(address, field, kind))),
        at,
        ...(reads === undefined ? {} : { reads: shown(reads) }),
      };
    }),
    secrets: sorted(ledger.secrets).map(([address, state]) => ({ address: names.address(address), state })),
  };
}

/** Number of objects of each kind. */
export function counts({ objects }: Pick<Snapshot, 'objects'>): readonly (readonly [KindName, number])[] {
  return KIND_NAMES.flatMap((kind) => {
    const listed = objects[kind];
    return listed === undefined ? [] : [[kind, listed.length] as const];
  });
}

/** User name and password of a URL: everything before the last `@` ahead of its path. */
const USER_INFO = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#]*@/gi;

export const MASK = 'withheld';

/** The value without the user name and password of URLs, and without `secrets`. */
export function masked<T extends Json>(value: T, secrets: readonly string[] = []): T {
  return change(value, (text) =>
    secrets.reduce((left, secret) => left.replaceAll(secret, MASK), text).replaceAll(USER_INFO, `$1${MASK}@`),
  ) as T;
}

function change(value: Json, text: (value: string) => string): Json {
  if (typeof value === 'string') return text(value);
  if (isList(value)) return value.map((item) => change(item, text));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member, text)]));
}

/** The texts that are in the value. */
export function textsIn(value: Json, texts: readonly string[]): readonly string[] {
  if (typeof value === 'string') return texts.filter((text) => value.includes(text));
  if (isList(value)) return value.flatMap((item) => textsIn(item, texts));
  return isObject(value) ? Object.values(value).flatMap((member) => textsIn(member, texts)) : [];
}
