// Situations of commands that look: show, coverage, explain, tests of routes, an import.

import { commandDocument, importMembers, readingDocument } from '../../src/render/documents.ts';
import type { WeeklyCover } from '../../src/render/html/input.ts';
import { coverageRenderers } from '../../src/render/reports/coverage.ts';
import { coverageText } from '../../src/render/text/coverage.ts';
import { importText, previewText } from '../../src/render/text/import.ts';
import { ROUTING_DEFAULTS } from '../../src/routing/settings.ts';
import type { ImportResult } from '../../src/run/import.ts';
import { type Placed, type Staff, staffOf } from '../../src/staff/staff.ts';
import { dayOf, weekOf } from '../../src/staff/week.ts';
import { missingStrips } from '../../src/tasks/coverage/grid.ts';
import { type CoverageResult, coverageReport, type ViewName } from '../../src/tasks/coverage/report.ts';
import type { ImportReport } from '../../src/tasks/import/report.ts';
import { uncoloured } from '../../src/view/paint.ts';
import { type Outputs, painted, unfolded } from './outputs.ts';
import { FIRST, plannedFrom } from './plans.ts';

const HOSTILE = '\u001b[31m::x\u202e';

const WEEK = weekOf('Europe/Warsaw', dayOf('2026-10-25') ?? 0);

const hours = (day: string, start: string, end: string) => ({
  timezone: 'Europe/Warsaw',
  schedule: [{ day, enabled: true, start, end }],
});

const person = (name: string, spec: Placed['spec']): Placed => ({
  reference: `agent/${name}@example.com`,
  kind: 'agent',
  name,
  spec: { role: 'normal', ...spec },
  decides: [],
});

const team = (reference: string, name: string): Placed => ({ reference, kind: 'group', name, spec: {}, decides: [] });

const SUNDAY = hours('sunday', '00:00', '16:00');

const BEFORE: readonly Placed[] = [
  team('group/sales', 'Sales'),
  team('group/support', 'Support'),
  team('group/night', 'Night'),
  team('7', 'Gone & <b>'),
  person('ann', { max_chats_count: 8, work_scheduler: SUNDAY, groups: { 'group/sales': 'normal' } }),
  person('bob', { max_chats_count: 3, suspended: true, groups: { 'group/sales': 'first' } }),
  person('carl', { max_chats_count: 5, groups: { 'group/support': 'normal' } }),
  person('dora', { work_scheduler: SUNDAY, groups: { '7': 'last', 'group/night': 'last' } }),
];

const AFTER: readonly Placed[] = [
  team('group/sales', 'Sales'),
  team('group/support', 'Support'),
  team('group/night', 'Night'),
  team('group/fresh', 'Fresh'),
  person('ann', {
    max_chats_count: 8,
    work_scheduler: hours('sunday', '08:00', '17:30'),
    groups: { 'group/sales': 'normal', 'group/fresh': 'first' },
  }),
  person('carl', { max_chats_count: 5, groups: { 'group/support': 'normal' } }),
  person('eve', {
    max_chats_count: 1,
    work_scheduler: hours('saturday', '22:00', '06:00'),
    groups: { 'group/sales': 'last' },
  }),
  person('dora', { work_scheduler: SUNDAY, groups: { 'group/night': 'last' } }),
];

const staff = (placed: readonly Placed[], isRead: boolean): Staff =>
  staffOf(placed, { zone: 'UTC', isRead, version: '3.6' });

function report(view: ViewName, before: Staff | null, after: Staff) {
  return coverageReport({
    target: 'production',
    view,
    week: WEEK,
    before,
    staff: after,
    wants: () => true,
    lint: ROUTING_DEFAULTS.lint,
    placeOf: () => ({ file: 'manifest.yaml', line: 3, column: 1, length: 1 }),
  });
}

/** A group with people by day and a bot at night, one with a bot alone, and one in which a bot cannot be told from all who may be there. */
const STAFFED_BY_BOTS: readonly Placed[] = [
  team('group/sales', 'Sales'),
  team('group/night', 'Night & <b>'),
  team('group/open', 'Open'),
  person('ann', { max_chats_count: 8, work_scheduler: SUNDAY, groups: { 'group/sales': 'normal' } }),
  person('carl', { max_chats_count: 5, groups: { 'group/open': 'normal' } }),
  {
    reference: 'bot/triage',
    kind: 'bot',
    name: 'Triage',
    spec: { max_chats_count: 20, groups: { 'group/sales': 'last', 'group/night': 'first', 'group/open': 'first' } },
    decides: [],
  },
];

const coverOf = ({ report: of, grids, gridsBefore }: CoverageResult): WeeklyCover => ({
  report: of,
  before: gridsBefore,
  after: grids,
  missing: missingStrips(WEEK),
});

function coverage(): Outputs {
  const both = report('both', staff(BEFORE, true), staff(AFTER, true));
  const desired = report('desired', null, staff(AFTER, false));
  const bots = report('live', null, staff(STAFFED_BY_BOTS, true));
  const errors = {
    ...both.report,
    findings: both.report.findings.map((each) => ({ ...each, level: 'error' as const, source: null, remedy: null })),
  };
  return {
    ...painted('both', (paint) => coverageText(both.report, {}, paint)),
    ...painted('desired', (paint) => coverageText(desired.report, {}, paint)),
    'errors.txt': coverageText(errors, {}, uncoloured),
    'none.txt': coverageText({ ...desired.report, groups: [] }, {}, uncoloured),
    ...painted('bots', (paint) => coverageText(bots.report, {}, paint)),
    'both.svg': coverageRenderers.svg(coverOf(both)),
    'both.csv': coverageRenderers.csv(coverOf(both)),
    'both.html': unfolded(coverageRenderers.html(coverOf(both))),
    'bots.svg': coverageRenderers.svg(coverOf(bots)),
    'bots.csv': coverageRenderers.csv(coverOf(bots)),
    'bots.html': unfolded(coverageRenderers.html(coverOf(bots))),
    'none.html': unfolded(coverageRenderers.html(coverOf({ ...desired, report: { ...desired.report, groups: [] } }))),
    'both.json': readingDocument(
      { ...both.report, groups: both.report.groups.slice(0, 1) },
      true,
      { list_groups: 1 },
      [],
    ),
  };
}

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
  coverage,
  import: imports,
};
