// The deletes that a plan may have: as many, and as large a share of everything that is owned, as the limits say, however little there is.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Address, Binding } from '../../../src/base/model.ts';
import { declare, desiredOf } from '../../desired.ts';
import { ledgerOf, liveOf, object, planOf } from '../license.ts';

/** A plan for a license with groups and one agent that are ours, of which the manifest still declares some groups. */
function planWith(owned: number, deleted: number, maxDeletePercent: number, maxDeletes = Number.POSITIVE_INFINITY) {
  const numbers = Array.from({ length: owned - 1 }, (_, index) => index + 1);
  const live = liveOf(
    object('agent', 'ann@example.com', { name: 'Ann' }),
    ...numbers.map((id) => object('group', id, { name: `Group ${id}` })),
  );
  const bindings = Object.fromEntries([
    ['agent/ann@example.com', 'ann@example.com'],
    ...numbers.map((id): [Address, number] => [`group/g${id}`, id]),
  ]);
  const kept = numbers.slice(deleted).map((id) => declare('group', `g${id}`, { name: `Group ${id}` }));
  const desired = desiredOf([declare('agent', 'ann@example.com', { name: 'Ann' }), ...kept]);
  return planOf(desired, live, ledgerOf(bindings), { maxDeletePercent, maxDeletes, acknowledged: new Set() });
}

test('The share is one of all that is ours, not of the kind', () => {
  expect(planWith(5, 1, 20).withheld).toEqual([]);
  expect(planWith(4, 1, 20).withheld).toMatchObject([
    {
      guard: 'max_delete_percent',
      message: expect.stringContaining('1 of the 4 objects that are owned would be deleted (25 %)'),
    },
  ]);
});

test('A share that is larger by less than half a percent is larger', () => {
  expect(planWith(54, 11, 20).withheld).toMatchObject([
    {
      guard: 'max_delete_percent',
      message: expect.stringContaining('11 of the 54 objects that are owned would be deleted (20.4 %)'),
    },
  ]);
  expect(planWith(55, 11, 20).withheld).toEqual([]);
});

test('A plan is withheld exactly when it deletes more than one of the limits says, in sets of every size', () => {
  const license = fc.integer({ min: 2, max: 40 }).chain((owned) =>
    fc.record({
      owned: fc.constant(owned),
      deleted: fc.integer({ min: 0, max: owned - 1 }),
      most: fc.integer({ min: 0, max: 40 }),
      percent: fc.integer({ min: 0, max: 100 }),
    }),
  );
  fc.assert(
    fc.property(license, ({ owned, deleted, most, percent }) => {
      const guards = planWith(owned, deleted, percent, most).withheld.map(({ guard }) => guard);
      expect(guards.includes('max_deletes')).toBe(deleted > most);
      expect(guards.includes('max_delete_percent')).toBe(deleted / owned > percent / 100 + 1e-9);
    }),
  );
});

const PLACE = { file: 'manifest.yaml', line: 6, column: 1, length: 1 };

/** A plan for people and groups that are ours, of whom some have no row any more, and some are suspended already. */
function planWithout(people: readonly ('row' | 'missing' | 'suspended')[], deleted: number, options: object) {
  const address = (nth: number): Address => `agent/p${nth}@example.com`;
  const groups = Array.from({ length: deleted }, (_, index) => index + 1);
  const live = liveOf(
    ...people.map((is, nth) => object('agent', `p${nth}@example.com`, { name: 'P', suspended: is === 'suspended' })),
    ...groups.map((id) => object('group', id, { name: `Group ${id}` })),
  );
  const bindings = Object.fromEntries([
    ...people.map((_, nth) => [address(nth), `p${nth}@example.com`] as const),
    ...groups.map((id): [Address, number] => [`group/g${id}`, id]),
  ]);
  const rows = people.flatMap((is, nth) =>
    is === 'row' ? [declare('agent', `p${nth}@example.com`, { name: 'P' })] : [],
  );
  const desired = { ...desiredOf(rows), leavers: { kind: 'agent', table: 'people.csv', place: PLACE } as const };
  return planOf(desired, live, ledgerOf(bindings), { acknowledged: new Set(), ...options });
}

test('A person whose row is missing counts as a delete once, when suspended, in sets of every size', () => {
  const license = fc.record({
    people: fc.array(fc.constantFrom('row', 'missing', 'suspended'), { minLength: 1, maxLength: 20 }),
    deleted: fc.nat(5),
    maxDeletes: fc.nat(10),
    maxDeletePercent: fc.nat(100),
  });
  fc.assert(
    fc.property(license, ({ people, deleted, ...limits }) => {
      const { withheld, steps } = planWithout(people, deleted, limits);
      const guards = withheld.map(({ guard }) => guard);
      const going = deleted + people.filter((is) => is === 'missing').length;
      expect(steps.length).toBe(going);
      expect(guards.includes('max_deletes')).toBe(going > limits.maxDeletes);
      const share = (going / (people.length + deleted)) * 100;
      expect(guards.includes('max_delete_percent')).toBe(share > limits.maxDeletePercent + 1e-9);
    }),
  );
});

test('People whose row is missing are not what a manifest declares, so one that deletes and has only them is empty', () => {
  const guardsOf = (...people: readonly ('row' | 'missing')[]) =>
    planWithout(people, 1, {}).withheld.map(({ guard }) => guard);
  expect(guardsOf('missing', 'missing')).toContain('empty-manifest');
  expect(guardsOf('row', 'missing')).not.toContain('empty-manifest');
});

test('No limit but 100 % lets the only object go, and none lets a delete go where none is allowed', () => {
  for (const percent of [0, 20, 50, 99]) expect(planWith(2, 1, percent).withheld.length).toBe(percent < 50 ? 1 : 0);
  const only = ledgerOf({ 'group/g1': 1 });
  const live = liveOf(object('group', 1, { name: 'Group 1' }));
  const other = desiredOf([declare('group', 'other', { name: 'Other' })]);
  const guardsWith = (options: object) =>
    planOf(other, live, only, { acknowledged: new Set(), ...options }).withheld.map(({ guard }) => guard);
  expect(guardsWith({ maxDeletePercent: 99 })).toEqual(['max_delete_percent']);
  expect(guardsWith({ maxDeletePercent: 100 })).toEqual([]);
  expect(guardsWith({ maxDeletes: 0 })).toEqual(['max_deletes']);
});

test('Half of a kind is much from two on, of rules from four on, and what was adopted needs its own acknowledgement', () => {
  const license = fc.record({
    kind: fc.constantFrom('group' as const, 'auto_access' as const),
    // Of each object: whether chatform made it, and whether it is still declared.
    objects: fc.array(fc.record({ made: fc.boolean(), stays: fc.boolean() }), { minLength: 1, maxLength: 8 }),
    acknowledged: fc.subarray(['deletes', 'group/g1', 'auto_access/g1']),
  });
  fc.assert(
    fc.property(license, ({ kind, objects, acknowledged }) => {
      const spec = (nth: number) =>
        kind === 'group'
          ? { name: `Group ${nth}` }
          : { access: { groups: ['0'] }, conditions: { url: { values: [{ value: `/${nth}` }] } } };
      const live = liveOf(...objects.map((_, nth) => object(kind, kind === 'group' ? nth + 1 : `r${nth}`, spec(nth))));
      const owned = objects.map(({ made }, nth): [Address, Binding] => [
        `${kind}/g${nth}`,
        { id: kind === 'group' ? nth + 1 : `r${nth}`, origin: made ? 'created' : 'adopted' },
      ]);
      const kept = objects.flatMap(({ stays }, nth) => (stays ? [declare(kind, `g${nth}`, spec(nth))] : []));
      const desired = desiredOf([declare('agent', 'ann@example.com', { name: 'Ann' }), ...kept]);
      const ledger = { ...ledgerOf({}), bindings: new Map(owned) };
      const { withheld } = planOf(desired, live, ledger, { acknowledged: new Set(acknowledged) });
      const going = objects.filter(({ stays }) => !stays).length;
      const isMost = going > 0 && objects.length >= (kind === 'group' ? 2 : 4) && going >= objects.length / 2;
      expect(withheld.some(({ guard }) => guard === 'most-of-kind')).toBe(isMost && !acknowledged.includes('deletes'));
      const adopted = owned.flatMap(([address, { origin }], nth) =>
        origin === 'adopted' && objects[nth]?.stays === false && !acknowledged.includes(address) ? [address] : [],
      );
      const found = withheld.flatMap(({ guard, addresses }) => (guard === 'adopted' ? addresses : []));
      expect(found.toSorted()).toEqual(adopted.toSorted());
    }),
  );
});

test('What the ledger owns and the license has lost makes no share smaller', () => {
  const live = liveOf(object('group', 1, { name: 'A' }), object('group', 2, { name: 'B' }));
  const lost = [3, 4, 5, 6, 7, 8, 9].map((id) => declare('group', `g${id}`, { name: `Group ${id}` }));
  const desired = desiredOf([declare('group', 'g1', { name: 'A' }), ...lost]);
  const bindings = Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((id): [Address, number] => [`group/g${id}`, id]));
  const { withheld } = planOf(desired, live, ledgerOf(bindings), { maxDeletePercent: 20, acknowledged: new Set() });
  expect(withheld).toMatchObject([
    { guard: 'max_delete_percent', message: expect.stringContaining('1 of the 2 objects that are owned') },
    { guard: 'most-of-kind', message: expect.stringContaining('1 of the 2 groups that are owned') },
  ]);
});

test('Making again and leaving a group are no deletes: the one has a guard of its own, the other can be taken back', () => {
  const access = { license: { agent: ['read', 'write'] } };
  const members = { 'ann@example.com': 'first', 'bob@example.com': 'first' };
  const live = liveOf(
    object('agent', 'ann@example.com', { name: 'Ann' }),
    object('agent', 'bob@example.com', { name: 'Bob' }),
    object('group', 1, { name: 'A', agent_priorities: members }),
    object('property', 'app/tier', { type: 'string', access, public_access: [] }),
  );
  const desired = desiredOf([
    declare('group', 'g1', { name: 'A', agent_priorities: {} }),
    declare('property', 'app/tier', { type: 'int', access }),
  ]);
  const bindings = ledgerOf({ 'group/g1': 1, 'property/app/tier': 'app/tier' });
  const { withheld, summary } = planOf(desired, live, bindings, {
    maxDeletes: 0,
    maxDeletePercent: 0,
    acknowledged: new Set(),
  });
  expect(summary).toMatchObject({ destroy: 1 });
  expect(withheld.map(({ guard, addresses }) => [guard, addresses])).toEqual([['data-loss', ['property/app/tier']]]);
});

test('What goes with a group is named once, in its danger, and not as what refers to it', () => {
  const greetings = ['a', 'b', 'c', 'd', 'e'].map((name, at) => object('greeting', at + 1, { name, group: '1' }));
  const made = liveOf(object('group', 1, { name: 'Sales' }));
  const live = { ...made, objects: { ...made.objects, greeting: greetings } };
  const { resource_changes: changes, withheld } = planOf(desiredOf([]), live, ledgerOf({ 'group/sales': 1 }), {
    acknowledged: new Set(['deletes', 'empty-manifest']),
  });
  expect(changes).toMatchObject([{ address: 'group/sales', danger: ['destroy', 'data-loss'], referred_by: [] }]);
  expect(withheld).toMatchObject([
    {
      guard: 'data-loss',
      message: 'group/sales would be deleted, and the service deletes 5 greetings (a, b, c and 2 more) with it',
    },
  ]);
});

test('What a replacement that was cut off left behind goes without counting as a delete, and anything else counts', () => {
  const hook = (url: string) => ({ owner_client_id: 'shop', type: 'license', action: 'chat_deactivated', url });
  const [kept, old] = [hook('https://a.example/new'), hook('https://a.example/old')];
  const live = { ...liveOf(), objects: { webhook: [object('webhook', 'w1', kept), object('webhook', 'w0', old)] } };
  const planOfOld = (address: Address) =>
    planOf(desiredOf([declare('webhook', 'ended', kept)]), live, ledgerOf({ 'webhook/ended': 'w1', [address]: 'w0' }), {
      maxDeletes: 0,
      acknowledged: new Set(),
    });
  for (const address of ['webhook/id/w0', 'webhook/other'] as const)
    expect(planOfOld(address).steps.map(({ id }) => id)).toEqual([`delete ${address}`]);
  expect(planOfOld('webhook/id/w0').withheld).toEqual([]);
  const counted = planOfOld('webhook/other').withheld.map(({ guard }) => guard);
  expect(counted).toEqual(['max_deletes', 'most-of-kind']);
});
