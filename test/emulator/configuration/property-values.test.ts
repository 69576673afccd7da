import { expect, test } from 'vitest';
import { createCaller } from '../caller.ts';

const READ = ['read'] as const;
const WRITE = ['read', 'write'] as const;
const SEED = {
  clients: ['app'],
  groups: [{ id: 1, name: 'One' }],
  properties: {
    app: {
      'a.tier': {
        type: 'string',
        access: { license: { agent: WRITE }, group: { agent: WRITE } },
        domain: ['gold', 'silver'],
        default_value: 'silver',
      },
      'a.count': { type: 'int', access: { license: { agent: WRITE } }, range: { from: 0, to: 9 } },
      flag: { type: 'bool', access: { group: { agent: WRITE }, chat: { customer: WRITE } } },
      frozen: { type: 'int', access: { license: { agent: READ } }, default_value: 1 },
      hidden: { type: 'int', access: { license: { customer: WRITE } }, default_value: 1 },
    },
    other: {
      private: { type: 'int', access: { license: { agent: WRITE } }, default_value: 1 },
      readable: { type: 'int', access: { license: { agent: WRITE } }, default_value: 2, public_access: READ },
      writable: { type: 'int', access: { license: { agent: WRITE } }, default_value: 3, public_access: WRITE },
    },
  },
} as const;

const app = (values: object) => ({ properties: { app: values } });

test('Unset values read as their defaults, and nothing that may not be read is shown', async () => {
  const { call } = createCaller({ seed: SEED });
  const { limits, ...found } = await call('list_license_properties');
  expect(found).toEqual({ app: { 'a.tier': 'silver', frozen: 1 }, other: { readable: 2, writable: 3 } });
  expect(limits['access_rules.base']).toBe(200);
});

test('namespace and name_prefix narrow the list', async () => {
  const { call } = createCaller({ seed: SEED });
  expect(await call('list_license_properties', { namespace: 'app', name_prefix: 'a.' })).toEqual({
    app: { 'a.tier': 'silver' },
  });
  expect(await call('list_license_properties', { name_prefix: 'w' })).toEqual({ other: { writable: 3 } });
  expect(await call('list_license_properties', { namespace: 'missing' })).toEqual({});
});

test('An update sets what it names and leaves the rest', async () => {
  const { call } = createCaller({ seed: SEED });
  expect(await call('update_license_properties', app({ 'a.count': 4 }))).toEqual({});
  await call('update_license_properties', { properties: { app: { 'a.tier': 'gold' }, other: { writable: 7 } } });
  expect(await call('list_license_properties', { namespace: 'app' })).toEqual({
    app: { 'a.tier': 'gold', 'a.count': 4, frozen: 1 },
  });
  await call('delete_license_properties', app(['a.tier', 'a.count']));
  expect(await call('list_license_properties', { namespace: 'app' })).toEqual({
    app: { 'a.tier': 'silver', frozen: 1 },
  });
});

test.each([
  ['validation', { 'a.tier': 'bronze' }],
  ['validation', { 'a.tier': 7 }],
  ['validation', { 'a.count': 10 }],
  ['validation', { 'a.count': 1.5 }],
  ['validation', { 'a.count': true }],
  ['validation', { 'a.count': {} }],
  ['validation', { flag: true }],
  ['authorization', { frozen: 2 }],
  ['authorization', { hidden: 2 }],
  ['not_found', { unknown: 2 }],
])('update_license_properties answers %s to %j and sets nothing', async (type, values) => {
  const { call, fail } = createCaller({ seed: SEED });
  const before = await call('list_license_properties');
  expect(await fail('update_license_properties', app({ 'a.tier': 'gold', ...values }))).toBe(type);
  expect(await call('list_license_properties')).toEqual(before);
});

test.each([
  ['other', 'private', 'authorization'],
  ['other', 'readable', 'authorization'],
  ['limits', 'agents.base', 'authorization'],
])('The property %s/%s of another owner answers a write with %s', async (namespace, name, type) => {
  const { fail } = createCaller({ seed: SEED });
  expect(await fail('update_license_properties', { properties: { [namespace]: { [name]: 1 } } })).toBe(type);
  expect(await fail('delete_license_properties', { properties: { [namespace]: [name] } })).toBe(type);
});

test('The `test` properties can be written by everyone', async () => {
  const { call, fail } = createCaller({ seed: SEED });
  const test = { bool_property: true, int_property: -5, string_property: 's', tokenized_string_property: 't' };
  await call('update_license_properties', { properties: { test } });
  expect(await call('list_license_properties', { namespace: 'test' })).toEqual({ test });
  expect(await fail('update_license_properties', { properties: { test: { int_property: 2 ** 31 } } })).toBe(
    'validation',
  );
  await call('update_license_properties', { properties: { test: { int_property: 2 ** 31 - 1 } } });
});

test('Values of a group are set, read in both versions, and deleted', async () => {
  const { call } = createCaller({ seed: SEED });
  const old = { version: '3.3' } as const;
  expect(await call('update_group_properties', { group_id: 1, ...app({ 'a.tier': 'gold', flag: true }) })).toEqual({});
  expect(await call('list_group_properties', { id: 1 }, old)).toEqual({ app: { 'a.tier': 'gold', flag: true } });
  expect(await call('list_groups_properties', { group_ids: [] })).toEqual([
    { id: 0, properties: { app: { 'a.tier': 'silver' } } },
    { id: 1, properties: { app: { 'a.tier': 'gold', flag: true } } },
  ]);
  expect(await call('list_groups_properties', { group_ids: [1], name_prefix: 'f' })).toEqual([
    { id: 1, properties: { app: { flag: true } } },
  ]);
  expect(await call('list_group_properties?id=1&name_prefix=f', undefined, { ...old, method: 'GET' })).toEqual({
    app: { flag: true },
  });
  expect(await call('delete_group_properties', { id: 1, properties: { app: ['a.tier', 'flag'] } })).toEqual({});
  expect(await call('list_group_properties', { id: 1 }, old)).toEqual({ app: { 'a.tier': 'silver' } });
});

test.each([
  ['update_group_properties', { properties: {} }, 'validation'],
  ['update_group_properties', { id: 1, properties: {} }, 'validation'],
  ['update_group_properties', { group_id: 9, properties: {} }, 'group_not_found'],
  ['update_group_properties', { group_id: 1, ...app({ 'a.count': 1 }) }, 'validation'],
  ['update_group_properties', { group_id: 1, ...app({ flag: 'yes' }) }, 'validation'],
  ['delete_group_properties', { id: 9, properties: {} }, 'group_not_found'],
  ['delete_group_properties', { id: 1, properties: { app: 'flag' } }, 'validation'],
  ['delete_group_properties', { id: 1, properties: { app: ['nothing'] } }, 'not_found'],
  ['list_groups_properties', {}, 'validation'],
  ['list_groups_properties', { group_ids: [9] }, 'group_not_found'],
  ['update_license_properties', {}, 'validation'],
  ['update_license_properties', { properties: { app: 7 } }, 'validation'],
  ['delete_license_properties', {}, 'validation'],
])('%s answers %j with %s', async (action, body, type) => {
  expect(await createCaller({ seed: SEED }).fail(action, body)).toBe(type);
});

test('A name of an object member is a property like any other', async () => {
  const { call } = createCaller();
  const access = { license: { agent: WRITE } };
  await call('register_property', { owner_client_id: '__proto__', name: '__proto__', type: 'int', access });
  await call('update_license_properties', '{"properties":{"__proto__":{"__proto__":7}}}');
  const found = await call('list_license_properties', { namespace: '__proto__' });
  expect(JSON.stringify(found)).toBe('{"__proto__":{"__proto__":7}}');
});

test('Values that only the service sets come with a seed, and agents read them', async () => {
  const license_properties = { chats: { 'queue.limit': 100 }, statistics: { first_chat_date: '2026-01-01' } };
  const { call, fail } = createCaller({ seed: { license_properties } });
  const { limits: _, ...found } = await call('list_license_properties');
  expect(found).toEqual(license_properties);
  expect(await fail('update_license_properties', { properties: { chats: { 'queue.limit': 5 } } })).toBe(
    'authorization',
  );
});

test('Every resource has its three limits, those of the settings where there are settings', async () => {
  const { call } = createCaller({ settings: { limits: { groups: 7 } } });
  const { limits } = await call('list_license_properties', { namespace: 'limits' });
  expect(Object.keys(limits)).toHaveLength(39);
  expect(limits).toMatchObject({ 'groups.base': 7, 'groups.additional': 0, 'groups.hard': 7, 'tags.base': -1 });
});

test('The namespace of the widget can have another name', async () => {
  const { call } = createCaller({ settings: { widgetNamespace: 'widget' } });
  expect(Object.keys(await call('list_properties', { owner_client_id: 'widget' }))).toContain('greeting_id');
  expect(await call('list_properties', { owner_client_id: 'lc2' })).toEqual({});
});

test('Publishing takes nothing from the owner client, and gives others what it says', async () => {
  const scopes = ['properties.configuration:rw', 'properties.license.value--all:rw'];
  const tokens = ['app', 'other'].map((client_id) => ({ token: client_id, client_id, scopes }));
  const access = { license: { agent: WRITE } };
  const { call, send } = createCaller({ seed: { tokens } });
  const as = (client: string) => ({ authorization: `Bearer ${client}` });
  const write = async (client: string) => {
    const { status, body } = await send('update_license_properties', app({ p: 1 }), as(client));
    return body.error?.type ?? status;
  };
  await call('register_property', { owner_client_id: 'app', name: 'p', type: 'int', access }, as('app'));
  expect([await write('app'), await write('other')]).toEqual([200, 'authorization']);
  expect(await call('list_license_properties', { namespace: 'app' }, as('other'))).toEqual({});
  expect(await call('list_properties', { owner_client_id: 'app' }, as('other'))).toEqual({});
  const publish = (access_type: readonly string[]) =>
    call('publish_property', { owner_client_id: 'app', name: 'p', access_type }, as('app'));
  await publish(WRITE);
  expect([await write('app'), await write('other')]).toEqual([200, 200]);
  await publish(READ);
  expect([await write('app'), await write('other')]).toEqual([200, 'authorization']);
  expect(await call('list_license_properties', { namespace: 'app' }, as('other'))).toEqual({ app: { p: 1 } });
});
