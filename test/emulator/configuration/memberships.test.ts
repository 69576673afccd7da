import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../../tries.ts';
import { createCaller } from '../caller.ts';

const AGENTS = ['ann', 'bob', 'cyd', 'dan'] as const;
const PRIORITIES = ['first', 'normal', 'last', 'supervisor'] as const;
const GROUPS = [1, 2, 3] as const;

type Step =
  | { readonly kind: 'agent'; readonly id: string; readonly groups: Readonly<Record<string, string>> }
  | { readonly kind: 'group'; readonly id: number; readonly priorities: Readonly<Record<string, string>> }
  | { readonly kind: 'leave'; readonly id: string }
  | { readonly kind: 'dissolve'; readonly id: number };

const priority = fc.constantFrom(...PRIORITIES);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('agent' as const),
    id: fc.constantFrom(...AGENTS),
    groups: fc.dictionary(fc.constantFrom(...GROUPS.map(String)), priority),
  }),
  fc.record({
    kind: fc.constant('group' as const),
    id: fc.constantFrom(...GROUPS),
    priorities: fc.dictionary(fc.constantFrom(...AGENTS), priority),
  }),
  fc.record({ kind: fc.constant('leave' as const), id: fc.constantFrom(...AGENTS) }),
  fc.record({ kind: fc.constant('dissolve' as const), id: fc.constantFrom(...GROUPS) }),
);

/** The relation as a set of edges, written as `agent group priority`. */
function expected(steps: readonly Step[]): ReadonlySet<string> {
  const agents = new Set<string>(AGENTS);
  const groups = new Set<number>(GROUPS);
  let edges: readonly (readonly [string, number, string])[] = [];
  for (const step of steps) {
    if (step.kind === 'leave') agents.delete(step.id);
    if (step.kind === 'dissolve') groups.delete(step.id);
    if (step.kind === 'agent' && agents.has(step.id) && Object.keys(step.groups).every((id) => groups.has(Number(id))))
      edges = [
        ...edges.filter(([agent]) => agent !== step.id),
        ...Object.entries(step.groups).map(([id, priority]) => [step.id, Number(id), priority] as const),
      ];
    if (step.kind === 'group' && groups.has(step.id) && Object.keys(step.priorities).every((id) => agents.has(id)))
      edges = [
        ...edges.filter(([, group]) => group !== step.id),
        ...Object.entries(step.priorities).map(([agent, priority]) => [agent, step.id, priority] as const),
      ];
    edges = edges.filter(([agent, group]) => agents.has(agent) && groups.has(group));
  }
  return new Set(edges.map((edge) => edge.join(' ')));
}

test('Both views of any sequence of writes show the same relation as a set of edges', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const { call, send } = createCaller({
        seed: { agents: AGENTS.map((id) => ({ id, name: id })), groups: GROUPS.map((id) => ({ id, name: `${id}` })) },
      });
      for (const step of steps) {
        if (step.kind === 'leave') await send('delete_agent', { id: step.id });
        if (step.kind === 'dissolve') await send('delete_group', { id: step.id });
        if (step.kind === 'group') await send('update_group', { id: step.id, agent_priorities: step.priorities });
        if (step.kind !== 'agent') continue;
        const groups = Object.entries(step.groups).map(([id, priority]) => ({ id: Number(id), priority }));
        await send('update_agent', { id: step.id, groups });
      }
      const fromAgents = new Set<string>();
      for (const { id, groups } of await call('list_agents', { fields: ['groups'] }))
        for (const group of groups) fromAgents.add(`${id} ${group.id} ${group.priority}`);
      const fromGroups = new Set<string>();
      for (const { id, agent_priorities } of await call('list_groups', { fields: ['agent_priorities'] }))
        for (const [agent, priority] of Object.entries(agent_priorities)) fromGroups.add(`${agent} ${id} ${priority}`);
      expect(fromAgents).toEqual(new Set([...expected(steps), 'owner@example.com 0 normal']));
      expect(fromGroups).toEqual(fromAgents);
    }),
    { numRuns: tries(500) },
  );
});

test('Bots are not seen in a group, nor lost when its map is replaced', async () => {
  const { call, fail } = createCaller({
    seed: { groups: [{ id: 1, name: 'x' }], bots: [{ id: 'b', name: 'B', groups: [{ id: 1, priority: 'first' }] }] },
  });
  expect((await call('get_group', { id: 1, fields: ['agent_priorities'] })).agent_priorities).toEqual({});
  await call('update_group', { id: 1, agent_priorities: { 'owner@example.com': 'last' } });
  expect((await call('get_bot', { id: 'b' })).groups).toEqual([{ id: 1, priority: 'first' }]);
  expect(await fail('update_group', { id: 1, agent_priorities: { b: 'last' } })).toBe('validation');
});

test('Bots can be set to be seen and written in a group', async () => {
  const { call } = createCaller({
    settings: { botsInAgentPriorities: true },
    seed: { groups: [{ id: 1, name: 'x' }], bots: [{ id: 'b', name: 'B', groups: [{ id: 1, priority: 'first' }] }] },
  });
  expect((await call('get_group', { id: 1, fields: ['agent_priorities'] })).agent_priorities).toEqual({ b: 'first' });
  await call('update_group', { id: 1, agent_priorities: { 'owner@example.com': 'last', b: 'normal' } });
  expect((await call('get_bot', { id: 'b' })).groups).toEqual([{ id: 1, priority: 'normal' }]);
  await call('update_group', { id: 1, agent_priorities: {} });
  expect((await call('get_bot', { id: 'b' })).groups).toEqual([]);
});
