// The value of a manifest with imported entries is that of one entry put in after the other, and no entry changes.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ImportEntry, manifestOf } from '../../../src/authoring/entry.ts';
import { isList, isObject } from '../../../src/base/json.ts';
import type { Json, JsonObject, KindName } from '../../../src/base/model.ts';
import { ALL_KINDS, entryPath, isListed } from '../../../src/manifest/sections.ts';
import { tries } from '../../tries.ts';

/** A copy of everything on the way for each entry. */
function oneByOne(entries: readonly ImportEntry[]): JsonObject {
  const withMember = (holder: Json | undefined, path: readonly (string | number)[], value: Json): Json => {
    const [step, ...rest] = path;
    if (step === undefined) return isObject(holder) && isObject(value) ? { ...value, ...holder } : value;
    const members: JsonObject = isObject(holder) ? holder : {};
    return { ...members, [step]: withMember(members[step], rest, value) };
  };
  const manifest: Record<string, Json> = { version: 1 };
  for (const { name } of ALL_KINDS) {
    for (const entry of entries.filter(({ kind }) => kind === name)) {
      const [section = '', ...path] = entryPath(entry);
      const before = manifest[section];
      manifest[section] = isListed(name)
        ? [...(isList(before) ? before : []), entry.value]
        : withMember(before, path, entry.value);
    }
  }
  return manifest;
}

const word = fc.constantFrom('a', 'b', 'c', '7', 'ann@example.com');
const fields = fc.dictionary(fc.constantFrom('name', 'role', 'properties', 'x'), word, { noNullPrototype: true });
const entry = (
  kind: KindName,
  key: fc.Arbitrary<string>,
  value: fc.Arbitrary<Json> = fields,
): fc.Arbitrary<ImportEntry> =>
  fc.record({ key, value }).map((made) => ({
    ...made,
    kind,
    address: `${kind}/${made.key}`,
    id: made.key,
    omitted: [],
    unread: [],
  }));
const joined = (...words: readonly fc.Arbitrary<string>[]) => fc.tuple(...words).map((all) => all.join('/'));

const anyEntry = fc.oneof(
  entry('agent', word),
  // The value of a property of a group is inside of the entry of the group.
  entry(
    'group',
    word,
    fc.record({ name: word, properties: fc.constant({ n: { own: 1 } }) }, { requiredKeys: ['name'] }),
  ),
  entry('group_property', joined(word, fc.constantFrom('n', 'm'), word), word),
  entry('license_property', joined(word, word), word),
  entry('auto_access', word),
);

test('Many entries make the same value as one after the other', () => {
  fc.assert(
    fc.property(fc.array(anyEntry, { maxLength: 30 }), (entries) => {
      const before = JSON.stringify(entries);
      expect(JSON.stringify(manifestOf(entries))).toBe(JSON.stringify(oneByOne(entries)));
      expect(JSON.stringify(entries)).toBe(before);
    }),
    { numRuns: tries(500, 100) },
  );
});
