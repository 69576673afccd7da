// Situations of a look at a license.

import { acceptView } from '../../src/features/drift/accept/view.ts';
import { knownAfter } from '../../src/features/drift/notify/transition.ts';
import type { DriftCheck, DriftItem, DriftReport } from '../../src/features/drift/schema.ts';
import { uncoloured } from '../../src/view/paint.ts';
import { terminalText } from '../../src/view/writers/terminal.ts';
import { CALM, FAILED, ITEMS, REPORT, SEEN } from '../features/drift/example.ts';
import { driftView } from '../features/drift/outputs.ts';
import { abridged, driftOutputs, notificationOutputs, type Outputs, painted } from './outputs.ts';

const item = (kind: DriftItem['kind'], status: DriftItem['status']): DriftItem => {
  const found = ITEMS.find((each) => each.kind === kind && each.status === status);
  if (found === undefined) throw new Error(`${kind} ${status}`);
  return found;
};

const CHANGED = item('changed', 'drift');
const MISSING = item('missing', 'drift');
const REORDERED = item('reordered', 'drift');
const UNMANAGED = item('unmanaged', 'drift');
const UNREAD = item('unreadable', 'unknown');
const CONVERGED = item('changed', 'converged');
const PENDING = item('changed', 'pending');
const WAITING = item('pending-approval', 'pending');

export function lookAt(items: readonly DriftItem[], more: Partial<DriftReport> = {}): DriftCheck {
  const of = (status: DriftItem['status']): number => items.filter((each) => each.status === status).length;
  const as = (severity: DriftItem['severity']): number => items.filter((each) => each.severity === severity).length;
  const ignored = more.ignored ?? [];
  const summary: DriftReport['summary'] = {
    drift: of('drift'),
    conflict: of('conflict'),
    pending: of('pending'),
    converged: of('converged'),
    unknown: of('unknown'),
    total: items.length,
    failing: items.filter(({ severity }) => severity !== 'info').length,
    unmanaged: items.filter(({ status, kind }) => status === 'drift' && kind === 'unmanaged').length,
    ignored: ignored.length,
    by_severity: { error: as('error'), warning: as('warning'), info: as('info') },
  };
  return { outcome: 'seen', report: { ...REPORT, in_sync: false, items, ignored: [], notes: [], summary, ...more } };
}

const renamed = (of: DriftItem, count: number): readonly DriftItem[] =>
  Array.from({ length: count }, (_, nth) => ({
    ...of,
    address: `${of.type}/${nth}`,
    fingerprint: `${nth}`.padStart(32, '0'),
  }));

/** Values of every shape, and who moved. */
const VALUES: readonly DriftItem[] = [
  {
    ...CHANGED,
    path: ['hours'],
    base: { a: 1, b: 1 },
    live: { a: 2, b: 1 },
    desired: { a: 1, b: 3 },
    status: 'conflict',
  },
  { ...CHANGED, path: ['drifted'], base: { a: 1 }, live: { a: 2 }, desired: { a: 1 } },
  {
    ...CHANGED,
    path: ['pending'],
    base: { a: 1 },
    live: { a: 1 },
    desired: { a: 2 },
    status: 'pending',
  },
  {
    ...CHANGED,
    path: ['unapplied'],
    base: null,
    live: { a: 1 },
    desired: { a: 2, b: [1] },
    status: 'pending',
    applied_at: null,
  },
  {
    ...CHANGED,
    path: ['plain', 'unapplied'],
    base: null,
    live: 'a',
    desired: 'b',
    status: 'pending',
    applied_at: null,
  },
  { ...CHANGED, path: ['list'], base: ['a', 'b'], live: ['b', 'a'], desired: ['a', 'b'] },
  {
    ...CHANGED,
    path: ['map'],
    base: {},
    live: Object.fromEntries(Array.from({ length: 30 }, (_, nth) => [`m${nth}`, nth])),
    desired: {},
  },
  {
    ...CHANGED,
    path: ['nine'],
    base: {},
    live: Object.fromEntries(Array.from({ length: 9 }, (_, nth) => [`m${nth}`, nth])),
    desired: {},
  },
  { ...CHANGED, path: ['long'], live: 'x'.repeat(500) },
  { ...CHANGED, path: ['hidden'], status: 'pending', base: null, live: null, desired: 12, reach: 'unverified' },
  { ...CHANGED, path: ['default_value'], status: 'pending', base: null, live: null, desired: 'gold', reach: 'replace' },
  { ...CHANGED, path: ['absent'], status: 'pending', base: null, live: null, desired: 12, reason: 'why it is so' },
  { ...REORDERED, live: Array.from({ length: 30 }, (_, nth) => `auto_access/${nth}`) },
  {
    ...UNMANAGED,
    name: 'Amber',
    in_words: 'Amber, de',
    live: { name: 'Amber', language_code: 'de', map: {}, description: '', suspended: false },
  },
  { ...UNMANAGED, address: 'group/12', live: null, in_words: '' },
  { ...MISSING, address: "property/abc/it's $(reboot)", ways_out: ['apply', 'import'] },
];

const other = { ...WAITING, ignored: { reason: 'On leave', until: null } };

const LOOKS: { readonly [name: string]: DriftCheck } = {
  'drift-in-sync': CALM,
  'drift-failed-unnamed': { ...FAILED, target: null } as DriftCheck,
  'drift-values': lookAt(VALUES),
  'drift-below-fail-on': lookAt([{ ...CHANGED, severity: 'info' }, { ...WAITING }], { in_sync: true }),
  'drift-cannot-be-read': lookAt([UNREAD], { in_sync: true, ignored: REPORT.ignored }),
  'drift-all-ignored': lookAt([], {
    in_sync: true,
    ignored: [...REPORT.ignored, { ...(REPORT.ignored[0] as DriftItem), path: ['name'] }, other],
  }),
  'drift-severe-unknown': lookAt([UNREAD, CONVERGED].map((each): DriftItem => ({ ...each, severity: 'error' }))),
};

/** A license managed in part: people and groups of others, and an administrator who is new. */
const IN_PART = lookAt(
  [
    {
      ...UNMANAGED,
      type: 'agent',
      address: 'agent/eve@example.com',
      name: 'Eve',
      in_words: 'Eve, administrator',
      id: 'eve@example.com',
      live: { name: 'Eve', role: 'administrator' },
      reason: 'administers the license, and did not at the last apply',
    },
    ...renamed({ ...UNMANAGED, type: 'agent', in_words: 'Ann', severity: 'info', usual: true }, 12),
    ...renamed({ ...UNMANAGED, type: 'group', in_words: 'Desk', severity: 'info', usual: true }, 1),
  ],
  { ignored: REPORT.ignored },
);

const HUNDREDS = lookAt([
  ...renamed(UNMANAGED, 30),
  ...renamed(PENDING, 6),
  ...renamed(CONVERGED, 12),
  { ...CHANGED, ways_out: ['apply'] },
]);

function hundreds(): Outputs {
  const all = driftOutputs(HUNDREDS);
  const many = driftOutputs(lookAt(renamed({ ...CHANGED, live: 'x'.repeat(100) }, 400)));
  return {
    'drift.txt': all['drift.txt'] ?? '',
    'drift.md': abridged(all['drift.md'] ?? ''),
    'many.md': abridged(many['drift.md'] ?? ''),
    'many.slack.json': abridged(many['slack.json'] ?? ''),
  };
}

function accepted(): Outputs {
  const left = [
    {
      item: CHANGED,
      reason: 'it is written in an overlay',
      place: { file: 'o.yaml', line: 3, column: 1, length: 1 },
      paste: {
        lines: ['groups:', '  sales:', '    language_code: pl'],
        place: { file: 'm.yaml', line: 9, column: 5 },
        is: 'replaced',
      } as const,
    },
    { item: MISSING, reason: 'a guard protects it', place: null, paste: null },
  ];
  const all = { taken: [CHANGED, REORDERED], left, files: ['manifest/groups.yaml'] };
  return {
    ...painted('accept', (paint) => terminalText(acceptView(all, { target: 'production' }), paint)),
    'accept-nothing.txt': terminalText(
      acceptView({ taken: [], left, files: [] }, { target: 'production' }),
      uncoloured,
    ),
    'accept-all.txt': terminalText(
      acceptView({ ...all, taken: [CHANGED], left: [] }, { target: 'production' }),
      uncoloured,
    ),
  };
}

/** What a view says, in its shortest form: the writers have golden files of their own. */
function textOutput(look: DriftCheck): Outputs {
  return { 'drift.txt': terminalText(driftView(look), uncoloured) };
}

const TOLD = knownAfter(lookAt([{ ...CHANGED, severity: 'warning' }, PENDING]), null);

export const DRIFT: { readonly [situation: string]: () => Outputs } = {
  ...Object.fromEntries(Object.entries(LOOKS).map(([name, look]) => [name, () => textOutput(look)])),
  'drift-seen': () => driftOutputs(SEEN),
  'drift-failed': () => driftOutputs(FAILED),
  'drift-hundreds': hundreds,
  'drift-in-part': () => ({
    ...driftOutputs(IN_PART),
    'details.txt': terminalText(driftView(IN_PART), uncoloured, { details: true }),
  }),
  'drift-only-unmanaged': () =>
    textOutput(lookAt(renamed({ ...UNMANAGED, severity: 'info', usual: true }, 3), { in_sync: true })),
  'drift-told-before': () => notificationOutputs(SEEN, TOLD),
  'drift-resolved': () => notificationOutputs(CALM, TOLD),
  'drift-recovered': () => notificationOutputs(SEEN, knownAfter(FAILED, null)),
  'drift-failed-again': () => notificationOutputs(FAILED, knownAfter(FAILED, null)),
  'drift-accept': accepted,
};
