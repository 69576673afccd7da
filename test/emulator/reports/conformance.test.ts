// Every report by POST and GET against the specification: what it accepts, what it answers, and everything that it refuses.

import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Seed, SettingsInput } from '../../../src/emulator/index.ts';
import { changed } from '../conformance/row.ts';
import { createReportCaller, type HowAsked, type ReportCaller } from './caller.ts';
import {
  AGENT_MEMBERS,
  CHAT_MEMBERS,
  EXCLUSIVE,
  FILTERS,
  FIVE_DAYS,
  LATER_REPORTS,
  REPORTS,
  SEED,
  TAG_MEMBERS,
  TIMED_FILTERS,
  TIMED_MEMBERS,
} from './rows.ts';

const METHODS = ['POST', 'GET'] as const;
const HOUR = 3_600_000;

/** The license of the table at noon: Ann has accepted chats for four hours, and d has bought something. */
async function prepared(settings: SettingsInput = {}, seed: Seed = SEED): Promise<ReportCaller> {
  const caller = createReportCaller({ seed, settings, at: Date.UTC(2026, 0, 5, 8) });
  await caller.post('/_emulator/presence', { id: 'ann', status: 'accepting_chats' });
  caller.clock.now += 4 * HOUR;
  const visit = { session_fields: [], group_id: 1, page_url: 'https://shop.example/thanks' };
  await caller.post('/v3.7/customer/action/check_goals?organization_id=o', visit, 'dal:d');
  return caller;
}

const nameOf = (report: string): string => `${(report.split('/')[1] ?? '').replaceAll('_', '-')}-report`;
const VERSIONS = ['3.4', '3.5', '3.6', '3.7'] as const;

/** Every report with its versions, the name in its answer, and the answer. */
const ROWS = [
  ...REPORTS.map(([report, reply]) => {
    const versions: readonly string[] = report === 'chats/surveys' ? ['3.4'] : VERSIONS;
    return [report, versions, nameOf(report), reply] as const;
  }),
  ...LATER_REPORTS,
];

/** today/reports.md, "Which report in which version". */
const REPORTS_OF = { '3.4': 12, '3.5': 13, '3.6': 17, '3.7': 19 } as const;

const isOfChats = (report: string): boolean => report.startsWith('chats/');
const MEMBERS: { readonly [resource: string]: typeof CHAT_MEMBERS } = {
  chats: CHAT_MEMBERS,
  agents: AGENT_MEMBERS,
  tags: TAG_MEMBERS,
};

/** The chats that a request counts: each has its letter as a tag. */
async function lettersOf({ ask }: ReportCaller, filters: object, method: string): Promise<string> {
  const { total, records } = await ask('chats/tags', { distribution: 'year', filters }, { method });
  const letters = Object.keys(Object.assign({}, ...Object.values(records))).filter((tag) => tag.length === 1);
  expect(total).toBe(letters.length);
  return letters.sort().join('');
}

// Each report by the oldest version that has it; further below, every version answers all of its reports.
describe.each(ROWS)('%s', (report, [version = ''], name, reply) => {
  const root = `/v${version}/`;
  const [resource = ''] = report.split('/');
  const body = { ...(resource === 'tags' ? {} : { distribution: 'day' }), timezone: 'UTC', filters: FIVE_DAYS };
  const echo = version === '3.7' ? { request: body } : {};

  test.each(METHODS)('answers %s, and counts the request under its name', async (method) => {
    const caller = await prepared();
    expect(await caller.ask(report, body, { method, root })).toEqual({ name, ...echo, ...reply });
    expect(caller.emulator.stats()[`reports/${report}`]).toBe(1);
  });

  test('changes nothing', async () => {
    const { ask, emulator } = await prepared();
    const before = JSON.stringify(emulator.snapshot());
    for (const method of METHODS) await ask(report, body, { method, root });
    expect(JSON.stringify(emulator.snapshot())).toBe(before);
  });

  test('refuses every wrong member with `validation`, and names it', async () => {
    const { send } = await prepared();
    const base = { ...body, filters: { ...FIVE_DAYS, ...(isOfChats(report) ? { surveys: [{}] } : {}) } };
    // The reports of a family read a request in the same way: one of them gets every wrong value, the others one for each member.
    const isThorough = ['chats/total_chats', 'agents/performance'].includes(report);
    for (const [path, values] of MEMBERS[resource] ?? TIMED_MEMBERS)
      for (const value of isThorough ? values : values.slice(-1)) {
        const { status, body: refused } = await send(report, changed(base, path, value), { root });
        const said = `${path}: ${JSON.stringify(value)}`;
        expect([said, status, refused.error?.type]).toEqual([said, 400, 'validation']);
        expect(refused.error.message).toContain('`' + path);
      }
  });

  test('takes `null` for absent, and refuses what it does not have, or ignores it', async () => {
    const { send } = await prepared();
    const { ask } = await prepared({ unknownFilters: 'ignored', reportEcho: 'never' });
    const expected = { name, ...reply };
    for (const path of ['distribution', 'timezone', 'filters.agents', 'filters.groups.values', 'filters.unknown'])
      expect([path, await ask(report, changed(body, path, null), { root })]).toEqual([path, expected]);
    const unknown = [
      'unknown',
      'filters.countries',
      ...(isOfChats(report) ? [] : ['filters.tags', 'filters.agents.exists']),
    ];
    for (const path of [...unknown, 'filters.agents.like', '__proto__']) {
      const wrong = changed(body, path, { hostile: [1] });
      expect([path, await ask(report, wrong, { root })]).toEqual([path, expected]);
      const { status, body: refused } = await send(report, wrong, { root });
      expect([path, status, refused.error?.type]).toEqual([path, 400, 'validation']);
      expect(refused.error.message).toContain(path.split('.')[1] ?? path);
    }
  });

  test('needs exactly one pair of time filters', async () => {
    const { send } = await prepared();
    const { from, to } = FIVE_DAYS;
    const wrong = [
      {},
      { groups: { values: [1] } },
      { from },
      { to },
      { from: to, to: from },
      ...(isOfChats(report)
        ? [
            { ...FIVE_DAYS, greetings: FIVE_DAYS },
            { ...FIVE_DAYS, surveys: [FIVE_DAYS] },
            { greetings: FIVE_DAYS, surveys: [FIVE_DAYS] },
            { surveys: [FIVE_DAYS, { from }] },
            { surveys: [FIVE_DAYS, { from: to, to: from }] },
            { greetings: { from } },
            { ...FIVE_DAYS, surveys: [{ to }] },
          ]
        : []),
    ];
    for (const method of METHODS)
      for (const filters of wrong.filter((one) => method === 'POST' || Object.keys(one).length > 0)) {
        const { status, body: refused } = await send(report, { filters }, { method, root });
        expect([filters, status, refused.error?.type]).toEqual([filters, 400, 'validation']);
        expect(refused.error.message).toContain('`filters');
      }
  });

  test('needs a bearer token, the scope `reports_read`, its method, its content type and its version', async () => {
    const tokens = [
      { token: 'dal:reader', scopes: ['reports_read'] },
      { token: 'dal:other', scopes: ['agents--all:rw', 'properties.configuration:rw'] },
      { token: 'mine', kind: 'personal' as const, account_id: 'account', scopes: ['reports_read'] },
    ];
    const { send } = await prepared({}, { ...SEED, tokens });
    const answer = async (how: HowAsked, sent: unknown = body) => {
      const { status, body: said } = await send(report, sent, { root, ...how });
      return [status, said?.error?.type];
    };
    const personal = `Basic ${Buffer.from('account:mine').toString('base64')}`;
    expect(await answer({})).toEqual([200, undefined]);
    expect(await answer({ authorization: personal })).toEqual([200, undefined]);
    expect(await answer({ authorization: 'Bearer dal:other' })).toEqual([403, 'authorization']);
    for (const authorization of [null, 'Bearer', 'Bearer dal:unknown', 'Digest x'])
      for (const method of METHODS)
        expect([authorization, ...(await answer({ authorization, method }))]).toEqual([
          authorization,
          401,
          'authentication',
        ]);
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect([method, ...(await answer({ method }))]).toEqual([method, 405, 'validation']);
    for (const text of ['{', '[]', '"x"', '7']) expect(await answer({}, text)).toEqual([400, 'validation']);
    expect(await answer({ headers: { 'content-type': 'text/plain' } })).toEqual([400, 'validation']);
    expect(await answer({ root: '/v3.3/' })).toEqual([404, 'unsupported_version']);
    for (const wrong of ['/', `/${version}/`, `${root}configuration/`])
      expect(await answer({ root: wrong })).toEqual([404, 'not_found']);
    expect(await answer({ root: '/', headers: { 'x-api-version': version } })).toEqual([200, undefined]);
    expect(await answer({ root: '/', headers: { 'x-api-version': '3.2' } })).toEqual([404, 'unsupported_version']);
    expect(await answer({ headers: { 'x-api-version': '3.6' } })).toEqual([200, undefined]);
  });

  test('is refused for what is too large, and on a license that has ended', async () => {
    const answer = async (settings: SettingsInput) => {
      const long = { unknownFilters: 'ignored', ...settings } as const;
      const { send } = createReportCaller({ seed: SEED, settings: long });
      const { status, body: said, headers } = await send(report, { more: 'x'.repeat(2000) }, { root });
      return [status, said.error?.type, headers.get('deprecation') ?? headers.get('legacy')];
    };
    const stage = version === '3.4' || version === '3.5' ? '2027-12-31' : null;
    expect(await answer({ limits: { bodyBytes: 2000 } })).toEqual([413, 'validation', stage]);
    expect(await answer({ licenseExpired: true })).toEqual([403, 'license_expired', stage]);
    const legacy = { header: 'Legacy' as const, date: '2030-01-01' };
    expect(await answer({ lifecycle: { [`reports/${version}`]: legacy } })).toEqual([200, undefined, '2030-01-01']);
    expect(await answer({ lifecycle: { [`reports/${version}`]: null } })).toEqual([200, undefined, null]);
  });
});

test.each(METHODS)('Every filter lets its chats through, by %s', async (method) => {
  const caller = await prepared();
  for (const [filters, letters] of FILTERS)
    expect([filters, await lettersOf(caller, { ...FIVE_DAYS, ...filters }, method)]).toEqual([filters, letters]);
  for (const [filters, letters] of TIMED_FILTERS)
    expect([filters, await lettersOf(caller, filters, method)]).toEqual([filters, letters]);
});

test.each(METHODS)('Only one of `exists`, `values` and `exclude_values` may be given, by %s', async (method) => {
  const { send } = await prepared();
  const base = { filters: { ...FIVE_DAYS, surveys: [{ type: 'pre_chat' }] } };
  for (const [path, item] of EXCLUSIVE) {
    const pairs = [
      { values: [item], exclude_values: [item] },
      ...(path === 'filters.event_types'
        ? []
        : [
            { exists: true, values: [item] },
            { exists: false, exclude_values: [item] },
          ]),
    ];
    for (const pair of pairs) {
      const { status, body } = await send('chats/tags', changed(base, path, pair), { method });
      expect([path, pair, status, body.error?.type]).toEqual([path, pair, 400, 'validation']);
      expect(body.error.message).toContain('`' + path + '`');
    }
  }
  const agents = { ...FIVE_DAYS, agents: { values: ['ann'], exclude_values: ['bob'] } };
  expect((await send('agents/performance', { filters: agents }, { method })).status).toBe(400);
});

test('A query may have brackets that are not escaped, an offset whose plus sign is a space, and empty values', async () => {
  const { ask, send } = await prepared();
  const range = 'filters.from=2026-01-01T02:00:00+02:00&filters.to=2026-01-06T00:00:00 00:00';
  const count = async (query: string): Promise<number> =>
    (await ask('chats/total_chats', {}, { method: 'GET', query: `${range}&${query}` })).total;
  expect(await count('')).toBe(6);
  expect(await count('filters.properties[routing][start_url].values=https://shop.example/pricing')).toBe(1);
  expect(await count('filters.properties%5Brating%5D%5Bscore%5D.values=0&filters.groups.values=')).toBe(1);
  expect(await count('filters.groups.values=1&filters.groups.values=2&filters.groups.require_every_value=true')).toBe(
    1,
  );
  expect(await count('filters.surveys.type=post_chat')).toBe(1);
  expect(await count('filters.surveys[0].type=post_chat&filters.surveys[1].type=pre_chat')).toBe(0);
  for (const query of [
    'filters.unknown[x]=1',
    'x[=2',
    'filters.groups.values=x',
    'filters.groups.values=1.5',
    'filters.agents.exists=yes',
    'filters.from=2026-01-01T00:00:00Z',
    'filters=1',
    'distribution=day&distribution=hour',
    'filters.surveys[0].type=pre_chat&filters.surveys.type=post_chat',
    'filters.greetings.from=2026-01-01T00:00:00 00:00&filters.greetings.to=2026-01-06T00:00:00 00:00',
  ]) {
    const { status, body } = await send('chats/total_chats', {}, { method: 'GET', query: `${range}&${query}` });
    expect([query, status, body.error?.type]).toEqual([query, 400, 'validation']);
  }
});

test('A report that does not exist is not found', async () => {
  const { send } = await prepared();
  for (const report of ['chats/likes', 'agents/duration', 'chats', 'duration'])
    expect((await send(report)).status).toBe(404);
});

test.each(VERSIONS)(
  'Version %s answers every report that it has, by both methods, and no other one',
  async (version) => {
    const { send } = await prepared();
    const granted: string[] = [];
    for (const [report, versions, name] of ROWS)
      for (const method of METHODS) {
        const { status, body } = await send(report, { filters: FIVE_DAYS }, { method, root: `/v${version}/` });
        const isThere = versions.includes(version);
        expect([report, method, status, body.name]).toEqual([
          report,
          method,
          isThere ? 200 : 404,
          isThere ? name : undefined,
        ]);
        if (isThere) granted.push(report);
      }
    expect(`${version}: ${granted.length} requests`).toBe(`${version}: ${2 * REPORTS_OF[version]} requests`);
    const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
    const numbers = VERSIONS.map((each) => REPORTS_OF[each])
      .join(', ')
      .replace(/, (\d+)$/, ' and $1');
    expect(readme).toContain(`${numbers} reports of the Reports API 3.4 to 3.7`);
  },
);
