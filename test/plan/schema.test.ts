// schemas/plan.schema.json is what the code says, and what the planner makes fits it with no member to spare.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { planSchema } from '../../src/plan/plan.ts';
import { declare, desiredOf } from '../desired.ts';
import { world } from '../world.ts';

const TEXT = `${JSON.stringify(planSchema, null, 2)}\n`;

const fits = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true }).compile(
  planSchema,
);

const CLIENT = 'client-1';
const ACCESS = { license: { agent: ['read', 'write'] } };

const RULES = ['a', 'b'].map((key) =>
  declare('auto_access', key, {
    description: key,
    access: { groups: ['group/sales'] },
    conditions: { url: { values: [{ value: `/${key}` }] } },
  }),
);

const FULL = desiredOf([
  declare('agent', 'ann@example.com', { name: 'Ann', suspended: true }),
  declare('group', 'sales', { name: 'Sales', agent_priorities: { 'agent/ann@example.com': 'first' } }),
  declare('bot', 'triage', { name: 'Triage', groups: { 'group/sales': 'first' } }),
  declare('bot_template', 'scout', { name: 'Scout', owner_client_id: CLIENT, max_chats_count: 7 }),
  ...RULES,
  declare('property', `${CLIENT}/tier`, { type: 'string', access: ACCESS, domain: ['gold', 'silver'] }),
  declare('license_property', `${CLIENT}/tier`, { value: 'gold' }),
]);

/** The same license, changed in every way a plan can show. */
const CHANGED = desiredOf([
  declare('agent', 'ann@example.com', { name: 'Anna', suspended: false, max_chats_count: 50 }),
  declare('group', 'sales', { name: 'Sales', agent_priorities: { 'agent/ann@example.com': 'last' } }),
  declare('bot_template', 'scout', { name: 'Scout', owner_client_id: CLIENT, max_chats_count: 8 }),
  ...[...RULES].reverse(),
  declare('property', `${CLIENT}/tier`, { type: 'string', access: ACCESS, domain: ['gold'] }),
  declare('license_property', `${CLIENT}/tier`, { value: 'gold' }),
]);

test('the published schema is the one in the code', async () => {
  await expect(TEXT).toMatchFileSnapshot('../../schemas/plan.schema.json');
});

test('a plan that creates every kind fits the schema', async () => {
  const plan = await world().plan(FULL);
  expect(plan.summary.add).toBe(8);
  expect(fits(plan) ? [] : fits.errors).toEqual([]);
});

test('a plan that updates, moves, replaces, deletes and cannot reach fits the schema', async () => {
  const license = world();
  await license.apply(await license.plan(FULL), FULL);
  const plan = await license.plan(CHANGED, { acknowledged: new Set(), maxDeletes: 0 });
  expect(plan.reorder?.moved).toHaveLength(1);
  expect(plan.notes.map(({ kind }) => kind)).toContain('unreachable');
  expect(plan.withheld.map(({ guard }) => guard)).toEqual(['max_deletes', 'last-cover', 'data-loss']);
  expect(fits(plan) ? [] : fits.errors).toEqual([]);
});
