// `chatform report` and `chatform api --reports` on an emulator: what is asked, what is shown of it, and what is refused.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { REPORTS_VERSIONS } from '../../src/base/model.ts';
import { hasReport } from '../../src/demand/ask.ts';
import { REPORT_NAMES, SHORT_NAMES } from '../../src/demand/forms.ts';
import { parseSeed } from '../../src/emulator/index.ts';
import { reportSchema } from '../../src/features/report/schema.ts';
import { chatform, folder, type Ran } from './chatform.ts';
import { served } from './served.ts';

const PROJECT = `version: 1
manifest: [manifest.yaml]
targets:
  shop:
    base_url: emulator:license.json
    ledger: .chatform/shop.ledger.ndjson
    routing: { timezone: Europe/Warsaw }
`;

const MINUTE = 60_000;

/** Chats of one day of October 2025, in Warsaw two hours ahead of UTC. */
const CHATS = [
  { at: '2025-10-06T08:00:00Z', group: 1, agent: 'ann@example.com', minutes: 10, tags: ['vip'], score: 1 },
  { at: '2025-10-06T08:30:00Z', group: 1, agent: 'ann@example.com', minutes: 20, tags: ['vip', '=1+1'], score: 1 },
  { at: '2025-10-06T12:00:00Z', group: 1, agent: 'ann@example.com', minutes: 10, tags: [], score: 0 },
  { at: '2025-10-07T08:00:00Z', group: 1, agent: 'ann@example.com', minutes: 10, tags: ['vip'], score: 1 },
  { at: '2025-10-07T08:10:00Z', group: 1, agent: 'ann@example.com', minutes: 10, tags: [], score: 1 },
  { at: '2025-10-07T09:00:00Z', group: 1, agent: 'bob@example.com', minutes: 40, tags: [], score: null },
  { at: '2025-10-08T22:30:00Z', group: 2, agent: 'bob@example.com', minutes: 5, tags: ['night'], score: null },
] as const;

const LICENSE = {
  owner: { id: 'zoe@example.com', name: 'Zoe' },
  agents: [
    { id: 'ann@example.com', name: 'Ann' },
    { id: 'bob@example.com', name: 'Bob' },
  ],
  groups: [
    { name: 'Sales', agent_priorities: { 'ann@example.com': 'normal', 'bob@example.com': 'first' } },
    { name: 'Night', agent_priorities: { 'bob@example.com': 'normal' } },
  ],
  customers: CHATS.map((_, index) => ({ id: `c${index}` })),
  chats: CHATS.map(({ at, group, agent, minutes, tags, score }, index) => ({
    customer: `c${index}`,
    threads: [
      {
        created_at: at,
        closed_at: new Date(Date.parse(at) + minutes * MINUTE).toISOString(),
        group_ids: [group],
        agent,
        tags,
        ...(score === null ? {} : { properties: { rating: { score } } }),
        events: [
          { type: 'message', text: 'Hello', created_at: at },
          { type: 'message', text: 'Hi', author: agent, created_at: new Date(Date.parse(at) + MINUTE).toISOString() },
        ],
      },
    ],
  })),
};

const BOUND = {
  v: 1,
  at: '2025-10-01T00:00:00.000Z',
  run: 'r',
  type: 'bound',
  address: 'group/sales',
  id: 1,
  origin: 'adopted',
};

async function shop(settings = ''): Promise<string> {
  return folder({
    'chatform.yaml': PROJECT + settings,
    'license.json': JSON.stringify(LICENSE),
    '.chatform/shop.ledger.ndjson': `${JSON.stringify(BOUND)}\n`,
  });
}

const WEEK = ['--from', '2025-10-06', '--to', '2025-10-12'];

async function report(...args: readonly string[]): Promise<Ran> {
  return chatform(['report', ...args], { cwd: await shop() });
}

async function shown(...args: readonly string[]) {
  const { code, stdout, stderr } = await report(...args, '--json');
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

describe('the table', () => {
  test('chats by day, with a bar for each, and addresses that the ledger knows', async () => {
    const { code, stdout } = await report('total_chats', '--group', 'sales', ...WEEK);
    expect(stdout).toMatchInlineSnapshot(`
      "Chats: group/sales on shop, 2025-10-06 to 2025-10-12, Europe/Warsaw

      Day         Chats  Continuous
      2025-10-06      3           0  ████████████████████████
      2025-10-07      3           0  ████████████████████████
      2025-10-08      0           0
      2025-10-09      0           0
      2025-10-10      0           0
      2025-10-11      0           0
      2025-10-12      0           0
      all             6           0

      All: chats 6, continuous 0. 1 request sent: 1 chats/total_chats.
      "
    `);
    expect(code).toBe(0);
  });

  test('hours of many days are a line for each day', async () => {
    const { stdout } = await report('chats/total_chats', '--distribution', 'hour', ...WEEK);
    expect(stdout).toMatchInlineSnapshot(`
      "Chats: all groups on shop, 2025-10-06 to 2025-10-12, Europe/Warsaw

      Day         Chats  Hour by hour, up to 2
      2025-10-06      3  ··········█···▄·········
      2025-10-07      3  ··········█▄············
      2025-10-08      0  ························
      2025-10-09      1  ▄·······················
      2025-10-10      0  ························
      2025-10-11      0  ························
      2025-10-12      0  ························
      all             7

      Numbers: 168 rows
      \`--details\` shows each of them.

      All: chats 7, continuous 0. 1 request sent: 1 chats/total_chats.
      "
    `);
  });

  test('tags are a line for each tag', async () => {
    const { stdout } = await report('tags', ...WEEK);
    expect(stdout).toMatchInlineSnapshot(`
      "Tags: all groups on shop, 2025-10-06 to 2025-10-12, Europe/Warsaw

      Tag    Chats  Day by day, up to 2
      vip        3  █▄·····
      =1+1       1  ▄······
      night      1  ···▄···

      Numbers: 4 rows
      \`--details\` shows each of them.

      4 rows. 1 request sent: 1 chats/tags.
      "
    `);
  });

  test('a time without a chat says so', async () => {
    const { stdout } = await report('tags', '--from', '2024-01-01', '--to', '2024-01-02', '-q');
    expect(stdout).toBe('Nothing in this time. 1 request sent: 1 chats/tags.\n');
  });
});

describe('the document', () => {
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(reportSchema);

  test('The published schema is the one in the code', async () => {
    const text = `${JSON.stringify(reportSchema, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot('../../schemas/report.schema.json');
  });

  test.each(REPORTS_VERSIONS)('Every report of version %s is a table', async (version) => {
    const cwd = await shop(`    reports_api_version: "${version}"\n`);
    const names = REPORT_NAMES.filter((name) => hasReport(version, name));
    for (const name of names) {
      const { code, stdout, stderr } = await chatform(['report', name, ...WEEK, '--people', '--json'], { cwd });
      expect([name, code, stderr]).toEqual([name, 0, '']);
      const document = JSON.parse(stdout);
      expect([name, validate(document), validate.errors]).toEqual([name, true, null]);
      expect(document).toMatchObject({ report: name, target: 'shop', errored: false, requests_sent: { [name]: 1 } });
    }
  });

  test('sums add up, and averages are those of all chats', async () => {
    const { rows, sums, total, from, to } = await shown('duration', '--group', 'group/sales', ...WEEK);
    expect(total).toBe(6);
    expect(sums).toMatchObject({ count: 6 });
    const day = ({ keys }: { readonly keys: readonly string[] }) => keys[0];
    expect(rows.map(day)).toEqual([
      '2025-10-06',
      '2025-10-07',
      '2025-10-08',
      '2025-10-09',
      '2025-10-10',
      '2025-10-11',
      '2025-10-12',
    ]);
    expect(rows[0].values).toMatchObject({ count: 3, duration: 800 });
    expect(sums.duration).toBeCloseTo((3 * 800 + 3 * 1200) / 6, 6);
    expect([from, to]).toEqual(['2025-10-06T00:00:00+02:00', '2025-10-13T00:00:00+02:00']);
  });

  test('the zone decides which day a chat is in, and a tag which chats count', async () => {
    const inUtc = await shown('total_chats', '--group', '2', '--timezone', 'UTC', ...WEEK);
    const inWarsaw = await shown('total_chats', '--group', 'Night', ...WEEK);
    const dayOf = (document: {
      readonly rows: readonly { readonly keys: readonly string[]; readonly values: { readonly total: number } }[];
    }) => document.rows.find(({ values }) => values.total > 0)?.keys;
    expect([dayOf(inUtc), dayOf(inWarsaw)]).toEqual([['2025-10-08'], ['2025-10-09']]);
    expect((await shown('total_chats', '--tag', 'vip', ...WEEK)).total).toBe(3);
    expect((await shown('total_chats', '--tag', 'vip', '--tag', 'night', ...WEEK)).total).toBe(4);
  });
});

describe('figures of persons', () => {
  test('they need --people', async () => {
    expect((await report('ranking', ...WEEK)).stderr).toContain(
      'ranking has nothing but figures of persons: add --people',
    );
    const agent = await report('availability', '--agent', 'ann@example.com', ...WEEK);
    expect([agent.code, agent.stderr]).toEqual([
      1,
      expect.stringContaining('--agent: this shows figures of a person; add --people'),
    ]);
    // But for two chats, all are of one agent.
    const summary = await shown('performance', ...WEEK);
    expect(summary).toMatchObject({
      rows: [],
      sums: {},
      notes: [expect.stringContaining('--people shows them'), expect.stringContaining('Some sums are left out')],
    });
    expect(JSON.stringify(summary)).not.toContain('ann@');
  });

  test('none stands on fewer than five chats', async () => {
    const rule = 'figures of a person on fewer than 5 chats are hidden, and so are those that would tell them';
    const all = await shown('performance', ...WEEK, '--people');
    // Without both of them, the two chats of Bob were the difference.
    expect(all).toMatchObject({ rows: [], sums: { chats_count: 7 }, notes: [`2 agents are left out: ${rule}.`] });
    const month = await shown('duration', '--agent', 'ann@example.com', '--people', '--distribution', 'month', ...WEEK);
    expect(month).toMatchObject({ rows: [{ keys: ['2025-10'], values: { count: 5 } }], sums: { count: 5 }, notes: [] });
    const byDay = await shown('duration', '--agent', 'ann@example.com', '--people', ...WEEK);
    expect(byDay).toMatchObject({ rows: [], sums: { count: 5 }, notes: [`7 rows are left out: ${rule}.`] });
    const ann = await shown('availability', '--agent', 'ann@example.com', '--people', ...WEEK);
    expect(ann).toMatchObject({ agents: ['agent/ann@example.com'], rows: [] });
    expect(ann.requests_sent).toEqual({ list_agents: 1, 'agents/availability': 1, 'chats/total_chats': 1 });
    const bob = await shown('total_chats', '--agent', 'agent/bob@example.com', '--people', ...WEEK);
    expect(bob).toMatchObject({
      rows: [],
      sums: {},
      total: null,
      notes: [`7 rows are left out: ${rule}.`],
    });
    expect(bob.requests_sent).toEqual({ list_agents: 1, 'chats/total_chats': 1 });
  });
});

describe('bots', () => {
  const LEDGER = '.chatform/shop.ledger.ndjson';

  /** Six chats of one bot, and as many of another. */
  async function withBots(): Promise<string> {
    const cwd = await shop();
    const chats = ['owl', 'robin'].flatMap((agent) =>
      Array.from({ length: 6 }, (_, hour) => ({
        customer: `${agent}-${hour}`,
        threads: [
          { created_at: `2025-10-09T0${hour}:00:00Z`, closed_at: `2025-10-09T0${hour}:09:00Z`, group_ids: [1], agent },
        ],
      })),
    );
    const bots = ['owl', 'robin'].map((id) => ({ id, name: id.toUpperCase() }));
    await writeFile(
      join(cwd, 'license.json'),
      JSON.stringify({ ...LICENSE, bots, chats, customers: chats.map(({ customer: id }) => ({ id })) }),
    );
    const bound = { ...BOUND, address: 'bot/night-owl', id: 'owl' };
    await writeFile(join(cwd, LEDGER), `${JSON.stringify(BOUND)}\n${JSON.stringify(bound)}\n`);
    return cwd;
  }

  test('are shown by their addresses, and named by key, id or name', async () => {
    const cwd = await withBots();
    const asked = async (...args: readonly string[]) => {
      const { stdout, stderr } = await chatform(['report', ...args, '--people', ...WEEK, '--json'], { cwd });
      const { errored, ...read } = JSON.parse(stdout);
      return errored ? stderr : read;
    };
    const all = await asked('performance');
    expect(all).toMatchObject({ requests_sent: { 'agents/performance': 1 } });
    expect(all.rows.map(({ keys }: { readonly keys: readonly string[] }) => keys[0])).toEqual([
      'bot/night-owl',
      'bot/robin',
    ]);
    const owl = await asked('total_chats', '--agent', 'night-owl', '--distribution', 'month');
    expect(owl).toMatchObject({ agents: ['bot/night-owl'], total: 6, requests_sent: { 'chats/total_chats': 1 } });
    const robin = await asked('total_chats', '--agent', 'ROBIN', '--distribution', 'month');
    expect(robin).toMatchObject({ agents: ['bot/robin'], requests_sent: { list_agents: 1, list_bots: 1 } });
    expect(await asked('total_chats', '--agent', 'nigth-owl')).toContain('did you mean `night-owl`?');
  });
});

test('a report whose rows are about groups asks for no list of them, and has addresses from the ledger', async () => {
  const cwd = await shop();
  const ledger = join(cwd, '.chatform/shop.ledger.ndjson');
  const forms = async () => {
    const { code, stdout, stderr } = await chatform(['report', 'forms', ...WEEK, '--json'], { cwd });
    return code === 0 ? JSON.parse(stdout).requests_sent : stderr;
  };
  const license = {
    v: 1,
    at: BOUND.at,
    run: 'r',
    type: 'license',
    base_url: 'emulator:license.json',
    identity: null,
    owner: null,
  };
  await writeFile(ledger, `${JSON.stringify(BOUND)}\n${JSON.stringify({ ...license, groups: { 1: 'Sales' } })}\n`);
  expect(await forms()).toEqual({ 'chats/forms': 1 });
});

describe('CSV and HTML', () => {
  test('CSV has every row and number, and no formula', async () => {
    const { stdout } = await report('tags', ...WEEK, '--csv');
    expect(stdout.split('\r\n')).toEqual([
      'day,tag,chats',
      "2025-10-06,'=1+1,1",
      '2025-10-06,vip,2',
      '2025-10-07,vip,1',
      '2025-10-09,night,1',
      '',
    ]);
  });

  test('the page has bars, and no script', async () => {
    const cwd = await shop();
    const files = ['--report', 'html=r.html', '--report', 'csv=r.csv'];
    const { code } = await chatform(['report', 'total_chats', '--group', 'sales', ...WEEK, ...files], { cwd });
    expect(code).toBe(0);
    const page = await readFile(join(cwd, 'r.html'), 'utf8');
    expect(page).toContain('<rect class="bar" x="0" y="2" width="240" height="12"/>');
    expect(page).toContain('All: chats 6, continuous 0.');
    expect(page).toContain('default-src &#39;none&#39;');
    expect(/<script/.test(page)).toBe(false);
    expect(await readFile(join(cwd, 'r.csv'), 'utf8')).toContain('2025-10-06,3,0\r\n');
  });
});

test.each([
  [[], `report: say which one: ${SHORT_NAMES.join(', ')}`],
  [
    ['total_chats', '--agent', 'ann@example.com', '--agent', 'bob@example.com', '--people'],
    '--agent: total_chats adds up all agents that are named, so figures of one could be computed from two such reports; name one agent',
  ],
  [['total_chatz'], 'there is no report total_chatz: did you mean `total_chats`?'],
  [['total_chats', '--group', 'slaes'], '--group slaes: there is no group slaes: did you mean `sales`?'],
  [['total_chats', '--group', 'group/nigth'], 'there is no group group/nigth'],
  [['total_chats', '--agent', 'an@example.com', '--people'], 'did you mean `ann@example.com`?'],
  [['total_chats', '--last', 'soon'], '--last soon: write a number of days, weeks or hours'],
  [['total_chats', '--to', '2025-10-06'], 'add --from'],
  [['total_chats', '--from', '2025-10-06', '--to', '2025-10-05'], 'is not after --from'],
  [['total_chats', '--from', '2025-10-06', '--last', '7d'], 'leave it out, or leave out --from'],
  [['total_chats', '--from', 'yesterday'], 'write a day such as 2026-10-25'],
  [['total_chats', '--distribution', 'week'], 'chats/total_chats has `hour`, `day`, `day-hours`, `month`, `year`'],
  [['availability', '--distribution', 'month'], 'agents/availability has `hour`, `day`'],
  [['forms', '--distribution', 'day'], 'leave it out'],
  [['availability', '--tag', 'vip'], '--tag: the service has no such filter for availability; leave it out'],
  [
    ['unique_visitors', '--group', 'sales'],
    '--group: the service has no such filter for unique_visitors; leave it out',
  ],
  [['surveys'], 'version 3.6 of the Reports API has no chats/surveys: ask for chats/forms, or set reports_api_version'],
  [
    ['visitor_domains'],
    'version 3.6 of the Reports API has no stats/visitor_domains: set reports_api_version in chatform.yaml to 3.7',
  ],
  [['total_chats', '--timezone', 'Warsaw'], 'is not an IANA time zone'],
])('%j is refused', async (args, message) => {
  const { code, stderr, stdout } = await report(...args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(message);
});

test('an address needs no chatform.yaml', async () => {
  const cwd = await folder({ 'license.json': JSON.stringify(LICENSE) });
  const address = ['--base-url', 'emulator:license.json'];
  const { code, stdout } = await chatform(['report', 'total_chats', ...address, ...WEEK, '-q'], { cwd });
  expect([code, stdout]).toEqual([0, 'All: chats 7, continuous 0. 1 request sent: 1 chats/total_chats.\n']);
});

test('the help lists all reports', async () => {
  const { stdout } = await chatform(['report', '--help'], { cwd: await shop() });
  for (const name of SHORT_NAMES) expect(stdout).toContain(name);
});

test('a reply that is no report is an error, which names the report and the place', async () => {
  const body = JSON.stringify({ name: 'total-chats-report', total: 5, records: {} });
  const { url } = await served({ seed: parseSeed(LICENSE) }, (handle) => async (request) => {
    if (!request.target.includes('/reports/')) return handle(request);
    return { status: 200, headers: { 'Content-Type': 'application/json' }, body };
  });
  const cwd = await folder({ 'chatform.yaml': PROJECT.replace('emulator:license.json', url) });
  const { code, stdout, stderr } = await chatform(['report', 'total_chats'], {
    cwd,
    env: { CHATFORM_TOKEN: 'dal:token' },
  });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(
    'chats/total_chats: protocol: total is 5, and total of the records adds up to 0; chatform takes no figure from such a reply: see it with `chatform api chats/total_chats --reports`',
  );
});

describe('a real target', () => {
  const remote = (...settings: readonly string[]) =>
    `version: 1\nmanifest: [m.yaml]\ntargets:\n  shop:\n    base_url: http://127.0.0.1:9\n${settings.map((line) => `    ${line}\n`).join('')}`;

  test.each([
    [
      [],
      'the environment variable CHATFORM_TOKEN is not set: it must hold an access token of target shop with the scope reports_read',
    ],
    [['reports_token_env: REPORTS'], 'the environment variable REPORTS is not set'],
    [
      ['account_id: acc-1', 'reports_token_env: REPORTS'],
      'the environment variable REPORTS is not set: it must hold a personal access token of account acc-1 of target shop with the scope reports_read',
    ],
  ])('without a token it says which one: %j', async (settings, message) => {
    const cwd = await folder({ 'chatform.yaml': remote(...settings) });
    const { code, stderr } = await chatform(['report', 'tags'], {
      cwd,
      env: settings.length > 0 ? { CHATFORM_TOKEN: 'x' } : {},
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  });
});

describe('chatform api --reports', () => {
  test('prints the reply of any report', async () => {
    const filters = { from: '2025-10-06T00:00:00Z', to: '2025-10-12T00:00:00Z', groups: { values: [1] } };
    const data = JSON.stringify({ filters, timezone: 'Europe/Warsaw' });
    const cwd = await shop();
    const { code, stdout } = await chatform(['api', 'chats/total_chats', '--reports', '-d', data], { cwd });
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { name: 'total-chats-report', total: 6 }]);
  });

  test('a report without the flag, and both flags, are refused', async () => {
    const cwd = await shop();
    expect((await chatform(['api', 'chats/tags'], { cwd })).stderr).toContain(
      'is an action of the Reports API: add --reports',
    );
    const both = await chatform(['api', 'chats/tags', '--reports', '--customer'], { cwd });
    expect([both.code, both.stderr]).toEqual([
      1,
      expect.stringContaining("'--reports' cannot be used with option '--customer'"),
    ]);
  });
});

test('hours whose keys have no date are asked day by day, and get their dates', async () => {
  const { url } = await served({ seed: parseSeed(LICENSE), settings: { reportKeys: { hour: 'time' } } });
  const cwd = await folder({ 'chatform.yaml': PROJECT.replace('emulator:license.json', url) });
  const asked = ['report', 'total_chats', '--distribution', 'hour', '--from', '2025-10-06', '--to', '2025-10-07'];
  const { stdout } = await chatform([...asked, '--json'], { cwd, env: { CHATFORM_TOKEN: 'dal:token' } });
  const { rows, total, requests_sent: requests } = JSON.parse(stdout);
  const busy = rows.filter(({ values }: { readonly values: { readonly total: number } }) => values.total > 0);
  expect(busy.map(({ keys, values }: (typeof busy)[number]) => [keys[0], values.total])).toEqual([
    ['2025-10-06 10:00', 2],
    ['2025-10-06 14:00', 1],
    ['2025-10-07 10:00', 2],
    ['2025-10-07 11:00', 1],
  ]);
  expect([total, requests]).toEqual([6, { 'chats/total_chats': 3 }]);
  const long = ['report', 'total_chats', '--distribution', 'hour', '--from', '2025-01-01', '--to', '2025-10-07'];
  const { code, stderr } = await chatform(long, { cwd, env: { CHATFORM_TOKEN: 'dal:token' } });
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('more than 150 would be sent: choose a range of at most 150 days'),
  ]);
});

describe('doctor --reports', () => {
  const LACKING = { tokens: [{ token: 'dal:poor', agent_id: 'ann@example.com', scopes: ['agents--all:ro'] }] };

  test('asks one report, and says whether the token may read it', async () => {
    const cwd = await shop();
    await writeFile(join(cwd, 'manifest.yaml'), 'version: 1\n');
    const untried = JSON.parse((await chatform(['doctor', '--json'], { cwd })).stdout);
    expect(untried.reports).toEqual({ status: 'untried', scope: 'reports_read', missing: null });
    expect(untried.requests_sent).not.toHaveProperty('agents/availability');
    const ready = JSON.parse((await chatform(['doctor', '--reports', '--json'], { cwd })).stdout);
    expect(ready.reports).toEqual({ status: 'ready', scope: 'reports_read', missing: null });
    expect(ready.requests_sent).toMatchObject({ 'agents/availability': 1 });
  });

  test('a token without the scope is named, and what it is missing for', async () => {
    const { url } = await served({ seed: parseSeed({ ...LICENSE, ...LACKING }) });
    const project = PROJECT.replace('emulator:license.json', url);
    const cwd = await folder({ 'chatform.yaml': project, 'manifest.yaml': 'version: 1\n' });
    const env = { CHATFORM_TOKEN: 'dal:poor' };
    const { stdout } = await chatform(['doctor', '--reports'], { cwd, env });
    expect(stdout).toContain(
      'Reports, for report, plan --demand, coverage --demand and apply --report-after:\n  missing  needs: the token lacks reports_read',
    );
    const { code, stderr } = await chatform(['report', 'tags'], { cwd, env });
    expect([code, stderr]).toEqual([1, expect.stringContaining('chats/tags needs a token with reports_read')]);
  });
});
