import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import type { Exchange } from '../../src/service/exchange.ts';
import { clientWith, failureOf, NOW, reply, scripted } from './scripted.ts';

describe('data centres', () => {
  const misdirected = (region: unknown) => ({
    error: { type: 'misdirected_request', message: 'wrong region', data: { region } },
  });
  const regionsOf = (requests: readonly Parameters<Exchange>[0][]) => requests.map((sent) => sent.headers['x-region']);

  test.each([
    ['3.6', 'fra:t0ken', 'fra'],
    ['3.6', 'dal:t0ken', undefined],
    ['3.3', 'fra:t0ken', undefined],
  ] as const)('In %s the token %s asks for the region %s', async (version, token, region) => {
    const { exchange, requests } = scripted(reply(200, []));
    await clientWith({ exchange, version, credential: { kind: 'bearer', token } }).call('list_groups', {});
    expect(regionsOf(requests)).toEqual([region]);
  });

  test('A misdirected request is sent once more to the region that was named, which later requests remember', async () => {
    const { exchange, requests } = scripted(reply(421, misdirected('fra')), reply(200, { id: 1 }), reply(200, []));
    const client = clientWith({ exchange });
    expect(await client.call('create_group', { name: 'a' })).toEqual({ id: 1 });
    await client.call('list_groups', {});
    expect(regionsOf(requests)).toEqual([undefined, 'fra', 'fra']);
    expect(client.requests()).toEqual({ create_group: 2, list_groups: 1 });
  });

  test('Requests that were under way together are each sent once more', async () => {
    const { exchange, requests } = scripted(
      reply(421, misdirected('fra')),
      reply(421, misdirected('fra')),
      reply(200, []),
      reply(200, []),
    );
    const client = clientWith({ exchange });
    await Promise.all([client.call('list_groups', {}), client.call('list_agents', {})]);
    expect(regionsOf(requests)).toEqual([undefined, undefined, 'fra', 'fra']);
  });

  test('Two regions that point at each other end after one more request', async () => {
    const { exchange, requests } = scripted(reply(421, misdirected('fra')), reply(421, misdirected('dal')));
    const failure = await failureOf(clientWith({ exchange }).call('list_groups', {}));
    expect(failure).toMatchObject({ type: 'misdirected_request', data: { region: 'dal' }, ambiguous: false });
    expect(requests).toHaveLength(2);
  });

  test.each([undefined, 7, '', 'fra\r\nx-evil: 1', 'fra'])(
    'The region %j is not followed by a fra client',
    async (region) => {
      const { exchange, requests } = scripted(reply(421, misdirected(region)));
      const client = clientWith({ exchange, credential: { kind: 'bearer', token: 'fra:t0ken' } });
      expect(await failureOf(client.call('list_groups', {}))).toMatchObject({ type: 'misdirected_request' });
      expect(requests).toHaveLength(1);
    },
  );
});

describe('observers', () => {
  test('The end of a version is told once for each header, with its date', async () => {
    const notices: unknown[] = [];
    const { exchange } = scripted(
      reply(200, [], { legacy: '2027-01-31' }),
      reply(400, { error: { type: 'validation', message: '' } }, { deprecation: '2027-06-30' }),
      reply(200, [], { legacy: '2027-01-31', deprecation: '2027-06-30' }),
    );
    const client = clientWith({ exchange, onNotice: (notice) => notices.push(notice) });
    await client.call('list_groups', {});
    await failureOf(client.call('list_groups', {}));
    await client.call('list_groups', {});
    expect(notices).toEqual([
      { header: 'legacy', date: '2027-01-31' },
      { header: 'deprecation', date: '2027-06-30' },
    ]);
  });

  test('The stage is that of the last reply, and without a header that of the table', async () => {
    const { exchange } = scripted(
      reply(200, [], { legacy: '2027-01-31' }),
      reply(200, [], { legacy: '2027-01-31', deprecation: '2027-06-30' }),
      reply(200, [], {}),
    );
    const client = clientWith({ exchange });
    expect(client.stage()).toBeNull();
    await client.call('list_groups', {});
    expect(client.stage()).toEqual({ name: 'legacy', ends: '2027-01-31' });
    await client.call('list_groups', {});
    expect(client.stage()).toEqual({ name: 'deprecated', ends: '2027-06-30' });
    await client.call('list_groups', {});
    expect(client.stage()).toEqual({ name: 'stable' });
    const older = clientWith({ exchange: scripted(reply(200, [], {})).exchange, version: '3.3' });
    await older.call('list_groups', {});
    expect(older.stage()).toEqual({ name: 'unknown' });
  });

  test('A header without a date is told with none', async () => {
    const notices: unknown[] = [];
    const { exchange } = scripted(reply(200, [], { deprecation: 'true' }));
    await clientWith({ exchange, onNotice: (notice) => notices.push(notice) }).call('list_groups', {});
    expect(notices).toEqual([{ header: 'deprecation', date: null }]);
  });

  test('Every request that ends is told with its status, its duration and its debug id', async () => {
    const seen: unknown[] = [];
    let now = NOW;
    const { exchange } = scripted(reply(200, [], { 'x-debug-id': 'd-9' }), {
      failure: { phase: 'connect', kind: 'dns', detail: 'ENOTFOUND' },
    });
    const slow: Exchange = (request) => {
      now += 40;
      return exchange(request);
    };
    const client = clientWith({
      exchange: slow,
      clock: { now: () => now },
      onRequest: (request) => seen.push(request),
    });
    await client.call('list_groups', {});
    await failureOf(client.call('list_agents', {}, { attempt: 3 }));
    expect(seen).toEqual([
      { action: 'list_groups', attempt: 1, status: 200, durationMs: 40, debugId: 'd-9', failure: null },
      {
        action: 'list_agents',
        attempt: 3,
        status: null,
        durationMs: 40,
        debugId: null,
        failure: expect.objectContaining({ type: 'connection', message: 'ENOTFOUND' }),
      },
    ]);
  });

  test('The time-out of a request is 30 seconds unless the settings say otherwise, and the signal goes along', async () => {
    const { exchange, requests } = scripted(reply(200, []));
    const { signal } = new AbortController();
    await clientWith({ exchange }).call('list_groups', {}, { signal });
    expect(requests[0]).toMatchObject({ timeout: 30_000, signal });
    const short = scripted(reply(200, []));
    await clientWith({ exchange: short.exchange, timeout: 5 }).call('list_groups', {});
    expect(short.requests[0]).toMatchObject({ timeout: 5 });
    expect(short.requests[0]).not.toHaveProperty('signal');
  });
});

test.each(['', 'api.example.test', 'ftp://x', 'https://u:p@x', 'https://x?a=1', 'https://x#a'])(
  'The base_url %j is refused',
  (baseUrl) => {
    expect(() => clientWith({ baseUrl })).toThrow(UsageError);
  },
);
