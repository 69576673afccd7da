// How an author writes YAML: indentation, line breaks, quotes, brackets. What a text does not show is as in a new file.

import { countedBy } from '../base/grouped.ts';
import { isList, isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { MAPPINGS } from '../manifest/sections.ts';
import type { Path } from '../yaml/places.ts';
import type { Notation } from './notation.ts';

export interface YamlStyle {
  /** Indentation of a mapping in a mapping. */
  readonly step: number;
  /** The dashes of a list are indented further than its key. */
  readonly indentsDashes: boolean;
  readonly eol: string;
  readonly isSingleQuoted: boolean;
  /** A space inside of the brackets of a flow mapping, and of a flow list. */
  readonly padding: { readonly map: boolean; readonly list: boolean };
  /** Whether collections that could be in brackets on one line are. */
  readonly usesBrackets: (sort: Sort) => boolean;
}

/** Sorts of collections: authors write those of one sort alike. */
type Sort = 'entry' | 'item' | 'map' | 'list' | 'nested';

export type JsonCollection = readonly Json[] | JsonObject;

export const PLAIN_STYLE: YamlStyle = {
  step: 2,
  indentsDashes: true,
  eol: '\n',
  isSingleQuoted: false,
  padding: { map: true, list: false },
  usesBrackets: () => true,
};

const WIDTH = 100;

export function styleOf(text: string, root: Notation | null): YamlStyle {
  const steps: number[] = [];
  const dashes: number[] = [];
  const quotes: boolean[] = [];
  const padding = { map: [] as boolean[], list: [] as boolean[] };
  const shown: { readonly sort: Sort; readonly inBrackets: boolean }[] = [];
  const look = (notation: Notation, path: Path, parent: number | null): void => {
    const { start, value, isFlow, isSingleQuoted, parts } = notation;
    if (isSingleQuoted !== null) quotes.push(isSingleQuoted);
    if (!isCollection(value) || partsOf(value).length === 0) return;
    const column = start - (text.lastIndexOf('\n', start - 1) + 1);
    if (path.length > 0 && parent !== null && isInBrackets(value, path, PLAIN_STYLE))
      shown.push({ sort: sortOf(value, path), inBrackets: isFlow });
    if (isFlow && /^. *\S/.test(text.slice(start, start + 9)))
      padding[isList(value) ? 'list' : 'map'].push(text[start + 1] === ' ');
    if (!isFlow && parent !== null && typeof path.at(-1) === 'string')
      (isList(value) ? dashes : steps).push(column - parent);
    for (const [name, part] of parts()) look(part, [...path, name], isFlow ? null : column);
  };
  if (root !== null) look(root, [], null);
  const step = mostly(steps) ?? PLAIN_STYLE.step;
  const mostlyOf = (...sorts: readonly Sort[]): boolean | undefined =>
    mostly(shown.filter(({ sort }) => sorts.includes(sort)).map(({ inBrackets }) => inBrackets));
  return {
    step,
    indentsDashes: (mostly(dashes) ?? step) >= step,
    eol: /\r?\n/.exec(text)?.[0] ?? PLAIN_STYLE.eol,
    isSingleQuoted: mostly(quotes) ?? PLAIN_STYLE.isSingleQuoted,
    padding: {
      map: mostly(padding.map) ?? PLAIN_STYLE.padding.map,
      list: mostly(padding.list) ?? PLAIN_STYLE.padding.list,
    },
    // A sort that the text does not show is written as most collections inside of entries are.
    usesBrackets: (sort) => mostlyOf(sort) ?? mostlyOf('item', 'map', 'list', 'nested') ?? true,
  };
}

/** The most frequent value; of several, the first. */
function mostly<T>(values: readonly T[]): T | undefined {
  return [...countedBy(values, (value) => value)].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** Whether an author of the style writes a collection in brackets on one line. */
export function isInBrackets(value: JsonCollection, path: Path, style: YamlStyle): boolean {
  if (partsOf(value).length === 0) return true;
  return isOneLine(value, path) && style.usesBrackets(sortOf(value, path)) && fitsLine(value, path, style);
}

/** A member is on one line unless it is a table. An entry or an item must also have little else than words in it. */
function isOneLine(value: JsonCollection, path: Path): boolean {
  const role = roleOf(path);
  if (role === 'section' || isTable(value) || !isOfOneLine(value)) return false;
  const parts = partsOf(value);
  const isFlat = (part: Json): boolean => isWord(part) || (isList(part) && part.every(isWord));
  return role === 'member' || parts.length === 1 || parts.every(isFlat);
}

/** A list of rows with several columns. */
function isTable(value: JsonCollection): boolean {
  return isList(value) && value.length > 1 && value.every((item) => isObject(item) && Object.keys(item).length > 1);
}

function sortOf(value: JsonCollection, path: Path): Sort {
  const role = roleOf(path);
  if (role === 'entry' || role === 'item') return role;
  if (!partsOf(value).every(isWord)) return 'nested';
  return isList(value) ? 'list' : 'map';
}

/** `section`: any mapping or list that leads to entries. A value in no section, such as one that only holds anchors, is a `member`. */
function roleOf(path: Path): 'section' | 'entry' | 'member' | 'item' {
  if (typeof path.at(-1) === 'number') return 'item';
  const section = MAPPINGS.find(({ name }) => name === path[0]);
  if (section === undefined) return path.length === 0 ? 'section' : 'member';
  // A list of entries is one level, as a mapping of entries is.
  const depth = Math.max(1, section.depth);
  if (path.length <= depth) return 'section';
  return path.length === depth + 1 ? 'entry' : 'member';
}

function fitsLine(value: JsonCollection, path: Path, { step, padding }: YamlStyle): boolean {
  const widthOf = (part: Json): number => {
    if (!isCollection(part)) return typeof part === 'string' ? part.length : String(part).length;
    const inner = isList(part)
      ? part.map((item) => widthOf(item) + 2)
      : Object.entries(part).map(([name, member]) => name.length + widthOf(member) + 4);
    return inner.reduce((sum, width) => sum + width, padding[isList(part) ? 'list' : 'map'] ? 2 : 0);
  };
  const head = typeof path.at(-1) === 'number' ? 1 : String(path.at(-1)).length + 1;
  return step * (path.length - 1) + head + 1 + widthOf(value) <= WIDTH;
}

export function isCollection(value: Json | undefined): value is JsonCollection {
  return isList(value) || isObject(value);
}

function isOfOneLine(value: Json): boolean {
  return typeof value === 'string' ? !value.includes('\n') : partsOf(value).every(isOfOneLine);
}

function partsOf(value: Json): readonly Json[] {
  return isList(value) ? value : isObject(value) ? Object.values(value) : [];
}

function isWord(part: Json): boolean {
  return !isCollection(part);
}
