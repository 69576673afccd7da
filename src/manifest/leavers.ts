// People who left: those of `leavers:`, and those whose row in a table says so. Their accounts are suspended, and they leave every group.

import { equalJson, isList, isObject } from '../base/json.ts';
import type { Address, Json, JsonObject, Leaving } from '../base/model.ts';
import { nearest } from '../base/nearest.ts';
import { personOf } from '../base/person.ts';
import { FORMER, MEMBERSHIP } from '../kinds/index.ts';
import { at, type Emit, repeated } from '../yaml/diagnostics.ts';
import type { Path } from '../yaml/places.ts';
import { isExternal } from './references.ts';
import { accountOf, addressOf, type DeclaredEntry, refusedPerson } from './sections.ts';

const { left: AGENTS, right: GROUPS } = MEMBERSHIP;

/** The entries of a manifest once leavers are out of all groups, and how each of them left. */
export interface WithoutLeavers {
  readonly entries: readonly DeclaredEntry[];
  readonly marked: ReadonlyMap<Address, Leaving>;
}

interface Listed {
  readonly key: string;
  readonly path: Path;
}

/** Items that fit the schema. */
function listedIn(leavers: Json | undefined): readonly Listed[] {
  if (!isList(leavers)) return [];
  return leavers.flatMap((key, index) => (typeof key === 'string' ? [{ key, path: ['leavers', index] }] : []));
}

/** `marked`: people whose row says that they left. `fileOf`: the file with an item of the list. */
export function withoutLeavers(
  entries: readonly DeclaredEntry[],
  leavers: Json | undefined,
  marked: ReadonlyMap<Address, Leaving>,
  fileOf: (path: Path) => string,
): WithoutLeavers {
  const listed = new Map(listedIn(leavers).map((item) => [personOf(item.key), item]));
  if (listed.size + marked.size === 0) return { entries, marked };
  const how = new Map<Address, Leaving>();
  const gone = new Set<string>();
  const own = entries.map((entry): DeclaredEntry => {
    const account = accountOf(entry);
    const item = account === null ? undefined : (listed.get(account) ?? listed.get(personOf(entry.key)));
    const row = marked.get(entry.address);
    const leaving: Leaving | null =
      item !== undefined ? { by: 'leavers', file: fileOf(item.path) } : isKept(entry, row) ? null : (row ?? null);
    if (item !== undefined) listed.delete(personOf(item.key));
    if (leaving === null || isExternal(entry)) return entry;
    how.set(entry.address, leaving);
    gone.add(personOf(entry.key));
    return { ...entry, value: formerEntry(entry) };
  });
  const others = [...listed.values()].map(({ key, path }): DeclaredEntry => {
    const address = addressOf(AGENTS.kind.name, key);
    how.set(address, { by: 'leavers', file: fileOf(path) });
    gone.add(personOf(key));
    return { kind: AGENTS.kind, address, key, value: FORMER, path };
  });
  return { entries: [...own.map((entry) => withoutMembers(entry, gone)), ...others], marked: how };
}

/** An overlay can keep a person whose row is marked. */
function isKept({ value }: DeclaredEntry, row: Leaving | undefined): boolean {
  const { retired = {} } = AGENTS.kind;
  return (
    row !== undefined &&
    isObject(value) &&
    Object.entries(retired).some(([name, is]) => !equalJson(value[name] ?? null, is))
  );
}

/** Of the entry of a leaver, only the id still counts. */
function formerEntry({ value }: DeclaredEntry): JsonObject {
  const id = isObject(value) ? value['id'] : undefined;
  return { ...(id === undefined ? {} : { id }), ...FORMER };
}

function withoutMembers(entry: DeclaredEntry, gone: ReadonlySet<string>): DeclaredEntry {
  const { kind, value } = entry;
  const members = kind === GROUPS.kind && isObject(value) ? value[GROUPS.field] : undefined;
  if (!isObject(value) || !isObject(members)) return entry;
  const stay = Object.entries(members).filter(([key]) => !gone.has(personOf(key)));
  if (stay.length === Object.keys(members).length) return entry;
  return { ...entry, value: { ...value, [GROUPS.field]: Object.fromEntries(stay) } };
}

export function checkLeavers(leavers: Json | undefined, entries: readonly DeclaredEntry[], emit: Emit): void {
  const listed = listedIn(leavers);
  for (const { item, first } of repeated(listed, ({ key }) => personOf(key))) {
    const message = `\`${item.key}\` is among the leavers twice`;
    emit({
      ...at(item.path, 'value', 'duplicate-item', message, 'remove one of the two'),
      related: [{ path: first.path, part: 'value', message: 'the first one' }],
    });
  }
  const people = entries.filter(({ kind }) => kind === AGENTS.kind);
  const known = new Set(people.flatMap((entry) => [personOf(entry.key), accountOf(entry) ?? '']));
  const external = new Map(people.filter(isExternal).map((entry) => [personOf(entry.key), entry]));
  for (const { key, path } of listed) {
    const refused = refusedPerson(AGENTS.kind.name, key);
    const lookedUp = external.get(personOf(key));
    if (refused !== null) emit({ path, part: 'value', ...refused });
    else if (lookedUp !== undefined) {
      const message = `\`${key}\` is \`external\`, which is never written, so it cannot be suspended here`;
      emit({
        ...at(path, 'value', 'contradiction', message, 'remove one of the two'),
        related: [{ path: lookedUp.path, part: 'key', message: 'its entry' }],
      });
    } else if (!known.has(personOf(key))) {
      const meant = nearest(
        key,
        people.map((entry) => entry.key),
      );
      if (meant === null) continue;
      const message = `no file declares \`${key}\`, so only an account of that address would be suspended`;
      emit({ ...at(path, 'value', 'unknown-address', message, `did you mean \`${meant}\`?`), severity: 'warning' });
    }
  }
}
