// Memberships: how many requests they take, and what of somebody else's they must leave alone.

import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/service/exchange.ts';
import { type Declared, declare, desiredOf } from '../desired.ts';
import { callByHand } from '../laws/edits.ts';
import { leftOver } from '../laws/left-over.ts';
import { recordsOf } from '../laws/records.ts';
import { writesOf } from '../laws/stage.ts';
import { type World, world } from '../world.ts';

const mail = (index: number): string => `agent-${String(index).padStart(4, '0')}@example.com`;

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function membersOf({ emulator }: World, group: number): readonly string[] {
  return recordsOf(emulator)
    .agentMemberships.filter((edge) => edge.group === group)
    .map(({ member }) => member)
    .sort();
}

describe('1,000 new agents in 10 groups on an empty license', () => {
  const groups = Array.from({ length: 10 }, (_, index) => `group-${index}`);
  const agents = Array.from({ length: 1000 }, (_, index) => mail(index));
  const onAgents: readonly Declared[] = [
    ...groups.map((key) => declare('group', key, { name: key })),
    ...agents.map((key, index) =>
      declare('agent', key, {
        name: key,
        groups: { [`group/group-${index % 10}`]: index % 3 === 0 ? 'first' : 'normal' },
      }),
    ),
  ];
  const onGroups: readonly Declared[] = [
    ...groups.map((key, group) => {
      const members = agents.filter((_, index) => index % 10 === group).map((agent) => [`agent/${agent}`, 'normal']);
      return declare('group', key, { name: key, agent_priorities: Object.fromEntries(members) });
    }),
    ...agents.map((key) => declare('agent', key, { name: key })),
  ];

  it.each([
    ['on the agents', onAgents],
    ['on the groups', onGroups],
  ])('take at most 40 requests in all, reads included, when the memberships are declared %s', async (_, declared) => {
    const made = world({ propagationDelay: 5_000 });
    const desired = desiredOf(declared);
    const plan = await made.plan(desired);
    expect(plan.requests.by_action).toEqual({ batch_create_agents: 10, create_group: 10 });
    const report = await made.apply(plan, desired);
    expect(report.outcome).toBe('done');
    expect(total(made.emulator.stats())).toBeLessThanOrEqual(40);
    expect(total(made.client.requests())).toBe(total(made.emulator.stats()));
    await made.clock.sleep(5_000);
    expect(leftOver(await made.plan(desired))).toEqual([]);
    expect(recordsOf(made.emulator).agentMemberships).toHaveLength(1001);
  });
});

describe.each(['3.3', '3.6'] as const)('300 agents who move from one declared group to another, in %s', (version) => {
  const agents = Array.from({ length: 300 }, (_, index) => mail(index));
  const crew = (group: string, members: readonly string[]): Declared =>
    declare('group', group, {
      name: group,
      agent_priorities: Object.fromEntries(members.map((agent) => [`agent/${agent}`, 'normal'])),
    });
  const moved = (agent: string): Declared => declare('agent', agent, { groups: { 'group/night': 'normal' } });

  it.each([
    ['nothing else', agents.map((agent) => declare('agent', agent, {}))],
    ['the same on the agents', agents.map(moved)],
  ])('are 2 writes, one for each group, when the manifest declares %s', async (_, declared) => {
    const made = world({
      version,
      seed: {
        agents: agents.map((id) => ({ id, name: id, groups: [{ id: 1, priority: 'normal' }] })),
        groups: [
          { id: 1, name: 'day' },
          { id: 2, name: 'night' },
        ],
      },
    });
    const desired = desiredOf([...declared, crew('day', []), crew('night', agents)]);
    // In 3.3 a group without an agent of normal priority is withheld.
    const plan = await made.plan(desired, { acknowledged: new Set(['group/day']) });
    expect(plan.requests.by_action).toEqual({ update_group: 2 });
    made.emulator.resetStats();
    expect((await made.apply(plan, desired)).outcome).toBe('done');
    expect(writesOf(made.emulator)).toEqual({ update_group: 2 });
    expect([membersOf(made, 1), membersOf(made, 2)]).toEqual([[], agents]);
  });
});

/** An exchange that lets somebody else write once, before any write of ours. */
function interrupted(edit: () => Promise<unknown>): (exchange: Exchange) => Exchange {
  let edited: Promise<unknown> | null = null;
  return (exchange) => async (request) => {
    if (!/\/(list|get)_[a-z_]+$/.test(request.url)) {
      edited ??= edit();
      await edited;
    }
    return exchange(request);
  };
}

describe('somebody else who adds an agent to a group that nothing declares, between our read and our write', () => {
  const license = {
    agents: [
      { id: 'ann@example.com', name: 'Ann' },
      { id: 'bob@example.com', name: 'Bob', groups: [{ id: 7, priority: 'normal' }] },
      { id: 'zoe@example.com', name: 'Zoe' },
    ],
    groups: [{ id: 7, name: 'Walk-ins' }],
  } as const;
  const walkins = {
    address: 'group/walkins',
    kind: 'group',
    id: 7,
    name: null,
    place: { file: 'test.yaml', line: 1, column: 1, length: 1 },
  } as const;

  it.each([
    ['joins it', { 'agent/ann@example.com': { 'group/walkins': 'first' } }],
    ['leaves it', { 'agent/bob@example.com': {} }],
    [
      'joins as another one leaves',
      { 'agent/ann@example.com': { 'group/walkins': 'last' }, 'agent/bob@example.com': {} },
    ],
  ])('finds it still a member after an apply in which a declared agent %s', async (_, wanted) => {
    const declared = Object.entries(wanted).map(([address, groups]) =>
      declare('agent', address.slice('agent/'.length), { groups }),
    );
    const made: World = world({
      seed: structuredClone(license),
      wrap: interrupted(() =>
        callByHand(made.emulator, 'update_group', {
          id: 7,
          agent_priorities: { 'bob@example.com': 'normal', 'zoe@example.com': 'supervisor' },
        }),
      ),
    });
    const desired = desiredOf(declared, [walkins]);
    const plan = await made.plan(desired);
    expect(Object.keys(plan.requests.by_action)).toEqual(['batch_update_agents']);
    expect((await made.apply(plan, desired)).outcome).toBe('done');
    expect(membersOf(made, 7)).toContain('zoe@example.com');
    expect(membersOf(made, 7).includes('ann@example.com')).toBe('agent/ann@example.com' in wanted);
    expect(membersOf(made, 7).includes('bob@example.com')).toBe(!('agent/bob@example.com' in wanted));
  });
});

describe('a new agent that declares no groups', () => {
  it('is in none, although the service would put it into the general one', async () => {
    const made = world({ settings: { groupsOfNewAgent: 'general' } });
    const desired = desiredOf([declare('agent', 'ann@example.com', { name: 'Ann', groups: {} })]);
    expect((await made.apply(await made.plan(desired), desired)).outcome).toBe('done');
    expect(membersOf(made, 0)).toEqual(['owner@example.com']);
  });
});
