// The text of `show` with hostile names: a table stays a table, and a terminal obeys nothing.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { uncoloured } from '../../../src/render/paint.ts';
import { plain } from '../../../src/render/plain.ts';
import { showText } from '../../../src/render/text/show.ts';
import type { Shown, ShownObject } from '../../../src/tasks/show/schema.ts';
import { hostileText } from '../hostile.ts';

const ENTRY: ShownObject = {
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

const inFull = (entry: Partial<ShownObject>): string =>
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
