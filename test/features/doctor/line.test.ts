// The line to the service: whether anybody answers, whether anybody else can listen, where it leads, and what time it is there.

import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator, listen, type Scenario } from '../../../src/emulator/index.ts';
import { checkEncryption, clockSkew } from '../../../src/features/doctor/line.ts';
import type { Attempt } from '../../../src/features/doctor/observed.ts';
import { TLS } from '../../certificates/tls.ts';
import { looked } from './target.ts';

const LOOPBACK = /^127\.0\.0\.1:\d+ /;

test('A service that answers is a service in reach', async () => {
  const { line, code } = await looked();
  expect(line('address')).toMatch(/^ok: 127\.0\.0\.1:\d+ answers in \d+\.\d s$/);
  expect(line('encryption')).toBe('ok: none, and none is needed: nothing leaves this machine');
  expect(code).toBe(0);
});

function fault(...faults: Scenario['faults']): { readonly emulator: { readonly scenario: Scenario } } {
  return { emulator: { scenario: { faults } } };
}

test('What had to be sent again is a warning, and is counted', async () => {
  const { line, document, code } = await looked(fault({ type: 'reset', times: 1 }));
  expect(line('address')).toContain('but 1 of 5 requests had to be sent again');
  expect(document['requests_sent']).toMatchObject({ list_agents: 2, list_groups: 1 });
  expect(code).toBe(0);
});

test('A line that only breaks is given up after three attempts, and nothing else is asked on it', async () => {
  const { line, emulator, code, statuses } = await looked(fault({ type: 'reset' }));
  expect(line('address')).toMatch(/^problem: .* does not answer: .* -> something on the way ends connections/);
  expect(emulator.stats()).toEqual({ list_agents: 3 });
  expect([code, statuses.ledger, statuses.manifest, statuses.credential, statuses.plan]).toEqual([
    1,
    'ok',
    'ok',
    'unchecked',
    'unchecked',
  ]);
});

test('A service that asks to come back later is not waited for', async () => {
  const { line, emulator, waited } = await looked(
    fault({ type: 'error', error: 'too_many_requests', retry_after: 3600 }),
  );
  expect(line('address')).toContain('with too_many_requests');
  expect([emulator.stats(), waited]).toEqual([{ list_agents: 1 }, 0]);
});

test('One question that the service fails at hides none of the others', async () => {
  const { line, statuses, emulator } = await looked(
    fault({ type: 'error', error: 'internal', actions: ['list_groups'] }),
  );
  expect(line('address')).toContain('with internal');
  expect(Object.keys(emulator.stats())).toEqual(
    expect.arrayContaining(['list_agents', 'list_auto_accesses', 'list_license_properties']),
  );
  expect([statuses.credential, statuses.version, statuses.limits, statuses.plan]).toEqual([
    'ok',
    'ok',
    'ok',
    'unchecked',
  ]);
});

test('A page that is not of this API says that base_url is wrong', async () => {
  const { line, emulator, statuses } = await looked(
    fault({ type: 'error', error: 'internal', envelope: false, status: 404 }),
  );
  expect(line('address')).toMatch(/^problem: .*not an answer of this API.* -> .*check base_url/);
  expect([statuses.credential, statuses.version]).toEqual(['unchecked', 'unchecked']);
  expect(emulator.stats()).toEqual({ list_agents: 1 });
});

test('Where nobody listens, nothing is sent, and the rest is looked at all the same', async () => {
  const { line, document, statuses, waited } = await looked({ flags: ['--base-url', 'http://127.0.0.1:1'] });
  expect(line('address')).toMatch(/^problem: 127\.0\.0\.1:1 does not answer: .*ECONNREFUSED.* -> check host and port/);
  expect([document['requests_sent'], statuses.manifest, statuses.ledger, waited < 1000]).toEqual([
    {},
    'ok',
    'ok',
    true,
  ]);
});

test('A license file that is none is a problem of the address', async () => {
  const { line, statuses } = await looked({
    files: { 'license.json': '[', 'manifest.yaml': 'version: 1\n' },
    flags: ['-f', 'manifest.yaml', '--base-url', 'emulator:license.json'],
  });
  expect(line('address')).toContain('problem: license.json cannot be used as a license');
  expect(statuses.manifest).toBe('ok');
});

test('A certificate that nobody here trusts is a problem, with what to do', async () => {
  const emulator = createEmulator({ now: Date.now, random: Math.random });
  const server = await listen(emulator, { port: 0, host: '127.0.0.1', tls: TLS });
  onTestFinished(() => server.close());
  const { line, document } = await looked({ flags: ['--base-url', server.url] });
  expect(line('encryption')).toMatch(
    /^problem: the certificate is not trusted: .*self-signed.* -> .*NODE_EXTRA_CA_CERTS/,
  );
  expect([line('address'), document['requests_sent']]).toEqual([expect.stringContaining('unchecked'), {}]);
});

test('What speaks no TLS is a problem of the encryption too', async () => {
  const server = createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  expect((await looked({ flags: ['--base-url', `https://127.0.0.1:${port}`] })).line('encryption')).toContain(
    'problem: ',
  );
});

test('Without encryption, a token that leaves this machine is a warning', () => {
  const subject = { target: 'x', version: '3.6', tokenEnv: 'X', credential: 'bearer' } as const;
  const silent = {
    attempts: [],
    answers: [],
    stage: null,
    noCredential: null,
    noConnection: null,
    allowances: null,
    shared: [],
  };
  const statusOf = (baseUrl: string) => checkEncryption({ ...subject, baseUrl }, silent).status;
  expect(statusOf('http://api.example.com')).toBe('warning');
  expect(['http://localhost:8080', 'http://[::1]:8080', 'http://127.0.0.1'].map(statusOf)).toEqual(['ok', 'ok', 'ok']);
  expect([statusOf('emulator:x.json'), statusOf('https://api.example.com')]).toEqual(['ok', 'unchecked']);
});

test('The data centre of the token is that of the license', async () => {
  const fra = { emulator: { settings: { region: 'fra' } } } as const;
  const right = await looked({ ...fra, env: { CHATFORM_TOKEN: 'fra:open-sesame' } });
  expect(right.line('region')).toBe('ok: requests go to fra');
  const wrong = await looked(fra);
  expect(wrong.line('region')).toMatch(/^warning: the license is in fra, and the token says dal.* -> .*`fra:`/);
  expect(wrong.document['requests_sent']).toMatchObject({ list_agents: 2, list_groups: 1 });
});

// The refusal names a region, where the same request is asked once.
test('A license that no data centre has is a problem', async () => {
  const { line, emulator } = await looked(fault({ type: 'error', error: 'misdirected_request' }));
  expect(line('region')).toMatch(/^problem: no data centre has the license/);
  expect(emulator.stats()).toEqual({ list_agents: 2 });
});

test.each([
  [4_000, 'ok'],
  [-4_000, 'ok'],
  [30_000, 'warning'],
  [-30_000, 'warning'],
  [120_000, 'problem'],
  [-120_000, 'problem'],
] as const)('A clock that is off by %i ms: %s', async (by, status) => {
  const { line, statuses, document } = await looked(fault({ type: 'clock_skew', by }));
  expect([statuses.clock, status === 'ok' || line('clock').includes(by > 0 ? 'behind' : 'ahead of')]).toEqual([
    status,
    true,
  ]);
  expect(Math.abs(Number(document['clock_skew_ms']) - by)).toBeLessThanOrEqual(1000);
});

test('A reply is not taken for late because the header has whole seconds, nor because it took long', () => {
  const attempt = (sent: number, received: number, date: number | null): Attempt => ({
    ...{ region: null, status: 200, failure: null },
    ...{ sent, received, date },
  });
  expect(clockSkew([attempt(5_999, 5_999, 5_000)])).toBe(0);
  expect(clockSkew([attempt(5_000, 9_000, 8_000)])).toBe(0);
  expect(clockSkew([attempt(5_000, 9_000, 20_000), attempt(9_000, 9_100, 20_000)])).toBe(11_000);
  expect([clockSkew([]), clockSkew([attempt(1, 2, null)])]).toEqual([null, null]);
});

test('The address is named as a host, never with a path or a query that may hold something', async () => {
  expect((await looked()).line('address').replace('ok: ', '')).toMatch(LOOPBACK);
});
