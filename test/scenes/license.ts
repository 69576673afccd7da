// Situations of commands that look: show, coverage, explain, tests of routes, an import.

import { commandDocument, importMembers, readingDocument } from '../../src/render/documents.ts';
import type { WeeklyCover } from '../../src/render/html/input.ts';
import { coverageRenderers } from '../../src/render/reports/coverage.ts';
import { showRenderers } from '../../src/render/reports/show.ts';
import { coverageText } from '../../src/render/text/coverage.ts';
import { importText, previewText } from '../../src/render/text/import.ts';
import type { MembersBy } from '../../src/render/text/members.ts';
import { showText } from '../../src/render/text/show.ts';
import { ROUTING_DEFAULTS } from '../../src/routing/settings.ts';
import type { ImportResult } from '../../src/run/import.ts';
import { type Placed, type Staff, staffOf } from '../../src/staff/staff.ts';
import { dayOf, weekOf } from '../../src/staff/week.ts';
import { missingStrips } from '../../src/tasks/coverage/grid.ts';
import { type CoverageResult, coverageReport, type ViewName } from '../../src/tasks/coverage/report.ts';
import type { ImportReport } from '../../src/tasks/import/report.ts';
import type { Shown, ShownObject } from '../../src/tasks/show/schema.ts';
import { onTerminal, uncoloured } from '../../src/view/paint.ts';
import { ITEMS } from '../tasks/drift/example.ts';
import { GROUP_MEMBERS } from '../tasks/show/example.ts';
import { AT, type Outputs, painted, unfolded } from './outputs.ts';
import { FIRST, plannedFrom } from './plans.ts';
import { FINDINGS } from './runs.ts';

const HOSTILE = '\u001b[31m::x\u202e';

const ENTRY: ShownObject = {
  address: 'group/sales',
  type: 'group',
  id: 7,
  name: 'Sales',
  ownership: 'declared',
  origin: 'adopted',
  last_applied: '2026-01-05T09:00:00.123Z',
  source: { file: 'manifest.yaml', line: 3, column: 3 },
  spec: { name: 'Sales', language_code: null, agent_priorities: { 'agent/ann@example.com': 'first', on: true } },
  unread: ['domain', 'default_value'],
};

const ENTRIES: readonly ShownObject[] = [
  ENTRY,
  {
    ...ENTRY,
    address: 'group/12',
    id: 12,
    name: '12',
    ownership: 'unmanaged',
    origin: null,
    spec: { language_code: `x${HOSTILE}` },
  },
  {
    ...ENTRY,
    address: 'group/gone',
    id: 9,
    name: 'n'.repeat(60),
    ownership: 'owned',
    source: null,
    spec: { language_code: ['a', 7, { b: '' }] },
  },
];

const COUNTS = { total: 12, declared: 3, owned: 2, unmanaged: 7 };

const SHOWN: Shown = {
  target: 'production',
  api_version: '3.6',
  manifest_read: true,
  kinds: [
    { type: 'agent', read: true, ...COUNTS },
    { type: 'group', read: true, total: 0, declared: 0, owned: 0, unmanaged: 0 },
    { type: 'bot', read: false, ...COUNTS },
  ],
  resources: ENTRIES,
  refers_to: null,
  referred_to_by: null,
  differences: null,
};

const FULL: Shown = {
  ...SHOWN,
  resources: [
    {
      ...ENTRY,
      spec: {
        text: 'two words',
        quoted: ['yes', '', '7', 'a: b', ' ', 'null', 'a '],
        none: {},
        nothing: [],
        number: 7,
        nested: { on: true, list: [{ value: '/a', deep: { x: 1 } }, 'b', ['c', `d${HOSTILE}`], {}] },
      },
    },
  ],
  refers_to: [
    { field: 'agent_priorities', address: 'agent/ann@example.com', name: 'Ann' },
    { field: null, address: 'group/sales', name: 'sales' },
    { field: 'groups', address: 'group/9', name: null },
  ],
  referred_to_by: Array.from({ length: 22 }, (_, nth) => ({ field: 'groups', address: `agent/a${nth}`, name: 'A' })),
  differences: ITEMS.slice(0, 3),
};

function show(): Outputs {
  const bare = {
    ...ENTRY,
    ownership: 'unmanaged',
    origin: null,
    last_applied: null,
    source: null,
    unread: [],
    spec: {},
  } as const;
  const kinds = { ...SHOWN, resources: null };
  const columns = ['language_code', 'agent_priorities'];
  const reading = (shown: Shown, of: readonly string[]) => ({ shown, columns: of, by: null, at: AT });
  return {
    ...painted('kinds', (paint) => showText(kinds, [], null, paint)),
    'kinds.csv': showRenderers.csv(reading(kinds, [])),
    'kinds.html': unfolded(showRenderers.html(reading(kinds, []))),
    ...painted('table', (paint) => showText(SHOWN, columns, null, paint)),
    'table-at-80.txt': showText(SHOWN, columns, null, onTerminal(uncoloured, 80)),
    'table.csv': showRenderers.csv(reading(SHOWN, columns)),
    'table.html': unfolded(showRenderers.html(reading(SHOWN, columns))),
    'none.txt': showText({ ...SHOWN, resources: [] }, [], null, uncoloured),
    ...painted('full', (paint) => showText(FULL, [], null, paint)),
    'full-at-80.txt': showText(FULL, [], null, onTerminal(uncoloured, 80)),
    'full.html': unfolded(showRenderers.html(reading(FULL, columns))),
    'bare.txt': showText(
      { ...FULL, resources: [bare], refers_to: [], referred_to_by: [], differences: null },
      [],
      null,
      uncoloured,
    ),
    'owned.txt': showText(
      {
        ...FULL,
        resources: [{ ...bare, ownership: 'owned', origin: 'created' }],
        refers_to: [],
        referred_to_by: [],
        differences: [],
      },
      [],
      null,
      uncoloured,
    ),
    'show.json': readingDocument(SHOWN, true, { list_groups: 1 }, FINDINGS.slice(0, 1)),
  };
}

/** Who is in which group: each side, each list, wide and narrow. */
function members(): Outputs {
  const shown = (of: keyof typeof GROUP_MEMBERS): Shown => ({
    ...SHOWN,
    kinds: [],
    resources: null,
    members: GROUP_MEMBERS[of],
  });
  const text = (of: keyof typeof GROUP_MEMBERS, by: MembersBy, paint = uncoloured): string =>
    showText(shown(of), [], by, paint);
  const at = (width: number) => onTerminal(uncoloured, width);
  const csv = (of: keyof typeof GROUP_MEMBERS, by: MembersBy): string =>
    showRenderers.csv({ shown: shown(of), columns: [], by, at: AT });
  const page = (of: Shown): string => unfolded(showRenderers.html({ shown: of, columns: [], by: null, at: AT }));
  const nothing = { ...shown('live'), members: { ...GROUP_MEMBERS.live, groups: [], people: [] } };
  return {
    ...painted('live', (paint) => showText(shown('live'), [], null, paint)),
    'live-at-80.txt': text('live', null, at(80)),
    'live-at-60.txt': text('live', null, at(60)),
    ...painted('by-group', (paint) => showText(shown('live'), [], 'group', paint)),
    'by-person.txt': text('live', 'person'),
    'by-person-at-60.txt': text('live', 'person', at(60)),
    'both.txt': text('both', null),
    'both-by-group.txt': text('both', 'group'),
    'desired.txt': text('desired', null),
    'none.txt': showText(nothing, [], null, uncoloured),
    'live.csv': csv('live', null),
    'both.csv': csv('both', null),
    'both-by-person.csv': csv('both', 'person'),
    'live.html': page(shown('live')),
    'both.html': page(shown('both')),
    'desired.html': page({ ...shown('desired'), manifest_read: false }),
    'members.json': readingDocument(shown('both'), false, {}, []),
  };
}

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
  show,
  members,
  coverage,
  import: imports,
};
