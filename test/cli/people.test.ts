// People from a table on the command line: a row that goes, comes back and is asked to be in a manifest as well.

import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folder, project } from './chatform.ts';
import { atTerminal, fakeTerminal } from './terminal.ts';

const home = process.cwd();

const MANIFEST = `version: 1
agents_from:
  csv: people.csv
  columns: { name: Name, job_title: Title, groups: Team }
  leavers: suspend
groups:
  sales: { name: Sales }
`;
const HEAD = 'email,Name,Title,Team\n';
const ANN = 'ann@example.com,Ann,Lead,sales\n';
const BOB = 'bob@example.com,Bob,,sales\n';
const OTHERS = ['cid', 'dan', 'eve', 'fay'].map((name) => `${name}@example.com,${name},,\n`).join('');

async function run(...args: readonly string[]) {
  const { terminal, said } = fakeTerminal(null);
  const quiet = ['show', 'coverage', 'drift', 'import'].includes(args[0] ?? '') ? [] : ['--quiet'];
  return { code: await atTerminal([...args, ...quiet], terminal), said: said() };
}

async function byHand(action: string, data: object): Promise<void> {
  expect((await run('api', action, '--data', JSON.stringify(data), '--write', '--yes')).code).toBe(0);
}

beforeEach(async () => {
  process.chdir(await folder({ ...project(), 'manifest.yaml': MANIFEST, 'people.csv': HEAD + ANN + BOB + OTHERS }));
  expect((await run('apply', '--yes')).code).toBe(0);
});
afterEach(() => process.chdir(home));

test('a person whose row goes is suspended once, stays owned, and is active again when the row comes back', async () => {
  await writeFile('people.csv', HEAD + ANN + OTHERS);
  const { said } = await run('apply', '--yes');
  expect(said).toContain('0 added, 1 changed, 0 destroyed');
  expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
  expect((await run('apply', '--yes')).code).toBe(0);
  expect((await run('show', 'agent/bob@example.com')).said).toMatch(/owned +created[\s\S]*suspended +true/);
  await writeFile('people.csv', HEAD + ANN + BOB + OTHERS);
  expect((await run('apply', '--yes')).said).toContain('0 added, 1 changed, 0 destroyed');
  expect((await run('show', 'agent/bob@example.com')).said).toMatch(/suspended +false/);
});

test('a row that gets other capitals stays the same person: each output says so, and only the ledger changes', async () => {
  const license = await readFile('license.json', 'utf8');
  await writeFile('people.csv', HEAD + ANN.replace('ann@example', 'Ann@Example') + BOB + OTHERS);
  for (const flags of [[], ['--details'], ['--report', 'html=plan.html', '--report', 'markdown=plan.md']]) {
    const { terminal, said } = fakeTerminal(null);
    expect(await atTerminal(['plan', ...flags], terminal)).toBe(0);
    expect(said().replaceAll(/\s+/g, ' ')).toContain('differs only in case');
  }
  for (const file of ['plan.html', 'plan.md']) expect(await readFile(file, 'utf8')).toContain('differs only in case');
  expect((await run('import')).said).not.toContain('nn@');
  expect((await run('apply', '--yes')).code).toBe(0);
  expect(JSON.parse(await readFile('license.json', 'utf8')).tables).toEqual(JSON.parse(license).tables);
  expect((await run('show', 'agent/ANN@example.com')).said).toContain('agent/Ann@Example.com');
  expect((await run('plan', '--only', 'agent/ann@EXAMPLE.com')).code).toBe(0);
});

test('a truncated table changes nothing, and the guards name it', async () => {
  await writeFile('people.csv', HEAD + ANN + BOB);
  const { code, said } = await run('apply', '--yes');
  expect(code).toBe(3);
  expect(said).toContain('add the missing rows to people.csv');
  expect((await run('show', 'agent/fay@example.com')).said).toMatch(/suspended +false/);
});

test('what changed on the license cannot be accepted for a person of the table, nor for one whom it lost', async () => {
  await writeFile('people.csv', HEAD + ANN + OTHERS);
  expect((await run('apply', '--yes')).code).toBe(0);
  await byHand('update_agent', { id: 'ann@example.com', job_title: 'Boss' });
  await byHand('unsuspend_agent', { id: 'bob@example.com' });
  await byHand('delete_agent', { id: 'cid@example.com' });
  const { said } = await run('drift', '--accept', 'agent/ann@example.com', '--accept', 'agent/*');
  expect(said).toContain('agent/ann@example.com job_title\n    to keep it, change the row at people.csv:2');
  expect(said).toContain('agent/bob@example.com suspended\n    to keep it, add a row to people.csv');
  expect(said).toMatch(/agent\/cid@example.com\n.*to keep it, change the row at people.csv:3/);
  expect(await readFile('manifest.yaml', 'utf8')).toBe(MANIFEST);
  const { items } = JSON.parse((await run('drift', '--json', '--no-sightings')).said);
  const about = items.filter((item: { address: string }) => item.address.startsWith('agent/'));
  expect(about.flatMap((item: { ways_out: readonly string[] }) => item.ways_out)).not.toContain('accept');
});

test('coverage after an apply is that without the person whose row is missing', async () => {
  await byHand('approve_agent', { id: 'bob@example.com' });
  const { said } = await run('coverage', '--on', 'both');
  expect(said).not.toContain('Changes:');
  await writeFile('people.csv', HEAD + ANN + OTHERS);
  expect((await run('coverage', '--on', 'both')).said).toContain('group/sales loses all cover the whole week');
});

test('an import adds no entry for a person whom the table lost', async () => {
  await writeFile('people.csv', HEAD + ANN + OTHERS);
  const { said } = await run('import');
  expect(said).toContain('no row of people.csv has it any more');
  const manifest = await readFile('manifest.yaml', 'utf8');
  expect(manifest).toContain('owner@example.com');
  expect(manifest).not.toContain('bob@example.com');
});

test('undo takes back a suspension, and the table still decides', async () => {
  await writeFile('people.csv', HEAD + ANN + OTHERS);
  expect((await run('apply', '--yes')).code).toBe(0);
  expect((await run('undo', '--yes')).code).toBe(0);
  expect((await run('show', 'agent/bob@example.com')).said).toMatch(/suspended +false/);
  expect((await run('plan', '--detailed-exitcode')).code).toBe(2);
});

test('--only renames nobody else in the ledger, and forgets nothing else', async () => {
  await run('apply', '--yes');
  const before = await readFile('ledger.ndjson', 'utf8');
  await writeFile(
    'people.csv',
    `email,Name,Title,Team\nANN@example.com,Ann,Boss,sales\nBOB@example.com,Bob,,sales\n${OTHERS}`,
  );
  expect((await run('apply', '--yes', '--only', 'agent/ann@example.com')).code).toBe(0);
  const added = (await readFile('ledger.ndjson', 'utf8')).slice(before.length);
  expect(added).toContain('"to":"agent/ANN@example.com"');
  expect(added).not.toMatch(/"type":"(moved|forgotten)"[^\n]*(?:BOB|bob)/);
  expect((await run('apply', '--yes')).code).toBe(0);
  expect((await readFile('ledger.ndjson', 'utf8')).slice(before.length + added.length)).toContain(
    '"to":"agent/BOB@example.com"',
  );
  expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
});
