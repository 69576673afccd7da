// From which end a membership is written: whichever costs the fewest requests, and for nothing where a request leaves anyway.

import { describe, expect, it } from 'vitest';
import type { LiveObject, Spec, Version } from '../../../src/base/model.ts';
import { makePlan } from '../../../src/plan/assemble.ts';
import type { PlannerOptions } from '../../../src/plan/input.ts';
import { type Declared, declare, desiredOf } from '../../desired.ts';
import { EVERYTHING } from '../../world.ts';
import { ledgerOf, liveOf, object, planOf, stepsOf } from '../license.ts';

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

  it('is no part of a new group where no file declares members', () => {
    const bot = declare('bot', 'triage', { name: 'Triage', groups: { 'group/sales': 'normal' } });
    const desired = desiredOf([declare('group', 'sales', { name: 'Sales' }), bot]);
    expect(stepsOf(planOf(desired, liveOf()))['create group/sales']).toEqual({ name: 'Sales' });
  });

  it('of an agent who is written for several entries is written for each of them', () => {
    const live = liveOf(
      object('agent', 'ann@example.com', { name: 'Ann', groups: {} }),
      object('group', 7, { name: 'Sales', agent_priorities: {} }),
      object('group', 8, { name: 'Desk', agent_priorities: {} }),
    );
    const desired = desiredOf([
      declare('agent', 'ann@example.com', { groups: { 'group/desk': 'last', 'group/sales': 'first' } }),
      declare('group', 'desk', { name: 'Desk', agent_priorities: { 'agent/ann@example.com': 'last' } }),
      declare('group', 'sales', { name: 'Sales' }),
    ]);
    const { steps } = planOf(desired, live, ledgerOf({ 'group/desk': 8, 'group/sales': 7 }));
    expect(steps.map(({ id, serves }) => [id, serves])).toEqual([
      ['update agent/ann@example.com', ['agent/ann@example.com', 'group/desk']],
    ]);
  });

  it('of an agent who is there may be one of a group that is made in the same run', () => {
    const live = liveOf(
      object('agent', 'ann@example.com', { name: 'Ann', groups: {} }),
      object('group', 7, { name: 'Sales', agent_priorities: {} }),
    );
    const groups = { 'group/fresh': 'first', 'group/sales': 'normal' };
    const desired = desiredOf([
      declare('agent', 'ann@example.com', { groups }),
      declare('group', 'fresh', { name: 'Fresh' }),
      declare('group', 'sales', { name: 'Sales' }),
    ]);
    expect(stepsOf(planOf(desired, live, ledgerOf({ 'group/sales': 7 })))).toEqual({
      'create group/fresh': { name: 'Fresh', agent_priorities: { 'agent/ann@example.com': 'first' } },
      'update agent/ann@example.com': { groups },
    });
  });

  it('is written although one of its ends reads it right', () => {
    const ends = (agent: object, group: object) =>
      liveOf(
        object('agent', 'ann@example.com', { name: 'Ann', groups: { ...agent } }),
        object('group', 7, { name: 'Sales', agent_priorities: { ...group } }),
      );
    const desired = desiredOf([
      declare('agent', 'ann@example.com', { groups: { 'group/sales': 'first' } }),
      declare('group', 'sales', { name: 'Sales' }),
    ]);
    const stepIds = (agent: object, group: object) =>
      planOf(desired, ends(agent, group), ledgerOf({ 'group/sales': 7 })).steps.map(({ id }) => id);
    const [there, away] = [{ 'group/sales': 'first' }, { 'agent/ann@example.com': 'first' }];
    expect(stepIds({}, away)).toEqual(['update agent/ann@example.com']);
    expect(stepIds(there, {})).toEqual(['update agent/ann@example.com']);
    expect(stepIds(there, away)).toEqual([]);
  });

  describe('of a group that is written as a whole', () => {
    const live = liveOf(
      ...['ann', 'bob', 'old'].map((name) =>
        object('agent', `${name}@example.com`, { name, groups: name === 'old' ? { 7: 'last' } : {} }),
      ),
      object('group', 7, { name: 'Sales', agent_priorities: { 'agent/old@example.com': 'last', 'bot-1': 'normal' } }),
    );
    const joining = ['ann', 'bob'].map((name) => declare('agent', `${name}@example.com`, { groups: { 7: 'normal' } }));

    it('keeps the bots, and names no agent who is deleted', () => {
      const plan = planOf(desiredOf(joining), live, ledgerOf({ 'agent/old@example.com': 'old@example.com' }), {
        prune: { agent: 'owned' },
        batchSize: 1,
      });
      expect(stepsOf(plan)['update group 7']).toEqual({
        agent_priorities: { 'agent/ann@example.com': 'normal', 'agent/bob@example.com': 'normal', 'bot-1': 'normal' },
      });
    });
  });

  describe('of a group that keeps its other members', () => {
    const address = 'agent/ann@example.com';
    const live = liveOf(
      object('agent', 'ann@example.com', { name: 'Ann', groups: {} }),
      object('agent', 'bob@example.com', { name: 'Bob', groups: { 7: 'last' } }),
      object('agent', 'cid@example.com', { name: 'Cid', groups: { 7: 'last' } }),
      object('group', 7, {
        name: 'Sales',
        agent_priorities: { 'bob@example.com': 'last', 'cid@example.com': 'last' },
      }),
    );
    const planned = (members: Spec, options: Partial<PlannerOptions> = {}, ...more: readonly Declared[]) => {
      const desired = desiredOf([
        ...['ann', 'cid'].map((name) => declare('agent', `${name}@example.com`, {})),
        ...more,
        declare('group', 'sales', { name: 'Sales', agent_priorities: { ...members, others: 'keep' } }),
      ]);
      return planOf(desired, live, ledgerOf({ 'group/sales': 7 }), options);
    };

    it('is shown with them, and without whom it is to lose', () => {
      const { resource_changes: changes } = planned({ [address]: 'first', 'agent/cid@example.com': 'none' });
      const [change] = changes.flatMap(({ address: of, fields }) => (of === 'group/sales' ? fields : []));
      expect(change).toEqual({
        field: 'agent_priorities',
        before: { 'agent/cid@example.com': 'last', 'bob@example.com': 'last' },
        after: { 'agent/ann@example.com': 'first', 'bob@example.com': 'last' },
        reach: 'write',
        reason: 'who else is in stays',
      });
      expect(Object.keys(Object(change?.after))).toEqual(['agent/ann@example.com', 'bob@example.com']);
    });

    it('says nothing else of a new agent whom it does not have', () => {
      const fresh = declare('agent', 'new@example.com', { name: 'New' });
      expect(stepsOf(planned({ 'agent/new@example.com': 'none' }, {}, fresh))).toEqual({
        'create agent/new@example.com': { name: 'New' },
      });
    });

    it('is written at the agent where the agent or the group is selected', () => {
      const stepIds = (...selected: readonly string[]) =>
        planned({ [address]: 'first' }, { selects: (each) => selected.includes(each) }).steps.map(({ id }) => id);
      expect(stepIds('group/sales')).toEqual([`update ${address}`]);
      expect(stepIds(address)).toEqual([`update ${address}`]);
      expect(stepIds('agent/cid@example.com')).toEqual([]);
    });

    it('is not written again at an agent where this run wrote it in vain', () => {
      const { steps, notes } = planned({ [address]: 'first' }, { spent: new Set([address]) });
      expect(steps).toEqual([]);
      expect(notes.map(({ message }) => message)).toEqual([
        `the membership of ${address} differs, and nothing selected may write it; select one of the two`,
      ]);
    });
  });

  describe('of a new account in the place of another one', () => {
    const planned = (groups: Spec, own: Spec = {}, there: readonly LiveObject[] = []) => {
      const live = liveOf(
        object('agent', 'ann@old.example', { name: 'Ann', groups }),
        object('group', 7, { name: 'Sales' }),
        object('group', 8, { name: 'Desk' }),
        ...there,
      );
      const desired = desiredOf([
        declare('agent', 'ann@new.example', { name: 'Ann', ...own }),
        declare('group', 'sales', { name: 'Sales' }),
        declare('group', 'desk', { name: 'Desk' }),
      ]);
      const place = { file: 'test.yaml', line: 1, column: 1, length: 1 };
      const moved = [{ from: 'agent/ann@old.example', to: 'agent/ann@new.example', place }] as const;
      const ledger = ledgerOf({ 'group/sales': 7, 'group/desk': 8 });
      const { plan } = makePlan({ desired, live, ledger, moved, options: EVERYTHING });
      if (plan === null) throw new Error('no plan');
      return plan;
    };
    const CREATE = 'create agent/ann@new.example';
    const LEFT = {
      'update agent/ann@old.example': { groups: {} },
      'set suspended of agent/ann@old.example': { suspended: true },
    };

    it('is that of the old one, named in the order of the groups', () => {
      const plan = planned({ 7: 'first', 8: 'last' });
      const groups = { 'group/desk': 'last', 'group/sales': 'first' };
      expect(stepsOf(plan)).toEqual({ [CREATE]: { name: 'Ann', groups }, ...LEFT });
      expect(plan.notes.find(({ kind }) => kind === 'account')?.message).toContain(
        'it also joins Desk (last), Sales (first), as that one leaves',
      );
    });

    it('is what its own entry says', () => {
      const plan = planned({ 7: 'first' }, { groups: { 'group/desk': 'normal' } });
      expect(stepsOf(plan)).toEqual({ [CREATE]: { name: 'Ann', groups: { 'group/desk': 'normal' } }, ...LEFT });
    });

    it('is what the service gives it where the old one is in no group', () => {
      expect(stepsOf(planned({}))[CREATE]).toEqual({ name: 'Ann' });
    });

    it('stays as it is where the new account is there already', () => {
      const there = object('agent', 'ann@new.example', { name: 'Ann', groups: {} });
      const plan = planned({ 7: 'first' }, {}, [there]);
      expect(stepsOf(plan)).toEqual(LEFT);
      expect(plan.notes.map(({ kind }) => kind)).not.toContain('left-out');
    });
  });

  it('is written at a group that names all its members, also where the agent is in a new group', () => {
    const live = liveOf(
      object('agent', 'ann@example.com', { name: 'Ann', groups: {} }),
      object('group', 7, { name: 'Sales', agent_priorities: {} }),
      object('group', 8, { name: 'Desk', agent_priorities: {} }),
    );
    const members = { 'agent/ann@example.com': 'first' };
    const desired = desiredOf([
      declare('agent', 'ann@example.com', {}),
      declare('group', 'fresh', { name: 'Fresh', agent_priorities: { ...members, others: 'keep' } }),
      declare('group', 'sales', { name: 'Sales', agent_priorities: members }),
    ]);
    expect(stepsOf(planOf(desired, live, ledgerOf({ 'group/sales': 7 })))).toEqual({
      'create group/fresh': { name: 'Fresh', agent_priorities: members },
      'update group/sales': { agent_priorities: members },
    });
  });

  it('is written at the agent after the group was made with it in vain', () => {
    const live = liveOf(object('agent', 'ann@example.com', { name: 'Ann', groups: {} }));
    const desired = desiredOf([
      declare('agent', 'ann@example.com', { name: 'Ann' }),
      declare('group', 'fresh', { name: 'Fresh', agent_priorities: { 'agent/ann@example.com': 'first' } }),
    ]);
    const plan = planOf(desired, live, ledgerOf({}), { spent: new Set(['group/fresh']) });
    expect(stepsOf(plan)['update agent/ann@example.com']).toEqual({ groups: { 'group/fresh': 'first' } });
  });
});
