// Random sequences of actions against the emulator and against the model agree, whatever they do to each other: a group that goes takes its
// memberships and values along, and leaves the rules.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../tries.ts';
import { type Caller, createCaller } from './caller.ts';
import * as model from './license-model.ts';

type Model = model.Model;
type Real = Pick<Caller, 'call' | 'send'>;
type Command = fc.AsyncCommand<Model, Real>;

const AGENTS = ['ann', 'bob', 'cyd'] as const;
const NAMES = ['p', 'q.r'] as const;
const RULE = { conditions: { url: { values: [{ value: 'x' }] } } };
const DEFINITION = {
  type: 'int' as const,
  range: { from: 0, to: 3 },
  access: {
    license: { agent: ['read' as const, 'write' as const] },
    group: { agent: ['read' as const, 'write' as const] },
  },
};

/** Of what the model begins with, so that most actions find something to act on. */
const SEED = {
  agents: [{ id: 'ann', name: 'Ann', groups: [{ id: 1, priority: 'first' as const }] }],
  groups: [{ id: 1, name: 'One' }],
  properties: { app: { p: DEFINITION } },
};

/** An action that the service must grant exactly when `granted` says so; then `take` does the same to the model. */
function command(
  name: string,
  request: (known: Model) => readonly [action: string, body: object],
  granted: (known: Model) => boolean,
  take: (known: Model, reply: { readonly id?: number | string }) => void,
): Command {
  return {
    check: () => true,
    toString: () => name,
    run: async (known, { call, send }) => {
      const [action, body] = request(known);
      const { status, body: reply } = await send(action, body);
      expect([name, status === 200]).toEqual([name, granted(known)]);
      if (status === 200) take(known, reply);
      await compare(known, call);
    },
  };
}

/** Everything that can be read, in one look. */
async function compare(known: Model, call: Real['call']): Promise<void> {
  const [agents, groups, rules, properties, values, groupValues] = [
    await call('list_agents', { fields: ['groups'] }),
    await call('list_groups', { fields: ['agent_priorities'] }),
    await call('list_auto_accesses'),
    await call('list_properties', { owner_client_id: 'app' }),
    await call('list_license_properties', { namespace: 'app' }),
    await call('list_groups_properties', { group_ids: [], namespace: 'app' }),
  ];
  const fromAgents = new Map<string, string>();
  for (const { id, groups: items } of agents)
    for (const item of items) fromAgents.set(`${id} ${item.id}`, item.priority);
  const fromGroups = new Map<string, string>();
  for (const { id, agent_priorities } of groups)
    for (const [agent, priority] of Object.entries(agent_priorities))
      fromGroups.set(`${agent} ${id}`, String(priority));
  const held = new Map<string, number>();
  const hold = (holder: string, found: { readonly app?: Record<string, number> }): void => {
    for (const [name, value] of Object.entries(found.app ?? {})) held.set(`${holder} ${name}`, value);
  };
  hold('license', values);
  for (const { id, properties: found } of groupValues) hold(String(id), found);
  expect({
    agents: new Set(agents.map(({ id }: { id: string }) => id)),
    groups: new Set(groups.map(({ id }: { id: number }) => id)),
    rules: rules.map(({ id, access }: { id: string; access: { groups: number[] } }) => ({ id, groups: access.groups })),
    next: rules.map(({ next_id }: { next_id: string }) => next_id),
    properties: Object.keys(properties).sort(),
    fromAgents,
    fromGroups,
    held,
  }).toEqual({
    agents: known.agents,
    groups: known.groups,
    rules: known.rules,
    next: known.rules.map((_, index) => known.rules[index + 1]?.id ?? ''),
    properties: [...known.properties.keys()].sort(),
    fromAgents: known.edges,
    fromGroups: known.edges,
    held: known.values,
  });
}

const pick = <T>(items: Iterable<T>, at: number): T | undefined => {
  const all = [...items];
  return all[at % Math.max(1, all.length)];
};
const at = fc.nat(9);
const agent = fc.constantFrom(...AGENTS);
const priority = fc.constantFrom('first', 'normal', 'last', 'supervisor');
const NO_RULE = 'no-such-rule';

const commands: readonly fc.Arbitrary<Command>[] = [
  agent.map((id) =>
    command(
      `create ${id}`,
      () => ['create_agent', { id, name: id }],
      ({ agents }) => !agents.has(id),
      ({ agents }) => void agents.add(id),
    ),
  ),
  agent.map((id) =>
    command(
      `delete ${id}`,
      () => ['delete_agent', { id }],
      ({ agents }) => agents.has(id),
      (known) => model.deleteAgent(known, id),
    ),
  ),
  fc.dictionary(agent, priority).map((priorities) =>
    command(
      `create a group of ${JSON.stringify(priorities)}`,
      () => ['create_group', { name: 'G', agent_priorities: priorities }],
      ({ agents }) => Object.keys(priorities).every((id) => agents.has(id)),
      (known, { id }) => {
        known.groups.add(Number(id));
        model.setEdges(known, 1, String(id), new Map(Object.entries(priorities)));
      },
    ),
  ),
  fc.tuple(at, fc.dictionary(agent, priority)).map(([which, priorities]) =>
    command(
      `members of group ${which}: ${JSON.stringify(priorities)}`,
      ({ groups }) => ['update_group', { id: pick(groups, which), agent_priorities: priorities }],
      ({ agents }) => Object.keys(priorities).every((id) => agents.has(id)),
      (known) => model.setEdges(known, 1, String(pick(known.groups, which)), new Map(Object.entries(priorities))),
    ),
  ),
  fc
    .tuple(agent, fc.uniqueArray(fc.tuple(at, priority), { maxLength: 3, selector: ([which]) => which }))
    .map(([id, places]) => {
      const chosen = ({ groups }: Model) => new Map(places.map(([which, given]) => [pick(groups, which) ?? 0, given]));
      return command(
        `groups of ${id}: ${JSON.stringify(places)}`,
        (known) => [
          'update_agent',
          { id, groups: Array.from(chosen(known), ([group, given]) => ({ id: group, priority: given })) },
        ],
        ({ agents }) => agents.has(id),
        (known) =>
          model.setEdges(known, 0, id, new Map(Array.from(chosen(known), ([group, given]) => [String(group), given]))),
      );
    }),
  at.map((which) =>
    command(
      `delete group ${which}`,
      ({ groups }) => ['delete_group', { id: pick(groups, which) }],
      ({ groups }) => pick(groups, which) !== 0,
      (known) => model.deleteGroup(known, pick(known.groups, which) ?? 0),
    ),
  ),
  fc.tuple(at, fc.option(at)).map(([which, next]) => {
    const place = ({ rules }: Model) => (next === null ? '' : (pick(rules, next)?.id ?? ''));
    return command(
      `add a rule for group ${which} before ${next}`,
      (known) => [
        'add_auto_access',
        { ...RULE, access: { groups: [pick(known.groups, which)] }, next_id: place(known) },
      ],
      () => true,
      (known, { id }) =>
        model.placeRule(known, { id: String(id), groups: [pick(known.groups, which) ?? 0] }, place(known)),
    );
  }),
  fc.tuple(at, fc.option(at)).map(([which, next]) => {
    const moved = ({ rules }: Model) => pick(rules, which);
    const place = ({ rules }: Model) => (next === null ? '' : (pick(rules, next)?.id ?? ''));
    return command(
      `move rule ${which} before ${next}`,
      (known) => ['update_auto_access', { id: moved(known)?.id ?? NO_RULE, next_id: place(known) }],
      (known) => moved(known) !== undefined && moved(known)?.id !== place(known),
      (known) => {
        const rule = moved(known);
        if (rule !== undefined) model.placeRule(known, rule, place(known));
      },
    );
  }),
  at.map((which) =>
    command(
      `delete rule ${which}`,
      ({ rules }) => ['delete_auto_access', { id: pick(rules, which)?.id ?? NO_RULE }],
      ({ rules }) => rules.length > 0,
      (known) => {
        const id = pick(known.rules, which)?.id;
        known.rules = known.rules.filter((rule) => rule.id !== id);
      },
    ),
  ),
  fc.constantFrom(...NAMES).map((name) =>
    command(
      `register ${name}`,
      () => ['register_property', { ...DEFINITION, owner_client_id: 'app', name }],
      ({ properties }) => !properties.has(name),
      ({ properties }) => void properties.set(name, false),
    ),
  ),
  fc.constantFrom(...NAMES).map((name) =>
    command(
      `publish ${name}`,
      () => ['publish_property', { owner_client_id: 'app', name, access_type: ['read'] }],
      ({ properties }) => properties.has(name),
      ({ properties }) => void properties.set(name, true),
    ),
  ),
  fc.constantFrom(...NAMES).map((name) =>
    command(
      `unregister ${name}`,
      () => ['unregister_property', { owner_client_id: 'app', name }],
      ({ properties }) => properties.get(name) === false,
      (known) => model.unregister(known, name),
    ),
  ),
  fc.tuple(fc.constantFrom(...NAMES), fc.option(at), fc.integer({ min: -1, max: 4 })).map(([name, which, value]) => {
    const holder = ({ groups }: Model) => (which === null ? 'license' : String(pick(groups, which)));
    const properties = { app: { [name]: value } };
    return command(
      `set ${name} of ${which} to ${value}`,
      (known) =>
        which === null
          ? ['update_license_properties', { properties }]
          : ['update_group_properties', { group_id: pick(known.groups, which), properties }],
      (known) => known.properties.has(name) && value >= 0 && value <= 3,
      (known) => void known.values.set(`${holder(known)} ${name}`, value),
    );
  }),
  fc.tuple(fc.constantFrom(...NAMES), fc.option(at)).map(([name, which]) => {
    const holder = ({ groups }: Model) => (which === null ? 'license' : String(pick(groups, which)));
    const properties = { app: [name] };
    return command(
      `unset ${name} of ${which}`,
      (known) =>
        which === null
          ? ['delete_license_properties', { properties }]
          : ['delete_group_properties', { id: pick(known.groups, which), properties }],
      (known) => known.properties.has(name),
      (known) => void known.values.delete(`${holder(known)} ${name}`),
    );
  }),
];

test('Any sequence of actions on members, rules and properties leaves what a small model says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands([...commands], { maxCommands: 40, size: 'max' }), async (sequence) => {
      const { call, send } = createCaller({ seed: SEED });
      await fc.asyncModelRun(() => ({ model: model.freshModel(), real: { call, send } }), sequence);
    }),
    { numRuns: tries(600) },
  );
});
