import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_PROPERTIES, SERVICE_NAMESPACES } from '../../../src/base/default-properties.ts';
import { tries } from '../../tries.ts';
import { createCaller } from '../caller.ts';

const OWNER = { owner_client_id: 'app' };
const ACCESS = { license: { agent: ['read', 'write'] }, group: { agent: ['read', 'write'] } };
const TIER = { ...OWNER, name: 'tier', type: 'string', access: ACCESS };

test('A registered property reads back with its definition', async () => {
  const { call } = createCaller({ settings: { listPropertyDetails: true } });
  const definition = { type: 'int', access: ACCESS, description: 'd', range: { from: 1, to: 9 }, default_value: 3 };
  expect(await call('register_property', { ...OWNER, name: 'a.b', ...definition })).toEqual({});
  expect(await call('list_properties', OWNER)).toEqual({ 'a.b': { ...definition, public_access: [] } });
  expect(await call('list_properties', { owner_client_id: 'another' })).toEqual({});
});

test('A default needs access of the license, or of groups, and no more', async () => {
  const { call } = createCaller();
  for (const location of ['license', 'group'])
    await call('register_property', {
      ...TIER,
      name: location,
      access: { [location]: { agent: [] } },
      default_value: 'x',
    });
});

test('The details of a definition are unreadable, unless the setting shows them', async () => {
  const { call } = createCaller();
  await call('register_property', { ...TIER, domain: ['gold'], default_value: 'gold' });
  const { tier } = await call('list_properties', OWNER);
  expect(Object.keys(tier).sort()).toEqual(['access', 'description', 'public_access', 'type']);
});

test('The properties of the service come with every license, and none can be defined', async () => {
  const { call, fail } = createCaller();
  for (const namespace of SERVICE_NAMESPACES) {
    const found = await call('list_properties', { owner_client_id: namespace });
    expect(Object.entries(found).map(([name, property]) => [name, Object(property).type])).toEqual(
      DEFAULT_PROPERTIES.flatMap((one) => (one.namespace === namespace ? [[one.name, one.type]] : [])),
    );
    const another = { owner_client_id: namespace, name: 'another', type: 'int', access: TIER.access };
    expect([namespace, await fail('register_property', another)]).toEqual([namespace, 'authorization']);
    const [name = ''] = Object.keys(found);
    expect(await fail('unregister_property', { owner_client_id: namespace, name })).toBe('authorization');
  }
});

const REFUSED: readonly [string, object][] = [
  ['name', { ...TIER, name: undefined }],
  ['owner_client_id', { ...TIER, owner_client_id: '' }],
  ['type', { ...TIER, type: 'float' }],
  ['access', { ...TIER, access: undefined }],
  ['access', { ...TIER, access: {} }],
  ['access.license', { ...TIER, access: { license: {} } }],
  ['access.licence', { ...TIER, access: { licence: { agent: ['read'] } } }],
  ['access.license.bot', { ...TIER, access: { license: { bot: ['read'] } } }],
  ['access.license.agent[0]', { ...TIER, access: { license: { agent: ['own'] } } }],
  ['domain', { ...TIER, domain: [] }],
  ['domain[1]', { ...TIER, domain: ['a', 7] }],
  ['domain[0]', { ...TIER, type: 'int', domain: [2 ** 31] }],
  ['domain', { ...TIER, type: 'int', domain: [1], range: { from: 1, to: 2 } }],
  ['range', { ...TIER, range: { from: 1, to: 2 } }],
  ['range.to', { ...TIER, type: 'int', range: { from: 1 } }],
  ['range.from', { ...TIER, type: 'int', range: { from: 2, to: 1 } }],
  ['range.from', { ...TIER, type: 'int', range: { from: -(2 ** 31) - 1, to: 1 } }],
  ['default_value', { ...TIER, access: { chat: { agent: ['read'] } }, default_value: 'x' }],
  ['default_value', { ...TIER, domain: ['a'], default_value: 'b' }],
  ['default_value', { ...TIER, type: 'int', range: { from: 1, to: 2 }, default_value: 3 }],
  ['default_value', { ...TIER, type: 'int', default_value: 1.5 }],
  ['default_value', { ...TIER, type: 'bool', default_value: 'true' }],
];

test.each(REFUSED)('register_property refuses a wrong %s: %j', async (field, body) => {
  const { send, call } = createCaller();
  const answer = await send('register_property', body);
  expect([answer.status, answer.body.error.type]).toEqual([400, 'validation']);
  expect(answer.body.error.message).toContain('`' + field + '`');
  expect(await call('list_properties', OWNER)).toEqual({});
});

test('A property is registered once, and again after it was unregistered', async () => {
  const { call, fail } = createCaller();
  await call('register_property', TIER);
  expect(await fail('register_property', { ...TIER, type: 'int' })).toBe('already_exists');
  await call('update_license_properties', { properties: { app: { tier: 'gold' } } });
  await call('unregister_property', { ...OWNER, name: 'tier' });
  expect(await fail('unregister_property', { ...OWNER, name: 'tier' })).toBe('not_found');
  await call('register_property', { ...TIER, type: 'int' });
  expect(await call('list_license_properties', { namespace: 'app' })).toEqual({});
});

test('A published property can be narrowed, and neither widened nor unregistered', async () => {
  const { call, fail } = createCaller();
  await call('register_property', TIER);
  const publish = { ...OWNER, name: 'tier' };
  expect(await fail('publish_property', publish)).toBe('validation');
  expect(await fail('publish_property', { ...publish, access_type: [] })).toBe('validation');
  expect(await fail('publish_property', { ...publish, access_type: ['own'] })).toBe('validation');
  expect(await fail('publish_property', { ...publish, name: 'x', access_type: ['read'] })).toBe('not_found');
  await call('publish_property', { ...publish, access_type: ['read', 'write'] });
  await call('publish_property', { ...publish, access_type: ['read'] });
  expect(await fail('publish_property', { ...publish, access_type: ['read', 'write'] })).toBe('validation');
  expect(await fail('unregister_property', publish)).toBe('validation');
  expect((await call('list_properties', OWNER)).tier.public_access).toEqual(['read']);
});

test('Only clients of the organization register properties, and none in the namespaces of the service', async () => {
  const { fail } = createCaller({ seed: { clients: ['app'] } });
  for (const owner_client_id of ['unknown', 'test', 'limits', 'core', 'chats', 'monitoring'])
    expect(await fail('register_property', { ...TIER, owner_client_id })).toBe('authorization');
});

test('Any default that a definition accepts is what an unset value reads as', async () => {
  // What JSON cannot say arrives as something else: -0 as 0, the rest as null.
  const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((drawn) => (drawn === 0 ? 0 : drawn));
  const value = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.boolean(), fc.constantFrom('a', 'b'), number);
  const definition = fc.record(
    {
      type: fc.constantFrom('int', 'bool', 'string', 'tokenized_string'),
      domain: fc.array(value, { maxLength: 3 }),
      range: fc.record({ from: fc.integer({ min: -5, max: 5 }), to: fc.integer({ min: -5, max: 5 }) }),
      default_value: value,
    },
    { requiredKeys: ['type', 'default_value'] },
  );
  await fc.assert(
    fc.asyncProperty(definition, async (given) => {
      const { send, call } = createCaller();
      const { status } = await send('register_property', { ...TIER, ...given });
      const { default_value: wanted, domain, range, type } = given;
      const typed =
        type === 'int'
          ? Number.isInteger(wanted) && Math.abs(Number(wanted)) < 2 ** 31
          : typeof wanted === type.replace('tokenized_', '').replace('bool', 'boolean');
      const domainFits = domain === undefined || (domain.length > 0 && domain.includes(wanted));
      const rangeFits =
        range === undefined || (type === 'int' && range.from <= Number(wanted) && Number(wanted) <= range.to);
      if (status === 200) {
        expect([typed, domainFits, rangeFits, domain === undefined || range === undefined]).not.toContain(false);
        expect(await call('list_license_properties', { namespace: 'app' })).toEqual({ app: { tier: wanted } });
      } else expect(domain !== undefined || !typed || !rangeFits).toBe(true);
    }),
    { numRuns: tries(300) },
  );
});
