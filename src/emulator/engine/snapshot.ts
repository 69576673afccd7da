// The state of a license: everything in it as JSON, and back. Knows no file and no kind.

import { isObject, type ParsedObject } from '../../base/json.ts';
import { oncePer } from '../../base/once-per.ts';
import type { EmulatedKind, EmulatedLicense, FactDefinition, TableDefinition } from './license.ts';
import { createLicense } from './license.ts';
import { refuse, validating } from './refusal.ts';
import type { JsonReader, ObjectShape } from './shape.ts';
import { int, list, object, oneOf, optional, text } from './shape.ts';
import { forget, type TableRow } from './table.ts';

const FORMAT = 'chatform-emulator/1';

const moment = int(Number.MIN_SAFE_INTEGER);
const dated = object({ at: optional(moment) });

function version(record: JsonReader<unknown>): JsonReader<TableRow<unknown>[number]> {
  return (given, path) => {
    const time = dated(given, path);
    const value = isObject(given) ? given['value'] : undefined;
    return value === undefined ? time : { ...time, value: record(value, `${path}.value`) };
  };
}

const head = { format: oneOf([FORMAT]), identity: optional(text), now: moment, serial: int(0) };

type FactsOf<K> = K extends { readonly facts: readonly (infer F extends FactDefinition)[] } ? F : never;
type TablesOf<K extends EmulatedKind> = K['tables'][number];

/**
 * A whole license as JSON. `now` is the time of its last write in ms since the epoch. A row of a table is one record with the versions
 * that reads can still see, oldest first, so that a write keeps propagating.
 */
export type StateOf<K extends EmulatedKind> = ObjectShape<
  typeof head & { readonly [F in FactsOf<K> as F['name']]: F['record'] }
> & {
  /** How many archived records are left out, if any are; such a state is not whole, and no license begins with it. */
  readonly archive?: { readonly records: number };
  readonly tables: { readonly [T in TablesOf<K> as T['name']]: readonly TableRow<ReturnType<T['record']>>[] };
};

/** The same, of kinds that are not known. */
export type AnyState = StateOf<EmulatedKind> & { readonly [fact: string]: unknown };

export interface SnapshotOptions {
  /** Whether archived records are in it; the default is `false`. */
  readonly archived?: boolean;
}

/** Archived records by the name of their table, in the order in which they were archived. */
export type ArchivedRecords = ReadonlyMap<string, readonly unknown[]>;

/** One change of an archive: a record that was added, or the key of one that is gone. */
export type ArchiveLine =
  | { readonly table: string; readonly value: unknown }
  | { readonly table: string; readonly gone: string };

/** Whether parsed JSON claims to be a state, and not a seed. */
export function looksLikeState(json: unknown): json is ParsedObject {
  return isObject(json) && Object.hasOwn(json, 'format');
}

export const tablesOf = (kinds: readonly EmulatedKind[]): readonly TableDefinition[] =>
  kinds.flatMap(({ tables }) => tables);
const factsOf = (kinds: readonly EmulatedKind[]): readonly FactDefinition[] => kinds.flatMap(({ facts = [] }) => facts);

function byName<T extends { readonly name: string }, U>(parts: readonly T[], make: (part: T) => U) {
  return Object.fromEntries(parts.map((part) => [part.name, make(part)]));
}

const stateReaders = oncePer((kinds: readonly EmulatedKind[]) => {
  // A state that an older emulator wrote lacks the tables that are newer.
  const rows = ({ record }: TableDefinition) => optional(list(list(version(record), 1)));
  return {
    facts: object(byName(factsOf(kinds), ({ record }) => record)),
    tables: object({ tables: object(byName(tablesOf(kinds), rows)) }),
  };
});

/** Checks parsed JSON; throws an Error that names the member which is wrong. */
export function readState(kinds: readonly EmulatedKind[], json: unknown): AnyState {
  const { facts, tables } = stateReaders(kinds);
  return validating('a valid state', () => {
    const rest = { ...object(head)(json, ''), ...facts(json, '') };
    if (isObject(json) && Object.hasOwn(json, 'archive'))
      refuse('validation', 'it lacks its archived records: take a snapshot with them, or open the state file itself');
    const given = Object.entries(tables(json, '').tables);
    return { ...rest, tables: Object.fromEntries(given.map(([name, found = []]) => [name, found])) };
  });
}

export function takeSnapshot(license: EmulatedLicense, { archived = false }: SnapshotOptions = {}): AnyState {
  const { history, serial, kinds, identity } = license;
  const tables = tablesOf(kinds);
  const left = archived ? 0 : tables.reduce((sum, table) => sum + table.of(license).archivedSize(), 0);
  const facts = Object.entries(byName(factsOf(kinds), (fact) => fact.of(license).value));
  return {
    format: FORMAT,
    ...(identity === undefined ? {} : { identity }),
    ...(left === 0 ? {} : { archive: { records: left } }),
    now: history.wrote,
    serial,
    ...Object.fromEntries(facts.filter(([, value]) => value !== undefined)),
    tables: byName(tables, (table) => table.of(license).rows(archived)),
  };
}

/** What the file of the archive lacks, which it is then taken to have; `everything` for a new file. */
export function flushArchive(license: EmulatedLicense, everything: boolean): readonly ArchiveLine[] {
  return tablesOf(license.kinds).flatMap(({ name: table, of }): readonly ArchiveLine[] => {
    const { values, gone } = of(license).flushArchive(everything);
    return [...gone.map((key) => ({ table, gone: key })), ...values.map((value) => ({ table, value }))];
  });
}

/**
 * The license of a state; throws an Error when its parts contradict each other. `window`: see createLicense. `archived` is what its
 * archive has; a row of the state counts instead.
 */
export function restore(
  kinds: readonly EmulatedKind[],
  state: AnyState,
  window: number,
  archived: ArchivedRecords = new Map(),
): EmulatedLicense {
  const license = createLicense(kinds, window);
  license.serial = state.serial;
  license.identity = state.identity;
  license.history.now = state.now;
  for (const fact of factsOf(kinds)) fact.of(license).value = state[fact.name];
  for (const { name, of } of tablesOf(kinds)) {
    for (const record of archived.get(name) ?? []) of(license).loadArchived(record);
    for (const row of state.tables[name] ?? []) of(license).load(row);
  }
  license.history.stale.sort((one, other) => one.at - other.at);
  forget(license.history);
  validating('a valid state', () => {
    for (const kind of kinds) kind.check?.(license);
  });
  return license;
}
