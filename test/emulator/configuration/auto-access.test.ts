import { expect, test } from 'vitest';
import type { Caller } from '../caller.ts';
import { createCaller } from '../caller.ts';

const URL_RULE = { access: { groups: [0] }, conditions: { url: { values: [{ value: '/pricing' }] } } };
const named = (name: string) => ({ ...URL_RULE, description: name });

async function order({ call }: Pick<Caller, 'call'>): Promise<string> {
  const rules: { description: string }[] = await call('list_auto_accesses');
  return rules.map(({ description }) => description).join('');
}

async function withRules(names: string): Promise<Caller & { readonly id: (name: string) => string }> {
  const caller = createCaller();
  const ids = new Map<string, string>();
  for (const name of names) ids.set(name, (await caller.call('add_auto_access', named(name))).id);
  return { ...caller, id: (name) => ids.get(name) ?? '' };
}

test('A rule reads back with its content, and with what may be filled in', async () => {
  const { call } = createCaller();
  const conditions = {
    url: { values: [{ value: '/a', exact_match: true }, { value: '/b' }] },
    domain: { exclude_values: [{ value: 'example.com' }] },
    geolocation: { values: [{ country: 'Poland', city: 'Wrocław' }, { country_code: 'US' }] },
  };
  const { id } = await call('add_auto_access', { access: { groups: [0] }, conditions });
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(await call('list_auto_accesses')).toEqual([
    {
      id,
      description: '',
      access: { groups: [0] },
      conditions: {
        url: {
          values: [
            { value: '/a', exact_match: true },
            { value: '/b', exact_match: false },
          ],
        },
        domain: { exclude_values: [{ value: 'example.com', exact_match: false }] },
        geolocation: conditions.geolocation,
      },
      next_id: '',
    },
  ]);
});

test.each([
  ['empty', { next_id: '' }],
  ['null', { next_id: null }],
  ['absent', {}],
] as const)('The `next_id` of the last rule can be %s, and nothing need be filled in', async (lastRuleNextId, next) => {
  const { call } = createCaller({ settings: { lastRuleNextId, ruleDefaultsOnRead: false } });
  const { id } = await call('add_auto_access', URL_RULE);
  expect(await call('list_auto_accesses')).toEqual([{ id, ...URL_RULE, ...next }]);
});

const CONDITIONS: readonly [string, object][] = [
  ['access', { conditions: URL_RULE.conditions }],
  ['access.groups', { ...URL_RULE, access: {} }],
  ['access.groups', { ...URL_RULE, access: { groups: [] } }],
  ['access.groups[0]', { ...URL_RULE, access: { groups: ['0'] } }],
  ['conditions', { access: URL_RULE.access }],
  ['conditions', { ...URL_RULE, conditions: {} }],
  ['conditions', { ...URL_RULE, conditions: { url: null, weather: {} } }],
  ['conditions.url', { ...URL_RULE, conditions: { url: {} } }],
  ['conditions.url.values', { ...URL_RULE, conditions: { url: { values: [] } } }],
  [
    'conditions.url.values',
    { ...URL_RULE, conditions: { url: { values: [{ value: 'a' }], exclude_values: [{ value: 'b' }] } } },
  ],
  ['conditions.domain.values[0].value', { ...URL_RULE, conditions: { domain: { values: [{}] } } }],
  [
    'conditions.domain.values[0].exact_match',
    { ...URL_RULE, conditions: { domain: { values: [{ value: 'a', exact_match: 1 }] } } },
  ],
  ['conditions.geolocation.values', { ...URL_RULE, conditions: { geolocation: {} } }],
  ['conditions.geolocation.values', { ...URL_RULE, conditions: { geolocation: { values: [] } } }],
  ['conditions.geolocation.values[0]', { ...URL_RULE, conditions: { geolocation: { values: [{}] } } }],
  [
    'conditions.geolocation.values[1]',
    { ...URL_RULE, conditions: { geolocation: { values: [{ city: 'x' }, { planet: 'y' }] } } },
  ],
  ['description', { ...URL_RULE, description: 1 }],
  ['next_id', { ...URL_RULE, next_id: 'unknown' }],
];

test.each(CONDITIONS)('add_auto_access refuses a wrong %s: %j', async (field, body) => {
  const { send, call } = createCaller();
  const answer = await send('add_auto_access', body);
  expect([answer.status, answer.body.error.type]).toEqual([400, 'validation']);
  expect(answer.body.error.message).toContain('`' + field + '`');
  expect(await call('list_auto_accesses')).toEqual([]);
});

test('A rule for a group that does not exist is refused with `group_not_found`', async () => {
  const { fail } = await withRules('A');
  expect(await fail('add_auto_access', { ...URL_RULE, access: { groups: [0, 9] } })).toBe('group_not_found');
});

test('A new rule goes to the end, or before the rule that `next_id` names', async () => {
  const caller = await withRules('AB');
  await caller.call('add_auto_access', { ...named('C'), next_id: '' });
  await caller.call('add_auto_access', { ...named('D'), next_id: null });
  await caller.call('add_auto_access', { ...named('E'), next_id: caller.id('A') });
  await caller.call('add_auto_access', { ...named('F'), next_id: caller.id('B') });
  expect(await order(caller)).toBe('EAFBCD');
});

test('The example of the specification: C moved before B in A, B, C, D gives A, C, B, D', async () => {
  const caller = await withRules('ABCD');
  expect(await caller.call('update_auto_access', { id: caller.id('C'), next_id: caller.id('B') })).toEqual({});
  expect(await order(caller)).toBe('ACBD');
  const rules = await caller.call('list_auto_accesses');
  const next = rules.map(({ next_id }: { next_id: string }) => next_id);
  expect(next).toEqual([...['C', 'B', 'D'].map(caller.id), '']);
});

test.each([
  ['B', { next_id: '' }, 'ACDB'],
  ['D', { next_id: '' }, 'ABCD'],
  ['B', {}, 'ABCD'],
  ['B', { next_id: null }, 'ABCD'],
])('Updating %s of A, B, C, D with %j gives %s', async (name, change, expected) => {
  const caller = await withRules('ABCD');
  await caller.call('update_auto_access', { id: caller.id(name), ...change });
  expect(await order(caller)).toBe(expected);
});

test('An update overwrites given fields as a whole and keeps the others', async () => {
  const { call } = createCaller();
  const { id } = await call('add_auto_access', { ...named('A'), conditions: { ...URL_RULE.conditions } });
  const conditions = { geolocation: { values: [{ country: 'Poland' }] } };
  await call('update_auto_access', { id, conditions });
  expect((await call('list_auto_accesses'))[0]).toMatchObject({ description: 'A', access: { groups: [0] } });
  expect((await call('list_auto_accesses'))[0].conditions).toEqual(conditions);
  await call('update_auto_access', { id, description: '' });
  expect((await call('list_auto_accesses'))[0]).toMatchObject({ description: '', conditions });
});

test('A refused update changes nothing', async () => {
  const caller = await withRules('ABC');
  const before = await caller.call('list_auto_accesses');
  const refused = [
    { id: caller.id('C'), description: 'X', next_id: caller.id('C') },
    { id: caller.id('C'), description: 'X', next_id: 'unknown' },
    { id: caller.id('C'), next_id: caller.id('A'), conditions: {} },
  ];
  for (const body of refused) expect(await caller.fail('update_auto_access', body)).toBe('validation');
  const elsewhere = { id: caller.id('C'), next_id: caller.id('A'), access: { groups: [9] } };
  expect(await caller.fail('update_auto_access', elsewhere)).toBe('group_not_found');
  expect(await caller.call('list_auto_accesses')).toEqual(before);
});

test('A deleted rule leaves its neighbours joined', async () => {
  for (const [name, expected] of [
    ['A', 'BC'],
    ['B', 'AC'],
    ['C', 'AB'],
  ] as const) {
    const caller = await withRules('ABC');
    await caller.call('delete_auto_access', { id: caller.id(name) });
    expect(await order(caller)).toBe(expected);
    expect(await caller.fail('delete_auto_access', { id: caller.id(name) })).toBe('not_found');
  }
});

test('The list can be full', async () => {
  const { call, fail } = createCaller({ settings: { limits: { accessRules: 2 } } });
  await call('add_auto_access', URL_RULE);
  await call('add_auto_access', URL_RULE);
  expect(await fail('add_auto_access', URL_RULE)).toBe('limit_reached');
});

test('The list can be set to be answered out of order', async () => {
  const caller = createCaller({ settings: { ruleListOrder: 'shuffled' } });
  for (const name of 'ABCDEFGH') await caller.call('add_auto_access', named(name));
  const shuffled = await order(caller);
  expect(shuffled).not.toBe('ABCDEFGH');
  expect(Array.from(shuffled).sort().join('')).toBe('ABCDEFGH');
});

test('An unknown `next_id` can be set to be `not_found`', async () => {
  const { fail } = createCaller({ settings: { missingNextRule: 'not_found' } });
  expect(await fail('add_auto_access', { ...URL_RULE, next_id: 'unknown' })).toBe('not_found');
});
