// A collection and what it is of what it stands in; whether a person would write it in brackets on one line, if it fits, out. Knows no text.

import { isList, isObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/model.ts';
import type { Role } from './role.ts';

export type Collection = readonly Json[] | JsonObject;

/** What authors write alike. */
export type Sort = 'entry' | 'item' | 'map' | 'list' | 'nested';

export function sortOf(value: Collection, role: Role): Sort {
  if (role === 'entry' || role === 'item') return role;
  if (!partsOf(value).every(isWord)) return 'nested';
  return isList(value) ? 'list' : 'map';
}

/** A member is one line as long as it is no table; an entry or an item only if little else than words stands in it. */
export function isOneLine(value: Collection, role: Role): boolean {
  if (role === 'section' || isTable(value) || !isOfOneLine(value)) return false;
  return role === 'member' || isFlat(value);
}

export function isCollection(value: Json): value is Collection {
  return isList(value) || isObject(value);
}

/** Rows of several columns, which are read downwards. */
export function isTable(value: Collection): boolean {
  return isList(value) && value.length > 1 && value.every((item) => isObject(item) && Object.keys(item).length > 1);
}

/** Words, lists of words, or a single thing. */
function isFlat(value: Collection): boolean {
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
