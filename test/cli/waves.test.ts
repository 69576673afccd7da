// Waves of an apply over several targets: a wave without a change, one that a person approves, and limits for all targets together.

import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemContext } from '../../src/target/context.ts';
import { chatform, folder } from './chatform.ts';
import { atTerminal, fakeTerminal } from './terminal.ts';

const FLEET = 'waves: [{ name: canary, select: ring=canary, gate: [no_drift] }, { name: rest }]';

const project = (fleet: string): string => `version: 1
manifest: [manifest.yaml]
defaults: { base_url: "emulator:\${target.name}.json", max_deletes: 50, max_delete_percent: 100 }
targets:
  acme: {}
  bravo: {}
  carol: { labels: { ring: canary }, overlays: [own.yaml] }
fleet: { ${fleet} }
`;

const manifest = (groups: string): string =>
  `version: 1\ngroups: { ${groups} }\nauto_access: [{ key: all, access: { groups: [a] }, conditions: { url: { values: [{ value: / }] } } }]\n`;

const home = process.cwd();
let cwd: string;

const run = (...args: readonly string[]) => chatform(args, { cwd });

async function change(groups: string, fleet = FLEET): Promise<void> {
  await writeFile('manifest.yaml', manifest(groups));
  await writeFile('chatform.yaml', project(fleet));
}

async function newest(): Promise<string> {
  return JSON.parse((await run('fleet', 'list', '--json')).stdout).runs[0].id;
}

beforeEach(async () => {
  const own = 'version: 1\ngroups: { a: { language_code: pl } }\n';
  cwd = await folder({
    'chatform.yaml': project(FLEET),
    'manifest.yaml': manifest('a: { name: A }, b: { name: B }, c: { name: C }'),
    'own.yaml': own,
  });
  process.chdir(cwd);
  expect(await run('apply', '--all', '--yes', '-q')).toMatchObject({ code: 0 });
});

afterEach(() => process.chdir(home));

test('A canary without a change is said, and its gate goes to the first wave that has one', async () => {
  // The canary has a language of its own.
  await change('a: { name: A, language_code: de }, b: { name: B }, c: { name: C }');
  const { code, stderr } = await run('apply', '--all', '--yes');
  expect(code).toBe(0);
  const idle = 'Wave canary: no license of wave canary changes; its gates are checked on wave rest.';
  expect(stderr).toContain(`${idle}\n`);
  expect(stderr).toContain('Wave rest: gate no_drift passed on 2 targets.\n');
  expect((await run('fleet', 'status')).stdout).toContain(idle);
  // Of a run that goes on, it was said.
  await change('a: { name: A, language_code: fr }, b: { name: B }, c: { name: C }');
  const license = await readFile('acme.json', 'utf8');
  await writeFile('acme.json', 'broken');
  expect((await run('apply', '--all', '--yes')).stderr).toContain(idle);
  await writeFile('acme.json', license);
  const resumed = await run('apply', '--resume', await newest(), '--retry', 'failed');
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.not.stringContaining('no license of wave')]);
});

test('A wave that a person approves begins with the answer; without a person, the run stops and says how to go on', async () => {
  const fleet = FLEET.replace('{ name: rest }', '{ name: rest, approve: true }');
  const at = async (answer: string | null, ...args: readonly string[]) => {
    const { terminal, said } = fakeTerminal(answer);
    const { clock, every } = systemContext();
    return { code: await atTerminal(args, { ...terminal, clock, every }), said: said() };
  };
  await change('a: { name: New }, b: { name: B }, c: { name: C }', fleet);
  const stopped = await at(null, 'apply', '--all', '--yes');
  const id = (await newest()).slice(0, 8);
  expect(stopped.code).toBe(1);
  expect(stopped.said).toContain(
    `Stopped: wave rest begins once a person approves it. 2 targets not begun. Go on: \`chatform apply --resume ${id} --approve-wave rest\`.`,
  );
  expect(await at(null, 'apply', '--resume', id, '--approve-wave', 'rset')).toMatchObject({
    said: expect.stringContaining('--approve-wave rset: the run has no such wave; it has canary, rest'),
  });
  expect(await at('no', 'apply', '--resume', id)).toMatchObject({ code: 1 });
  const said = expect.stringContaining('3 targets: 3 applied');
  expect(await at('rest', 'apply', '--resume', id)).toMatchObject({ code: 0, said });
  await change('a: { name: Newer }, b: { name: B }, c: { name: C }', fleet);
  expect(await run('apply', '--all', '--yes', '-q')).toMatchObject({ code: 1 });
  expect(await run('apply', '--resume', await newest(), '--approve-wave', 'rest', '-q')).toMatchObject({ code: 0 });
});

test('max_deletes of fleet counts the deletes of all targets: before anything is written, or license by license', async () => {
  const limit = 'max_deletes: 3, parallel: 1';
  await change('a: { name: A }', limit);
  const said =
    'this run has 6 deletes, and `fleet: max_deletes` allows 3: take fewer targets at once, or raise it in chatform.yaml';
  const planned = await run(
    'plan',
    '--all',
    '-q',
    '--out',
    'plans',
    '--acknowledge',
    'deletes',
    '--acknowledge',
    'group/b',
    '--acknowledge',
    'group/c',
  );
  expect(planned.code).toBe(0);
  expect(planned.stderr).toContain(`Warning: an apply of these plans is refused: ${said}`);
  const saved = await run('apply', 'plans', '-q');
  expect([saved.code, saved.stderr]).toEqual([1, `Error: nothing was changed: ${said}\n`]);
  const asked = fakeTerminal('apply');
  expect(
    await atTerminal(
      ['apply', '--all', '--acknowledge', 'deletes', '--acknowledge', 'group/b', '--acknowledge', 'group/c'],
      asked.terminal,
    ),
  ).toBe(1);
  expect(asked.said()).toContain(said);
  const one = await run(
    'apply',
    '--all',
    '--yes',
    '--acknowledge',
    'deletes',
    '--acknowledge',
    'group/b',
    '--acknowledge',
    'group/c',
  );
  expect(one.code).toBe(1);
  expect(one.stdout).toMatch(/3 targets: 1 applied, 2 not begun/);
  expect(one.stdout).toContain('Stopped: with bravo, this run would have 4 deletes, and `fleet: max_deletes` allows 3');
  await change('a: { name: A }', 'max_deletes: 6');
  expect(one.stdout).toContain('2 targets not begun. Go on: ');
  const resumed = await run('apply', '--resume', await newest(), '-q');
  expect(resumed).toMatchObject({ code: 0 });
});

test('max_rerouted of fleet counts the kinds of visitors that go elsewhere', async () => {
  const text = manifest('a: { name: A }, b: { name: B }, c: { name: C }');
  await writeFile('manifest.yaml', text.replace('groups: [a]', 'groups: [b]'));
  await writeFile('chatform.yaml', project('max_rerouted: 1'));
  const asked = fakeTerminal('apply');
  expect(await atTerminal(['apply', '--all'], asked.terminal)).toBe(1);
  expect(asked.said()).toMatch(
    /this run has \d+ kinds of visitors who go elsewhere, and `fleet: max_rerouted` allows 1/,
  );
});

test('The same failure of many targets is told once, with its count and names', async () => {
  await change('a: { name: New }, b: { name: B }, c: { name: C }', 'max_failures: 9');
  for (const name of ['acme', 'bravo', 'carol']) await writeFile(`${name}.json`, 'broken');
  const { code, stdout } = await run('apply', '--all', '--yes', '--report', 'html=page.html');
  expect(code).toBe(1);
  expect(stdout.match(/it is not JSON/g)).toHaveLength(1);
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/3 targets failed: .*it is not JSON.*: acme, bravo and 1 more/);
});
