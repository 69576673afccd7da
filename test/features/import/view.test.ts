// What people read of an import: the files, what no file can declare, and what comes next.

import { expect, test } from 'vitest';
import type { ImportResult } from '../../../src/features/import/schema.ts';
import { importedTable, importedView } from '../../../src/features/import/view.ts';
import { plainText } from '../../../src/view/blocks.ts';
import { uncoloured } from '../../../src/view/paint.ts';
import { tableCsv } from '../../../src/view/writers/csv.ts';
import { terminalText } from '../../../src/view/writers/terminal.ts';

const NOTHING: ImportResult = {
  target: 'production',
  written: false,
  preview: false,
  ids_in: 'ledger',
  imported: [],
  files: [],
  adoptable: 0,
  taken_back: [],
  left_out: [],
  omitted: [],
  unread: [],
  not_read: null,
  pending: [],
  gitignore: null,
};

const NOT_READ = { kinds: ['bot_template', 'property'], clients_read: [], clients_met: [], setting: '' } as const;

const ALL: ImportResult = {
  ...NOTHING,
  written: true,
  imported: [
    { address: 'group/sales', type: 'group', id: 7, file: 'manifest/groups.yaml' },
    { address: 'group/desk', type: 'group', id: 8, file: 'manifest/groups.yaml' },
    { address: 'agent/ann@example.com', type: 'agent', id: 'ann@example.com', file: 'manifest/agents.yaml' },
  ],
  files: [
    {
      path: 'manifest/groups.yaml',
      change: 'created',
      counts: [{ type: 'group', count: 2 }],
      looked_up: 1,
      setting: null,
      text: null,
      added: null,
    },
    {
      path: 'manifest/agents.yaml',
      change: 'extended',
      counts: [{ type: 'agent', count: 1 }],
      looked_up: 0,
      setting: null,
      text: null,
      added: null,
    },
  ],
  taken_back: ['group/old'],
  left_out: [
    { type: 'agent', id: 'a@example.com', name: 'A', reason: 'is the owner' },
    ...Array.from(
      { length: 7 },
      (_, nth) => ({ type: 'bot', id: `b${nth}`, name: 'B', reason: 'is derived' }) as const,
    ),
  ],
  unread: [{ type: 'property', count: 3, fields: ['domain', 'default_value'] }],
  omitted: [{ address: 'group/sales', field: 'name', reason: 'the text is too long' }],
  not_read: {
    ...NOT_READ,
    clients_read: ['crm'],
    clients_met: [{ client: '0e12', owns: ['Triage', 'Night owl'] }],
    setting: 'clients: { crm: {}, "0e12": {} }',
  },
  pending: [{ address: 'agent/bob@example.com', type: 'agent', action: 'create' }],
  gitignore: 'created',
};

function text(result: ImportResult): string {
  return terminalText(importedView(result), uncoloured);
}

test('The files come first, then what is left, and the next step last', () => {
  expect(text(ALL)).toMatchInlineSnapshot(`
    "+ manifest/groups.yaml  2 groups, 1 only looked up
    ~ manifest/agents.yaml  1 agent
    + .gitignore  what must not be committed

    Declared again, because the ledger owns them and no file declared them:
      group/old

    Left out:
      agent a@example.com (A): is the owner
      bot b0, b1, b2, b3, b4, and 2 more: is derived
      of 3 property definitions: domain, default_value, which the service does not return
      group/sales, its name: the text is too long

    Not read: bot templates, property definitions of 1 other client:
      The service lists them for one owner client at a time, and \`clients:\` in chatform.yaml names not all. Bots belong to:

      0e12  Triage, Night owl

      To read what these clients own, write into chatform.yaml, and import again:

      clients: { crm: {}, "0e12": {} }

    Still pending; chatform apply would:
      create agent/bob@example.com

    Imported 2 groups, 1 agent from production. Next: review the files, then run chatform plan, which finds nothing to do for the imported objects.
    "
  `);
});

test('The mark says whether there was something to import, and whether it was written', () => {
  const mark = (result: ImportResult) => importedView(result).mark.word;
  expect([mark(NOTHING), mark(ALL), mark({ ...ALL, preview: true })]).toEqual([
    'nothing to import',
    'imported',
    'nothing was written',
  ]);
});

test('A preview has the text of new files, and of others the lines that would be added, with their numbers', () => {
  const files: ImportResult['files'] = [
    {
      path: 'groups.yaml',
      change: 'created',
      counts: [],
      looked_up: 2,
      setting: null,
      text: 'groups:\n  sales: {}\n',
      added: null,
    },
    {
      path: 'agents.yaml',
      change: 'extended',
      counts: [{ type: 'agent', count: 1 }],
      looked_up: 0,
      setting: null,
      text: 'a:\nnew:\nb:\n',
      added: [{ line: 2, text: 'new:' }],
    },
  ];
  expect(text({ ...NOTHING, preview: true, imported: ALL.imported.slice(2), files })).toMatchInlineSnapshot(`
    "groups.yaml would be created, 2 only looked up:
      groups:
        sales: {}

    agents.yaml would be extended, 1 agent:
          2 | new:

    1 agent would be imported from production. Nothing was written.
    "
  `);
});

test('Where nothing is left to import, it says what is still to do', () => {
  const result = (more: Partial<ImportResult>): string => plainText(importedView({ ...NOTHING, ...more }).result);
  expect(result({})).toBe('Nothing to import from production: everything that can be declared is declared.');
  expect(result({ not_read: NOT_READ })).toContain('everything that was read and can be declared is declared.');
  expect(result({ adoptable: 2 })).toContain('2 declared objects are not in the ledger yet: chatform apply adopts');
});

test('What comes next depends on where the ids are, and on what is pending', () => {
  const result = (more: Partial<ImportResult>): string => plainText(importedView({ ...ALL, ...more }).result);
  expect(result({ ids_in: 'files' })).toContain('adopts the objects by their ids and sends nothing.');
  expect(result({})).toContain('chatform plan, which finds nothing to do for the imported objects.');
  expect(result({ pending: [] })).toContain('chatform plan, which finds nothing to do.');
});

test('A table has each object that was imported or left out', () => {
  expect(tableCsv(importedTable(ALL)).split('\r\n').slice(0, 3)).toEqual([
    'result,type,address,id,file,reason',
    'imported,group,group/sales,7,manifest/groups.yaml,',
    'imported,group,group/desk,8,manifest/groups.yaml,',
  ]);
});
