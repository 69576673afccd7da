// Tables whose records can be read as they stood at any moment within the propagation window. Know no kind of record.

/** The clock of the tables: all writes of one request carry one time, so that a read sees all of them or none. */
export interface TableHistory {
  /** Time of the present request in ms; only `setClock` turns it back. -Infinity before the first. */
  now: number;
  /** Time of the last write in ms. Older versions are dropped by writes, so that what is kept does not depend on reads. */
  wrote: number;
  /** Longest time in ms by which a read can lag; 0 keeps no history at all. It may grow. */
  window: number;
  /** Number of writes so far: tells whether a request changed anything. */
  writes: number;
  /** Whether tables note which rows change, for a file that is told only of these. */
  tracksChanges: boolean;
  /** What to drop once no read can reach it any more, oldest first. */
  readonly stale: StaleKey[];
}

/** A key whose older versions nothing can reach from `at` + `window` on. */
interface StaleKey {
  readonly at: number;
  readonly key: string;
  /** Of its table: drops them. */
  readonly settle: (key: string) => void;
}

/** A record from `at` on; `undefined` stands for "deleted". */
interface RecordVersion<V> {
  readonly at: number;
  readonly value: V | undefined;
  older: RecordVersion<V> | undefined;
}

/** All versions of one key that a read can still reach; `known` is one of them, whose terms of the indexes never change. */
interface Cell<V> {
  known: V;
  newest: RecordVersion<V>;
}

/** What a file of the table's rows lacks: keys that are no row any more, and then rows to add or to replace. */
export interface TableChanges<V> {
  readonly gone: readonly string[];
  readonly rows: readonly EmulatedRow<V>[];
}

/**
 * One key of a table in a state: every version that a read can still reach, oldest first. In a version without `value` it was
 * deleted; one without `at` has always been there.
 */
export type EmulatedRow<V> = readonly { readonly at?: number; readonly value?: V }[];

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
  /** The keys of the writes since `writes` was this number; undefined where there were too many to remember. */
  readonly writtenSince: (writes: number) => readonly string[] | undefined;
  set(value: V): void;
  readonly delete: (key: string) => void;
  /** Does `work`, and returns what stood under each key that it wrote; undefined where nothing did. */
  readonly watch: <T>(work: () => T) => { readonly result: T; readonly before: ReadonlyMap<string, V | undefined> };
  readonly rows: () => readonly EmulatedRow<V>[];
  /** What changed since the last call, once `tracksChanges` of the history is set. */
  readonly takeChanges: () => TableChanges<V>;
  /** Takes every record to have always been as it is now, and forgets those that were deleted. */
  readonly flatten: () => void;
  /** Takes a row as `rows` gave it; the caller sorts `history.stale` once all tables are loaded. */
  load(row: EmulatedRow<V>): void;
}

/**
 * A record with members that it lacked. A literal that spreads it and names them does the same, and takes ten times as long in V8. Only a
 * member `__proto__` is lost: records whose members a caller names are spread.
 */
export const extended = <V extends object, M extends object>(record: V, members: M): V & M =>
  Object.assign({}, record, members);

export function createHistory(window: number): TableHistory {
  return { now: -Infinity, wrote: -Infinity, window, writes: 0, tracksChanges: false, stale: [] };
}

/** Moves the clock to `now`. */
export function advance(history: TableHistory, now: number): void {
  history.now = Math.max(history.now, now);
}

/** Drops what has left the window, as the first write of a moment does. */
export function forget(history: TableHistory): void {
  history.wrote = history.now;
  const horizon = history.now - history.window;
  let done = 0;
  for (const entry of history.stale) {
    if (entry.at > horizon) break;
    entry.settle(entry.key);
    done += 1;
  }
  if (done > 0) history.stale.splice(0, done);
}

function visible<V>(version: RecordVersion<V> | undefined, at: number): V | undefined {
  let seen = version;
  while (seen !== undefined && seen.at > at) seen = seen.older;
  return seen?.value;
}

function hasValue<V>(newest: RecordVersion<V>): boolean {
  let version: RecordVersion<V> | undefined = newest;
  while (version !== undefined && version.value === undefined) version = version.older;
  return version !== undefined;
}

function rowOf<V>(newest: RecordVersion<V>): EmulatedRow<V> {
  const found: EmulatedRow<V>[number][] = [];
  for (let version: RecordVersion<V> | undefined = newest; version !== undefined; version = version.older) {
    const { at, value } = version;
    found.push({ ...(at === -Infinity ? {} : { at }), ...(value === undefined ? {} : { value }) });
  }
  return found.reverse();
}

export type IndexTerms<V, I extends string> = { readonly [index in I]: (value: V) => string };

interface TableIndex<V> {
  readonly term: (value: V) => string;
  /** The keys of a term; most terms have one key, which takes far less memory without a set around it. */
  readonly keys: Map<string, string | Set<string>>;
}

function addTo<V>(index: TableIndex<V>, key: string, value: V): void {
  const term = index.term(value);
  const keys = index.keys.get(term);
  if (keys === undefined) index.keys.set(term, key);
  else if (typeof keys !== 'string') keys.add(key);
  else if (keys !== key) index.keys.set(term, new Set([keys, key]));
}

function removeFrom<V>(index: TableIndex<V>, key: string, value: V): void {
  const term = index.term(value);
  const keys = index.keys.get(term);
  if (keys === key) index.keys.delete(term);
  if (keys === undefined || typeof keys === 'string') return;
  keys.delete(key);
  if (keys.size === 0) index.keys.delete(term);
}

function keysOf<V>(index: TableIndex<V> | undefined, term: string): Iterable<string> {
  const keys = index?.keys.get(term) ?? [];
  return typeof keys === 'string' ? [keys] : keys;
}

/** Writes whose keys a table remembers at least. */
const REMEMBERED = 1000;

/**
 * A table whose keys are `keyOf(value)`. The terms of an index must never change while a key lives: an index holds every key of
 * which some version can still be read, and a read then takes the version of its moment.
 */
export function createTable<V, I extends string = never>(
  history: TableHistory,
  keyOf: (value: V) => string,
  terms: IndexTerms<V, I>,
): HistoryTable<V, I> {
  const cells = new Map<string, Cell<V>>();
  const indexes = new Map<string, TableIndex<V>>();
  for (const [name, term] of Object.entries<(value: V) => string>(terms)) indexes.set(name, { term, keys: new Map() });
  let live = 0;
  let writes = 0;
  /** Keys of the latest writes. */
  const recent: string[] = [];
  let watched: Map<string, V | undefined> | undefined;
  /** Keys whose rows changed, and keys that were removed, since `takeChanges`; a removed key may be there again. */
  const changed = new Set<string>();
  const gone = new Set<string>();

  function noteChange(key: string): void {
    if (history.tracksChanges) changed.add(key);
  }

  function insert(key: string, value: V, at: number): Cell<V> {
    const cell: Cell<V> = { known: value, newest: { at, value, older: undefined } };
    cells.set(key, cell);
    noteChange(key);
    for (const index of indexes.values()) addTo(index, key, value);
    return cell;
  }

  function remove(key: string, cell: Cell<V>): void {
    cells.delete(key);
    if (history.tracksChanges) gone.add(key);
    changed.delete(key);
    for (const index of indexes.values()) removeFrom(index, key, cell.known);
  }

  function supersede(key: string, cell: Cell<V>, value: V | undefined): void {
    const old = cell.newest;
    const older = old.at === history.now ? old.older : old;
    cell.newest = { at: history.now, value, older };
    noteChange(key);
    // It came and went within one moment, so no read ever sees it.
    if (!hasValue(cell.newest)) remove(key, cell);
    else if (history.window === 0) settleCell(key, cell);
    else history.stale.push({ at: history.now, key, settle });
  }

  function settle(key: string): void {
    const cell = cells.get(key);
    if (cell !== undefined) settleCell(key, cell);
  }

  function settleCell(key: string, cell: Cell<V>): void {
    let version: RecordVersion<V> | undefined = cell.newest;
    while (version !== undefined && version.at > history.now - history.window) version = version.older;
    if (version === undefined) return;
    if (version.older !== undefined) noteChange(key);
    version.older = undefined;
    if (version.value !== undefined) cell.known = version.value;
    else if (version === cell.newest) remove(key, cell);
  }

  /** Before anything is written: what is dropped by it must not be in use. */
  function noteWrite(key: string): void {
    if (history.wrote < history.now) forget(history);
    if (watched?.has(key) === false) watched.set(key, get(key));
    history.writes += 1;
    writes += 1;
    recent.push(key);
    if (recent.length === 2 * REMEMBERED) recent.splice(0, REMEMBERED);
  }

  function set(value: V): void {
    const key = keyOf(value);
    noteWrite(key);
    const cell = cells.get(key);
    if (cell?.newest.value === undefined) live += 1;
    if (cell === undefined) insert(key, value, history.now);
    else supersede(key, cell, value);
  }

  function erase(key: string): void {
    if (get(key) === undefined) return;
    noteWrite(key);
    const cell = cells.get(key);
    if (cell === undefined) return;
    live -= 1;
    supersede(key, cell, undefined);
  }

  function flatten(): void {
    writes += 1;
    recent.length = 0;
    for (const [key, cell] of cells) {
      const { value } = cell.newest;
      cell.newest = { at: -Infinity, value, older: undefined };
      noteChange(key);
      if (value === undefined) remove(key, cell);
    }
  }

  function load(row: EmulatedRow<V>): void {
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
    if (row.length > 1) history.stale.push({ at: cell.newest.at, key, settle });
  }

  function get(key: string, at = Infinity): V | undefined {
    return visible(cells.get(key)?.newest, at);
  }

  function watch<T>(work: () => T) {
    const before = new Map<string, V | undefined>();
    watched = before;
    try {
      return { result: work(), before };
    } finally {
      watched = undefined;
    }
  }

  function read(keys: Iterable<string>, at: number): readonly V[] {
    const found: V[] = [];
    for (const key of keys) {
      const value = get(key, at);
      if (value !== undefined) found.push(value);
    }
    return found;
  }

  function takeChanges(): TableChanges<V> {
    const found: EmulatedRow<V>[] = [];
    for (const key of changed) {
      const cell = cells.get(key);
      if (cell !== undefined) found.push(rowOf(cell.newest));
    }
    const changes = { gone: [...gone], rows: found };
    changed.clear();
    gone.clear();
    return changes;
  }

  return {
    get,
    all: (at = Infinity) => read(cells.keys(), at),
    where: (index, term, at = Infinity) => read(keysOf(indexes.get(index), term), at),
    size: () => live,
    writes: () => writes,
    writtenSince: (since) => {
      const count = writes - since;
      return count > recent.length ? undefined : recent.slice(recent.length - count);
    },
    set,
    delete: erase,
    watch,
    rows: () => Array.from(cells.values(), ({ newest }) => rowOf(newest)),
    takeChanges,
    flatten,
    load,
  };
}
