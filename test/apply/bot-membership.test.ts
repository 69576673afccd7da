// Bots in a group whose map of members is written in the same run: where bots appear in that map, it must not undo what the bots were given.

import { expect, test } from 'vitest';
import type { Exchange } from '../../src/service/exchange.ts';
import { type Declared, declare, desiredOf } from '../desired.ts';
import { recordsOf } from '../laws/records.ts';
import { world } from '../world.ts';

const ann = declare('agent', 'ann@example.com', { name: 'Ann' });
const sales = (members: { readonly [agent: string]: string }): Declared =>
  declare('group', 'sales', { name: 'Sales', agent_priorities: members });
const triage = (groups: { readonly [group: string]: string }): Declared =>
  declare('bot', 'triage', { name: 'Triage', groups });

/** Whatever can be under way together arrives in the worst order: maps of groups last. */
const mapsLast =
  (exchange: Exchange): Exchange =>
  async (request) => {
    if (request.url.endsWith('/update_group')) await new Promise(setImmediate);
    return exchange(request);
  };

test.each([
  ['joins', [], { 'group/sales': 'first' }],
  ['joins from elsewhere', [triage({})], { 'group/sales': 'first' }],
  ['changes its priority', [triage({ 'group/sales': 'last' })], { 'group/sales': 'first' }],
  ['leaves', [triage({ 'group/sales': 'last' })], {}],
] as const)('A bot that %s keeps what it was given when an agent joins the same group', async (_, bots, wanted) => {
  const made = world({ settings: { botsInAgentPriorities: true }, wrap: mapsLast });
  const before = desiredOf([ann, sales({}), ...bots]);
  await made.apply(await made.plan(before), before);
  const after = desiredOf([ann, sales({ 'agent/ann@example.com': 'normal' }), triage(wanted)]);
  const report = await made.apply(await made.plan(after), after);
  expect(report).toMatchObject({ outcome: 'done', unsettled: [] });
  const priorities = recordsOf(made.emulator).botMemberships.map(({ priority }) => priority);
  expect(priorities).toEqual(Object.values(wanted));
  expect((await made.plan(after)).steps).toEqual([]);
});
