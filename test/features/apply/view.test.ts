// The view of each end of an apply, every part of it: ends.txt.

import { expect, test } from 'vitest';
import type { Address } from '../../../src/base/model.ts';
import type { AppliedTarget, ApplyEnd, EndedApply, EndedStep } from '../../../src/features/apply/report.ts';
import { type ApplyCommand, applyPage, applyView } from '../../../src/features/apply/view.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import { declare, desiredOf } from '../../desired.ts';
import { ledgerOf, liveOf, object, planOf } from '../../plan/license.ts';

const LIVE = liveOf(
  object('agent', 'ann@example.com', { name: 'Ann', job_title: 'Clerk' }),
  object('group', 7, { name: 'Old' }),
  object('group', 8, { name: 'Sales' }),
  object('property', 'app/tier', { type: 'int', access: { license: { agent: ['read'] } } }),
);
const LEDGER = ledgerOf({ 'group/old': 7, 'agent/ann@example.com': 'ann@example.com' });

const PLAN = {
  ...planOf(
    desiredOf([
      declare('agent', 'ann@example.com', { name: 'Ann', job_title: 'Lead' }),
      declare('agent', 'bob@example.com', { name: 'Bob' }),
      declare('group', 'fresh', { name: 'Fresh', agent_priorities: { 'agent/bob@example.com': 'first' } }),
      declare('group', 'sales', { name: 'Sales' }),
    ]),
    LIVE,
    LEDGER,
  ),
  target: 'production',
};
const ADOPTING = {
  ...planOf(desiredOf([declare('group', 'sales', { name: 'Sales' })]), LIVE),
  target: 'production',
};
const IN_SYNC = { ...planOf(desiredOf([]), LIVE), target: 'production' };

const DONE: EndedApply = {
  outcome: 'done',
  message: null,
  stopped_by: null,
  verified: true,
  results: PLAN.steps.map((step) => ({
    step: step.id,
    address: step.address,
    status: 'done',
    id: null,
    error: null,
    because: null,
  })),
  unsettled: [],
  kept_forms: [],
  rewritten: [],
  lost_secrets: [],
  rescued_secrets: [],
  duration_ms: 1_234,
};

/** Steps that end otherwise than done, by a part of their id. */
function resultsWith(others: { readonly [id: string]: Partial<EndedStep> }): EndedApply['results'] {
  return DONE.results.map((result) => {
    const found = Object.entries(others).find(([id]) => result.step.includes(id));
    return { ...result, ...found?.[1] };
  });
}

const FAILED: Partial<EndedStep> = {
  status: 'failed',
  error: { action: 'create_group', type: 'validation', message: 'the name is taken', debug_id: 'd-1' },
};

function ended(report: Partial<EndedApply>, sent = 4): ApplyEnd {
  return { type: 'ended', run: 'r-1', report: { ...DONE, ...report }, sent: { list_agents: sent } };
}

interface Scene {
  readonly end: ApplyEnd;
  readonly command?: ApplyCommand;
  readonly plan?: Plan;
  readonly customers?: AppliedTarget['customers'];
}

const ENDS: { readonly [name: string]: Scene } = {
  'a license in sync': { end: { type: 'unchanged' }, plan: IN_SYNC },
  'a plan that is withheld': {
    end: { type: 'withheld' },
    plan: {
      ...PLAN,
      withheld: [
        { guard: 'max_deletes', addresses: ['group/old'], message: 'it deletes 1 object', remedy: 'look at it' },
      ],
    },
  },
  'a license that changed since the plan was approved': {
    end: {
      type: 'mismatch',
      file: 'plan.json',
      digest: 'd',
      created_at: '2026-06-01T10:00:00Z',
      dated: null,
      mismatch: {
        unapproved: [{ now: { effect: 'gone', address: 'group/old', id: 7 }, live: null, approved: [] }],
        rebound: [],
        overtaken: [],
        rules: [],
        since: [{ object: 'group/7', address: 'group/old', what: 'changed' }],
        manifest_changed: true,
      },
    },
  },
  'all done': { end: ended({}) },
  'a destroy that is done and not verified': { end: ended({ verified: false }), command: 'destroy' },
  'an undo that is done': { end: ended({}, 1), command: 'undo' },
  'an adoption': { end: ended({ results: [] }, 0), plan: ADOPTING },
  'nothing to do': { end: ended({ results: [] }, 0), plan: IN_SYNC },
  'a part that failed': {
    end: ended({
      outcome: 'partial',
      results: resultsWith({
        'create group/fresh': FAILED,
        'update agent/ann': { status: 'skipped', because: 'create group/fresh' },
        'delete group': { status: 'not-sent' },
      }),
    }),
  },
  'a run that was interrupted': {
    end: ended({ outcome: 'interrupted', results: resultsWith({ 'delete group': { status: 'not-sent' } }) }),
  },
  'an undo that was interrupted': {
    end: ended({ outcome: 'interrupted', results: resultsWith({ 'delete group': { status: 'not-sent' } }) }),
    command: 'undo',
  },
  'a run that was interrupted before anything was done': {
    end: ended({ outcome: 'interrupted', results: resultsWith({ '': { status: 'not-sent' } }) }, 0),
  },
  'a run that an error stopped': {
    end: ended({
      outcome: 'failed',
      stopped_by: 'error',
      message: 'the disk is full',
      results: resultsWith({ '': { status: 'not-sent' } }),
    }),
  },
  'a run that lost its lease': {
    end: ended(
      {
        outcome: 'failed',
        stopped_by: 'lease',
        message: 'the lease was lost',
        results: resultsWith({ '': { status: 'not-sent' } }),
      },
      0,
    ),
  },
  'a run whose time was up': {
    end: ended({
      outcome: 'partial',
      stopped_by: 'time',
      results: resultsWith({ 'delete group': { status: 'not-sent' } }),
    }),
  },
  'a run that did not settle': {
    end: ended({
      outcome: 'unsettled',
      unsettled: [{ address: 'group/fresh', reading: 'it cannot be read' }],
      kept_forms: [
        {
          address: 'agent/ann@example.com',
          field: 'job_title',
          written: 'Lead ',
          read: 'Lead',
          place: { file: 'agents.yaml', line: 4, column: 7, length: 1 },
        },
        { address: 'agent/bob@example.com', field: 'name', written: 'Bob ', read: 'Bob', place: null },
      ],
      rewritten: ['group/sales' as Address],
      lost_secrets: [{ address: 'bot/triage', reason: 'the sink is not there' }],
      rescued_secrets: [{ address: 'webhook/chats', path: 'rescue.json', reason: 'the sink failed' }],
    }),
    plan: {
      ...PLAN,
      notes: [
        ...(['group/fresh', 'group/sales', 'agent/bob@example.com'] as const).map((address): Plan['notes'][number] => ({
          kind: 'manual-step',
          address,
          message: 'set it in the application',
        })),
        { kind: 'recovered', address: 'group/sales', message: 'an earlier run made it' },
      ],
    },
  },
  'customers of whom it is not known what they see': {
    end: ended({}),
    customers: { failure: 'the service did not answer' },
  },
};

/** One line for each member of a view, and for each of its blocks. */
function lines(view: object): string {
  return Object.entries(view)
    .flatMap(([name, member]) =>
      Array.isArray(member)
        ? member.map((item) => `${name}: ${JSON.stringify(item)}\n`)
        : [`${name}: ${JSON.stringify(member)}\n`],
    )
    .join('');
}

test('Each end reads as on file', async () => {
  const text = Object.entries(ENDS).map(([name, { end, command = 'apply', plan = PLAN, customers = null }]) => {
    return `# ${name}\n${lines(applyView(command, { plan, end, customers }))}`;
  });
  await expect(text.join('\n')).toMatchFileSnapshot('ends.txt');
});

test('A page has the plan in addition, the run and when it began', () => {
  const page = (end = ended({})) =>
    applyPage('apply', { plan: PLAN, end, customers: null }, { at: '2026-06-01T10:00:00Z', diagnostics: [] }, 'page');
  const begun = ['Begun ', { text: '2026-06-01T10:00:00Z', as: 'time' }];
  expect(page().about.slice(1)).toEqual([['Run ', { text: 'r-1', as: 'code' }], begun]);
  expect(page({ type: 'unchanged' }).about).toEqual([begun]);
  expect(page().body.length).toBeGreaterThan(0);
});
