// Several APIs on one license: actions of one name, paths and methods of their own, other credentials, tables and cookies of their own.

import { get } from 'node:https';
import { expect, test } from 'vitest';
import { configurationApi } from '../../../src/emulator/configuration/index.ts';
import { groupTable } from '../../../src/emulator/configuration/memberships.ts';
import type { ActionContext, EmulatedApi } from '../../../src/emulator/engine/api.ts';
import { readJsonBody } from '../../../src/emulator/engine/body.ts';
import type { EngineEmulator, EngineOptions } from '../../../src/emulator/engine/emulator.ts';
import { createLicenseEmulator } from '../../../src/emulator/engine/emulator.ts';
import type { EmulatedLicense, TableDefinition } from '../../../src/emulator/engine/license.ts';
import { defineFact, defineTable } from '../../../src/emulator/engine/license.ts';
import { listen } from '../../../src/emulator/engine/listen.ts';
import { refuse } from '../../../src/emulator/engine/refusal.ts';
import type { EngineSettings, SettingsOf } from '../../../src/emulator/engine/settings.ts';
import { limit, stage } from '../../../src/emulator/engine/settings.ts';
import { closed, int, list, object, optional, text } from '../../../src/emulator/engine/shape.ts';
import type { WireRequest } from '../../../src/emulator/engine/wire.ts';
import { queryOf } from '../../../src/emulator/engine/wire.ts';
import { TLS } from '../../certificates/tls.ts';
import { START, seededRandom } from '../caller.ts';

const noteRecord = object({ id: int(1), text, group: int(0) });
const noteTable = defineTable('notes', noteRecord, ({ id }) => String(id), { group: ({ group }) => String(group) });
const nextNoteId = defineFact('next_note_id', int(1), 1);
const noteSettings = {
  limits: { noteLength: limit(10) },
  lifecycle: { 'customer/3.7': stage({ header: 'Legacy', date: '2030-01-01' }) },
};
type NoteSettings = EngineSettings & SettingsOf<typeof noteSettings>;

function addNote(license: EmulatedLicense, note: { readonly text: string; readonly group: number }): number {
  const next = nextNoteId.of(license);
  const id = next.value;
  next.value += 1;
  noteTable.of(license).set({ ...note, id });
  return id;
}

const noteKind = {
  tables: [noteTable],
  facts: [nextNoteId],
  seed: { notes: optional(list(closed({ text, group: int(0) }))) },
  plant: (
    license: EmulatedLicense,
    { notes = [] }: { readonly notes?: readonly { text: string; group: number }[] },
  ) => {
    for (const note of notes) addNote(license, note);
  },
  release: (license: EmulatedLicense, _: EngineSettings, table: TableDefinition, key: string) =>
    table === groupTable
      ? () => {
          for (const { id } of noteTable.of(license).where('group', key)) noteTable.of(license).delete(String(id));
        }
      : undefined,
};

const BOTH = ['3.3', '3.7'];
const post = { methods: ['POST'], reply: 'value' } as const;

/** It has actions with the names of the Configuration API, and a credential that is a name. */
const noteApi = {
  path: 'customer/action',
  prefix: 'customer/',
  versions: BOTH,
  settings: noteSettings,
  kinds: [noteKind],
  actions: [
    {
      ...post,
      name: 'create_group',
      versions: BOTH,
      effect: 'write',
      run: (body: unknown, { license, settings, caller }: ActionContext & { readonly settings: NoteSettings }) => {
        const given = object({ text, group: int(0) })(body, '');
        if (given.text.length > settings.limits.noteLength) refuse('validation', 'too long');
        return { id: addNote(license, given), by: caller };
      },
    },
    {
      ...post,
      name: 'list_groups',
      versions: ['3.7'],
      effect: 'read',
      run: (_: unknown, { license, at }: ActionContext) => noteTable.of(license).all(at),
    },
  ],
  isRegional: () => false,
  authenticate: (request: WireRequest) => request.header('x-name') ?? refuse('authentication', 'say your name'),
  read: readJsonBody,
} satisfies EmulatedApi;

/** Its paths have no `action/`, and it is read with GET. */
const reportApi = {
  path: 'reports',
  prefix: 'reports/',
  versions: ['3.4'],
  settings: {},
  kinds: [],
  actions: [
    {
      name: 'notes/total',
      versions: ['3.4'],
      methods: ['GET', 'POST'],
      effect: 'read',
      reply: 'value',
      run: (query: unknown, { license, at }: ActionContext) => ({ total: noteTable.of(license).all(at).length, query }),
    },
  ],
  isRegional: () => false,
  authenticate: () => null,
  read: async (request: WireRequest) => Object.fromEntries(queryOf(request)),
} satisfies EmulatedApi;

const session = { name: 'session', versions: ['2'] } as const;

/** Its path is the beginning of another API's; it has three methods at one path, sets cookies, and has errors of its own. */
const sessionApi = {
  path: 'customer',
  prefix: 'sessions/',
  versions: ['2'],
  settings: {},
  kinds: [],
  actions: [
    {
      ...session,
      methods: ['POST'],
      effect: 'write',
      reply: 'cookies',
      run: (body: unknown) => ({ value: { sent: body }, cookies: ['a=1; HttpOnly', 'b=2'] }),
    },
    { ...session, methods: ['DELETE'], effect: 'write', reply: 'empty', run: () => ({}) },
    {
      ...session,
      methods: ['GET'],
      effect: 'read',
      reply: 'value',
      run: (_: unknown, { caller }: ActionContext) => ({ caller }),
    },
    { ...session, name: 'broken', methods: ['POST'], effect: 'read', reply: 'cookies', run: () => ({}) },
  ],
  isRegional: () => false,
  authenticate: ({ origin }: WireRequest) => origin,
  read: readJsonBody,
  envelope: (type: string, text: string) => ({ fault: type, text }),
} satisfies EmulatedApi;

const APIS = [configurationApi, sessionApi, noteApi, reportApi];

interface Sender {
  readonly emulator: EngineEmulator;
  /** Status, parsed body and headers of an answer. */
  readonly send: (
    path: string,
    body?: object | null,
  ) => Promise<readonly [number, ReturnType<typeof JSON.parse>, Headers]>;
}

function started(options: Partial<EngineOptions> = {}): Sender {
  const emulator = createLicenseEmulator(APIS, { now: () => START, random: seededRandom(1), ...options });
  const headers = { authorization: 'Bearer any', 'content-type': 'application/json', 'x-name': 'Zoe' };
  const send: Sender['send'] = async (path, body = {}) => {
    const how = body === null ? {} : { method: 'POST', body: JSON.stringify(body) };
    const reply = await emulator.fetch(new Request(`http://emulator${path}`, { headers, ...how }));
    return [reply.status, await reply.json(), reply.headers];
  };
  return { emulator, send };
}

const NOTE = { text: 'hello', group: 0 };

test('An action is that of its own API, whatever the others call theirs', async () => {
  const { send } = started();
  expect((await send('/v3.7/customer/action/create_group', NOTE)).slice(0, 2)).toEqual([200, { id: 1, by: 'Zoe' }]);
  expect((await send('/v3.7/customer/action/list_groups'))[1]).toEqual([{ id: 1, ...NOTE }]);
  expect((await send('/v3.6/configuration/action/list_groups'))[1]).toMatchObject([{ id: 0, name: 'General' }]);
});

test('Statistics and the log name an action by its API, and those of the Configuration API as before', async () => {
  const { emulator, send } = started();
  await send('/v3.6/configuration/action/list_groups');
  await send('/v3.7/customer/action/list_groups');
  await send('/v3.7/customer/action/list_groups');
  await send('/v3.3/customer/action/list_groups');
  await send('/v3.4/reports/notes/total', null);
  expect(emulator.stats()).toEqual({ list_groups: 1, 'customer/list_groups': 2, 'reports/notes/total': 1 });
  expect(emulator.log().map(({ version, action, status }) => [version, action, status])).toEqual([
    ['3.6', 'list_groups', 200],
    ['3.7', 'customer/list_groups', 200],
    ['3.7', 'customer/list_groups', 200],
    ['3.3', 'customer/list_groups', 404],
    ['3.4', 'reports/notes/total', 200],
  ]);
});

test.each([
  ['list_groups', [500, 200, 200]],
  ['list_*', [500, 200, 200]],
  ['customer/*', [200, 500, 200]],
  ['*total', [200, 200, 500]],
  ['*', [500, 500, 500]],
])('A fault of %s strikes the actions of that name', async (pattern, expected) => {
  const fault = { type: 'error', error: 'internal', actions: [pattern] } as const;
  const { send } = started({ scenario: { faults: [fault] } });
  const paths = [
    '/v3.6/configuration/action/list_groups',
    '/v3.7/customer/action/list_groups',
    '/v3.4/reports/notes/total',
  ];
  const statuses: number[] = [];
  for (const path of paths) statuses.push((await send(path))[0]);
  expect(statuses).toEqual(expected);
});

test('A scenario may name the versions of every API, and no other', () => {
  const fault = (version: string) => ({ faults: [{ type: 'reset' as const, versions: [version] }] });
  for (const version of ['3.3', '3.4', '3.5', '3.6', '3.7']) started({ scenario: fault(version) });
  expect(() => started({ scenario: fault('3.2') })).toThrow('must be one of: 3.3, 3.5, 3.6, 3.7, 2, 3.4');
});

test.each([
  ['/v3.4/reports/notes/total?from=a&to=b', 200, { total: 0, query: { from: 'a', to: 'b' } }],
  ['/v3.4/reports/notes/other', 404, { error: { type: 'not_found', message: 'there is nothing at this path' } }],
  ['/v3.4/reports/other', 404, { error: { type: 'not_found', message: 'version 3.4 has no action `other`' } }],
  [
    '/v3.6/reports/notes/total',
    404,
    { error: { type: 'unsupported_version', message: 'version 3.6 is not supported' } },
  ],
  [
    '/v3.8/configuration/action/list_groups',
    404,
    { error: { type: 'unsupported_version', message: expect.any(String) } },
  ],
])('GET %s answers %i', async (path, status, body) => {
  expect((await started().send(path, null)).slice(0, 2)).toEqual([status, body]);
});

test('Each API has its own credential, and its own end of life', async () => {
  const { emulator, send } = started();
  const [, , headers] = await send('/v3.7/customer/action/list_groups');
  expect([headers.get('legacy'), headers.get('deprecation')]).toEqual(['2030-01-01', null]);
  const [, , older] = await send('/v3.3/configuration/action/list_groups');
  expect([older.get('legacy'), older.get('deprecation')]).toEqual([null, '2027-12-31']);
  const [, , sameVersion] = await send('/v3.3/customer/action/create_group', NOTE);
  expect([sameVersion.get('legacy'), sameVersion.get('deprecation')]).toEqual([null, null]);
  const init = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
  const nameless = await emulator.fetch(new Request('http://emulator/v3.7/customer/action/list_groups', init));
  expect([nameless.status, await nameless.json()]).toMatchObject([401, { error: { message: 'say your name' } }]);
});

test('A setting belongs to its API, also in a group that others have as well', async () => {
  const { send } = started({ settings: { limits: { noteLength: 3, groups: 1 } } });
  expect((await send('/v3.7/customer/action/create_group', NOTE))[1].error).toMatchObject({ message: 'too long' });
  const group = { name: 'A', agent_priorities: {} };
  expect((await send('/v3.6/configuration/action/create_group', group))[1].error).toMatchObject({
    type: 'limit_reached',
  });
});

test('A seed describes the objects of every API, and a state holds them', async () => {
  const seed = { groups: [{ name: 'Sales' }], notes: [{ text: 'one', group: 1 }] };
  const { emulator, send } = started({ seed });
  await send('/v3.7/customer/action/create_group', NOTE);
  const state = emulator.snapshot();
  expect(Object.keys(state).slice(3)).toEqual([
    'next_group_id',
    'next_greeting_id',
    'next_canned_response_id',
    'installed_clients',
    'next_note_id',
    'tables',
  ]);
  const again = started({ state: JSON.parse(JSON.stringify(state)) });
  expect((await again.send('/v3.7/customer/action/list_groups'))[1]).toEqual([
    { id: 1, text: 'one', group: 1 },
    { id: 2, ...NOTE },
  ]);
  expect((await again.send('/v3.7/customer/action/create_group', NOTE))[1]).toMatchObject({ id: 3 });
  expect(() => started({ seed: { notes: [{ text: '', group: 1 }] } })).toThrow('`notes[0].text` must not be empty');
});

test('A kind lets go of a record of another API that is deleted', async () => {
  const seed = {
    groups: [{ name: 'Sales' }],
    notes: [
      { text: 'one', group: 1 },
      { text: 'two', group: 0 },
    ],
  };
  const { send } = started({ seed });
  expect((await send('/v3.6/configuration/action/delete_group', { id: 1 }))[0]).toBe(200);
  expect((await send('/v3.7/customer/action/list_groups'))[1]).toEqual([{ id: 2, text: 'two', group: 0 }]);
});

test('A program performs actions as requests do, and the journal does not have them', async () => {
  const [played, sent] = [started(), started()];
  const path = '/v3.7/customer/action/create_group';
  const { perform } = played.emulator;
  expect(await perform({ path, caller: 'Zoe', body: NOTE })).toEqual((await sent.send(path, NOTE))[1]);
  expect(played.emulator.snapshot()).toEqual(sent.emulator.snapshot());
  expect(await perform({ path: '/v3.7/customer/action/list_groups', caller: 'Ann', body: {} })).toHaveLength(1);
  expect([played.emulator.stats(), played.emulator.log()]).toEqual([{}, []]);
});

test.each([
  ['/v3.7/customer/action/create_group', { ...NOTE, text: 'far too long' }, 'too long'],
  ['/v3.3/customer/action/list_groups', {}, 'version 3.3 has no action `list_groups`'],
  ['/v3.7/nowhere', {}, 'there is nothing at this path'],
])('A program that performs %s wrongly learns why, and changes nothing', async (path, body, reason) => {
  const { emulator } = started();
  const before = emulator.snapshot();
  await expect(emulator.perform({ path, caller: 'Zoe', body })).rejects.toThrow(reason);
  expect(emulator.snapshot()).toEqual(before);
});

test('A read that a program performs lags as one of a request does', async () => {
  const clock = { now: START };
  const { emulator } = started({ now: () => clock.now, propagationDelay: 1000 });
  const list = () => emulator.perform({ path: '/v3.7/customer/action/list_groups', caller: 'Ann', body: {} });
  await emulator.perform({ path: '/v3.7/customer/action/create_group', caller: 'Zoe', body: NOTE });
  expect(await list()).toEqual([]);
  clock.now += 1000;
  expect(await list()).toHaveLength(1);
});

test('A path belongs to the API that names most of it, whichever stands first', async () => {
  const { send } = started();
  expect((await send('/v2/customer/session'))[1]).toEqual({ sent: {} });
  expect((await send('/v3.7/customer/action/create_group', NOTE))[1]).toEqual({ id: 1, by: 'Zoe' });
  expect((await send('/v2/customer/other')).slice(0, 2)).toEqual([
    404,
    { fault: 'not_found', text: 'version 2 has no action `other`' },
  ]);
});

test('One path has an action for each method, and names them all to a method that it lacks', async () => {
  const { emulator } = started();
  const send = async (method: string) => {
    const reply = await emulator.fetch(new Request('http://emulator:81/v2/customer/session', { method }));
    return [reply.status, await reply.json(), reply.headers.getSetCookie()];
  };
  expect(await send('POST')).toEqual([200, { sent: {} }, ['a=1; HttpOnly', 'b=2']]);
  expect(await send('DELETE')).toEqual([200, {}, []]);
  expect(await send('GET')).toEqual([200, { caller: 'http://emulator:81' }, []]);
  const text = 'method PUT is not allowed, POST or DELETE or GET is';
  expect(await send('PUT')).toEqual([405, { fault: 'validation', text }, []]);
  expect(emulator.stats()).toEqual({ 'sessions/session': 4 });
});

test('An action that should set cookies and names none is a defect', async () => {
  expect((await started().send('/v2/customer/broken'))[0]).toBe(500);
});

test('Cookies and origins are those of the port, with TLS and without', async () => {
  const { emulator } = started();
  const address = { host: '127.0.0.1', port: 0 };
  const { url, close } = await listen(emulator, address);
  const set = await fetch(`${url}/v2/customer/session`, { method: 'POST' });
  expect([await set.json(), set.headers.getSetCookie()]).toEqual([{ sent: {} }, ['a=1; HttpOnly', 'b=2']]);
  expect(await (await fetch(`${url}/v2/customer/session`)).json()).toEqual({ caller: url });
  await close();
  const safe = await listen(emulator, { ...address, tls: TLS });
  const found = await new Promise<string>((resolve, reject) => {
    get(`${safe.url}/v2/customer/session`, { ca: TLS.cert, agent: false }, (reply) => {
      reply.setEncoding('utf8');
      reply.on('data', resolve);
    }).on('error', reject);
  });
  expect(JSON.parse(found)).toEqual({ caller: safe.url });
  await safe.close();
});

test('A fault says its error in the envelope of the API', async () => {
  const { send } = started({ scenario: { faults: [{ type: 'error', error: 'internal', message: 'down' }] } });
  expect((await send('/v2/customer/session')).slice(0, 2)).toEqual([500, { fault: 'internal', text: 'down' }]);
  expect((await send('/v3.7/customer/action/list_groups'))[1]).toEqual({
    error: { type: 'internal', message: 'down' },
  });
});
