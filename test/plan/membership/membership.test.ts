// From which end a membership is written: whichever costs the fewest requests, and for nothing where a request leaves anyway.

import { describe, expect, it } from 'vitest';
import type { Version } from '../../../src/base/model.ts';
import type { PlannerOptions } from '../../../src/plan/input.ts';
import { declare, desiredOf } from '../../desired.ts';
import { ledgerOf, liveOf, object, planOf } from '../license.ts';

const PEOPLE = ['a', 'b', 'c'] as const;

/** The ids of the steps that make agents members of one group, which is declared, declared with another language, or not declared at all. */
function written(
  people: number,
  group: 'unchanged' | 'changed' | 'undeclared',
  { version = '3.6', ...options }: Partial<PlannerOptions> & { readonly version?: Version } = {},
): readonly string[] {
  const names = PEOPLE.slice(0, people);
  const live = liveOf(
    ...names.map((name) => object('agent', `${name}@example.com`, { name, groups: {} })),
    object('group', 7, { name: 'Sales', language_code: 'en', agent_priorities: {} }, { members: {} }),
  );
  const reference = group === 'undeclared' ? '7' : 'group/sales';
  const agents = names.map((name) => declare('agent', `${name}@example.com`, { groups: { [reference]: 'normal' } }));
  const language = group === 'changed' ? { language_code: 'pl' } : {};
  const groups = group === 'undeclared' ? [] : [declare('group', 'sales', { name: 'Sales', ...language })];
  const ledger = ledgerOf(group === 'undeclared' ? {} : { 'group/sales': 7 });
  return planOf(desiredOf([...agents, ...groups]), { ...live, version }, ledger, options).steps.map(({ id }) => id);
}

const agents = (people: number) => PEOPLE.slice(0, people).map((name) => `update agent/${name}@example.com`);

describe('a membership', () => {
  it('is written at the agents where they leave in one batch, declared group or not', () => {
    expect(written(2, 'unchanged')).toEqual(agents(2));
    expect(written(2, 'undeclared')).toEqual(agents(2));
  });

  it('is written at the group where the agents would need more batches, declared or not', () => {
    expect(written(3, 'unchanged', { batchSize: 2 })).toEqual(['update group/sales']);
    expect(written(3, 'undeclared', { batchSize: 2 })).toEqual(['update group 7']);
  });

  it('is written at the group in a version without batches', () => {
    expect(written(2, 'unchanged', { version: '3.3' })).toEqual(['update group/sales']);
  });

  it('travels with a group that is written for something else', () => {
    expect(written(2, 'changed')).toEqual(['update group/sales']);
  });

  it('travels with whoever is created', () => {
    const live = liveOf(
      object('agent', 'a@example.com', { name: 'a', groups: {} }),
      object('group', 7, { name: 'Sales', agent_priorities: {} }, { members: {} }),
    );
    const members = { 'agent/a@example.com': 'normal', 'agent/new@example.com': 'first' };
    const desired = desiredOf([
      declare('agent', 'a@example.com', { name: 'a' }),
      declare('agent', 'new@example.com', { name: 'New' }),
      declare('group', 'sales', { name: 'Sales', agent_priorities: { 'agent/new@example.com': 'first' } }),
      declare('group', 'fresh', { name: 'Fresh', agent_priorities: members }),
    ]);
    const plan = planOf(desired, live, ledgerOf({ 'group/sales': 7 }));
    expect(plan.steps.map(({ id, fields }) => [id, fields['groups'] ?? fields['agent_priorities']])).toEqual([
      ['create agent/new@example.com', { 'group/sales': 'first' }],
      ['create group/fresh', members],
    ]);
  });
});
