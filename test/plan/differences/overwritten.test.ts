// What a plan says of values that somebody changed by hand since the last apply, and that it replaces.

import { expect, test } from 'vitest';
import { planView } from '../../../src/features/plan/view.ts';
import { foldLedger } from '../../../src/ledger/ledger.ts';
import { compare } from '../../../src/plan/compare.ts';
import { overwrittenBy } from '../../../src/plan/differences/overwritten.ts';
import type { ResourceDrift } from '../../../src/plan/plan.ts';
import { reviewed } from '../../../src/plan/review/plan-result.ts';
import { uncoloured } from '../../../src/view/paint.ts';
import { terminalText } from '../../../src/view/writers/terminal.ts';
import { declare, desiredOf } from '../../desired.ts';
import { callByHand as callAt } from '../../laws/edits.ts';
import { EVERYTHING, type World, world } from '../../world.ts';

type Declared = Parameters<typeof desiredOf>[0];

const ann = declare('agent', 'ann@example.com', { name: 'Ann', max_chats_count: 3 });
const sales = (name = 'Sales', language_code = 'en') =>
  declare('group', 'sales', { name, language_code, agent_priorities: { 'agent/ann@example.com': 'first' } });
const rule = (key: string) =>
  declare('auto_access', key, {
    description: key,
    access: { groups: ['group/sales'] },
    conditions: { url: { values: [{ value: `/${key}` }] } },
  });

const ALL = [ann, sales(), declare('group', 'old', { name: 'Old' }), rule('a'), rule('b')];

async function applied(): Promise<World> {
  const made = world({ settings: { approval: 'open' } });
  await made.apply(await made.plan(desiredOf(ALL)), desiredOf(ALL));
  await made.clock.sleep(86_400_000);
  return made;
}

async function overwritten(made: World, declared: Declared, selected = ''): Promise<readonly ResourceDrift[]> {
  const desired = desiredOf(declared);
  const { live, recovery } = await made.settled(desired);
  const options = { ...EVERYTHING, selects: (address: string) => address.startsWith(selected) };
  const compared = compare({ desired, live, ledger: foldLedger(await made.ledger.read()), recovery, options });
  return overwrittenBy(compared, options.selects);
}

const brief = ({ address, change: { actions, before, after } }: ResourceDrift) => [address, actions[0], before, after];

const callByHand = (
  { emulator }: World,
  ...call: Parameters<typeof callAt> extends [unknown, ...infer R] ? R : never
) => callAt(emulator, ...call);

async function idOf(made: World, address: string): Promise<string | number> {
  const id = foldLedger(await made.ledger.read()).bindings.get(address as 'group/x')?.id;
  if (id === undefined) throw new Error(address);
  return id;
}

test('Nothing, as long as nobody changed anything, whatever the files say now', async () => {
  const made = await applied();
  expect(await overwritten(made, ALL)).toEqual([]);
  expect(await overwritten(made, [ann, sales('Shop')])).toEqual([]);
});

test('A value that somebody changed is told with what was applied and what is there; one that the files gave up or agree with is not', async () => {
  const made = await applied();
  const id = await idOf(made, 'group/sales');
  await callByHand(made, 'update_group', { id, name: 'Sales of Bob', language_code: 'pl', agent_priorities: {} });
  const told = (await overwritten(made, ALL)).map(brief);
  const edges = { 'agent/ann@example.com': 'first' };
  const none = { 'agent/ann@example.com': null };
  expect(told).toEqual([
    ['group/sales', 'update', { agent_priorities: edges, language_code: 'en', name: 'Sales' }, expect.anything()],
  ]);
  expect(told[0]?.[3]).toEqual({ agent_priorities: none, language_code: 'pl', name: 'Sales of Bob' });
  const others = ALL.filter((each) => each.key !== 'sales');
  expect((await overwritten(made, [...others, sales('Shop', 'pl')])).map(brief)).toEqual([
    [
      'group/sales',
      'update',
      { agent_priorities: edges, name: 'Sales' },
      { agent_priorities: none, name: 'Sales of Bob' },
    ],
  ]);
  expect(await overwritten(made, ALL, 'agent/')).toEqual([]);
  const plan = { ...(await made.plan(desiredOf(ALL))), resource_drift: await overwritten(made, ALL) };
  expect(terminalText(planView(reviewed(plan, [], null)), uncoloured)).toContain(
    '(will be overwritten):\n  group/sales: agent_priorities.agent/ann@example.com "first" -> none, language_code "en" -> "pl"',
  );
});

test('So is what is deleted, what is made again, and an order', async () => {
  const made = await applied();
  await callByHand(made, 'update_group', { id: await idOf(made, 'group/old'), name: 'Olden' });
  await callByHand(made, 'update_auto_access', { id: await idOf(made, 'auto_access/a'), next_id: '' });
  const without = ALL.filter(({ key }) => key !== 'old');
  expect((await overwritten(made, without)).map(brief)).toEqual([
    ['group/old', 'update', { name: 'Old' }, { name: 'Olden' }],
    [
      'auto_access',
      'update',
      { order: ['auto_access/a', 'auto_access/b'] },
      { order: ['auto_access/b', 'auto_access/a'] },
    ],
  ]);
  await callByHand(made, 'delete_group', { id: await idOf(made, 'group/old') });
  expect((await overwritten(made, ALL)).map(brief)[0]).toEqual(['group/old', 'delete', { name: 'Old' }, null]);
});
