// Which declared resource is which live object.

import { describe, expect, it } from 'vitest';
import { bind } from '../../../src/plan/binding/bind.ts';
import { resolver } from '../../../src/plan/binding/claims.ts';
import { declare, desiredOf } from '../../desired.ts';
import { ledgerOf, liveOf, object, planOf, stepsOf } from '../license.ts';

describe('bind', () => {
  it('A person who is looked up by an id that is between those of two accounts has to be told apart', () => {
    const place = { file: 'test.yaml', line: 1, column: 1, length: 1 };
    const [id, address] = ['ANN@example.com', 'agent/ANN@example.com'] as const;
    const desired = desiredOf([], [{ address, kind: 'agent', id, name: null, place }]);
    const accounts = ['Ann@example.com', 'ann@example.com'].map((each) => object('agent', each, { name: 'Ann' }));
    expect(bind(desired, liveOf(...accounts), new Map(), () => null).problems.map(({ remedy }) => remedy)).toEqual([
      'write the `id` as the license writes one of them',
    ]);
  });

  it('An object that is named by its `id:` is adopted once, and listed until it is recorded what was applied', () => {
    const desired = desiredOf([declare('group', 'sales', { name: 'Sales' }, 7)]);
    const live = liveOf(object('group', 7, { name: 'Sales' }));
    expect(planOf(desired, live).bindings.adopt).toEqual([{ address: 'group/sales', id: 7 }]);
    const again = planOf(desired, live, ledgerOf({ 'group/sales': 7 }));
    expect(again.bindings.adopt).toEqual([]);
    expect(again.resource_changes.map(({ change }) => change.actions)).toEqual([['no-op']]);
    const known = ledgerOf({ 'group/sales': 7 }, { 'group/sales': { spec: { name: 'Sales' } } });
    expect(planOf(desired, live, known).resource_changes).toEqual([]);
  });

  it('An `id:` beats the ledger, and the address is bound anew', () => {
    const desired = desiredOf([declare('group', 'sales', { name: 'Sales' }, 8)]);
    const live = liveOf(object('group', 7, { name: 'Sales' }), object('group', 8, { name: 'Trade' }));
    const plan = planOf(desired, live, ledgerOf({ 'group/sales': 7 }));
    expect(plan.bindings.adopt).toEqual([{ address: 'group/sales', id: 8 }]);
    expect(plan.steps.map(({ object: id }) => id)).toEqual([8]);
  });

  it('An agent whose `id:` was changed is not taken for the one that the ledger knows', () => {
    const desired = desiredOf([declare('agent', 'ann', { name: 'Ann' }, 'new@example.com')]);
    const live = liveOf(object('agent', 'old@example.com', { name: 'Ann' }));
    const plan = planOf(desired, live, ledgerOf({ 'agent/ann': 'old@example.com' }));
    expect(stepsOf(plan)).toEqual({ 'create agent/ann': { name: 'Ann' } });
    expect(plan.steps[0]?.chosen_id).toBe('new@example.com');
  });

  it('A value of a group that is bound to another object belongs to that object', () => {
    const desired = desiredOf([
      declare('group', 'sales', { name: 'Sales' }, 8),
      declare('group_property', 'sales/client/tier', { value: 'gold' }),
    ]);
    const live = liveOf(
      object('group', 7, { name: 'Sales' }),
      object('group', 8, { name: 'Sales' }),
      object('group_property', '7/client/tier', { value: 'gold' }),
    );
    const ledger = ledgerOf({ 'group/sales': 7, 'group_property/sales/client/tier': '7/client/tier' });
    expect(stepsOf(planOf(desired, live, ledger))).toEqual({
      'create group_property/sales/client/tier': { value: 'gold' },
    });
  });

  it('Of a kind that was not read, the ledger, the `id:` and keys that are ids by themselves are believed, and nothing else', () => {
    const place = { file: 'test.yaml', line: 1, column: 1, length: 1 };
    const desired = desiredOf(
      [
        declare('agent', 'ann@example.com', { name: 'Ann' }),
        declare('group', 'known', { name: 'Known' }),
        declare('group', 'told', { name: 'Told' }, 8),
        declare('group', 'new', { name: 'New' }),
      ],
      [
        { address: 'group/there', kind: 'group', id: 9, name: null, place },
        { address: 'group/once', kind: 'group', id: null, name: 'Once', place },
        { address: 'group/never', kind: 'group', id: null, name: 'Never', place },
      ],
    );
    const plan = planOf(desired, { ...liveOf(), objects: {} }, ledgerOf({ 'group/known': 7, 'group/once': 10 }));
    expect(plan.steps).toEqual([]);
    expect(plan.references).toEqual({
      'agent/ann@example.com': 'ann@example.com',
      'group/known': 7,
      'group/told': 8,
      'group/there': 9,
      'group/once': 10,
    });
  });

  it('An id with a slash in it is no address unless a kind stands before the slash', () => {
    const resolve = resolver(new Map([['group/sales', 7]]));
    expect(['group/sales', 'group/shop'].map(resolve)).toEqual([7, null]);
    const ids = ['constructor/ann@example.com', '__proto__/x', 'guild/ann@example.com', '/ann@example.com', '7'];
    expect(ids.map(resolve)).toEqual(ids);
  });
});
