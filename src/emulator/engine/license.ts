// A license: the tables and facts that the kinds of its APIs declare, and the seed that one begins with. Knows no kind.

import { oncePer } from '../../base/once-per.ts';
import type { Callback } from './callbacks.ts';
import type { WebhookNotifier } from './journal.ts';
import type { Ids } from './random.ts';
import { refuse, validating } from './refusal.ts';
import { type EngineSettings, schemaAddress } from './settings.ts';
import type { FieldReaders, Intersection, JsonReader, ObjectShape, ReaderSchema } from './shape.ts';
import { exact, object } from './shape.ts';
import { createHistory, createTable, type HistoryTable, type IndexTerms, type TableHistory } from './table.ts';

/** One license; its tables and facts are found through their definitions. */
export interface EmulatedLicense {
  readonly history: TableHistory;
  readonly kinds: readonly EmulatedKind[];
  /** How many ids were made; kept in the state, so that no process makes an id again. */
  serial: number;
  /** Tells the license from every other; only one in a file has it, from its first write on. */
  identity?: string | undefined;
}

/** A license at work: what its kinds are given when the time, the control API or a request asks something of them. */
export interface LicenseContext {
  readonly license: EmulatedLicense;
  readonly settings: EngineSettings;
  readonly ids: Ids;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Milliseconds until a write of the configuration has taken effect. */
  readonly propagation: number;
  /** The moment whose configuration has taken effect, in ms; Infinity is now. Specification: "What the service does". */
  readonly effectiveAt: number;
  /** Sends a request of the emulator itself; never waits for its reply. */
  readonly callBack: (callback: Callback) => void;
  /** Keeps a webhook that the service would send now. */
  readonly notify: WebhookNotifier;
  /**
   * Sets the clock to a moment, does what is due by then, and returns the license as it stands there. What was written after that moment
   * counts as having always been there. `settings` hold at that moment; later, those of the license hold again. No webhook is kept.
   */
  readonly moveTo: (at: number, settings: EngineSettings) => LicenseContext;
}

/** What a test does in the place of people: agents, visitors. Part of the control API. */
export interface ControlAction {
  /** Its path under the prefix of the control API. */
  readonly name: string;
  readonly effect: 'read' | 'write';
  /** Returns the reply; `{}` when it returns none. Throws a refusal before it has changed anything. */
  run(body: unknown, context: LicenseContext): object | undefined;
}

/** What one kind of object adds to a license. */
export interface EmulatedKind {
  readonly tables: readonly TableDefinition[];
  readonly facts?: readonly FactDefinition[];
  /** Its members of a seed. */
  readonly seed?: FieldReaders;
  /** Adds what a checked seed describes; refuses what contradicts itself. */
  plant?(license: EmulatedLicense, seed: object, settings: EngineSettings): void;
  /** Refuses a loaded state whose records contradict each other. */
  check?(license: EmulatedLicense): void;
  readonly controls?: readonly ControlAction[];
  /** Does what is due by now: called before each request, and after each that wrote. */
  settle?(context: LicenseContext): void;
  /** Asked before a record of another kind is deleted: refuses, or returns how this kind lets go of it. */
  release?(
    license: EmulatedLicense,
    settings: EngineSettings,
    table: TableDefinition,
    key: string,
  ): (() => void) | undefined;
}

/** A table that every license has. */
export interface TableDefinition<N extends string = string, V = unknown, I extends string = never> {
  /** Its member of `tables` in a state. */
  readonly name: N;
  /** Checks a record of a state. */
  readonly record: JsonReader<V>;
  keyOf(value: V): string;
  readonly create: (license: EmulatedLicense) => void;
  readonly of: (license: EmulatedLicense) => HistoryTable<V, I>;
}

/** A single value that every license has in addition to its tables. Writes to it have no history. */
export interface FactDefinition<N extends string = string, V = unknown> {
  /** Its member of a state; undefined is left out. */
  readonly name: N;
  readonly record: JsonReader<V>;
  readonly create: (license: EmulatedLicense) => void;
  readonly of: (license: EmulatedLicense) => { value: V };
}

/** A value of which each license has its own. */
function perLicense<T extends object>(name: string, make: (license: EmulatedLicense) => T) {
  const made = new WeakMap<EmulatedLicense, T>();
  return {
    create: (license: EmulatedLicense): void => void made.set(license, make(license)),
    of: (license: EmulatedLicense): T =>
      made.get(license) ?? refuse('internal', `no kind of the license declares ${name}`),
  };
}

/** A table whose keys are `keyOf(record)`. `terms`: see createTable. */
export function defineTable<const N extends string, V, I extends string = never>(
  name: N,
  record: JsonReader<V>,
  keyOf: (value: V) => string,
  terms: IndexTerms<V, I>,
): TableDefinition<N, V, I> {
  return { name, record, keyOf, ...perLicense(name, ({ history }) => createTable(history, keyOf, terms)) };
}

/** `initial` is its value in a license of which nothing is said. */
export function defineFact<const N extends string, V>(
  name: N,
  record: JsonReader<V>,
  initial: V,
): FactDefinition<N, V> {
  return { name, record, ...perLicense(name, () => ({ value: initial })) };
}

/** A license whose tables are empty. `window` is the longest time in ms by which reads can lag. */
export function createLicense(kinds: readonly EmulatedKind[], window: number): EmulatedLicense {
  const license: EmulatedLicense = { history: createHistory(window), kinds, serial: 0 };
  for (const { tables, facts = [] } of kinds) for (const part of [...tables, ...facts]) part.create(license);
  return license;
}

/** Sets the clock of a license to a moment. A clock that is set back takes the license to have always been as it is. */
export function setClock(license: EmulatedLicense, at: number): void {
  const { history, kinds } = license;
  if (at < history.now) {
    for (const { tables } of kinds) for (const table of tables) table.of(license).flatten();
    history.stale.splice(0);
    history.wrote = at;
  }
  history.now = at;
}

/** Lets every kind refuse the delete of a record, and then let go of it. Later kinds refer to earlier ones, so they come first. */
export function release(license: EmulatedLicense, settings: EngineSettings, table: TableDefinition, key: string): void {
  const effects = license.kinds.toReversed().map((kind) => kind.release?.(license, settings, table, key));
  for (const effect of effects) effect?.();
}

/** A seed with the members of all these kinds; everything is optional. */
export type SeedOf<K extends EmulatedKind> = Intersection<
  K extends { readonly seed: infer F extends FieldReaders } ? ObjectShape<F> : never
>;

const seedReader = oncePer((kinds: readonly EmulatedKind[]): JsonReader<object> => {
  const fields: FieldReaders = Object.assign({ ...schemaAddress }, ...kinds.map(({ seed }) => seed));
  return exact(object(fields));
});

/** Checks parsed JSON; throws an Error that names the member which is wrong or, at any depth, not known. */
export function readSeed(kinds: readonly EmulatedKind[], json: unknown): object {
  return validating('a valid seed', () => seedReader(kinds)(json, ''));
}

/** JSON Schema of a seed. */
export const seedSchema = (kinds: readonly EmulatedKind[]): ReaderSchema => seedReader(kinds).schema ?? {};

/** A license whose records can be read at once. `window`: see createLicense. Throws an Error that names what is wrong. */
export function plant(
  kinds: readonly EmulatedKind[],
  seed: object,
  settings: EngineSettings,
  window: number,
): EmulatedLicense {
  const license = createLicense(kinds, window);
  validating('a valid seed', () => {
    for (const kind of kinds) kind.plant?.(license, seed, settings);
  });
  return license;
}
