// All entries in; what two of them share although only one can have it out: rule keys, ids, names.

import { isObject } from '../base/json.ts';
import type { Emit } from '../yaml/collector.ts';
import type { Path } from '../yaml/mark.ts';
import { at } from '../yaml/wording.ts';
import { externalOf } from './references.ts';
import type { Declared } from './sections.ts';
import { isExternal } from './validate.ts';

export function checkUniqueness(entries: readonly Declared[], emit: Emit): void {
  checkKeys(entries, emit);
  checkIds(entries, emit);
  checkNames(entries, emit);
}

/** Finds the earlier entry of each one that repeats `identity`. */
function repeated(
  entries: readonly Declared[],
  identity: (entry: Declared) => string | null,
  tell: (entry: Declared, first: Declared) => void,
): void {
  const firsts = new Map<string, Declared>();
  for (const entry of entries) {
    const text = identity(entry);
    if (text === null) continue;
    const key = `${entry.kind.name} ${text}`;
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, entry);
    else tell(entry, first);
  }
}

/** Keys of mappings are unique already; items of a list name their own. */
function checkKeys(entries: readonly Declared[], emit: Emit): void {
  const items = entries.filter(({ kind, key }) => kind.at.includes('#') && key !== '');
  repeated(
    items,
    ({ key }) => key,
    ({ kind, key, path }, first) => {
      emit({
        ...at(
          [...path, 'key'],
          'value',
          'duplicate-key',
          `the key \`${key}\` belongs to another ${kind.noun.one}`,
          'use another key',
        ),
        related: [{ path: [...first.path, 'key'], part: 'value', message: 'the first one' }],
      });
    },
  );
}

function checkIds(entries: readonly Declared[], emit: Emit): void {
  repeated(
    entries,
    (entry) => idOf(entry)?.id ?? null,
    (entry, first) => {
      const found = idOf(entry);
      if (found === null) return;
      const message = `the id \`${found.id}\` belongs to \`${first.address}\` already`;
      emit({
        ...at(
          found.path,
          found.path === entry.path ? 'key' : 'value',
          'duplicate-id',
          message,
          'keep one entry per object',
        ),
        related: [{ path: idOf(first)?.path ?? first.path, part: 'key', message: 'the first one' }],
      });
    },
  );
}

function idOf(entry: Declared): { readonly id: string; readonly path: Path } | null {
  const { kind, key, value, path } = entry;
  if (!isObject(value)) return null;
  const external = externalOf(value).id;
  if (isExternal(entry)) return external === null ? null : { id: String(external), path: [...path, 'external', 'id'] };
  const id = value['id'];
  if (typeof id === 'string' || typeof id === 'number') return { id: String(id), path: [...path, 'id'] };
  return kind.choosesId === true ? { id: key, path } : null;
}

/** Of those that share a name only one can be found by it: the others have to say their ids. */
function checkNames(entries: readonly Declared[], emit: Emit): void {
  repeated(
    entries.filter((entry) => !isExternal(entry) && idOf(entry) === null),
    ({ kind, value }) => {
      const members = (kind.unique ?? []).map((field) => (isObject(value) ? value[field] : undefined));
      return typeof members[0] === 'string' ? JSON.stringify(members.map((member) => member ?? null)) : null;
    },
    (entry, first) => {
      const field = entry.kind.unique?.[0] ?? '';
      const message = `\`${first.address}\` has the same \`${field}\``;
      const remedy = `a ${entry.kind.noun.one} without \`id\` is found by it: use another one, or say the \`id\` of all but one`;
      emit({
        ...at([...entry.path, field], 'value', 'duplicate-name', message, remedy),
        related: [{ path: [...first.path, field], part: 'value', message: 'the first one' }],
      });
    },
  );
}
