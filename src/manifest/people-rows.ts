// Rows of a table of people as entries under `agents:`. Every value keeps the place of its cell.

import type { Schema } from '../base/documents.ts';
import { isList, isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { inNfc } from '../base/text.ts';
import { lookOf } from '../base/unseen.ts';
import { MEMBERSHIP } from '../kinds/index.ts';
import { periodSchemas } from '../kinds/priority.ts';
import type { PlaceMark, Source } from '../yaml/places.ts';
import { schemaAt, typesOf } from '../yaml/schema-at.ts';
import type { DataRow } from '../yaml/table.ts';
import { type Composed, memberOrigin, originAt, type ValueOrigin } from './origin.ts';
import { columnsIn, EMAIL, joinedIn, SEPARATOR } from './people-schema.ts';
import { scalarIn } from './substitute.ts';

/** The key of the group that a text names; null where it names none, or several. */
export type KeyOf = (text: string) => string | null;

/** What `agents_from:` says of a table, with its variables inserted. A column may be a text with several: `${Given} ${Family}`. */
export interface PeopleForm {
  /** Column with the e-mail address. */
  readonly email: string;
  /** Field -> its column. */
  readonly columns: ReadonlyMap<string, string>;
  /** How memberships stand in a cell. */
  readonly groups: { readonly priority: string; readonly separator: string; readonly keyOf: KeyOf };
  /** How a row says that the person left; null where none does. */
  readonly left: { readonly column: string; readonly values: readonly string[] } | null;
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

/** `groups`: the section of the manifest. A key counts more than a name. */
export function groupKeys(groups: Json | undefined): KeyOf {
  const keys = new Map<string, string | null>();
  for (const [key, group] of Object.entries(isObject(groups) ? groups : {})) {
    const { name } = isObject(group) ? { ...group, ...(isObject(group['external']) ? group['external'] : {}) } : {};
    const look = lookOf(typeof name === 'string' ? name : key);
    keys.set(look, keys.has(look) ? null : key);
  }
  return (text) => (isObject(groups) && Object.hasOwn(groups, text) ? text : (keys.get(lookOf(text)) ?? null));
}

/** In NFC, as the manifest; empty for a column that is not there. */
export function cellOf({ values }: DataRow, column: string): string {
  return joinedIn(column, (each) => inNfc(values[each] ?? ''));
}

/** Where the value of a column is written, or the first of several. */
export function markIn(row: DataRow, column: string): PlaceMark {
  return row.markAt(columnsIn(column)[0] ?? '');
}

/** Every column whose values count. */
export function usedColumns({ email, columns, left }: PeopleForm): readonly string[] {
  return [email, ...columns.values(), ...(left === null ? [] : [left.column])].flatMap(columnsIn);
}

/** Makes the person of each row. `schema`: of the fields of an agent. */
export function personMaker(form: PeopleForm, file: string, schema: Schema): (row: DataRow) => Person {
  const { email, columns, left, leavers, defaults, defaultsOrigin } = form;
  const isManaged = left !== null || leavers === 'suspend';
  const retired: JsonObject = AGENT.retired ?? {};
  const active = Object.fromEntries(Object.keys(retired).map((field) => [field, AGENT.fields[field]?.absent ?? null]));
  const leaving = new Set(left?.values.map(lookOf));
  const origins = new Map(Object.keys(defaults).map((field) => [field, memberOrigin(defaultsOrigin, field)]));
  return (row) => {
    const key = cellOf(row, email);
    const source = rowSource(row, file, form);
    const hasLeft = left !== null && leaving.has(lookOf(cellOf(row, left.column)));
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
      const mark = markIn(row, own ?? email);
      return field === GROUPS && typeof member === 'string' ? narrowed(mark, member) : mark;
    },
  };
}

/** The part of a cell that is a text; the whole cell where it is not on its first line as it reads. */
export function narrowed(mark: PlaceMark, text: string): PlaceMark {
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

/** `sales; Customer care:first`. */
function groupsIn(text: string, { priority, separator, keyOf }: PeopleForm['groups']): JsonObject {
  return Object.fromEntries(
    partsOf(text, separator).map((part): readonly [string, string] => {
      const at = keyOf(part) === null ? part.lastIndexOf(':') : -1;
      const name = at < 0 ? part : part.slice(0, at).trim();
      return [keyOf(name) ?? name, at < 0 ? priority : part.slice(at + 1).trim()];
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
export function formOf({ value: given, origin }: Composed<Json>, keyOf: KeyOf): PeopleForm | null {
  if (!isObject(given)) return null;
  const { email, columns, left, leavers, defaults } = given;
  if (!isObject(columns)) return null;
  const groups = columns[GROUPS];
  const own = isObject(groups) ? groups : {};
  const names = Object.entries({ ...columns, ...(isObject(groups) ? { [GROUPS]: own['column'] ?? null } : {}) });
  if (!names.every((name): name is [string, string] => typeof name[1] === 'string')) return null;
  const mark = isObject(left) ? left : null;
  const { column, value } = mark ?? {};
  const values = (isList(value) ? value : [value]).flatMap((each) => (typeof each === 'string' ? [inNfc(each)] : []));
  return {
    email: typeof email === 'string' ? inNfc(email) : EMAIL,
    columns: new Map(names.map(([field, name]) => [field, inNfc(name)])),
    groups: {
      priority: typeof own['priority'] === 'string' ? own['priority'] : 'normal',
      separator: typeof own['separator'] === 'string' && own['separator'] !== '' ? own['separator'] : SEPARATOR,
      keyOf,
    },
    left: typeof column === 'string' && values.length > 0 ? { column: inNfc(column), values } : null,
    leavers: leavers === 'suspend' ? 'suspend' : 'release',
    defaults: isObject(defaults) ? defaults : {},
    defaultsOrigin: memberOrigin(origin, 'defaults'),
  };
}
