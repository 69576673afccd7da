// Whether a person would write a collection in brackets on one line, if it fits there. Knows no text.

import { isList, isObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/model.ts';
import type { PathRole } from './role.ts';

export type JsonCollection = readonly Json[] | JsonObject;

/** Sorts of collections: authors write those of one sort alike. */
export type Sort = 'entry' | 'item' | 'map' | 'list' | 'nested';

export function sortOf(value: JsonCollection, role: PathRole): Sort {
  if (role === 'entry' || role === 'item') return role;
  if (!partsOf(value).every(isWord)) return 'nested';
  return isList(value) ? 'list' : 'map';
}

/** A member is on one line unless it is a table. An entry or an item must also have little else than words in it. */
export function isOneLine(value: JsonCollection, role: PathRole): boolean {
  if (role === 'section' || isTable(value) || !isOfOneLine(value)) return false;
  return role === 'member' || isFlat(value);
}

export function isCollection(value: Json): value is JsonCollection {
  return isList(value) || isObject(value);
}

/** A list of rows with several columns. */
export function isTable(value: JsonCollection): boolean {
  return isList(value) && value.length > 1 && value.every((item) => isObject(item) && Object.keys(item).length > 1);
}

/** Only words and lists of words, or a single part. */
function isFlat(value: JsonCollection): boolean {
  const parts = partsOf(value);
  return parts.length === 1 || parts.every((part) => isWord(part) || (isList(part) && part.every(isWord)));
}

function isOfOneLine(value: Json): boolean {
  if (typeof value === 'string') return !value.includes('\n');
  return partsOf(value).every(isOfOneLine);
}

function partsOf(value: Json): readonly Json[] {
  return isList(value) ? value : isObject(value) ? Object.values(value) : [];
}

function isWord(part: Json): boolean {
  return !isCollection(part);
}
