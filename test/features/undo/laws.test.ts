// Laws: undo takes a random license back to what it was, but for what it said; the undo of that undo brings it forward again; and what a person edited
// in between is neither lost nor in the way.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { equalJson, isList, isObject } from '../../../src/base/json.ts';
import type { JsonObject, Spec } from '../../../src/base/model.ts';
import type { Undoing } from '../../../src/features/undo/undo.ts';
import { foldLedger } from '../../../src/ledger/ledger.ts';
import { declare, desiredOf } from '../../desired.ts';
import { editByHand, edits } from '../../laws/edits.ts';
import { recordsOf } from '../../laws/records.ts';
import { SEED, scenario, stage } from '../../laws/stage.ts';
import { TRIED_VERSIONS, tries } from '../../tries.ts';
import { world as freshWorld, type World } from '../../world.ts';
import { applyImaged, excused, unafraid, undoOf } from './imaged.ts';
import { type Difference, differences, pictureOf } from './picture.ts';

const DAY = 86_400_000;
const stampOf = ({ clock }: World): string => new Date(clock.now()).toISOString();
const RUNS = tries(500, 6);

describe.each(TRIED_VERSIONS)('on a random license, in version %s,', (version) => {
  it('undo leads back to what was, but for what it says, and its undo forward again', async () => {
    await fc.assert(
      fc.asyncProperty(scenario(version), async (given) => {
        const { world, desired, options } = await stage(given);
        const before = await pictureOf(world, desired);
        const plan = await world.plan(desired, options);
        if (plan.steps.length === 0) return;
        const run = await applyImaged(world, plan, desired, options);
        const after = await pictureOf(world, desired);
        const fearless = await unafraid(world, options);
        const undoing = await undoOf(world, run, fearless);
        if (undoing.plan.steps.length === 0) return;
        const undo = await applyImaged(world, undoing.plan, undoing.desired, undoing.options);
        const back = await pictureOf(world, desired);
        expect(differences(before, back, await world.ledger.read(), excused(...undoing.resources))).toEqual([]);
        const redoing = await undoOf(world, undo, fearless);
        if (redoing.plan.steps.length === 0) return;
        await applyImaged(world, redoing.plan, redoing.desired, redoing.options);
        const forward = await pictureOf(world, desired);
        const resources = [...undoing.resources, ...redoing.resources];
        expect(differences(after, forward, await world.ledger.read(), excused(...resources))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('undo after edits leads back to what was, but for what it says or a person edited', async () => {
    await fc.assert(
      fc.asyncProperty(scenario(version), edits, async (given, byHand) => {
        const { world, desired, options } = await stage({ ...given, lost: [false] });
        const before = await pictureOf(world, desired);
        const plan = await world.plan(desired, options);
        if (plan.steps.length === 0) return;
        const run = await applyImaged(world, plan, desired, options);
        const after = await pictureOf(world, desired);
        await editByHand(world.emulator, byHand);
        await world.clock.sleep(DAY);
        const edited = await pictureOf(world, desired);
        const undoing = await undoOf(world, run, await unafraid(world, options));
        if (undoing.plan.steps.length > 0) await applyImaged(world, undoing.plan, undoing.desired, undoing.options);
        const back = await pictureOf(world, desired);
        const events = await world.ledger.read();
        const amiss = differences(before, back, events, excused(...undoing.resources));
        const byPerson = differences(after, edited, events, new Set());
        expect(amiss.filter((each) => !isEdited(each, byPerson, undoing))).toEqual([]);
      }),
      { numRuns: tries(250, 4) },
    );
  });
});

it('undo leaves out a value of a group that the ledger no longer owns, and says so', async () => {
  const world = freshWorld();
  const access = { group: { agent: ['read', 'write'] } };
  const group = declare('group', 'vip', { name: 'VIP' });
  const tier = declare('property', 'client-1/tier', { type: 'string', access });
  const whole = desiredOf([group, tier, declare('group_property', 'vip/client-1/tier', { value: 'gold' })]);
  await applyImaged(world, await world.plan(whole), whole);
  await world.clock.sleep(DAY);
  await world.ledger.append([{ v: 1, run: 'r', at: stampOf(world), type: 'forgotten', address: 'group/vip' }]);
  const without = desiredOf([tier]);
  const run = await applyImaged(world, await world.plan(without), without);
  const { resources, plan } = await undoOf(world, run, await unafraid(world, {}));
  expect(plan.steps).toEqual([]);
  expect(resources.map(({ address, outcome, reasons }) => [address, outcome, ...reasons])).toEqual([
    ['group_property/vip/client-1/tier', 'left_out', 'the ledger no longer owns group/vip, which it is a value of'],
  ]);
});

it('undo leaves out a value of the group that had the address before the run made another, and says so', async () => {
  const world = freshWorld();
  const access = { group: { agent: ['read', 'write'] } };
  const tier = declare('property', 'client-1/tier', { type: 'string', access });
  const value = declare('group_property', 'vip/client-1/tier', { value: 'gold' });
  const first = desiredOf([declare('group', 'vip', { name: 'VIP' }), tier, value]);
  await applyImaged(world, await world.plan(first), first);
  await world.clock.sleep(DAY);
  await world.ledger.append([{ v: 1, run: 'r', at: stampOf(world), type: 'forgotten', address: 'group/vip' }]);
  const second = desiredOf([declare('group', 'vip', { name: 'Blue' }), tier]);
  const run = await applyImaged(world, await world.plan(second), second);
  const { resources, plan } = await undoOf(world, run, await unafraid(world, {}));
  expect(plan.steps.map(({ id }) => id)).toEqual(['delete group/vip']);
  expect(resources.map(({ address, outcome, reasons }) => [address, outcome, ...reasons])).toEqual([
    ['group/vip', 'reversible'],
    [
      'group_property/vip/client-1/tier',
      'left_out',
      'the ledger no longer owns the former group/vip, which it was a value of',
    ],
  ]);
});

it('undo leaves out a value whose definition was replaced by the run and unregistered since, and says so', async () => {
  const world = freshWorld();
  const access = { group: { agent: ['read', 'write'] } };
  const vip = declare('group', 'vip', { name: 'VIP' });
  const value = declare('group_property', 'vip/client-1/tier', { value: 'gold' });
  const first = desiredOf([vip, declare('property', 'client-1/tier', { type: 'string', access }), value]);
  await applyImaged(world, await world.plan(first), first);
  await world.clock.sleep(DAY);
  const second = desiredOf([vip, declare('property', 'client-1/tier', { type: 'string', access, domain: ['b'] })]);
  const options = await unafraid(world, {});
  const run = await applyImaged(world, await world.plan(second, options), second, options);
  await editByHand(world.emulator, [{ type: 'unregister', at: 0 }]);
  await world.clock.sleep(DAY);
  const { resources, plan } = await undoOf(world, run, await unafraid(world, {}));
  expect(plan.steps).toEqual([]);
  expect(resources.map(({ address, outcome, reasons }) => [address, outcome, ...reasons])).toEqual([
    ['property/client-1/tier', 'left_out', 'it is gone from the license'],
    ['group_property/vip/client-1/tier', 'left_out', 'property/client-1/tier, which it is a value of, is gone'],
  ]);
});

it('a member of a deleted group comes back into it, and into no group that somebody took them out of before', async () => {
  const world = freshWorld();
  const ofEve = (groups: JsonObject | null) =>
    declare('agent', 'eve@example.com', { name: 'Eve', ...(groups === null ? {} : { groups }) });
  const groups = ['vip', 'sales'].map((key) => declare('group', key, { name: key }));
  const first = desiredOf([ofEve({ 'group/vip': 'first', 'group/sales': 'first' }), ...groups]);
  await applyImaged(world, await world.plan(first), first);
  const at = recordsOf(world.emulator).groups.findIndex(({ name }) => name === 'vip');
  await editByHand(world.emulator, [{ type: 'members', at, agents: [], priority: 'first' }]);
  await world.clock.sleep(DAY);
  const without = desiredOf([ofEve(null), declare('group', 'vip', { name: 'vip' })]);
  const options = await unafraid(world, { acknowledged: new Set(['deletes']) });
  const run = await applyImaged(world, await world.plan(without, options), without, options);
  const undoing = await undoOf(world, run, await unafraid(world, {}));
  await applyImaged(world, undoing.plan, undoing.desired, undoing.options);
  const picture = await pictureOf(world, first);
  expect(
    picture.objects.group?.map(({ name, spec }) => [name, Object.keys(spec['agent_priorities'] as JsonObject)]),
  ).toEqual(
    expect.arrayContaining([
      ['vip', []],
      ['sales', ['eve@example.com']],
    ]),
  );
});

it('the undo of an undo that deleted a group brings the values of the group back', async () => {
  const world = freshWorld();
  const tier = declare('property', 'client-1/tier', {
    type: 'string',
    access: { group: { agent: ['read', 'write'] } },
  });
  const value = declare('group_property', 'vip/client-1/tier', { value: 'gold' });
  const first = desiredOf([tier]);
  await applyImaged(world, await world.plan(first), first);
  await world.clock.sleep(DAY);
  const whole = desiredOf([tier, declare('group', 'vip', { name: 'VIP' }), value]);
  const after = async () => recordsOf(world.emulator).values.map((each) => [each.name, each.value]);
  const run = await applyImaged(world, await world.plan(whole), whole);
  expect(await after()).toContainEqual(['tier', 'gold']);
  const undoing = await undoOf(world, run, await unafraid(world, {}));
  const undo = await applyImaged(world, undoing.plan, undoing.desired, undoing.options);
  expect(await after()).not.toContainEqual(['tier', 'gold']);
  expect(foldLedger(await world.ledger.read()).bindings.has('group_property/vip/client-1/tier')).toBe(false);
  const redoing = await undoOf(world, undo, await unafraid(world, {}));
  await applyImaged(world, redoing.plan, redoing.desired, redoing.options);
  expect(await after()).toContainEqual(['tier', 'gold']);
});

it.each([false, true])(
  'a value goes with its deleted group and comes back with it, unless the ledger lost it: %s',
  async (isLost) => {
    const world = freshWorld();
    const tier = declare('property', 'client-1/tier', {
      type: 'string',
      access: { group: { agent: ['read', 'write'] } },
    });
    const value = declare('group_property', 'vip/client-1/tier', { value: 'gold' });
    const whole = desiredOf([tier, declare('group', 'vip', { name: 'VIP' }), value]);
    await applyImaged(world, await world.plan(whole), whole);
    await world.clock.sleep(DAY);
    const address = 'group_property/vip/client-1/tier';
    if (isLost) await world.ledger.append([{ v: 1, run: 'r', at: stampOf(world), type: 'forgotten', address }]);
    const before = await pictureOf(world, whole);
    const without = desiredOf([tier]);
    const fearless = await unafraid(world, { acknowledged: new Set(['deletes']) });
    const run = await applyImaged(world, await world.plan(without, fearless), without, fearless);
    const { plan, desired, options, resources } = await undoOf(world, run, fearless);
    expect(resources.map((each) => [each.address, each.outcome])).toEqual([
      ['group/vip', 'lossy'],
      ...(isLost ? [] : [[address, 'reversible']]),
    ]);
    expect(resources[0]?.reasons).toContainEqual(expect.stringContaining('what was not managed here is lost'));
    await applyImaged(world, plan, desired, options);
    const back = await pictureOf(world, whole);
    expect(back.objects.group_property?.length).toBe(isLost ? 0 : 1);
    const events = await world.ledger.read();
    expect(differences(before, back, events, excused(...resources))).toEqual([]);
    const names = differences(before, back, events, new Set()).map(({ name }) => name);
    expect(names).toEqual(isLost ? ['group_property/group/vip/client-1/tier'] : []);
  },
);

it('undo gives a rule its former groups, also where the ledger lost one and its address is another group since', async () => {
  const world = freshWorld({ seed: { ...SEED, auto_access: [] } });
  const rule = (access: Spec) =>
    declare('auto_access', 'r', { ...access, conditions: { url: { values: [{ value: '/r' }] } } });
  const sales = declare('group', 'sales', { name: 'Sales' });
  const whole = desiredOf([
    sales,
    declare('group', 'vip', { name: 'VIP' }),
    rule({ access: { groups: ['group/sales', 'group/vip'] } }),
  ]);
  await applyImaged(world, await world.plan(whole), whole);
  await world.clock.sleep(DAY);
  await world.ledger.append([{ v: 1, run: 'r', at: stampOf(world), type: 'forgotten', address: 'group/sales' }]);
  const accessNow = async () => (await pictureOf(world, whole)).objects.auto_access?.map(({ spec }) => spec['access']);
  const idOf = (name: string) => String(recordsOf(world.emulator).groups.find((group) => group.name === name)?.id);
  const fearless = await unafraid(world, { acknowledged: new Set(['deletes']) });
  const next = desiredOf([declare('group', 'sales', { name: 'Walk-ins' }), rule({})]);
  const run = await applyImaged(world, await world.plan(next, fearless), next, fearless);
  expect(await accessNow()).toEqual([{ groups: [idOf('Sales')] }]);
  const { plan, desired, options } = await undoOf(world, run, fearless);
  await applyImaged(world, plan, desired, options);
  expect(await accessNow()).toEqual([{ groups: [idOf('Sales'), idOf('VIP')] }]);
});

/** Whether a person made the difference: each value that is not as it was is the one that the person gave. */
function isEdited(found: Difference, byPerson: readonly Difference[], { orderChangedSince }: Undoing): boolean {
  const edit = byPerson.find(({ name }) => name === found.name);
  if (found.name === null) return orderChangedSince || edit !== undefined;
  if (edit === undefined) return false;
  const [was, is, left, given] = [found.wanted, found.is, edit.wanted, edit.is].map(valuesIn);
  const fields = [...new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])];
  return fields
    .filter((name) => isRead(name, found.wanted) && isRead(name, found.is) && !equalJson(was?.[name], is?.[name]))
    .every((name) => equalJson(is?.[name], given?.[name]) && !equalJson(left?.[name], given?.[name]));
}

/** An object that is missing counts as read: it has no value. */
function isRead(name: string, object: Difference['is']): boolean {
  return object === undefined || Object.hasOwn(object, name.split('.')[0] ?? name);
}

/** Fields, and entries of maps and of lists of groups, each on its own: a group that goes leaves the list. */
function valuesIn(object: Difference['is']): JsonObject {
  return Object.fromEntries(
    Object.entries(object ?? {}).flatMap(([name, value]) =>
      name === 'groups' && isList(value)
        ? value.map((group) => [`${name}.${String(group)}`, true])
        : isObject(value)
          ? Object.entries(value).map(([key, entry]) => [`${name}.${key}`, entry])
          : [[name, value]],
    ),
  );
}
