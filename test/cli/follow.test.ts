// `chatform report --since` and `apply --report-after` on the emulator: chats of weeks that were drawn, through its reports.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/base/zone.ts';
import type { Emulator, Seed } from '../../src/emulator/index.ts';
import { checkGate } from '../../src/features/fleet/gates.ts';
import { followSchema } from '../../src/features/report/since/schema.ts';
import { systemContext } from '../../src/target/context.ts';
import { prepareDeclared } from '../../src/target/prepare.ts';
import { drawnChats } from '../features/report/since/drawn-chats.ts';
import { randomFrom, type Weeks, windowOf } from '../features/report/since/weeks.ts';
import { IS_FULL } from '../tries.ts';
import { chatform, folder, type Ran } from './chatform.ts';
import { served } from './served.ts';

const fits = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true }).compile(
  followSchema,
);

const ENV = { CHATFORM_TOKEN: 'dal:open-sesame' };

/** When the change is applied: a Monday, 10:40 in Warsaw. */
const APPLIED = Date.parse('2026-06-15T08:40:00Z');

const manifest = (careers: 'sales' | 'desk') => `version: 1
agents:
  ann@example.com: { name: Ann }
groups:
  sales: { name: Sales, agent_priorities: { ann@example.com: first } }
  desk: { name: Desk, agent_priorities: { ann@example.com: normal } }
auto_access:
  - { key: careers, access: { groups: [${careers}] }, conditions: { url: { values: [{ value: /careers }] } } }
  - { key: prices, access: { groups: [sales] }, conditions: { url: { values: [{ value: /pricing }] } } }
`;

interface Shop {
  readonly emulator: Emulator;
  readonly cwd: string;
  /** Moves the clock of the emulator and of every command. */
  readonly until: (instant: number) => void;
  /** Ctrl-C, once a command has slept until then. */
  readonly interruptAt: (instant: number, stop: AbortController) => void;
  readonly run: (args: readonly string[], stop?: AbortController) => Promise<Ran>;
}

/** A project whose groups have these chats, applied five weeks before the change. */
async function shop(
  weeks: { readonly sales: Weeks; readonly desk: Weeks },
  seed: number,
  { tokens, target = [] }: { readonly tokens?: Seed['tokens']; readonly target?: readonly string[] } = {},
): Promise<Shop> {
  let now = APPLIED - 40 * DAY;
  let interrupt = (): void => {};
  const clock = {
    now: () => now,
    sleep: async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
      if (signal?.aborted !== true) now += milliseconds;
      interrupt();
    },
  };
  const window = windowOf(4, new Date(APPLIED).toISOString());
  const random = randomFrom(seed);
  const drawn = [drawnChats(window, weeks.sales, 1, random), drawnChats(window, weeks.desk, 2, random)];
  const planted: Seed = {
    agents: [{ id: 'ann@example.com', name: 'Ann' }],
    groups: [
      { id: 1, name: 'Sales', agent_priorities: { 'ann@example.com': 'first' } },
      { id: 2, name: 'Desk', agent_priorities: { 'ann@example.com': 'normal' } },
    ],
    customers: drawn.flatMap(({ customers }) => customers),
    chats: drawn.flatMap(({ chats }) => chats),
    ...(tokens === undefined ? {} : { tokens }),
  };
  const { emulator, url } = await served({ now: clock.now, seed: planted });
  const lines = [`base_url: ${url}`, 'ledger: ledger.ndjson', 'routing: { timezone: Europe/Warsaw }', ...target];
  const cwd = await folder({
    'manifest.yaml': manifest('sales'),
    'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets:\n  here:\n${lines.map((line) => `    ${line}\n`).join('')}`,
  });
  const run = (args: readonly string[], stop?: AbortController) =>
    chatform(args, { cwd, env: ENV, clock, ...(stop === undefined ? {} : { stop }) });
  const applied = await run(['apply', '--yes', '-q']);
  expect([applied.code, applied.stderr]).toEqual([0, '']);
  await writeFile(join(cwd, 'manifest.yaml'), manifest('desk'));
  now = APPLIED;
  emulator.resetStats();
  return {
    emulator,
    cwd,
    run,
    interruptAt: (instant, stop) => {
      interrupt = () => {
        if (now >= instant) stop.abort();
      };
    },
    until: (instant) => {
      now = instant;
    },
  };
}

/** Too few to tell. */
const FEW = { sales: { expected: 1 }, desk: { expected: 1 } };
const MOVED = { sales: { expected: 40, arrivals: 0.2 }, desk: { expected: 20, arrivals: 3 } };
const NO_LAG = ['reports_lag: 0s'];

async function document(shown: Ran) {
  const found = JSON.parse(shown.stdout);
  expect(fits(found) ? [] : fits.errors).toEqual([]);
  return found;
}

test('The published schema is the one in the code', async () => {
  const text = `${JSON.stringify(followSchema, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../schemas/chats.schema.json');
});

/** Requests to the Reports API, by report. */
function reportsAsked(emulator: Emulator) {
  const asked = Object.entries(emulator.stats()).filter(([name]) => name.startsWith('reports/'));
  return Object.fromEntries(asked.map(([name, count]) => [name.slice('reports/'.length), count]));
}

const EACH = { 'chats/duration': 1, 'chats/first_response_time': 1, 'chats/ratings': 1, 'chats/total_chats': 1 };

describe('chatform report --since', () => {
  test('names what changed, the change that fits it and the way back, and ends with 2', async () => {
    const { run, until, emulator, cwd } = await shop(MOVED, 1, { target: NO_LAG });
    expect((await run(['apply', '--yes', '-q'])).code).toBe(0);
    until(APPLIED + 5 * HOUR);
    emulator.resetStats();
    const { code, stdout } = await run(['report', '--since']);
    expect(code).toBe(2);
    expect(stdout).toContain(
      '4 hours, 2026-06-15T11:00:00+02:00 to 2026-06-15T15:00:00+02:00 (Europe/Warsaw), next to',
    );
    expect(stdout).toContain(
      'fits: auto_access/careers: it has other groups, and visitors of group/sales go to group/desk',
    );
    expect(stdout).toMatch(/group\/desk:\n.*\n {2}chats .* rises \(p [<=] /);
    expect(stdout).toMatch(/group\/sales:\n.*\n {2}chats .* falls \(p [<=] /);
    expect(stdout).toMatch(/To see how far run \S+ can be taken back: chatform undo \S+ --plan\n$/);
    expect(stdout).toContain('Something changed in 2 groups. 9 requests.');
    expect(reportsAsked(emulator)).toEqual({
      'chats/duration': 2,
      'chats/first_response_time': 2,
      'chats/ratings': 2,
      'chats/total_chats': 2,
    });
    emulator.resetStats();
    const shown = await document(await run(['report', '--since', '--group', 'sales', '--json']));
    expect(shown).toMatchObject({ summary: { changed: 1, unchanged: 0 }, window: { hours: 4, wanted: null } });
    expect(shown.groups.map(({ address }: { address: string }) => address)).toEqual(['group/sales']);
    expect([shown.requests_sent, reportsAsked(emulator)]).toEqual([{ ...EACH, list_groups: 1 }, EACH]);
    const unknown = await run(['report', '--since', '--group', 'night']);
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      'Error: the run touched no group night; allowed: `group/desk`, `group/sales`\n',
    ]);
    // What was asked is kept with its answers: chats that verify made are left out.
    const kept = join(cwd, 'ledger.reports');
    const files = (await readdir(kept)).filter((file) => file.endsWith('.json'));
    const asked = await Promise.all(files.map(async (file) => JSON.parse(await readFile(join(kept, file), 'utf8'))));
    expect(asked).toHaveLength(8);
    for (const { question } of asked)
      expect(question.filters.properties).toEqual({
        test: { string_property: { exclude_values: ['chatform test --on customer'] } },
      });
  });

  test('says that it cannot tell: before the reports show an hour, and where chats are few', async () => {
    const { run, emulator, until } = await shop(FEW, 2);
    await run(['apply', '--yes', '-q']);
    emulator.resetStats();
    until(APPLIED + 2 * HOUR);
    const early = await run(['report', '--since']);
    expect(early.code).toBe(0);
    expect(early.stdout).toContain(
      'Nothing to compare yet: the first whole hour since the run begins at 2026-06-15T11:00:00+02:00, and the reports show it at 2026-06-15T15:00:00+02:00.\n\nNothing was compared. 1 request.\n',
    );
    // The service tells its time.
    expect(emulator.stats()).toEqual({ list_groups: 1 });
    until(APPLIED + 8 * HOUR);
    const few = await run(['report', '--since']);
    expect(few.code).toBe(0);
    expect(few.stdout).toContain('The numbers are too few to tell in 2 groups.');
  });

  test('says that there is no such run, and what a time is', async () => {
    const { run } = await shop(FEW, 2);
    const unknown = await run(['report', '--since', 'nope']);
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      'Error: the ledger knows no run nope; `chatform history` lists them\n',
    ]);
    for (const time of ['90m', '4', '0h', '169h'])
      expect((await run(['report', '--since', '--for', time])).stderr).toBe(
        `Error: --for ${time}: write whole hours such as 4h, from 1h to 168h, which is a week\n`,
      );
    const apply = await run(['apply', '--yes', '-q', '--report-after', '4']);
    expect([apply.code, apply.stderr]).toEqual([
      1,
      'Error: --report-after 4: write whole hours such as 4h, from 1h to 168h, which is a week\n',
    ]);
  });

  const FOUR_HOURS = '4 hours, 2026-06-15T11:00:00+02:00 to 2026-06-15T15:00:00+02:00 (Europe/Warsaw), next to';

  test("goes by the service's clock where it was set ahead before the apply and after it", async () => {
    const { run, emulator, until, cwd } = await shop(MOVED, 1, { target: NO_LAG });
    until(APPLIED - 3 * DAY);
    emulator.advance(3 * DAY);
    expect((await run(['apply', '--yes', '-q'])).code).toBe(0);
    const last = (await readFile(join(cwd, 'ledger.ndjson'), 'utf8')).trimEnd().split('\n').at(-1) ?? '';
    expect(JSON.parse(last)).toMatchObject({ type: 'run', at: '2026-06-12T08:40:00.000Z', ahead: 3 * DAY });
    const early = await run(['report', '--since']);
    expect([early.code, early.stdout.includes('Nothing to compare yet')]).toEqual([0, true]);
    emulator.advance(5 * HOUR);
    const { code, stdout } = await run(['report', '--since']);
    expect([code, stdout.split('\n')[1]?.slice(0, FOUR_HOURS.length)]).toEqual([2, FOUR_HOURS]);
  });

  test('goes on where the clock of this machine was set back after the apply', async () => {
    const { run, emulator, until } = await shop(MOVED, 1, { target: NO_LAG });
    await run(['apply', '--yes', '-q']);
    until(APPLIED + 5 * HOUR - 10 * DAY);
    emulator.advance(10 * DAY);
    const { code, stdout } = await run(['report', '--since']);
    expect([code, stdout.split('\n')[1]?.slice(0, FOUR_HOURS.length)]).toEqual([2, FOUR_HOURS]);
  });
});

describe('apply --report-after', () => {
  test('begins when the lease is given back, waits for the reports, and undoes nothing', async () => {
    const { run, cwd } = await shop(MOVED, 1);
    const { code, stdout, stderr } = await run(['apply', '--yes', '--report-after', '4h']);
    expect(code).toBe(2);
    // 11:00 to 15:00, and three hours until the reports show them.
    expect(stderr.split('\n').filter((line) => line.startsWith('Following: '))).toHaveLength(8);
    expect(stderr).toContain('the reports show 0 of 4 hours, and all of them at 2026-06-15T18:00:00+02:00.');
    expect(stdout).toContain('4 hours, 2026-06-15T11:00:00+02:00 to 2026-06-15T15:00:00+02:00 (Europe/Warsaw)');
    expect(stdout).toContain('9 requests.');
    expect(stdout.indexOf('Apply complete.')).toBeLessThan(stdout.indexOf('group/desk:\n'));
    expect(await readFile(join(cwd, 'ledger.ndjson'), 'utf8')).not.toContain('"command":"undo"');
  });

  test('puts what it found into the document of the apply', async () => {
    const { run } = await shop(FEW, 1, { target: NO_LAG });
    const { code, stdout } = await run(['apply', '--yes', '--json', '--report-after', '4h']);
    const found = JSON.parse(stdout);
    expect([code, found.outcome, found.chats.summary]).toEqual([0, 'done', { changed: 0, unchanged: 0, too_few: 2 }]);
    expect(fits(found.chats) ? [] : fits.errors).toEqual([]);
  });

  test('ends at Ctrl-C with the hours that the reports show', async () => {
    const { run, interruptAt } = await shop(FEW, 1, { target: NO_LAG });
    const stop = new AbortController();
    interruptAt(APPLIED + 6 * HOUR, stop);
    const { code, stdout, stderr } = await run(['apply', '--yes', '--report-after', '24h'], stop);
    expect([code, stderr.includes('Error')]).toEqual([130, false]);
    expect(stdout).toContain(
      '5 of 24 hours (interrupted), 2026-06-15T11:00:00+02:00 to 2026-06-15T16:00:00+02:00 (Europe/Warsaw)',
    );
    expect(stdout).toContain('9 requests.');
  });

  test('is refused before anything is applied without the scope', async () => {
    const scopes = ['agents--all:rw', 'groups--all:rw', 'access_rules:rw'];
    const { run, emulator } = await shop(FEW, 4, { tokens: [{ token: 'dal:open-sesame', scopes }] });
    const { code, stdout, stderr } = await run(['apply', '--yes', '-q', '--report-after', '4h']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('chats/total_chats needs a token with reports_read');
    expect(Object.keys(emulator.stats())).toEqual(['reports/chats/total_chats']);
  });

  test('is refused before anything is applied without a token', async () => {
    const { run, emulator } = await shop(FEW, 4, { target: ['reports_token_env: REPORTS_TOKEN'] });
    const { code, stdout, stderr } = await run(['apply', '--yes', '-q', '--report-after', '4h']);
    expect([code, stdout, emulator.stats()]).toEqual([1, '', {}]);
    expect(stderr).toContain('the environment variable REPORTS_TOKEN is not set');
  });
});

// One run alone could not fail.
test.skipIf(!IS_FULL)(
  'weeks without a change raise no more alarms through the reports of the emulator than drawn ones',
  async () => {
    const runs = 20;
    let alarms = 0;
    for (let seed = 100; seed < 100 + runs; seed += 1) {
      const real = { weeks: 0.1, days: 0.15 };
      const { run, until } = await shop({ sales: { expected: 40, ...real }, desk: { expected: 20, ...real } }, seed, {
        target: NO_LAG,
      });
      await run(['apply', '--yes', '-q']);
      until(APPLIED + 4 * HOUR + 20 * MINUTE);
      if ((await run(['report', '--since', '-q'])).code !== 0) alarms += 1;
    }
    // At 5 % each, more than three of twenty come in 2 of 100 such runs.
    expect(alarms).toBeLessThanOrEqual(3);
  },
);

describe('the gate `chats` of a fleet run', () => {
  /** Checks the gate from then on; waiting moves the clock. */
  async function checkedAt({ cwd, until }: Shop, start: number, since: number) {
    let now = start;
    until(now);
    const clock = {
      now: () => now,
      sleep: async (milliseconds: number): Promise<void> => {
        now += milliseconds;
        until(now);
      },
    };
    const context = { ...systemContext(), env: ENV, clock };
    const declared = await prepareDeclared({ project: join(cwd, 'chatform.yaml') }, context);
    const end = await checkGate('chats', declared, { since, place: null }, context);
    return { ...end, waited: now - start };
  }

  test('does not pass when figures of a touched group have changed since', async () => {
    const made = await shop(MOVED, 1, { target: NO_LAG });
    expect((await made.run(['apply', '--yes', '-q'])).code).toBe(0);
    expect(await checkedAt(made, APPLIED + 5 * HOUR, APPLIED)).toEqual({
      passed: false,
      message: 'figures have changed since the apply: Desk, Sales',
      waited: 0,
    });
    // Another run did not change them.
    expect(await checkedAt(made, APPLIED + 5 * HOUR, APPLIED + HOUR)).toEqual({
      passed: true,
      message: null,
      waited: 0,
    });
  });

  test('waits until the reports show an hour, and passes where the figures are as before', async () => {
    const made = await shop(FEW, 2, { target: NO_LAG });
    expect((await made.run(['apply', '--yes', '-q'])).code).toBe(0);
    const { passed, message, waited } = await checkedAt(made, APPLIED + MINUTE, APPLIED);
    expect([passed, message]).toEqual([true, null]);
    expect(waited).toBeGreaterThan(HOUR);
  });
});
