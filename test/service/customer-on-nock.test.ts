// Requests of the Customer Chat Web API as they leave: the query, the account, the token, the data centre, files and retries.

import { Readable } from 'node:stream';
import nock from 'nock';
import { getGlobalDispatcher } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import type { CustomerVersion } from '../../src/base/model.ts';
import { createClient } from '../../src/service/client.ts';
import { CUSTOMER } from '../../src/service/customer.ts';
import { createHttpExchange } from '../../src/service/http.ts';
import { patient } from '../../src/service/patience/retry.ts';
import type { ClientSettings } from '../../src/service/sender.ts';
import { uploadOf } from '../../src/service/upload.ts';
import { failureOf, HOST, NOW, reply, scripted, TOKEN } from './scripted.ts';

const ACCOUNTS = { '3.3': '1234', '3.5': 'org-1', '3.6': 'org-1', '3.7': 'org-1' } as const;
const at = (action: string, version: CustomerVersion = '3.7') => `/v${version}/customer/action/${action}`;

function clientWith({ version = '3.7', ...changes }: Partial<ClientSettings<CustomerVersion>> = {}) {
  return createClient(CUSTOMER, {
    baseUrl: HOST,
    version,
    account: ACCOUNTS[version],
    credential: { kind: 'bearer', token: TOKEN },
    exchange: createHttpExchange(getGlobalDispatcher()),
    clock: { now: () => NOW },
    ...changes,
  });
}

const patiently = (changes: Partial<ClientSettings<CustomerVersion>>) =>
  patient(clientWith(changes), { clock: { now: () => NOW, sleep: async () => {} }, random: () => 0, concurrency: 4 });

beforeAll(() => nock.disableNetConnect());
afterEach(() => {
  expect(nock.pendingMocks()).toEqual([]);
  nock.cleanAll();
});
afterAll(() => nock.enableNetConnect());

describe('the account', () => {
  test.each([
    ['3.3', { license_id: '1234' }],
    ['3.7', { organization_id: 'org-1' }],
  ] as const)('Every request of %s names it in the query, a POST as well as a GET', async (version, account) => {
    nock(HOST).post(at('list_chats', version), { limit: 5 }).query(account).reply(200, { total_chats: 0 });
    nock(HOST)
      .get(at('get_localization', version))
      .query({ ...account, group_id: '0', language: 'pl', version: 'a_b' })
      .reply(200, { Hello: 'Cześć' });
    const client = clientWith({ version });
    expect(await client.call('list_chats', { limit: 5 })).toEqual({ total_chats: 0 });
    const localization = await client.call('get_localization', { group_id: 0, language: 'pl', version: 'a_b' });
    expect(localization).toEqual({ Hello: 'Cześć' });
    expect(client.requests()).toEqual({ list_chats: 1, get_localization: 1 });
  });

  test('It is refused before anything is sent when it is missing or has the wrong form', () => {
    const settings = { baseUrl: HOST, credential: null, exchange: scripted().exchange, clock: { now: () => NOW } };
    expect(() => createClient(CUSTOMER, { ...settings, version: '3.3' })).toThrow('`license_id`');
    expect(() => createClient(CUSTOMER, { ...settings, version: '3.7' })).toThrow('`organization_id`');
    expect(() => clientWith({ version: '3.3', account: 'org-1' })).toThrow('which is a whole number');
    expect(() => clientWith({ account: 'my org' })).toThrow(UsageError);
  });
});

describe('a query', () => {
  test('Texts, numbers and truth values travel in it as they are, null not at all, and the body is empty', async () => {
    const { exchange, requests } = scripted(reply(200, {}));
    const url = 'https://shop.example/a b?x=1&y=ü+#z';
    await clientWith({ exchange }).call('get_dynamic_configuration', {
      url,
      test: true,
      group_id: 7,
      channel_type: null,
    });
    expect(requests[0]).toMatchObject({ method: 'GET', body: '', headers: { 'content-type': 'application/json' } });
    const sent = new URL(requests[0]?.url ?? '');
    expect(Object.fromEntries(sent.searchParams)).toEqual({
      organization_id: 'org-1',
      url,
      test: 'true',
      group_id: '7',
    });
    expect(sent.search).not.toContain('+');
  });

  test('An object cannot travel in it, and is refused by its name', async () => {
    const { exchange, requests } = scripted();
    const asking = clientWith({ exchange }).call('get_configuration', { group_id: { id: 1 } });
    await expect(asking).rejects.toThrow('`group_id` travels in the query');
    expect(requests).toEqual([]);
  });
});

describe('the token', () => {
  const headersOf = (requests: ReturnType<typeof scripted>['requests'], name: string) =>
    requests.map(({ headers }) => headers[name]);
  const refused = (type: string) => reply(401, { error: { type, message: 'no' } });

  test.each(['3.3', '3.7'] as const)('In %s its prefix names the data centre', async (version) => {
    const { exchange, requests } = scripted(reply(200, {}));
    await clientWith({ exchange, version, credential: { kind: 'bearer', token: 'fra:t0ken' } }).call(
      'get_customer',
      {},
    );
    expect(headersOf(requests, 'x-region')).toEqual(['fra']);
    expect(headersOf(requests, 'authorization')).toEqual(['Bearer fra:t0ken']);
  });

  test('Without one, actions that need none are sent, and the others are refused before they are', async () => {
    const { exchange, requests } = scripted(reply(200, {}));
    const client = clientWith({ exchange, credential: null });
    await client.call('list_license_properties', { namespace: 'shop' });
    await expect(client.call('list_chats', {})).rejects.toThrow('list_chats needs a token');
    expect(requests.map(({ headers }) => headers)).toEqual([{ 'content-type': 'application/json' }]);
  });

  test.each(['authentication', 'authorization', 'customer_banned'])(
    'One that is refused with %s is left out where none is needed',
    async (type) => {
      const { exchange, requests } = scripted(refused(type), reply(200, { group_id: 3 }));
      expect(await clientWith({ exchange }).call('get_dynamic_configuration', {})).toEqual({ group_id: 3 });
      expect(headersOf(requests, 'authorization')).toEqual([`Bearer ${TOKEN}`, undefined]);
    },
  );

  test('One that is wrong is not sent again to such actions, and to the others it still is', async () => {
    const { exchange, requests } = scripted(
      refused('authentication'),
      reply(200, {}),
      reply(200, {}),
      refused('authentication'),
    );
    const client = clientWith({ exchange });
    await client.call('get_dynamic_configuration', {});
    await client.call('list_license_properties', {});
    expect(await failureOf(client.call('get_customer', {}))).toMatchObject({ type: 'authentication' });
    expect(headersOf(requests, 'authorization')).toEqual([`Bearer ${TOKEN}`, undefined, undefined, `Bearer ${TOKEN}`]);
  });

  test('When the service needs one after all, its refusal of the token is the failure', async () => {
    const first = reply(403, { error: { type: 'authorization', message: 'not yours' } });
    const { exchange, requests } = scripted(first, refused('authentication'));
    const failure = await failureOf(clientWith({ exchange }).call('get_configuration', { group_id: 0, version: '1' }));
    expect(failure).toMatchObject({ type: 'authorization', message: 'not yours' });
    expect(requests).toHaveLength(2);
  });

  test('A personal access token is refused', () => {
    expect(() => clientWith({ credential: { kind: 'basic', accountId: 'a', token: 'b' } })).toThrow(
      'this API does not take a personal access token',
    );
  });
});

describe('headers of the caller', () => {
  test('Such as the page of a chat, they travel next to those of the client', async () => {
    nock(HOST, { reqheaders: { referer: 'https://shop.example/pricing', authorization: `Bearer ${TOKEN}` } })
      .post(at('start_chat'), {})
      .query({ organization_id: 'org-1' })
      .reply(200, { chat_id: 'A', thread_id: 'B' });
    const headers = { Referer: 'https://shop.example/pricing' };
    expect(await clientWith().call('start_chat', {}, { headers })).toEqual({ chat_id: 'A', thread_id: 'B' });
  });

  test.each([
    ['Authorization', 'Bearer other'],
    ['X-Region', 'fra'],
    ['Content-Length', '1'],
    ['Referer', 'a\r\nx: y'],
    ['Ref erer', 'x'],
  ])('%s: %j is refused', async (name, value) => {
    const { exchange, requests } = scripted();
    await expect(clientWith({ exchange }).call('get_customer', {}, { headers: { [name]: value } })).rejects.toThrow(
      UsageError,
    );
    expect(requests).toEqual([]);
  });
});

describe('a file', () => {
  const text = 'one, two and three';
  const pieces = () => Readable.from([Buffer.from('one, '), Buffer.from('two '), Buffer.from('and three')]);
  const upload = (size?: number) =>
    uploadOf(
      { content: pieces(), name: 'żółw "1".txt', type: 'text/plain', ...(size === undefined ? {} : { size }) },
      100,
    );

  test('It leaves as a multipart form with its name, its type and the length of the whole', async () => {
    const seen: { readonly type: string; readonly length: string; readonly body: string }[] = [];
    nock(HOST)
      .post(at('upload_file'))
      .query({ organization_id: 'org-1' })
      .reply(async (request) => {
        const header = (name: string) => String(request.headers.get(name));
        seen.push({ type: header('content-type'), length: header('content-length'), body: await request.text() });
        return [200, { url: 'https://cdn.example/1' }];
      });
    expect(await clientWith().call('upload_file', {}, { upload: await upload(text.length) })).toEqual({
      url: 'https://cdn.example/1',
    });
    const boundary = /^multipart\/form-data; boundary=(\S+)$/.exec(seen[0]?.type ?? '')?.[1];
    expect(seen[0]?.body).toBe(
      [
        `--${boundary}`,
        'content-disposition: form-data; name="file"; filename="żółw %221%22.txt"',
        'content-type: text/plain',
        '',
        text,
        `--${boundary}--`,
        '',
      ].join('\r\n'),
    );
    expect(seen[0]?.length).toBe(String(Buffer.byteLength(seen[0]?.body ?? '')));
  });

  test('An action that sends one is not sent without, and no other takes one', async () => {
    const { exchange, requests } = scripted();
    const client = clientWith({ exchange });
    await expect(client.call('upload_file', {})).rejects.toThrow('upload_file sends a file, and none is given');
    await expect(client.call('get_customer', {}, { upload: await upload() })).rejects.toThrow(
      'get_customer does not send',
    );
    expect(requests).toEqual([]);
  });

  test('A stream that can be read once is sent once, although the refusal would allow another attempt', async () => {
    const busy = reply(429, { error: { type: 'too_many_requests', message: '' } });
    const once = scripted(busy);
    const failure = failureOf(
      patiently({ exchange: once.exchange }).call('upload_file', {}, { upload: await upload(18) }),
    );
    expect(await failure).toMatchObject({ type: 'too_many_requests' });
    const again = scripted(busy, reply(200, { url: 'u' }));
    const read = await patiently({ exchange: again.exchange }).call('upload_file', {}, { upload: await upload() });
    expect([read, again.requests.length]).toEqual([{ url: 'u' }, 2]);
  });

  test('A stream that can be read once does not follow to another data centre', async () => {
    const away = reply(421, { error: { type: 'misdirected_request', message: '', data: { region: 'fra' } } });
    const { exchange, requests } = scripted(away);
    const failure = await failureOf(clientWith({ exchange }).call('upload_file', {}, { upload: await upload(18) }));
    expect([failure.type, requests.length]).toEqual(['misdirected_request', 1]);
  });
});

describe('an end that leaves the effect unknown', () => {
  const lost = { failure: { phase: 'sent', kind: 'reset', detail: 'ECONNRESET' } } as const;
  const actions = Object.entries(CUSTOMER.actions);

  test.each(actions)('%s is repeated exactly if it is no create', async (name, { versions, effect, upload: form }) => {
    const version = versions.includes('3.7') ? '3.7' : '3.3';
    const { exchange, requests } = scripted(lost, reply(200, {}));
    const file =
      form === undefined ? {} : { upload: await uploadOf({ content: Buffer.from('x'), name: 'x', type: 'a/b' }, 9) };
    const call = patiently({ exchange, version }).call(name as 'get_chat', {}, file);
    if (effect === 'create') expect(await failureOf(call)).toMatchObject({ ambiguous: true, type: 'connection' });
    else expect(await call).toEqual({});
    expect(requests).toHaveLength(effect === 'create' ? 1 : 2);
  });
});
