// Specs in their one spelling, and the references in them. Both sides of every comparison pass through here first.

import { byText, canonicalJson, isList, isObject } from '../base/json.ts';
import { mapTexts } from '../base/map-texts.ts';
import type { Json, JsonObject, KindName, Reference, Spec } from '../base/model.ts';
import { oncePer, oncePerText } from '../base/once-per.ts';
import { inNfc } from '../base/text.ts';
import type { Field } from './field.ts';
import type { Kind, Resolve } from './kind.ts';
import type { FieldLimit } from './limits.ts';

/** A field and its place among those of its kind. */
interface RankedField {
  readonly rank: number;
  readonly field: Field;
  /** Whether each of its values has one spelling only. */
  readonly isPlain: boolean;
  /** Values in their one spelling, by the text of each spelling: of a field of which thousands of objects may have the same value. */
  readonly shared: ((text: string, spelled: () => Json) => Json) | null;
}

const ranked = oncePer(
  ({ fields }: Kind): ReadonlyMap<string, RankedField> =>
    new Map(
      Object.entries(fields).map(([name, field], rank) => {
        const isRepeated = field.shape !== 'map' && field.shape !== 'scalar';
        return [name, { rank, field, isPlain: isPlain(field), shared: isRepeated ? oncePerText() : null }];
      }),
    ),
);

/** The same value for equal ones: of thousands of working hours, each is spelled, compared and kept once. */
function spelledOnce(ranked: RankedField, value: Json): Json {
  const { shared } = ranked;
  if (shared === null) return spelledValue(ranked, value);
  return shared(JSON.stringify(value), () => {
    const spelled = spelledValue(ranked, value);
    return shared(JSON.stringify(spelled), () => spelled);
  });
}

function spelledValue({ field, isPlain }: RankedField, value: Json): Json {
  const text = valueInNfc(value);
  return isPlain ? text : normaliseValue(field, text);
}

function isPlain({ canonical, references, shape }: Field): boolean {
  return canonical === undefined && references?.under === undefined && shape !== 'set' && shape !== 'map';
}

/** The spec in the spelling in which equal specs are equal texts; the same object when it has it already. Idempotent. */
export function normalise(kind: Kind, spec: Spec): Spec {
  const fields = ranked(kind);
  const normalised: Record<string, Json> = {};
  let isNormal = true;
  let isInOrder = true;
  let last = -1;
  for (const name of Object.keys(spec)) {
    const known = fields.get(name);
    const value = spec[name];
    if (known === undefined || value === undefined) {
      isNormal = false;
      continue;
    }
    const spelled = isObject(value) || isList(value) ? spelledOnce(known, value) : spelledValue(known, value);
    if (spelled !== value) isNormal = false;
    if (known.rank < last) isInOrder = false;
    last = known.rank;
    normalised[name] = spelled;
  }
  if (!isInOrder) return inOrderOf(fields, normalised);
  // Most specs are normal, and need not be kept twice.
  return isNormal ? spec : normalised;
}

/** The value with its texts in NFC; the same value when they are. Keys stay: those that are ids name an object only as the service spells them. */
export function valueInNfc(value: Json): Json {
  return typeof value === 'string' ? inNfc(value) : mapTexts(value, { text: inNfc });
}

function inOrderOf(fields: ReadonlyMap<string, RankedField>, spec: Spec): Spec {
  const ordered: Record<string, Json> = {};
  for (const name of fields.keys()) {
    const value = spec[name];
    if (value !== undefined) ordered[name] = value;
  }
  return ordered;
}

function normaliseValue(field: Field, value: Json): Json {
  const canonical = field.canonical === undefined ? value : field.canonical(value);
  const unreferenced = field.references?.under;
  if (unreferenced !== undefined && isObject(canonical)) {
    const items = sortedSet(canonical[unreferenced] ?? []);
    return items === canonical[unreferenced] ? canonical : { ...canonical, [unreferenced]: items };
  }
  switch (field.shape) {
    case 'set':
      return sortedSet(canonical);
    case 'map':
      return isObject(canonical) ? sortedMap(canonical) : canonical;
    case 'scalar':
    case 'list':
    case 'object':
      return canonical;
  }
}

/** A list as a set: each item once, in the order of their canonical texts. */
export function sortedSet(value: Json): Json {
  if (!isList(value) || value.length < 2) return value;
  const texts = value.map((item) => canonicalJson(item));
  if (isAscending(texts)) return value;
  const distinct = new Map(value.map((item, place) => [texts[place] ?? '', item]));
  return [...distinct].sort(([a], [b]) => byText(a, b)).map(([, item]) => item);
}

function sortedMap(value: { readonly [name: string]: Json }): Json {
  if (isAscending(Object.keys(value))) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => byText(a, b)));
}

/** Sorted, and each of them once. */
export function isAscending(texts: readonly string[]): boolean {
  return texts.every((text, place) => place === 0 || byText(texts[place - 1] ?? '', text) < 0);
}

/** A field that has a limit. */
export interface LimitedField {
  readonly name: string;
  readonly limit: FieldLimit;
}

/** The few fields of a kind that have a limit. */
export const limitedFields = oncePer(({ fields }: Kind): readonly LimitedField[] =>
  Object.entries(fields).flatMap(([name, { limit }]) => (limit === undefined ? [] : [{ name, limit }])),
);

interface PointingField {
  readonly name: string;
  readonly field: Field;
  readonly pointer: NonNullable<Field['references']>;
}

/** The few fields of a kind that point at other objects, listed once for thousands of entries. */
export const pointing = oncePer(({ fields }: Kind): readonly PointingField[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.references === undefined ? [] : [{ name, field, pointer: field.references }],
  ),
);

type NewNameOf = (reference: Reference, kind: KindName) => Reference;

/** The same spec with every reference passed through `change`. */
export function mapReferences(kind: Kind, spec: Spec, change: NewNameOf): Spec {
  return mapFields(kind, spec, change, (_, value) => value);
}

/** The same for a normalised spec, which stays normalised. */
export function mapNormalised(kind: Kind, spec: Spec, change: NewNameOf): Spec {
  return mapFields(kind, spec, change, normaliseValue);
}

function mapFields(kind: Kind, spec: Spec, change: NewNameOf, finished: (field: Field, value: Json) => Json): Spec {
  let mapped = spec;
  for (const { name, field, pointer } of pointing(kind)) {
    const value = spec[name];
    if (value === undefined) continue;
    const rename = (reference: Reference): Reference => change(reference, pointer.kind);
    const changed = mapIn(value, pointer.under, (inner) => {
      switch (pointer.at) {
        case 'items':
          return isList(inner) ? renamedItems(inner, rename) : inner;
        case 'keys':
          return isObject(inner)
            ? renamedKeys(inner, (name) => (name === pointer.besides ? name : rename(name)))
            : inner;
        case 'value':
          return isText(inner) ? rename(String(inner)) : inner;
      }
    });
    if (changed !== value) mapped = { ...mapped, [name]: finished(field, changed) };
  }
  return mapped;
}

/** The same list when every name stays, as in a manifest: then nothing is copied or sorted again. */
function renamedItems(list: readonly Json[], rename: (reference: Reference) => Reference): readonly Json[] {
  const renamed = list.map((item) => (isText(item) ? rename(String(item)) : item));
  return renamed.every((item, place) => item === list[place]) ? list : renamed;
}

/** The same map when every name stays. */
function renamedKeys(map: JsonObject, rename: (reference: Reference) => Reference): JsonObject {
  const names = Object.keys(map);
  const renamed = names.map(rename);
  if (renamed.every((name, place) => name === names[place])) return map;
  return Object.fromEntries(renamed.map((name, place) => [name, map[names[place] ?? ''] ?? null]));
}

/** The same spec with renamed objects under their new names, normalised. */
export function renameReferences(kind: Kind, spec: Spec, names: ReadonlyMap<Reference, Reference>): Spec {
  return normalise(
    kind,
    mapReferences(kind, spec, (reference) => names.get(reference) ?? reference),
  );
}

/** A value that is neither a name nor an id is no reference: manifests with errors pass through here also. */
function isText(item: Json): item is string | number {
  return typeof item === 'string' || typeof item === 'number';
}

function mapIn(value: Json, under: string | undefined, change: (inner: Json) => Json): Json {
  if (under === undefined) return change(value);
  if (!isObject(value)) return value;
  const inner = change(value[under] ?? null);
  return inner === value[under] ? value : { ...value, [under]: inner };
}

/** The spec without an object that it refers to. */
export function withoutReference(kind: Kind, spec: Spec, gone: Reference): Spec {
  const kept: Record<string, Json> = { ...spec };
  for (const { name, pointer } of pointing(kind)) {
    const value = spec[name];
    if (value === undefined) continue;
    kept[name] = mapIn(value, pointer.under, (inner) => {
      if (isList(inner)) return inner.filter((item) => item !== gone);
      return isObject(inner) ? Object.fromEntries(Object.entries(inner).filter(([key]) => key !== gone)) : inner;
    });
  }
  return kept;
}

/** Every reference in a spec, in the order of its fields. */
export function referencesOf(kind: Kind, spec: Spec): readonly Reference[] {
  const found: Reference[] = [];
  mapReferences(kind, spec, (reference) => {
    found.push(reference);
    return reference;
  });
  return found;
}

/** Identity of an object whose id is not known yet, as stored in an intent: canonical JSON of its identifying fields, with ids for references. */
export function identityOf(kind: Kind, fields: Spec, resolve: Resolve): string {
  const identifying = Object.fromEntries(Object.entries(fields).filter(([name]) => kind.identity?.includes(name)));
  return canonicalJson(mapReferences(kind, identifying, (reference) => String(resolve(reference))));
}

/** The identifying fields of a stored identity. */
export function identifiedBy(identity: string): Spec {
  const value: Json = JSON.parse(identity);
  return isObject(value) ? value : {};
}
