// An apply of several targets: in waves, until a failure stops it; resumed, retried, cancelled, frozen, and held to what was approved.

import { randomUUID } from 'node:crypto';
import { appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Clock } from '../../src/base/model.ts';
import { systemClock } from '../../src/service/patience/clock.ts';
import { chatform, folder } from './chatform.ts';
import { served } from './served.ts';
import { atTerminal, fakeTerminal } from './terminal.ts';

const HOME = process.cwd();

const NAMES = ['acme', 'bravo', 'carol', 'delta', 'echo'];

const WAVES = '  waves: [{ name: canary, select: ring=canary, gate: [no_drift] }, { name: rest, parallel: 1 }]\n';

function agency(fleet: string = WAVES): Promise<string> {
  return folder({
    'chatform.yaml': `version: 1
manifest: [manifest.yaml]
targets_from: { csv: licenses.csv }
defaults:
  base_url: "emulator:\${target.name}.json"
  ledger: "ledgers/\${target.name}.ndjson"
  labels: { ring: "\${row.ring}" }
${fleet === '' ? '' : `fleet:\n${fleet}`}`,
    'manifest.yaml': 'version: 1\ngroups: { support: { name: Support } }\n',
    'licenses.csv': `name,ring\n${NAMES.map((name) => `${name},${name === 'carol' ? 'canary' : 'main'}\n`).join('')}`,
  });
}

/** A file that is no license: its target cannot be applied. */
function spoil(cwd: string, name: string): Promise<void> {
  return writeFile(join(cwd, `${name}.json`), 'none');
}

/** What became of each target, by the table. */
function states(stdout: string): { readonly [target: string]: string } {
  const rows = stdout.split('\n').filter((line) => NAMES.includes(line.split(' ')[0] ?? ''));
  return Object.fromEntries(
    rows.map((row) => [
      row.split(' ')[0],
      /(applied|in sync|not begun|failed|changes|outdated|withheld)/.exec(row)?.[1] ?? row,
    ]),
  );
}

async function runIn(cwd: string): Promise<string> {
  const [run = ''] = await readdir(join(cwd, '.chatform', 'fleet'));
  return run.slice(0, 8);
}

test('waves follow each other, and gates are checked between them', async () => {
  const cwd = await agency();
  const { code, stdout, stderr } = await chatform(['apply', '--all', '-y'], { cwd });
  expect(stderr).toBe(
    [
      'Wave canary: 1 target.',
      'carol: applied (1 add)',
      'Wave canary: gate no_drift passed on 1 target.',
      'Wave rest: 4 targets.',
      ...['acme', 'bravo', 'delta', 'echo'].map((name) => `${name}: applied (1 add)`),
      '',
    ].join('\n'),
  );
  expect(Object.values(states(stdout))).toEqual(NAMES.map(() => 'applied'));
  expect(code).toBe(0);
});

test('the requests of gates count in the rate of the project', async () => {
  const { url, emulator } = await served();
  const cwd = await folder({
    'chatform.yaml': `version: 1
manifest: [manifest.yaml]
targets: { acme: { base_url: "${url}", token_env: TOKEN } }
fleet: { rate: 300/m, waves: [{ name: canary, gate: [no_drift] }] }
`,
    'manifest.yaml': 'version: 1\ngroups: { support: { name: Support } }\n',
  });
  const gap = 60_000 / 300;
  const begun = Date.now();
  let waited = 0;
  const clock: Clock = {
    now: () => begun + waited,
    // Whatever waits longer than for a turn is a deadline.
    sleep: async (milliseconds, signal) => {
      if (milliseconds > gap) await systemClock.sleep(milliseconds, signal);
      else waited += milliseconds;
    },
  };
  const env = { TOKEN: 'dal:token' };
  const applied = await chatform(['apply', '--all', '-y', '--assume-settled'], { cwd, clock, env });
  expect(applied).toMatchObject({ code: 0, stderr: expect.stringContaining('gate no_drift passed') });
  const requests = Object.values(emulator.stats()).reduce((sum, count) => sum + count, 0);
  expect(waited).toBe((requests - 1) * gap);
});

test('a wave that failed as a whole can only be tried again', async () => {
  const cwd = await agency();
  await spoil(cwd, 'carol');
  const stopped = await chatform(['apply', '--all', '-y'], { cwd });
  const run = await runIn(cwd);
  expect(stopped.stdout).toContain(
    `Stopped: 1 target failed (max_failures 0). 4 targets not begun. Try again: \`chatform apply --resume ${run} --retry failed\`.`,
  );
});

test('--parallel says how many are under way at once where a wave does not', async () => {
  const cwd = await agency('  parallel: 5\n');
  await spoil(cwd, 'bravo');
  const { stdout } = await chatform(['apply', '--all', '-y', '--parallel', '1'], { cwd });
  expect(states(stdout)).toEqual({
    ...{ acme: 'applied', bravo: 'failed', carol: 'not begun', delta: 'not begun', echo: 'not begun' },
  });
});

test('a failure stops the run; it is resumed, and then retried, and nothing is applied twice', async () => {
  const cwd = await agency();
  await spoil(cwd, 'bravo');
  const stopped = await chatform(['apply', '--all', '-y'], { cwd });
  const run = await runIn(cwd);
  expect(states(stopped.stdout)).toEqual({
    ...{ acme: 'applied', bravo: 'failed', carol: 'applied', delta: 'not begun', echo: 'not begun' },
  });
  expect(stopped.stdout).toContain(
    `Stopped: 1 target failed (max_failures 0). 2 targets not begun. Go on: \`chatform apply --resume ${run}\`. Try again also where it failed: \`chatform apply --resume ${run} --retry failed\`.`,
  );
  expect(stopped.code).toBe(1);
  const status = await chatform(['fleet', 'status'], { cwd });
  expect(status.stdout).toMatch(/\n {2}rest +4 +1 +1 +2 /);
  expect(status.stdout).toMatch(/\nFailed:\n {2}Target .*\n {2}bravo .*bravo\.json cannot be used as a license/);

  const short = await chatform(['apply', '--resume', run.slice(0, 3)], { cwd });
  expect([short.code, short.stderr]).toEqual([1, expect.stringContaining('write at least 4 characters of it')]);
  const resumed = await chatform(['apply', '--resume', run], { cwd });
  expect(states(resumed.stdout)).toMatchObject({ bravo: 'failed', delta: 'applied', echo: 'applied' });
  expect(resumed.code).toBe(1);

  await writeFile(join(cwd, 'bravo.json'), '{}');
  const retried = await chatform(['apply', '--resume', run, '--retry', 'failed'], { cwd });
  expect(retried.stderr).toBe('Wave rest: 4 targets.\nbravo: applied (1 add)\n');
  expect(Object.values(states(retried.stdout))).toEqual(NAMES.map(() => 'applied'));
  expect(retried.code).toBe(0);
  for (const name of NAMES) {
    const ledger = await readFile(join(cwd, 'ledgers', `${name}.ndjson`), 'utf8');
    expect(ledger.match(/"type":"run"/g), name).toHaveLength(1);
  }
  const list = await chatform(['fleet', 'list'], { cwd });
  expect(list.stdout).toMatch(new RegExp(`\\n${run} .* apply +5 of 5 +done\\n$`));
});

test('a list has the newest runs, and says how many are older', async () => {
  const cwd = await agency();
  await chatform(['apply', '--all', '--yes', '-q'], { cwd });
  const runs = join(cwd, '.chatform', 'fleet');
  const [first = ''] = await readdir(runs);
  for (let copy = 0; copy < 21; copy += 1) await cp(join(runs, first), join(runs, randomUUID()), { recursive: true });
  const { stdout } = await chatform(['fleet', 'list'], { cwd });
  expect(stdout.split('\n')).toHaveLength(1 + 20 + 3);
  expect(stdout).toMatch(/\n\n2 older runs: `chatform fleet list --all` has all of them\n$/);
  const { runs: all, older } = JSON.parse((await chatform(['fleet', 'list', '--all', '--json'], { cwd })).stdout);
  expect([all.length, older]).toEqual([22, 0]);
});

test('where the last license of an agreed run failed, only it is tried again, by its plan', async () => {
  const cwd = await agency('  waves: [{ name: all, parallel: 1 }]\n  max_failures: 5\n');
  const { terminal, said } = fakeTerminal('apply');
  const seat = { ...terminal, clock: systemClock, ask: async () => spoil(cwd, 'echo').then(() => 'apply') };
  expect(await atTerminal(['-C', cwd, 'apply', '--all'], seat)).toBe(1);
  process.chdir(HOME);
  const run = await runIn(cwd);
  expect(said()).toMatch(
    new RegExp(
      `\\nDone, with failures: 4 of 5 targets. Try again: \`chatform apply --resume ${run} --retry failed\`.\\n$`,
    ),
  );
  await rm(join(cwd, 'echo.json'));
  const retried = await chatform(['apply', '--resume', run, '--retry', 'failed'], { cwd });
  expect(retried).toMatchObject({ code: 0, stderr: 'echo: applied (1 add)\n' });
});

test('a run applies the plans that it read, whatever happens to their folder meanwhile', async () => {
  const cwd = await agency('  waves: [{ name: canary, count: 1 }, { name: rest }]\n');
  await chatform(['plan', '--all', '--out', 'plans', '-q'], { cwd });
  const clock: Clock = {
    ...systemClock,
    // The driver waits for the first wave.
    sleep: async (milliseconds, signal) => {
      await rm(join(cwd, 'plans'), { recursive: true, force: true });
      await systemClock.sleep(milliseconds, signal);
    },
  };
  const { code, stdout } = await chatform(['apply', 'plans', '--assume-settled'], { cwd, clock });
  expect(Object.values(states(stdout))).toEqual(NAMES.map(() => 'applied'));
  expect(code).toBe(0);
  const again = await chatform(['apply', '--resume', await runIn(cwd)], { cwd });
  expect(again).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Run [0-9a-f]{8} is done: no target is left.\n$/),
  });
});

test('a log without its first line is told by its name', async () => {
  const cwd = await agency('');
  await chatform(['apply', '--all', '-y'], { cwd });
  const [run = ''] = await readdir(join(cwd, '.chatform', 'fleet'));
  const log = join(cwd, '.chatform', 'fleet', run, 'log.ndjson');
  await writeFile(log, (await readFile(log, 'utf8')).replace(/^.*\n/, ''));
  const { code, stderr } = await chatform(['fleet', 'list'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Error: \.chatform\/fleet\/.*\/log\.ndjson has lost its first line: restore the file/);
});

test('the newest run is shown by itself, whatever became of the logs of older ones', async () => {
  const cwd = await agency('');
  await chatform(['apply', '--all', '-y'], { cwd });
  const older = await runIn(cwd);
  const file = join(cwd, '.chatform', 'fleet', (await readdir(join(cwd, '.chatform', 'fleet')))[0] ?? '', 'log.ndjson');
  await chatform(['apply', '--all', '-y'], { cwd });
  await appendFile(file, 'damaged\n');
  const { code, stdout } = await chatform(['fleet', 'status'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Run [0-9a-f]{8}: apply, begun /);
  expect(stdout).not.toContain(`Run ${older}`);
  expect((await chatform(['fleet', 'list'], { cwd })).stderr).toContain('this line is no event of a fleet run');
});

test('the status of a run is also a page and a document, with the other runs that can be read', async () => {
  const cwd = await agency();
  await chatform(['apply', '--all', '-y'], { cwd });
  const older = await runIn(cwd);
  const [damaged, stopped] = ['00000000-0000-4000-8000-000000000000', 'bravo'];
  await mkdir(join(cwd, '.chatform', 'fleet', damaged));
  await writeFile(join(cwd, '.chatform', 'fleet', damaged, 'log.ndjson'), '{"v":1,"type":"none"}\n');
  await spoil(cwd, stopped);
  const apply = await chatform(['apply', '--all', '-y'], { cwd });
  const run = /--resume ([0-9a-f]{8})/.exec(apply.stdout)?.[1] ?? '';
  const { code, stdout } = await chatform(
    ['fleet', 'status', run, '--report', 'html=run.html', '--report', 'json=run.json'],
    { cwd },
  );
  expect([code, stdout.slice(0, 12)]).toEqual([0, `Run ${run}`]);
  const page = await readFile(join(cwd, 'run.html'), 'utf8');
  expect(page).toContain('<h2 id="failed">Failed <span class="count">1</span></h2>');
  expect(page).toMatch(/<code>bravo<\/code><\/th>.*<td class=""[^>]*>bravo\.json cannot be used as a license/);
  expect(page).toContain(`<h2 id="others">Other runs <span class="count">1</span></h2>`);
  expect(page).toContain(`<th scope="row"><code>${older}</code></th>`);
  const { targets } = JSON.parse(await readFile(join(cwd, 'run.json'), 'utf8'));
  expect(targets.find(({ target }: { target: string }) => target === 'bravo')).toEqual({
    ...{ target: 'bravo', wave: 'rest', state: 'failed', attempt: 1, begun_at: expect.any(String), exit_code: 1 },
    ...{ requests: expect.any(Number), seconds: expect.any(Number) },
    message: expect.stringContaining('bravo.json cannot be used as a license'),
  });
  const refused = await chatform(['fleet', 'status', run, '--report', 'csv=run.csv'], { cwd });
  expect(refused.stderr).toContain('there is no format csv; formats: html, json');
});

test('a gate that can prove nothing does not pass', async () => {
  const cwd = await agency('  waves: [{ name: canary, count: 1, gate: [tests] }, { name: rest }]\n');
  const { code, stdout, stderr } = await chatform(['apply', '--all', '-y'], { cwd });
  expect(stderr).toContain(
    'Gate tests of wave canary did not pass on acme: the manifest has no routing tests, so this proves nothing',
  );
  expect(stdout).toContain('Stopped: gate tests of wave canary did not pass on acme');
  expect(code).toBe(1);
});

test('import of several targets shows what they have, and writes nothing', async () => {
  const cwd = await agency('');
  const refused = await chatform(['import', '--all'], { cwd });
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('name one target with -t, or add --plan') });
  expect(await chatform(['import', '--all', '--plan'], { cwd })).toMatchObject({ code: 0 });
});

test('a license that changed after its plan was approved is not applied', async () => {
  const cwd = await agency('');
  await chatform(['plan', '--all', '--out', 'plans', '-q'], { cwd });
  await writeFile(
    join(cwd, 'manifest.yaml'),
    'version: 1\ngroups: { support: { name: Support }, sales: { name: Sales } }\n',
  );
  const { code, stdout } = await chatform(['apply', 'plans'], { cwd });
  expect(states(stdout)['acme']).toBe('outdated');
  expect(code).toBe(5);
});

test('plans that do nothing cost no request', async () => {
  const cwd = await agency('');
  await chatform(['apply', '-t', 'acme', '-t', 'bravo', '-y'], { cwd });
  await chatform(['plan', '--all', '--out', 'plans', '-q'], { cwd });
  const { stdout } = await chatform(['apply', 'plans'], { cwd });
  expect(stdout).toMatch(/\nacme +- +- +- +- +in sync\n/);
  expect(stdout).toContain('5 targets: 2 in sync, 3 applied;');
});

test('a gate also checks a license of its wave that is in sync, where another one changes', async () => {
  const cwd = await agency();
  const rows = NAMES.map((name) => `${name},${name === 'carol' || name === 'delta' ? 'canary' : 'main'}\n`);
  await writeFile(join(cwd, 'licenses.csv'), `name,ring\n${rows.join('')}`);
  await chatform(['apply', '-t', 'carol', '-y'], { cwd });
  await chatform(['plan', '--all', '--out', 'plans', '-q'], { cwd });
  const license = join(cwd, 'carol.json');
  const before = await readFile(license, 'utf8');
  const drift = () => writeFile(license, before.replaceAll('"Support"', '"Renamed"'));
  await drift();
  const stopped = await chatform(['apply', 'plans'], { cwd });
  expect(states(stopped.stdout)).toEqual({
    ...{ acme: 'not begun', bravo: 'not begun', carol: 'in sync', delta: 'applied', echo: 'not begun' },
  });
  expect(stopped.stderr).toContain('Gate no_drift of wave canary did not pass on carol: ');
  expect(stopped.code).toBe(1);

  await writeFile(license, before);
  const { terminal, said } = fakeTerminal('apply');
  const seat = { ...terminal, clock: systemClock, ask: async () => drift().then(() => 'apply') };
  expect(await atTerminal(['-C', cwd, 'apply', '--all'], seat)).toBe(0);
  process.chdir(HOME);
  expect(said()).toContain('Waves: canary 2, gate no_drift; rest 3');
  expect(said()).toContain('Wave canary: no license of wave canary changes; its gates are checked on wave rest.');
  expect(said()).toContain('Wave rest: gate no_drift passed on 3 targets.');
});

test('where no license of the canary can be planned, no other is applied', async () => {
  const cwd = await agency(`${WAVES}  max_failures: 5\n`);
  await spoil(cwd, 'carol');
  const { terminal, said } = fakeTerminal('apply');
  expect(await atTerminal(['-C', cwd, 'apply', '--all'], { ...terminal, clock: systemClock })).toBe(1);
  process.chdir(HOME);
  expect(said()).toMatch(/5 targets: 4 not begun, 1 failed/);
  expect(said()).not.toContain('applied (');
});

test('no earlier plan stays of a target that cannot be planned, and no report replaces the table', async () => {
  const cwd = await agency('');
  await chatform(['plan', '--all', '--out', 'plans', '-q'], { cwd });
  await spoil(cwd, 'bravo');
  await chatform(['plan', '--all', '--out', 'plans', '-q'], { cwd });
  expect(await readdir(join(cwd, 'plans'))).not.toContain('bravo.json');
  const table = await readFile(join(cwd, 'licenses.csv'), 'utf8');
  const { code, stderr } = await chatform(['plan', '--all', '-q', '--report', 'csv=licenses.csv'], { cwd });
  expect(stderr).toContain('--report csv=licenses.csv: it would be replaced');
  expect(code).toBe(1);
  expect(await readFile(join(cwd, 'licenses.csv'), 'utf8')).toBe(table);
});

test('a run with approved plans is not resumed without them', async () => {
  const cwd = await agency('');
  await chatform(['plan', '--all', '--out', 'plans', '-q'], { cwd });
  await spoil(cwd, 'acme');
  await chatform(['apply', 'plans', '-q'], { cwd });
  const run = await runIn(cwd);
  const [folderOfRun = ''] = await readdir(join(cwd, '.chatform', 'fleet'));
  await writeFile(join(cwd, '.chatform', 'fleet', folderOfRun, 'request.json'), '{"plans":null,"flags":{}}');
  await rm(join(cwd, 'acme.json'));
  const { code, stderr } = await chatform(['apply', '--resume', run, '--retry', 'failed'], { cwd });
  expect(stderr).toContain('has approved plans, and its request.json no longer names them');
  expect(code).toBe(1);
});

test.each([
  [['apply', '--all', '-y', '--approved', `digest=${'0'.repeat(64)}`], '--approved is about saved plans'],
  [['apply', '--resume', 'ffff'], 'there is no run over several targets here'],
  [['apply', '--all', '--retry', 'failed'], '--retry is about a run that stopped: name it with --resume'],
  [['apply', '--all', '--events', 'e.ndjson'], '--events: only for one target'],
  [['apply', 'nowhere'], 'nowhere'],
])('%s is refused', async (args, message) => {
  const { code, stderr } = await chatform(args, { cwd: await agency() });
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});

test('a run is resumed with its own flags', async () => {
  const cwd = await agency();
  await spoil(cwd, 'bravo');
  await chatform(['apply', '--all', '-y'], { cwd });
  const { code, stderr } = await chatform(['apply', '--resume', await runIn(cwd), '--only', 'group/*'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toContain('--resume goes on with the plans and the flags of its run');
});

test('a freeze holds the run before the next license, and a reason goes through it', async () => {
  const cwd = await agency('  freeze: [{ cron: "* * * * *", duration: 1h, zone: UTC, reason: holidays }]\n');
  const stop = new AbortController();
  const clock = { now: Date.now, sleep: async () => stop.abort() };
  const held = await chatform(['apply', '--all', '-y'], { cwd, stop, clock });
  expect(held.stderr).toMatch(/^Waiting until [-\d:TZ]+: holidays. Nothing is begun before.\n/);
  expect(held.code).toBe(130);
  expect(Object.values(states(held.stdout))).toEqual(NAMES.map(() => 'not begun'));
  const through = await chatform(['apply', '--all', '-y', '--through-freeze', 'a broken link'], { cwd });
  expect(through.code).toBe(0);
});

test('a freeze and --not-before hold an apply and a destroy of one target in the same way', async () => {
  const window = '{ cron: "* * * * *", duration: 1h, zone: UTC, reason: holidays }';
  const cwd = await agency(`  freeze: [${window}]\n`);
  for (const command of ['apply', 'destroy']) {
    const stop = new AbortController();
    const clock = { now: Date.now, sleep: async () => stop.abort() };
    const held = await chatform([command, '-t', 'acme', '-y', '--json'], { cwd, stop, clock });
    expect(held.stderr).toMatch(/^Waiting until [-\d:TZ]+: holidays. Nothing is begun before.\n/);
    expect([held.code, JSON.parse(held.stdout).message]).toEqual([130, 'interrupted before anything was changed']);
  }
  const through = ['apply', '-t', 'acme', '-y', '--through-freeze', 'a broken link'];
  expect((await chatform(through, { cwd })).code).toBe(0);
  const { runs } = JSON.parse((await chatform(['history', '-t', 'acme', '--json'], { cwd })).stdout);
  expect(runs[0].reason).toBe('a broken link');
  expect((await chatform([...through, '--reason', 'OPS-12'], { cwd })).code).toBe(0);
  const [last] = JSON.parse((await chatform(['history', '-t', 'acme', '--json'], { cwd })).stdout).runs;
  expect(last.reason).toBe('OPS-12 (through a freeze: a broken link)');
  let now = Date.parse('2026-12-01T04:59:00Z');
  const slept = {
    now: () => now,
    sleep: async (milliseconds: number): Promise<void> => {
      now += Math.max(1, milliseconds);
    },
  };
  const late = [...through, '--not-before', '2026-12-01T06:00:00+01:00'];
  const waited = await chatform(late, { cwd, clock: slept });
  expect(waited.stderr).toMatch(/^Waiting until 2026-12-01T05:00:00Z: --not-before. Nothing is begun before.\n/);
  expect([waited.code, now >= Date.parse('2026-12-01T05:00:00Z')]).toEqual([0, true]);
  const stop = new AbortController();
  const many = await chatform(['apply', '--all', '-y', '--through-freeze', 'x', '--not-before', '2026-12-02'], {
    cwd,
    stop,
    clock: { now: () => now, sleep: async () => stop.abort() },
  });
  expect([many.code, many.stderr]).toEqual([
    130,
    expect.stringMatching(/^Waiting until 2026-12-02T00:00:00Z: --not-before. /),
  ]);
  // A time without an offset could be meant in any zone.
  for (const time of ['monday', '2026-12-02T06:00']) {
    const wrong = await chatform(['apply', '-t', 'acme', '-y', '--not-before', time], { cwd });
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      expect.stringContaining(`--not-before ${time}: write a time with its offset`),
    ]);
  }
  const workers = await chatform(['apply', '--all', '-y', '--workers', '--not-before', '2026-12-02'], { cwd });
  expect([workers.code, workers.stderr]).toEqual([1, expect.stringContaining('workers begin as `fleet: freeze` says')]);
});

test('a person reads all plans, types one word, and exactly they are applied', async () => {
  const cwd = await agency();
  const { terminal, asked, said } = fakeTerminal('apply');
  const code = await atTerminal(['-C', cwd, 'apply', '--all'], { ...terminal, clock: systemClock });
  process.chdir(HOME);
  expect(said()).toContain('5 targets with the same result: acme, bravo, carol, delta, echo:\n');
  expect(said()).toContain('Waves: canary 1, gate no_drift; rest 4, 1 at a time. Stops after the first failure.\n');
  expect(asked).toEqual(['\nType apply to change 5 targets: acme, bravo, carol, delta, echo: ']);
  expect(said()).toMatch(/\n5 targets: 5 applied; \d+ requests\n$/);
  expect(code).toBe(0);
  const run = join(cwd, '.chatform', 'fleet', (await readdir(join(cwd, '.chatform', 'fleet')))[0] ?? '');
  expect(await readFile(join(run, 'log.ndjson'), 'utf8')).toMatch(/"digest":"[0-9a-f]{64}"/);
  expect(await readdir(run)).not.toContain('plans');
});

test.each([
  [['apply', '--all', '-l', 'ring=none']],
  [['apply', 'plans', '-l', 'ring=none']],
  [['apply', '--all', '--changed-since', 'HEAD']],
])('%s is refused, and leaves no run behind', async (args) => {
  const cwd = await agency();
  await chatform(['plan', '--all', '--out', 'plans', '-q'], { cwd });
  expect(await chatform(args, { cwd })).toMatchObject({ code: 1, stdout: '' });
  expect(await readdir(join(cwd, '.chatform', 'fleet')).catch(() => [])).toEqual([]);
});

test('without a person and without --yes nothing is applied', async () => {
  const cwd = await agency();
  const { code, stderr } = await chatform(['apply', '--all'], { cwd });
  expect(stderr).toContain('no person can confirm it here; use --yes to apply without asking');
  expect(code).toBe(1);
  expect(await readdir(join(cwd, '.chatform', 'fleet'))).toEqual([]);
});
