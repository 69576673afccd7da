// `agents_from:` of a manifest: the table is read, and each row becomes an entry under `agents:`, below the overlays.

import { isObject } from '../base/json.ts';
import type { Diagnostic, Json, Leavers } from '../base/model.ts';
import { MEMBERSHIP } from '../kinds/index.ts';
import { collector, diagnose, type Emit, namedHere, position } from '../yaml/diagnostics.ts';
import type { Part, Path, PlaceMark } from '../yaml/places.ts';
import { type FileSystem, pathIn, readText } from '../yaml/read.ts';
import { schemaAt } from '../yaml/schema-at.ts';
import { type DataTable, parseTable } from '../yaml/table.ts';
import { type Composed, markOf, memberOrigin, originAt, originOf } from './origin.ts';
import { declaredTwice, wrongForm, wrongIn } from './people-checks.ts';
import { formOf, type PeopleForm, type Person, personMaker } from './people-rows.ts';
import type { TablePeople } from './resolve.ts';
import { manifestSchema } from './schema.ts';
import { addressOf, PEOPLE } from './sections.ts';
import { escaped, type Insertions, substitute, type Variables } from './substitute.ts';

/** People from a table. */
export interface People extends TablePeople {
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

/** `laid`: the manifest with its overlays, which may change what the table is. */
export async function peopleOf(
  base: Composed,
  laid: Composed,
  variables: Variables,
  insertions: Pick<Insertions, 'refusal'>,
  system: FileSystem,
): Promise<People> {
  const none = { base, rows: new Map(), marked: new Map(), leavers: null, diagnostics: [] } as const;
  if (laid.value[PEOPLE] === undefined) return { ...none, whole: true };
  const markAt = (...path: Path): PlaceMark => markOf(laid.origin, [PEOPLE, ...path], 'value');
  const inserted = insertedIn(laid.value[PEOPLE], variables, insertions);
  const given = { value: laid.value[PEOPLE], origin: memberOrigin(laid.origin, PEOPLE) };
  const form = inserted === null ? null : formOf(inserted, given);
  const csv = isObject(inserted) ? inserted['csv'] : undefined;
  if (form === null || typeof csv !== 'string' || csv === '') return { ...none, whole: false };

  const named = originOf(laid.origin, [PEOPLE, 'csv']).source.file;
  const file = pathIn(named, csv);
  const here = markAt('csv');
  const text = await readText(file, system);
  if (typeof text !== 'string') return { ...none, whole: false, diagnostics: [namedHere(text, here)] };
  const isOutside = system.isOutside?.(file) === true;
  const table = tableOf(file, text, form, isOutside);
  const wrong = [...table.diagnostics, ...wrongForm(form, table, isOutside, markAt)];
  const isReadable = table.columns.includes(form.email) && (wrong.length === 0 || table.rows.length > 0);
  if (!isReadable) return { ...none, whole: false, diagnostics: wrong };

  const { rows } = table;
  if (rows.length === 0) {
    const remedy = `correct the name, or remove \`${PEOPLE}\``;
    const found = diagnose(here, { code: 'too-short', message: `${file} has no row, so there is no person`, remedy });
    return { ...none, whole: false, diagnostics: [...wrong, found] };
  }
  const schema = schemaAt(manifestSchema(), [PEOPLE, 'defaults']) ?? {};
  const people = rows.map(personMaker(escapedForm(form), file, schema));
  const found = [...wrong, ...people.flatMap((person) => wrongIn(person, form)), ...declaredTwice(people, base)];
  const own = people.filter(({ email }) => email !== '');
  const place = markAt('leavers').place;
  return {
    base: withEntries(base, laid, own),
    rows: new Map(own.map(({ email, row }) => [addressOf(AGENT.name, email), row.markAt(form.email).place])),
    marked: new Map(
      own.flatMap(({ email, left }) =>
        left ? [[addressOf(AGENT.name, email), { by: 'marked-row', file }] as const] : [],
      ),
    ),
    leavers: form.leavers === 'suspend' ? { kind: AGENT.name, table: file, place } : null,
    whole: found.length === 0,
    diagnostics: found,
  };
}

/** A table with a single column is probably one with another separator, which is told only where a column must be there. */
function tableOf(file: string, text: string, { email }: PeopleForm, isOutside: boolean): DataTable {
  const table = parseTable(file, text, { isOutside });
  const isCut = table.columns.length > 1 || table.columns.includes(email);
  return isCut ? table : parseTable(file, text, { isOutside, required: [email] });
}

/** Null where a variable has no value, or may not be read: the check of the whole manifest says so. */
function insertedIn(
  given: Json | undefined,
  variables: Variables,
  insertions: Pick<Insertions, 'refusal'>,
): Json | null {
  const { emit, found } = collector();
  const value = { [PEOPLE]: given ?? null };
  const inserted = substitute({ value, templated: true }, manifestSchema, variables, emit, insertions);
  return found.length > 0 ? null : (inserted[PEOPLE] ?? null);
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
