// The records of a table that have ended, apart from the others: a snapshot and a commit need not walk them. Knows no kind of record.

/** What the file of an archive lacks. */
export interface ArchiveChange<V> {
  /** Records to add; the last one of a key counts. */
  readonly values: readonly V[];
  /** Keys of records that are in the file and no longer in the license. */
  readonly gone: readonly string[];
}

/** Settled records by key: no older version of them can be read. */
interface TableArchive<V> {
  readonly get: (key: string) => V | undefined;
  readonly size: () => number;
  /** In the order in which they were archived. */
  readonly values: () => V[];
  readonly put: (key: string, value: V) => void;
  /** Takes a record out, because it changes or is deleted. */
  readonly take: (key: string) => V | undefined;
  /** Puts back what the file has. */
  readonly load: (key: string, value: V) => void;
  /** What the file lacks, which it is then taken to have; `everything` for a new file. A key with other versions `isOpen`. */
  readonly flush: (isOpen: (key: string) => boolean, everything: boolean) => ArchiveChange<V>;
}

/** A record costs one entry of a map, with or without a file. */
export function createTableArchive<V>(): TableArchive<V> {
  /** Records that the file has, and records that it lacks; no key is in both. */
  const saved = new Map<string, V>();
  const unsaved = new Map<string, V>();
  /** Keys whose record in the file no longer holds. */
  const outdated = new Set<string>();
  const values = (): V[] => [...saved.values(), ...unsaved.values()];

  function take(key: string): V | undefined {
    const value = saved.get(key);
    if (value !== undefined) {
      saved.delete(key);
      outdated.add(key);
      return value;
    }
    const added = unsaved.get(key);
    unsaved.delete(key);
    return added;
  }

  function flush(isOpen: (key: string) => boolean, everything: boolean): ArchiveChange<V> {
    if (everything) outdated.clear();
    const gone: string[] = [];
    for (const key of outdated) {
      // Its row in the state counts instead.
      if (isOpen(key)) continue;
      outdated.delete(key);
      if (!unsaved.has(key)) gone.push(key);
    }
    const added = everything ? values() : Array.from(unsaved.values());
    for (const [key, value] of unsaved) saved.set(key, value);
    unsaved.clear();
    return { values: added, gone };
  }

  return {
    get: (key) => unsaved.get(key) ?? saved.get(key),
    size: () => saved.size + unsaved.size,
    values,
    put: (key, value) => void unsaved.set(key, value),
    take,
    load: (key, value) => void saved.set(key, value),
    flush,
  };
}
