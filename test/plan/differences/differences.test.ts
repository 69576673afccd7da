// What is told of a license, kind of difference by kind: an emulator is applied to, changed by hand, and looked at.

import { describe, expect, test } from 'vitest';
import type { Json, KindName, Spec } from '../../../src/base/model.ts';
import { foldLedger } from '../../../src/ledger/ledger.ts';
import type { Difference } from '../../../src/plan/differences/difference.ts';
import { declare, desiredOf } from '../../desired.ts';
import { callByHand } from '../../laws/edits.ts';
import { fearless } from '../../laws/stage.ts';
import { type World, world } from '../../world.ts';

const DAY = 86_400_000;

const ann = (spec: Spec = {}) => declare('agent', 'ann@example.com', { name: 'Ann', ...spec });
const bob = (spec: Spec = {}) => declare('agent', 'bob@example.com', { name: 'Bob', ...spec });
const team = (members: { readonly [key: string]: Json }, spec: Spec = {}) =>
  declare('group', 'sales', { name: 'Sales', agent_priorities: members, ...spec });
const rule = (key: string) =>
  declare('auto_access', key, {
    description: key,
    access: { groups: ['group/sales'] },
    conditions: { url: { values: [{ value: `/${key}` }] } },
  });

type Declared = Parameters<typeof desiredOf>[0];

/** A license to which `declared` was applied, a day ago. */
async function applied(declared: Declared): Promise<World> {
  const made = world({ settings: { approval: 'open' } });
  const desired = desiredOf(declared);
  const report = await made.apply(await made.plan(desired), desired);
  expect(report.outcome).toBe('done');
  await made.clock.sleep(DAY);
  return made;
}

const brief = ({ status, kind, address, path, base, live, desired }: Difference): string => {
  const sides = [base, live, desired].map((side) => JSON.stringify(side)).join(' ');
  return `${status} ${kind} ${[address, ...path].join(' ')}: ${sides}`;
};

/** Without the strangers. */
const told = async (made: World, declared: Declared): Promise<readonly string[]> =>
  (await made.differences(desiredOf(declared))).filter(({ kind }) => kind !== 'unmanaged').map(brief);

/** The id of the one object of a name. */
async function idOf(made: World, kind: KindName, name: string): Promise<string> {
  const live = (await made.settled(desiredOf([declare(kind, 'x', { name })]))).live;
  const found = live.objects[kind]?.find((object) => object.name === name);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return String(found.id);
}

describe('a field', () => {
  const FIELDS = [
    ['a text', 'job_title', '', 'Lead', 'Agent of the year'],
    ['a number', 'max_chats_count', 6, 3, 4],
    ['a set', 'notifications', [], ['ticket'], ['new_goal', 'ticket']],
    ['an object', 'work_scheduler', { schedule: [] }, hours('09:00'), hours('10:00')],
  ] as const;

  function hours(start: string): Json {
    return { timezone: 'Europe/Warsaw', schedule: [{ day: 'monday', enabled: true, start, end: '17:00' }] };
  }

  /** As the table of three-way.test.ts says, of what has come about on a real license. */
  const ROWS = [
    ['-', 'e', 'a', 'pending'],
    ['-', 'a', 'a', null],
    ['-', 'b', 'a', 'pending'],
    ['a', 'e', 'a', 'drift'],
    ['a', 'e', 'b', 'conflict'],
    ['a', 'a', 'a', null],
    ['a', 'a', 'b', 'pending'],
    ['a', 'b', 'a', 'drift'],
    ['a', 'b', 'b', 'converged'],
    ['a', 'b', 'e', 'conflict'],
    ['a', 'e', 'e', 'converged'],
    ['a', 'b', '-', null],
    ['-', 'b', '-', null],
    ['e', 'a', 'e', 'drift'],
  ] as const;

  describe.each(FIELDS)('that is %s', (_, field, empty, a, b) => {
    const values: { readonly [name: string]: Json } = { e: empty, a, b };
    const declaring = (name: string): Declared => [ann(name === '-' ? {} : { [field]: values[name] ?? null })];

    test.each(ROWS)('applied %s, live %s, desired %s (e: the empty)', async (base, live, wish, status) => {
      const made = await applied(declaring(base));
      await callByHand(made.emulator, 'update_agent', { id: 'ann@example.com', [field]: values[live] ?? null });
      await made.clock.sleep(DAY);
      const found = (await made.differences(desiredOf(declaring(wish)))).filter(({ kind }) => kind !== 'unmanaged');
      expect(found.map((each) => [each.status, each.kind, ...each.path])).toEqual(
        status === null ? [] : [[status, 'changed', field]],
      );
    });
  });
});

describe('membership', () => {
  const declared = [ann(), bob(), team({ 'agent/ann@example.com': 'first' })];

  test('two people who change two members are no conflict', async () => {
    const made = await applied(declared);
    await callByHand(made.emulator, 'update_agent', {
      id: 'ann@example.com',
      groups: [{ id: Number(await idOf(made, 'group', 'Sales')), priority: 'last' }],
    });
    await made.clock.sleep(DAY);
    const next = [ann(), bob(), team({ 'agent/ann@example.com': 'first', 'agent/bob@example.com': 'normal' })];
    expect(await told(made, next)).toEqual([
      'drift changed group/sales agent_priorities agent/ann@example.com: "first" "last" "first"',
      'pending changed group/sales agent_priorities agent/bob@example.com: null null "normal"',
    ]);
  });

  test('was last as the newer record of its ends says: one may have been let go long before', async () => {
    const both = [ann({ groups: { 'group/sales': 'first' } }), team({ 'agent/ann@example.com': 'first' })];
    const made = await applied(both);
    const alone = desiredOf([team({})]);
    await made.apply(await made.plan(alone), alone);
    await made.clock.sleep(DAY);
    expect(await told(made, both)).toEqual([
      'pending changed group/sales agent_priorities agent/ann@example.com: null null "first"',
    ]);
  });

  test('was not applied again by a run that took a deleted group out of the record of somebody let go', async () => {
    const desk = declare('group', 'desk', { name: 'Desk', agent_priorities: { 'agent/ann@example.com': 'first' } });
    const groups = { 'group/sales': 'first', 'group/desk': 'first' };
    const both = [ann({ groups }), team({ 'agent/ann@example.com': 'first' }), desk];
    const made = await applied(both);
    const alone = desiredOf([team({})]);
    const given = fearless([desiredOf(both), alone]);
    const { plan } = await made.planned(alone, given);
    expect(plan?.steps.map(({ operation, address }) => `${operation} ${address}`)).toContain('delete group/desk');
    if (plan !== null) await made.apply(plan, alone, { options: given });
    await made.clock.sleep(DAY);
    expect((await told(made, both)).filter((line) => line.includes('sales'))).toEqual([
      'pending changed group/sales agent_priorities agent/ann@example.com: null null "first"',
    ]);
  });

  test('an edge that both sides declare is told once, at the group', async () => {
    const both = [ann({ groups: { 'group/sales': 'first' } }), team({ 'agent/ann@example.com': 'first' })];
    const made = await applied(both);
    await callByHand(made.emulator, 'update_agent', { id: 'ann@example.com', groups: [] });
    await made.clock.sleep(DAY);
    expect(await told(made, both)).toEqual([
      'drift changed group/sales agent_priorities agent/ann@example.com: "first" null "first"',
    ]);
  });

  test('somebody who was added by hand is told, and a member whose agent is gone is told at the agent', async () => {
    const made = await applied(declared);
    const sales = Number(await idOf(made, 'group', 'Sales'));
    await callByHand(made.emulator, 'update_agent', {
      id: 'bob@example.com',
      groups: [{ id: sales, priority: 'last' }],
    });
    await made.clock.sleep(DAY);
    expect(await told(made, declared)).toEqual([
      'drift changed group/sales agent_priorities agent/bob@example.com: null "last" null',
    ]);
    await callByHand(made.emulator, 'delete_agent', { id: 'bob@example.com' });
    await callByHand(made.emulator, 'delete_agent', { id: 'ann@example.com' });
    await made.clock.sleep(DAY);
    expect((await made.differences(desiredOf(declared))).map(({ kind, address }) => `${kind} ${address}`)).toEqual([
      'missing agent/ann@example.com',
      'missing agent/bob@example.com',
    ]);
  });
});

describe('a whole object', () => {
  test('is missing by drift when it was deleted, by conflict when it was changed here too, and pending when it is new', async () => {
    const made = await applied([ann(), team({ 'agent/ann@example.com': 'first' })]);
    await callByHand(made.emulator, 'delete_group', { id: Number(await idOf(made, 'group', 'Sales')) });
    await made.clock.sleep(DAY);
    const statuses = async (declared: Declared) =>
      (await made.differences(desiredOf(declared))).map(({ status, kind, address }) => `${status} ${kind} ${address}`);
    expect(await statuses([ann(), team({ 'agent/ann@example.com': 'first' })])).toEqual(['drift missing group/sales']);
    expect(await statuses([ann(), team({ 'agent/ann@example.com': 'first' }, { language_code: 'de' }), bob()])).toEqual(
      ['pending missing agent/bob@example.com', 'drift missing group/sales'],
    );
    expect(await statuses([ann(), team({ 'agent/ann@example.com': 'last' })])).toEqual([
      'conflict missing group/sales',
    ]);
    expect(await statuses([ann()])).toEqual(['converged missing group/sales']);
  });

  test('that nothing declares is unmanaged: a stranger by drift, one that is ours pending, one of ours that was changed a conflict', async () => {
    const made = await applied([ann(), team({ 'agent/ann@example.com': 'first' })]);
    await callByHand(made.emulator, 'create_group', { name: 'Walk-ins', agent_priorities: {} });
    await made.clock.sleep(DAY);
    const statuses = async (declared: Declared) =>
      (await made.differences(desiredOf(declared))).map(({ status, kind, name }) => `${status} ${kind} ${name}`);
    const walkIns = 'drift unmanaged Walk-ins';
    expect(await statuses([ann(), team({ 'agent/ann@example.com': 'first' })])).toEqual([walkIns]);
    expect(await statuses([ann()])).toEqual([walkIns, 'pending unmanaged Sales']);
    const inWords = (await made.differences(desiredOf([ann()]))).map((each) => each.in_words);
    expect(inWords).toEqual(['Walk-ins, en', 'Sales, en, Ann (first)']);
    await callByHand(made.emulator, 'update_group', {
      id: Number(await idOf(made, 'group', 'Sales')),
      name: 'Verkauf',
    });
    await made.clock.sleep(DAY);
    expect(await statuses([ann()])).toEqual([walkIns, 'conflict unmanaged Verkauf']);
  });

  test('that the manifest looks up as external is spoken of, so it is no stranger', async () => {
    const made = await applied([ann()]);
    await callByHand(made.emulator, 'create_group', { name: 'Walk-ins', agent_priorities: {} });
    await made.clock.sleep(DAY);
    const place = { file: 'test.yaml', line: 1, column: 1, length: 1 };
    const external = { address: 'group/walk-ins', kind: 'group', id: null, name: 'Walk-ins', place } as const;
    const declared = [ann(), declare('group', 'general', {}, 0)];
    expect((await made.differences(desiredOf(declared))).map(({ name }) => name)).toEqual(['Walk-ins']);
    expect(await made.differences(desiredOf(declared, [external]))).toEqual([]);
  });

  test('that the manifest looks up as external and that is gone is missing, and the rest is still compared', async () => {
    const made = await applied([ann()]);
    const place = { file: 'test.yaml', line: 1, column: 1, length: 1 };
    const external = { address: 'group/walk-ins', kind: 'group', id: null, name: 'Walk-ins', place } as const;
    const declared = [ann(), declare('group', 'general', { name: 'Everybody' }, 0)];
    const found = await made.differences(desiredOf(declared, [external]));
    expect(found.map(({ address, kind, status, ways_out }) => [address, kind, status, ways_out])).toEqual([
      ['group/general', 'changed', 'pending', ['apply', 'ignore']],
      ['group/walk-ins', 'missing', 'drift', ['ignore']],
    ]);
  });

  test('that an `id:` names and that is gone is missing, and the rest is told all the same', async () => {
    const made = await applied([ann(), team({ 'agent/ann@example.com': 'first' })]);
    const id = Number(await idOf(made, 'group', 'Sales'));
    const declared = [ann(), declare('group', 'sales', { name: 'Sales' }, id)];
    await callByHand(made.emulator, 'delete_group', { id });
    await callByHand(made.emulator, 'update_agent', { id: 'ann@example.com', job_title: 'Head' });
    await made.clock.sleep(DAY);
    expect((await made.planned(desiredOf(declared))).plan).toBeNull();
    expect(await told(made, [ann({ job_title: 'Lead' }), ...declared.slice(1)])).toEqual([
      'pending changed agent/ann@example.com job_title: null "Head" "Lead"',
      expect.stringMatching(/^drift missing group\/sales: .*"Sales".* null .*"Sales"/),
    ]);
  });

  test('that stays in the way of another spelling of its name is told by that one alone', async () => {
    const tag = (key: string) => declare('tag', key, { groups: [] });
    const made = await applied([tag('vip'), tag('late')]);
    const differences = await made.differences(desiredOf([tag('VIP'), tag('late')]), {
      protects: (address) => address === 'tag/vip',
    });
    expect(differences.map(({ kind, address }) => `${kind} ${address}`)).toEqual(['missing tag/VIP']);
  });

  test('that waits for approval is told as that, and no drift', async () => {
    const made = world();
    const desired = desiredOf([ann()]);
    await made.apply(await made.plan(desired), desired);
    await made.clock.sleep(DAY);
    expect(await told(made, [ann()])).toContain('pending pending-approval agent/ann@example.com: null null null');
  });
});

describe('the order of the rules', () => {
  const people = [ann(), team({ 'agent/ann@example.com': 'normal' })];
  const listed = [...people, rule('a'), rule('b'), rule('c')];
  const orders = async (made: World, declared: Declared) =>
    (await told(made, declared)).filter((line) => line.includes('reordered'));
  const A = '"auto_access/a"';
  const B = '"auto_access/b"';
  const C = '"auto_access/c"';

  test('is drift when the license was reordered, pending when the manifest was, a conflict when both, converged when alike', async () => {
    const made = await applied(listed);
    expect(await orders(made, listed)).toEqual([]);
    const [b, a, c] = [rule('b'), rule('a'), rule('c')];
    expect(await orders(made, [...people, b, a, c])).toEqual([
      `pending reordered auto_access: [${A},${B},${C}] [${A},${B},${C}] [${B},${A},${C}]`,
    ]);
    const first = await idOfRule(made, 'a');
    await callByHand(made.emulator, 'update_auto_access', { id: await idOfRule(made, 'c'), next_id: first });
    await made.clock.sleep(DAY);
    expect(await orders(made, listed)).toEqual([
      `drift reordered auto_access: [${A},${B},${C}] [${C},${A},${B}] [${A},${B},${C}]`,
    ]);
    expect((await orders(made, [...people, b, a, c]))[0]).toMatch(/^conflict/);
    expect((await orders(made, [...people, c, a, b]))[0]).toMatch(/^converged/);
    expect(await orders(made, [...people, c, a])).toEqual([
      `converged reordered auto_access: [${A},${C}] [${C},${A}] [${C},${A}]`,
    ]);
  });

  test('a rule that somebody put before ours is told with the one that it stands before', async () => {
    const made = await applied(listed);
    const sales = Number(await idOf(made, 'group', 'Sales'));
    await callByHand(made.emulator, 'add_auto_access', {
      description: 'Sneaky',
      access: { groups: [sales] },
      conditions: { url: { values: [{ value: '/' }] } },
      next_id: await idOfRule(made, 'b'),
    });
    await made.clock.sleep(DAY);
    const [found] = (await made.differences(desiredOf(listed))).filter(({ name }) => name === 'Sneaky');
    expect(found).toMatchObject({
      status: 'drift',
      kind: 'unmanaged',
      reason: 'it is before auto_access/b',
      live: { access: { groups: ['group/sales'] } },
      ways_out: ['accept', 'ignore'],
    });
  });

  async function idOfRule(made: World, description: string): Promise<string> {
    const { live } = await made.settled(desiredOf(listed));
    const found = live.objects.auto_access?.find(({ spec }) => spec['description'] === description);
    if (found === undefined) throw new Error(`no rule ${description}`);
    return String(found.id);
  }
});

describe('names', () => {
  const declared = [ann(), team({ 'agent/ann@example.com': 'normal' }), rule('a')];

  test('a renamed key is no difference, neither of the object nor of what refers to it, before its apply and after it', async () => {
    const made = await applied(declared);
    const renamed = [
      ann(),
      declare('group', 'vertrieb', { name: 'Sales', agent_priorities: { 'agent/ann@example.com': 'normal' } }),
      declare('auto_access', 'a', {
        description: 'a',
        access: { groups: ['group/vertrieb'] },
        conditions: { url: { values: [{ value: '/a' }] } },
      }),
    ];
    const place = { file: 'm.yaml', line: 1, column: 1, length: 1 };
    const moved = [{ from: 'group/sales', to: 'group/vertrieb', place }] as const;
    const statuses = async () =>
      (await made.differences(desiredOf(renamed), {}, moved)).map((each) => brief(each).split(':')[0]);
    expect(await statuses()).toEqual([]);
    const desired = desiredOf(renamed);
    const { plan } = await made.planned(desired, {}, moved);
    if (plan === null) throw new Error('no plan');
    await made.apply(plan, desired);
    expect(await statuses()).toEqual([]);
  });
});

describe('the next apply', () => {
  test('records what both sides came to say, without a request', async () => {
    const made = await applied([ann({ job_title: 'Lead' })]);
    await callByHand(made.emulator, 'update_agent', { id: 'ann@example.com', job_title: 'Head' });
    await made.clock.sleep(DAY);
    const desired = desiredOf([ann({ job_title: 'Head' })]);
    const statuses = async () => (await made.differences(desired)).map(({ status, path }) => `${status} ${path}`);
    expect(await statuses()).toContain('converged job_title');
    const plan = await made.plan(desired);
    expect(plan.steps).toEqual([]);
    await made.apply(plan, desired);
    expect(await statuses()).not.toContain('converged job_title');
  });

  test('of a part of the wish, such as an undo, leaves the rest as it was applied', async () => {
    const made = await applied([ann({ job_title: 'Lead', mobile: '1' })]);
    const part = desiredOf([declare('agent', 'ann@example.com', { mobile: '2' })]);
    const options = { partial: true } as const;
    await made.apply(await made.plan(part, options), part, { options });
    await callByHand(made.emulator, 'update_agent', { id: 'ann@example.com', job_title: 'Head', mobile: '3' });
    await made.clock.sleep(DAY);
    expect(await told(made, [ann({ job_title: 'Lead', mobile: '2' })])).toEqual([
      'drift changed agent/ann@example.com job_title: "Lead" "Head" "Lead"',
      'drift changed agent/ann@example.com mobile: "2" "3" "2"',
    ]);
  });

  test('forgets what it applied to a field that is not declared any more', async () => {
    const made = await applied([ann({ job_title: 'Lead' })]);
    const without = desiredOf([ann()]);
    await made.apply(await made.plan(without), without);
    await callByHand(made.emulator, 'update_agent', { id: 'ann@example.com', job_title: 'Head' });
    await made.clock.sleep(DAY);
    expect(await told(made, [ann({ job_title: 'Lead' })])).toEqual([
      'pending changed agent/ann@example.com job_title: null "Head" "Lead"',
    ]);
  });

  test('remembers what was applied before of what is out of reach now', async () => {
    const made = await applied([ann({ job_title: 'Lead' })]);
    const desired = desiredOf([declare('agent', 'ann@example.com', { name: 'Anna', job_title: 'Head' })]);
    await made.apply(await made.plan(desired), desired);
    const [name] = (await made.differences(desired)).filter(({ path }) => path[0] === 'name');
    expect(name).toMatchObject({ status: 'pending', base: 'Ann', live: 'Ann', reach: 'unreachable' });
  });
});

test('what can never be read back is told as unknown, not as drift, and as pending when the repository moved', async () => {
  const template = (chats: number) =>
    declare('bot_template', 'helper', { name: 'Helper', owner_client_id: 'c1', max_chats_count: chats });
  const made = world();
  const desired = desiredOf([template(3)]);
  await made.apply(await made.plan(desired, { hasSink: true }), desired);
  expect((await told(made, [template(3)])).filter((line) => line.includes('bot_template'))).toEqual([
    'unknown unreadable bot_template/helper max_chats_count: null null 3',
  ]);
  expect((await told(made, [template(4)])).filter((line) => line.includes('bot_template'))).toEqual([
    'pending changed bot_template/helper max_chats_count: null null 4',
  ]);
});

test('the secret of a webhook that another hand registered again changed on the license, and no file can have it', async () => {
  const place = { owner_client_id: 'shop', type: 'license', action: 'chat_deactivated', url: 'https://a.example/' };
  const ended = [declare('webhook', 'ended', { ...place, secret_key: { env: 'HOOK_SECRET' } })];
  const made = await applied(ended);
  const { bindings } = foldLedger(await made.ledger.read());
  const id = String(bindings.get('webhook/ended')?.id);
  await made.client.call('unregister_webhook', { id, owner_client_id: 'shop' });
  await made.client.call('register_webhook', { ...place, secret_key: 'by hand' });
  const found = await made.differences(desiredOf(ended), { acknowledged: new Set(['webhook/ended']) });
  expect(found.map(({ status, kind, path, ways_out: ways }) => [status, kind, ...path, ...ways])).toEqual([
    ['drift', 'changed', 'secret_key', 'apply', 'ignore'],
  ]);
});
