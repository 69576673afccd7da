// Situations after a plan: applies, an undo, a saved plan that no longer matches; and of the files beside a license: ledger, lease, secrets.

import type { ApplyReport } from '../../src/apply/apply.ts';
import type { ApplyEvent } from '../../src/apply/input.ts';
import type { StepResult } from '../../src/apply/outcome.ts';
import { ApiError, InternalError } from '../../src/base/errors.ts';
import type { Address, Diagnostic, DiagnosticCode } from '../../src/base/model.ts';
import { textOf } from '../../src/base/pieces.ts';
import { mismatchBlocks, mismatchLine } from '../../src/features/apply/mismatch.ts';
import { endedApply } from '../../src/features/apply/report.ts';
import { type HistoryOptions, recalling } from '../../src/features/history/operation.ts';
import { namesInLedger, wordedObjects } from '../../src/features/history/outline.ts';
import type { ObjectOfRun, RunEntry, RunHistory } from '../../src/features/history/schema.ts';
import type { ShownHistory } from '../../src/features/history/view.ts';
import {
  compactedText,
  forgetQuestion,
  forgottenText,
  holdingsText,
  leaseText,
  logText,
  releasedText,
  repairedText,
  repairQuestion,
} from '../../src/features/ledger/view.ts';
import { withheldSection } from '../../src/features/plan/dangers.ts';
import { savedTexts, snapshotLine } from '../../src/features/plan/saved.ts';
import type { Rotations } from '../../src/features/secrets/operation.ts';
import type { RotateReport } from '../../src/features/secrets/rotate-operation.ts';
import type { HeldSecret, IssuedToken } from '../../src/features/secrets/token-operation.ts';
import {
  heldText,
  issuedText,
  pauseLine,
  rescuedText,
  rotatedText,
  rotateQuestion,
} from '../../src/features/secrets/view.ts';
import { type PlannedUndoing, undoPreview, undoView } from '../../src/features/undo/view.ts';
import { kindOf } from '../../src/kinds/index.ts';
import type { LedgerEvent } from '../../src/ledger/events.ts';
import type { UndoRequest } from '../../src/ledger/footprint.ts';
import type { LeaseRecord } from '../../src/ledger/lease.ts';
import type { KnownOutcome } from '../../src/many/operation.ts';
import { outputsOf, viewOf } from '../../src/many/outputs.ts';
import type { Plan, Step } from '../../src/plan/plan.ts';
import { reviewed } from '../../src/plan/review/plan-result.ts';
import type { Mismatch } from '../../src/plan/saved/match.ts';
import type { SavedPlan } from '../../src/plan/saved/saved-plan.ts';
import type { FoundLease } from '../../src/target/lock.ts';
import {
  commandDocument,
  leaseDocument,
  rescueDocument,
  rotateDocument,
  tokenDocument,
  undoMember,
} from '../../src/view/documents.ts';
import { onTerminal, type Paint, uncoloured } from '../../src/view/paint.ts';
import { plain } from '../../src/view/plain.ts';
import { targetLine } from '../../src/view/terminal/layout.ts';
import { lockedText } from '../../src/view/terminal/notice.ts';
import { hoursLine } from '../../src/view/words/plan.ts';
import { blocksText, terminalText } from '../../src/view/writers/terminal.ts';
import { writersOf } from '../many/writers.ts';
import { applyOutputs, diagnosticOutputs, type Outputs, painted, planOutputs, unfolded } from './outputs.ts';
import { FIRST, named, plannedFrom } from './plans.ts';

const WRITERS = await writersOf();

const { of: FIRST_PLAN } = plannedFrom(FIRST);

const HOSTILE = '\u001b[31m::x\u202e';

function step(id: string): Step {
  const found = FIRST_PLAN.plan.steps.find((each) => each.id === id);
  if (found === undefined) throw new Error(`${id}: ${FIRST_PLAN.plan.steps.map((each) => each.id).join(', ')}`);
  return found;
}

const done = (id: string): StepResult => ({ step: step(id), outcome: { status: 'done', id: 7 } });

const refusal = (debugId: string | null) =>
  new ApiError({
    action: 'create_group',
    type: 'validation',
    message: `the name is taken ${HOSTILE}`,
    status: 400,
    ambiguous: false,
    debugId,
    retryAfter: null,
    data: null,
  });

const REPORT: ApplyReport = {
  outcome: 'done',
  results: FIRST_PLAN.plan.steps.map(({ id }) => done(id)),
  unsettled: [],
  forms: [],
  rewritten: [],
  lostSecrets: [],
  rescuedSecrets: [],
  failure: null,
  refused: null,
  verified: true,
  timedOut: false,
  duration: 12_345,
};

const ALL_SENT: readonly ApplyEvent[] = [
  { type: 'sending', steps: FIRST_PLAN.plan.steps.slice(0, 2) },
  { type: 'ended', results: REPORT.results },
  { type: 'waiting', elapsed: 400, unsettled: [] },
  { type: 'waiting', elapsed: 7_600, unsettled: [{ address: 'group/sales', reading: 'name is "Old"' } as never] },
];

const OPERATIONS: readonly StepResult[] = (['create', 'update', 'delete', 'transition'] as const).map((operation) => ({
  step: { ...step('create group/sales'), operation, address: operation === 'update' ? null : 'group/sales', object: 7 },
  outcome: { status: 'done', id: null },
}));

const MIXED: readonly StepResult[] = [
  { step: step('create group/sales'), outcome: { status: 'failed', error: refusal('abc-123') } },
  { step: step('create group/support'), outcome: { status: 'failed', error: refusal(null) } },
  { step: step('create bot/triage'), outcome: { status: 'skipped', because: `create group/sales ${HOSTILE}` } },
  { step: step('create auto_access/rest'), outcome: { status: 'not-sent' } },
];

function applied(change: Partial<ApplyReport>, events: readonly ApplyEvent[] = [], exitCode = 6): Outputs {
  return applyOutputs({ of: FIRST_PLAN, report: { ...REPORT, ...change }, events, exitCode });
}

/** The end of an apply, in each way that it can end, in few lines. */
function endings(): Outputs {
  const ends: { readonly [name: string]: Partial<ApplyReport> } = {
    'not-verified': { verified: false },
    unsettled: {
      outcome: 'unsettled',
      unsettled: [{ address: 'group/sales', reading: `name is "Old" ${HOSTILE}` } as never],
    },
    'kept-forms': {
      forms: [
        {
          address: 'group/sales',
          field: 'name',
          written: 'Sales  Team ',
          read: 'Sales Team',
          place: { file: `groups.yaml${HOSTILE}`, line: 3, column: 11, length: 14 },
        },
        {
          address: 'group/support',
          field: 'name',
          written: `Support  ${HOSTILE}`,
          read: `support ${HOSTILE}`,
          place: null,
        },
      ],
    },
    interrupted: { outcome: 'interrupted' },
    failed: { outcome: 'failed', results: MIXED.slice(0, 1) },
    stopped: { outcome: 'failed', failure: new Error(`the ledger cannot be written ${HOSTILE}`) },
    bug: { outcome: 'failed', failure: new InternalError('a plan was not whole') },
    'lease-lost': { outcome: 'partial', refused: `another run took it ${HOSTILE}` },
    'timed-out': { outcome: 'partial', timedOut: true },
  };
  const files = Object.entries(ends).flatMap(([name, change]): readonly (readonly [string, string])[] => {
    const report = { ...REPORT, ...change };
    const endOf = (command: 'apply' | 'destroy' | 'undo') =>
      applyOutputs({ of: FIRST_PLAN, report, events: [], exitCode: 1, command });
    const [apply, destroy, undo] = [endOf('apply'), endOf('destroy'), endOf('undo')];
    return [
      [
        `${name}.txt`,
        [apply, destroy, undo]
          .map(({ 'apply.txt': text = '' }) => text)
          .map((text) => `${text.trim()}\n`)
          .join('\n'),
      ],
      [`${name}.ndjson`, apply['events.ndjson'] ?? ''],
      [`${name}.json`, apply['apply.json'] ?? ''],
    ];
  });
  return Object.fromEntries(files);
}

const IN_PART: Partial<ApplyReport> = {
  outcome: 'partial',
  results: [...REPORT.results.filter(({ step: { id } }) => !MIXED.some((each) => each.step.id === id)), ...MIXED],
  rewritten: ['group/sales'],
  lostSecrets: [{ state: 'lost', address: 'bot/triage', id: 'b1', reason: `the reply did not contain it ${HOSTILE}` }],
  rescuedSecrets: [
    { state: 'rescued', address: 'bot/other', id: 'b2', path: `/tmp/rescue ${HOSTILE}`, reason: `EACCES ${HOSTILE}` },
  ],
};

const RECORDED = {
  id: '0123456789abcdef0123456789abcdef',
  at: '2026-01-05T09:00:00.123Z',
  command: 'apply',
  outcome: 'partial',
  finished: [],
  undoes: null,
  endedBy: null,
  fleetRun: null,
  ahead: 0,
} as const;

const RUN: UndoRequest = { run: RECORDED, begun: null };

const UNDOING: PlannedUndoing = {
  ...RUN,
  next: null,
  plan: emptied(FIRST_PLAN.plan),
  orderChangedSince: true,
  resources: [
    { address: 'group/sales', outcome: 'reversible', reasons: [] },
    { address: 'bot/triage', outcome: 'lossy', reasons: ['it gets another id', 'its secret is another one'] },
    { address: 'property/c/tier', outcome: 'irreversible', reasons: ['`publish` can never be taken back'] },
    { address: 'group/support', outcome: 'as_before', reasons: ['it is as it was'] },
    { address: `group/old${HOSTILE}`, outcome: 'left_out', reasons: [`it was changed since ${HOSTILE}`, 'by hand'] },
  ],
};

function undo(): Outputs {
  const nothing: PlannedUndoing = { ...UNDOING, plan: emptied(FIRST_PLAN.plan), orderChangedSince: false };
  const calm = nothing.resources.filter(({ outcome }) => outcome !== 'left_out');
  const unended: UndoRequest = {
    run: { ...RECORDED, outcome: null, finished: ['fedcba9876543210fedcba9876543210'] },
    begun: { ...RECORDED, id: 'abcdef0123456789abcdef0123456789', undoes: RECORDED.id },
  };
  const some: PlannedUndoing = { ...UNDOING, plan: { ...FIRST_PLAN.plan, unmanaged: [] } };
  const end = { type: 'ended', run: 'r', report: endedApply(REPORT), sent: {} } as const;
  const after = (of: PlannedUndoing): string => terminalText(undoView({ ...of, end }), uncoloured);
  const shown = (of: PlannedUndoing): string => terminalText(undoPreview(of), uncoloured);
  return {
    ...painted('undo', (paint) => blocksText(undoPreview(some).body.slice(0, 1), paint)),
    'undo.json': commandDocument({ undo: undoMember(UNDOING) }),
    'after.txt': after(some),
    'after-all.txt': after({ ...some, resources: calm, orderChangedSince: false }),
    'nothing.txt': shown({ ...nothing, ...unended, resources: calm }),
    'nothing-left-out.txt': shown({ ...nothing, next: 'fedcba9876543210' }),
  };
}

/** Without what other situations show. */
function emptied(plan: Plan): Plan {
  return { ...plan, resource_changes: [], steps: [], requests: { total: 0, by_action: {}, plan: [] }, routing: null };
}

const SAVED = {
  created_at: '2026-01-05T09:00:00.000Z',
  chatform_version: '0.1.0',
  target: 'production',
  digest: 'abcdef0123456789',
  acknowledged: { given: ['deletes', 'group/old'], vetoes: [] },
  plan: {
    hours: {
      days: [
        { timezones: ['America/New_York'], from: '2026-12-20', to: '2026-12-26' },
        { timezones: ['Europe/Warsaw', `Zone${HOSTILE}`], from: '2026-12-21', to: '2026-12-27' },
      ],
      next_change: null,
    },
  },
  selection: { only: ['group/*'], except: [] },
  origin: {
    ci: 'GitHub Actions',
    repository: 'o/r',
    commit: 'a'.repeat(40),
    base: `main${HOSTILE}`,
    workflow: 'plan.yml',
    request: '7',
    run: '11',
  },
} as unknown as SavedPlan;

const { origin: _, ...BARE } = SAVED;

const MISMATCH: Mismatch = {
  unapproved: [
    { now: { effect: 'there', address: 'group/new', id: null }, live: null, approved: [] },
    { now: { effect: 'gone', address: 'group/old', id: 7 }, live: null, approved: [] },
    { now: { effect: 'renewed', address: 'property/c/tier', id: 'c/tier' }, live: null, approved: [] },
    { now: { effect: 'ours', address: 'group/found', id: 8 }, live: null, approved: [] },
    { now: { effect: 'renamed', from: 'group/a', to: 'group/b' }, live: null, approved: [] },
    { now: { effect: 'edge', ends: ['agent/ann@example.com', 'group/sales'], value: null }, live: null, approved: [] },
    {
      now: { effect: 'edge', ends: ['agent/bob@example.com', 'group/sales'], value: 'first' },
      live: null,
      approved: [],
    },
    {
      now: { effect: 'value', address: 'group/sales', id: 7, field: 'name', value: `Sales ${HOSTILE}` },
      live: null,
      approved: [{ effect: 'value', address: 'group/sales', id: 7, field: 'name', value: 'Team' }],
    },
    {
      now: { effect: 'gone', address: 'group/x', id: 9 },
      live: null,
      approved: [{ effect: 'gone', address: 'group/x', id: null }],
    },
    {
      now: { effect: 'order', type: 'auto_access', order: ['auto_access/a', 'r7'] },
      live: null,
      approved: [{ effect: 'order', type: 'auto_access', order: ['r7', 'auto_access/a'] }],
    },
  ],
  rebound: [{ address: 'group/vip', approved: 3, now: 4 }],
  overtaken: [
    {
      effect: { effect: 'value', address: 'agent/ann@example.com', id: null, field: 'max_chats_count', value: 5 },
      field: null,
      before: 3,
      live: 7,
    },
    {
      effect: { effect: 'edge', ends: ['agent/ann@example.com', 'group/vip'], value: 'first' },
      field: null,
      before: null,
      live: 'last',
    },
    { effect: { effect: 'gone', address: 'group/x', id: 9 }, field: 'name', before: 'X', live: `Y ${HOSTILE}` },
    {
      effect: { effect: 'order', type: 'auto_access', order: ['r7', 'auto_access/a', 'r8'] },
      field: null,
      before: ['auto_access/a', 'r7', 'r8'],
      live: ['r8', 'auto_access/a', 'r7'],
    },
  ],
  rules: [
    { id: 'r7', name: `Promo ${HOSTILE}`, what: 'changed' },
    { id: 'r9', name: 'r9', what: 'gone' },
  ],
  since: [
    { object: 'group/7', address: 'group/sales', what: 'changed' },
    { object: 'agent/x@example.com', address: 'agent/x@example.com', what: 'gone' },
    { object: `group/9${HOSTILE}`, address: null, what: 'appeared' },
  ],
  manifest_changed: true,
};

const ABOUT = { madeAt: SAVED.created_at, dated: hoursLine(SAVED.plan) };

function saved(): Outputs {
  const one: Mismatch = {
    unapproved: MISMATCH.unapproved.slice(0, 1),
    rebound: [],
    overtaken: [],
    rules: [],
    since: [],
    manifest_changed: false,
  };
  const many: Mismatch = { ...one, unapproved: Array.from({ length: 33 }, () => MISMATCH.unapproved[0] as never) };
  return {
    'shown.txt': [SAVED, { ...BARE, selection: { only: [], except: [] }, acknowledged: { given: [], vetoes: [] } }]
      .flatMap((each, nth) => savedTexts(nth === 0 ? 'plan.json' : `a ${HOSTILE}`, each))
      .map((text) => `${plain(text)}\n`)
      .join(''),
    ...painted('mismatch', (paint) => blocksText(mismatchBlocks(MISMATCH, ABOUT), paint)),
    'mismatch-many.txt': blocksText(mismatchBlocks(many, ABOUT), uncoloured),
    'mismatch-line.txt': `${mismatchLine('plan.json', MISMATCH)}\n${mismatchLine('plan.json', one)}\n${mismatchLine('plan.json', { ...MISMATCH, unapproved: [], rebound: [] })}\n`,
    'snapshot.txt': [
      snapshotLine('license.json', { target: 'production', digest: SAVED.digest, objects: ['2 agents', '1 group'] }),
      snapshotLine('license.json', { target: `p${HOSTILE}`, digest: SAVED.digest, objects: [] }),
    ].join(''),
    'withheld.txt': [named(FIRST_PLAN.plan, HOSTILE), FIRST_PLAN.plan]
      .map((plan) => blocksText(withheldSection(plan), uncoloured))
      .join(''),
  };
}

const stamp = { v: 1, run: 'r', at: '2026-01-05T09:00:00.123Z' } as const;

const EVENTS: readonly LedgerEvent[] = [
  { ...stamp, type: 'begun', command: 'apply' },
  { ...stamp, type: 'bound', address: 'group/sales', id: 7, origin: 'created' },
  { ...stamp, type: 'bound', address: 'group/old', id: 8, origin: 'adopted' },
  { ...stamp, type: 'bound', address: `group/x${HOSTILE}`, id: 9, origin: 'imported' },
  { ...stamp, type: 'applied', address: 'group/sales', spec: { name: 'Sales' }, digests: { domain: 'abc' } },
  { ...stamp, type: 'applied', address: 'group/bare', spec: {}, digests: {} },
  { ...stamp, type: 'forgotten', address: 'group/old' },
  { ...stamp, type: 'moved', from: 'group/a', to: 'group/b' },
  { ...stamp, type: 'intent', id: 'i1', address: 'bot/b', kind: 'bot', operation: 'create', identity: '{}', seen: [] },
  { ...stamp, type: 'done', intent: 'i1', outcome: 'created', created: 'b1' },
  { ...stamp, type: 'done', intent: 'i2', outcome: 'refused' },
  { ...stamp, type: 'done', intent: 'i3', outcome: 'unknown' },
  { ...stamp, type: 'before', address: 'group/new', id: null, spec: null },
  { ...stamp, type: 'before', address: 'group/sales', id: 7, spec: { name: 'x'.repeat(200) } },
  { ...stamp, type: 'remaking', address: 'property/c/tier', spec: { type: 'string' } },
  {
    ...stamp,
    type: 'order',
    moment: 'before',
    kind: 'auto_access',
    order: ['auto_access/a', 'auto_access/b'],
    ids: ['a', 'b'],
  },
  { ...stamp, type: 'order', moment: 'applied', kind: 'auto_access', order: ['auto_access/b'], ids: ['b'] },
  { ...stamp, type: 'secret', address: 'bot/b', id: 'b1', state: 'kept' },
  { ...stamp, type: 'secret', address: 'bot/b', id: 'b1', state: 'rescued' },
  { ...stamp, type: 'secret', address: 'bot/b', id: 'b1', state: 'lost' },
  { ...stamp, type: 'run', run: 'run-1234567890', command: 'apply', outcome: 'done' },
  { type: 'unknown', event: { type: 'dreamt', at: stamp.at } },
];

const HOLDINGS = [
  { address: 'group/sales', id: 7, origin: 'created', since: stamp.at, last_applied: '2026-01-06T09:00:00.000Z' },
  { address: `group/x${HOSTILE}`, id: 9, origin: 'imported', since: stamp.at, last_applied: null },
] as const;

const INTENTS = [
  { intent: 'i1', address: 'bot/b', kind: 'bot', operation: 'create', identity: '{}', seen: [], at: stamp.at },
] as const;

function ledger(): Outputs {
  const happenings = EVENTS.map((event, nth) => ({ run: nth < 20 ? 'run-1234567890' : null, event }));
  const path = `production.ledger${HOSTILE}`;
  return {
    ...painted('show', (paint) => holdingsText(path, HOLDINGS as never, INTENTS as never, paint)),
    'show-nothing.txt': holdingsText(path, [], [], uncoloured),
    ...painted('log', (paint) => logText(path, happenings, paint)),
    'log-none.txt': logText(path, [], uncoloured),
    ...painted('forget-question', (paint) => forgetQuestion(HOLDINGS as never, INTENTS as never, paint)),
    'done.txt': [
      forgottenText(2, 0),
      forgottenText(1, 1),
      compactedText(path, { before: 9, after: 9, since: stamp.at }),
      compactedText(path, { before: 9, after: 4, since: stamp.at }),
      `${repairQuestion(1, 2, path)}\n`,
      repairedText(path, 3, 0, null),
      repairedText(path, 3, 1, path),
    ].join('\n'),
    'ledger.json': commandDocument({ ledger: 'l.ndjson', resources: [] }),
  };
}

const RECORD: LeaseRecord = {
  generation: 3,
  run: 'r',
  holder: { user: 'ann', host: 'build-7', pid: 4711, command: 'apply' },
  since: '2026-01-05T09:00:00.000Z',
  renewed: '2026-01-05T09:00:20.000Z',
  until: '2026-01-05T09:01:20.000Z',
};

const YES = { possible: 'yes', reason: null } as const;

const RUN_ENTRY: RunEntry = {
  id: '0123456789abcdef0123456789abcdef',
  at: stamp.at,
  ended_at: '2026-01-05T09:00:02.523Z',
  command: 'apply',
  target: 'production',
  by: {
    ci: 'GitHub Actions',
    actor: `bob${HOSTILE}`,
    repository: 'acme/chat',
    request: '12',
    commit: '3f2a1b9c3f2a1b9c3f2a1b9c3f2a1b9c3f2a1b9c',
    job: 'https://github.example/acme/chat/actions/runs/77',
  },
  fleet_run: null,
  reason: `Hours (#12)${HOSTILE}`,
  outcome: 'partial',
  changes: { added: 1, changed: 2, failed: 1 },
  values: 'recorded',
  undoes: null,
  finished_by: null,
  undo: { possible: 'in_part', reason: 'changed again since: group/sales' },
};

function objectOf(address: Address, action: ObjectOfRun['action'], fields: ObjectOfRun['fields'] = []): ObjectOfRun {
  return { address, type: kindOf(address), action, from: null, fields };
}

const HOURS = (end: string) => ({
  timezone: 'Europe/Warsaw',
  schedule: ['monday', 'tuesday'].map((day) => ({ day, start: '13:00', end, enabled: true })),
});

const CHANGED_OBJECTS: readonly ObjectOfRun[] = [
  objectOf('agent/ann@example.com', 'changed', [
    { field: 'max_chats_count', before: 3, after: 8, unknown: [] },
    { field: 'work_scheduler', before: HOURS('20:00'), after: HOURS('21:00'), unknown: [] },
  ]),
  objectOf('group/sales', 'added', [{ field: 'name', before: null, after: `Sales${HOSTILE}`, unknown: [] }]),
  objectOf('bot_template/t', 'changed', [{ field: 'avatar', before: null, after: null, unknown: ['before', 'after'] }]),
  objectOf('group/old', 'unknown', [{ field: 'name', before: 'Old', after: null, unknown: ['after'] }]),
  objectOf('group/vip', 'failed'),
  objectOf('auto_access/a', 'changed'),
  { ...objectOf('group/b', 'renamed'), from: 'group/a' },
  ...['a', 'b', 'c'].map((key) =>
    objectOf(`agent/${key}`, 'changed', [{ field: 'max_chats_count', before: 3, after: 4, unknown: [] }]),
  ),
  ...Array.from({ length: 12 }, (_, index) => objectOf(`bot/b${index}`, 'adopted')),
];

function history(): Outputs {
  const others: readonly RunEntry[] = [
    { ...RUN_ENTRY, id: 'fedcba9876543210', outcome: 'done', by: { user: 'ann', host: 'build-7' }, undo: YES },
    { ...RUN_ENTRY, id: 'abcdef0123456789', by: null, command: null, ended_at: null, outcome: 'killed', undo: YES },
    {
      ...RUN_ENTRY,
      id: '1111111111111111',
      values: 'reduced',
      outcome: 'done',
      undo: { possible: 'no', reason: 'a compaction removed its values' },
    },
  ];
  const whole: RunHistory = {
    ledger: 'l.ndjson',
    target: `production${HOSTILE}`,
    runs: [RUN_ENTRY, ...others],
    older: 3,
    compacted: {
      at: '2026-01-04T09:00:00.000Z',
      by: { user: 'ann', host: 'build-7' },
      before: '2025-12-04T09:00:00Z',
      hidden: 0,
    },
  };
  const withObjects = (entry: RunEntry): RunEntry => ({
    ...entry,
    objects: CHANGED_OBJECTS,
    order: { before: ['auto_access/a', 'auto_access/b'], after: ['auto_access/b', 'auto_access/a'] },
  });
  const ofOne: RunHistory = { ...whole, runs: [withObjects(RUN_ENTRY)], older: 0, compacted: null };
  const byObject: RunHistory = { ...whole, runs: whole.runs.map(withObjects), compacted: null };
  const target = { name: `production${HOSTILE}`, baseUrl: 'https://api.example.com', ledger: 'l.ndjson' };
  const outcomeOf = (of: RunHistory): KnownOutcome<ShownHistory> => ({
    operation: 'history',
    target: target.name,
    at: '2026-01-06T09:00:00.000Z',
    seconds: 0.1,
    state: 'known',
    value: { ...of, worded: of.runs.map(({ objects = [] }) => wordedObjects(objects, namesInLedger(EVENTS))) },
    diagnostics: [],
    requests: null,
    problems: [],
  });
  const all = { run: null, only: [], find: null, since: null, last: null, isUndoList: false };
  const one = { ...all, run: RUN_ENTRY.id };
  const written = (of: RunHistory, options: HistoryOptions, format: string): string =>
    textOf(
      WRITERS.get(format)?.write(outputsOf({ operation: recalling, options }, outcomeOf(of)), (file) => file) ?? '',
    );
  const text = (of: RunHistory, options: HistoryOptions, paint: Paint): string =>
    targetLine(target, paint) + terminalText(viewOf({ operation: recalling, options }, outcomeOf(of)), paint);
  const list = (of: RunHistory, paint: Paint): string => text(of, { ...all, isUndoList: true }, paint);
  const none: RunHistory = { ...whole, runs: [], older: 0, compacted: { at: null, by: null, before: null, hidden: 0 } };
  return {
    ...painted('runs', (paint) => text(whole, all, paint)),
    'runs-80.txt': text(whole, all, onTerminal(uncoloured, 80)),
    ...painted('run', (paint) => text(ofOne, one, paint)),
    'run-reduced.txt': text({ ...ofOne, runs: others.slice(2) }, one, uncoloured),
    'objects.txt': text({ ...byObject, runs: byObject.runs.slice(0, 3) }, { ...all, only: ['*'] }, uncoloured),
    'none.txt': `${text(none, all, uncoloured)}\n${list(none, uncoloured)}`,
    'undo-list.txt': list(whole, uncoloured),
    'undo-list-80.txt': list(whole, onTerminal(uncoloured, 80)),
    'runs.csv': written(whole, all, 'csv'),
    'objects.csv': written(ofOne, one, 'csv'),
    'runs.html': unfolded(written(whole, all, 'html')),
    'objects.html': unfolded(written(ofOne, one, 'html')),
  };
}

function lease(): Outputs {
  const held: FoundLease = {
    subject: `target production${HOSTILE}`,
    ledger: 'l.ndjson',
    state: 'held',
    record: RECORD,
    openFrom: '2026-01-05T09:01:25.000Z',
    ahead: null,
  };
  const none: FoundLease = { ...held, state: 'free', record: null, openFrom: null };
  const all = [none, { ...held, state: 'free' }, held, { ...held, state: 'expired' }] as const;
  const message = lockedText({ ...held, ahead: 7_000 });
  return {
    'status.txt': all.map((each) => `${leaseText(each)}\n`).join(''),
    'locked.txt': `${message}\n${lockedText(none)}\n`,
    'released.txt': releasedText(held, RECORD.holder),
    'status.json': leaseDocument(held),
    'free.json': leaseDocument(none, { released: true }),
    'locked.json': leaseDocument(held, { errored: true, message }),
  };
}

const ROTATED: RotateReport = {
  outcome: 'partial',
  results: [
    { address: 'bot/a', id: 'b1', state: 'kept' },
    { address: 'bot/b', id: 'b2', state: 'rescued', path: `/tmp/r${HOSTILE}`, reason: `EACCES${HOSTILE}` },
    { address: 'bot/c', id: 'b3', state: 'lost', reason: `the reply did not contain it${HOSTILE}` },
    { address: 'bot/d', id: 'b4', state: 'refused', failure: refusal(null).failure },
    { address: `bot/e${HOSTILE}`, id: 'b5', state: 'not-sent', reason: 'the run was stopped' },
    { address: `webhook/${HOSTILE}`, id: 'w1', state: 'due' },
  ],
  failure: new Error(`the ledger cannot be written${HOSTILE}`),
};

function secrets(): Outputs {
  const rotations: Rotations = {
    resets: ROTATED.results.slice(0, 2) as never,
    renewals: [{ address: `webhook/${HOSTILE}`, id: 'w1' }],
  };
  const place = `secrets.json${HOSTILE}`;
  const rescue = {
    target: 'production',
    sink: place,
    files: ['/tmp/a', '/tmp/b'],
    current: ROTATED.results.slice(0, 1),
    outdated: ROTATED.results.slice(1, 2),
  };
  return {
    ...painted(
      'question',
      (paint) =>
        `${rotateQuestion(rotations, { target: 'production', sink: place, installations: true }, paint)}\n\n${rotateQuestion(rotations, { target: 'production', sink: place, installations: false }, paint)}\n`,
    ),
    ...painted('rotated', (paint) => `${pauseLine('bot/a', 15_000, paint)}\n${rotatedText(ROTATED, place, paint)}`),
    'rotated-all.txt': rotatedText(
      { outcome: 'done', results: ROTATED.results.slice(0, 1), failure: null },
      place,
      uncoloured,
    ),
    'rotated.json': rotateDocument(ROTATED, { target: 'production', sink: place, requests: { reset: 1 } }),
    'rotated-all.json': rotateDocument(
      { outcome: 'done', results: ROTATED.results.slice(0, 1), failure: null },
      { target: 'production', sink: place, requests: {} },
    ),
    ...painted('rescued', (paint) => rescuedText(rescue, paint)),
    'rescued-none.txt': rescuedText({ ...rescue, files: [] }, uncoloured),
    'rescued.json': rescueDocument(rescue),
    ...painted('token', (paint) =>
      [TOKEN, LOST_TOKEN, UNANSWERED].map((token) => issuedText(token, place, paint)).join(''),
    ),
    'token.json': tokenDocument(LOST_TOKEN, { target: 'production', sink: place }),
    ...painted('held', (paint) => heldText('production.ndjson', HELD, Date.parse(TOKEN.until) - 1, paint)),
    'held-none.txt': heldText('production.ndjson', [], 0, uncoloured),
  };
}

const TOKEN: IssuedToken = {
  address: 'bot/a',
  id: 'b1',
  state: 'kept',
  until: '2026-01-06T09:00:00.000Z',
  reason: null,
  requests: { issue_bot_token: 1 },
};
const LOST_TOKEN: IssuedToken = { ...TOKEN, state: 'lost', reason: `the vault is sealed ${HOSTILE}` };
const UNANSWERED: IssuedToken = { ...TOKEN, state: 'asked', reason: `the connection was lost ${HOSTILE}` };

const HELD: readonly HeldSecret[] = [
  {
    address: 'bot/a',
    id: 'b1',
    secret: 'kept',
    token: { state: 'kept', until: TOKEN.until },
    unanswered: [TOKEN.until],
  },
  { address: 'bot/b', id: 'b2', secret: 'rescued', token: { state: 'lost', until: TOKEN.until }, unanswered: [] },
  {
    address: 'bot/c',
    id: 'b3',
    secret: 'lost',
    token: { state: 'kept', until: '2026-01-05T09:00:00.000Z' },
    unanswered: [],
  },
  { address: `webhook/${HOSTILE}`, id: 'w1', secret: 'due', token: null, unanswered: [] },
  { address: `bot_template/${HOSTILE}`, id: 't1', secret: null, token: null, unanswered: [TOKEN.until] },
];

const diagnostic = (code: DiagnosticCode, line: number, change: Partial<Diagnostic> = {}): Diagnostic => ({
  code,
  severity: 'error',
  place: { file: 'manifest/groups.yaml', line, column: 9, length: 5 },
  message: `"frist" is not right [${code}] {0}`,
  remedy: 'did you mean `first`?',
  excerpt: '  sales: frist # 名前',
  related: [],
  ...change,
});

const LINT = { severity: 'warning', remedy: null, excerpt: null } as const;

/** Errors and lints as `validate`, `plan` and an editor show them. */
export const FINDINGS: readonly Diagnostic[] = [
  diagnostic('not-allowed', 12, {
    related: [{ place: { file: 'manifest/agents.yaml', line: 3, column: 1, length: 2 }, message: 'the other side' }],
  }),
  diagnostic('yaml-syntax', 4, { remedy: null }),
  diagnostic('too-long', 5, {
    excerpt: `${'x'.repeat(200)}frist${'y'.repeat(200)}`,
    place: { file: '/etc/m.yaml', line: 5, column: 201, length: 5 },
  }),
  diagnostic('wrong-type', 6, {
    excerpt: `\t${HOSTILE}`,
    message: `hostile ${HOSTILE}`,
    place: { file: `m${HOSTILE}.yaml`, line: 6, column: 2, length: 400 },
  }),
  diagnostic('missing-field', 7, { excerpt: 'z'.repeat(1001) }),
  diagnostic('bad-format', 8, {
    excerpt: 'e\u0301 名 👍 a',
    place: { file: 'm.yaml', line: 8, column: 10, length: 0 },
  }),
  ...Array.from({ length: 10 }, (_, nth) =>
    diagnostic('idle-agent', 20 + nth, { ...LINT, message: 'the same of all' }),
  ),
  diagnostic('nobody-there', 41, { ...LINT, message: 'no agent is there on Sunday', remedy: 'add hours' }),
  diagnostic('lost-cover', 42, { ...LINT, message: 'group/sales loses all cover Sun 10:00-12:00' }),
  diagnostic('route-failed', 43, { ...LINT, message: 'a visitor goes elsewhere' }),
];

function failedPlan(): Outputs {
  return {
    ...planOutputs({
      outcome: 'failed',
      target: 'production',
      message: 'the files have errors',
      diagnostics: FINDINGS,
    }),
  };
}

function notReached(): Outputs {
  const message = `list_groups: authorization (403): no ${HOSTILE}`;
  return planOutputs({ outcome: 'failed', target: null, message, diagnostics: [] });
}

function diagnostics(): Outputs {
  const errors = FINDINGS.filter(({ severity }) => severity === 'error');
  return {
    ...diagnosticOutputs(FINDINGS),
    'one.txt': `${diagnosticOutputs(errors.slice(0, 1))['diagnostics.txt']}`,
    'valid.json': commandDocument({ resources: 7 }, []),
  };
}

function warned(): Outputs {
  const { plan } = plannedFrom(FIRST).of;
  return planOutputs(reviewed({ ...emptied(plan), notes: [], unmanaged: [] }, FINDINGS, null));
}

export const RUNS: { readonly [situation: string]: () => Outputs } = {
  'apply-done': () => applied({}, ALL_SENT, 0),
  'apply-in-part': () => applied(IN_PART, [{ type: 'ended', results: [...OPERATIONS, ...MIXED] }]),
  'apply-endings': endings,
  undo,
  'saved-plan': saved,
  ledger,
  history,
  lease,
  secrets,
  diagnostics,
  'plan-with-findings': warned,
  'plan-failed': failedPlan,
  'plan-not-reached': notReached,
};
