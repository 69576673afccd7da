// `plan --demand` and `coverage --demand` on the emulator, with chats of the weeks before: what they say, what they ask, and what they keep.

import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStateFile, parseSeed, type WireResponse } from '../../src/emulator/index.ts';
import type { StaffedDemand } from '../../src/features/coverage/report.ts';
import { coverageSchema } from '../../src/features/coverage/schema.ts';
import type { TouchedGroupImpact } from '../../src/plan/impact.ts';
import { planSchema } from '../../src/plan/plan.ts';
import { savedText } from '../../src/plan/saved/text.ts';
import { seededRandom, virtualClock } from '../world.ts';
import { folder } from './chatform.ts';
import { served } from './served.ts';
import { atTerminal, fakeTerminal } from './terminal.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A Wednesday. */
const NOW = Date.UTC(2026, 2, 18, 9, 30);

const ANN = 'ann@example.com';
const BOB = 'bob@example.com';

const project = (policies = ''): string => `version: 1
manifest: [manifest.yaml]
targets:
  shop:
    base_url: emulator:license.json
    ledger: ledger.ndjson
    prune: { group: all, auto_access: all }
    max_delete_percent: 100
${policies}`;

const office = (start: string, end: string) => ({
  timezone: 'UTC',
  schedule: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((day) => ({ day, enabled: true, start, end })),
});

const rule = (description: string, group: number, page: string) => ({
  description,
  access: { groups: [group] },
  conditions: { url: { values: [{ value: page }] } },
});

const SEED = {
  agents: [
    { id: ANN, name: 'Ann', max_chats_count: 3, awaiting_approval: false, work_scheduler: office('08:00', '16:00') },
    { id: BOB, name: 'Bob', max_chats_count: 2, awaiting_approval: false, work_scheduler: office('08:00', '16:00') },
  ],
  groups: [
    { name: 'Sales', agent_priorities: { [ANN]: 'normal', [BOB]: 'normal' } },
    { name: 'Desk', agent_priorities: { [BOB]: 'normal' } },
  ],
  auto_access: [rule('Prices', 1, '/pricing'), rule('Shop', 1, '/shop'), rule('Jobs', 2, '/jobs')],
};

const agent = (name: string, slots: number, from = '08:00') => ({
  name,
  max_chats_count: slots,
  work_scheduler: office(from, '16:00'),
});

const group = (name: string, ...members: readonly string[]) => ({
  name,
  agent_priorities: Object.fromEntries(members.map((member) => [member, 'normal'])),
});

const declared = (key: string, description: string, to: string, page: string) => ({
  key,
  description,
  access: { groups: [to] },
  conditions: { url: { values: [{ value: page }] } },
});

/** What the license has. */
const MANIFEST = {
  version: 1,
  agents: { [ANN]: agent('Ann', 3), [BOB]: agent('Bob', 2) },
  groups: { sales: group('Sales', ANN, BOB), desk: group('Desk', BOB) },
  auto_access: [
    declared('pricing', 'Prices', 'sales', '/pricing'),
    declared('shop', 'Shop', 'sales', '/shop'),
    declared('jobs', 'Jobs', 'desk', '/jobs'),
  ],
};

/** Every day of the last four weeks: at 09:00 six chats on prices, one on jobs; at 18:00 one on prices. Each takes twenty minutes. */
async function withChats(file: string): Promise<void> {
  let now = 0;
  const settings = { presence: 'schedule' } as const;
  const emulator = await openStateFile(file, {
    now: () => now,
    random: seededRandom(5),
    propagationDelay: 0,
    settings,
  });
  let visitor = 0;
  const begin = async (page: string): Promise<(() => Promise<void>) | null> => {
    visitor += 1;
    const headers = {
      authorization: `Bearer dal:visitor-${visitor}`,
      'content-type': 'application/json',
      referer: `https://www.example.com${page}`,
    };
    const ask = (action: string, body: object) =>
      emulator.fetch(
        new Request(`http://emulator/v3.7/customer/action/${action}?organization_id=o`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        }),
      );
    const reply = await ask('start_chat', {});
    const { chat_id: id } = (await reply.json()) as { readonly chat_id?: string };
    return id === undefined ? null : async () => void (await ask('deactivate_chat', { id }));
  };
  for (let days = 28; days >= 1; days -= 1) {
    const day = Math.floor(NOW / DAY) * DAY - days * DAY;
    for (const [at, pages] of [
      [9 * HOUR, ['/pricing', '/pricing', '/pricing', '/pricing', '/shop', '/shop', '/jobs']],
    ] as const) {
      now = day + at;
      const chats = [];
      for (const page of pages) chats.push(await begin(page));
      now += 20 * MINUTE;
      for (const end of chats) await end?.();
    }
  }
}

let license = '';

beforeAll(async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'chatform-impact-'));
  const file = join(cwd, 'license.json');
  await writeFile(file, JSON.stringify(SEED));
  await withChats(file);
  license = cwd;
}, 120_000);

afterAll(() => rm(license, { recursive: true, force: true }));

async function shop(manifest: object, policies?: string): Promise<string> {
  const cwd = await folder({ 'chatform.yaml': project(policies), 'manifest.yaml': JSON.stringify(manifest) });
  await cp(license, cwd, { recursive: true });
  return cwd;
}

/** Runs a command line in a folder at the moment of these tests. */
async function run(cwd: string, ...args: readonly string[]) {
  const { terminal } = fakeTerminal(null, { TOKEN: 'dal:planner' });
  const [out, err]: [string[], string[]] = [[], []];
  const seat = {
    ...terminal,
    clock: virtualClock(NOW),
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
  };
  const home = process.cwd();
  process.chdir(cwd);
  try {
    const code = await atTerminal(args, seat);
    return { code, stdout: out.join(''), stderr: err.join('') };
  } finally {
    process.chdir(home);
  }
}

const fitting = (schema: object) =>
  new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true }).compile(schema);
const fits = fitting(planSchema);
const fitsCoverage = fitting(coverageSchema);

async function document(cwd: string, ...args: readonly string[]) {
  const { code, stdout } = await run(cwd, ...args, '--json');
  const shown = JSON.parse(stdout);
  const { errored: _, diagnostics: __, ...plan } = shown;
  return { code, shown, plan };
}

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

/** Bob leaves the sales, who then have three slots for six chats; the desk begins later. */
const FEWER = {
  ...MANIFEST,
  agents: { [ANN]: agent('Ann', 3), [BOB]: agent('Bob', 2, '10:00') },
  groups: { sales: group('Sales', ANN), desk: group('Desk', BOB) },
};

test('A plan without --demand asks the reports nothing, and its document has no impact', async () => {
  const cwd = await shop(FEWER);
  const { stdout, stderr } = await run(cwd, 'plan', '--json', '--log-level', 'info');
  expect(JSON.parse(stdout)).not.toHaveProperty('impact');
  expect(stderr).not.toMatch(/chats\/|agents\//);
  expect(stderr).toContain('list_groups');
});

describe('The impact of fewer slots', () => {
  test('is said next to the changes, with the hours in which chats would wait longer', async () => {
    const { code, stdout } = await run(await shop(FEWER), 'plan', '--demand', '28d');
    expect([code, stdout]).toMatchSnapshot();
  });

  test('names no person, unless --people asks for it; the saved plan and the comment never do', async () => {
    const cwd = await shop(FEWER);
    const plain = await document(cwd, 'plan', '--demand', '28d');
    expect(fits(plain.plan) ? [] : fits.errors).toEqual([]);
    expect(plain.shown.impact).not.toHaveProperty('people');
    // Of two groups, and of the default group; whether the queue tells groups apart is learned by three.
    expect(plain.shown.impact.requests_sent).toEqual({
      'chats/duration': 2 * 2 + 1,
      'chats/queued_visitors': 3 + 2,
      'chats/total_chats': 2,
    });
    const args = ['plan', '--demand', '28d', '--people', '--out', 'plan.json', '--report', 'markdown=plan.md'];
    const { shown, plan } = await document(cwd, ...args);
    expect(fits(plan) ? [] : fits.errors).toEqual([]);
    expect(shown.impact.people.map(({ address }: { readonly address: string }) => address)).toContain(`agent/${BOB}`);
    // The rest is kept since the first plan, but for chats of the last day that an agent may still take.
    expect(shown.impact.requests_sent).toEqual({
      'agents/performance': 2,
      'chats/queued_visitors': 2,
      'chats/total_chats': 2,
    });
    const saved = JSON.parse(await readFile(join(cwd, 'plan.json'), 'utf8'));
    expect(saved.plan.impact).toEqual({ ...plain.shown.impact, requests_sent: shown.impact.requests_sent });
    expect(await readFile(join(cwd, 'plan.md'), 'utf8')).not.toContain('took');
  });

  test('is no part of a plan: with it or without it, the saved plan has the same digest', async () => {
    const cwd = await shop(FEWER);
    const digestOf = async (file: string, ...args: readonly string[]) => {
      await run(cwd, 'plan', '--out', file, ...args);
      return JSON.parse(await readFile(join(cwd, file), 'utf8'));
    };
    const [without, including] = [await digestOf('a.json'), await digestOf('b.json', '--demand', '4w')];
    expect(including.plan.impact.days).toBe(28);
    expect(including.digest).toBe(without.digest);
    const { code } = await run(cwd, 'show', 'b.json');
    expect(code).toBe(0);
    const applied = await run(cwd, 'apply', 'b.json', '--quiet');
    expect(applied.code).toBe(0);
  });
});

describe('A policy about the impact', () => {
  const POLICY = `    policies:
      - { name: small-steps, rule: "impact.moved_per_week <= 10", message: at most 10 chats a week go elsewhere }
      - { name: short-waits, rule: "plan.impact.wait_after < 60", level: warn }
`;
  const MOVED = {
    ...MANIFEST,
    auto_access: [declared('pricing', 'Prices', 'desk', '/pricing'), ...MANIFEST.auto_access.slice(1)],
  };

  test('withholds a plan that was made without it, and names the flag', async () => {
    const { code, shown } = await document(await shop(MANIFEST, POLICY), 'plan');
    expect(code).toBe(0);
    expect(shown.withheld).toEqual([
      {
        guard: 'policy',
        addresses: [],
        message:
          'small-steps: at most 10 chats a week go elsewhere (it reads the impact of the plan, and the plan was made without --demand)',
        remedy: 'run it again with --demand 28d, which asks the reports what the plan carries',
      },
    ]);
    expect(shown.policies.map(({ passed }: { readonly passed: boolean }) => passed)).toEqual([false, false]);
  });

  test('lets a plan pass that moves few chats, and withholds one that moves many', async () => {
    const still = await document(await shop(MANIFEST, POLICY), 'plan', '--demand', '28d');
    expect([still.shown.impact.moved, still.shown.withheld]).toEqual([0, []]);
    const cwd = await shop(MOVED, POLICY);
    const { shown } = await document(cwd, 'plan', '--demand', '28d');
    // Two rules feed the sales: prices get four of their six chats a day.
    expect(shown.impact).toMatchObject({ moved: 168 - 48, moved_per_week: 30 });
    expect(shown.withheld.map(({ message }: { readonly message: string }) => message)).toEqual([
      'small-steps: at most 10 chats a week go elsewhere',
    ]);
    const apply = await run(cwd, 'apply', '--yes', '--quiet');
    expect([apply.code, apply.stdout]).toEqual([3, expect.stringContaining('--demand')]);
  });

  test('withholds the way back of a change of rules that was just applied: its chats came to other groups', async () => {
    const cwd = await shop(MANIFEST);
    await writeFile(join(cwd, 'manifest.yaml'), JSON.stringify(MOVED));
    const there = await run(cwd, 'apply', '--yes', '--quiet');
    expect(there.code).toBe(0);
    await writeFile(join(cwd, 'chatform.yaml'), project(POLICY));
    await writeFile(join(cwd, 'manifest.yaml'), JSON.stringify(MANIFEST));
    const { shown } = await document(cwd, 'plan', '--demand', '28d');
    expect(shown.impact).toMatchObject({ moved: null, moved_per_week: null, chats: null, wait_after: null });
    expect(shown.withheld.map(({ message }: { readonly message: string }) => message)).toEqual([
      'small-steps: at most 10 chats a week go elsewhere (it reads the impact of the plan, where moved_per_week is not known)',
    ]);
    const undo = await run(cwd, 'undo', '--yes', '--quiet', '--demand', '28d');
    expect(undo.code).toBe(3);
  });

  test('of an approved plan reads figures of now, measured over as many days', async () => {
    const cwd = await shop(FEWER, POLICY.replace('<= 10', '<= 1000'));
    await run(cwd, 'plan', '--demand', '28d', '--out', 'plan.json');
    const { code } = await run(cwd, 'apply', 'plan.json', '--quiet');
    expect(code).toBe(0);
  });

  test('withholds an approved plan whose figures were edited, also by a person who seals the file again', async () => {
    const cwd = await shop(MOVED, POLICY);
    await run(cwd, 'plan', '--demand', '28d', '--out', 'plan.json');
    const { digest: _, ...saved } = JSON.parse(await readFile(join(cwd, 'plan.json'), 'utf8'));
    const impact = { ...saved.plan.impact, moved: 0, moved_per_week: 0, wait_after: 0 };
    const edited = { ...saved, plan: { ...saved.plan, impact, withheld: [] } };
    await writeFile(join(cwd, 'plan.json'), savedText(edited).text);
    const { code, stdout } = await run(cwd, 'apply', 'plan.json', '--json', '--quiet');
    const { message, plan } = JSON.parse(stdout);
    expect([code, message]).toEqual([3, expect.stringContaining('small-steps: at most 10 chats a week')]);
    expect(plan.impact.moved_per_week).toBe(30);
  });

  test.each([0, 3, 4000])('of %i days is none that chatform made', async (days) => {
    const cwd = await shop(MOVED, POLICY);
    await run(cwd, 'plan', '--demand', '28d', '--out', 'plan.json');
    const { digest: _, ...saved } = JSON.parse(await readFile(join(cwd, 'plan.json'), 'utf8'));
    const edited = { ...saved, plan: { ...saved.plan, impact: { ...saved.plan.impact, days } } };
    await writeFile(join(cwd, 'plan.json'), savedText(edited).text);
    const { code, stderr } = await run(cwd, 'apply', 'plan.json', '--yes');
    expect([code, stderr]).toEqual([1, expect.stringContaining('plan.json')]);
    expect(stderr).not.toContain('--demand');
    expect(stderr).toContain('days');
  });

  test('of a plan that nothing measures again finds no impact in it, however it looks for one', async () => {
    const cwd = await shop(FEWER, `    policies:\n      - { name: hidden, rule: "!(('imp' + 'act') in plan)" }\n`);
    await run(cwd, 'plan', '--demand', '28d', '--out', 'plan.json');
    const { code } = await run(cwd, 'apply', 'plan.json', '--quiet');
    expect(code).toBe(0);
  });

  test('does not pass where the reports could not be read', async () => {
    const cwd = await shop(MOVED, `    token_env: TOKEN\n${POLICY}`);
    const scopes = ['agents--all:rw', 'groups--all:rw', 'access_rules:rw', 'agents-bot--all:rw', 'accounts--all:rc'];
    const seed = { ...SEED, tokens: [{ token: 'dal:planner', scopes }] };
    await rm(join(cwd, 'license.json'));
    await writeFile(join(cwd, 'license.json'), JSON.stringify(seed));
    const { shown } = await document(cwd, 'plan', '--demand', '28d');
    expect(shown.impact.missing).toEqual([
      expect.stringMatching(/^the reports were not read to the end: authorization: .*scope reports_read$/),
    ]);
    expect(shown.impact).toMatchObject({ chats: null, moved: null, wait_after: null });
    expect(shown.withheld.map(({ message }: { readonly message: string }) => message)).toEqual([
      expect.stringContaining(
        '(it reads the impact of the plan, and the reports were not read to the end: authorization: ',
      ),
    ]);
  });
});

describe('Reports that do not help', () => {
  const POLICY =
    '    token_env: TOKEN\n    policies: [{ name: small, rule: "impact.moved_per_week <= 10", message: "few" }]\n';

  async function planned(reply: WireResponse) {
    const { url } = await served(
      { now: () => NOW, seed: parseSeed(SEED) },
      (handle) => async (request) => (request.target.includes('/reports/') ? reply : handle(request)),
    );
    const cwd = await folder({
      'chatform.yaml': project(POLICY).replace('emulator:license.json', url),
      'manifest.yaml': JSON.stringify(FEWER),
    });
    return { cwd, ...(await document(cwd, 'plan', '--demand', '28d')) };
  }

  const answer = (status: number, body: object, headers = {}): WireResponse => ({
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

  test('as they refuse for the rate, hold the plan for seconds, and it goes on', async () => {
    const busy = answer(429, { error: { type: 'too_many_requests', message: 'slow down' } }, { 'Retry-After': '20' });
    const { shown } = await planned(busy);
    expect(shown.resource_changes.length).toBeGreaterThan(0);
    expect(shown.impact).toMatchObject({
      missing: ['the reports were not read to the end: too_many_requests: slow down'],
      requests_sent: { 'chats/duration': 1 },
    });
  });

  test('as their numbers are none, are not taken for no chats, and nothing is kept', async () => {
    const { shown, cwd } = await planned(answer(200, { name: 'duration-report', total: 9 }));
    expect(shown.impact).toMatchObject({
      chats: null,
      missing: [expect.stringContaining('to the end: chats/duration: records is missing, and must be an object')],
    });
    expect(shown.withheld).toMatchObject([{ guard: 'policy', message: expect.stringContaining('records is missing') }]);
    expect(await readdir(cwd)).not.toContain('ledger.reports');
  });
});

test('Every version of the Reports API tells the same chats', async () => {
  const told = async (version: string) => {
    const cwd = await shop(FEWER, `    reports_api_version: "${version}"\n`);
    const { shown } = await document(cwd, 'plan', '--demand', '28d');
    const { chats, not_taken, moved, missing } = shown.impact;
    const isMeasured = version === '3.6' || version === '3.7';
    const cover = await document(cwd, 'coverage', '--demand', '28d');
    const doctor = await document(cwd, 'doctor', '--reports');
    expect([version, doctor.shown.reports.status]).toEqual([version, 'ready']);
    const { groups } = cover.shown.demand;
    expect(groups.length).toBeGreaterThan(0);
    // Who waited is measured since 3.6, and plan and coverage say the same of it.
    const waitings = new Map(
      shown.impact.groups.map(({ group, waiting }: TouchedGroupImpact) => [group as string, waiting.measured]),
    );
    for (const { address, waited } of groups) {
      expect([version, waited !== null]).toEqual([version, isMeasured]);
      if (waitings.has(address)) expect([version, waited]).toEqual([version, waitings.get(address)]);
    }
    const common = groups.map(({ waited: _, ...others }: StaffedDemand) => others);
    return { chats, not_taken, moved, missing, groups: common };
  };
  const first = await told('3.4');
  expect(first.chats).toBeGreaterThan(0);
  for (const version of ['3.5', '3.6', '3.7']) expect([version, await told(version)]).toEqual([version, first]);
});

test.each(['0d', '6d', '24h', '28', 'soon', '400d'])('--demand %s is refused', async (days) => {
  const { code, stderr } = await run(await shop(MANIFEST), 'plan', '--demand', days);
  expect([code, stderr]).toEqual([
    1,
    `Error: --demand ${days} is no number of days: write 28d or 4w, at least 7d and at most 366d\n`,
  ]);
});

test('--people without --demand is refused, because it would say nothing', async () => {
  const { code, stderr } = await run(await shop(MANIFEST), 'plan', '--people');
  expect([code, stderr]).toEqual([1, expect.stringContaining('add --demand 28d')]);
});

describe('coverage --demand', () => {
  /** Ann begins at ten, so that the chats at nine meet no agent. */
  const LATER = {
    ...MANIFEST,
    agents: { [ANN]: agent('Ann', 3, '10:00'), [BOB]: agent('Bob', 2, '10:00') },
  };

  test('names hours with chats and no agent, and hours with agents and no chat', async () => {
    const { code, stdout } = await run(await shop(LATER), 'coverage', '--on', 'both', '--demand', '28d');
    expect([code, stdout]).toMatchSnapshot();
  });

  test('has them in its document and its page', async () => {
    const cwd = await shop(LATER);
    const { code, shown } = await document(
      cwd,
      'coverage',
      'sales',
      '--on',
      'both',
      '--demand',
      '28d',
      '--report',
      'html=cover.html',
    );
    expect([code, fitsCoverage(shown) ? [] : fitsCoverage.errors]).toEqual([0, []]);
    const { groups, missing } = shown.demand;
    expect(missing).toEqual([]);
    expect(groups.map(({ address }: { readonly address: string }) => address)).toEqual(['group/sales']);
    expect(groups[0].unstaffed[0]).toEqual({ text: 'Mon 09:00-10:00', hours: [9], chats: expect.any(Number) });
    expect(shown.requests_sent['chats/duration']).toBe(2);
    expect(await readFile(join(cwd, 'cover.html'), 'utf8')).toContain('Chats at once, on average over 28 days');
  });

  test('--report without it draws the cover alone', async () => {
    const cwd = await shop(MANIFEST);
    expect((await run(cwd, 'coverage', '--report', 'html=cover.html')).code).toBe(0);
    const page = await readFile(join(cwd, 'cover.html'), 'utf8');
    expect([page.includes('Weekly cover'), page.includes('Chats at once, on average')]).toEqual([true, false]);
  });
});

test('show --demand puts chats into the page of the license, and says first what that takes', async () => {
  const cwd = await shop(MANIFEST);
  const page = async (...args: readonly string[]) => {
    const found = await run(cwd, 'show', '--report', 'html=license.html', ...args);
    const markup = await readFile(join(cwd, 'license.html'), 'utf8');
    return { ...found, text: markup.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ') };
  };
  const without = await page();
  expect(without.text).toContain('How many chats come is not shown');
  expect(without.stderr).not.toContain('reports');
  const { code, text, stderr } = await page('--demand', '28d');
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^Reading the chats of 3 groups: about 12 requests/m)]);
  expect(text).toMatch(/Sales.*nobody Wed 16:00-Thu 08:00 \(16 h, usually no chat\)/);
  expect(text).toMatch(/Chats from 2026-03-11 to 2026-03-17 .* Desk 5 5 the same Sales 30 30 the same/);
  expect(text).toContain('Chats at once, on average over 28 days');
  expect(text).toContain('the page needs --demand 90d');
  expect((await page('--demand', '90d')).text).toMatch(/Groups without a chat in 90 days 1 General /);
  const { stdout } = await run(cwd, 'show', '--json', '--report', 'html=license.html', '--demand', '28d');
  expect(JSON.parse(stdout)).not.toHaveProperty('page');
  const refused = await run(cwd, 'show', '--demand', '28d');
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--demand is for the page of a license')]);
});

test('examples/support-team: a plan that touches three groups asks about them and those that share their agents, and three times more with persons', async () => {
  const cwd = await folder();
  await cp(fileURLToPath(new URL('../../examples/support-team', import.meta.url)), cwd, { recursive: true });
  const applied = await run(cwd, 'apply', '--yes', '--quiet');
  expect([applied.code, applied.stderr]).toEqual([0, expect.any(String)]);
  // New agents wait for approval, and take no chats until then.
  const state = join(cwd, '.chatform/sandbox.json');
  await writeFile(
    state,
    (await readFile(state, 'utf8')).replaceAll('"awaiting_approval":true', '"awaiting_approval":false'),
  );
  const agents = join(cwd, 'manifest/agents.yaml');
  const text = await readFile(agents, 'utf8');
  // One who works for two groups, and one of a third.
  const changed = text
    .replace(/(name: Mei Tanaka\n {4}max_chats_count: )12/, '$14')
    .replace(/(name: Felix Baumann\n.*\n {4}max_chats_count: )4/, '$12')
    .replace(/(name: Chloé Bergeron\n)/, '$1    max_chats_count: 3\n');
  await writeFile(agents, changed);
  const { shown } = await document(cwd, 'plan', '--demand', '28d');
  expect(shown.impact.groups).toHaveLength(3);
  const { 'chats/duration': durations, ...others } = shown.impact.requests_sent;
  // Two for each touched group, and one for each group that shares agents with them.
  expect([durations, others]).toEqual([6 + 5, { 'chats/total_chats': 3, 'chats/queued_visitors': 1 }]);
  const people = await document(cwd, 'plan', '--demand', '35d', '--people');
  expect(sum(people.shown.impact.requests_sent)).toBe(15 + 3);
});
