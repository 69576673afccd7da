// What programs are told of a plan beside lines: the dangers that its comment opens with are among it.

import { expect, test } from 'vitest';
import type { Plan, PlannedRouting } from '../../src/plan/plan.ts';
import { commentMarkdown } from '../../src/render/comment/comment.ts';
import { findingsOf } from '../../src/render/reports/findings.ts';
import { planJunit } from '../../src/render/reports/junit.ts';
import { planSarif } from '../../src/render/reports/sarif.ts';
import { dangerous, planned, subjectOf } from './comment/plans.ts';

const pathOf = (path: string) => path;
const VISITOR = { url: 'https://example.com/pricing' };
const NOBODY = { rule: null, groups: [] };
const SALES = { rule: 'auto_access/pricing', groups: ['group/sales'] };
const OLD = { rule: 'auto_access/gone', groups: ['group/old'] };

const ROUTING: PlannedRouting = {
  rerouted: [
    { before: OLD, after: NOBODY, cause: { what: 'removed', rule: 'auto_access/gone' }, examples: [] },
    { before: OLD, after: SALES, cause: { what: 'conditions', rule: 'auto_access/pricing' }, examples: [] },
  ],
  exact: true,
  way: 'exposed',
  exposed: [{ visitor: VISITOR, before: OLD, meanwhile: NOBODY, after: SALES, writes: 1 }],
  longer: null,
};

test('Visitors who are led elsewhere, to nobody, or astray on the way are findings, at the rule that is the cause', () => {
  const plan: Plan = { ...dangerous(), routing: ROUTING };
  const found = findingsOf(planned(plan), pathOf);
  const at = plan.resource_changes.find(({ address }) => address === 'auto_access/pricing')?.source ?? null;
  expect(at).not.toBeNull();
  expect(found.find(({ rule }) => rule === 'caution/rerouted')).toMatchObject({
    source: at,
    lines: [expect.stringContaining('from old to sales')],
  });
  expect(found.find(({ rule }) => rule === 'caution/unrouted')).toMatchObject({
    source: null,
    lines: [expect.stringContaining('no rule')],
  });
  expect(found.find(({ rule }) => rule === 'caution/exposed')).toMatchObject({ source: null });
});

test('Why there is no plan is in every report', () => {
  const of = { outcome: 'failed', target: 'x', message: 'nobody answered', diagnostics: [] } as const;
  expect(planJunit(of, pathOf)).toContain('<error message="nobody answered"');
  expect(JSON.parse(planSarif(of, pathOf)).runs[0].results).toHaveLength(1);
});

test('The table leaves out what is as it should be, and calls what cannot be seen by its name', () => {
  const base = dangerous();
  const [some] = base.resource_changes.filter(({ address }) => address === 'group/sales');
  if (some === undefined) throw new Error('no group/sales');
  const still = { ...some, change: { ...some.change, actions: ['no-op'] as const }, danger: [], moved: null };
  const unseen = {
    field: 'name',
    before: null,
    after: 'Sales',
    reach: 'unreadable',
    reason: 'not in the snapshot',
  } as const;
  const text = (fields: typeof some.fields) =>
    commentMarkdown(subjectOf({ ...base, resource_changes: [{ ...still, fields }] }));
  expect(text([])).not.toContain('| `group/sales` |');
  expect(text([unseen])).toContain('| cannot be verified | `group/sales` | `name` |');
  expect(text([unseen, { ...unseen, reach: 'unreachable' }])).toContain('| out of reach | `group/sales` |');
});

test('What is destroyed is told by what it was', () => {
  const base = dangerous();
  const [some] = base.resource_changes.filter(({ address }) => address === 'auto_access/pricing');
  if (some === undefined) throw new Error('no rule');
  const change = {
    actions: ['delete'] as const,
    before: { access: { groups: ['7'] } },
    after: null,
    after_unknown: {},
  };
  const gone = { ...some, change, fields: [], moved: null, id: 'r9' };
  const text = (name: string) => commentMarkdown(subjectOf({ ...base, resource_changes: [{ ...gone, name }] }));
  expect(text('Prices to sales')).toContain('| `auto_access/pricing` | `Prices to sales` |');
  expect(text('r9')).toMatch(/\| `auto_access\/pricing` \| `access: .*7/);
});
