// What a reviewer is told first: the greatest danger of a plan, its gaps, the visitors who feel it, and how an apply of it ended.

import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/base/model.ts';
import type { Plan, PlannedRouting } from '../../../src/plan/plan.ts';
import {
  dangersIn,
  effectOf,
  endingOf,
  factsOf,
  isDanger,
  ownCautions,
  type PlanResult,
  reviewed,
  reviewedSaved,
  targetOf,
} from '../../../src/plan/review/plan-result.ts';
import { readSavedPlan } from '../../../src/plan/saved/text.ts';
import { declare, desiredOf } from '../../desired.ts';
import { ledgerOf, liveOf, object, planOf } from '../license.ts';
import { AFTER, begun, saved } from '../saved/example.ts';

const NOTHING = planOf(desiredOf([]), liveOf());
const CREATE = planOf(desiredOf([declare('group', 'sales', { name: 'Sales' })]), liveOf());
const DELETE = planOf(
  desiredOf([]),
  liveOf(object('group', 7, { name: 'Sales' }), object('agent', 'ann@x.example', { name: 'Ann' })),
  ledgerOf({ 'group/sales': 7 }),
);
const FAILED: PlanResult = { outcome: 'failed', target: 'test', message: 'no', diagnostics: [] };

const result = (plan: Plan, diagnostics: readonly Diagnostic[] = []) => reviewed(plan, diagnostics, 'abc');
const counted = (counts: Partial<Plan['summary']>): Plan => ({
  ...NOTHING,
  summary: { ...NOTHING.summary, ...counts },
});

type Rerouted = PlannedRouting['rerouted'][number];

/** Visitors who are rerouted from a group; by default those of every page. */
function rerouted(groups: readonly string[] = ['group/sales'], visitor: object = { url: '/' }, on = ['/']): Rerouted {
  return { before: { groups }, examples: [{ visitor, on }] } as unknown as Rerouted;
}

function routed(way: PlannedRouting['way'], ...reroutes: readonly Rerouted[]): Plan {
  return { ...CREATE, routing: { way, rerouted: reroutes, exposed: [], longer: null } as unknown as PlannedRouting };
}

/** The deleted group, with a danger that a note explains. */
function dangerous(danger: Plan['resource_changes'][number]['danger'][number], message = 'it is so'): Plan {
  return {
    ...DELETE,
    resource_changes: DELETE.resource_changes.map((change) => ({ ...change, danger: ['destroy', danger] })),
    notes: [{ address: 'group/sales', kind: danger, message } as Plan['notes'][number]],
  };
}

/** A new object with a danger that destroys nothing. */
function restricting(): Plan {
  return {
    ...CREATE,
    resource_changes: CREATE.resource_changes.map((change) => ({ ...change, danger: ['restriction'] })),
  };
}

const VETO = { guard: 'max_deletes', addresses: [], message: 'group/sales: it is so', remedy: '' } as const;

test.each<[string, Plan, string, string]>([
  ['nothing', NOTHING, 'nothing', 'no-changes'],
  ['an object that is made', CREATE, 'changes', 'add-or-update'],
  ['only new objects in its summary', counted({ add: 1 }), 'changes', 'add-or-update'],
  ['only changed objects in its summary', counted({ change: 1 }), 'changes', 'add-or-update'],
  ['only adopted objects in its summary', counted({ adopt: 1 }), 'changes', 'add-or-update'],
  ['only steps, as for a list that is ordered', { ...CREATE, summary: NOTHING.summary }, 'changes', 'add-or-update'],
  ['only deleted objects in its summary', counted({ destroy: 1 }), 'changes', 'destroy'],
  ['an object that is deleted', DELETE, 'destroys', 'destroy'],
  ['rules that are written in a safe order', routed('safe'), 'changes', 'add-or-update'],
  ['rules in the wrong order for a while', routed('exposed'), 'exposes', 'add-or-update'],
  ['a restriction', restricting(), 'changes', 'add-or-update'],
  ['data that is lost', dangerous('data-loss'), 'lasting', 'destroy'],
  ['what cannot be undone', dangerous('irreversible'), 'lasting', 'destroy'],
  ['a change of other licenses', dangerous('other-licenses'), 'lasting', 'destroy'],
  ['a veto', { ...dangerous('data-loss'), withheld: [VETO] }, 'withheld', 'destroy'],
])('A plan with %s', (_, plan, risk, effect) => {
  expect(factsOf(result(plan))).toEqual({ outcome: risk, effect, counts: plan.summary, digest: 'abc' });
});

test('A plan that failed has a target at most', () => {
  expect([targetOf(FAILED), effectOf(FAILED)]).toEqual(['test', null]);
  expect(factsOf(FAILED)).toEqual({ outcome: 'failed', effect: null, counts: null, digest: null });
  expect(targetOf(result({ ...NOTHING, target: 'production' }))).toBe('production');
});

test('A caution that a veto says already is told once', () => {
  const own = (plan: Plan) => ownCautions(result(plan)).map(({ what }) => what);
  expect(own(dangerous('data-loss'))).toEqual(['data-loss', 'destroy']);
  expect(own({ ...dangerous('data-loss'), withheld: [VETO] })).toEqual(['destroy']);
  expect(own({ ...dangerous('data-loss', 'it is not'), withheld: [VETO] })).toEqual(['data-loss', 'destroy']);
  const silent = { ...VETO, message: 'group/sales: ' };
  expect(own({ ...dangerous('data-loss', ''), withheld: [silent] })).toEqual(['data-loss', 'destroy']);
});

describe('Gaps', () => {
  const finding = (code: Diagnostic['code'], more: Partial<Diagnostic> = {}): Diagnostic => ({
    code,
    severity: 'warning',
    place: { file: 'a.yaml', line: 1, column: 1, length: 1 },
    message: code,
    remedy: '',
    excerpt: null,
    related: [],
    ...more,
  });

  test('are what leaves visitors without an agent, and was not there before', () => {
    const findings = [
      finding('nobody-there'),
      finding('lost-cover'),
      finding('lost-cover', { known: 'plan' }),
      finding('route-failed', { severity: 'error' }),
      finding('route-failed'),
      finding('route-failed', { known: 'plan' }),
      finding('unknown-field'),
    ];
    const { gaps, diagnostics } = result(NOTHING, findings);
    expect(gaps).toEqual([findings[0], findings[1], findings[3]]);
    expect(diagnostics).toEqual(findings);
    expect(gaps.map(isDanger)).toEqual([false, true, false]);
  });

  test('and reroutes count as dangers in addition to cautions', () => {
    const findings = [finding('nobody-there'), finding('lost-cover')];
    expect(dangersIn(result(NOTHING, findings))).toBe(1);
    expect(dangersIn(result(DELETE, findings))).toBe(2);
    expect(dangersIn(result(routed('safe', rerouted(), rerouted()), findings))).toBe(3);
    expect(dangersIn(result(routed('exposed', rerouted()), findings))).toBe(3);
    expect(dangersIn(result(NOTHING))).toBe(0);
  });
});

describe('Visitors feel a reroute', () => {
  const felt = (...reroutes: readonly Rerouted[]) => result(routed('safe', ...reroutes)).felt;
  const [ordinary, nowhere] = [rerouted(), rerouted([])];
  const rare = rerouted(['group/sales'], { url: '/x' }, ['/', '/x']);
  const far = rerouted(['group/sales'], { url: '/', country: 'PL' });

  test('where ordinary visitors reached a group before', () => {
    expect(felt(ordinary, nowhere, rare)).toEqual([ordinary]);
    expect(felt(rare, far)).toEqual([]);
    const both = { ...rare, examples: [...rare.examples, ...ordinary.examples] };
    expect(felt(both)).toEqual([both]);
    expect(result(NOTHING).felt).toEqual([]);
  });

  test('where many kinds of them do', () => {
    expect(felt(rare, far, rare)).toEqual([rare, far, rare]);
    expect(felt(rare, far, nowhere)).toEqual([]);
  });
});

test('A saved plan says what its approver must know', async () => {
  const plan = readSavedPlan((await saved(await begun('3.6'), AFTER)).text, 'plan.json');
  const without = reviewedSaved(plan);
  expect(without).toMatchObject({ digest: plan.digest, approval: { selection: plan.selection } });
  expect(without).not.toHaveProperty('testsOnCustomer');
  expect(reviewedSaved({ ...plan, test_on_customer: true }).testsOnCustomer).toBe(true);
});

test.each([
  [2, 'differing'],
  [3, 'withheld'],
  [4, 'locked'],
  [5, 'outdated'],
  [6, 'partial'],
  [130, 'interrupted'],
  [1, 'unknown'],
  [undefined, 'unknown'],
])('An apply with exit code %s ended as %s', (code, ending) => {
  expect(endingOf(code)).toBe(ending);
});
