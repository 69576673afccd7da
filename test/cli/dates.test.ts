// Hours with dates on the command line: the line of a plan, --date, saved plans of a day, and cover of dated weeks.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/base/model.ts';
import { chatform, folder, type Ran } from './chatform.ts';

const PROJECT = `version: 1
manifest: [manifest.yaml]
targets:
  production: { base_url: "emulator:license.json", ledger: production.ndjson, routing: { timezone: Europe/Warsaw } }
`;

const MANIFEST = `version: 1
calendars: { poland: [{ date: 2026-12-24, closed: true }] }
schedules:
  office:
    timezone: Europe/Warsaw
    schedule: [{ day: thursday, enabled: true, start: "09:00", end: "17:00" }, { day: friday, enabled: true, start: "09:00", end: "17:00" }]
    calendars: poland
agents: { ann@example.com: { name: Ann, max_chats_count: 8, work_scheduler: office } }
groups: { sales: { name: Sales, agent_priorities: { ann@example.com: normal } } }
`;

/** At noon of that day in UTC; waiting takes no time. */
function clockOf(date: string): Clock {
  let now = Date.parse(`${date}T12:00:00Z`);
  return {
    now: () => now,
    sleep: async (milliseconds) => {
      now += milliseconds;
    },
  };
}

async function project() {
  const cwd = await folder({ 'chatform.yaml': PROJECT, 'manifest.yaml': MANIFEST });
  const env = { CHATFORM_TOKEN: 'token' };
  const on = (date: string, ...args: readonly string[]): Promise<Ran> =>
    chatform(args, { cwd, env, clock: clockOf(date) });
  const declare = (text: string): Promise<void> => writeFile(join(cwd, 'manifest.yaml'), text);
  expect((await on('2026-12-10', 'apply', '--yes', '-q')).code).toBe(0);
  return { on, declare };
}

const WEEK = 'Hours are those of Fri 18 December 2026 to Thu 24 December 2026';

describe('a plan', () => {
  test('says for which days it is and when the hours change next, for today and for another day', async () => {
    const { on } = await project();
    const today = await on('2026-12-17', 'plan');
    expect(today.stdout).toContain(
      'Hours are those of Thu 17 December 2026 to Wed 23 December 2026; they change next on Fri 18 December 2026 (Europe/Warsaw): run `chatform apply` again then.',
    );
    expect(today.stdout).toContain('No changes');
    const later = await on('2026-12-17', 'plan', '--date', '2026-12-18');
    expect(later.stdout).toContain(`${WEEK}; they change next on Fri 25 December 2026`);
    expect(later.stdout).toContain('1 to change');
    const document = JSON.parse((await on('2026-12-17', 'plan', '--date', '2026-12-18', '--json')).stdout);
    expect(document.hours.days).toEqual([{ timezones: ['Europe/Warsaw'], from: '2026-12-18', to: '2026-12-24' }]);
  });

  test('has a --date that is a day; an apply has none, and says why', async () => {
    const { on } = await project();
    const wrong = await on('2026-12-17', 'plan', '--date', '2026-02-30');
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('--date 2026-02-30 is not a day')]);
    const over = await on('2026-12-17', 'plan', '--date', '2025-12-18');
    expect([over.code, over.stderr]).toEqual([1, expect.stringContaining('--date 2025-12-18 is over')]);
    const early = await on('2026-12-17', 'apply', '--date', '2026-12-24', '--yes');
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('an apply makes the hours of today')]);
  });
});

describe('the daily job', () => {
  test('says whose hours it made of which days, and when there is nothing to do until when', async () => {
    const { on } = await project();
    const behind = JSON.parse((await on('2026-12-18', 'doctor', '--json')).stdout);
    expect(behind.checks.find(({ check }: { check: string }) => check === 'plan')).toEqual({
      check: 'plan',
      status: 'warning',
      message: expect.stringContaining(
        'hours of 1 agent are not those of Fri 18 December 2026 to Thu 24 December 2026, and the last apply was 2026-12-10T12:00:',
      ),
      remedy: expect.stringContaining('each day by a job'),
    });
    const daily = await on('2026-12-18', 'apply', '--yes', '--quiet');
    expect(daily.stdout).toContain('Hours of 1 agent are now those of Fri 18 December 2026 to Thu 24 December 2026.');
    const again = await on('2026-12-19', 'apply', '--yes', '--quiet');
    expect(again.stdout).toContain(
      'Nothing to do. Hours are those of Sat 19 December 2026 to Fri 25 December 2026; they change next on Fri 25 December 2026',
    );
    const well = JSON.parse((await on('2026-12-20', 'doctor', '--json')).stdout);
    expect(well.checks.find(({ check }: { check: string }) => check === 'plan')).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('the last apply was 2026-12-19T12:00:'),
    });
  });
});

describe('a saved plan', () => {
  test('of a later day is not applied before it, and is on that day', async () => {
    const { on } = await project();
    expect((await on('2026-12-10', 'plan', '--date', '2026-12-18', '--out', 'plan.json')).code).toBe(0);
    const early = await on('2026-12-17', 'apply', 'plan.json');
    expect([early.code, early.stderr]).toEqual([5, expect.stringContaining('from 2026-12-18 on')]);
    const due = await on('2026-12-18', 'apply', 'plan.json');
    expect([due.code, due.stdout]).toEqual([0, expect.stringContaining('1 changed')]);
  });

  test('is applied on a later day with the same effects, and refused once they differ', async () => {
    const { on, declare } = await project();
    expect((await on('2026-12-18', 'plan', '--out', 'plan.json')).code).toBe(0);
    await declare(MANIFEST.replace('name: Sales,', 'name: Sales team,'));
    expect((await on('2026-12-18', 'plan', '--out', 'other.json')).code).toBe(0);
    expect((await on('2026-12-20', 'apply', 'other.json')).code).toBe(0);
    expect((await on('2026-12-20', 'plan', '--out', 'none.json')).code).toBe(0);
    await declare(MANIFEST);
    expect((await on('2026-12-20', 'plan', '--out', 'name.json')).code).toBe(0);
    // On the 25th the usual hours are back, which this plan did not have.
    const late = await on('2026-12-25', 'apply', 'name.json');
    expect([late.code, late.stderr]).toEqual([
      5,
      expect.stringMatching(
        /name\.json is a plan of the hours before 2026-12-\d\d, and that day has begun in Europe\/Warsaw: plan again/,
      ),
    ]);
  });

  test('has the same digest on each day on which it has the same effects', async () => {
    const { on } = await project();
    const digestOf = ({ stderr }: Ran): string | undefined => /digest ([0-9a-f]{8})/.exec(stderr)?.[1];
    const one = digestOf(await on('2026-12-18', 'plan', '--out', 'one.json'));
    expect(one).toBeDefined();
    expect(digestOf(await on('2026-12-19', 'plan', '--out', 'two.json'))).toBe(one);
  });
});

test('a drift check stays green when a date has passed', async () => {
  const { on } = await project();
  expect((await on('2026-12-18', 'apply', '--yes', '-q')).code).toBe(0);
  const after = await on('2026-12-25', 'drift');
  expect([after.code, after.stdout]).toEqual([0, expect.stringContaining('By a date that has come: 1')]);
});

describe('coverage', () => {
  test('shows the hours of the dates in a week, and the weeks with dates ahead', async () => {
    const { on } = await project();
    const now = await on('2026-12-17', 'coverage');
    expect(now.stdout).toMatch(
      /Dates ahead:\n {2}week of 2026-12-21: 2026-12-24 {2}group\/sales: no cover Thu 09:00-17:00/,
    );
    const then = await on('2026-12-17', 'coverage', '--date', '2026-12-24');
    expect(then.stdout).toContain('group/sales  Mon 00:00-Fri 09:00, Fri 17:00-Sun 24:00');
  });

  test('tells the dates ahead on which only bots are left of a group that usually has a person', async () => {
    const { on, declare } = await project();
    await declare(`${MANIFEST}bots: { triage: { name: Triage, max_chats_count: 9, groups: { sales: last } } }\n`);
    const { stdout } = await on('2026-12-17', 'coverage');
    expect(stdout).toMatch(
      /Dates ahead:\n {2}week of 2026-12-21: 2026-12-24 {2}group\/sales: only bots Thu 09:00-17:00/,
    );
  });
});

test('validate names the date that does not exist, at its place', async () => {
  const { on, declare } = await project();
  await declare(MANIFEST.replace('2026-12-24', '2026-02-30'));
  const { code, stderr } = await on('2026-12-17', 'validate');
  expect([code, stderr]).toEqual([1, expect.stringContaining('manifest.yaml:2:31')]);
  expect(stderr).toContain('2026-02-30 is no day of the calendar');
});

test('Coverage shows one day, with names, and refuses a word that is neither a group nor a day', async () => {
  const manifest = `version: 1
agents:
  ann@example.com:
    name: Ann
    max_chats_count: 4
    work_scheduler: { timezone: Europe/Warsaw, schedule: { mon-sat: 09:00-17:00 } }
groups: { sales: { name: Sales, agent_priorities: { ann@example.com: first } } }
`;
  const cwd = await folder({ 'chatform.yaml': PROJECT, 'manifest.yaml': manifest });
  const day = await chatform(['coverage', 'sales', 'saturday', '--names'], { cwd });
  expect([day.code, day.stderr]).toEqual([0, '']);
  expect(day.stdout).toMatch(/^Sat \d{4}-\d\d-\d\d, Europe\/Warsaw/);
  expect(day.stdout).toContain('Nobody can get a chat:\n  group/sales  Sat 00:00-09:00, Sat 17:00-24:00\n');
  expect(day.stdout).toContain('Who can get a chat:\n  group/sales  Ann (first, 4 chats): Sat 09:00-17:00\n');
  const week = await chatform(['coverage', '--names'], { cwd });
  expect(week.stdout).toContain('Ann (first, 4 chats): Mon-Sat 09:00-17:00\n');
  const slip = await chatform(['coverage', 'satruday'], { cwd });
  expect([slip.code, slip.stderr]).toEqual([1, expect.stringContaining('did you mean `saturday`?')]);
  expect((await chatform(['coverage', 'night'], { cwd })).stderr).toBe(
    'Error: there is no group or day night: allowed: `sales`; a day is saturday, today or 2026-12-24\n',
  );
  const document = JSON.parse((await chatform(['coverage', '2026-12-26', '--json'], { cwd })).stdout);
  expect([document.day, document.from.slice(0, 10), document.to.slice(0, 10)]).toEqual([
    '2026-12-26',
    '2026-12-26',
    '2026-12-27',
  ]);
});

test('explain and a day of coverage take the rules, members and people of that day', async () => {
  const manifest = `version: 1
agents:
  ann@example.com: { name: Ann, max_chats_count: 4, work_scheduler: &day { timezone: Europe/Warsaw, schedule: { mon-sun: 09:00-17:00 } } }
  eve@example.com: { name: Eve, from: 2026-12-18, max_chats_count: 3, work_scheduler: *day }
groups: { sales: { name: Sales, agent_priorities: { ann@example.com: first, eve@example.com: first } } }
auto_access:
  - { key: gifts, from: 2026-12-18, until: 2026-12-19, access: { groups: [sales] }, conditions: { url: { values: [{ value: /gifts }] } } }
`;
  const { on, declare } = await project();
  await declare(manifest);
  const explain = async (...args: readonly string[]) =>
    (await on('2026-12-17', 'explain', '--url', 'https://shop.example/gifts', '-q', ...args)).stdout;
  expect(await explain()).toContain('no rule');
  // Where the day of the project is not that of the offset, it is that of the project.
  for (const at of ['2026-12-18T10:00', '2026-12-17T23:00Z'])
    expect(await explain('--at', at)).toContain('auto_access/gifts');
  expect(await explain('--at', '2026-12-20T00:00')).toContain('no rule');
  // What is over then is no warning of today.
  for (const args of [
    ['explain', '--url', 'https://shop.example/', '--at', '2026-12-28T10:00'],
    ['coverage', '2026-12-28'],
  ])
    expect((await on('2026-12-17', ...args)).stderr).toBe('');
  expect((await on('2026-12-28', 'coverage')).stderr).toContain('expired');
  const eve = async (...args: readonly string[]) =>
    (await on('2026-12-17', 'coverage', '--names', ...args)).stdout.includes('Eve (first, 3 chats)');
  expect([await eve('thursday'), await eve('friday'), await eve('2026-12-18')]).toEqual([false, true, true]);
});

test('Coverage names the hours in which a bot hands chats over and no agent is at work, also where the other group is not asked about', async () => {
  const manifest = `version: 1
agents:
  ann@example.com: { name: Ann, work_scheduler: { timezone: Europe/Warsaw, schedule: { mon-sun: 09:00-17:00 } } }
bots:
  owl: { name: Owl, hands_over_to: [sales], groups: { night: first }, work_scheduler: { timezone: Europe/Warsaw, schedule: { mon-sun: 12:00-20:00 } } }
groups: { sales: { name: Sales, agent_priorities: { ann@example.com: first } }, night: { name: Night }, other: { name: Other } }
`;
  const { on, declare } = await project();
  await declare(manifest);
  const told = async (...args: readonly string[]) => (await on('2026-12-17', 'coverage', ...args)).stdout;
  const finding = (times: string) =>
    `Findings:\n  warning hand-over: bot/owl hands chats over to group/sales, where no agent is at work ${times} Europe/Warsaw`;
  for (const args of [[], ['night'], ['sales']]) expect(await told(...args)).toContain(finding('Mon-Sun 17:00-20:00'));
  expect(await told('friday')).toContain(finding('Fri 17:00-20:00'));
  expect(await told('other')).not.toContain('hand-over');
});
