// What a person reads of a license: whatever is written in a name, a table stays a table and a terminal obeys nothing.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { uncoloured } from '../../src/render/paint.ts';
import { plain } from '../../src/render/plain.ts';
import { showText } from '../../src/render/show-text.ts';
import type { Entry } from '../../src/tasks/show/catalogue.ts';
import type { Shown } from '../../src/tasks/show/shown.ts';
import { hostileText } from './drift/hostile.ts';

const ENTRY: Entry = {
  address: 'group/sales',
  type: 'group',
  id: 7,
  name: 'Sales',
  ownership: 'declared',
  origin: 'adopted',
  last_applied: null,
  source: { file: 'manifest.yaml', line: 3, column: 3 },
  spec: { name: 'Sales' },
  unread: [],
};

const ALL: Shown = {
  target: 'production',
  api_version: '3.6',
  manifest_read: true,
  kinds: [],
  resources: [ENTRY],
  refers_to: null,
  referred_to_by: null,
  differences: null,
};

const inFull = (entry: Partial<Entry>): string =>
  showText({ ...ALL, resources: [{ ...ENTRY, ...entry }], refers_to: [], referred_to_by: [] }, [], uncoloured);

test('A terminal gets no control character, and a table a line for each object', () => {
  fc.assert(
    fc.property(hostileText, hostileText, fc.dictionary(hostileText, hostileText), (address, name, map) => {
      const entry = { ...ENTRY, address, name, spec: { name, map, list: [name, [name], map] } };
      const table = showText({ ...ALL, resources: [entry, entry] }, ['name', 'map', 'list'], uncoloured);
      expect(table.split('\n')).toHaveLength(4);
      for (const text of [table, inFull(entry)])
        expect(plain(text.replaceAll('\n', ''))).toBe(text.replaceAll('\n', ''));
    }),
  );
});

test('Values are written as YAML would have them', () => {
  const spec = {
    text: 'two words',
    quoted: ['yes', '', '7', 'a: b', ' '],
    none: {},
    nothing: [],
    nested: { on: true, list: [{ value: '/a', deep: { x: 1 } }, 'b'] },
  };
  expect(inFull({ spec })).toContain(`
text: two words
quoted:
  - "yes"
  - ""
  - "7"
  - "a: b"
  - " "
none: {}
nothing: []
nested:
  "on": true
  list:
    - value: "/a"
      deep:
        x: 1
    - b
`);
});

test('What is referred to often is cut', () => {
  const many = Array.from({ length: 30 }, (_, index) => ({ field: 'groups', address: `agent/${index}`, name: null }));
  const text = showText({ ...ALL, refers_to: [], referred_to_by: many }, [], uncoloured);
  expect(text).toContain('and 10 more\n');
});

test('What was not read is a dash, and no zero', () => {
  const counts = { total: 0, declared: 0, owned: 0, unmanaged: 0 };
  const kinds = [{ type: 'bot', read: false, ...counts } as const, { type: 'group', read: true, ...counts } as const];
  expect(showText({ ...ALL, kinds, resources: null }, [], uncoloured)).toMatch(/bot +not read\ngroup +0 +0 +0 +0\n/);
  expect(showText(ALL, ['language_code'], uncoloured)).toMatch(/Sales +- +declared\n/);
});
