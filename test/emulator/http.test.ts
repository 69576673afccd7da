import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src/emulator/index.ts';
import { createCaller, PERSONAL } from './caller.ts';

test('A request without a credential is refused with `authentication`', async () => {
  const { send } = createCaller();
  const { status, body } = await send('list_agents', {}, { authorization: null });
  expect([status, body.error.type]).toEqual([401, 'authentication']);
});

test.each(['Bearer', 'Bearer ', 'Digest abc', 'Basic !!!', `Basic ${Buffer.from('no-colon').toString('base64')}`])(
  'The credential %j is refused with `authentication`',
  async (authorization) => {
    const { fail } = createCaller();
    expect(await fail('list_agents', {}, { authorization })).toBe('authentication');
  },
);

test('A bearer token and a personal access token are both accepted', async () => {
  const { call } = createCaller();
  expect(await call('list_groups', {}, { authorization: 'Bearer fra:anything' })).toHaveLength(1);
  expect(await call('list_groups', {}, { authorization: PERSONAL })).toHaveLength(1);
});

test.each([
  ['/v3.6/configuration/action/no_such_action', 404, 'not_found'],
  ['/v3.3/configuration/action/batch_create_agents', 404, 'not_found'],
  ['/v3.6/configuration/action/list_group_properties', 404, 'not_found'],
  ['/v3.3/configuration/action/list_groups_properties', 404, 'not_found'],
  ['/v3.4/configuration/action/list_agents', 404, 'unsupported_version'],
  ['/3.6/configuration/action/list_agents', 404, 'not_found'],
  ['/v3.6/agent/action/list_chats', 404, 'not_found'],
  ['/', 404, 'not_found'],
])('The path %s answers %d with %s', async (path, status, type) => {
  const { emulator } = createCaller();
  const headers = { authorization: 'Bearer x' };
  const response = await emulator.fetch(new Request(`http://emulator${path}`, { method: 'POST', headers }));
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error: { type } });
});

test.each([
  ['/configuration/action/list_agents', '3.5', 200, undefined],
  ['/configuration/action/list_agents', ' 3.7 ', 200, undefined],
  ['/configuration/action/list_agents', '3.4', 404, 'unsupported_version'],
  ['/configuration/action/list_group_properties', '3.6', 404, 'not_found'],
  ['/configuration/action/list_agents', null, 404, 'not_found'],
  ['/v3.3/configuration/action/list_groups_properties', '3.6', 404, 'not_found'],
  ['/customer/action/list_chats?organization_id=o', '3.6', 200, undefined],
  ['/customer/action/list_chats?license_id=1', '3.3', 200, undefined],
  ['/customer/action/list_chats?organization_id=o', '3.4', 404, 'unsupported_version'],
  ['/v3.6/customer/action/list_chats?organization_id=o', '3.2', 200, undefined],
])('%s with the header X-API-Version %j answers %d', async (path, version, status, type) => {
  const { emulator } = createCaller();
  const headers = {
    authorization: 'Bearer x',
    'content-type': 'application/json',
    ...(version === null ? {} : { 'x-api-version': version }),
  };
  const response = await emulator.fetch(new Request(`http://emulator${path}`, { method: 'POST', headers, body: '{}' }));
  expect(response.status).toBe(status);
  if (type !== undefined) expect(await response.json()).toMatchObject({ error: { type } });
});

test.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('The method %s is not allowed', async (method) => {
  const { send } = createCaller();
  const { status, body } = await send('create_group', '{}', { method });
  expect([status, body.error.type]).toEqual([405, 'validation']);
});

test('list_license_properties also answers a GET with its filter in the query', async () => {
  const { call } = createCaller();
  const found = await call('list_license_properties?namespace=limits&name_prefix=agents.base', undefined, {
    method: 'GET',
  });
  expect(found).toEqual({ limits: { 'agents.base': -1 } });
});

test.each([
  ['{"id":', 'broken JSON'],
  ['[]', 'an array'],
  ['"text"', 'a string'],
  ['7', 'a number'],
])('The body %s is refused with `validation`', async (text) => {
  const { send } = createCaller();
  const { status, body } = await send('list_agents', text);
  expect([status, body.error.type]).toEqual([400, 'validation']);
});

test('No body and a `null` body are an empty object', async () => {
  const { call } = createCaller();
  expect(await call('list_agents', '')).toHaveLength(1);
  expect(await call('list_agents', 'null')).toHaveLength(1);
});

test('A body that is not declared as JSON is refused, unless the setting allows it', async () => {
  const how = { headers: { 'content-type': 'text/plain' } };
  expect(await createCaller().fail('list_agents', {}, how)).toBe('validation');
  expect(await createCaller({ settings: { requireContentType: false } }).call('list_agents', {}, how)).toHaveLength(1);
});

test.each([{}, { 'content-length': '101' }])('A body above the limit is refused with status 413', async (headers) => {
  const { send } = createCaller({ settings: { limits: { bodyBytes: 100 } } });
  const long = JSON.stringify({ id: 'x'.repeat(200) });
  expect((await send('get_agent', long, { headers })).status).toBe(413);
  expect((await send('list_agents', '{}')).status).toBe(200);
});

test('Every reply says how long reads can lag', async () => {
  const { send } = createCaller({ propagationDelay: { from: 10, to: 5000 } });
  for (const action of ['list_agents', 'get_agent', 'nothing'])
    expect((await send(action)).headers.get('x-emulator-propagation-delay')).toBe('5000');
});

test('Only 3.3 carries a lifecycle header, with the date of the setting', async () => {
  const { send } = createCaller({
    settings: { lifecycle: { '3.3': { header: 'Legacy', date: '2030-05-06' }, '3.6': null } },
  });
  expect((await send('list_agents', {}, { version: '3.3' })).headers.get('legacy')).toBe('2030-05-06');
  const { headers } = await send('list_agents');
  expect([headers.get('legacy'), headers.get('deprecation')]).toEqual([null, null]);
});

test('A method without response payload answers {}, or nothing where the setting says so', async () => {
  const body = { id: 0, name: 'Everyone' };
  expect((await createCaller().send('update_group', body)).body).toEqual({});
  const strict = createCaller({ settings: { emptyReply: 'zero-bytes' } });
  expect(await strict.send('update_group', body)).toMatchObject({ status: 200, body: undefined });
  expect((await strict.send('update_license_properties', { properties: {} })).body).toEqual({});
});

test('A license in another data center answers `misdirected_request` with its region, in 3.6 only', async () => {
  const { send, call } = createCaller({ settings: { region: 'fra' } });
  const { status, body } = await send('list_agents');
  expect([status, body.error.type, body.error.data]).toEqual([421, 'misdirected_request', { region: 'fra' }]);
  expect(await call('list_agents', {}, { headers: { 'x-region': 'fra' } })).toHaveLength(1);
  // Official clients send an empty header for `dal`.
  const { call: inDal } = createCaller({ settings: { region: 'dal' } });
  for (const empty of ['', ' '])
    expect(await inDal('list_agents', {}, { headers: { 'x-region': empty } })).toHaveLength(1);
  expect(await call('list_agents', {}, { version: '3.3' })).toHaveLength(1);
});

test('Requests are counted by action, a batch once and a failure too', async () => {
  const { emulator, send } = createCaller();
  await send('batch_create_agents', { requests: [{}, {}] });
  await send('list_agents');
  await send('list_agents', {}, { authorization: null });
  await send('no_such_action');
  expect(emulator.stats()).toEqual({ batch_create_agents: 1, list_agents: 2 });
  emulator.resetStats();
  expect(emulator.stats()).toEqual({});
});

test('The status of an error type can be set', async () => {
  const { send } = createCaller({ settings: { statuses: { ...DEFAULT_SETTINGS.statuses, validation: 422 } } });
  expect((await send('get_agent')).status).toBe(422);
});

test('A token that was copied from a URL is refused, with the reason', async () => {
  const { status, body } = await createCaller().send('list_agents', {}, { authorization: 'Bearer dal%3Aabc' });
  expect([status, body.error.type]).toEqual([401, 'authentication']);
  expect(body.error.message).toContain('%3A');
});

test('3.3 can be set to look at the region too', async () => {
  const { send, call } = createCaller({ settings: { region: 'fra', regionIn33: 'checked' } }, '3.3');
  expect((await send('list_agents')).body.error.type).toBe('misdirected_request');
  expect(await call('list_agents', {}, { headers: { 'x-region': 'fra' } })).toHaveLength(1);
  // Official clients send an empty header for `dal`.
  const { call: inDal } = createCaller({ settings: { region: 'dal' } });
  for (const empty of ['', ' '])
    expect(await inDal('list_agents', {}, { headers: { 'x-region': empty } })).toHaveLength(1);
});

test('An action of the other version can be set to be `unsupported_version`, and one of none stays `not_found`', async () => {
  const { fail } = createCaller({ settings: { actionOfOtherVersion: 'unsupported_version' } });
  expect(await fail('batch_create_agents', {}, { version: '3.3' })).toBe('unsupported_version');
  expect(await fail('list_group_properties')).toBe('unsupported_version');
  expect(await fail('no_such_action')).toBe('not_found');
});

test('A license can have expired', async () => {
  const { send } = createCaller({ settings: { licenseExpired: true } });
  const { status, body } = await send('list_agents');
  expect([status, body.error.type]).toEqual([403, 'license_expired']);
  expect((await send('list_agents', {}, { authorization: null })).body.error.type).toBe('authentication');
});
