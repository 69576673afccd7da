// What `drift --accept` does with files: everything that was checked, or nothing.

import { chmod, lstat, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type NewText, putTexts } from '../../../../src/authoring/files.ts';
import type { Json } from '../../../../src/base/model.ts';
import {
  type AcceptContext,
  type AcceptDestination,
  ANYWHERE,
  accept,
} from '../../../../src/features/drift/accept/write-accept.ts';
import type { DriftItem } from '../../../../src/features/drift/schema.ts';
import { foldLedger } from '../../../../src/ledger/ledger.ts';
import type { Difference } from '../../../../src/plan/differences/difference.ts';
import type { PlanInput } from '../../../../src/plan/input.ts';
import { filesIn, folder } from '../../../cli/chatform.ts';
import { desiredOf } from '../../../desired.ts';
import { memoryDisk } from '../../../manifest/memory-disk.ts';
import { EVERYTHING } from '../../../world.ts';
import { ITEMS } from '../example.ts';

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

const LICENSE: PlanInput = {
  desired: desiredOf([]),
  live: { version: '3.6', objects: {}, ruleOrder: [], scopes: [] },
  ledger: foldLedger([]),
  options: EVERYTHING,
};

async function run(
  items: readonly DriftItem[],
  addresses: readonly string[] = [],
  still: readonly Difference[] = [],
  into: AcceptDestination = ANYWHERE,
) {
  const put: NewText[] = [];
  const context: AcceptContext = {
    input: { files: ['manifest'], overlays: ['prod.yaml'], env: {}, version: '3.6', io: memoryDisk(FILES) },
    into,
    variables: {},
    license: LICENSE,
    again: () => still,
    newError: () => null,
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

test('what other targets share is overridden in the overlay, and refused without one', async () => {
  const own: AcceptDestination = { mayChange: (file) => file === 'prod.yaml', overlay: 'prod.yaml', refusal: null };
  const { files, put } = await run([LANGUAGE, OTHER], [], [], own);
  expect(files).toEqual(['prod.yaml']);
  expect(put[0]?.text).toBe('version: 1\ngroups:\n  support: { language_code: pl }\n  sales: { language_code: pl }\n');
  const shared: AcceptDestination = {
    mayChange: () => false,
    overlay: null,
    refusal: 'it is also the manifest of staging',
  };
  await expect(run([LANGUAGE], [], [], shared)).rejects.toThrow('staging');
  expect((await run([], [], [], shared)).put).toEqual([]);
});

test('an address chooses, and one that nothing has is refused', async () => {
  expect((await run([LANGUAGE, OTHER], ['group/support'])).files).toEqual(['prod.yaml']);
  expect((await run([LANGUAGE, OTHER], ['group/*'])).files).toEqual(['manifest/groups.yaml', 'prod.yaml']);
  await expect(run([LANGUAGE], ['group/none'])).rejects.toThrow('group/none');
  await expect(run([LANGUAGE], ['group/sale'])).rejects.toThrow('did you mean `group/sales`?');
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

/** Takes both differences over in the files on a disk; somebody may come between looking and writing. */
async function onDisk(cwd: string, meanwhile: () => Promise<void> = async () => {}) {
  const context: AcceptContext = {
    input: { files: [join(cwd, 'manifest')], overlays: [join(cwd, 'prod.yaml')], env: {}, version: '3.6' },
    into: ANYWHERE,
    variables: {},
    license: LICENSE,
    again: () => [],
    newError: () => null,
    put: async (texts) => {
      await meanwhile();
      await putTexts(texts);
    },
  };
  return accept([LANGUAGE, OTHER], [], context);
}

test('a file keeps its mode, a link stays a link, and nothing else is left beside them', async () => {
  const cwd = await folder(FILES);
  const [groups, prod] = [join(cwd, 'manifest/groups.yaml'), join(cwd, 'prod.yaml')];
  await chmod(groups, 0o640);
  await rename(prod, join(cwd, 'shared.yaml'));
  await symlink('shared.yaml', prod);
  expect((await onDisk(cwd)).files).toEqual([groups, prod]);
  expect((await stat(groups)).mode & 0o777).toBe(0o640);
  expect((await lstat(prod)).isSymbolicLink()).toBe(true);
  expect(await filesIn(cwd)).toEqual({
    'manifest/agents.yaml': FILES['manifest/agents.yaml'],
    'manifest/groups.yaml': FILES['manifest/groups.yaml'].replace('code: en', 'code: pl'),
    'shared.yaml': FILES['prod.yaml'].replace('code: de', 'code: pl'),
  });
});

test('when somebody else changes one of the files meanwhile, none is written', async () => {
  const cwd = await folder(FILES);
  const theirs = `${FILES['prod.yaml']}# theirs\n`;
  await expect(onDisk(cwd, () => writeFile(join(cwd, 'prod.yaml'), theirs))).rejects.toThrow(
    'changed at the same time by another program',
  );
  expect(await filesIn(cwd)).toEqual({ ...FILES, 'prod.yaml': theirs });
});
