// `chatform destroy`: what it removes, asks and leaves; alone, as a saved plan, and taken back.

import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folder } from './chatform.ts';
import { atTerminal, fakeTerminal, refusal } from './terminal.ts';

const SEED = { groups: [{ name: 'Sales' }] };
const MANIFEST = `version: 1
agents: { bob@example.com: { name: Bob } }
groups:
  sales: { name: Sales }
  support: { name: Support, agent_priorities: { bob@example.com: first } }
auto_access:
  - { key: pricing, access: { groups: [support] }, conditions: { url: { values: [{ value: /pricing }] } } }
`;
const ALL = ['--acknowledge', 'deletes'];

const home = process.cwd();

beforeEach(async () => {
  process.chdir(
    await folder({
      'license.json': JSON.stringify(SEED),
      'manifest.yaml': MANIFEST,
      'chatform.yaml':
        'version: 1\nmanifest: [manifest.yaml]\ntargets: { production: { base_url: "emulator:license.json", ledger: ledger.ndjson } }\n',
    }),
  );
  expect(await atTerminal(['apply', '--yes', '--quiet'], fakeTerminal(null).terminal)).toBe(0);
});

afterEach(() => process.chdir(home));

/** Exit code, then what was printed. */
async function run(...args: readonly string[]): Promise<readonly [number, string]> {
  const { terminal, said } = fakeTerminal(null);
  const code = await atTerminal(args, terminal);
  return [code, said()];
}

async function planned(...flags: readonly string[]): Promise<unknown> {
  const [, document] = await run('plan', '--json', ...flags);
  return JSON.parse(document).summary;
}

test('It asks for its own word, and says how many objects go and of what', async () => {
  const { terminal, asked, said } = fakeTerminal('apply');
  expect(await atTerminal(['destroy', ...ALL], terminal)).toBe(1);
  expect(asked).toEqual([expect.stringMatching(/\nType destroy to remove 3 objects of production: $/)]);
  expect(said()).toContain('Kept:\n  group/sales: it existed before chatform managed it; `--adopted` destroys it also');
  expect(said()).toMatch(/Nothing was changed: the answer was not destroy\.\n$/);
  const yes = fakeTerminal('destroy');
  expect(await atTerminal(['destroy', ...ALL], yes.terminal)).toBe(0);
  expect(yes.said()).toMatch(/^Destroy complete\. 0 added, 0 changed, 3 destroyed\. /m);
});

test('The limits of deletes hold', async () => {
  const before = await readFile('license.json', 'utf8');
  const [code, said] = await run('destroy', '--yes');
  expect([code, await readFile('license.json', 'utf8')]).toEqual([3, before]);
  expect(said).toMatch(/max_delete_percent: 3 of the 4 .*\n.*--acknowledge deletes/);
});

test('Afterwards a plan creates what is gone, another destroy has nothing to do, and an undo brings it back', async () => {
  expect((await run('destroy', '--yes', ...ALL))[0]).toBe(0);
  expect(await planned()).toEqual({ add: 3, change: 0, destroy: 0, adopt: 0 });
  const [code, said] = await run('destroy', '--yes');
  expect([code, said]).toEqual([
    0,
    expect.stringContaining('Nothing on the license of production is left to destroy.'),
  ]);
  expect((await run('ledger', 'log'))[1]).toMatch(/destroy ended: done\n$/);
  expect((await run('undo', '--yes'))[0]).toBe(0);
  expect(await planned('--detailed-exitcode')).toEqual({ add: 0, change: 0, destroy: 0, adopt: 0 });
});

test('It needs no readable manifest, and a selection narrows it', async () => {
  await writeFile('manifest.yaml', 'version: [');
  const [code, said] = await run('destroy', '--yes', '--only', 'auto_access', ...ALL);
  expect([code, said]).toEqual([0, expect.stringMatching(/group\/support: it is left out by/)]);
  await writeFile('manifest.yaml', MANIFEST);
  expect(await planned()).toEqual({ add: 1, change: 0, destroy: 0, adopt: 0 });
});

test('A saved plan of it is applied without a question, by either command, and does no more', async () => {
  const made = ['destroy', '--plan', '--out', 'gone.json', ...ALL];
  expect((await run(...made))[1]).toContain('Plan: 0 to add, 0 to change, 3 to destroy on production.');
  expect((await run('show', 'gone.json'))[1]).toContain('Kept:\n  group/sales: ');
  await writeFile('manifest.yaml', MANIFEST.replace('Support', 'Help'));
  expect((await run('apply', '--yes', '-q'))[0]).toBe(0);
  await writeFile('more.yaml', 'version: 1\ngroups: { late: { name: Late } }\n');
  const [code, said] = await run('destroy', 'gone.json', '--acknowledge', 'group/support');
  expect([code, said]).toEqual([
    5,
    expect.stringContaining('~ group/support name: approved "Support" -> destroyed, live is now "Help"'),
  ]);
  await writeFile('manifest.yaml', MANIFEST);
  expect((await run('apply', '--yes', '-q'))[0]).toBe(0);
  expect((await run('destroy', 'gone.json', '--acknowledge', 'group/support'))[0]).toBe(0);
  expect(await planned()).toEqual({ add: 3, change: 0, destroy: 0, adopt: 0 });
});

test('What was made since is not destroyed by a plan that did not say so', async () => {
  expect((await run('destroy', '--plan', '--out', 'gone.json', ...ALL))[0]).toBe(0);
  await writeFile('manifest.yaml', MANIFEST.replace('groups:\n', 'groups:\n  late: { name: Late }\n'));
  expect((await run('apply', '--yes', '-q'))[0]).toBe(0);
  const [code, said] = await run('apply', 'gone.json');
  expect([code, said]).toEqual([5, expect.stringMatching(/Not approved:\n {2}- group\/late: is destroyed/)]);
});

test('What `protect:` covers holds its group, although no file has it', async () => {
  const greeting = { type: 'normal', active: true, name: 'Hello', group: 2, rules: [] };
  const made = await run('api', 'create_greeting', '--write', '--yes', '-d', JSON.stringify(greeting));
  expect(made[0]).toBe(0);
  const project = await readFile('chatform.yaml', 'utf8');
  await writeFile('chatform.yaml', project.replace('{ base_url', '{ protect: ["greeting/Hel*"], base_url'));
  const before = await readFile('license.json', 'utf8');
  const [code, said] = await run('destroy', '--yes', ...ALL, '--acknowledge', 'group/support');
  expect([code, said]).toEqual([
    3,
    expect.stringMatching(/`protect:` covers greeting\/\S+ \(Hello\), which would be gone with/),
  ]);
  expect(await readFile('license.json', 'utf8')).toBe(before);
});

test('Flags that contradict the plan are refused', async () => {
  expect((await run('plan', '--out', 'plan.json'))[0]).toBe(0);
  expect(await refusal(['destroy', 'plan.json'], fakeTerminal(null))).toMatch(
    /^Error: plan\.json is no plan of a destroy/,
  );
  expect((await run('destroy', '--plan', '--out', 'gone.json'))[0]).toBe(0);
  expect(await refusal(['destroy', 'gone.json', '--adopted'], fakeTerminal(null))).toMatch(/keeps what is adopted/);
  expect(await refusal(['plan', '--adopted'], fakeTerminal(null))).toMatch(/--adopted is destroy --plan --adopted now/);
});

test('The document says that it is a destroy, and which objects stay', async () => {
  const document = JSON.parse((await run('destroy', '--yes', '-q', '--json', '--adopted', ...ALL))[1]);
  expect(document).toMatchObject({ errored: false, outcome: 'done', plan: { destroys: { adopted: true } } });
  expect(document.plan.summary).toEqual({ add: 0, change: 0, destroy: 4, adopt: 0 });
  expect(document.plan.unmanaged.filter(({ released }: { released: unknown }) => released !== null)).toEqual([]);
});
