// Tables whose records can be read as they stood at any moment within the propagation window. Know no kind of record.

/** The clock of the tables: all writes of one request carry one time, so that a read sees all of them or none. */
export interface History {
  /** Time of the present request in ms; never runs backwards. -Infinity before the first. */
  now: number;
  /** Longest time in ms by which a read can lag; 0 keeps no history at all. */
  readonly window: number;
  /** Number of writes so far: tells whether a request changed anything. */
  writes: number;
  /** What to drop once no read can reach it any more, oldest first. */
  readonly stale: { readonly at: number; readonly settle: () => void }[];
}

/** A record from `at` on; `undefined` stands for "deleted". */
interface RecordVersion<V> {
  readonly at: number;
  readonly value: V | undefined;
  older: RecordVersion<V> | undefined;
}

/** All versions of one key that a read can still reach; `first` has the terms of its indexes, which never change. */
interface Cell<V> {
  readonly first: V;
  newest: RecordVersion<V>;
}

/**
 * One key of a table in a state file: every version that a read can still reach, oldest first. In a version without `value` it was
 * deleted; one without `at` has always been there.
 */
export type TableRow<V> = readonly { readonly at?: number; readonly value?: V }[];

/**
 * Reads take the moment whose state they return; without one it is the present. `set` and `load` are methods, so that tables of different
 * records can stand in one list.
 */
export interface HistoryTable<V, I extends string = never> {
  readonly get: (key: string, at?: number) => V | undefined;
  readonly all: (at?: number) => readonly V[];
  /** The records whose `index` is `term`. */
  readonly where: (index: I, term: string, at?: number) => readonly V[];
  /** How many records there are now. */
  readonly size: () => number;
  /** How often the table was written: tells whether what was derived from it still holds. */
  readonly writes: () => number;
  set(value: V): void;
  readonly delete: (key: string) => void;
  readonly rows: () => readonly TableRow<V>[];
  /** Takes a row as `rows` gave it; the caller sorts `history.stale` once all tables are loaded. */
  load(row: TableRow<V>): void;
}

export function createHistory(window: number): History {
  return { now: -Infinity, window, writes: 0, stale: [] };
}

/** Moves the clock to `now` and drops what has left the window. */
export function advance(history: History, now: number): void {
  history.now = Math.max(history.now, now);
  const horizon = history.now - history.window;
  let done = 0;
  for (const entry of history.stale) {
    if (entry.at > horizon) break;
    entry.settle();
    done += 1;
  }
  if (done > 0) history.stale.splice(0, done);
}

function visible<V>(version: RecordVersion<V> | undefined, at: number): V | undefined {
  let seen = version;
  while (seen !== undefined && seen.at > at) seen = seen.older;
  return seen?.value;
}

function rowOf<V>(newest: RecordVersion<V>): TableRow<V> {
  const found: TableRow<V>[number][] = [];
  for (let version: RecordVersion<V> | undefined = newest; version !== undefined; version = version.older) {
    const { at, value } = version;
    found.push({ ...(at === -Infinity ? {} : { at }), ...(value === undefined ? {} : { value }) });
  }
  return found.reverse();
}

export type IndexTerms<V, I extends string> = { readonly [index in I]: (value: V) => string };

interface TableIndex<V> {
  readonly term: (value: V) => string;
  readonly keys: Map<string, Set<string>>;
}

function addTo<V>(index: TableIndex<V>, key: string, value: V): void {
  const term = index.term(value);
  const keys = index.keys.get(term);
  if (keys === undefined) index.keys.set(term, new Set([key]));
  else keys.add(key);
}

function removeFrom<V>(index: TableIndex<V>, key: string, value: V): void {
  const term = index.term(value);
  const keys = index.keys.get(term);
  keys?.delete(key);
  if (keys?.size === 0) index.keys.delete(term);
}

/**
 * A table whose keys are `keyOf(value)`. The terms of an index must never change while a key lives: an index holds every key of
 * which some version can still be read, and a read then takes the version of its moment.
 */
export function createTable<V, I extends string = never>(
  history: History,
  keyOf: (value: V) => string,
  terms: IndexTerms<V, I>,
): HistoryTable<V, I> {
  const cells = new Map<string, Cell<V>>();
  const indexes = new Map<string, TableIndex<V>>();
  for (const [name, term] of Object.entries<(value: V) => string>(terms)) indexes.set(name, { term, keys: new Map() });
  let live = 0;
  let writes = 0;

  function insert(key: string, value: V, at: number): Cell<V> {
    const cell: Cell<V> = { first: value, newest: { at, value, older: undefined } };
    cells.set(key, cell);
    for (const index of indexes.values()) addTo(index, key, value);
    return cell;
  }

  function remove(key: string, cell: Cell<V>): void {
    cells.delete(key);
    for (const index of indexes.values()) removeFrom(index, key, cell.first);
  }

  function supersede(key: string, cell: Cell<V>, value: V | undefined): void {
    const old = cell.newest;
    const older = old.at === history.now ? old.older : old;
    cell.newest = { at: history.now, value, older };
    if (history.window === 0) settle(key);
    else history.stale.push({ at: history.now, settle: () => settle(key) });
  }

  function settle(key: string): void {
    const cell = cells.get(key);
    if (cell === undefined) return;
    let version: RecordVersion<V> | undefined = cell.newest;
    while (version !== undefined && version.at > history.now - history.window) version = version.older;
    if (version === undefined) return;
    version.older = undefined;
    if (version === cell.newest && version.value === undefined) remove(key, cell);
  }

  function set(value: V): void {
    const key = keyOf(value);
    const cell = cells.get(key);
    if (cell?.newest.value === undefined) live += 1;
    history.writes += 1;
    writes += 1;
    if (cell === undefined) insert(key, value, history.now);
    else supersede(key, cell, value);
  }

  function erase(key: string): void {
    const cell = cells.get(key);
    if (cell?.newest.value === undefined) return;
    live -= 1;
    history.writes += 1;
    writes += 1;
    supersede(key, cell, undefined);
  }

  function load(row: TableRow<V>): void {
    const values = row.flatMap(({ value }) => (value === undefined ? [] : [value]));
    const [first] = values;
    const [oldest, ...later] = row;
    if (first === undefined || oldest === undefined) return;
    const key = keyOf(first);
    if (cells.has(key) || values.some((value) => keyOf(value) !== key))
      throw new Error(`two rows share the key ${key}`);
    const cell = insert(key, first, -Infinity);
    cell.newest = { at: oldest.at ?? -Infinity, value: oldest.value, older: undefined };
    for (const { at = -Infinity, value } of later) cell.newest = { at, value, older: cell.newest };
    if (cell.newest.value !== undefined) live += 1;
    history.stale.push({ at: cell.newest.at, settle: () => settle(key) });
  }

  const read = (keys: Iterable<string>, at: number): readonly V[] => {
    const found: V[] = [];
    for (const key of keys) {
      const value = visible(cells.get(key)?.newest, at);
      if (value !== undefined) found.push(value);
    }
    return found;
  };

  return {
    get: (key, at = Infinity) => visible(cells.get(key)?.newest, at),
    all: (at = Infinity) => read(cells.keys(), at),
    where: (index, term, at = Infinity) => read(indexes.get(index)?.keys.get(term) ?? [], at),
    size: () => live,
    writes: () => writes,
    set,
    delete: erase,
    rows: () => Array.from(cells.values(), (cell) => rowOf(cell.newest)),
    load,
  };
}
