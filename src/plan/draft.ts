// Action for every declared resource and every undeclared object that may go. Decides no requests.

import { digest } from '../base/digest.ts';
import { equalJson, isObject } from '../base/json.ts';
import type {
  Address,
  Applied,
  DesiredResource,
  Json,
  LedgerState,
  LiveObject,
  ObjectId,
  Spec,
  Version,
} from '../base/model.ts';
import { oncePer } from '../base/once-per.ts';
import { perVersion } from '../kinds/field.ts';
import { isMembership, KINDS, kindOf } from '../kinds/index.ts';
import { type Kind, secretField } from '../kinds/kind.ts';
import { membersIn } from '../kinds/priority.ts';
import type { Bindings } from './binding/bind.ts';
import type { BoundResource } from './binding/claims.ts';
import {
  desiredSpec,
  diffFields,
  isInReach,
  type KnownSecret,
  liveSpec,
  type ServiceTerms,
  type StandingOf,
  withWrittenForms,
} from './diff.ts';
import type { FieldChange, Unmanaged } from './plan.ts';
import { isFormerOf, type PruneOptions, stays, staysAnyway, writerIn } from './pruning.ts';

export type Verb = 'none' | 'create' | 'update' | 'replace' | 'delete';

export interface Draft {
  readonly address: Address;
  readonly kind: Kind;
  /** null for an undeclared object. */
  readonly resource: DesiredResource | null;
  readonly object: LiveObject | null;
  /** Whether `--only` and `--except` select it. */
  readonly selected: boolean;
  /** Desired spec in the plan's terms; null for an undeclared object. */
  readonly desired: Spec | null;
  /** Live spec in the plan's terms; null for an object that does not exist. */
  readonly live: Spec | null;
  /** Differing fields, without membership. */
  readonly fields: readonly FieldChange[];
  /** Its membership as a changed field; null when no edge changes here, and until it is planned. */
  readonly edges: FieldChange | null;
  readonly verb: Verb;
  readonly adopting: boolean;
  /** Owned, but the ledger does not have the desired values: a run was cut off, or both sides changed to the same. */
  readonly unrecorded: boolean;
  /** Id of the object that the resource was bound to and that no longer exists. */
  readonly lost: ObjectId | null;
  /** An undeclared object that the ledger never owned. */
  readonly neverOwned: boolean;
  /** The option that takes with an undeclared object what was made from it on other licenses; null when that stays. */
  readonly beyond: string | null;
  /** The resource that is another spelling of its name, so that it has to go first; null for what goes for another reason, or stays. */
  readonly rival: Address | null;
  /** The spec of a create that an interrupted run deleted this object for; null when there is none. */
  readonly remaking: Spec | null;
  /** The target that writes it; null where it is this one. */
  readonly writer: string | null;
  /** Of an object that is replaced, and goes only when the new one is there: its address until then. */
  readonly former?: Address;
  /** The replacement that has to end before this one begins. */
  readonly behind?: Address;
  /** Of a new object for which there is no room yet: the one that has to go first. */
  readonly clearedBy?: Address;
  /** What it does to everything that no object of its kind names: it is the first one, or the end of the last one. */
  readonly restriction?: string;
  /** What its object is probably called now, where the service renames nothing: it is deleted and made again. */
  readonly renamed?: Address;
  /** What the service deletes with it, and the plan does not delete by itself. */
  readonly takes?: { readonly said: string; readonly addresses: readonly Address[] };
}

/** Whether it is left of a replacement that was cut off: the new object is there, so it goes whatever else holds. */
export function isFormer({ kind, address, object }: Draft): boolean {
  return object !== null && isFormerOf(kind, address, object);
}

/** The same draft with what changes of it. */
export function withChanges(made: Draft, changes: Partial<Pick<Draft, 'fields' | 'edges'>>): Draft {
  const changed = { ...made, ...changes };
  return { ...changed, verb: verbOf(changed) };
}

function verbOf(made: Pick<Draft, 'fields' | 'edges' | keyof Creatable>): Verb {
  if (made.resource === null) return 'delete';
  if (made.object === null) return isCreated(made) ? 'create' : 'none';
  if (made.fields.some(({ reach }) => reach === 'replace')) return 'replace';
  return made.edges !== null || made.fields.some(isInReach) ? 'update' : 'none';
}

type Creatable = Pick<Draft, 'resource' | 'object' | 'selected' | 'writer'>;

export function isCreated({ resource, object, selected, writer }: Creatable): boolean {
  return resource !== null && resource.leaves === undefined && object === null && selected && writer === null;
}

/** Whether a person is retired because the row is missing: a truncated table would do so to many. */
export function isLeaving({ resource, fields }: Draft): boolean {
  return resource?.leaves?.by === 'missing-row' && fields.some(isInReach);
}

/** Returns all fields that change, membership last. */
export function changedFields({ fields, edges }: Draft): readonly FieldChange[] {
  return edges === null ? fields : [...fields, edges];
}

export interface DraftOptions extends ServiceTerms, PruneOptions {
  readonly applied: LedgerState['applied'];
  readonly remaking: LedgerState['remaking'];
  readonly secrets: LedgerState['secrets'];
  readonly standingOf: StandingOf;
  /** Whether a secret that is kept can be read, so that an object that is made again keeps it. */
  readonly readsSecrets: boolean;
  /** Whether the user acknowledged an address. */
  readonly asks: (address: Address) => boolean;
  readonly pruneInstalledBots: boolean;
  /** `desired` is only a part of the manifest. */
  readonly partial: boolean;
}

function declaredDraft(bindings: Bindings, options: DraftOptions, bound: BoundResource): Draft {
  const { resource, object, lost } = bound;
  const { address } = resource;
  const kind = KINDS[resource.kind];
  const desired = desiredSpec(kind, resource.spec, bindings);
  const selected = options.selects(address);
  const writer = writerIn(kind, { key: resource.key, spec: desired }, options);
  const isOurs = selected && writer === null;
  const isMade = isOurs && object === null && resource.leaves === undefined;
  const remaking = isMade ? (options.remaking.get(address) ?? null) : null;
  const { live, differing, isRecorded } =
    object === null
      ? {
          live: null,
          differing: isMade
            ? createdFields(kind, { ...remade(kind, remaking, desired), ...desired }, options.version)
            : [],
          isRecorded: true,
        }
      : comparedWith(object, { desired, selected }, bound, { bindings, options });
  const fields = writer === null ? differing : differing.map((change) => writtenBy(writer, change));
  const isReplaced = fields.some(({ reach }) => reach === 'replace');
  const own = isReplaced
    ? [...fields.map(replacedToo), ...unkeptSecret(kind, address, desired, fields, options)]
    : fields;
  return {
    address,
    kind,
    resource,
    object,
    selected,
    desired,
    live,
    fields: own,
    edges: null,
    verb: verbOf({ resource, object, selected, writer, fields: own, edges: null }),
    adopting: isOurs && object !== null && !bound.owned,
    unrecorded: isOurs && bound.owned && !isRecorded,
    lost,
    neverOwned: false,
    beyond: null,
    rival: null,
    remaking,
    writer,
  };
}

/** What a resource has of its object: the live spec, the fields that differ, and whether the ledger has a record of all the others. */
function comparedWith(
  object: LiveObject,
  { desired, selected }: Pick<Draft, 'selected'> & { readonly desired: Spec },
  bound: BoundResource,
  { bindings, options }: { readonly bindings: Bindings; readonly options: DraftOptions },
) {
  const { address, kind: name } = bound.resource;
  const kind = KINDS[name];
  // What was applied to an object that is gone says nothing of the one in its place.
  const applied = bound.lost === null ? options.applied.get(address) : undefined;
  const read = liveSpec(kind, object, bindings);
  const last = {
    applied: applied ?? null,
    complete: bound.made && applied !== undefined,
    ...(secretField(kind) === null ? {} : { secret: knownSecret(bound, options) }),
  };
  const live = applied === undefined ? read : withWrittenForms(kind, read, applied, desired);
  const differing = selected ? diffFields(kind, desired, object, live, last, options) : [];
  const isRecorded = applied !== undefined && (options.partial || recordsAll(kind, desired, applied));
  return { live, differing, isRecorded };
}

/** Only another target may close the difference. */
function writtenBy(writer: string | null, change: FieldChange): FieldChange {
  return { ...change, reach: 'unreachable', reason: `only target ${writer} writes it` };
}

function knownSecret({ resource: { address }, made, lost }: BoundResource, options: DraftOptions): KnownSecret {
  const { secrets, standingOf, asks } = options;
  return {
    standingOf,
    made,
    lost: secrets.get(address) === 'lost',
    isAnother: lost !== null,
    asked: asks(address),
    address,
  };
}

/** Whether the ledger records the desired value of every field, and no field that is no longer declared. */
function recordsAll(kind: Kind, desired: Spec, applied: Applied): boolean {
  for (const known of [applied.spec, applied.digests])
    for (const name of Object.keys(known)) if (desired[name] === undefined) return false;
  for (const name of Object.keys(desired)) {
    const wish = desired[name];
    const known = applied.spec[name];
    const written = applied.digests[name];
    if (known === undefined ? isWritten(kind, name, wish, written) : equalJson(known, wish)) continue;
    if (kind.fields[name]?.option !== true) return false;
  }
  return true;
}

/** Whether a digest is of the value, or the value is secret: a secret of which the ledger has no digest is a difference. */
function isWritten({ fields }: Kind, name: string, wish: Json | undefined, written: string | undefined): boolean {
  return fields[name]?.secret === true || written === digest(wish ?? null);
}

/** The secret of a replaced object that chatform makes, where no place tells the one that it has. */
function unkeptSecret(
  kind: Kind,
  address: Address,
  desired: Spec,
  found: readonly FieldChange[],
  { secrets, readsSecrets }: DraftOptions,
): readonly FieldChange[] {
  const name = secretField(kind);
  if (name === null || desired[name] !== undefined || found.some(({ field }) => field === name)) return [];
  if (readsSecrets && secrets.get(address) === 'kept') return [];
  const reason = 'no place tells the one that it has, so a new one is made';
  return [{ field: name, before: null, after: null, reach: 'replace', reason }];
}

/** A replaced object gets all its fields, those that may not differ included. */
function replacedToo(change: FieldChange): FieldChange {
  const reason = 'whether it differs is unknown, and it is made again with the others';
  return change.reach === 'unreadable' ? { ...change, reach: 'replace', reason } : change;
}

/** Returns the fields of an object that does not exist yet. Fields that a create cannot carry follow by a transition. */
function createdFields(kind: Kind, desired: Spec, version: Version): readonly FieldChange[] {
  const changes: FieldChange[] = [];
  for (const [name, after] of Object.entries(desired)) {
    const field = kind.fields[name];
    if (field === undefined || field.option === true) continue;
    const writable = perVersion(field.writable, version);
    const isLate = writable === 'transition' && field.onCreate === undefined;
    const reach = writable === 'never' ? 'unreachable' : isLate ? 'transition' : 'write';
    const reason = writable === 'never' ? `${version} has no way to set it; leave it out` : null;
    const given = isMembership(kind.name, name) && isObject(after) ? membersIn(after) : after;
    changes.push({ field: name, before: null, after: given, reach, reason });
  }
  return changes;
}

function undeclaredDraft(bindings: Bindings, address: Address, object: LiveObject, options: DraftOptions): Draft {
  const kind = KINDS[kindOf(address)];
  const applied = options.applied.get(address);
  const read = liveSpec(kind, object, bindings);
  const live = applied === undefined ? read : withWrittenForms(kind, read, applied, null);
  return {
    address,
    kind,
    resource: null,
    object,
    selected: true,
    desired: null,
    live,
    fields: [],
    edges: null,
    verb: 'delete',
    adopting: false,
    unrecorded: false,
    lost: null,
    neverOwned: bindings.neverOwned.has(address),
    rival: bindings.inTheWay.get(object) ?? null,
    beyond: options.pruneInstalledBots ? (optionsOf(kind)[0] ?? null) : null,
    remaking: null,
    writer: null,
  };
}

/** Drafts what is declared, kind by kind, then what is undeclared and may go; each sorted by address. */
export function draft(
  bindings: Bindings,
  options: DraftOptions,
): { readonly drafts: readonly Draft[]; readonly released: readonly Unmanaged[] } {
  const drafts = Array.from(bindings.bound.values(), (bound) => declaredDraft(bindings, options, bound));
  const released: Unmanaged[] = [];
  for (const [address, object] of bindings.undeclared) {
    const isInTheWay = bindings.inTheWay.has(object);
    const reason = isInTheWay
      ? staysAnyway(object, address, options)
      : bindings.neverOwned.has(address)
        ? null
        : (bindings.keptBecause.get(object) ?? stays(object, address, options));
    // One that is in the way and stays is a problem of the plan.
    if (reason !== null && isInTheWay) continue;
    if (reason === null) drafts.push(undeclaredDraft(bindings, address, object, options));
    else released.push({ type: object.kind, id: object.id, name: object.name, released: address, reason });
  }
  return { drafts: withDependents(drafts), released };
}

/** Writes objects that depend on a replaced one again, equal or not; a kind without an update replaces them. */
function withDependents(drafts: readonly Draft[]): readonly Draft[] {
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
    return withChanges(made, { fields });
  });
}

/** Whether a create or an update is sent for the fields alone, so that edges can travel with it at no cost. */
export function writtenAnyway(made: Draft): boolean {
  return isCreated(made) || made.fields.some(({ reach }) => reach === 'write' || reach === 'unverified');
}

/** Merges the declared fields with those of the former object that a replacement keeps. */
export function remade(kind: Kind, former: Spec | null, desired: Spec): Spec {
  return former === null ? desired : (kind.replacing?.remade(former, desired) ?? desired);
}

/** Fields that no object has: a write of it also reaches other licenses. */
export const optionsOf = oncePer(({ fields }: Kind): readonly string[] =>
  Object.keys(fields).filter((name) => fields[name]?.option === true),
);
