// `chatform undo` and `chatform history` of a run over several targets.

import { readFile, rm, writeFile } from 'node:fs/promises';
import { beforeEach, expect, test } from 'vitest';
import { chatform, folder } from './chatform.ts';

const NAMES = ['acme', 'bravo', 'carol', 'delta', 'echo'];

const MANIFEST = `version: 1
agents: { ann@example.com: { name: Ann, job_title: Coach } }
groups: { sales: { name: Sales }, help: { name: Help } }
`;

const PROJECT = `version: 1
manifest: [manifest.yaml]
targets_from: { csv: licenses.csv }
defaults:
  base_url: "emulator:\${target.name}.json"
  ledger: "ledgers/\${target.name}.ndjson"
  labels: { ring: "\${row.ring}" }
fleet: { waves: [{ name: canary, select: ring=canary, gate: [no_drift] }] }
`;

let cwd: string;

const run = (...args: readonly string[]) => chatform(args, { cwd });

const table = (names: readonly string[]): string =>
  ['name,ring', ...names.map((name) => `${name},${name === 'carol' ? 'canary' : 'main'}`), ''].join('\n');

async function newest(): Promise<string> {
  const { stdout } = await run('fleet', 'list', '--json');
  return JSON.parse(stdout).runs[0].id;
}

const license = (name: string): Promise<string> => readFile(`${cwd}/${name}.json`, 'utf8');

async function edit(name: string, from: string, to: string): Promise<void> {
  await writeFile(`${cwd}/${name}.json`, (await license(name)).replace(from, to));
}

async function has(name: string, group: string): Promise<boolean> {
  return (await license(name)).includes(`"${group}"`);
}

const state = (stdout: string, name: string): string =>
  stdout.split('\n').findLast((line) => line.startsWith(`${name} `)) ?? '';

beforeEach(async () => {
  cwd = await folder({ 'chatform.yaml': PROJECT, 'manifest.yaml': MANIFEST, 'licenses.csv': table(NAMES) });
  expect(await run('apply', '--all', '--yes', '-q')).toMatchObject({ code: 0 });
  await writeFile(
    `${cwd}/manifest.yaml`,
    MANIFEST.replace('name: Sales', 'name: Shop').replace('name: Help', 'name: Desk'),
  );
  expect(await run('apply', '--all', '--yes', '-q')).toMatchObject({ code: 0 });
});

test('A run over several targets is one line of history, and each change of it is told once', async () => {
  const id = await newest();
  const short = id.slice(0, 8);
  const all = await run('history', '--all');
  expect(all.stdout.match(/^[0-9a-f]{8} .*/gm)).toEqual([
    expect.stringMatching(`^${short} .* apply .* 5 targets +yes +10 changed$`),
    expect.stringMatching(/5 targets +in part +15 added$/),
  ]);
  const one = await run('history', short);
  expect(one.stdout).toContain('5 targets with the same result: acme, bravo, carol, delta, echo:');
  expect(one.stdout.match(/name Sales -> Shop/g)).toHaveLength(1);
  expect(one.stdout).toContain(`chatform undo ${short}`);
  const { alike } = JSON.parse((await run('history', short, '--json')).stdout);
  expect(alike[0].document.runs[0].fleet_run).toBe(id);
});

test('It is taken back in waves, and what stays is named by license', async () => {
  const id = await newest();
  await edit('bravo', '"Shop"', '"By hand"');
  await rm(`${cwd}/delta.json`);
  await writeFile(`${cwd}/licenses.csv`, table(NAMES.filter((name) => name !== 'echo')));
  const lock = await run('ledger', 'lock', '-t', 'acme', '--reason', 'maintenance');
  expect(lock.code).toBe(0);
  const { code, stdout, stderr } = await run('undo', id.slice(0, 6), '--yes');
  expect(code).toBe(1);
  expect(stderr).toContain('chatform.yaml no longer has echo: it stays as it is.');
  expect(stderr).toContain('Wave canary: gate no_drift on carol: not compared, because the files still declare');
  expect(state(stdout, 'acme')).toMatch(/locked: .*maintenance/);
  expect(state(stdout, 'bravo')).toMatch(/in part: left out: group\/sales$/);
  expect(state(stdout, 'carol')).toMatch(/applied$/);
  expect(state(stdout, 'delta')).toMatch(/outdated: left out: group\/help, group\/sales$/);
  expect([await has('bravo', 'By hand'), await has('bravo', 'Help')]).toEqual([true, true]);
  expect([await has('carol', 'Sales'), await has('carol', 'Help')]).toEqual([true, true]);
  expect([await has('acme', 'Shop'), await has('echo', 'Shop')]).toEqual([true, true]);
  const history = await run('history', '--all');
  expect(history.stdout).toMatch(new RegExp(`undo of ${id.slice(0, 8)} .* 2 targets`));
});

test('--plan shows it and changes nothing; without a run, it is the last over several targets, also an undo', async () => {
  const before = await license('acme');
  const plan = await run('undo', '--all', '--plan');
  expect(plan).toMatchObject({ code: 0 });
  expect(plan.stdout).toContain('5 targets with the same result: acme, bravo, carol, delta, echo:');
  expect(await license('acme')).toBe(before);
  // The change of one license alone is none of it.
  await run('apply', '-t', 'acme', '--yes', '-q', '--only', 'group/help');
  expect(await run('undo', '-l', 'ring=canary', '--yes', '-q')).toMatchObject({ code: 0 });
  expect([await has('carol', 'Sales'), await has('acme', 'Shop')]).toEqual([true, true]);
  expect(await run('undo', '-l', 'ring=canary', '--yes', '-q')).toMatchObject({ code: 0 });
  expect(await has('carol', 'Shop')).toBe(true);
});

test('What an undo made again is as before for the next undo, and a run that no ledger knows is said to be none', async () => {
  await writeFile(`${cwd}/manifest.yaml`, MANIFEST.replace('help: { name: Help }', '').replace('Sales', 'Shop'));
  const acknowledged = ['--acknowledge', 'deletes', '--acknowledge', 'group/help'];
  expect(await run('apply', '--all', '--yes', '-q', ...acknowledged)).toMatchObject({ code: 0 });
  const id = await newest();
  expect(await run('undo', id, '--yes', '-q')).toMatchObject({ code: 0 });
  const again = await run('undo', id, '--yes');
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('5 targets: 5 in sync')]);
  for (const command of ['undo', 'history'])
    expect(await run(command, 'abcdef12')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'no ledger of these targets knows a run over several targets that begins with abcdef12',
      ),
    });
});

test('A run that nobody agrees to changes nothing, and one that stopped goes on', async () => {
  const id = await newest();
  const declined = await run('undo', id);
  expect([declined.code, declined.stderr]).toEqual([1, expect.stringContaining('use --yes to undo without asking')]);
  expect(await has('acme', 'Shop')).toBe(true);
  await run('ledger', 'lock', '-t', 'carol', '--reason', 'maintenance');
  const stopped = await run('undo', id, '--yes', '--lock-timeout', '0s');
  expect(stopped.stdout).toMatch(/Stopped: 1 target failed/);
  expect([await has('acme', 'Shop'), await has('carol', 'Shop')]).toEqual([true, true]);
  await run('ledger', 'unlock', '-t', 'carol', '--yes');
  expect(await run('apply', '--resume', await newest(), '--retry', 'failed')).toMatchObject({ code: 0 });
  expect([await has('acme', 'Sales'), await has('carol', 'Sales')]).toEqual([true, true]);
});

test('A gate stops an undo where something else differs', async () => {
  await edit('carol', '"Coach"', '"By hand"');
  const { code, stderr } = await run('undo', await newest(), '--yes');
  expect(code).toBe(1);
  expect(stderr).toMatch(/Gate no_drift of wave canary did not pass on carol: .*agent\/ann@example.com/);
  expect(await has('acme', 'Shop')).toBe(true);
});

test('One target of a run over several is taken back alone', async () => {
  const id = await newest();
  expect(await run('undo', id, '-t', 'acme', '--yes', '-q')).toMatchObject({ code: 0 });
  expect([await has('acme', 'Sales'), await has('bravo', 'Shop')]).toEqual([true, true]);
  const unknown = await run('undo', '--all', 'ffffffff');
  expect(unknown.stderr).toContain('no ledger of these targets knows a run over several targets');
});
