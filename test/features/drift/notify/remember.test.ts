// After a look: what is remembered, who is told, and that no text gives an address, a secret or a token away.

import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../../../../src/base/errors.ts';
import { showError, showWarning } from '../../../../src/command/result.ts';
import { textLog } from '../../../../src/command/terminal.ts';
import { type SightingsStore, sightingsIn } from '../../../../src/features/drift/notify/read-sightings.ts';
import { notifyMode, type Remembering, remember } from '../../../../src/features/drift/notify/remember.ts';
import type { DriftCheck, DriftItem } from '../../../../src/features/drift/schema.ts';
import { sightingsFile } from '../../../../src/ledger/sightings-file.ts';
import type { NotifySettings } from '../../../../src/project/notify-settings.ts';
import { folder } from '../../../cli/chatform.ts';
import { fakeTerminal } from '../../../cli/terminal.ts';
import { leaked, mark } from '../../../secrets/marks.ts';
import { seededRandom } from '../../../world.ts';
import { CALM, FAILED, ITEMS, REPORT, SEEN } from '../example.ts';

interface Arrived {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const BOTH: NotifySettings = {
  channels: [
    { type: 'webhook', urlEnv: 'HOOK_URL', about: ['drift'], secretEnv: 'HOOK_SECRET' },
    { type: 'slack', urlEnv: 'SLACK_URL', about: ['drift'] },
  ],
  heartbeat: 'BEAT_URL',
  page: null,
};

const random = seededRandom(5);
const [HOOK, SLACK, BEAT, SECRET, TOKEN] = [1, 2, 3, 4, 5].map(() => mark(random)) as [
  string,
  string,
  string,
  string,
  string,
];

/** Everybody who is told, at one server; `broken` are the parts of it that fail. */
async function scene() {
  const arrived: Arrived[] = [];
  const broken = new Map<string, number>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const path = request.url ?? '';
    const status = broken.get(path) ?? 200;
    if (status === 200) arrived.push({ path, headers: request.headers, body });
    // Whoever answers may repeat what it got.
    response.writeHead(status).end(`${path} ${request.headers['x-chatform-signature']} ${body}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { terminal: plain, said } = fakeTerminal(null, {
    HOOK_URL: `${base}/${HOOK}`,
    SLACK_URL: `${base}/${SLACK}`,
    BEAT_URL: `${base}/${BEAT}`,
    HOOK_SECRET: SECRET,
    CHATFORM_TOKEN: `dal:${TOKEN}`,
  });
  const terminal = { ...plain, log: textLog('debug', plain.clock.now, plain.err) };
  const path = join(await folder(), 'production.sightings.json');
  const store = sightingsIn(sightingsFile(path), 'production');

  /** As a command does it; who was told, by name. */
  async function after(look: DriftCheck, more: Partial<Remembering> = {}) {
    const settings = { name: 'production', tokenEnv: 'CHATFORM_TOKEN', notify: BOTH };
    const memory = await store.recall();
    arrived.length = 0;
    const remembering: Remembering = { store, memory, settings, mode: 'on-change', ...more };
    const { errors, warnings } = await remember(look, memory.sightings, remembering, terminal);
    for (const error of errors) showError(error, terminal);
    for (const warning of warnings) showWarning(warning, terminal);
    return { isTold: errors.length === 0, told: arrived.map(({ path: to }) => NAMES.get(to.slice(1))).sort() };
  }
  return { after, arrived, broken, terminal, said, path, store };
}

const NAMES = new Map([
  [HOOK, 'webhook'],
  [SLACK, 'slack'],
  [BEAT, 'heartbeat'],
]);

test('Everybody is told of a change once, and the heartbeat comes after every look that succeeded', async () => {
  const { after } = await scene();
  expect(await after(CALM)).toEqual({ isTold: true, told: ['heartbeat'] });
  expect(await after(SEEN)).toEqual({ isTold: true, told: ['heartbeat', 'slack', 'webhook'] });
  expect(await after(SEEN)).toEqual({ isTold: true, told: ['heartbeat'] });
  expect(await after(FAILED)).toEqual({ isTold: true, told: ['slack', 'webhook'] });
  expect(await after(FAILED)).toEqual({ isTold: true, told: [] });
  expect(await after(CALM)).toEqual({ isTold: true, told: ['heartbeat', 'slack', 'webhook'] });
  expect(await after(CALM, { mode: 'always' })).toMatchObject({ told: ['heartbeat', 'slack', 'webhook'] });
  expect(await after(SEEN, { mode: 'never' })).toEqual({ isTold: true, told: [] });
});

test('Whoever could not be told is told by the next look, and the others are not told again', async () => {
  const { after, broken, said } = await scene();
  broken.set(`/${SLACK}`, 503);
  expect(await after(SEEN)).toEqual({ isTold: false, told: ['heartbeat', 'webhook'] });
  expect(said()).toContain('Error: slack:SLACK_URL: could not be told: it answered 503');
  broken.clear();
  expect(await after(SEEN)).toEqual({ isTold: true, told: ['heartbeat', 'slack'] });
  expect(await after(SEEN)).toEqual({ isTold: true, told: ['heartbeat'] });
});

test('A webhook can check what it gets, and nothing in it gives away who else is told, or with which token', async () => {
  const { after, arrived } = await scene();
  const blabbing: DriftItem = { ...(ITEMS[1] as DriftItem), live: `dal:${TOKEN} ${HOOK} ${SECRET}`, name: SLACK };
  await after({ outcome: 'seen', report: { ...REPORT, items: [blabbing] } });
  await after({ ...FAILED, message: `the proxy said ${TOKEN}` } as DriftCheck);
  for (const { headers, body } of arrived) {
    // Its own path is part of each request line; what is said must not have it.
    expect(leaked(JSON.stringify([headers, body]), [TOKEN, SECRET])).toEqual([]);
  }
  const { headers, body } = arrived.find(({ path }) => path.includes(HOOK)) as Arrived;
  const signature = createHmac('sha256', SECRET).update(`${headers['x-chatform-timestamp']}.${body}`).digest('hex');
  expect(headers['x-chatform-signature']).toBe(`sha256=${signature}`);
});

test('No error, log or file has an address, a secret or the token, whatever is answered', async () => {
  const { after, broken, said, path, terminal } = await scene();
  const looks: readonly DriftCheck[] = [SEEN, FAILED, CALM, SEEN];
  for (const [index, status] of [404, 500, 301, 200].entries()) {
    for (const name of NAMES.keys()) broken.set(`/${name}`, status);
    await after(looks[index] as DriftCheck, { mode: 'always' });
  }
  const dead = {
    ...terminal,
    env: { ...terminal.env, HOOK_URL: `http://127.0.0.1:1/${HOOK}`, SLACK_URL: `x ${SLACK}` },
  };
  const store: SightingsStore = sightingsIn(sightingsFile(path), 'production');
  const settings = { name: 'production', tokenEnv: 'CHATFORM_TOKEN', notify: BOTH };
  const remembering = { store, memory: await store.recall(), settings, mode: 'always' } as const;
  const { errors, warnings } = await remember(SEEN, new Map(), remembering, dead);
  for (const message of [...errors, ...warnings]) showError(message, terminal);
  expect(said()).toMatch(/webhook:HOOK_URL: could not be told: no server listens/);
  expect(said()).toContain('channel=heartbeat:BEAT_URL');
  expect(leaked(said() + (await readFile(path, 'utf8')), [HOOK, SLACK, BEAT, SECRET, TOKEN])).toEqual([]);
  expect(said()).not.toContain('127.0.0.1');
});

test.each([
  ['HOOK_URL', '', 'HOOK_URL is empty'],
  ['HOOK_URL', 'hooks.example.com/x', 'https:// URL'],
  ['HOOK_URL', 'ftp://example.com', 'https:// URL'],
  ['HOOK_URL', 'https://me:word@example.com', 'without a user name'],
  ['HOOK_SECRET', 'short', 'at least 16 characters'],
])('A channel with %s=%s is complained about although there is nothing to tell', async (name, text, said) => {
  const { terminal, path } = await scene();
  const store = sightingsIn(sightingsFile(path), 'production');
  const settings = { name: 'production', tokenEnv: 'CHATFORM_TOKEN', notify: BOTH };
  const wrong = { ...terminal, env: { ...terminal.env, [name]: text } };
  const memory = await store.recall();
  const { errors } = await remember(CALM, new Map(), { store, memory, settings, mode: 'on-change' }, wrong);
  expect(errors.join('\n')).toContain(said);
});

test('A heartbeat that does not arrive is a warning, for its silence alarms', async () => {
  const { after, broken, said } = await scene();
  broken.set(`/${BEAT}`, 500);
  expect(await after(CALM)).toEqual({ isTold: true, told: [] });
  expect(said()).toContain('Warning: heartbeat:BEAT_URL: it answered 500');
});

test('Sightings that cannot be written are a warning, and everybody is told all the same', async () => {
  const { after, said } = await scene();
  const broken: SightingsStore = {
    recall: async () => expect.unreachable(),
    keep: async () => {
      throw new UsageError('the sightings x cannot be written: EROFS');
    },
  };
  expect(await after(SEEN, { store: broken })).toMatchObject({ isTold: true, told: ['heartbeat', 'slack', 'webhook'] });
  expect(said()).toContain('Warning: the sightings x cannot be written: EROFS');
  expect(said().match(/EROFS/g)).toHaveLength(1);
});

test('A channel that is not configured any more is forgotten', async () => {
  const { after, store } = await scene();
  await after(SEEN);
  expect([...(await store.recall()).told.keys()]).toEqual(['webhook:HOOK_URL', 'slack:SLACK_URL']);
  const [webhook] = BOTH.channels;
  const notify = { channels: webhook === undefined ? [] : [webhook], heartbeat: null, page: null };
  await after(SEEN, { settings: { name: 'production', tokenEnv: 'CHATFORM_TOKEN', notify } });
  expect([...(await store.recall()).told.keys()]).toEqual(['webhook:HOOK_URL']);
});

test('Whoever is named is told of changes unless a flag says otherwise, and nobody of a part of the license', () => {
  const of = (notify: NotifySettings) => ({ name: 'production', notify });
  const nobody = { channels: [], heartbeat: null, page: null };
  expect(notifyMode({}, of(BOTH), false)).toBe('on-change');
  expect(notifyMode({ notify: 'always' }, of(BOTH), false)).toBe('always');
  expect(notifyMode({ notify: 'never' }, of(BOTH), false)).toBe('never');
  expect(notifyMode({ only: ['agent/*'] }, of(BOTH), false)).toBe('never');
  expect(notifyMode({}, of(nobody), false)).toBe('on-change');
  expect(() => notifyMode({ notify: 'on-change' }, of(nobody), false)).toThrow('has no channel');
  expect(() => notifyMode({ notify: 'always', except: ['agent/*'] }, of(BOTH), false)).toThrow('whole license');
});

test('A person at a terminal tells no channel unless a flag asks for it, and a check for another day tells none', () => {
  const of = { name: 'production', notify: BOTH };
  expect(notifyMode({}, of, true)).toBe('never');
  expect(notifyMode({ notify: 'on-change' }, of, true)).toBe('on-change');
  expect(notifyMode({ date: '2026-12-24' }, of, false)).toBe('never');
  expect(() => notifyMode({ notify: 'always', date: '2026-12-24' }, of, false)).toThrow('--date');
});
