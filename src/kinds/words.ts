// Words for objects and their values: an object in one line, and what differs between two values. Names in them are not escaped.

import { groupedBy } from '../base/grouped.ts';
import { isList, isObject } from '../base/json.ts';
import type { Json, KindName, Reference, Spec } from '../base/model.ts';
import { clear, few } from '../base/text.ts';
import type { Field, Named, Phrase } from './field.ts';
import type { Kind } from './kind.ts';

/** One difference between two values, in words; null on the side that does not say it. */
export interface WordChange {
  /** What it is about: `Mon-Fri`; empty for a single value. */
  readonly about: string;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * `Ann, normal, 8 chats, sales (first), Mon-Fri 09:00-17:00 Europe/Warsaw`: what the kind puts first of the fields that are there.
 * @param most - Phrases of one field.
 */
export function summaryOf(kind: Kind, spec: Spec, named: Named, most: number): string {
  const said = (name: string): string | undefined => {
    const [field, value] = [kind.fields[name], spec[name]];
    if (field === undefined || value === undefined || value === null || value === '') return undefined;
    return told(changesBetween(field, null, value, named), most) || undefined;
  };
  return kind
    .summary(spec, said)
    .filter((part) => part !== undefined)
    .join(', ');
}

/** One value in words, references by themselves unless `named` says more; empty for one that says nothing. */
export function valueText(field: Field, value: Json, most: number, named: Named = String): string {
  return told(changesBetween(field, null, value, named), most);
}

/** What is said of one value. Several sayings about the same share its name: `URL contains /pricing, /offers`. */
function told(changes: readonly WordChange[], most: number): string {
  const byAbout = new Map<string, string[]>();
  for (const { about, after } of changes) {
    const says = byAbout.get(about) ?? [];
    byAbout.set(about, says);
    if (after !== null && after !== '') says.push(after);
  }
  const last = byAbout.get('');
  byAbout.delete('');
  const parts = [...byAbout].map(([about, says]) => [about, few(says, most)].filter((part) => part !== '').join(' '));
  return [few(parts, most), ...(last ?? [])].filter((part) => part !== '').join(' ');
}

/** The phrases that differ, in the order of the values; those of the same in a row together. */
export function changesBetween(field: Field, before: Json, after: Json, named: Named): readonly WordChange[] {
  const old = phrasesOf(field, before, named);
  const wanted = new Map(phrasesOf(field, after, named).map((phrase) => [phrase.key, phrase]));
  const known = new Set(old.map(({ key }) => key));
  const changes = [
    ...old.map((phrase) => {
      const [before, after] = saidOf([phrase, wanted.get(phrase.key)]);
      return { about: phrase.about, before: before ?? null, after: after ?? null };
    }),
    ...[...wanted.values()]
      .filter(({ key }) => !known.has(key))
      .map((phrase) => ({ about: phrase.about, before: null, after: saidOf([phrase])[0] ?? null })),
  ].filter((change) => change.before !== change.after);
  return inRuns(changes, field.sequence, (one, other) => one.before === other.before && one.after === other.after);
}

/** What each side says of one subject: briefly, unless sides say the same briefly and mean different things. */
function saidOf(sides: readonly (Phrase | undefined)[]): readonly (string | undefined)[] {
  return sides.map((side) => {
    const isAlike = sides.some((other) => other?.brief === side?.brief && other?.says !== side?.says);
    return isAlike ? side?.says : (side?.brief ?? side?.says);
  });
}

/** What sides of a value say about one subject: null where a side says nothing of it, undefined where it has no part. */
export interface SideWords {
  readonly about: string;
  readonly says: readonly (string | null | undefined)[];
}

/** What the sides of a value say differently, those of the same in a row together. For fields whose subjects have an order. */
export function sidesInWords(field: Field, sides: readonly (Json | undefined)[]): readonly SideWords[] {
  if (field.sequence === undefined) return [];
  const said = sides.map((side) => (side === undefined ? undefined : phrasesOf(field, side, String)));
  const subjects = new Map(said.flatMap((phrases = []) => phrases.map(({ key, about }) => [key, about] as const)));
  const each = Array.from(
    subjects,
    ([key, about]): SideWords => ({
      about: about === '' ? key : about,
      says: saidOf(said.map((phrases) => phrases?.find((phrase) => phrase.key === key))).map((text, side) =>
        said[side] === undefined ? undefined : (text ?? null),
      ),
    }),
  );
  const differing = each.filter(({ says }) => new Set(says.filter((text) => text !== undefined)).size > 1);
  return inRuns(differing, field.sequence, (one, other) => one.says.every((text, side) => text === other.says[side]));
}

/** Neighbours in the sequence that are alike, as one. */
function inRuns<T extends { readonly about: string }>(
  all: readonly T[],
  sequence: readonly string[] | undefined,
  isAlike: (one: T, other: T) => boolean,
): readonly T[] {
  if (sequence === undefined) return all;
  const placed = all.toSorted((a, b) => placeIn(sequence, a) - placeIn(sequence, b));
  const runs: { first: T; last: T }[] = [];
  for (const each of placed) {
    const run = runs.at(-1);
    const follows = run !== undefined && placeIn(sequence, each) === placeIn(sequence, run.last) + 1;
    if (follows && isAlike(run.first, each)) run.last = each;
    else runs.push({ first: each, last: each });
  }
  return runs.map(({ first, last }) => (first === last ? first : { ...first, about: `${first.about}-${last.about}` }));
}

/** What is not in the sequence comes last, and follows no other. */
function placeIn(sequence: readonly string[], { about }: { readonly about: string }): number {
  const place = sequence.indexOf(about);
  return place < 0 ? sequence.length + 1 : place;
}

function phrasesOf({ phrases, shape, references }: Field, value: Json, named: Named): readonly Phrase[] {
  if (references?.at === 'value' && typeof value === 'string') return [{ key: '', about: '', says: named(value) }];
  if (shape === 'scalar') return [{ key: '', about: '', says: value === null ? 'none' : clear(value) }];
  if (phrases !== undefined) return phrases(value, named);
  return references?.at === 'keys' && isObject(value)
    ? Object.entries(value).map(([key, member]) => ({ key, about: named(key), says: `(${clear(member)})` }))
    : flattened(value, '');
}

/** Members by their path, items by themselves. */
function flattened(value: Json, path: string): readonly Phrase[] {
  if (isList(value)) {
    if (path !== '') return [{ key: path, about: path, says: value.map(clear).join(', ') }];
    return value.map((item) => ({ key: clear(item), about: clear(item), says: '' }));
  }
  if (!isObject(value)) return value === null ? [] : [{ key: path, about: path, says: clear(value) }];
  return Object.entries(value).flatMap(([name, member]) => flattened(member, path === '' ? name : `${path}.${name}`));
}

/** What people call an object. */
interface NamedObject {
  readonly kind: KindName;
  readonly reference: Reference;
  readonly name: string;
}

/** Names of objects, by reference. Left out is a name that several objects of a kind have. Of an object that comes twice, the last name counts. */
export function soleNames(objects: readonly NamedObject[]): ReadonlyMap<Reference, string> {
  const last = new Map(objects.map((object) => [`${object.kind} ${object.reference}`, object]));
  const holders = groupedBy(last.values(), ({ kind, name }) => `${kind} ${name}`);
  return new Map(
    [...holders.values()].flatMap(([only, ...others]) => (others.length > 0 ? [] : [[only.reference, only.name]])),
  );
}
