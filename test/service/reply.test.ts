import nock from 'nock';
import { getGlobalDispatcher } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Version } from '../../src/base/model.ts';
import type { ActionName } from '../../src/service/configuration.ts';
import { createHttpExchange } from '../../src/service/http.ts';
import type { ClientSettings } from '../../src/service/sender.ts';
import { clientWith, failureOf, HOST, scripted } from './scripted.ts';

const at36 = (action: string) => `/v3.6/configuration/action/${action}`;
const clientOnNock = (changes: Partial<ClientSettings<Version>> = {}) =>
  clientWith({ exchange: createHttpExchange(getGlobalDispatcher()), ...changes });

beforeAll(() => nock.disableNetConnect());
afterEach(() => {
  expect(nock.pendingMocks()).toEqual([]);
  nock.cleanAll();
});
afterAll(() => nock.enableNetConnect());

describe('an error', () => {
  test.each(['validation', 'not_found', 'a_type_of_tomorrow'])('The type %s of an envelope is kept', async (type) => {
    nock(HOST)
      .post(at36('update_group'))
      .reply(400, { error: { type, message: 'why' } }, { 'x-debug-id': 'd-1' });
    expect(await failureOf(clientOnNock().call('update_group', { id: 1 }))).toEqual({
      api: 'Configuration API',
      action: 'update_group',
      type,
      message: 'why',
      status: 400,
      ambiguous: false,
      debugId: 'd-1',
      retryAfter: null,
      data: null,
    });
  });

  test('An envelope in a success is still an error', async () => {
    nock(HOST)
      .post(at36('list_agents'))
      .reply(200, { error: { type: 'authorization', message: 'no' } });
    expect(await failureOf(clientOnNock().call('list_agents', {}))).toMatchObject({
      type: 'authorization',
      status: 200,
    });
  });

  test.each([
    ['internal', true],
    ['request_timeout', true],
    ['service_unavailable', true],
    ['a_type_of_tomorrow', true],
    ['too_many_requests', false],
    ['limit_reached', false],
  ])('After the type %s the effect is unknown: %s', async (type, ambiguous) => {
    nock(HOST)
      .post(at36('create_group'))
      .reply(500, { error: { type, message: '' } });
    expect(await failureOf(clientOnNock().call('create_group', {}))).toMatchObject({ type, ambiguous });
  });

  test.each([
    [200, 'protocol', true],
    [302, 'protocol', true],
    [400, 'protocol', true],
    [401, 'authentication', true],
    [403, 'protocol', true],
    [404, 'protocol', true],
    [413, 'protocol', false],
    [429, 'too_many_requests', true],
    [500, 'internal', true],
    [502, 'protocol', true],
    [503, 'service_unavailable', true],
    [504, 'request_timeout', true],
  ])('A page with status %i is a failure of type %s', async (status, type, ambiguous) => {
    nock(HOST).post(at36('create_group')).reply(status, '<html>\u001b[31mnginx\u0007</html>');
    const failure = await failureOf(clientOnNock().call('create_group', {}));
    expect(failure).toMatchObject({ type, status, ambiguous });
    expect(failure.message).toContain('nginx');
    expect(failure.message).not.toMatch(/\p{Cc}/u);
  });

  test('A page is quoted in short', async () => {
    nock(HOST).post(at36('list_groups')).reply(200, 'x'.repeat(10_000));
    expect((await failureOf(clientOnNock().call('list_groups', {}))).message.length).toBeLessThan(400);
  });

  test.each<ActionName>(['create_bot', 'create_bot_template', 'reset_bot_secret'])(
    'A half answer of %s is not quoted, for it may hold the secret',
    async (action) => {
      nock(HOST).post(at36(action)).reply(200, '{"id":"b1","secret":"hush-hush"');
      const failure = await failureOf(clientOnNock().call(action, {}));
      expect(failure.type).toBe('protocol');
      expect(JSON.stringify(failure)).not.toContain('hush');
    },
  );

  test.each([
    ['7', 7000],
    ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
    ['Friday, 20-Nov-26 12:00:30 GMT', 30_000],
    ['Fri Nov 20 12:00:30 2026', 30_000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['soon', null],
    ['-5', null],
    ['Soon, perhaps', null],
  ])('Retry-After %j waits %s ms', async (value, retryAfter) => {
    nock(HOST)
      .post(at36('list_groups'))
      .reply(429, { error: { type: 'too_many_requests', message: '' } }, { 'Retry-After': value });
    expect(await failureOf(clientOnNock().call('list_groups', {}))).toMatchObject({ retryAfter });
  });

  test('A request that was lost before it left is not counted and not ambiguous', async () => {
    const { exchange } = scripted({ failure: { phase: 'connect', kind: 'refused', detail: 'ECONNREFUSED' } });
    const client = clientWith({ exchange });
    expect(await failureOf(client.call('create_group', {}))).toMatchObject({
      type: 'connection',
      status: null,
      ambiguous: false,
    });
    expect(client.requests()).toEqual({});
  });

  test.each([
    ['reset', 'connection'],
    ['timeout', 'timeout'],
    ['aborted', 'aborted'],
    ['malformed', 'protocol'],
    ['too-large', 'response_too_large'],
  ] as const)('A request that was lost after it left (%s) is counted, of type %s and ambiguous', async (kind, type) => {
    const client = clientWith({ exchange: scripted({ failure: { phase: 'sent', kind, detail: 'gone' } }).exchange });
    expect(await failureOf(client.call('create_group', {}))).toMatchObject({ type, status: null, ambiguous: true });
    expect(client.requests()).toEqual({ create_group: 1 });
  });
});
