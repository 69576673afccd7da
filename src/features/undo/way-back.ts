// How one resource is taken back to what it was before a run, and what does not come back.

import { equalJson, isList, isObject } from '../../base/json.ts';
import type {
  Address,
  Json,
  KindName,
  LedgerState,
  Live,
  LiveObject,
  ObjectId,
  Reference,
  Spec,
} from '../../base/model.ts';
import { oncePer } from '../../base/once-per.ts';
import { type Field, perVersion } from '../../kinds/field.ts';
import { normalise } from '../../kinds/fields.ts';
import { isMembership, KINDS, kindOf, MEMBERSHIP } from '../../kinds/index.ts';
import type { Kind, Report } from '../../kinds/kind.ts';
import { splitName } from '../../kinds/namespaced.ts';
import { membersIn } from '../../kinds/priority.ts';
import { isOnlyMoved, parentsOf, type ResourceTrace } from '../../ledger/footprint.ts';
import type { Bindings } from '../../plan/binding/bind.ts';
import { desiredSpec, isRefused, liveSpec, readsAsUnsetBefore, withWrittenForms } from '../../plan/diff.ts';

export type WayBack =
  | { readonly way: 'delete' }
  | {
      readonly way: 'restore';
      readonly spec: Spec;
      /** The id to make it again with; null where the service chooses, and for an object that exists. */
      readonly id: ObjectId | null;
      /** What of it does not come back, one line each. */
      readonly losses: readonly string[];
      /** The license shows a default in its place, which is no object of others. */
      readonly overDefault: boolean;
    }
  /** Nothing has to be done, perhaps because somebody did it. */
  | { readonly way: 'none'; readonly reason?: string }
  /** It changed after the run, or must not be changed. */
  | { readonly way: 'left-out'; readonly reason: string }
  /** No request can take it back. */
  | { readonly way: 'stuck'; readonly reason: string };

export interface WayBackContext extends UndoContext {
  /** Resources that the undo makes again, so that others may refer to them. */
  readonly reborn: ReadonlySet<Address>;
  /** What the run changed. */
  readonly traced: ReadonlySet<Address>;
  /** Memberships that accounts lost in the run: an account in the place of one has them also where no file says so. */
  readonly formerGroups: Spec;
}

/** How to take back what the run did to the resource. */
export function wayBack(trace: ResourceTrace, setting: WayBackContext): WayBack {
  const { address, boundBy, madeAgainBy, account, before } = trace;
  if (boundBy !== null) return leftOut(`run ${boundBy.slice(0, 8)} bound another object to it since`);
  if (madeAgainBy !== null && setting.bindings.bound.get(address)?.owned === true)
    return { way: 'none', reason: `run ${madeAgainBy.slice(0, 8)} made it again` };
  const now = setting.bindings.bound.get(address)?.object?.facts.account;
  if (account !== null && now !== undefined && account !== now) return leftOut('its account is another one since');
  return before === null ? unmade(trace, setting) : remade(trace, before, setting);
}

function deletedText(run: string): string {
  return `run ${run.slice(0, 8)} deleted it`;
}

function leftOut(reason: string): WayBack {
  return { way: 'left-out', reason };
}

/** Deletes what the run created, unless it changed after the run. */
function unmade({ address, left, deletedBy, rewritten }: ResourceTrace, setting: WayBackContext): WayBack {
  const { ledger, bindings } = setting;
  const bound = bindings.bound.get(address);
  const object = bound?.owned === true ? bound.object : null;
  if (object === null) {
    if (deletedBy !== null) return { way: 'none', reason: deletedText(deletedBy) };
    if (openCreates(ledger.intents).has(address))
      return leftOut('it is not known yet whether it was created; the next apply finds out');
    return ledger.bindings.has(address) || left.state === 'deleted' || left.state === 'unknown'
      ? { way: 'none' }
      : leftOut('it is no longer owned, or gone');
  }
  switch (left.state) {
    case 'deleted':
      return leftOut('it was made since, and not by this run');
    case 'applied': {
      const made = { ...filledIn(address, object, setting), ...left.spec };
      const changed = changedSince(object, { left: made, wanted: {}, rewritten }, Object.keys(made), setting);
      return changed.length === 0 ? { way: 'delete' } : leftOut(sinceText(changed));
    }
    case 'unknown':
      return { way: 'delete' };
  }
}

/** What a new object has where its run wrote nothing, as far as that is known: defaults, and the members that are declared on the other side. */
function filledIn(address: Address, object: LiveObject, { ledger, bindings, formerGroups }: WayBackContext): Spec {
  const { name: kind, fields } = KINDS[kindOf(address)];
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]): readonly (readonly [string, Json])[] => {
      if (isMembership(kind, name)) {
        const now = liveSpec(KINDS[object.kind], object, bindings)[name];
        const taken = Object.entries(isObject(now) ? now : {}).filter(
          ([end, priority]) => formerGroups[end] === priority,
        );
        return [[name, { ...Object.fromEntries(taken), ...declaredEnds(ledger.applied).get(address) }]];
      }
      const { absent, default: usual = absent, chosen = false } = field;
      return usual === undefined || chosen ? [] : [[name, usual]];
    }),
  );
}

/** By address: memberships that were applied from the other side. */
const declaredEnds = oncePer((applied: LedgerState['applied']): ReadonlyMap<Reference, Spec> => {
  const ends = new Map<Reference, { [other: Address]: Json }>();
  for (const [address, { spec }] of applied)
    for (const { kind, field } of Object.values(MEMBERSHIP)) {
      const edges = kindOf(address) === kind.name ? spec[field] : undefined;
      if (!isObject(edges)) continue;
      for (const [other, priority] of Object.entries(membersIn(edges)))
        ends.set(other, { ...ends.get(other), [address]: priority });
    }
  return ends;
});

/** Addresses of creates without an answer. */
const openCreates = oncePer(
  (intents: LedgerState['intents']): ReadonlySet<Address> =>
    new Set([...intents.values()].map(({ address }) => address)),
);

function sinceText(fields: readonly string[]): string {
  return `${fields.join(', ')} ${fields.length === 1 ? 'was' : 'were'} changed since`;
}

function remade(trace: ResourceTrace, before: Spec, setting: WayBackContext): WayBack {
  const bound = setting.bindings.bound.get(trace.address);
  const object = bound?.object ?? null;
  if (object === null) {
    if (trace.left.state === 'applied') {
      const reason = trace.deletedBy === null ? 'it is gone from the license' : deletedText(trace.deletedBy);
      return isOnlyMoved(trace) ? { way: 'none', reason } : leftOut(reason);
    }
    return madeAgain(trace, before, setting);
  }
  const isFormer = ({ id }: LiveObject): boolean => String(id) === String(trace.id);
  // The run was cut off between the two requests of a replacement.
  if (!isFormer(object) && (setting.live.objects[object.kind] ?? []).some(isFormer))
    return leftOut('what the run was to replace is still there; the next apply ends that');
  if (trace.left.state === 'deleted')
    return readsAsUnsetBefore(splitName(trace.address)[1], object, setting.ledger)
      ? madeAgain(trace, before, setting)
      : leftOut('it exists again, or one like it');
  if (bound?.owned !== true) return leftOut('it is no longer owned');
  return putBack(trace, before, object, setting);
}

function putBack(trace: ResourceTrace, before: Spec, object: LiveObject, setting: WayBackContext): WayBack {
  const kind = KINDS[object.kind];
  const known = Object.entries(before).filter(([, value]) => value !== null);
  const wanted = inTerms(kind, Object.fromEntries(known), setting);
  const changed =
    trace.left.state === 'applied'
      ? changedSince(
          object,
          { left: trace.left.spec, wanted, rewritten: trace.rewritten },
          Object.keys(wanted),
          setting,
        )
      : [];
  if (changed.length > 0) return leftOut(sinceText(changed));
  const fitting = writable(trace.address, wanted, setting);
  if (fitting.missing !== null) return leftOut(fitting.missing);
  const unknown = [
    ...Object.keys(before).filter((name) => before[name] === null),
    ...unseen(trace, kind, setting.live),
  ];
  const losses = [...fitting.losses, ...outgrown(object, kind, wanted, setting), ...unknownText(unknown)];
  return { way: 'restore', spec: fitting.spec, id: null, losses, overDefault: false };
}

/** Members that a value did not declare before the run stay as they are. */
function outgrown(object: LiveObject, kind: Kind, wanted: Spec, { bindings, live }: WayBackContext): readonly string[] {
  const now = liveSpec(kind, object, bindings);
  return Object.entries(wanted).flatMap(([name, value]) => {
    const [present, align] = [now[name], kind.fields[name]?.align];
    if (
      present === undefined ||
      align === undefined ||
      isMembership(kind.name, name) ||
      equalJson(align(present, value, live.version), present)
    )
      return [];
    return [`${name}: what it did not say before stays as it is`];
  });
}

/** Fields that the run changed, or perhaps, and whose old value is unknown, because the ledger has only digests of them. */
function unseen({ known, left, isPieced }: ResourceTrace, kind: Kind, { version }: Live): readonly string[] {
  const digests = left.state === 'applied' ? left.digests : {};
  const perhaps = Object.keys(kind.fields).filter((name) => {
    const field = kind.fields[name];
    return (
      field !== undefined && field.option !== true && !['list', 'get'].includes(perVersion(field.readable, version))
    );
  });
  const names = isPieced || left.state !== 'applied' ? perhaps : Object.keys(digests);
  return names.filter((name) => digests[name] === undefined || digests[name] !== known?.digests[name]);
}

function unknownText(names: readonly string[]): readonly string[] {
  return names.length === 0
    ? []
    : [`not known, and left as ${names.length === 1 ? 'it is' : 'they are'}: ${names.join(', ')}`];
}

function madeAgain(trace: ResourceTrace, before: Spec, setting: WayBackContext): WayBack {
  const kind = KINDS[kindOf(trace.address)];
  const { version } = setting.live;
  const image: Spec = { ...trace.known?.spec, ...before };
  const wanted = inTerms(kind, Object.fromEntries(Object.entries(image).filter(given(kind))), setting);
  const { spec, losses, missing } = writable(trace.address, wanted, setting);
  if (missing !== null) return leftOut(missing);
  const lacking = kind.required.filter((name) => spec[name] === undefined);
  if (lacking.length > 0)
    return leftOut(
      `it cannot be made again: its ${lacking.join(' and ')} ${lacking.length === 1 ? 'is' : 'are'} unknown`,
    );
  const unknown = Object.entries(kind.fields)
    .filter(([name, field]) => image[name] === undefined && field.option !== true)
    .filter(([, field]) => perVersion(field.writable, version) !== 'never')
    .map(([name]) => name);
  return {
    way: 'restore',
    spec,
    id: kind.choosesId === true ? trace.id : null,
    overDefault: true,
    losses: [
      ...(kind.id !== undefined && kind.choosesId !== true ? ['it gets a new id'] : []),
      ...(kind.secret?.versions.includes(version) === true ? ['it gets a new secret'] : []),
      ...(kind.forfeits === undefined ? [] : [kind.forfeits]),
      ...losses,
      ...(unknown.length === 0 ? [] : [`not known, and left out: ${unknown.join(', ')}`]),
    ],
  };
}

/** Whether a create must give the value: an action of its own that only repeats the default would be refused, or could not be taken back. */
function given(kind: Kind): (entry: readonly [string, Json]) => boolean {
  return ([name, value]) => {
    const field = kind.fields[name];
    if (field === undefined || value === null) return false;
    return field.writable === 'always' || field.writable === 'create' || !equalJson(value, field.absent);
  };
}

interface WritablePart {
  readonly spec: Spec;
  readonly losses: readonly string[];
  /** Why the spec cannot hold without an object that is gone. */
  readonly missing: string | null;
}

/** The part of a spec that can be written now: referenced objects may be gone, and some readable values are not writable. */
function writable(address: Address, wanted: Spec, setting: WayBackContext): WritablePart {
  const kind = KINDS[kindOf(address)];
  const { spec, losses, missing } = referring(kind, wanted, setting);
  const parents = parentsOf(address);
  const unowned = parents.find((parent) => !isWithId(parent, setting));
  if (unowned !== undefined)
    return { spec, losses, missing: `the ledger no longer owns ${unowned}, which it is a value of` };
  const gone = parents.find((parent) => isGone(parent, setting));
  if (gone !== undefined) return { spec, losses, missing: `${gone}, which it is a value of, is gone` };
  const unfit = new Map<string, string>();
  const report: Report = ([name], _code, message, _remedy, severity = 'error') => {
    if (severity === 'error' && typeof name === 'string') unfit.set(name, `${name}: ${message}`);
  };
  kind.check?.(spec, report, setting.live.version);
  const fitting = Object.entries(spec).filter(([name]) => !unfit.has(name));
  return { spec: Object.fromEntries(fitting), losses: [...losses, ...unfit.values()], missing };
}

/** Whether the id of what a value belongs to is known or needs not be. */
function isWithId(parent: Address, { bindings, reborn }: WayBackContext): boolean {
  return KINDS[kindOf(parent)].identity === undefined || bindings.ids.has(parent) || reborn.has(parent);
}

/** Whether what the ledger knows as there, or as changed by the run, is not on the license, and does not come back. */
function isGone(parent: Address, { bindings, ledger, live, reborn, traced }: WayBackContext): boolean {
  const isKnown = ledger.bindings.has(parent) || traced.has(parent);
  return isKnown && live.objects[kindOf(parent)] !== undefined && !reborn.has(parent) && !bindings.ids.has(parent);
}

/** Leaves out entries of a map whose object is gone. A list must keep everything that it names. */
function referring(kind: Kind, spec: Spec, setting: WayBackContext): WritablePart {
  const kept: Record<string, Json> = { ...spec };
  const losses: string[] = [];
  for (const [name, { references }] of Object.entries(kind.fields)) {
    const value = spec[name];
    if (references === undefined || value === undefined) continue;
    const isThere = (reference: string): boolean =>
      reference === references.besides ||
      exists(references.kind, reference, setting) ||
      setting.reborn.has(reference as Address);
    if (references.at === 'keys' && isObject(value)) {
      const gone = new Set(Object.keys(value).filter((reference) => !isThere(reference)));
      kept[name] = Object.fromEntries(Object.entries(value).filter(([reference]) => !gone.has(reference)));
      if (gone.size > 0)
        losses.push(
          `${name} without what is gone: ${[...gone].map((each) => nameOf(references.kind, each)).join(', ')}`,
        );
    } else {
      const list = references.under !== undefined && isObject(value) ? value[references.under] : value;
      if (isList(list) && list.length === 0)
        return { spec, losses, missing: `${name} named something that was gone already` };
      const gone = isList(list) ? list.map(String).find((reference) => !isThere(reference)) : undefined;
      if (gone !== undefined)
        return { spec, losses, missing: `${name} needs ${nameOf(references.kind, gone)}, which is gone` };
    }
  }
  return { spec: kept, losses, missing: null };
}

/** An unmanaged object by its kind and id. */
function nameOf(kind: KindName, reference: Reference): string {
  return /^\w+$/.test(reference) && KINDS[kind].choosesId !== true ? `${kind} ${reference}` : reference;
}

/** The license that an undo is planned for. */
export interface UndoContext {
  readonly bindings: Bindings;
  readonly live: Live;
  readonly ledger: LedgerState;
}

/** Fields around a run. */
interface Around {
  readonly left: Spec;
  readonly wanted: Spec;
  readonly rewritten: ReadonlySet<string>;
}

/** Fields among `names` that are neither `wanted` nor as the run left them. Fields that the run did not write, or that cannot be read, do not count. */
export function changedSince(
  object: LiveObject,
  { left, wanted, rewritten }: Around,
  names: readonly string[],
  context: UndoContext,
): readonly string[] {
  const kind = KINDS[object.kind];
  const applied = context.ledger.applied.get(context.bindings.referenceTo(object.kind, object.id) as Address);
  const read = liveSpec(kind, object, context.bindings);
  const now = applied === undefined ? read : withWrittenForms(kind, read, applied, null);
  const then = inTerms(kind, left, context);
  return names.filter((name) => {
    const field = kind.fields[name];
    if (field === undefined || field.option === true || object.facts.unread?.includes(name) === true) return false;
    if (perVersion(field.readable, context.live.version) === 'never' || then[name] === undefined) return false;
    if (isRefused(name, field, now)) return true;
    const value = now[name] ?? field.absent;
    if (value === undefined) return false;
    if (isSame(field, value, wanted[name], context)) return false;
    return rewritten.has(name) || !isSame(field, value, then[name], context);
  });
}

/** A spec of the ledger in the terms of the license as it is now. */
export function inTerms(kind: Kind, spec: Spec, { bindings }: UndoContext): Spec {
  return desiredSpec(kind, normalise(kind, spec), bindings);
}

function isSame(field: Field, now: Json, known: Json | undefined, context: UndoContext): boolean {
  if (known === undefined) return false;
  const aligned = field.align?.(now, known, context.live.version) ?? now;
  return equalJson(existing(field, aligned, context), existing(field, known, context));
}

/** A map with only the entries of objects that exist: an entry goes with its object. */
function existing(field: Field, value: Json, context: UndoContext): Json {
  if (field.references?.at !== 'keys' || !isObject(value)) return value;
  const target = field.references.kind;
  return Object.fromEntries(Object.entries(value).filter(([reference]) => exists(target, reference, context)));
}

/** Whether a reference means a live object, owned or unmanaged. A kind that was not read is assumed to have it. */
export function exists(target: LiveObject['kind'], reference: Reference, context: UndoContext): boolean {
  const id = ownIdOf(reference, context);
  const objects = context.live.objects[target];
  return id !== null && (objects === undefined || idsOf(objects).has(String(id)));
}

const idsOf = oncePer(
  (objects: readonly LiveObject[]): ReadonlySet<string> => new Set(objects.map(({ id }) => String(id))),
);

function ownIdOf(reference: Reference, { bindings, ledger }: UndoContext): ObjectId | null {
  const own = ledger.bindings.get(reference as Address);
  if (own !== undefined) return own.id;
  // A bare id is its own; an address that the ledger does not know is none.
  return bindings.idOf(reference) === reference ? reference : null;
}
