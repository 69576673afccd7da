// Every action of every version against the tables of the specification: what it accepts, what it answers, and everything that it refuses.

import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { SettingsInput } from '../../src/emulator/index.ts';
import { TRIED_VERSIONS } from '../tries.ts';
import type { Caller, Version } from './caller.ts';
import { createCaller, since, VERSIONS } from './caller.ts';
import { SINGLE } from './conformance/batches.ts';
import type { Body, Row, Sent } from './conformance/row.ts';
import { changed, inVersion, isOf } from './conformance/row.ts';
import { SCOPES } from './conformance/scopes.ts';
import { SPECIFICATION } from './conformance/specification.ts';
import { SEED, TABLE } from './requests.ts';

/** Actions that need no credential. */
const ANONYMOUS = ['issue_bot_token', 'list_webhook_names'];
const SETTINGS = { clientId: 'app' };

/** A caller of the license of the table, after the requests that come before. */
async function prepared(version: Version, after: readonly Sent[] = []): Promise<Caller> {
  const caller = createCaller({ seed: SEED, settings: SETTINGS }, version);
  for (const [action, body] of after) await caller.call(action, body);
  return caller;
}

const ready = (version: Version, { after = [] }: Row): Promise<Caller> =>
  prepared(version, inVersion<readonly Sent[]>(after, version));

/** The request of a row, with the secret of its bot where it needs one. */
async function requestOf(caller: Caller, version: Version, { action, request }: Row): Promise<Body> {
  const body = inVersion(request, version);
  if (action !== 'issue_bot_token') return body;
  const { id, secret } = await caller.call('create_bot', { name: 'Made' });
  return { ...body, bot_id: id, bot_secret: secret };
}

describe.each(TABLE)('%s %s', (version, action, row) => {
  const members = row.members.filter(({ only }) => isOf(version, only));
  const refused = (row.refused ?? []).filter(({ only }) => isOf(version, only));

  test('accepts everything that its table lists, and answers what its table says', async () => {
    const caller = await ready(version, row);
    const body = await requestOf(caller, version, row);
    expect(await caller.call(action, body)).toEqual(inVersion(row.reply, version));
    expect(caller.emulator.stats()[action]).toBe(1);
    for (const other of row.accepts ?? []) await (await prepared(version)).call(action, other);
  });

  test('refuses every wrong member with `validation`, and names it', async () => {
    const caller = await ready(version, row);
    const body = await requestOf(caller, version, row);
    const before = caller.emulator.snapshot();
    for (const { path, required, refuses } of members)
      for (const value of required ? [undefined, null, ...refuses] : refuses) {
        const { status, body: reply } = await caller.send(action, changed(body, path, value));
        const said = `${path}: ${JSON.stringify(value)}`;
        expect([said, status, reply?.error?.type]).toEqual([said, 400, 'validation']);
        expect(reply.error.message).toContain('`' + path + '`');
        expect(Object.keys(reply.error)).toEqual(['type', 'message']);
      }
    expect(caller.emulator.snapshot()).toEqual(before);
  });

  test('refuses what its rules refuse, with their error, and changes nothing', async () => {
    for (const { type, body, names, after, authorization } of refused) {
      const caller = await prepared(version, after);
      const before = caller.emulator.snapshot();
      const { body: reply } = await caller.send(action, body, authorization === undefined ? {} : { authorization });
      expect([body, reply?.error?.type]).toEqual([body, type]);
      if (names !== undefined) expect(reply.error.message).toContain('`' + names + '`');
      expect(caller.emulator.snapshot()).toEqual(before);
    }
  });

  test('needs a credential, POST, JSON, and a version that has it', async () => {
    const caller = await ready(version, row);
    const body = await requestOf(caller, version, row);
    const answer = async (sent: unknown, how: object = {}) => {
      const { status, body: reply } = await caller.send(action, sent, how);
      return [status, reply?.error?.type];
    };
    if (!ANONYMOUS.includes(action)) {
      expect(await answer(body, { authorization: null })).toEqual([401, 'authentication']);
      expect(await answer(body, { authorization: 'Digest x' })).toEqual([401, 'authentication']);
    }
    const getToo = ['list_license_properties', 'list_group_properties'].includes(action);
    for (const method of ['PUT', 'PATCH', 'DELETE', ...(getToo ? [] : ['GET'])])
      expect([method, ...(await answer('', { method }))]).toEqual([method, 405, 'validation']);
    for (const text of ['{', '[]', '"x"', '7', 'true', `${JSON.stringify(body)}}`])
      expect([text, ...(await answer(text))]).toEqual([text, 400, 'validation']);
    expect(await answer(body, { headers: { 'content-type': 'text/plain' } })).toEqual([400, 'validation']);
    const other = version === '3.3' ? '3.6' : '3.3';
    const elsewhere = SPECIFICATION[other].includes(action) ? undefined : 'not_found';
    if (elsewhere !== undefined) expect(await answer(body, { version: other })).toEqual([404, elsewhere]);
    expect(await answer(body, { version: '3.4' })).toEqual([404, 'unsupported_version']);
    for (const path of ['', '/3.6', '/v3.6/extra'])
      expect([path, await statusAt(caller, `${path}/configuration/action/${action}`)]).toEqual([path, 404]);
  });

  // What all actions share: a sample tries it in the oldest version and in the newest.
  if (!TRIED_VERSIONS.includes(version)) return;

  test('takes `null` for absent, and ignores what it does not know', async () => {
    for (const { path } of members.filter(({ path: of }) => !of.endsWith(']'))) {
      const answers = [undefined, null].map(async (value) => {
        const caller = await ready(version, row);
        const { status } = await caller.send(action, changed(await requestOf(caller, version, row), path, value));
        return status;
      });
      expect([path, await answers[1]]).toEqual([path, await answers[0]]);
    }
    for (const path of ['unknown', '__proto__', ...(row.ignores?.[version] ?? [])]) {
      const caller = await ready(version, row);
      await caller.call(action, changed(await requestOf(caller, version, row), path, { hostile: [1] }));
    }
  });

  test('is refused in the wrong region, for a body that is too large, and when the license has expired', async () => {
    const answer = async (settings: SettingsInput) => {
      const { send } = createCaller({ seed: SEED, settings: { ...SETTINGS, ...settings } }, version);
      const { status, body: reply } = await send(action, {
        ...inVersion(row.request, version),
        more: 'x'.repeat(2000),
      });
      return [status, reply?.error?.type, reply?.error?.data];
    };
    const away = [421, 'misdirected_request', { region: 'fra' }];
    if (since('3.6').includes(version)) expect(await answer({ region: 'fra' })).toEqual(away);
    expect(await answer({ region: 'fra', regionIn33: 'checked' })).toEqual(away);
    expect(await answer({ limits: { bodyBytes: 2000 } })).toEqual([413, 'validation', undefined]);
    expect(await answer({ licenseExpired: true })).toEqual([403, 'license_expired', undefined]);
  });
});

async function statusAt({ emulator }: Caller, path: string): Promise<number> {
  const headers = { authorization: 'Bearer x', 'content-type': 'application/json' };
  return (await emulator.fetch(new Request(`http://emulator${path}`, { method: 'POST', headers, body: '{}' }))).status;
}

test.each(SINGLE)('Whatever $action refuses fails in its slot of a batch, and no other slot fails', async (row) => {
  const good = inVersion(row.request, '3.6');
  const wrong = row.members
    .filter(({ only }) => isOf('3.6', only))
    .flatMap(({ path, required, refuses }) =>
      [...(required ? [undefined, null] : []), ...refuses].map((value) => changed(good, path, value)),
    );
  const refused = (row.refused ?? []).filter((one) => isOf('3.6', one.only) && !one.after && !one.authorization);
  const caller = await ready('3.6', row);
  const requests = ['text', ...wrong, good, ...refused.map(({ body }) => body), []];
  const { responses } = await caller.call(`batch_${row.action}s`, { requests });
  const slot = (type: string) => ({ error: { type, message: expect.any(String) } });
  expect(responses).toEqual([
    ...['text', ...wrong].map(() => slot('validation')),
    inVersion(row.reply, '3.6'),
    ...refused.map(({ type }) => slot(type)),
    slot('validation'),
  ]);
});

const without = (scopes: readonly string[], scope: string, instead: readonly string[]): readonly string[] =>
  scopes.flatMap((one) => (one === scope ? instead : [one]));
/** Each less than the scope: nothing, less access, less reach. */
const lesser = (scope: string): readonly (readonly string[])[] => [
  [],
  ...(scope.endsWith(':rw') || scope.endsWith(':rc') ? [[scope.replace(/:r[wc]$/, ':ro')]] : []),
  ...(scope.includes('--all')
    ? [[scope.replace('--all', /^(?:tags|canned)/.test(scope) ? '--groups' : '--my').replace(/:r[oc]$/, ':rw')]]
    : []),
];
const greater = (scope: string): string => scope.replace(/--(?:my|groups)/, '--all').replace(/:r[oc]$/, ':rw');

describe.each(
  SCOPES.flatMap(([action, body, scopes]) =>
    VERSIONS.flatMap((version) => {
      if (!SPECIFICATION[version].includes(action)) return [];
      const single = [version, action, body, scopes] as const;
      const batch = [version, `batch_${action}s`, { requests: [body] }, scopes] as const;
      return SPECIFICATION[version].includes(`batch_${action}s`) ? [single, batch] : [single];
    }),
  ),
)('%s %s %j with exactly %j', (version, action, body, needed) => {
  const answer = async (scopes: readonly string[]): Promise<string> => {
    const agent_id = action.includes('request_agent_unsuspension') ? 'sue' : 'ann';
    const token = { token: 'dal:t', scopes, client_id: 'app', agent_id };
    const { send } = createCaller({ seed: { ...SEED, tokens: [token] } }, version);
    const { status, body: reply } = await send(action, body, { authorization: 'Bearer dal:t' });
    const error = reply?.error ?? reply?.responses?.[0]?.error;
    return error?.type ?? String(status);
  };

  test('is answered, and with any of them less is refused', async () => {
    expect(await answer(needed)).toBe('200');
    expect(await answer(needed.map(greater))).toBe('200');
    for (const scope of needed)
      for (const instead of lesser(scope)) {
        const scopes = without(needed, scope, instead);
        expect([scopes, await answer(scopes)]).toEqual([scopes, 'authorization']);
      }
  });
});

test('Every action of the specification has its scopes in the table, but for those that need no token', () => {
  for (const version of VERSIONS) {
    const listed = new Set(SCOPES.flatMap(([action]) => [action, `batch_${action}s`]));
    const missing = SPECIFICATION[version].filter((action) => !listed.has(action));
    expect(missing).toEqual(SPECIFICATION[version].filter((action) => ANONYMOUS.includes(action)));
  }
});

test('The README says how much of the specification is there, and that is everything', async () => {
  const specified = Object.values(SPECIFICATION).flat().length;
  const implemented = new Set<string>();
  for (const [version, action, row] of TABLE) {
    expect(SPECIFICATION[version]).toContain(action);
    const caller = await ready(version, row);
    const { status } = await caller.send(action, await requestOf(caller, version, row));
    if (status === 200) implemented.add(`${version} ${action}`);
  }
  const share = Math.floor((100 * implemented.size) / specified);
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  expect(readme).toContain(
    `${implemented.size} of the ${specified} actions of the Configuration API that chatform knows`,
  );
  expect(share).toBe(100);
});
