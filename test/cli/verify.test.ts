// `chatform test --on customer` on the emulator: what it asks, what it says, and what it leaves behind.

import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { createEmulator, type EmulatorOptions, type Seed, type SettingsInput } from '../../src/emulator/index.ts';
import { customerSchema } from '../../src/features/test/customer/schema.ts';
import { fileLease } from '../../src/ledger/lease-file.ts';
import { takeLease } from '../../src/ledger/tenure.ts';
import { openProject } from '../../src/library/open.ts';
import { systemClock } from '../../src/service/patience/clock.ts';
import { chatform, filesIn, folder, withoutLease } from './chatform.ts';
import { type Served, served } from './served.ts';
import { atTerminal, fakeTerminal } from './terminal.ts';

const MANIFEST = `version: 1
agents:
  ann@example.com: { name: Ann }
  bob@example.com: { name: Bob }
groups:
  sales: { name: Sales, language_code: en, agent_priorities: { ann@example.com: first } }
  warsaw: { name: Warsaw, language_code: pl, agent_priorities: { bob@example.com: normal } }
properties:
  shop:
    theme: { type: string, access: { license: { agent: [read, write], customer: [read] } } }
    plan: { type: string, access: { license: { agent: [read, write] } } }
license_properties: { shop: { theme: s3cret-theme, plan: s3cret-plan } }
auto_access:
  - { key: prices, access: { groups: [sales] }, conditions: { url: { values: [{ value: /pricing }] } } }
  - { key: careers, access: { groups: [warsaw] }, conditions: { url: { values: [{ value: /praca }] } } }
routes:
  - { name: prices, when: { url: "https://shop.example/pricing" }, expect: sales }
  - { name: careers, when: { url: "https://shop.example/praca" }, expect: warsaw }
  - { name: Polish customers, when: { url: "https://shop.example/pricing", country: Poland }, expect: sales }
`;

const ENV = { CHATFORM_TOKEN: 'dal:open-sesame' };
const TOKEN = { ...ENV, CHATFORM_CUSTOMER_TOKEN: 'dal:a-customer' };

/** As the public pages of the service have it. */
const PUBLIC = { dynamicConfigurationGroup: 'requested' } as const;

const fits = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true }).compile(
  customerSchema,
);

interface Shop extends Served {
  readonly cwd: string;
}

/** A project that was applied to a served emulator. */
async function shop(
  given: {
    readonly seed?: Seed;
    readonly settings?: SettingsInput;
    readonly target?: readonly string[];
    readonly manifest?: string;
    readonly isRealtime?: boolean;
  } = {},
  around?: Parameters<typeof served>[1],
): Promise<Shop> {
  const { seed = {}, settings = {}, target = [], manifest = MANIFEST, isRealtime = true } = given;
  // Most of what is tested here does not need a visitor.
  const options: Partial<EmulatorOptions> = { seed, settings: { dynamicConfigurationGroup: 'routed', ...settings } };
  const { emulator, url } = await served(options, around, { isRealtime });
  const lines = [`base_url: ${url}`, 'ledger: ledger.ndjson', 'organization_id: o-1', 'license_id: 7', ...target];
  const cwd = await folder({
    'manifest.yaml': manifest,
    'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets:\n  here:\n${lines.map((line) => `    ${line}\n`).join('')}`,
  });
  const applied = await chatform(['apply', '--yes', '-q', '--assume-settled'], { cwd, env: ENV });
  expect([applied.code, applied.stderr]).toEqual([0, '']);
  emulator.resetStats();
  return { emulator, url, cwd };
}

async function call(url: string, action: string, body: object, version = '3.6'): Promise<unknown> {
  const response = await fetch(`${url}/v${version}/configuration/action/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer dal:by-hand' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${action}: ${await response.text()}`);
  return response.json();
}

const apply = (cwd: string, ...args: readonly string[]) =>
  chatform(['apply', '--yes', '-q', '--assume-settled', ...args], { cwd, env: ENV });

function totalOf(counts: { readonly [name: string]: number }): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

async function document(cwd: string, ...args: readonly string[]) {
  const { code, stdout } = await chatform(['test', '--on', 'customer', '-q', ...args, '--json'], { cwd });
  const shown = JSON.parse(stdout);
  expect(fits(shown) ? [] : fits.errors).toEqual([]);
  return { code, shown };
}

test('The published schema is the one in the code', async () => {
  const text = `${JSON.stringify(customerSchema, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../schemas/customer-test.schema.json');
});

describe('chatform test --on customer', () => {
  test('needs no token, changes nothing, and sends one request for each page and at most three for a group', async () => {
    const { emulator, cwd } = await shop();
    const state = () => ({ ...emulator.snapshot(), now: 0 });
    const before = [state(), withoutLease(await filesIn(cwd))];
    const { code, stdout, stderr } = await chatform(['test', '--on', 'customer'], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`As a visitor, 6 requests without a token:
  Result  Check                  Visitors see
  ok      pages of shop.example  trusted
  ok      prices                 https://shop.example/pricing reaches group/sales
  ok      careers                https://shop.example/praca reaches group/warsaw
  unseen  Polish customers       the service goes by the address of the caller
  ok      group/sales            speaks en
  ok      group/warsaw           speaks pl
  ok      property/shop/plan     customers do not see it on the license
  ok      property/shop/theme    customers see it on the license

As a customer, 0 requests:
  Result  Check                Customers see
  unseen  statuses of groups   it takes the token of a customer
  unseen  forms before a chat  it takes the token of a customer

Nothing differs, 3 cannot be seen from here. 6 requests; nothing is left behind.
`);
    expect(emulator.stats()).toEqual({
      'customer/get_dynamic_configuration': 3,
      'customer/get_localization': 2,
      'customer/list_license_properties': 1,
    });
    expect([state(), withoutLease(await filesIn(cwd))]).toEqual(before);
  });

  test('names what a visitor finds, with its place, and ends with 2', async () => {
    const { url, cwd } = await shop();
    const rules = (await call(url, 'list_auto_accesses', {})) as readonly { id: string; access: object }[];
    const [prices, careers] = rules;
    await call(url, 'update_auto_access', { id: prices?.id, access: careers?.access });
    await call(url, 'update_group', { id: 2, language_code: 'en' });
    const { code, stdout } = await chatform(['test', '--on', 'customer'], { cwd });
    expect(code).toBe(2);
    expect(stdout).toMatch(
      /^ {2}differs {2}prices +https:\/\/shop\.example\/pricing reaches group\/warsaw, and group\/sales is expected\n +manifest\.yaml:17$/m,
    );
    expect(stdout).toMatch(/^ {2}differs {2}group\/warsaw +speaks en; language_code says pl\n +manifest\.yaml:7$/m);
    expect((await chatform(['test', '--on', 'customer', '-q'], { cwd })).stdout).toMatch(/^2 differ, .*\n$/);
  });

  test('prints a document that fits its schema, without the values of properties', async () => {
    const { cwd, url } = await shop();
    await call(url, 'update_license_properties', { properties: { shop: { theme: 's3cret-other' } } });
    const { code, shown } = await document(cwd);
    expect([code, shown.summary]).toEqual([2, { ok: 6, differs: 1, unseen: 3, reported: 0 }]);
    expect(shown).toMatchObject({ errored: false, routes_shown: true, token: 'none', after_apply: null, chat: null });
    expect(shown.checks.find(({ outcome }: { outcome: string }) => outcome === 'differs')).toMatchObject({
      check: 'property',
      as: 'visitor',
      subject: 'property/shop/theme',
      asked: 'list_license_properties',
      expected: expect.stringMatching(/^sha256:[0-9a-f]{12}$/),
      found: expect.stringMatching(/^sha256:[0-9a-f]{12}$/),
      source: { file: 'manifest.yaml', line: 12 },
    });
    expect(JSON.stringify(shown)).not.toContain('s3cret');
  });

  test('says that routes are not shown instead of blaming the service, and that is no success', async () => {
    const { cwd } = await shop({ settings: PUBLIC });
    const { code, shown } = await document(cwd);
    expect([code, shown.routes_shown, shown.routes_by, shown.summary.differs]).toEqual([1, false, null, 0]);
    const { stdout } = await chatform(['test', '--on', 'customer'], { cwd });
    expect(stdout).toContain('not shown: every page gets the default group; --visitor asks the real-time interface');
    expect(stdout).toMatch(/^2 routes not shown, 3 cannot be seen from here\. 7 requests; nothing is left behind\.$/m);
    const all = await chatform(['test', '--on', 'customer', '-q', '--report', 'junit=r.xml'], { cwd });
    expect([all.code, (await filesIn(cwd))['r.xml']]).toEqual([
      1,
      expect.stringContaining('<skipped message="prices: not shown'),
    ]);
    const applied = await apply(cwd, '--test-on-customer');
    expect([applied.code, applied.stdout]).toEqual([1, expect.stringContaining('2 routes not shown')]);
  });

  test('writes its reports', async () => {
    const { cwd } = await shop({ seed: { allowed_domains: ['else.example'] } });
    const reports = ['junit=r.xml', 'sarif=r.sarif', 'markdown=r.md', 'json=r.json'];
    const { code } = await chatform(
      ['test', '--on', 'customer', '-q', ...reports.flatMap((each) => ['--report', each])],
      { cwd },
    );
    const files = await filesIn(cwd);
    expect(code).toBe(2);
    expect(files['r.xml']).toContain(
      '<failure message="pages of shop.example: the service does not trust https://shop.example/pricing',
    );
    expect(JSON.parse(files['r.sarif'] ?? '').runs[0].results).toMatchObject([
      { ruleId: 'page', level: 'error', locations: [{ physicalLocation: { region: { startLine: 17 } } }] },
    ]);
    expect(files['r.md']).toMatch(
      /^### Customers of `here`: differs\n\n\*\*1 differs, 3 cannot be seen from here\.\*\*/m,
    );
    expect(fits(JSON.parse(files['r.json'] ?? ''))).toBe(true);
  });

  test('needs no Configuration API where the ledger knows the groups, and says it where nothing does', async () => {
    const { cwd } = await shop();
    await writeFile(join(cwd, 'ledger.ndjson'), '');
    const { code, stdout } = await chatform(['test', '--on', 'customer'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('https://shop.example/pricing reaches group 1, and the id of group/sales is not known');
    expect(stdout).toMatch(/unseen {2}group\/sales .*its id is not known: apply first, or set the token/);
    const told = await chatform(['test', '--on', 'customer'], { cwd, env: ENV });
    expect(told.stdout).toContain('https://shop.example/pricing reaches group/sales');
  });

  test('knows the license again by its rules and its owner, where all groups were renamed', async () => {
    const { cwd, url, emulator } = await shop();
    for (const id of [1, 2]) await call(url, 'update_group', { id, name: `Renamed ${id}` });
    emulator.resetStats();
    const { code, stdout, stderr } = await chatform(['test', '--on', 'customer'], { cwd, env: ENV });
    expect([code, stdout, stderr]).toEqual([0, expect.stringContaining('9 requests, 3 of them as an agent;'), '']);
    expect(emulator.stats()).toMatchObject({ list_groups: 1, list_agents: 1, list_auto_accesses: 1 });
  });

  test('does not say that nothing differs where nothing was checked', async () => {
    const { cwd } = await shop({ manifest: 'version: 1\n' });
    const { code, stdout } = await chatform(['test', '--on', 'customer'], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Nothing was checked: .*\. 0 requests;/)]);
  });

  test('needs the account of the version, and says which', async () => {
    const { cwd } = await shop();
    const project = join(cwd, 'chatform.yaml');
    await writeFile(project, (await readFile(project, 'utf8')).replace('    organization_id: o-1\n', ''));
    const { code, stderr } = await chatform(['test', '--on', 'customer'], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining('has no organization_id, which version 3.6')]);
  });

  test('asks 3.3 as well', async () => {
    const { cwd } = await shop({ target: ['customer_api_version: "3.3"'] });
    const { code, shown } = await document(cwd);
    expect([code, shown.api_version, shown.summary]).toEqual([0, '3.3', { ok: 7, differs: 0, unseen: 3, reported: 0 }]);
  });

  test('ends with 1 when the service does not answer, and says what to do for this API', async () => {
    const unsupported = await shop({}, (handle) => (request) => {
      if (!request.target.includes('/customer/')) return handle(request);
      const body = '{"error":{"type":"unsupported_version","message":"no"}}';
      return Promise.resolve({ status: 404, headers: {}, body });
    });
    const refused = await chatform(['test', '--on', 'customer', '-q'], { cwd: unsupported.cwd });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('set customer_api_version in')]);
    const late = await chatform(['test', '--on', 'customer', '-q', '--timeout', '0s'], { cwd: unsupported.cwd });
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('the time of the run is up (run_timeout,')]);
    const { cwd } = await shop({ target: ['run_timeout: 1s'] }, (handle) => (request) => {
      if (!request.target.includes('/customer/')) return handle(request);
      return Promise.resolve({ status: 500, headers: {}, body: '{"error":{"type":"internal","message":"broken"}}' });
    });
    const { code, stderr } = await chatform(['test', '--on', 'customer', '-q'], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining('get_dynamic_configuration: internal: broken')]);
  });
});

describe('With a visitor', () => {
  const stateOf = ({ emulator }: Shop) => {
    const { now: _, tables, ...rest } = emulator.snapshot();
    const { customers, ...others } = tables;
    return { rest: JSON.stringify([rest, others]), customers: customers.map((row) => row.at(-1)?.value) };
  };

  test('routes are shown over the network, and what that leaves is said before, and is all that is left', async () => {
    const made = await shop({ settings: PUBLIC });
    const { cwd, emulator } = made;
    const before = stateOf(made);
    const { code, stdout, stderr } = await chatform(['test', '--on', 'customer', '--visitor'], { cwd, env: TOKEN });
    expect([code, stderr]).toEqual([0, 'This leaves a visitor in the list of visitors of here.\n']);
    expect(stdout).toMatch(/^ {2}ok +prices +https:\/\/shop\.example\/pricing reaches group\/sales$/m);
    expect(stdout).toMatch(/^ {2}ok +careers +https:\/\/shop\.example\/praca reaches group\/warsaw$/m);
    expect(stdout).toMatch(
      /^Nothing differs, 1 cannot be seen from here\. .*; left behind: a visitor in the list of visitors\.$/m,
    );
    expect(emulator.stats()).toMatchObject({ 'realtime/login': 1, 'realtime/update_customer_page': 2 });
    expect(stateOf(made).rest).toBe(before.rest);
    await expect
      .poll(() => stateOf(made).customers)
      .toMatchObject([{ logged_in: false, page: 'https://shop.example/praca' }]);
  });

  test('a page that gets the default group, although a rule should decide, is a difference', async () => {
    const { cwd, url } = await shop({ settings: PUBLIC });
    const rules = (await call(url, 'list_auto_accesses', {})) as readonly { id: string }[];
    for (const [count, rule] of rules.entries()) {
      await call(url, 'delete_auto_access', { id: rule.id });
      const { code, stdout } = await chatform(['test', '--on', 'customer', '-q', '--visitor', '--json'], {
        cwd,
        env: TOKEN,
      });
      const { summary, routes_by, requests_sent: sent, left_behind } = JSON.parse(stdout);
      // Without any rule, no page is told its groups.
      expect([code, summary.differs, routes_by]).toEqual([2, count + 1, count + 1 < rules.length ? 'visit' : null]);
      expect([sent.login, left_behind]).toEqual([1, ['a visitor in the list of visitors']]);
    }
    const { stdout } = await chatform(['test', '--on', 'customer', '--visitor'], { cwd, env: TOKEN });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'https://shop.example/pricing reaches the default group, and group/sales is expected manifest.yaml:17',
    );
  });

  test('needs the token of a customer, which it never shows', async () => {
    const { cwd, emulator } = await shop({ settings: { ...PUBLIC, customerTokens: 'known' } });
    const before = emulator.stats();
    const missing = await chatform(['test', '--on', 'customer', '--visitor'], { cwd });
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringContaining('--visitor: the environment variable CHATFORM_CUSTOMER_TOKEN is not set'),
    ]);
    const none = await apply(cwd, '--visitor');
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringContaining('--visitor: the environment variable CHATFORM_CUSTOMER_TOKEN is not set'),
    ]);
    expect(emulator.stats()).toEqual(before);
    const wrong = await chatform(['--log-level', 'debug', 'test', '--on', 'customer', '--visitor'], {
      cwd,
      env: TOKEN,
    });
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('login: authentication')]);
    expect(wrong.stdout + wrong.stderr).not.toContain('a-customer');
    const elsewhere = await chatform(['test', '--visitor'], { cwd });
    expect([elsewhere.code, elsewhere.stderr]).toEqual([
      1,
      expect.stringContaining('--visitor is about what customers see'),
    ]);
  });

  test('nothing is said to be left where no page is visited', async () => {
    const manifest = MANIFEST.slice(0, MANIFEST.indexOf('routes:'));
    const { cwd, emulator } = await shop({ settings: PUBLIC, manifest });
    const { code, stdout, stderr } = await chatform(['test', '--on', 'customer', '--visitor'], { cwd, env: TOKEN });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('nothing is left behind');
    expect(emulator.stats()).not.toHaveProperty('realtime/login');
  });

  test('as a gate, it names the gate and its place where it lacks something', async () => {
    for (const [target, why] of [
      [[], 'the environment variable CHATFORM_CUSTOMER_TOKEN is not set'],
      [['customer_api_version: "3.3"'], 'version 3.3 of the Customer API does not name the groups of a page'],
    ] as const) {
      const { cwd } = await shop({ settings: PUBLIC, target });
      await appendFile(
        join(cwd, 'chatform.yaml'),
        'fleet:\n  waves:\n    - { name: first, select: [none=1], gate: [visitor] }\n    - { name: canary, gate: [tests, visitor] }\n',
      );
      await writeFile(join(cwd, 'manifest.yaml'), MANIFEST.replace('name: Sales', 'name: Sales desk'));
      const env = target.length === 0 ? ENV : TOKEN;
      const { code, stderr, stdout } = await chatform(['apply', '--all', '-y', '--assume-settled'], { cwd, env });
      expect(code).toBe(1);
      expect(`${stdout}${stderr}`.replaceAll(/\s+/g, ' ')).toContain(
        `Gate visitor of wave canary did not pass on here: the gate \`visitor\` (chatform.yaml:${12 + target.length}:37): ${why}`,
      );
    }
  });

  test('in 3.3, whose real-time interface names no groups, is refused before anything is sent', async () => {
    const { cwd, emulator } = await shop({ settings: PUBLIC, target: ['customer_api_version: "3.3"'] });
    const { code, stderr } = await chatform(['test', '--on', 'customer', '--visitor'], { cwd, env: TOKEN });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        '--visitor: version 3.3 of the Customer API does not name the groups of a page: set customer_api_version to 3.6 or 3.7',
      ),
    ]);
    expect(emulator.stats()).toEqual({});
    const { stdout } = await chatform(['test', '--on', 'customer'], { cwd, env: TOKEN });
    expect(stdout).toContain('with customer_api_version 3.6 or 3.7, --visitor asks');
  });

  test('a service without the interface ends with 1, and says why', async () => {
    const { cwd } = await shop({ settings: PUBLIC, isRealtime: false });
    const { code, stderr } = await chatform(['test', '--on', 'customer', '--visitor'], { cwd, env: TOKEN });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('login: protocol: HTTP 404 in the place of a WebSocket'),
    ]);
  });

  test('an emulator in this process needs no port and no token', async () => {
    const cwd = await folder({
      'manifest.yaml': MANIFEST,
      'chatform.yaml':
        'version: 1\nmanifest: [manifest.yaml]\ntargets: { here: { base_url: "emulator:license.json", ledger: l.ndjson } }\n',
    });
    const applied = await chatform(['apply', '--yes', '-q', '--visitor'], { cwd });
    expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining('left behind: a visitor')]);
    const { code, stdout } = await chatform(['test', '--on', 'customer', '--visitor', '--json'], { cwd });
    expect([code, JSON.parse(stdout).routes_by]).toEqual([0, 'visit']);
    const state = await readFile(join(cwd, 'license.json'), 'utf8');
    expect([state.includes('"logged_in":false'), state.includes('"logged_in":true')]).toEqual([true, false]);
  });

  test('after an apply, the pages are visited, and the exit code is that of what was seen', async () => {
    const { cwd, url } = await shop({ settings: PUBLIC });
    const first = await chatform(['apply', '--yes', '--visitor'], { cwd, env: TOKEN });
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('reaches group/sales')]);
    expect(first.stderr).toContain('This leaves a visitor in the list of visitors of here.');
    const [prices] = (await call(url, 'list_auto_accesses', {})) as readonly { readonly id: string }[];
    const conditions = { url: { exclude_values: [{ value: 'no page has this' }] } };
    await call(url, 'add_auto_access', { access: { groups: [2] }, conditions, next_id: prices?.id });
    const { code, stdout } = await chatform(['apply', '--yes', '-q', '--visitor', '--json'], { cwd, env: TOKEN });
    const { customers } = JSON.parse(stdout);
    expect([code, customers.summary.differs, customers.routes_by]).toEqual([2, 1, 'visit']);
  });
});

describe('With the token of a customer', () => {
  const presence = { 'ann@example.com': 'accepting_chats' } as const;
  const agents = [
    { id: 'ann@example.com', name: 'Ann' },
    { id: 'bob@example.com', name: 'Bob' },
  ];

  test('statuses, forms and predictions are asked as well', async () => {
    const fields = [{ type: 'group_chooser', label: 'Team', options: [{ label: 'All', group_id: 0 }] }] as const;
    const { cwd, emulator } = await shop({
      seed: { agents, presence, forms: [{ type: 'prechat', fields: [...fields] }] },
      settings: { predictionsNeedLogin: 'guessed' },
    });
    const { code, stdout } = await chatform(['test', '--on', 'customer', '--predict'], { cwd, env: TOKEN });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^As a visitor, 6 requests:$/m);
    expect(stdout).toMatch(/^As a customer, 5 requests:$/m);
    expect(stdout).toMatch(/^ {2}ok +group\/sales +online$/m);
    expect(stdout).toMatch(/^ {2}ok +group\/warsaw +offline$/m);
    expect(stdout).toMatch(/the form before a chat offers the default group$/m);
    expect(stdout).toMatch(/^ {2}ok +prediction group\/sales +Ann would answer$/m);
    expect(stdout).toMatch(/^ {2}reported +prediction group\/warsaw +no agent would answer: /m);
    expect(stdout).toContain('left behind: a visitor in the list of visitors.');
    expect(Object.keys(emulator.stats())).toContain('customer/request_welcome_message');
  });

  test('a wrong token is an error, and never printed', async () => {
    const { cwd } = await shop({ settings: { customerTokens: 'known' } });
    const { code, stdout, stderr } = await chatform(['--log-level', 'debug', 'test', '--on', 'customer'], {
      cwd,
      env: TOKEN,
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/list_group_statuses: authentication: .*\n {2}the token of the customer is missing, wrong/);
    expect(stdout + stderr).not.toContain('a-customer');
  });

  /** A shop whose customers get their tokens from the accounts service. */
  const withAccounts = async (
    target: readonly string[] = [],
    settings: SettingsInput = {},
    around?: Parameters<typeof served>[1],
  ): Promise<Shop> => {
    const made = await shop({ seed: { clients: ['widget-client', 'shop'] }, settings }, around);
    const project = join(made.cwd, 'chatform.yaml');
    const lines = ['customer: { client_id: widget-client }', `accounts_url: ${made.url}`, ...target];
    await appendFile(project, lines.map((line) => `    ${line}\n`).join(''));
    return made;
  };

  test('an agent gets the token of one customer, whom the ledger keeps for all runs', async () => {
    const { cwd, emulator } = await withAccounts();
    const customers = () => emulator.snapshot() as unknown as { tables: { customers: object[] } };
    const ran = [
      await chatform(['--log-level', 'debug', 'test', '--on', 'customer', '-q'], { cwd, env: ENV }),
      await chatform(['--log-level', 'debug', 'test', '--on', 'customer', '-q'], { cwd, env: ENV }),
    ];
    expect(ran.map(({ code }) => code)).toEqual([0, 0]);
    expect(JSON.stringify(customers()).match(/"logged_in"/g)).toHaveLength(1);
    const ledger = await readFile(join(cwd, 'ledger.ndjson'), 'utf8');
    const kept = ledger.split('\n').filter((line) => line.includes('"type":"customer"'));
    expect(kept).toHaveLength(1);
    expect(JSON.parse(kept[0] ?? '')).toMatchObject({ client_id: 'widget-client' });
    expect(ran.map(({ stdout, stderr }) => stdout + stderr).join('') + ledger).not.toMatch(/open-sesame|dal:/);
    expect(emulator.stats()['accounts/token']).toBe(2);
    expect(ran.map(({ stdout }) => stdout.split('.')[0])).toEqual(
      Array(2).fill('Nothing differs, 1 cannot be seen from here'),
    );
  });

  test('next to --base-url, no token goes to the accounts_url of chatform.yaml, but to that of --accounts-url', async () => {
    const { cwd, emulator, url } = await withAccounts();
    const none = await chatform(['test', '--on', 'customer', '--base-url', url], { cwd, env: ENV });
    expect(none.stdout).toContain('it takes the token of a customer');
    const { stdout } = await chatform(['doctor', '--base-url', url], { cwd, env: ENV });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('next to --base-url, give it with --accounts-url');
    expect(emulator.stats()['accounts/token']).toBeUndefined();
    const given = await chatform(['test', '--on', 'customer', '--base-url', url, '--accounts-url', url], {
      cwd,
      env: ENV,
    });
    expect([given.code, emulator.stats()['accounts/token']]).toEqual([0, 1]);
    for (const [wrong, reason] of [
      ['http://accounts.example.com', 'the token would be sent where'],
      ['https://user@accounts.example.com', 'is an https:// URL without a user name'],
    ] as const) {
      const { code, stderr } = await chatform(['test', '--on', 'customer', '--accounts-url', wrong], { cwd, env: ENV });
      expect([code, stderr]).toEqual([1, expect.stringContaining('--accounts-url')]);
      expect(stderr).toContain(reason);
    }
  });

  test('counts every request that was sent: also of ids of groups, and to the accounts service', async () => {
    const { cwd, emulator } = await withAccounts();
    const { stdout } = await chatform(['test', '--on', 'customer', '-q', '--json'], { cwd, env: ENV });
    const { requests, requests_sent: sent } = JSON.parse(stdout);
    expect(sent).toMatchObject({ list_groups: 1, token: 1 });
    expect([requests.agent, totalOf(requests), totalOf(sent)]).toEqual([2, totalOf(sent), totalOf(emulator.stats())]);
    const told = await chatform(['test', '--on', 'customer'], { cwd, env: ENV });
    expect(told.stdout).toContain(`${totalOf(sent)} requests, 2 of them as an agent; nothing is left behind.`);
  });

  test.each([
    ['test', '--on', 'customer'],
    ['apply', '--yes', '--test-on-customer'],
  ])('%s makes no customer on a license that is not that of the ledger', async (...args) => {
    const groups = [{ name: 'Billing' }, { name: 'Returns' }];
    const owner = { id: 'zoe@example.com', name: 'Zoe' };
    const other = createEmulator({
      now: Date.now,
      random: Math.random,
      seed: { clients: ['widget-client'], groups, owner },
    });
    let isOther = false;
    const { cwd } = await withAccounts(
      [],
      {},
      (handle) => (request) => (isOther ? other.handle(request) : handle(request)),
    );
    isOther = true;
    const { code, stderr } = await chatform(args, { cwd, env: ENV });
    expect([code, stderr]).toEqual([1, expect.stringContaining('ledger.ndjson belongs to the license')]);
    expect(other.stats()['accounts/token']).toBeUndefined();
    expect(await readFile(join(cwd, 'ledger.ndjson'), 'utf8')).not.toContain('"type":"customer"');
  });

  test('the run that makes the customer says so, and a customer whom the service forgot is made again', async () => {
    const { cwd, emulator } = await withAccounts();
    const run = async () =>
      JSON.parse((await chatform(['test', '--on', 'customer', '-q', '--json'], { cwd, env: ENV })).stdout).left_behind;
    expect(await run()).toEqual(['the customer that all later runs are']);
    expect(await run()).toEqual([]);
    const ledger = join(cwd, 'ledger.ndjson');
    await writeFile(ledger, (await readFile(ledger, 'utf8')).replace(/"entity_id":"[^"]*"/, '"entity_id":"gone"'));
    expect(await run()).toEqual(['the customer that all later runs are']);
    expect(await run()).toEqual([]);
    expect(emulator.stats()['accounts/token']).toBe(5);
    const shown = await chatform(['ledger', 'log'], { cwd });
    expect(shown.stdout.match(/widget-client/g)).toHaveLength(2);
  });

  test('an agent whose token makes no customers is told why', async () => {
    const { cwd } = await withAccounts(['account_id: ann@example.com']);
    const personal = await chatform(['test', '--on', 'customer', '--chat', 'prices', '--yes'], { cwd, env: ENV });
    expect([personal.code, personal.stderr]).toEqual([
      1,
      expect.stringContaining('the accounts service gives no token for a personal access token'),
    ]);
    const none = await withAccounts([], { accountsService: false });
    const { code, stderr } = await chatform(['test', '--on', 'customer'], { cwd: none.cwd, env: ENV });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/gives no token of a customer: token: not_found: .*; check accounts_url/),
    ]);
  });

  test('a service of accounts that is busy is asked again, but not for another customer', async () => {
    let busy = 1;
    const around: Parameters<typeof served>[1] = (handle) => (request) => {
      if (!request.target.includes('/v2/customer/token') || busy === 0) return handle(request);
      busy -= 1;
      const body = '{"error":{"type":"service_unavailable","message":"busy"}}';
      return Promise.resolve({ status: 503, headers: {}, body });
    };
    const { cwd, emulator } = await withAccounts([], {}, around);
    const first = await chatform(['test', '--on', 'customer', '-q'], { cwd, env: ENV });
    expect([first.code, first.stderr]).toEqual([1, expect.stringContaining('token: service_unavailable: busy')]);
    expect((await chatform(['test', '--on', 'customer', '-q'], { cwd, env: ENV })).code).toBe(0);
    busy = 1;
    const known = await chatform(['test', '--on', 'customer', '-q'], { cwd, env: ENV });
    expect([known.code, known.stderr, emulator.stats()['accounts/token']]).toEqual([0, '', 2]);
  });

  test('`api` makes no customer without --write', async () => {
    const { cwd, emulator } = await withAccounts();
    const api = (...args: readonly string[]) => chatform(['api', ...args, '--customer'], { cwd, env: ENV });
    expect((await api('list_license_properties', '--write')).code).toBe(0);
    const read = await api('list_chats');
    expect([read.code, read.stderr]).toEqual([1, expect.stringContaining('no run has made the customer yet')]);
    expect(emulator.stats()['accounts/token']).toBeUndefined();
    expect((await api('list_chats', '--write')).code).toBe(0);
    expect((await api('list_chats')).code).toBe(0);
    expect(emulator.stats()['accounts/token']).toBe(2);
    const wrong = { ...ENV, CHATFORM_CUSTOMER_TOKEN: 'dal%3Akim' };
    const { stderr } = await chatform(['test', '--on', 'customer', '-q'], { cwd, env: wrong });
    expect(stderr).toContain('CHATFORM_CUSTOMER_TOKEN: the access token contains "%3A"');
  });

  test('no customer is made while another run holds the lease', async () => {
    const { cwd } = await withAccounts();
    const holder = { user: 'bob', host: 'build-1', pid: 7, command: 'apply' };
    const lease = fileLease(join(cwd, 'ledger.ndjson'));
    await takeLease({ lease, holder, run: 'other', clock: systemClock, ttl: 60_000 });
    const { code, stderr } = await chatform(['test', '--on', 'customer'], { cwd, env: ENV });
    expect([code, stderr]).toEqual([4, expect.stringContaining('is locked by')]);
  });
});

describe('--chat', () => {
  const marked = (text: string): number => (text.match(/chatform test --on customer/g) ?? []).length;

  test('begins a chat, looks where it stands, and ends it; the next one resumes it', async () => {
    const { cwd, emulator } = await shop();
    const first = await chatform(['test', '--on', 'customer', '--chat', 'prices', '--yes'], { cwd, env: TOKEN });
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toMatch(
      /^ {2}ok +chat prices +a chat from https:\/\/shop\.example\/pricing stands in group\/sales$/m,
    );
    expect(first.stdout).toContain('left behind: a chat in the archive, which cannot be deleted;');
    const second = await chatform(['test', '--on', 'customer', '-q', '--chat', 'careers', '--yes', '--json'], {
      cwd,
      env: TOKEN,
    });
    const { chat, left_behind: left } = JSON.parse(second.stdout);
    expect([second.code, chat.ended, left.length]).toEqual([0, true, 3]);
    const state = JSON.stringify(emulator.snapshot());
    expect(marked(state)).toBe(2);
    expect(state.match(/"thread_id":"[^"]*","last_event_at"/g)).toBeNull();
    const { stats } = emulator;
    expect([
      stats()['customer/start_chat'],
      stats()['customer/resume_chat'],
      stats()['customer/deactivate_chat'],
    ]).toEqual([1, 1, 2]);
  });

  test('asks first, and sends nothing without an answer', async () => {
    const { cwd, emulator } = await shop();
    const { code, stderr } = await chatform(['test', '--on', 'customer', '--chat', 'prices'], { cwd, env: TOKEN });
    expect([code, stderr]).toEqual([1, expect.stringContaining('no person can confirm it here; use --yes to chat')]);
    expect(emulator.stats()).toEqual({});
  });

  test('is refused for a route that there is not, for a mark that customers may not write, and without a token', async () => {
    const { cwd, emulator } = await shop({ target: ['chat_mark: { property: shop/plan }'] });
    const unknown = await chatform(['test', '--on', 'customer', '--chat', 'pices', '--yes'], { cwd, env: TOKEN });
    expect(unknown.stderr).toContain('--chat pices: there is no such route; did you mean `prices`?');
    const mark = await chatform(['test', '--on', 'customer', '--chat', 'prices', '--yes'], { cwd, env: TOKEN });
    expect(mark.stderr).toContain('chat_mark.property shop/plan: customers may not write it');
    expect(emulator.stats()).toEqual({});
    const other = await shop();
    const tokenless = await chatform(['test', '--on', 'customer', '--chat', 'prices', '--yes'], {
      cwd: other.cwd,
      env: ENV,
    });
    expect([tokenless.code, tokenless.stderr]).toEqual([
      1,
      expect.stringContaining('CHATFORM_CUSTOMER_TOKEN is not set'),
    ]);
  });

  test('ends the chat also when looking at it fails', async () => {
    const { cwd, emulator } = await shop(
      {},
      (handle) => (request) =>
        request.target.includes('/get_chat')
          ? Promise.resolve({ status: 403, headers: {}, body: '{"error":{"type":"authorization","message":"no"}}' })
          : handle(request),
    );
    const { code, stderr } = await chatform(['test', '--on', 'customer', '-q', '--chat', 'prices', '--yes'], {
      cwd,
      env: TOKEN,
    });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/get_chat: authorization: no; chat \w+ was ended/)]);
    expect(emulator.stats()['customer/deactivate_chat']).toBe(1);
  });

  test('tells the chat that is left behind also when what it showed cannot be read', async () => {
    const broken = new Map([
      ['get_chat', { status: 200, headers: {}, body: '{"thread":5}' }],
      ['deactivate_chat', { status: 403, headers: {}, body: '{"error":{"type":"authorization","message":"no"}}' }],
    ]);
    const { cwd } = await shop({}, (handle) => async (request) => {
      const action = request.target.replace(/^.*\/|\?.*$/g, '');
      return broken.get(action) ?? handle(request);
    });
    const { code, stderr } = await chatform(['test', '--on', 'customer', '-q', '--chat', 'prices', '--yes'], {
      cwd,
      env: TOKEN,
    });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/`thread` is specified; chat \w+ could not be ended: .*; end it with `chatform api/),
    ]);
  });

  test('ends the chat also when the run is interrupted, and is a call of the library', async () => {
    const stop = new AbortController();
    const { cwd, emulator } = await shop({}, (handle) => (request) => {
      if (request.target.includes('/get_chat')) stop.abort();
      return handle(request);
    });
    const project = await openProject(join(cwd, 'chatform.yaml'), { env: TOKEN, signal: stop.signal });
    await expect(project.target().testOnCustomer({ chat: 'prices' })).rejects.toThrow(
      /get_chat: .*; chat \w+ was ended/,
    );
    expect(emulator.stats()['customer/deactivate_chat']).toBe(1);
    const again = await openProject(join(cwd, 'chatform.yaml'), { env: TOKEN });
    const { chat, summary } = await again.target().testOnCustomer({ chat: 'prices' });
    expect([chat?.ended, summary.differs]).toEqual([true, 0]);
    const holder = { user: 'bob', host: 'build-1', pid: 7, command: 'apply' };
    const lease = fileLease(join(cwd, 'ledger.ndjson'));
    await takeLease({ lease, holder, run: 'other', clock: systemClock, ttl: 60_000 });
    await expect(again.target().testOnCustomer({ chat: 'prices' })).rejects.toThrow('is locked by bob@build-1');
    expect((await again.target().testOnCustomer()).summary.differs).toBe(0);
  });

  test('says so when the chat could not be ended, and the next run ends it', async () => {
    let isBroken = true;
    const { cwd, emulator } = await shop(
      {},
      (handle) => (request) =>
        isBroken && request.target.includes('/deactivate_chat')
          ? Promise.resolve({ status: 403, headers: {}, body: '{"error":{"type":"authorization","message":"no"}}' })
          : handle(request),
    );
    const left = await chatform(['test', '--on', 'customer', '-q', '--chat', 'prices', '--yes'], { cwd, env: TOKEN });
    expect(left.code).toBe(1);
    expect(left.stdout).toMatch(
      /^Warning: chat \w+ could not be ended: .*; end it with `chatform api deactivate_chat --customer/m,
    );
    isBroken = false;
    const next = await chatform(['test', '--on', 'customer', '-q', '--chat', 'careers', '--yes'], { cwd, env: TOKEN });
    expect([next.code, next.stderr, emulator.stats()['customer/deactivate_chat']]).toEqual([0, '', 2]);
  });

  test('leaves a chat alone that is no rehearsal', async () => {
    const { cwd, emulator, url } = await shop();
    const begun = await fetch(`${url}/v3.7/customer/action/start_chat?organization_id=o-1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN.CHATFORM_CUSTOMER_TOKEN}` },
      body: JSON.stringify({ continuous: true }),
    });
    expect(begun.status).toBe(200);
    const { code, stderr } = await chatform(['test', '--on', 'customer', '-q', '--chat', 'prices', '--yes'], {
      cwd,
      env: TOKEN,
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining('which is active and no rehearsal')]);
    expect(emulator.stats()['customer/deactivate_chat']).toBeUndefined();
  });
});

describe('apply --test-on-customer', () => {
  const license = async (manifest: string, settings: SettingsInput = {}, propagationDelay = 0) => {
    const { emulator, url } = await served({
      settings: { dynamicConfigurationGroup: 'routed', ...settings },
      propagationDelay,
    });
    const target = `base_url: ${url}\n    ledger: ledger.ndjson\n    organization_id: o-1`;
    const cwd = await folder({
      'manifest.yaml': manifest,
      'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets:\n  here:\n    ${target}\n`,
    });
    return { emulator, cwd };
  };

  test('shows below the apply what customers see, and is a member of the document', async () => {
    const { cwd } = await license(MANIFEST);
    const done = await apply(cwd, '--test-on-customer', '--json');
    const { outcome, customers } = JSON.parse(done.stdout);
    expect([done.code, outcome, fits(customers), customers.summary.differs]).toEqual([0, 'done', true, 0]);
    expect(customers.after_apply.unchanged).toEqual([]);
    const again = await chatform(['apply', '--yes', '--test-on-customer'], { cwd, env: ENV });
    expect([again.code, again.stdout]).toEqual([
      0,
      expect.stringContaining('Nothing differs, 3 cannot be seen from here.'),
    ]);
  });

  test('ends with 2 when something differs, and with the code of the apply when that failed', async () => {
    const { cwd } = await license(MANIFEST, { routing: { decides: 'last' } });
    await writeFile(join(cwd, 'manifest.yaml'), MANIFEST.replace('value: /praca', 'value: /pr'));
    const { code, stdout } = await apply(cwd, '--test-on-customer');
    expect([code, stdout]).toEqual([2, expect.stringMatching(/^1 differs, 3 cannot be seen from here\. /m)]);
    await writeFile(join(cwd, 'manifest.yaml'), 'version: 1\n');
    const withheld = await apply(cwd, '--test-on-customer');
    expect([withheld.code, withheld.stdout]).toEqual([3, expect.not.stringContaining('As a visitor')]);
  });

  test('waits until customers see the change', async () => {
    const { cwd } = await license(MANIFEST, {}, 1_500);
    expect((await apply(cwd)).code).toBe(0);
    await writeFile(join(cwd, 'manifest.yaml'), MANIFEST.replace('language_code: en', 'language_code: de'));
    const { code, stdout } = await apply(cwd, '--test-on-customer', '--no-verify', '--json');
    const { customers } = JSON.parse(stdout);
    expect([code, customers.summary.differs, customers.after_apply.unchanged]).toEqual([0, 0, []]);
    expect(customers.after_apply.elapsed_ms).toBeGreaterThan(0);
  });

  test('is asked for by a saved plan, and the comment carries the result', async () => {
    const { cwd } = await license(MANIFEST);
    await chatform(['plan', '-q', '--test-on-customer', '--out', 'plan.json'], { cwd, env: ENV });
    const shown = await chatform(['show', 'plan.json'], { cwd });
    expect(shown.stderr).toContain('An apply of it tests the license as customers see it.');
    const proposed = await chatform(['show', 'plan.json', '-q', '--report', 'markdown=p.md'], { cwd });
    expect(proposed.code).toBe(0);
    expect(await readFile(join(cwd, 'p.md'), 'utf8')).toContain(
      'After the apply, the license is tested as customers see it.',
    );
    const { code, stdout } = await apply(cwd, 'plan.json', '--json', '--report', 'json=customers.json');
    expect([code, JSON.parse(stdout).customers.summary.differs]).toEqual([0, 0]);
    await writeFile(join(cwd, 'applied.json'), stdout);
    const reports = ['--report', 'markdown=a.md', '--report', 'html=a.html'];
    const after = await chatform(['show', 'plan.json', '-q', '--results', 'applied.json', ...reports], { cwd });
    expect([after.code, after.stderr]).toEqual([0, '']);
    const files = await filesIn(cwd);
    expect(files['a.md']).toContain('#### Customers\n\nNothing differs, 3 cannot be seen from here');
    expect(files['a.html']).toContain('<h2 id="customers">Customers');
    const job = {
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'),
      GITHUB_REPOSITORY: 'o/r',
      GITHUB_SHA: '0'.repeat(40),
      GITHUB_RUN_ID: '1',
      GITHUB_RUN_ATTEMPT: '1',
      GITHUB_REF: 'refs/pull/7/merge',
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_API_URL: 'https://api.github.example',
    };
    const comment = (...flags: readonly string[]) =>
      chatform(['ci', 'comment', '--plan', 'plan.json', '--no-post', '--results', 'customers.json', ...flags], {
        cwd,
        env: job,
      });
    const told = await comment('--state', 'applied');
    expect([told.code, told.stderr]).toEqual([0, '']);
    expect(await readFile(join(cwd, 'summary.md'), 'utf8')).toContain('#### Customers\n\nNothing differs');
    const early = await comment();
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('--results')]);
    const other = await chatform(['show', 'plan.json', '--results', 'chatform.yaml', '--report', 'html=b.html'], {
      cwd,
    });
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('does not say what customers see')]);
  });

  test('counts every request of the apply and of the verification, those before the apply as well, and reads groups once', async () => {
    const { cwd, emulator } = await shop();
    await writeFile(join(cwd, 'manifest.yaml'), MANIFEST.replace('language_code: en', 'language_code: de'));
    const { requests_sent: sent, customers } = JSON.parse((await apply(cwd, '--test-on-customer', '--json')).stdout);
    const all = emulator.stats();
    expect([totalOf(sent) + totalOf(customers.requests_sent), customers.requests.agent]).toEqual([totalOf(all), 0]);
    expect(customers.requests_sent.get_dynamic_configuration).toBe(all['customer/get_dynamic_configuration']);
    expect(totalOf(customers.requests)).toBe(totalOf(customers.requests_sent));
  });

  test('says that it could not verify, and keeps what was applied', async () => {
    const { cwd } = await license(MANIFEST, { wrongProductVersion: true });
    const { code, stdout, stderr } = await apply(cwd, '--test-on-customer', '--json');
    expect([code, stderr]).toEqual([1, expect.stringContaining('what customers see could not be verified: ')]);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'done', customers: { errored: true } });
  });

  test('waits for nothing where nothing was written', async () => {
    const { cwd } = await shop({ seed: { allowed_domains: ['else.example'] } });
    const ledger = join(cwd, 'ledger.ndjson');
    const lately = JSON.parse((await apply(cwd, '--test-on-customer', '--json')).stdout).customers;
    await writeFile(ledger, (await readFile(ledger, 'utf8')).replaceAll(/"at":"\d{4}/g, '"at":"2020'));
    const later = JSON.parse((await apply(cwd, '--test-on-customer', '--json')).stdout).customers;
    expect([lately.summary.differs, lately.after_apply === null]).toEqual([1, false]);
    expect([later.summary.differs, later.after_apply]).toEqual([1, null]);
  });

  test('ends with 130 when it is interrupted after the apply, and does not deny what was applied', async () => {
    const stop = new AbortController();
    let isApplied = false;
    const { cwd } = await shop({}, (handle) => (request) => {
      isApplied ||= request.target.includes('/update_group');
      if (isApplied && request.target.includes('/customer/')) stop.abort();
      return handle(request);
    });
    await writeFile(join(cwd, 'manifest.yaml'), MANIFEST.replace('language_code: en', 'language_code: de'));
    const { terminal, said } = fakeTerminal(null, ENV);
    const home = process.cwd();
    process.chdir(cwd);
    try {
      const seat = { ...terminal, clock: systemClock, signal: stop.signal };
      expect(await atTerminal(['apply', '--yes', '-q', '--test-on-customer'], seat)).toBe(130);
    } finally {
      process.chdir(home);
    }
    expect(said()).toContain('Apply complete. 0 added, 1 changed');
    expect(said()).toContain('could not be verified: interrupted before everything was verified\n');
    expect(said()).not.toContain('nothing was changed');
  });
});
