// Bindings in; for every declared resource and every orphan, what should happen to it, out. Decides actions, not yet requests.

import { digest } from '../base/digest.ts';
import { equalJson } from '../base/json.ts';
import type {
  Address,
  Applied,
  DesiredResource,
  Json,
  KindName,
  LedgerState,
  LiveObject,
  ObjectId,
  Spec,
  Version,
} from '../base/model.ts';
import { isMembership, KINDS, kindOf } from '../kinds/index.ts';
import { type Kind, perVersion } from '../kinds/kind.ts';
import { splitName } from '../kinds/namespaced.ts';
import type { Bindings } from './binding/bind.ts';
import type { Bound } from './binding/claims.ts';
import { desiredSpec, diffFields, liveSpec, type Service } from './diff.ts';
import type { FieldChange, Unmanaged } from './plan.ts';
import { isInReach } from './reach.ts';

export type Verb = 'none' | 'create' | 'update' | 'replace' | 'delete';

/** A draft while its membership is not planned yet. */
export interface OwnDraft {
  readonly address: Address;
  readonly kind: Kind;
  /** null for an orphan. */
  readonly resource: DesiredResource | null;
  readonly object: LiveObject | null;
  /** `--only` and `--except` leave it in. */
  readonly selected: boolean;
  /** Desired spec in the plan's terms; null for an orphan. */
  readonly desired: Spec | null;
  /** Live spec in the plan's terms; null for an object that does not exist. */
  readonly live: Spec | null;
  /** Differing fields, without membership. */
  readonly fields: readonly FieldChange[];
  readonly adopting: boolean;
  /** Owned and up to date, but the ledger has no record of it: a run was cut off, or both sides changed to the same. */
  readonly unrecorded: boolean;
  /** Id of the object that the resource was bound to, and that is gone. */
  readonly lost: ObjectId | null;
  /** An orphan that was never owned. */
  readonly foreign: boolean;
  /** What a run deleted this object to make again, and was killed before it did; null when there was none. */
  readonly remaking: Spec | null;
}

/** One resource on its way into the plan. */
export interface Draft extends OwnDraft {
  /** Its membership as a field that changes; null when no edge changes here. */
  readonly edges: FieldChange | null;
  readonly verb: Verb;
}

/** The draft with its planned membership, and with the verb that follows. */
export function withEdges(made: OwnDraft, edges: FieldChange | null): Draft {
  return { ...made, edges, verb: verbOf(made, edges) };
}

function verbOf(made: OwnDraft, edges: FieldChange | null): Verb {
  if (made.resource === null) return 'delete';
  if (made.object === null) return isCreated(made) ? 'create' : 'none';
  if (made.fields.some(({ reach }) => reach === 'replace')) return 'replace';
  return edges !== null || made.fields.some(isInReach) ? 'update' : 'none';
}

/** Whether this run creates the object. */
export function isCreated({ resource, object, selected }: OwnDraft): boolean {
  return resource !== null && object === null && selected;
}

/** All fields that change, membership last. */
export function changedFields({ fields, edges }: Draft): readonly FieldChange[] {
  return edges === null ? fields : [...fields, edges];
}

/** What may happen to an object that nothing declares. */
export interface PruneOptions {
  /** What `--only` and `--except` leave in. */
  readonly selects: (address: Address) => boolean;
  readonly protects: (address: Address) => boolean;
  /** The agent whose token this is. */
  readonly isOwn: (object: LiveObject) => boolean;
  readonly prune: (kind: KindName) => 'owned' | 'none' | 'all';
}

export interface DraftOptions extends Service, PruneOptions {
  readonly applied: LedgerState['applied'];
  readonly remaking: LedgerState['remaking'];
  /** The manifest's word is not the whole of what is wished for. */
  readonly partial: boolean;
}

function declaredDraft(bindings: Bindings, options: DraftOptions, bound: Bound): OwnDraft {
  const { resource, object } = bound;
  const { address } = resource;
  const kind = KINDS[resource.kind];
  const desired = desiredSpec(kind, resource.spec, bindings);
  const isSelected = options.selects(address);
  if (object === null) {
    const remaking = isSelected ? (options.remaking.get(address) ?? null) : null;
    const whole = remaking === null ? desired : { ...remade(kind, remaking, desired), ...desired };
    return {
      address,
      kind,
      resource,
      object,
      selected: isSelected,
      desired,
      live: null,
      fields: isSelected ? createdFields(kind, whole, options.version) : [],
      adopting: false,
      unrecorded: false,
      lost: bound.lost,
      foreign: false,
      remaking,
    };
  }
  const live = liveSpec(kind, object, bindings);
  const applied = options.applied.get(address);
  const sure = { applied: applied ?? null, complete: bound.made && applied !== undefined };
  const found = isSelected ? diffFields(kind, desired, object, live, sure, options) : [];
  const isRecorded = applied !== undefined && (options.partial || saysAll(kind, desired, applied, found));
  return {
    address,
    kind,
    resource,
    object,
    selected: isSelected,
    desired,
    live,
    fields: found.some(({ reach }) => reach === 'replace') ? found.map(withTheOthers) : found,
    adopting: isSelected && !bound.owned,
    unrecorded: isSelected && bound.owned && !isRecorded,
    lost: bound.lost,
    foreign: false,
    remaking: null,
  };
}

/** Whether the ledger has the last word of every field that is in reach, and none of a field that is not declared any more. */
function saysAll(kind: Kind, desired: Spec, applied: Applied, found: readonly FieldChange[]): boolean {
  for (const known of [applied.spec, applied.digests])
    for (const name of Object.keys(known)) if (desired[name] === undefined) return false;
  for (const name of Object.keys(desired)) {
    const wish = desired[name];
    const known = applied.spec[name];
    if (known === undefined ? applied.digests[name] === digest(wish ?? null) : equalJson(known, wish)) continue;
    const isOpen = kind.fields[name]?.option === true || found.some(({ field }) => field === name);
    if (!isOpen) return false;
  }
  return true;
}

/** An object that is made again gets all its fields, those that nobody can tell from the desired ones too. */
function withTheOthers(change: FieldChange): FieldChange {
  const reason = 'nobody can tell whether it differs, and it is made again with the others';
  return change.reach === 'unreadable' ? { ...change, reach: 'replace', reason } : change;
}

/** The fields of an object that does not exist yet; those a create cannot carry follow by an action of their own. */
function createdFields(kind: Kind, desired: Spec, version: Version): readonly FieldChange[] {
  const changes: FieldChange[] = [];
  for (const [name, after] of Object.entries(desired)) {
    const field = kind.fields[name];
    if (field === undefined || field.option === true) continue;
    const writable = perVersion(field.writable, version);
    const isLate = writable === 'transition' && field.onCreate === undefined;
    const reach = writable === 'never' ? 'unreachable' : isLate ? 'transition' : 'write';
    const reason = writable === 'never' ? `${version} has no way to set it; leave it out` : null;
    changes.push({ field: name, before: null, after, reach, reason });
  }
  return changes;
}

function orphanDraft(bindings: Bindings, address: Address, object: LiveObject): OwnDraft {
  const kind = KINDS[kindOf(address)];
  const live = liveSpec(kind, object, bindings);
  return {
    address,
    kind,
    resource: null,
    object,
    selected: true,
    desired: null,
    live,
    fields: [],
    adopting: false,
    unrecorded: false,
    lost: null,
    foreign: bindings.foreign.has(address),
    remaking: null,
  };
}

/** Why an undeclared object stays although the ledger says it is ours, or nothing but the declared is to be there; null when it goes. */
export function stays(object: LiveObject, address: Address, options: PruneOptions): string | null {
  if (object.facts.owner === true) return 'the owner of the license is never deleted';
  if (options.isOwn(object)) return 'it is the agent of the token';
  if (object.facts.builtin === true) return 'it came with the license';
  if (object.facts.derived === true) return 'it is made by a bot template';
  const permanent = KINDS[object.kind].permanent?.(object) ?? null;
  if (permanent !== null) return permanent;
  if ([address, ...namesOf(object)].some(options.protects)) return '`protect:` covers it';
  if (!options.selects(address)) return 'it is left out by --only or --except';
  if (options.prune(object.kind) === 'none')
    return `${KINDS[object.kind].noun.many} are kept, unless \`prune: { ${object.kind}: owned }\` is set${offer(object, address)}`;
  return null;
}

/** What a person may call an object that nothing declares, beside the address that a plan has for it. */
export function namesOf({ kind, id, name }: LiveObject): readonly Address[] {
  return [`${kind}/${id}`, `${kind}/${name}`];
}

/** What could be declared of an object that is kept and no longer needed. */
function offer({ kind, spec }: LiveObject, address: Address): string {
  const { at, retired } = KINDS[kind];
  if (retired === undefined || Object.entries(retired).every(([field, value]) => equalJson(spec[field] ?? null, value)))
    return '';
  const fields = Object.entries(retired).map(([field, value]) => `${field}: ${JSON.stringify(value)}`);
  return `; to retire it instead, declare \`${at[0]}: { ${splitName(address)[1]}: { ${fields.join(', ')} } }\``;
}

/** What is declared, kind by kind, then the orphans; each sorted by address. */
export function draft(
  bindings: Bindings,
  options: DraftOptions,
): { readonly drafts: readonly OwnDraft[]; readonly released: readonly Unmanaged[] } {
  const drafts = Array.from(bindings.bound.values(), (bound) => declaredDraft(bindings, options, bound));
  const released: Unmanaged[] = [];
  for (const [address, object] of bindings.orphans) {
    const reason = bindings.foreign.has(address) ? null : stays(object, address, options);
    if (reason === null) drafts.push(orphanDraft(bindings, address, object));
    else released.push({ type: object.kind, id: object.id, name: object.name, released: address, reason });
  }
  return { drafts: rewritten(drafts), released };
}

/** Objects that depend on a replaced one are written again, equal or not; a kind without an update makes them again. */
function rewritten(drafts: readonly OwnDraft[]): readonly OwnDraft[] {
  const replaced = new Set(
    drafts
      .filter(({ fields }) => fields.some(({ reach }) => reach === 'replace'))
      .map(({ address }) => address as string),
  );
  if (replaced.size === 0) return drafts;
  return drafts.map((made) => {
    const parent = made.kind.parents?.(made.resource?.key ?? '').find((each) => replaced.has(each));
    if (parent === undefined || made.object === null || made.desired === null || made.fields.some(isInReach))
      return made;
    const isUpdated = made.kind.update !== undefined;
    const fields = Object.entries(made.desired).map(
      ([field, after]): FieldChange => ({
        field,
        before: made.live?.[field] ?? null,
        after,
        reach: isUpdated ? 'write' : 'replace',
        reason: `${parent} is replaced, so it is applied again`,
      }),
    );
    return { ...made, verb: isUpdated ? 'update' : 'replace', fields };
  });
}

/** Whether a create or update is sent for the fields alone, so that more of them travel for free. */
export function writtenAnyway(made: OwnDraft): boolean {
  return isCreated(made) || made.fields.some(({ reach }) => reach === 'write' || reach === 'unverified');
}

/** What is declared, and of the object that it takes the place of, all that is not. */
function remade(kind: Kind, former: Spec | null, desired: Spec): Spec {
  return former === null ? desired : (kind.replacing?.remade(former, desired) ?? desired);
}

/** The value of every field that a create or an update of this draft sends. */
export function sent(made: Draft): Spec {
  const desired = made.desired ?? {};
  if (made.verb === 'replace') return { ...identity(made), ...remade(made.kind, made.live, desired) };
  const carried = new Set<string>();
  for (const { field, reach } of made.fields) if (reach === 'write' || reach === 'unverified') carried.add(field);
  const fields: Record<string, Json> = { ...identity(made) };
  for (const [name, value] of Object.entries(remade(made.kind, made.remaking, desired))) {
    const field = made.kind.fields[name];
    if (!isMembership(made.kind.name, name) && (carried.has(name) || field?.option === true)) fields[name] = value;
  }
  return fields;
}

/** Fields that every write of an existing object must carry. */
export function identity(made: Draft): Spec {
  if (made.verb === 'create') return {};
  const source: { readonly [name: string]: Json } = { ...made.live, ...made.desired };
  return Object.fromEntries(
    (made.kind.identifying ?? []).flatMap((name) => (source[name] === undefined ? [] : [[name, source[name]]])),
  );
}
