// What `drift --accept` does with files: everything that was checked, or nothing.

import { expect, test } from 'vitest';
import { type AcceptContext, accept, type NewText } from '../../src/commands/drift/accept.ts';
import type { Difference, DriftItem } from '../../src/drift/report.ts';
import type { Json } from '../../src/model.ts';
import { ITEMS } from '../drift/example.ts';
import { memoryDisk } from '../manifest/memory-disk.ts';

const FILES = {
  'manifest/groups.yaml':
    '\uFEFFversion: 1\ngroups:\n  sales: { name: Sales, language_code: en } # ours\n  support: { name: Support }\n',
  'manifest/agents.yaml': 'version: 1\nagents: { ann@example.com: { name: Ann } }\n',
  'prod.yaml': 'version: 1\ngroups:\n  support: { language_code: de }\n',
};

function changed(address: string, path: readonly string[], live: Json): DriftItem {
  const [item] = ITEMS;
  if (item === undefined) throw new Error('the example has no item');
  return { ...item, kind: 'changed', status: 'drift', address, path, live, ignored: null };
}

const LANGUAGE = changed('group/sales', ['language_code'], 'pl');
const OTHER = changed('group/support', ['language_code'], 'pl');

async function run(items: readonly DriftItem[], addresses: readonly string[] = [], still: readonly Difference[] = []) {
  const put: NewText[] = [];
  const context: AcceptContext = {
    input: { files: ['manifest'], overlays: ['prod.yaml'], env: {}, version: '3.6', io: memoryDisk(FILES) },
    live: { version: '3.6', objects: {}, ruleOrder: [], scopes: [] },
    again: () => still,
    declaring: () => ({ reason: 'nowhere', mark: null }),
    put: async (texts) => void put.push(...texts),
  };
  return { ...(await accept(items, addresses, context)), put };
}

test('only files that change are written, a byte order mark included', async () => {
  const { files, put, left } = await run([LANGUAGE]);
  const before = FILES['manifest/groups.yaml'];
  expect([files, left]).toEqual([['manifest/groups.yaml'], []]);
  expect(put).toEqual([{ path: 'manifest/groups.yaml', before, text: before.replace('code: en', 'code: pl') }]);
});

test('an address chooses, and one that nothing has is refused', async () => {
  expect((await run([LANGUAGE, OTHER], ['group/support'])).files).toEqual(['prod.yaml']);
  expect((await run([LANGUAGE, OTHER], ['group/*'])).files).toEqual(['manifest/groups.yaml', 'prod.yaml']);
  await expect(run([LANGUAGE], ['group/none'])).rejects.toThrow('group/none');
});

test('what would make the files wrong is left, and the rest is written', async () => {
  const { files, left } = await run([LANGUAGE, changed('agent/ann@example.com', ['name'], 7)]);
  expect(files).toEqual(['manifest/groups.yaml']);
  expect(left).toMatchObject([
    { item: { address: 'agent/ann@example.com' }, reason: expect.stringContaining('error') },
  ]);
});

test('what would differ all the same is not written', async () => {
  const { put, left } = await run([LANGUAGE], [], [LANGUAGE]);
  expect(put).toEqual([]);
  expect(left).toMatchObject([{ reason: expect.stringContaining('still differ') }]);
});

test('what would begin to differ keeps everything from being written', async () => {
  const { put, left } = await run([LANGUAGE], [], [OTHER]);
  expect(put).toEqual([]);
  expect(left).toMatchObject([{ reason: expect.stringContaining('group/support language_code would differ') }]);
});
