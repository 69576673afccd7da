// Every action of every version against the tables of the specification: what it accepts, what it answers, and everything that it refuses.

import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Seed, SettingsInput } from '../../../src/emulator/index.ts';
import { TRIED_VERSIONS } from '../../tries.ts';
import type { Body, Sent } from '../conformance/row.ts';
import { changed, inVersion, isOf } from '../conformance/row.ts';
import type { CustomerCaller, HowSent } from './caller.ts';
import { account, createCustomerCaller } from './caller.ts';
import type { CustomerRow, CustomerVersion } from './rows/row.ts';
import { SEED, SINCE_36, VERSIONS } from './rows/row.ts';
import { ERRORS, SPECIFICATION } from './specification.ts';
import { TABLE } from './table.ts';

/** How a request is sent that says who asks, or leaves it to the row. */
const asking = (row: CustomerRow, authorization = row.authorization): HowSent =>
  authorization === undefined ? {} : { authorization };

/** A caller of the license of the table, after the requests that come before. */
async function prepared(version: CustomerVersion, after: readonly Sent[], how: HowSent): Promise<CustomerCaller> {
  const caller = createCustomerCaller({}, version);
  for (const [action, body] of after) await caller.call(action, body, how);
  return caller;
}

const earlier = (version: CustomerVersion, { after = [] }: CustomerRow): readonly Sent[] =>
  inVersion<readonly Sent[], CustomerVersion>(after, version);

const ready = (version: CustomerVersion, row: CustomerRow): Promise<CustomerCaller> =>
  prepared(version, earlier(version, row), asking(row));

const requestOf = (version: CustomerVersion, { request }: CustomerRow): Body =>
  inVersion<Body, CustomerVersion>(request, version);

const parameterOf = (version: CustomerVersion) => (version === '3.3' ? 'license_id' : 'organization_id');

/** It is asked before a client knows its organization. */
const ACCOUNT_OF_EITHER = 'get_dynamic_configuration';

/** The license of the table, whose chats are over and anonymized. */
const ANONYMIZED: Seed = {
  ...SEED,
  chats: (SEED.chats ?? []).map(({ threads = [], ...chat }) => ({
    ...chat,
    anonymized: true,
    threads: threads.map(({ active: _, ...thread }) => thread),
  })),
};

describe.each(TABLE)('%s %s', (version, action, row) => {
  const body = requestOf(version, row);
  const members = row.members.filter(({ only }) => isOf(version, only));
  const refused = (row.refused ?? []).filter(({ only }) => isOf(version, only));
  const methods = row.inQuery ? ['GET', 'POST'] : ['POST'];
  const isForm = action === 'upload_file';

  test('accepts everything that its table lists, and answers what its table says', async () => {
    for (const method of methods) {
      const caller = await ready(version, row);
      expect(await caller.call(action, body, { ...asking(row), method })).toEqual(inVersion(row.reply, version));
      const sent = [...earlier(version, row), [action]].filter(([name]) => name === action).length;
      expect(caller.emulator.stats()[`customer/${action}`]).toBe(sent);
      for (const other of row.accepts ?? [])
        await (await prepared(version, [], {})).call(action, other, { ...asking(row), method });
    }
  });

  test('refuses every wrong member with `validation`, and names it', async () => {
    const caller = await ready(version, row);
    const before = caller.emulator.snapshot();
    for (const { path, required, refuses } of members)
      for (const value of required ? [undefined, null, ...refuses] : refuses) {
        const { status, body: reply } = await caller.send(action, changed(body, path, value), asking(row));
        const said = `${path}: ${JSON.stringify(value)}`;
        expect([said, status, reply?.error?.type]).toEqual([said, 400, 'validation']);
        expect(reply.error.message).toContain('`' + path + '`');
        expect(reply.error.message).toMatch(/^Wrong format of request: /);
        expect(Object.keys(reply.error)).toEqual(['type', 'message']);
      }
    expect(caller.emulator.snapshot()).toEqual(before);
  });

  test('refuses what its rules refuse, with their error, and changes nothing', async () => {
    for (const { type, body: given, names, after = [], authorization } of refused) {
      const caller = await prepared(version, after, asking(row, authorization));
      const before = caller.emulator.snapshot();
      const { body: reply } = await caller.send(action, given, asking(row, authorization));
      expect([given, reply?.error?.type]).toEqual([given, type]);
      if (names !== undefined) expect(reply.error.message).toContain('`' + names + '`');
      expect(caller.emulator.snapshot()).toEqual(before);
    }
  });

  test('needs the token of a customer, its method, its content type, and a version that has it', async () => {
    const caller = await ready(version, row);
    const answer = async (sent: unknown, how: HowSent = {}) => {
      const { status, body: reply } = await caller.send(action, sent, { ...asking(row), ...how });
      return [status, reply?.error?.type];
    };
    const withoutToken = row.anonymous ? [200, undefined] : [401, 'authentication'];
    expect(await answer(body, { authorization: null })).toEqual(withoutToken);
    for (const authorization of ['Digest x', 'Basic YTpi', 'Bearer', 'Bearer dal%3Akim'])
      expect([authorization, ...(await answer(body, { authorization }))]).toEqual([
        authorization,
        401,
        'authentication',
      ]);
    for (const method of ['PUT', 'PATCH', 'DELETE', 'GET'].filter((one) => !methods.includes(one)))
      expect([method, ...(await answer('', { method }))]).toEqual([method, 405, 'validation']);
    for (const text of ['{', '[]', '"x"', '7', 'true', `${JSON.stringify(body)}}`])
      expect([text, ...(await answer(text))]).toEqual([text, 400, 'validation']);
    const others = ['text/plain', 'application/jsonp', isForm ? 'application/json' : 'multipart/form-data; boundary=x'];
    for (const type of others)
      expect([type, ...(await answer(body, { headers: { 'content-type': type } }))]).toEqual([type, 400, 'validation']);
    for (const other of VERSIONS.filter((each) => !SPECIFICATION[each].includes(action)))
      expect([other, ...(await answer(body, { version: other }))]).toEqual([other, 404, 'not_found']);
    expect(await answer(body, { version: '3.4' })).toEqual([404, 'unsupported_version']);
    for (const path of ['', `/${version}`, `/v${version}/extra`])
      expect([path, await statusAt(caller, `${path}/customer/action/${action}`)]).toEqual([path, 404]);
  });

  test('needs the account in the parameter of its version', async () => {
    const answer = async (query: string, settings: SettingsInput = {}) => {
      const caller = createCustomerCaller({ settings }, version);
      for (const [name, sent] of earlier(version, row)) await caller.call(name, sent, { ...asking(row), query });
      const { status, body: reply } = await caller.send(action, body, { ...asking(row), query });
      return [status, reply?.error?.type, reply?.error?.message];
    };
    const own = parameterOf(version);
    const [granted, elsewhere] = [[200, undefined, undefined], account(version === '3.3' ? '3.7' : '3.3')];
    const missing = [400, 'validation', expect.stringContaining('`' + own + '`')];
    const unknown = [404, 'license_not_found', expect.stringMatching(/^License not found: /)];
    // Requests that come before would be refused for the same reason.
    if (earlier(version, row).length === 0) {
      expect(await answer('')).toEqual(missing);
      expect(await answer(`${own}=`)).toEqual(missing);
      expect(await answer(elsewhere)).toEqual(action === ACCOUNT_OF_EITHER ? granted : missing);
      for (const id of ['one', 'x1', '1x']) {
        const wrong = `${version === '3.3' ? '' : 'organization_id=org&'}license_id=${id}`;
        expect(await answer(wrong)).toEqual([400, 'validation', expect.stringContaining('`license_id`')]);
      }
      const settings = { licenseId: 2, organizationId: 'another' };
      expect(await answer(account(version), settings)).toEqual(unknown);
    }
    expect(await answer(elsewhere, { accountParameter: 'either' })).toEqual(granted);
    expect(await answer(`${account(version)}&${elsewhere}`)).toEqual(granted);
    expect(await answer(account(version), { licenseId: 1, organizationId: 'org' })).toEqual(granted);
  });

  // What all actions share: a sample tries it in the oldest version and in the newest.
  if (!TRIED_VERSIONS.includes(version)) return;

  test('takes `null` for absent, and ignores what it does not know', async () => {
    for (const { path } of members.filter(({ path: of }) => !of.endsWith(']'))) {
      const answers = [undefined, null].map(async (value) => {
        const { status } = await (await ready(version, row)).send(action, changed(body, path, value), asking(row));
        return status;
      });
      expect([path, await answers[1]]).toEqual([path, await answers[0]]);
    }
    for (const path of ['unknown', '__proto__', ...(row.ignores?.[version] ?? [])])
      await (await ready(version, row)).call(action, changed(body, path, { hostile: [1] }), asking(row));
  });

  test('is refused in the wrong region, for what is too large, to a banned customer, and on a license that has ended', async () => {
    const answer = async (settings: SettingsInput, how: HowSent = {}) => {
      const more = isForm ? {} : { more: 'x'.repeat(2000) };
      const { send } = createCustomerCaller({ settings }, version);
      const { status, body: reply } = await send(action, { ...body, ...more }, { ...asking(row), ...how });
      return [status, reply?.error?.type, reply?.error?.data];
    };
    expect(await answer({ region: 'fra' })).toEqual([421, 'misdirected_request', { region: 'fra' }]);
    const tooLarge = await answer({ limits: isForm ? { uploadBytes: 3 } : { bodyBytes: 2000 } });
    expect(tooLarge).toEqual([413, 'entity_too_large', undefined]);
    expect(await answer({ licenseExpired: true })).toEqual([403, 'license_expired', undefined]);
    expect(await answer({ wrongProductVersion: true })).toEqual([403, 'wrong_product_version', undefined]);
    const banned = await answer({}, { authorization: 'Bearer dal:zed' });
    expect(banned).toEqual([403, 'customer_banned', undefined]);
  });
});

test.each(TABLE.filter(([version, , row]) => /CHAT(?:KIM|LEE)001/.test(JSON.stringify(requestOf(version, row)))))(
  '%s %s is refused for an anonymized chat, and for the chat of another customer',
  async (version, action, row) => {
    const answer = async ({ send }: CustomerCaller, how: HowSent) => {
      const { status, body } = await send(action, requestOf(version, row), how);
      return [status, body?.error?.type];
    };
    const anonymized = createCustomerCaller({ seed: ANONYMIZED }, version);
    const error = version !== '3.3' ? [403, 'chat_anonymized'] : [400, 'validation'];
    expect(await answer(anonymized, asking(row))).toEqual(error);
    const caller = await ready(version, row);
    const before = caller.emulator.snapshot();
    expect(await answer(caller, { authorization: 'Bearer dal:max' })).toEqual([403, 'authorization']);
    expect(caller.emulator.snapshot()).toEqual(before);
  },
);

async function statusAt({ emulator }: CustomerCaller, path: string): Promise<number> {
  const headers = { authorization: 'Bearer dal:kim', 'content-type': 'application/json' };
  const request = new Request(`http://emulator${path}?license_id=1&organization_id=org`, {
    method: 'POST',
    headers,
    body: '{}',
  });
  return (await emulator.fetch(request)).status;
}

test.each(VERSIONS.flatMap((version) => ERRORS[version].map(([type, message]) => [version, type, message] as const)))(
  '%s says of %s: %s',
  async (version, type, message) => {
    const faults = [{ type: 'error' as const, error: type }];
    const { send } = createCustomerCaller({ scenario: { faults } }, version);
    const { body } = await send('list_chats');
    const data = type === 'misdirected_request' ? { data: { region: 'fra' } } : {};
    expect(body).toEqual({ error: { type, message, ...data } });
  },
);

test('A version that does not exist is refused with the message of the present one', async () => {
  const { body } = await createCustomerCaller().send('list_chats', {}, { version: '3.4' });
  expect(body.error.message).toMatch(/^Cannot call unsupported API versions\.: /);
});

test('The older versions say when they end; the stable one and the preview have no end', async () => {
  const headers = async (version: CustomerVersion) =>
    (await createCustomerCaller({}, version).send('list_chats')).headers;
  expect((await headers('3.3')).get('legacy')).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect((await headers('3.5')).get('legacy')).toMatch(/^\d{4}-\d\d-\d\d$/);
  for (const version of SINCE_36) {
    const newer = await headers(version);
    expect([newer.get('legacy'), newer.get('deprecation')]).toEqual([null, null]);
  }
});

test('What real clients send is taken: a GET with a JSON body, an empty value in a query, and a `null` body', async () => {
  const { emulator, call } = createCustomerCaller();
  const body = new TextEncoder().encode(JSON.stringify({ group_id: 1 }));
  const path = '/v3.7/customer/action/get_dynamic_configuration';
  const { body: found } = await emulator.handle({
    method: 'GET',
    origin: 'http://emulator',
    target: `${path}?organization_id=org&url=&channel_type=code`,
    header: (name) => (name === 'content-type' ? 'application/json' : null),
    bytes: async () => body,
  });
  expect(JSON.parse(String(found)).product).toMatchObject({ group_id: 1 });
  expect(await call('list_chats', 'null')).toEqual(await call('list_chats', ''));
});

test('The README says how much of the specification is there, and that is everything', async () => {
  const specified = Object.values(SPECIFICATION).flat().length;
  const implemented = new Set<string>();
  for (const [version, action, row] of TABLE) {
    expect(SPECIFICATION[version]).toContain(action);
    const caller = await ready(version, row);
    const { status } = await caller.send(action, requestOf(version, row), asking(row));
    if (status === 200) implemented.add(`${version} ${action}`);
  }
  const share = Math.floor((100 * implemented.size) / specified);
  expect(`${implemented.size} of ${specified} (${share} %)`).toBe('137 of 137 (100 %)');
  const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
  expect(readme).toContain(`${implemented.size} of the ${specified} actions of the Customer Chat Web API (${share} %)`);
});
