// `agents_from:` of a manifest: the tables are read, and each row becomes an entry under `agents:`, below the overlays.

import { isList, isObject } from '../base/json.ts';
import type { Address, Diagnostic, Json, Leavers } from '../base/model.ts';
import { MEMBERSHIP } from '../kinds/index.ts';
import { collector, diagnose, type Emit, position } from '../yaml/diagnostics.ts';
import type { Part, Path, PlaceMark } from '../yaml/places.ts';
import { type FileSystem, pathIn } from '../yaml/read.ts';
import { schemaAt } from '../yaml/schema-at.ts';
import { readTable } from '../yaml/table.ts';
import type { FileLint } from './near-keys.ts';
import { type Composed, itemsOf, markOf, memberOrigin, originAt, originOf } from './origin.ts';
import { declaredTwice, unusedColumns, wrongForm, wrongIn } from './people-checks.ts';
import { formOf, groupKeys, markIn, type PeopleForm, type Person, personMaker, usedColumns } from './people-rows.ts';
import { columnsIn } from './people-schema.ts';
import type { TablePeople } from './resolve.ts';
import { manifestSchema } from './schema.ts';
import { addressOf, PEOPLE } from './sections.ts';
import { escaped, type Insertions, substitute, type Variables } from './substitute.ts';

/** People from tables. */
export interface People extends TablePeople {
  readonly files: readonly string[];
  /** The manifest with an entry for each row. */
  readonly base: Composed;
  /** Null where people whose row is missing are released. */
  readonly leavers: Leavers | null;
  /** Whether every row was read. */
  readonly whole: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

const { kind: AGENT } = MEMBERSHIP.left;
const SECTION = AGENT.at[0] ?? '';
const GROUPS = MEMBERSHIP.right.kind.at[0] ?? '';

/** `laid`: the manifest with its overlays, which may change what the tables are. `lint`: how unused columns are told. */
export async function peopleOf(
  base: Composed,
  laid: Composed,
  variables: Variables,
  insertions: Pick<Insertions, 'refusal'>,
  lint: FileLint,
  system: FileSystem,
): Promise<People> {
  const rows = new Map();
  const none: People = { base, rows, marked: rows, leavers: null, files: [], whole: true, diagnostics: [] };
  if (laid.value[PEOPLE] === undefined) return none;
  const origin = memberOrigin(laid.origin, PEOPLE);
  const value = insertedIn(PEOPLE);
  const keyOf = groupKeys(insertedIn(GROUPS) ?? laid.value[GROUPS]);
  const tables = isList(value) ? itemsOf({ value, origin }) : [{ value, origin }];
  return tables.reduce(async (before, table) => withTable(await before, table), Promise.resolve(none));

  /** Null where a variable has no value, or may not be read: the check of the whole manifest says so. */
  function insertedIn(section: string): Json | null {
    const { emit, found } = collector();
    const given = { value: { [section]: laid.value[section] ?? null }, templated: true };
    const inserted = substitute(given, manifestSchema, variables, emit, insertions);
    return found.length > 0 ? null : (inserted[section] ?? null);
  }

  /** The people with those of one more table. A person whose row is missing may have been in each of them. */
  async function withTable(before: People, given: Composed<Json>): Promise<People> {
    const diagnostics = [...before.diagnostics];
    const unread = { ...before, whole: false, diagnostics };
    const markAt = (...path: Path): PlaceMark => markOf(given.origin, path, 'value');
    const form = formOf(given, keyOf);
    const csv = isObject(given.value) ? given.value['csv'] : undefined;
    if (form === null || typeof csv !== 'string' || csv === '') return unread;

    const file = pathIn(originOf(given.origin, ['csv']).source.file, csv);
    const here = markAt('csv');
    const used = usedColumns(form);
    const table = await readTable(file, { named: given.value, used }, system, here);
    const wrong = [...table.diagnostics, ...wrongForm(form, table, system.isOutside?.(file) === true, markAt)];
    diagnostics.push(...wrong);
    if (!columnsIn(form.email).every((column) => table.columns.includes(column))) return unread;
    if (table.rows.length === 0) {
      const remedy = `correct the name, or remove \`${PEOPLE}\``;
      const message = `${file} has no row, so there is no person`;
      if (wrong.length === 0) diagnostics.push(diagnose(here, { code: 'too-short', message, remedy }));
      return unread;
    }
    const schema = schemaAt(manifestSchema(), [PEOPLE, 'defaults']) ?? {};
    const people = table.rows.map(personMaker(escapedForm(form), file, schema));
    const mistakes = [...people.flatMap((person) => wrongIn(person, form)), ...declaredTwice(people, before.base)];
    diagnostics.push(...mistakes, ...unusedColumns(table, used, lint));
    const own = people.filter(({ email }) => email !== '');
    const addressIn = ({ email }: Person): Address => addressOf(AGENT.name, email);
    const left = own.filter((person) => person.left);
    const files = [...before.files, file];
    const place = form.leavers === 'suspend' ? markAt('leavers').place : before.leavers?.place;
    return {
      base: withEntries(before.base, laid, own),
      rows: new Map([
        ...before.rows,
        ...own.map((each) => [addressIn(each), markIn(each.row, form.email).place] as const),
      ]),
      marked: new Map([
        ...before.marked,
        ...left.map((each) => [addressIn(each), { by: 'marked-row', file }] as const),
      ]),
      leavers: place === undefined ? null : { kind: AGENT.name, table: files.join(' or '), place },
      files,
      whole: before.whole && diagnostics.every(({ severity }) => severity !== 'error'),
      diagnostics,
    };
  }
}

/** What was inserted is no reference to a variable, also where it looks like one. */
function escapedForm(form: PeopleForm): PeopleForm {
  const defaults = escaped(form.defaults);
  return isObject(defaults) ? { ...form, defaults } : form;
}

/** A section that is no mapping stays, so that the schema can refuse it. */
function withEntries(base: Composed, laid: Composed, people: readonly Person[]): Composed {
  const section = base.value[SECTION] ?? {};
  if (!isObject(section)) return base;
  const added = people.filter(({ email }) => !Object.hasOwn(section, email));
  const from =
    base.value[SECTION] === undefined ? originAt(laid.origin.source, []) : memberOrigin(base.origin, SECTION);
  const members = new Map([...from.members, ...added.map(({ email, entry }) => [email, entry.origin] as const)]);
  const { source, path } = base.origin;
  return {
    value: {
      ...base.value,
      [SECTION]: { ...section, ...Object.fromEntries(added.map(({ email, entry }) => [email, entry.value])) },
    },
    origin: originAt(
      source,
      path,
      new Map([...base.origin.members, [SECTION, originAt(from.source, from.path, members)]]),
    ),
  };
}

/** Reports a mistake in `defaults` once, and not for each person who has the value. */
export function oncePerDefault(emit: Emit, { rows }: People, markAt: (path: Path, part: Part) => PlaceMark): Emit {
  if (rows.size === 0) return emit;
  const reported = new Set<string>();
  return (given) => {
    const found = 'code' in given ? [given] : [...given];
    emit(
      found.filter(({ path: [section, key, ...rest], path, part, code, message }) => {
        const row = section === SECTION ? rows.get(addressOf(AGENT.name, String(key))) : undefined;
        if (row === undefined || rest.length === 0) return true;
        const { place } = markAt(path, part);
        if (place.file === row.file) return true;
        const label = `${position(place)} ${code} ${message}`;
        const isNew = !reported.has(label);
        reported.add(label);
        return isNew;
      }),
    );
  };
}
