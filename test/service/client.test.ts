import nock from 'nock';
import { getGlobalDispatcher } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { InternalError } from '../../src/base/errors.ts';
import type { Version } from '../../src/base/model.ts';
import { readsOnly } from '../../src/service/client.ts';
import { type ActionName, CONFIGURATION } from '../../src/service/configuration.ts';
import { createHttpExchange } from '../../src/service/http.ts';
import type { ClientSettings } from '../../src/service/sender.ts';
import { clientWith, failureOf, HOST, reply, scripted, TOKEN } from './scripted.ts';

const isAction = (name: string): name is ActionName => Object.hasOwn(CONFIGURATION.actions, name);
const at36 = (action: string) => `/v3.6/configuration/action/${action}`;
const clientOnNock = (changes: Partial<ClientSettings<Version>> = {}) =>
  clientWith({ exchange: createHttpExchange(getGlobalDispatcher()), ...changes });

beforeAll(() => nock.disableNetConnect());
afterEach(() => {
  expect(nock.pendingMocks()).toEqual([]);
  nock.cleanAll();
});
afterAll(() => nock.enableNetConnect());

describe('a call', () => {
  test('A call is a POST of JSON to the action of the version, with the token as Bearer and no region', async () => {
    nock(HOST, { badheaders: ['x-region'] })
      .post(at36('get_agent'), { id: 'ann@example.com', fields: ['groups'] })
      .matchHeader('authorization', `Bearer ${TOKEN}`)
      .matchHeader('content-type', 'application/json')
      .reply(200, { id: 'ann@example.com', name: 'Zoë' });
    const client = clientOnNock();
    const agent = await client.call('get_agent', { id: 'ann@example.com', fields: ['groups'] });
    expect(agent).toEqual({ id: 'ann@example.com', name: 'Zoë' });
    expect(client.requests()).toEqual({ get_agent: 1 });
  });

  test('The version stands in the path, and a slash at the end of base_url is not doubled', async () => {
    nock(`${HOST}/proxy`).post('/v3.3/configuration/action/list_groups').reply(200, []);
    const client = clientOnNock({ version: '3.3', baseUrl: `${HOST}/proxy/` });
    expect(await client.call('list_groups', {})).toEqual([]);
    expect(client.version).toBe('3.3');
  });

  test('A personal access token travels as Basic with its account', async () => {
    const pair = Buffer.from(`account-1:${TOKEN}`).toString('base64');
    nock(HOST).post(at36('list_groups')).matchHeader('authorization', `Basic ${pair}`).reply(200, []);
    await clientOnNock({ credential: { kind: 'basic', accountId: 'account-1', token: TOKEN } }).call('list_groups', {});
  });

  test.each(['', '{}', '\n'])('The body %j is an empty result', async (body) => {
    nock(HOST).post(at36('delete_group')).reply(200, body);
    expect(await clientOnNock().call('delete_group', { id: 1 })).toEqual({});
  });

  test('A property that is named error is a result, not an error', async () => {
    const definitions = { error: { type: 'string', description: '', access: { license: { agent: ['read'] } } } };
    nock(HOST).post(at36('list_properties')).reply(200, definitions);
    expect(await clientOnNock().call('list_properties', { owner_client_id: 'c' })).toEqual(definitions);
  });

  test('An action that the version does not have is never sent', async () => {
    const { exchange, requests } = scripted();
    const client = clientWith({ exchange, version: '3.3' });
    await expect(client.call('list_bot_templates', { owner_client_id: 'c' })).rejects.toThrow(InternalError);
    expect(requests).toEqual([]);
  });
});

describe('a batch', () => {
  test('A batch is one request; its slots keep their order, and a slot that failed is data', async () => {
    nock(HOST)
      .post(at36('batch_create_agents'), { requests: [{ id: 'a' }, {}, { id: 'c' }] })
      .reply(200, {
        responses: [{ id: 'a' }, { error: { type: 'validation', message: 'id' } }, { error: { type: 'internal' } }],
      });
    const client = clientOnNock();
    const slots = await client.batch('create_agent', [{ id: 'a' }, {}, { id: 'c' }]);
    expect(slots).toEqual([
      { ok: { id: 'a' } },
      { error: expect.objectContaining({ action: 'create_agent', type: 'validation', status: 200, ambiguous: false }) },
      { error: expect.objectContaining({ action: 'create_agent', type: 'internal', ambiguous: true }) },
    ]);
    expect(client.requests()).toEqual({ batch_create_agents: 1 });
  });

  test('A slot whose error has an unknown form is a failure too', async () => {
    nock(HOST)
      .post(at36('batch_delete_bots'))
      .reply(200, { responses: [{ error: 'no' }, { error: null }] });
    expect(await clientOnNock().batch('delete_bot', [{ id: '1' }, { id: '2' }])).toEqual([
      { error: expect.objectContaining({ type: 'protocol', ambiguous: true }) },
      { error: expect.objectContaining({ type: 'protocol', ambiguous: true }) },
    ]);
  });

  test.each([{ responses: [{}] }, { responses: [{}, {}, {}] }, { responses: {} }, {}, [], ''])(
    'The answer %j to two requests is a protocol error, for no slot is known to be anyone’s',
    async (body) => {
      const client = clientWith({ exchange: scripted(reply(200, body)).exchange });
      expect(await failureOf(client.batch('update_agent', [{}, {}]))).toMatchObject({
        action: 'batch_update_agents',
        type: 'protocol',
        ambiguous: true,
      });
    },
  );

  test('An error of the whole batch is thrown', async () => {
    nock(HOST)
      .post(at36('batch_update_bots'))
      .reply(403, { error: { type: 'authorization', message: 'no' } });
    expect(await failureOf(clientOnNock().batch('update_bot', [{}]))).toMatchObject({ type: 'authorization' });
  });

  test('A batch of nothing sends nothing', async () => {
    const { exchange, requests } = scripted();
    expect(await clientWith({ exchange }).batch('create_bot', [])).toEqual([]);
    expect(requests).toEqual([]);
  });

  test.each([
    ['create_agent', '3.3'],
    ['create_group', '3.6'],
  ] as const)('%s has no batch in %s', async (action, version) => {
    const { exchange, requests } = scripted();
    await expect(clientWith({ exchange, version }).batch(action, [{}])).rejects.toThrow(InternalError);
    expect(requests).toEqual([]);
  });
});

describe('planning', () => {
  test('A client for planning sends every read and refuses everything else before it is sent', async () => {
    for (const name of Object.keys(CONFIGURATION.actions).filter(isAction)) {
      const action = CONFIGURATION.actions[name];
      const { exchange, requests } = scripted(reply(200, []));
      const version = action.versions.at(-1) ?? '3.6';
      const client = readsOnly(clientWith({ exchange, version }));
      if (action.effect === 'read') await client.call(name, {});
      else await expect(client.call(name, {})).rejects.toThrow(InternalError);
      await expect(client.batch(name, [{}])).rejects.toThrow(InternalError);
      expect(requests).toHaveLength(action.effect === 'read' ? 1 : 0);
    }
  });

  test('Its requests are counted with those of the client that it was made from', async () => {
    const client = clientWith({ exchange: scripted(reply(200, [])).exchange });
    await readsOnly(client).call('list_groups', {});
    expect(client.requests()).toEqual({ list_groups: 1 });
  });
});
