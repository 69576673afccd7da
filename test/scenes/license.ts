// Situations of an import.

import { commandDocument, importMembers } from '../../src/render/documents.ts';
import { importText, previewText } from '../../src/render/text/import.ts';
import type { ImportResult } from '../../src/run/import.ts';
import type { ImportReport } from '../../src/tasks/import/report.ts';
import { uncoloured } from '../../src/view/paint.ts';
import { type Outputs, painted } from './outputs.ts';
import { FIRST, plannedFrom } from './plans.ts';

const HOSTILE = '\u001b[31m::x\u202e';

const IMPORT: ImportReport = {
  counts: [
    { type: 'group', count: 2, noun: 'groups' },
    { type: 'agent', count: 1, noun: 'agent' },
  ],
  files: [
    {
      path: 'manifest/groups.yaml',
      change: 'created',
      counts: [{ type: 'group', count: 2, noun: 'groups' }],
      lookedUp: 1,
      before: null,
      text: `groups:\n  sales: {}\n  x: "${HOSTILE}"\n`,
    },
    {
      path: 'manifest/agents.yaml',
      change: 'extended',
      counts: [],
      lookedUp: 2,
      before: 'a:\nb:\n',
      text: 'a:\nnew:\nb:\n',
    },
    {
      path: 'manifest/bots.yaml',
      change: 'extended',
      counts: [{ type: 'bot', count: 1, noun: 'bot' }],
      lookedUp: 0,
      before: 'gone:\n',
      text: 'a:\nb:\n',
    },
  ],
  entries: [{ address: 'group/sales', kind: 'group', id: 7, file: 'manifest/groups.yaml' }],
  takenBack: ['group/old'],
  leftOut: [
    { type: 'agent', id: 'a@example.com', name: 'A', noun: 'agent', reason: 'is the owner' },
    ...Array.from(
      { length: 7 },
      (_, nth) => ({ type: 'bot', id: `b${nth}`, name: `B${HOSTILE}`, noun: 'bot', reason: 'is derived' }) as const,
    ),
  ],
  unread: [{ type: 'property', count: 3, noun: 'properties', fields: ['domain', 'default_value'] }],
  omitted: [{ address: 'group/sales', field: 'name', reason: 'the text is too long' }],
  notRead: {
    kinds: [
      { type: 'bot_template', nouns: 'bot templates' },
      { type: 'property', nouns: 'property definitions' },
    ],
    asked: ['crm'],
    met: [{ client: '0e12', owns: ['Triage', `B${HOSTILE}`] }],
    setting: 'clients: [crm, "0e12"]',
  },
  pending: plannedFrom(FIRST).of.plan.resource_changes.slice(0, 3),
};

function imports(): Outputs {
  const result: ImportResult = {
    target: `p${HOSTILE}`,
    report: IMPORT,
    withIds: false,
    written: true,
    adoptable: 0,
    gitignore: 'created',
  };
  const none = {
    ...IMPORT,
    files: [],
    takenBack: [],
    leftOut: [],
    unread: [],
    omitted: [],
    notRead: null,
    pending: [],
  };
  const unread = { ...none, notRead: { kinds: IMPORT.notRead?.kinds ?? [], asked: [], met: [], setting: '' } };
  const many = { ...IMPORT, pending: Array.from({ length: 12 }, () => IMPORT.pending[0] as never) };
  return {
    ...painted('import', (paint) => importText(result, paint)),
    'import-with-ids.txt': importText(
      { ...result, withIds: true, report: { ...none, files: IMPORT.files } },
      uncoloured,
    ),
    'import-pending.txt': importText({ ...result, report: many }, uncoloured),
    'import-all.txt': importText({ ...result, report: { ...none, files: IMPORT.files } }, uncoloured),
    ...painted('nothing', (paint) => importText({ ...result, report: none, adoptable: 1 }, paint)),
    'nothing-adoptable.txt': importText({ ...result, report: none, adoptable: 2 }, uncoloured),
    'nothing-at-all.txt': importText({ ...result, report: none }, uncoloured),
    'nothing-of-what-was-read.txt': importText({ ...result, report: unread }, uncoloured),
    ...painted('preview', (paint) => previewText({ ...result, written: false }, paint)),
    'preview-nothing.txt': previewText({ ...result, report: { ...none, omitted: IMPORT.omitted } }, uncoloured),
    'import.json': commandDocument(importMembers(result), []),
    'preview.json': commandDocument(importMembers({ ...result, withIds: true, written: false }), []),
    'documents.json': `${commandDocument({ outcome: null })}${commandDocument({ file: 'f' })}`,
  };
}

export const LICENSE: { readonly [situation: string]: () => Outputs } = {
  import: imports,
};
