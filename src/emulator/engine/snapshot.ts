// The state of a license as JSON: whole, or what of it changed, and back. Knows no file and no kind.

import { isObject, type ParsedObject } from '../../base/json.ts';
import { oncePer } from '../../base/once-per.ts';
import type { EmulatedKind, EmulatedLicense, FactDefinition, TableDefinition } from './license.ts';
import { createLicense } from './license.ts';
import { validating } from './refusal.ts';
import type { JsonReader, ObjectShape } from './shape.ts';
import { int, list, object, oneOf, optional, text } from './shape.ts';
import { type EmulatedRow, forget } from './table.ts';

const FORMAT = 'chatform-emulator/2';

const moment = int(Number.MIN_SAFE_INTEGER);
const dated = object({ at: optional(moment) });

function version(record: JsonReader<unknown>): JsonReader<EmulatedRow<unknown>[number]> {
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
  readonly tables: { readonly [T in TablesOf<K> as T['name']]: readonly EmulatedRow<ReturnType<T['record']>>[] };
};

/** The same, of kinds that are not known. */
export type AnyState = StateOf<EmulatedKind> & { readonly [fact: string]: unknown };

/** A later part of a state: its facts hold, and its rows replace those of the same key. */
export type StateChange = AnyState & {
  /** By table, the keys of rows that are gone; they go before its rows come. */
  readonly gone: { readonly [table: string]: readonly string[] };
};

/** Whether parsed JSON claims to be a state, and not a seed. */
export function looksLikeState(json: unknown): json is ParsedObject {
  return isObject(json) && Object.hasOwn(json, 'format');
}

const tablesOf = (kinds: readonly EmulatedKind[]): readonly TableDefinition[] => kinds.flatMap(({ tables }) => tables);
const factsOf = (kinds: readonly EmulatedKind[]): readonly FactDefinition[] => kinds.flatMap(({ facts = [] }) => facts);

function byName<T extends { readonly name: string }, U>(parts: readonly T[], make: (part: T) => U) {
  return Object.fromEntries(parts.map((part) => [part.name, make(part)]));
}

const stateReaders = oncePer((kinds: readonly EmulatedKind[]) => {
  // A state that an older emulator wrote lacks the tables that are newer.
  const rows = ({ record }: TableDefinition) => optional(list(list(version(record), 1)));
  const keys = () => optional(list(text));
  return {
    facts: object(byName(factsOf(kinds), ({ record }) => record)),
    tables: object({ tables: object(byName(tablesOf(kinds), rows)) }),
    gone: object({ gone: optional(object(byName(tablesOf(kinds), keys))) }),
  };
});

/** Checks parsed JSON; throws an Error that names the member which is wrong. */
export function readState(kinds: readonly EmulatedKind[], json: unknown): AnyState {
  const { facts, tables } = stateReaders(kinds);
  return validating('a valid state', () => {
    const rest = { ...object(head)(json, ''), ...facts(json, '') };
    const given = Object.entries(tables(json, '').tables);
    return { ...rest, tables: Object.fromEntries(given.map(([name, found = []]) => [name, found])) };
  });
}

/** Takes the parts of a state in their order, and returns what they say together. */
export function createStateReader(kinds: readonly EmulatedKind[]) {
  const tables = tablesOf(kinds).map(({ name, keyOf }) => ({
    name,
    keyOf,
    rows: new Map<string, EmulatedRow<unknown>>(),
  }));
  let latest: AnyState | undefined;

  /** Tells a part of a whole state from a change. Throws an Error that names the member which is wrong. */
  function take(json: unknown): 'part' | 'change' {
    const part = readState(kinds, json);
    const { gone } = validating('a valid state', () => stateReaders(kinds).gone(json, ''));
    for (const { name, keyOf, rows } of tables) {
      for (const key of gone?.[name] ?? []) rows.delete(key);
      for (const row of part.tables[name] ?? []) {
        const known = row.find(({ value }) => value !== undefined);
        if (known !== undefined) rows.set(keyOf(known.value), row);
      }
    }
    latest = part;
    return gone === undefined ? 'part' : 'change';
  }

  /** Undefined without a part. */
  function state(): AnyState | undefined {
    return latest && { ...latest, tables: byName(tables, ({ rows }) => Array.from(rows.values())) };
  }

  return { take, state };
}

/** A state without its tables. */
function headOf(license: EmulatedLicense) {
  const { history, serial, kinds, identity } = license;
  const facts = Object.entries(byName(factsOf(kinds), (fact) => fact.of(license).value));
  return {
    format: FORMAT,
    ...(identity === undefined ? {} : { identity }),
    now: history.wrote,
    serial,
    ...Object.fromEntries(facts.filter(([, value]) => value !== undefined)),
  } as const;
}

export function takeSnapshot(license: EmulatedLicense): AnyState {
  return {
    ...headOf(license),
    tables: byName(tablesOf(license.kinds), (table) => table.of(license).rows()),
  };
}

/** What changed since the last call, or since `trackChanges`. Tables without a change are left out. */
export function takeChanges(license: EmulatedLicense): StateChange {
  const found = tablesOf(license.kinds).map(({ name, of }) => ({ name, ...of(license).takeChanges() }));
  return {
    ...headOf(license),
    gone: byName(
      found.filter(({ gone }) => gone.length > 0),
      ({ gone }) => gone,
    ),
    tables: byName(
      found.filter(({ rows }) => rows.length > 0),
      ({ rows }) => rows,
    ),
  };
}

/** The license of a state; throws an Error when its parts contradict each other. `window`: see createLicense. */
export function restore(kinds: readonly EmulatedKind[], state: AnyState, window: number): EmulatedLicense {
  const license = createLicense(kinds, window);
  license.serial = state.serial;
  license.identity = state.identity;
  license.history.now = state.now;
  for (const fact of factsOf(kinds)) fact.of(license).value = state[fact.name];
  for (const { name, of } of tablesOf(kinds)) for (const row of state.tables[name] ?? []) of(license).load(row);
  license.history.stale.sort((one, other) => one.at - other.at);
  forget(license.history);
  validating('a valid state', () => {
    for (const kind of kinds) kind.check?.(license);
  });
  return license;
}
