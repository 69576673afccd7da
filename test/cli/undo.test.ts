// `chatform undo`: what it says, asks and returns.

import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Terminal } from '../../src/command/terminal.ts';
import { folder } from './chatform.ts';
import { atTerminal, fakeTerminal, refusal } from './terminal.ts';

const manifest = (name: string, more = ''): string => `version: 1\ngroups: { sales: { name: ${name} }${more} }\n`;

const undo = (terminal: Terminal, ...args: readonly string[]) => atTerminal(['undo', ...args], terminal);

const home = process.cwd();

beforeEach(async () => {
  const target = '  here: { base_url: "emulator:license.json", ledger: ledger.ndjson, max_delete_percent: 100 }\n';
  process.chdir(
    await folder({
      'manifest.yaml': manifest('Sales'),
      'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets:\n${target}`,
    }),
  );
  await applied(manifest('Sales'));
  await applied(manifest('Shop', ', vip: { name: VIP }'));
});

afterEach(() => process.chdir(home));

interface Line {
  readonly type: string;
  readonly id?: string;
  readonly run?: string;
}

const lines = async (): Promise<Line[]> =>
  (await readFile('ledger.ndjson', 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

async function applied(text: string): Promise<void> {
  await writeFile('manifest.yaml', text);
  expect(await atTerminal(['apply', '--yes', '--quiet'], fakeTerminal(null).terminal)).toBe(0);
}

test('--plan shows how far each change can be taken back, and changes nothing', async () => {
  const [ledger, license] = [await readFile('ledger.ndjson', 'utf8'), await readFile('license.json', 'utf8')];
  const { terminal, said } = fakeTerminal(null);
  expect(await undo(terminal, '--plan')).toBe(0);
  expect(said()).toMatch(/reversible +group\/sales\n +reversible +group\/vip\n/);
  expect(said()).toContain('Plan: 0 to add, 1 to change, 1 to destroy on here.');
  expect([await readFile('ledger.ndjson', 'utf8'), await readFile('license.json', 'utf8')]).toEqual([ledger, license]);
});

test('It asks for its own word, and nobody there is no yes', async () => {
  const { terminal, said } = fakeTerminal(null);
  expect(await undo(terminal)).toBe(1);
  expect(said()).toContain('use --yes to undo without asking');
});

test('It leads back, is a run of its own, and says that the manifest is as it was', async () => {
  const { terminal, said } = fakeTerminal(null);
  expect(await undo(terminal, '--yes')).toBe(0);
  expect(said()).toMatch(
    /^Undo changes no files\. The next apply makes the license as they declare it.*\n\nUndo complete\. /m,
  );
  expect((await lines()).at(-1)).toMatchObject({ type: 'run', command: 'undo', outcome: 'done' });
  const again = fakeTerminal(null);
  expect(await atTerminal(['apply', '--yes', '--json'], again.terminal)).toBe(0);
  expect(again.said()).toContain('"create group/vip"');
});

test('The document has a outcome for each address', async () => {
  const { terminal, said } = fakeTerminal(null);
  expect(await undo(terminal, '--yes', '--json', '--quiet')).toBe(0);
  const { undo: told, outcome } = JSON.parse(said());
  expect(outcome).toBe('done');
  expect(told.resources).toEqual([
    { address: 'group/sales', outcome: 'reversible', reasons: [] },
    { address: 'group/vip', outcome: 'reversible', reasons: [] },
  ]);
});

test('What was changed since is left out: some of it makes the undo one in part, all of it no undo', async () => {
  await writeFile('other.yaml', 'version: 1\ngroups: { x: { id: 1, name: Mine } }\n');
  const other = ['-f', 'other.yaml', '--base-url', 'emulator:license.json'];
  expect(await atTerminal(['apply', ...other, '--yes', '--quiet'], fakeTerminal(null).terminal)).toBe(0);
  const run = (await lines()).findLast(({ type }) => type === 'before')?.run ?? '';
  const { terminal, said } = fakeTerminal(null);
  expect(await undo(terminal, run, '--yes')).toBe(6);
  expect(said()).toMatch(/^Left out \(exit code 6\):\n {2}group\/sales: name was changed since$[\s\S]*^Undo complete/m);
  const again = fakeTerminal(null);
  expect(await undo(again.terminal, run, '--yes')).toBe(1);
  expect(again.said()).toMatch(
    /^Nothing of run [0-9a-f]{8} can be taken back: each of its changes is left out or as before\.\n$/m,
  );
});

test('Where nothing of the last run can be taken back, it names the run before', async () => {
  await applied(manifest('Shop', ', vip: { name: VIP }, gold: { name: Gold }'));
  const [, first = '', last = ''] = (await lines()).flatMap(({ type, run = '' }) => (type === 'begun' ? [run] : []));
  await writeFile('other.yaml', 'version: 1\ngroups: { x: { id: 3, name: Mine } }\n');
  const other = ['-f', 'other.yaml', '--base-url', 'emulator:license.json'];
  expect(await atTerminal(['apply', ...other, '--yes', '--quiet'], fakeTerminal(null).terminal)).toBe(0);
  const { terminal, said } = fakeTerminal(null);
  expect(await undo(terminal, '--yes')).toBe(1);
  expect(said()).toContain(
    `Nothing of run ${last.slice(0, 8)} can be taken back: each of its changes is left out. Next: \`chatform undo -t here ${first.slice(0, 8)}\` takes back an earlier run.\n`,
  );
  const named = fakeTerminal(null);
  expect(await undo(named.terminal, last, '--yes')).toBe(1);
  expect(named.said()).not.toContain('Next:');
});

test('It withholds what an apply would withhold', async () => {
  const target = '  here: { base_url: "emulator:license.json", ledger: ledger.ndjson }\n';
  await writeFile('chatform.yaml', `version: 1\nmanifest: [manifest.yaml]\ntargets:\n${target}`);
  const license = await readFile('license.json', 'utf8');
  const { terminal, said } = fakeTerminal(null);
  expect(await undo(terminal, '--yes')).toBe(3);
  expect(said()).toContain('max_delete_percent');
  expect(await readFile('license.json', 'utf8')).toBe(license);
});

test('After a crash it finds what was made although the answer was lost, and deletes it', async () => {
  const all = await lines();
  const killed = all.findLastIndex(({ type }) => type === 'intent');
  const kept = all.slice(0, killed + 1).map((line) => `${JSON.stringify(line)}\n`);
  await writeFile('ledger.ndjson', kept.join(''));
  const { terminal, said } = fakeTerminal(null);
  expect(await undo(terminal, '--yes')).toBe(0);
  expect(said()).toMatch(/Undo of run [0-9a-f]{8} \(apply, killed, /);
  expect(said()).toMatch(/reversible +group\/vip\n/);
  expect(said()).toContain('group/vip: destroyed');
  expect(await readFile('license.json', 'utf8')).not.toContain('VIP');
});

const SHOP = manifest('Shop', ', vip: { name: VIP }');

/** As if the last run had been killed after its last request. */
async function killedAtItsEnd(): Promise<void> {
  const all = await lines();
  const end = all.findLastIndex(({ type }) => type === 'run');
  await writeFile(
    'ledger.ndjson',
    all.flatMap((line, at) => (at === end ? [] : [`${JSON.stringify(line)}\n`])).join(''),
  );
}

test('A killed run and the run that finished it are taken back together, and the history shows both', async () => {
  await killedAtItsEnd();
  await applied(SHOP.replace('VIP', 'Gold'));
  const history = fakeTerminal(null);
  expect(await atTerminal(['ledger', 'log'], history.terminal)).toBe(0);
  expect(history.said()).toMatch(/was killed; run [0-9a-f]{8} ended it\n/);
  const { terminal, said } = fakeTerminal(null);
  expect(await undo(terminal, '--yes')).toBe(0);
  expect(said()).toMatch(/Undo of run [0-9a-f]{8} \(apply, done, .*\):\n {2}with run [0-9a-f]{8}, which it finished\n/);
  expect(said()).toMatch(/reversible +group\/sales\n +reversible +group\/vip\n/);
  const license = await readFile('license.json', 'utf8');
  expect([license.includes('"Sales"'), license.includes('Gold'), license.includes('VIP')]).toEqual([
    true,
    false,
    false,
  ]);
});

test('An undo that was killed is gone on with, and not taken back', async () => {
  expect(await undo(fakeTerminal(null).terminal, '--yes', '--only', 'group/vip')).toBe(0);
  await killedAtItsEnd();
  const { terminal, said } = fakeTerminal(null);
  expect(await undo(terminal, '--yes')).toBe(0);
  expect(said()).toMatch(/goes on with run [0-9a-f]{8}, which did not come to an end\n/);
  expect(said()).toMatch(/reversible +group\/sales\n +as before +group\/vip\n/);
  const license = await readFile('license.json', 'utf8');
  expect([license.includes('"Sales"'), license.includes('VIP')]).toEqual([true, false]);
});

test('An apply without changes ends a killed run, so the undo of a later run does not take it back', async () => {
  await killedAtItsEnd();
  await applied(SHOP);
  await applied(manifest('Shop', ', vip: { name: VIP }, gold: { name: Gold }'));
  const { terminal, said } = fakeTerminal(null);
  expect(await undo(terminal, '--yes')).toBe(0);
  expect(said()).not.toContain('which it finished');
  expect(said()).toMatch(/^Undo complete\. 0 added, 0 changed, 1 destroyed\./m);
  const license = await readFile('license.json', 'utf8');
  expect([license.includes('"Shop"'), license.includes('VIP'), license.includes('Gold')]).toEqual([true, true, false]);
});

test('An apply that leaves something out ends no killed run', async () => {
  await killedAtItsEnd();
  expect(await atTerminal(['apply', '--yes', '--quiet', '--only', 'group/vip'], fakeTerminal(null).terminal)).toBe(0);
  expect((await lines()).filter(({ type }) => type === 'run').at(-1)).not.toHaveProperty('ends');
});

test('An undo that was killed when it had done everything comes to its end, and the next undo takes another run', async () => {
  expect(await undo(fakeTerminal(null).terminal, '--yes')).toBe(0);
  await killedAtItsEnd();
  const idle = fakeTerminal(null);
  expect(await undo(idle.terminal, '--yes')).toBe(0);
  expect(idle.said()).toContain('Nothing to undo.');
  const { terminal, said } = fakeTerminal(null);
  expect(await undo(terminal, '--plan')).toBe(0);
  expect(said()).not.toContain('did not come to an end');
  expect(said()).toMatch(/Undo of run [0-9a-f]{8} \(undo, /);
});

test('What a later run made under the same name stays, and the list says so', async () => {
  const made = (await lines()).find(({ type }) => type === 'begun')?.run ?? '';
  const quiet = ['--yes', '--quiet', '--acknowledge', 'deletes'];
  expect(await atTerminal(['destroy', ...quiet], fakeTerminal(null).terminal)).toBe(0);
  await applied(manifest('Sales'));
  const listed = fakeTerminal(null);
  expect(await undo(listed.terminal, '--list')).toBe(0);
  expect(listed.said()).toMatch(
    new RegExp(`Cannot be undone:[^]*${made.slice(0, 8)} .* changed again since: group/sales`),
  );
  const { terminal, said } = fakeTerminal(null);
  expect(await undo(terminal, made, '--yes')).toBe(1);
  expect(said()).toMatch(/left out +group\/sales: run [0-9a-f]{8} bound another object to it since/);
  expect(await readFile('license.json', 'utf8')).toContain('"Sales"');
});

test('Policies are asked about the way back, whatever they said of the way there', async () => {
  const target = '  here: { base_url: "emulator:license.json", ledger: ledger.ndjson, max_delete_percent: 100 }\n';
  const policy = `policies: [{ name: nothing-goes, rule: 'plan.summary.destroy == 0' }]\n`;
  await writeFile('chatform.yaml', `version: 1\nmanifest: [manifest.yaml]\n${policy}targets:\n${target}`);
  const license = await readFile('license.json', 'utf8');
  const shown = fakeTerminal(null);
  expect(await undo(shown.terminal, '--plan')).toBe(0);
  expect(shown.said()).toContain('nothing-goes');
  const { terminal, said } = fakeTerminal(null);
  expect(await undo(terminal, '--yes')).toBe(3);
  expect(said()).toContain('nothing-goes');
  expect(await readFile('license.json', 'utf8')).toBe(license);
});

test('It reads no manifest, so a broken one is no reason not to undo', async () => {
  await writeFile('manifest.yaml', 'version: 1\ngroups: { sales: {} }\n');
  expect(await undo(fakeTerminal(null).terminal, '--yes')).toBe(0);
  expect(await refusal(['undo', '--var', 'a=b'], fakeTerminal(null))).toContain('--var');
});
