// Files that a project names, where a flag or a setting writes: each stays as it is, by whatever name it is reached, also where chatform.yaml has a mistake.

import { execFileSync } from 'node:child_process';
import { link, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chatform, filesIn, folder, project, withoutLease } from './chatform.ts';

const BOTS = 'version: 1\nbots: { triage: { name: Triage } }\n';
const PEOPLE = 'address,name,team\r\nann@example.com,Ann,sales\r\n';

const FILES = {
  'manifest.yaml': `${BOTS}agents_from: { csv: "people/\${var.country}.csv", email: address, columns: { name: name } }\n`,
  'people/pl.csv': PEOPLE,
  'licenses.csv': 'name\nacme\nbravo\n',
  'pl.yaml': 'country: pl\n',
  'acme.secrets': '{}\n',
  'bravo.env': '# nothing yet\n',
  'acme.json': '',
  'chatform.yaml': `version: 1
manifest: [manifest.yaml]
targets_from: { csv: licenses.csv }
defaults:
  base_url: "emulator:\${target.name}.json"
  ledger: "\${target.name}.log"
  secrets: { file: "\${target.name}.secrets" }
  vars: { country: pl }
targets:
  odd: { secrets: { env_file: bravo.env } }
`,
};

/** Where a report would go, and what the error says. */
const TARGETS: readonly (readonly [string, RegExp])[] = [
  ['licenses.csv', /is the table of targets \(chatform\.yaml:3:/],
  ['acme.secrets', /is the file of secrets of target acme \(chatform\.yaml:7:/],
  ['bravo.env', /is the file of secrets of target odd \(chatform\.yaml:10:/],
  ['bravo.json', /is the license of the emulator of target bravo/],
  ['odd.log', /is the ledger of target odd/],
  ['manifest.yaml', /is the manifest \(chatform\.yaml:2:/],
  ['chatform.yaml', /is the file of the project/],
  ['people/pl.csv', /is a table that a manifest names/],
  ['pl.yaml', /has the name of a manifest|is what --var-file names/],
];

describe('A report replaces nothing that the project names', () => {
  test.each(
    TARGETS.flatMap(([file, why]) => [
      { file, why, text: FILES['chatform.yaml'] },
      { file, why, text: `${FILES['chatform.yaml']}mistake: 1\n` },
      { file, why, text: `${FILES['chatform.yaml']}    mistake: 1\n` },
    ]),
  )('$file: $why', async ({ file, why, text }) => {
    const cwd = await folder({ ...FILES, 'chatform.yaml': text });
    await symlink('.', join(cwd, 'here'));
    const before = await filesIn(cwd);
    for (const [command, flag] of [
      ['plan', `--report=html=here/${file}`],
      ['plan', `--events=${file}`],
      ['drift', `--report=csv=./${file}`],
      ['validate', `--report=sarif=${join(cwd, file)}`],
    ] as const) {
      const { code, stderr } = await chatform([command, '-t', 'acme', flag], { cwd });
      // With a mistake, there are no events.
      if (flag.startsWith('--events') && text !== FILES['chatform.yaml']) continue;
      expect([code, stderr]).toEqual([1, expect.stringMatching(why)]);
    }
    expect(await filesIn(cwd)).toEqual(before);
  });

  test('nor where several targets are asked, by a snapshot, by a saved plan, or as sightings', async () => {
    const cwd = await folder(FILES);
    for (const args of [
      ['plan', '--all', '--report', 'csv=licenses.csv'],
      ['plan', '--all', '--report', 'html=bravo.secrets'],
      ['ci', 'snapshot', '-t', 'acme', '--out', 'bravo.secrets'],
      ['plan', '-t', 'acme', '--out', 'bravo.log'],
      ['drift', '-t', 'acme', '--sightings', 'bravo.env'],
      ['plan', '-t', 'acme', '--secrets-file', 'bravo.env'],
      ['plan', '-t', 'acme', '--base-url', 'emulator:bravo.json'],
      ['emulate', '--state', 'acme.log'],
    ]) {
      const { code, stdout, stderr } = await chatform(args, { cwd });
      expect([args, code, stdout + stderr]).toEqual([
        args,
        1,
        expect.stringMatching(/is (the .* of (target (bravo|acme|odd)|targets) \(|the table of targets)/),
      ]);
    }
    expect(await filesIn(cwd)).toEqual(FILES);
  });

  test('and no file that chatform did not write, also without a chatform.yaml that can be read', async () => {
    const cwd = await folder({
      ...FILES,
      'chatform.yaml': '{ [',
      'notes.md': '# Mine\n',
      'acme.secrets': '{"bot/a":{}}',
    });
    for (const file of ['notes.md', 'acme.secrets', 'licenses.csv', 'people/pl.csv'])
      for (const format of ['html', 'markdown', 'terraform']) {
        const { code, stderr } = await chatform(['plan', '--report', `${format}=${file}`], { cwd });
        expect([code, stderr]).toEqual([1, expect.stringContaining('chatform did not write it')]);
      }
    expect((await filesIn(cwd))['acme.secrets']).toBe('{"bot/a":{}}');
  });

  test('but its own', async () => {
    const cwd = await folder(project());
    const reports = ['html', 'markdown', 'sarif', 'junit', 'terraform', 'codequality'];
    const flags = reports.flatMap((format) => ['--report', `${format}=out.${format}`]);
    const drift = ['text', 'json', 'markdown', 'html', 'csv', 'junit', 'sarif', 'prometheus'];
    const driftFlags = drift.flatMap((format) => ['--report', `${format}=drift.${format}`]);
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await chatform(['plan', '-q', ...flags], { cwd })).toMatchObject({ code: 0, stderr: '' });
      expect(await chatform(['drift', ...driftFlags], { cwd })).toMatchObject({ code: 2, stderr: '' });
    }
  });
});

describe('A secret', () => {
  const withSecrets = (place: string, more: { readonly [name: string]: string } = {}) => ({
    ...project(`secrets: ${place}`),
    'manifest.yaml': BOTS,
    ...more,
  });

  test.each([
    ['a text', 'notes', 'Some notes\n', /line 1 is no KEY=value/],
    ['YAML', 'notes', '# x\na: 1\n', /line 2 is no KEY=value/],
    ['a table', 'people', PEOPLE, /line 1 is no KEY=value/],
  ])('is added to no file of another kind: %s', async (_, name, text, why) => {
    const cwd = await folder(withSecrets(`{ env_file: ${name} }`, { [name]: text }));
    const { code, stderr } = await chatform(['apply', '--yes'], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringMatching(why)]);
    expect((await filesIn(cwd))[name]).toBe(text);
  });

  test('is added to no file of variables in version control', async () => {
    const files = withSecrets('{ env_file: shop.env }', { 'shop.env': 'PORT=80\n' });
    const cwd = await folder(files);
    execFileSync('git', ['init', '-q'], { cwd });
    execFileSync('git', ['add', 'shop.env'], { cwd });
    const { code, stderr } = await chatform(['apply', '--yes'], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining('shop.env is in version control with other lines')]);
    const { stdout } = await chatform(['doctor'], { cwd });
    expect(stdout).toContain('is in version control with other lines');
    execFileSync('git', ['rm', '-q', '--cached', 'shop.env'], { cwd });
    expect((await chatform(['apply', '--yes'], { cwd })).code).toBe(0);
    expect((await filesIn(cwd))['shop.env']).toMatch(/^PORT=80\n# chatform .*\nBOT_TRIAGE_SECRET=/);
  });

  test('is added to no file with a second name', async () => {
    const cwd = await folder(withSecrets('{ file: s.json }', { 's.json': '' }));
    await link(join(cwd, 's.json'), join(cwd, 'other.json'));
    const { code, stderr } = await chatform(['apply', '--yes'], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining('s.json has 2 names (hard links)')]);
  });

  test('of two targets is not in one file, and none is lost', async () => {
    const cwd = await folder({
      'manifest.yaml': BOTS,
      'chatform.yaml': `version: 1
manifest: [manifest.yaml]
targets:
  one: { base_url: "emulator:one.json", secrets: { file: s.json } }
  two: { base_url: "emulator:two.json", secrets: { file: here/s.json } }
`,
    });
    await symlink('.', join(cwd, 'here'));
    const { code, stderr } = await chatform(['apply', '-t', 'two', '--yes'], { cwd });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        'chatform.yaml:5:58: error contradiction: target `two` has the file of secrets of target `one`',
      ),
    ]);
  });

  test('that is of another object is not shown as kept', async () => {
    const cwd = await folder(withSecrets('{ file: s.json }'));
    await chatform(['apply', '--yes'], { cwd });
    expect((await chatform(['secrets', 'list'], { cwd })).stdout).toContain('in the sink');
    const text = (await filesIn(cwd))['s.json'] ?? '';
    const other = await folder({
      ...withoutLease(await filesIn(cwd)),
      's.json': text.replace(/"id": "..../, '"id": "ffff'),
    });
    expect((await chatform(['secrets', 'list'], { cwd: other })).stdout).toContain('not in the sink');
    const { stdout } = await chatform(['secrets', 'list', '--json'], { cwd: other });
    expect(JSON.parse(stdout).secrets).toMatchObject([{ address: 'bot/triage', secret: 'missing' }]);
  });
});

test('One license under two targets is refused before anything is sent', async () => {
  const cwd = await folder({
    ...project(),
    'chatform.yaml': `version: 1
manifest: [manifest.yaml]
targets:
  one: { base_url: "emulator:l.json" }
  two: { base_url: "emulator:here/l.json" }
`,
  });
  await symlink('.', join(cwd, 'here'));
  for (const target of ['one', 'two']) {
    const { code, stderr } = await chatform(['apply', '-t', target, '--yes'], { cwd });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        'chatform.yaml:5:20: error contradiction: target `two` is the license of target `one`: its `base_url` is the same file',
      ),
    ]);
  }
  expect(Object.keys(await filesIn(cwd))).toEqual(['chatform.yaml', 'manifest.yaml']);
});

describe.each([
  ['a file', 'file'],
  ['a file of variables', 'env_file'],
])('the secret of another license in %s is never replaced', (_, sink) => {
  const SHARED = `version: 1
manifest: [bots.yaml]
targets: { it: { base_url: "emulator:license.json", secrets: { ${sink}: ../kept } } }
`;
  const BOTS = 'version: 1\nbots: { b: { name: B, owner_client_id: abc } }\n';

  test('by a bot that is created, by one whose secret is rotated; a bot of this license is created again', async () => {
    const all = await folder({
      'one/chatform.yaml': SHARED,
      'one/bots.yaml': BOTS,
      'two/chatform.yaml': SHARED,
      'two/bots.yaml': BOTS,
    });
    const [one, two] = [{ cwd: join(all, 'one') }, { cwd: join(all, 'two') }];
    expect(await chatform(['apply', '--yes'], one)).toMatchObject({ code: 0 });
    const secret = await readFile(join(all, 'kept'), 'utf8');
    const refused = { code: 1, stderr: expect.stringContaining('the secret of another bot/b, with the id ') };
    expect(await chatform(['apply', '--yes'], two)).toMatchObject(refused);
    expect(await chatform(['apply', '--yes', '--secrets-file', 'own.json'], two)).toMatchObject({ code: 0 });
    expect(await chatform(['secrets', 'rotate', 'bot/b', '--yes'], two)).toMatchObject(refused);
    expect(await readFile(join(all, 'kept'), 'utf8')).toBe(secret);
    expect(await chatform(['destroy', '--yes', '--acknowledge', 'deletes'], one)).toMatchObject({ code: 0 });
    expect(await chatform(['apply', '--yes'], one)).toMatchObject({ code: 0 });
    expect(await readFile(join(all, 'kept'), 'utf8')).not.toBe(secret);
  });
});
