// Rows of a table of people as entries under `agents:`. Every value keeps the place of its cell.

import type { Schema } from '../base/documents.ts';
import { isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { inNfc } from '../base/text.ts';
import { lookOf } from '../base/unseen.ts';
import { MEMBERSHIP } from '../kinds/index.ts';
import { periodSchemas } from '../kinds/priority.ts';
import type { PlaceMark, Source } from '../yaml/places.ts';
import { schemaAt, typesOf } from '../yaml/schema-at.ts';
import type { DataRow } from '../yaml/table.ts';
import { type Composed, memberOrigin, originAt, type ValueOrigin } from './origin.ts';
import { EMAIL, SEPARATOR } from './people-schema.ts';
import { scalarIn } from './substitute.ts';

/** What `agents_from:` says, with its variables inserted. */
export interface PeopleForm {
  /** Column with the e-mail address. */
  readonly email: string;
  /** Field -> its column. */
  readonly columns: ReadonlyMap<string, string>;
  /** How memberships stand in a cell. */
  readonly groups: { readonly priority: string; readonly separator: string };
  /** How a row says that the person left; null where none does. */
  readonly left: { readonly column: string; readonly value: string } | null;
  readonly leavers: 'release' | 'suspend';
  readonly defaults: JsonObject;
  readonly defaultsOrigin: ValueOrigin;
}

/** One person. */
export interface Person {
  readonly email: string;
  readonly row: DataRow;
  readonly left: boolean;
  readonly entry: Composed;
}

const { field: GROUPS, kind: AGENT } = MEMBERSHIP.left;

/** In NFC, as the manifest; empty for a column that is not there. */
function cellOf({ values }: DataRow, column: string): string {
  return inNfc(values[column] ?? '');
}

/** Makes the person of each row. `schema`: of the fields of an agent. */
export function personMaker(form: PeopleForm, file: string, schema: Schema): (row: DataRow) => Person {
  const { email, columns, left, leavers, defaults, defaultsOrigin } = form;
  const isManaged = left !== null || leavers === 'suspend';
  const retired: JsonObject = AGENT.retired ?? {};
  const active = Object.fromEntries(Object.keys(retired).map((field) => [field, AGENT.fields[field]?.absent ?? null]));
  const origins = new Map(Object.keys(defaults).map((field) => [field, memberOrigin(defaultsOrigin, field)]));
  return (row) => {
    const key = cellOf(row, email);
    const source = rowSource(row, file, form);
    const hasLeft = left !== null && lookOf(cellOf(row, left.column)) === lookOf(left.value);
    if (hasLeft) return { email: key, row, left: true, entry: { value: retired, origin: originAt(source, []) } };
    const cells = [...columns].flatMap(([field, column]): readonly (readonly [string, Json])[] => {
      const cell = cellOf(row, column);
      if (field === GROUPS) return cell === '' && field in defaults ? [] : [[field, groupsIn(cell, form.groups)]];
      return cell === '' ? [] : [[field, valueIn(cell, schemaAt(schema, [field]))]];
    });
    const own = new Set(cells.map(([field]) => field));
    const said = { ...defaults, ...Object.fromEntries(cells) };
    // Days decide by themselves whether the person is there.
    const hasDays = Object.keys(periodSchemas).some((name) => name in said);
    const value = { ...(isManaged && !hasDays ? active : {}), ...said };
    const members = new Map([...origins].filter(([field]) => !own.has(field)));
    return { email: key, row, left: false, entry: { value, origin: originAt(source, [], members) } };
  };
}

/** A path leads to a cell: `[]` to the address, `[field]` to its column, `[groups, key]` to the part that names the group. */
function rowSource(row: DataRow, file: string, { email, columns, left }: PeopleForm): Source {
  const leaving = Object.keys(AGENT.retired ?? {});
  return {
    file,
    mark: ([field, member]) => {
      const own = columns.get(String(field)) ?? (leaving.includes(String(field)) ? left?.column : undefined);
      const mark = row.markAt(own ?? email);
      return field === GROUPS && typeof member === 'string' ? narrowed(mark, member) : mark;
    },
  };
}

/** The part of a cell that is a text; the whole cell where it is not on its first line as it reads. */
function narrowed(mark: PlaceMark, text: string): PlaceMark {
  const { place, excerpt } = mark;
  const at = excerpt === null ? -1 : excerpt.indexOf(text, place.column - 1);
  return at < 0 || at >= place.column - 1 + place.length
    ? mark
    : { ...mark, place: { ...place, column: at + 1, length: text.length } };
}

/** A text as the type that the schema wants. */
function valueIn(text: string, schema: Schema | null): Json {
  const types = typesOf(schema);
  if (types.length === 0 || types.includes('string')) return text;
  if (types.includes('array')) return partsOf(text, SEPARATOR);
  return scalarIn(text, types);
}

function partsOf(text: string, separator: string): readonly string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** `sales; support:first`. */
function groupsIn(text: string, { priority, separator }: PeopleForm['groups']): JsonObject {
  return Object.fromEntries(
    partsOf(text, separator).map((part): readonly [string, string] => {
      const at = part.lastIndexOf(':');
      return at < 0 ? [part, priority] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    }),
  );
}

/** A group that a cell names twice. */
export function repeatedGroup(row: DataRow, { columns, groups }: PeopleForm): string | null {
  const column = columns.get(GROUPS);
  if (column === undefined) return null;
  const keys = partsOf(cellOf(row, column), groups.separator).flatMap((part) => Object.keys(groupsIn(part, groups)));
  return keys.find((key, index) => keys.indexOf(key) < index) ?? null;
}

/** Null when a part of `agents_from:` does not fit its schema, which says so. */
export function formOf(given: Json | undefined, { origin }: Composed<Json>): PeopleForm | null {
  if (!isObject(given)) return null;
  const { email, columns, left, leavers, defaults } = given;
  if (!isObject(columns)) return null;
  const groups = columns[GROUPS];
  const own = isObject(groups) ? groups : {};
  const names = Object.entries({ ...columns, ...(isObject(groups) ? { [GROUPS]: own['column'] ?? null } : {}) });
  if (!names.every((name): name is [string, string] => typeof name[1] === 'string')) return null;
  const mark = isObject(left) ? left : null;
  const { column, value } = mark ?? {};
  return {
    email: typeof email === 'string' ? inNfc(email) : EMAIL,
    columns: new Map(names.map(([field, name]) => [field, inNfc(name)])),
    groups: {
      priority: typeof own['priority'] === 'string' ? own['priority'] : 'normal',
      separator: typeof own['separator'] === 'string' && own['separator'] !== '' ? own['separator'] : SEPARATOR,
    },
    left:
      typeof column === 'string' && typeof value === 'string' ? { column: inNfc(column), value: inNfc(value) } : null,
    leavers: leavers === 'suspend' ? 'suspend' : 'release',
    defaults: isObject(defaults) ? defaults : {},
    defaultsOrigin: memberOrigin(origin, 'defaults'),
  };
}
