// Tokens of customers from the accounts service: who gets one, whose it is, how long it lasts, and how it ends.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Emulator, EmulatorOptions, Seed } from '../../../src/emulator/index.ts';
import { createEmulator, openStateFile } from '../../../src/emulator/index.ts';
import { PERSONAL, START, seededRandom } from '../caller.ts';

/** Whatever JSON.parse gives. */
type Parsed = ReturnType<typeof JSON.parse>;

interface Answer {
  readonly status: number;
  readonly body: Parsed;
  readonly cookies: readonly string[];
}

type Send = (
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
  method?: string,
) => Promise<Answer>;

const TOKEN = '/v2/customer/token';
const INFO = '/v2/customer/info';
const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const AGENT = { authorization: 'Bearer dal:agent' };
const PAGE = { origin: 'https://shop.example' };
const byCookie = { grant_type: 'cookie', client_id: 'site', organization_id: 'org' };
const byAgent = { grant_type: 'agent_token', client_id: 'site', response_type: 'token' };

function senderOf(emulator: Emulator, base = 'http://emulator'): Send {
  return async (path, body, headers = {}, method = body === undefined ? 'GET' : 'POST') => {
    const content = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const init = { method, headers: { 'content-type': 'application/json', ...headers }, ...content };
    const reply = await emulator.fetch(new Request(base + path, init));
    const text = await reply.text();
    return {
      status: reply.status,
      body: text === '' ? undefined : JSON.parse(text),
      cookies: reply.headers.getSetCookie(),
    };
  };
}

function started(options: Partial<EmulatorOptions> = {}, base?: string) {
  const clock = { now: START };
  const emulator = createEmulator({ now: () => clock.now, random: seededRandom(1), ...options });
  const send = senderOf(emulator, base);
  /** The id of the customer whose token it is, and the error of one that is none. */
  const whose = async (token: string): Promise<string> => {
    const path = '/v3.7/customer/action/start_chat?organization_id=org';
    const { status, body } = await send(path, { active: false }, { authorization: `Bearer ${token}` });
    if (status !== 200) return body.error.type;
    const chat = emulator
      .snapshot()
      .tables.chats.flat()
      .find(({ value }) => value?.id === body.chat_id);
    return chat?.value?.customer_id ?? 'none';
  };
  return { clock, emulator, send, whose };
}

const REFUSED = (exception: string, about: string | RegExp) => ({
  oauth_exception: exception,
  exception_description: expect.stringMatching(about),
});
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test('An agent gets a token of a new customer, who is the one that acts with it', async () => {
  const { send, whose, emulator } = started();
  const { status, body, cookies } = await send(TOKEN, byAgent, AGENT);
  expect([status, body, cookies]).toEqual([
    200,
    {
      access_token: expect.stringMatching(/^dal:[0-9a-f]{32}$/),
      client_id: 'site',
      entity_id: UUID,
      expires_in: 28_800,
      organization_id: UUID,
      token_type: 'Bearer',
    },
    [],
  ]);
  expect(await whose(body.access_token)).toBe(body.entity_id);
  expect(JSON.stringify(emulator.snapshot())).not.toContain(body.access_token.slice(4));
});

test('Every token without entity_id is that of another customer, and with one it is that customer', async () => {
  const { send } = started();
  const idOf = async (more: object) => (await send(TOKEN, { ...byAgent, ...more }, AGENT)).body.entity_id;
  const [one, other] = [await idOf({}), await idOf({})];
  expect(one).not.toBe(other);
  expect(await idOf({ entity_id: one })).toBe(one);
  const unknown = await send(TOKEN, { ...byAgent, entity_id: 'unknown' }, AGENT);
  expect([unknown.status, unknown.body]).toEqual([400, REFUSED('invalid_request', '`entity_id`')]);
});

test('A browser gets two cookies, which are its customer from then on', async () => {
  const { send, whose, clock } = started();
  const first = await send(TOKEN, byCookie, PAGE);
  const traits = '; Path=/v2/customer; Max-Age=63072000; HttpOnly';
  expect(first.cookies).toEqual([
    `customer_id=${first.body.entity_id}${traits}`,
    expect.stringMatching(new RegExp(`^customer_secret=[0-9a-f]{32}${traits}$`)),
  ]);
  expect(first.body).toMatchObject({ organization_id: 'org', expires_in: 28_800 });
  const cookie = first.cookies.map((one) => one.split(';')[0]).join('; ');
  const again = await send(TOKEN, byCookie, { ...PAGE, cookie });
  expect([again.body.entity_id, again.cookies]).toEqual([first.body.entity_id, first.cookies]);
  expect(again.body.access_token).not.toBe(first.body.access_token);
  expect(await whose(again.body.access_token)).toBe(first.body.entity_id);
  // Two years after the last visit, and not after the first.
  clock.now += 63_072_000_000 - 1;
  expect((await send(TOKEN, byCookie, { ...PAGE, cookie })).body.entity_id).toBe(first.body.entity_id);
  clock.now += 63_072_000_000;
  expect((await send(TOKEN, byCookie, { ...PAGE, cookie })).body.entity_id).not.toBe(first.body.entity_id);
});

test.each<[string, (cookies: readonly string[]) => string]>([
  ['no cookie', () => ''],
  ['only the id', ([id = '']) => id],
  ['only the secret', ([, secret = '']) => secret],
  ['another id', ([, secret = '']) => `customer_id=other; ${secret}`],
  ['another secret', ([id = '']) => `${id}; customer_secret=other`],
  ['an empty secret', ([id = '']) => `${id}; customer_secret=`],
])('A browser with %s is a new customer', async (_, changed) => {
  const { send } = started();
  const first = await send(TOKEN, byCookie, PAGE);
  const cookie = changed(first.cookies.map((one) => one.split(';')[0] ?? ''));
  const other = await send(TOKEN, byCookie, { ...PAGE, ...(cookie === '' ? {} : { cookie }) });
  expect(other.status).toBe(200);
  expect(other.body.entity_id).not.toBe(first.body.entity_id);
  expect(other.cookies[1]).not.toBe(first.cookies[1]);
});

test('Over HTTPS, another site may send the cookies', async () => {
  const { cookies } = await started({}, 'https://emulator').send(TOKEN, byCookie, PAGE);
  expect(cookies).toHaveLength(2);
  for (const cookie of cookies) expect(cookie).toMatch(/; HttpOnly; Secure; SameSite=None$/);
});

test('The secret of a cookie is no token, and a token is no cookie', async () => {
  const { send } = started({ settings: { customerTokens: 'known' } });
  const { body, cookies } = await send(TOKEN, byCookie, PAGE);
  const secret = cookies[1]?.split(/[=;]/)[1] ?? '';
  expect((await send(INFO, undefined, bearer(secret))).status).toBe(401);
  const cookie = `customer_id=${body.entity_id}; customer_secret=${body.access_token}`;
  expect((await send(TOKEN, byCookie, { ...PAGE, cookie })).body.entity_id).not.toBe(body.entity_id);
});

test('A token says whose it is and how long it lasts, and ends after eight hours', async () => {
  const { send, whose, clock } = started();
  const { body } = await send(TOKEN, byCookie, PAGE);
  clock.now += 60_500;
  expect((await send(INFO, undefined, bearer(body.access_token))).body).toEqual({
    ...body,
    organization_id: UUID,
    expires_in: 28_739,
  });
  clock.now += 28_800_000 - 60_501;
  expect(await whose(body.access_token)).toBe(body.entity_id);
  clock.now += 1;
  const ended = await send(INFO, undefined, bearer(body.access_token));
  expect([ended.status, ended.body]).toEqual([401, REFUSED('invalid_token', 'expired')]);
  expect(await whose(body.access_token)).toBe('authentication');
});

test('A revoked token belongs to no customer, and no other token ends with it', async () => {
  const { send, whose } = started();
  const { body: first } = await send(TOKEN, byAgent, AGENT);
  const { body: second } = await send(TOKEN, { ...byAgent, entity_id: first.entity_id }, AGENT);
  const revoke = () => send(TOKEN, undefined, bearer(first.access_token), 'DELETE');
  expect(await revoke()).toMatchObject({ status: 200, body: {} });
  const again = await revoke();
  expect([again.status, again.body]).toEqual([401, REFUSED('invalid_token', 'revoked')]);
  expect(await whose(first.access_token)).toBe('authentication');
  expect(await whose(second.access_token)).toBe(first.entity_id);
});

test('A token of a description is known, has no end, and can be revoked', async () => {
  const seed = { customers: [{ id: 'kim', token: 'dal:kim', client_id: 'site' }] };
  const { send, whose } = started({ seed, settings: { organizationId: 'org' } });
  expect((await send(INFO, undefined, bearer('dal:kim'))).body).toEqual({
    access_token: 'dal:kim',
    client_id: 'site',
    entity_id: 'kim',
    organization_id: 'org',
    token_type: 'Bearer',
  });
  expect((await send(TOKEN, { ...byAgent, entity_id: 'kim' }, AGENT)).body.entity_id).toBe('kim');
  await send(TOKEN, undefined, bearer('dal:kim'), 'DELETE');
  expect(await whose('dal:kim')).toBe('authentication');
});

test.each(['', 'Bearer', 'Basic YTpi', 'Bearer dal:unknown'])('%j is no token of a customer', async (authorization) => {
  const { send } = started();
  for (const [path, method] of [
    [INFO, 'GET'],
    [TOKEN, 'DELETE'],
  ] as const) {
    const { status, body } = await send(path, undefined, authorization === '' ? {} : { authorization }, method);
    expect([status, body]).toEqual([401, REFUSED('invalid_token', /./)]);
  }
});

const SCOPES = ['customers:own'];
const SEED: Seed = {
  agents: [
    { id: 'ann', name: 'Ann', role: 'administrator' },
    { id: 'bob', name: 'Bob', role: 'normal' },
    { id: 'sue', name: 'Sue', role: 'administrator', suspended: true },
  ],
  clients: ['site', 'app'],
  tokens: [
    { token: 'dal:ann', agent_id: 'ann', scopes: SCOPES },
    { token: 'dal:bob', agent_id: 'bob', scopes: SCOPES },
    { token: 'dal:sue', agent_id: 'sue', scopes: SCOPES },
    { token: 'dal:none', agent_id: 'ann', scopes: ['customers:rw', 'agents--all:rw'] },
    { token: 'mine', kind: 'personal', account_id: 'account', agent_id: 'ann', scopes: SCOPES },
  ],
};
const personal = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

test.each([
  ['Bearer dal:ann', 200, undefined],
  ['Bearer dal:bob', 403, 'access_denied'],
  ['Bearer dal:none', 403, 'access_denied'],
  ['Bearer dal:unknown', 401, 'invalid_token'],
  ['Bearer dal%3Aann', 401, 'invalid_token'],
  [personal('account:mine'), 403, 'access_denied'],
  [personal('other:mine'), 401, 'invalid_token'],
  ['', 401, 'invalid_token'],
])('The agent token in %j gives %i', async (authorization, status, exception) => {
  const { send, emulator } = started({ seed: SEED });
  const before = emulator.snapshot();
  const answer = await send(TOKEN, byAgent, authorization === '' ? {} : { authorization });
  expect([answer.status, answer.body.oauth_exception]).toEqual([status, exception]);
  if (status !== 200) expect(emulator.snapshot()).toEqual(before);
});

test('A personal access token is refused where any credential is good for everything', async () => {
  const { status, body } = await started().send(TOKEN, byAgent, { authorization: PERSONAL });
  expect([status, body]).toEqual([403, REFUSED('access_denied', 'personal')]);
});

test('A suspended agent makes customers unless the settings refuse it, and a license that has ended makes none', async () => {
  const statusWith = async (settings: EmulatorOptions['settings'] = {}) =>
    (await started({ seed: SEED, settings }).send(TOKEN, byAgent, { authorization: 'Bearer dal:sue' })).status;
  expect(await statusWith()).toBe(200);
  expect(await statusWith({ inactiveAgentTokens: 'refused' })).toBe(403);
  expect(await statusWith({ licenseExpired: true })).toBe(403);
});

test.each<[string, unknown, Readonly<Record<string, string>>]>([
  ['no grant', {}, AGENT],
  ['another grant', { ...byAgent, grant_type: 'password' }, AGENT],
  ['no client', { ...byAgent, client_id: undefined }, AGENT],
  ['another type of response', { ...byAgent, response_type: 'code' }, AGENT],
  ['no type of response', { ...byAgent, response_type: null }, AGENT],
  ['an empty entity_id', { ...byAgent, entity_id: '' }, AGENT],
  ['no organization', { ...byCookie, organization_id: '' }, PAGE],
  ['neither redirect_uri nor Origin', byCookie, {}],
  ['a body that is no JSON', '{', AGENT],
  ['a body that is a list', [], AGENT],
])('A request with %s is invalid, and changes nothing', async (_, body, headers) => {
  const { send, emulator } = started();
  const before = emulator.snapshot();
  const answer = await send(TOKEN, body, headers);
  expect([answer.status, answer.body, answer.cookies]).toEqual([400, REFUSED('invalid_request', /./), []]);
  expect(emulator.snapshot()).toEqual(before);
});

test('A client of another organization gets no token', async () => {
  const { send } = started({ seed: SEED });
  const other = { client_id: 'other' };
  expect((await send(TOKEN, { ...byAgent, ...other }, { authorization: 'Bearer dal:ann' })).status).toBe(403);
  expect((await send(TOKEN, { ...byCookie, ...other }, PAGE)).body).toEqual(REFUSED('access_denied', '`other`'));
  expect((await send(TOKEN, byCookie, PAGE)).status).toBe(200);
});

test('The settings name the organization, and the pages that may ask', async () => {
  const { send } = started({ settings: { organizationId: 'org', redirectUris: ['https://shop.example'] } });
  const statusOf = async (more: object, headers: Readonly<Record<string, string>> = PAGE) =>
    (await send(TOKEN, { ...byCookie, ...more }, headers)).status;
  expect(await statusOf({})).toBe(200);
  expect(await statusOf({ organization_id: 'other' })).toBe(404);
  expect(await statusOf({}, { origin: 'https://evil.example' })).toBe(400);
  expect(await statusOf({ redirect_uri: 'https://evil.example' })).toBe(400);
  expect(await statusOf({ redirect_uri: 'https://shop.example' }, { origin: 'https://evil.example' })).toBe(200);
  expect((await send(TOKEN, byAgent, AGENT)).body.organization_id).toBe('org');
});

test('A token has the data centre of the license as its prefix', async () => {
  const { send } = started({ settings: { region: 'fra' } });
  expect((await send(TOKEN, byAgent, AGENT)).body.access_token).toMatch(/^fra:/);
});

test('Each path has its methods, and there is nothing else', async () => {
  const { send } = started();
  for (const [path, method] of [
    [TOKEN, 'GET'],
    [TOKEN, 'PUT'],
    [INFO, 'POST'],
    [INFO, 'DELETE'],
  ] as const)
    expect([path, method, (await send(path, undefined, AGENT, method)).status]).toEqual([path, method, 405]);
  expect((await send('/v2/customer/other')).status).toBe(404);
  expect((await send('/v3/customer/token', byAgent, AGENT)).status).toBe(404);
});

test('The setting turns the service off', async () => {
  const { send } = started({ settings: { accountsService: false } });
  for (const [path, body] of [
    [TOKEN, byAgent],
    [TOKEN, byCookie],
    [INFO, undefined],
  ] as const)
    expect((await send(path, body, { ...AGENT, ...PAGE })).status).toBe(404);
});

test('Only tokens that were given are tokens, where the settings say so', async () => {
  const { send, whose } = started({ settings: { customerTokens: 'known' } });
  expect(await whose('dal:any')).toBe('authentication');
  const { body } = await send(TOKEN, byAgent, AGENT);
  expect(await whose(body.access_token)).toBe(body.entity_id);
});

test('A second process knows the tokens and the cookies of the first', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'license.json');
  const options = { now: () => START, random: seededRandom(1) };
  const first = await senderOf(await openStateFile(path, options))(TOKEN, byCookie, PAGE);
  const send = senderOf(await openStateFile(path, options));
  expect((await send(INFO, undefined, bearer(first.body.access_token))).body.entity_id).toBe(first.body.entity_id);
  const cookie = first.cookies.map((one) => one.split(';')[0]).join('; ');
  const again = await send(TOKEN, byCookie, { ...PAGE, cookie });
  expect(again.body.entity_id).toBe(first.body.entity_id);
  expect(again.body.access_token).not.toBe(first.body.access_token);
});
