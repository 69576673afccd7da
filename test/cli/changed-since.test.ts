// `--changed-since REF`: the targets that a change in a repository of git can touch, and no others.

import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { targetsSchema } from '../../src/many/schema.ts';
import { chatform, folder, type Ran } from './chatform.ts';
import { change, commit, git, repository } from './repository.ts';

const MANIFEST =
  'version: 1\ngroups: { support: { name: "Support of ${var.shop}" } }\nvariables: { shop: { type: string } }\n';

const PROJECT = `version: 1
manifest: [base]
targets_from: { csv: licenses.csv }
defaults:
  base_url: "emulator:.chatform/\${target.name}.json"
  ledger: "ledgers/\${target.name}.ndjson"
  labels: { region: "\${row.region}" }
  vars: { shop: "\${row.shop}" }
  overlays: ["tenants/\${target.name}"]
`;

const ROWS = 'name,shop,region\nacme,Acme,eu\nbravo,Bravo,eu\ncarol,Carol,us\n';

const tenant = (name: string): string => `groups: { ${name}: { name: ${name} } }\n`;

const FILES: { readonly [name: string]: string } = {
  'chatform.yaml': PROJECT,
  'licenses.csv': ROWS,
  'base/manifest.yaml': MANIFEST,
  'tenants/acme/own.yaml': tenant('acme'),
  'tenants/acme/more.yaml': tenant('more'),
  'tenants/bravo/own.yaml': tenant('bravo'),
  'tenants/carol/own.yaml': tenant('carol'),
  'docs/read.md': 'Read me.\n',
  '.gitignore': '.chatform/\nlocal.yaml\n',
};

const fits = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true }).compile(
  targetsSchema,
);

async function validate(cwd: string, ...flags: readonly string[]) {
  const ran = await chatform(['validate', '--changed-since', 'main', '--json', '-q', ...flags], { cwd });
  return { ...ran, document: JSON.parse(ran.stdout) };
}

async function touched(cwd: string, ...flags: readonly string[]): Promise<readonly string[]> {
  const { document } = await validate(cwd, ...flags);
  expect(fits(document)).toBe(true);
  return document.targets.map(({ target }: { readonly target: string }) => target);
}

const ALL = ['acme', 'bravo', 'carol'];

test.each<[string, { readonly [name: string]: string | null }, readonly string[]]>([
  ['nothing', {}, []],
  ['a file that no target opens', { 'docs/read.md': 'Read this.\n' }, []],
  ['a file that git ignores', { 'local.yaml': 'x: 1\n' }, []],
  ['the base', { 'base/manifest.yaml': `${MANIFEST}# Changed.\n` }, ALL],
  ['a new file in a folder of the base', { 'base/more.yaml': tenant('more') }, ALL],
  ['an overlay', { 'tenants/bravo/own.yaml': tenant('other') }, ['bravo']],
  ['a new file in the folder of overlays', { 'tenants/bravo/more.yaml': tenant('more') }, ['bravo']],
  ['a file that is gone from it', { 'tenants/acme/more.yaml': null }, ['acme']],
  ['the only file in it that is gone', { 'tenants/carol/own.yaml': null }, ['carol']],
  ['a value of a row', { 'licenses.csv': ROWS.replace('Bravo', 'Brave') }, ['bravo']],
  ['the order of the rows', { 'licenses.csv': 'name,region,shop\ncarol,us,Carol\nbravo,eu,Bravo\nacme,eu,Acme\n' }, []],
  ['a new row', { 'licenses.csv': `${ROWS}delta,Delta,us\n`, 'tenants/delta/own.yaml': tenant('delta') }, ['delta']],
  ['a comment in chatform.yaml', { 'chatform.yaml': `# Ours.\n\n${PROJECT}` }, []],
  ['the waves', { 'chatform.yaml': `${PROJECT}fleet: { parallel: 2 }\n` }, []],
  ['a setting of defaults', { 'chatform.yaml': `${PROJECT}  max_deletes: 3\n` }, ALL],
  [
    'a policy of all',
    { 'chatform.yaml': `${PROJECT}policies: [{ name: few, rule: plan.summary.destroy < 3 }]\n` },
    ALL,
  ],
  [
    'a setting of one target',
    { 'chatform.yaml': `${PROJECT}targets: { own: { overlays: [], vars: { shop: O }, labels: { region: eu } } }\n` },
    ['own'],
  ],
])('%s', async (_, files, expected) => {
  const cwd = await repository(FILES);
  await change(cwd, files);
  expect(await touched(cwd)).toEqual(expected);
  git(cwd, 'checkout', '-q', '-b', 'work');
  commit(cwd);
  expect(await touched(cwd)).toEqual(expected);
});

test('what main has gained since does not count', async () => {
  const cwd = await repository(FILES);
  git(cwd, 'checkout', '-q', '-b', 'work');
  await change(cwd, { 'tenants/acme/own.yaml': tenant('other') });
  commit(cwd);
  git(cwd, 'checkout', '-q', 'main');
  await change(cwd, { 'base/manifest.yaml': `${MANIFEST}# Changed.\n` });
  commit(cwd);
  git(cwd, 'checkout', '-q', 'work');
  expect(await touched(cwd)).toEqual(['acme']);
});

test('rows in files of their own are compared by what they say', async () => {
  const project = PROJECT.replace('csv: licenses.csv', 'directory: "tenants/*/row/tenant.yaml"');
  const row = (name: string, shop: string): string => `name: ${name}\nshop: ${shop}\nregion: eu\n`;
  const cwd = await repository({
    ...FILES,
    'chatform.yaml': project,
    'tenants/acme/row/tenant.yaml': row('acme', 'Acme'),
    'tenants/bravo/row/tenant.yaml': row('bravo', 'Bravo'),
    'tenants/carol/row/tenant.yaml': row('carol', 'Carol'),
  });
  await change(cwd, {
    'tenants/acme/row/tenant.yaml': `# Changed.\n${row('acme', 'Acme')}`,
    'tenants/bravo/row/tenant.yaml': row('bravo', 'Brave'),
    'tenants/carol/row/tenant.yaml': null,
    'tenants/delta/row/tenant.yaml': row('delta', 'Delta'),
    'tenants/delta/own.yaml': tenant('delta'),
  });
  const { document } = await validate(cwd);
  expect(document.targets.map(({ target }: { readonly target: string }) => target)).toEqual(['bravo', 'delta']);
  expect(document.orphaned).toEqual(['carol']);
});

test('a file counts also through a link, and so does the link', async () => {
  const cwd = await repository({
    ...FILES,
    'tenants/acme/own.yaml': tenant('acme'),
    'shared/eu/team.yaml': tenant('team'),
    'shared/us/team.yaml': tenant('team'),
    'chatform.yaml': PROJECT.replace('["tenants/', '["regions/${row.region}", "tenants/'),
  });
  await change(cwd, { 'regions/note.md': '' });
  await symlink('../shared/eu', join(cwd, 'regions/eu'));
  await symlink('../shared/us', join(cwd, 'regions/us'));
  commit(cwd);
  await change(cwd, { 'shared/us/team.yaml': tenant('others') });
  expect(await touched(cwd)).toEqual(['carol']);
  commit(cwd);
  await change(cwd, { 'regions/eu': null });
  await symlink('../shared/us', join(cwd, 'regions/eu'));
  expect(await touched(cwd)).toEqual(['acme', 'bravo']);
});

test('a file of values and the script that keeps secrets count', async () => {
  const files = {
    ...FILES,
    'values/eu.yaml': 'shop: Shop\n',
    'keep.sh': 'exit 0\n',
    'chatform.yaml': `${PROJECT}targets:\n  own:\n    overlays: []\n    vars: { shop: O }\n    labels: { region: us }\n    secrets: { command: [sh, keep.sh] }\n`,
  };
  const cwd = await repository(files);
  await change(cwd, { 'keep.sh': 'exit 1\n' });
  expect(await touched(cwd)).toEqual(['own']);
  await change(cwd, { 'values/eu.yaml': 'shop: Other\n' });
  expect(await touched(cwd, '--var-file', 'values/eu.yaml')).toEqual([...ALL, 'own']);
});

test('in a folder of the repository, the rest of it does not count', async () => {
  const cwd = await repository({
    ...Object.fromEntries(Object.entries(FILES).map(([name, text]) => [`chat/${name}`, text])),
    'tenants/acme/own.yaml': 'other: 1\n',
  });
  await change(cwd, { 'tenants/acme/own.yaml': 'other: 2\n', 'chat/tenants/bravo/own.yaml': tenant('other') });
  expect(await touched(join(cwd, 'chat'))).toEqual(['bravo']);
});

test.each<[string, { readonly [name: string]: string }]>([
  ['has errors', { ...FILES, 'licenses.csv': 'name,shop,region\nacme\n' }],
  ['is not there', { 'docs/read.md': '' }],
])('all targets are touched where chatform.yaml of the other commit %s', async (_, files) => {
  const cwd = await repository(files);
  await change(cwd, FILES);
  expect(await touched(cwd)).toEqual(ALL);
});

test('selections and changes must both hold', async () => {
  const cwd = await repository(FILES);
  await change(cwd, { 'base/manifest.yaml': `${MANIFEST}# Changed.\n` });
  expect(await touched(cwd, '-l', 'region=eu')).toEqual(['acme', 'bravo']);
  expect(await touched(cwd, '-t', 'c*')).toEqual(['carol']);
  expect(await touched(cwd, '--all')).toEqual(ALL);
});

test('no target is touched: that is no error', async () => {
  const cwd = await repository(FILES);
  await change(cwd, { 'docs/read.md': 'Read this.\n' });
  for (const command of ['validate', 'plan', 'apply', 'drift', 'test', 'doctor']) {
    const ran = await chatform([command, '--changed-since', 'main'], { cwd });
    expect({ command, ...ran }).toEqual({
      command,
      code: 0,
      stdout: 'No target is touched by what changed since main.\n',
      stderr: '',
    });
  }
  const { document } = await validate(cwd);
  expect(document).toMatchObject({
    errored: false,
    targets: [],
    since: { ref: 'main', commit: git(cwd, 'rev-parse', 'main').trim(), untouched: 3 },
  });
});

test.each(['validate', 'plan', 'apply', 'drift'])(
  '%s of an address that is not in CHATFORM_BASE_URLS fails as it does for all, although nothing changed',
  async (command) => {
    const cwd = await repository(FILES);
    const env = { CHATFORM_BASE_URLS: 'https://api.example.com' };
    const all = await chatform([command, '--all'], { cwd, env });
    const ran = await chatform([command, '--changed-since', 'main'], { cwd, env });
    expect(all.code).not.toBe(0);
    expect(ran).toEqual({ ...all, stdout: expect.stringContaining('Touched by what changed since main: 3 of 3') });
    expect(ran.stdout + ran.stderr).toContain('which is not in CHATFORM_BASE_URLS');
  },
);

test('the text says how many of all are touched', async () => {
  const cwd = await repository(FILES);
  await change(cwd, { 'tenants/acme/own.yaml': tenant('other') });
  const { stdout } = await chatform(['plan', '--changed-since', 'main'], { cwd });
  expect(stdout).toMatch(
    /\n1 target: 1 with changes; 3 requests\nTouched by what changed since main: 1 of 3 targets\.\n$/,
  );
});

test('a target that left is named, and not planned', async () => {
  const cwd = await repository(FILES);
  await change(cwd, { 'licenses.csv': ROWS.replace('bravo,Bravo,eu\n', '') });
  const { document, stderr } = await validate(cwd);
  expect(document).toMatchObject({ targets: [], orphaned: ['bravo'], errored: false });
  expect(stderr).toContain(
    'chatform.yaml:6:11: warning orphaned-target: target bravo is orphaned; chatform.yaml no longer has it, and license and ledger stay as they are',
  );
});

test('an apply plans and applies what is touched', async () => {
  const cwd = await repository(FILES);
  await change(cwd, { 'tenants/acme/own.yaml': tenant('other') });
  const { code, stdout } = await chatform(['apply', '--changed-since', 'main', '--yes'], { cwd });
  expect(stdout).toContain('\n1 target: 1 applied; ');
  expect(code).toBe(0);
});

async function refusal(ref: string, cwd: string): Promise<Ran> {
  return chatform(['plan', '--changed-since', ref], { cwd });
}

test('a repository of another user is refused in the words of git, with the remedy', async () => {
  const cwd = await repository(FILES);
  const env = { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' };
  const { code, stderr } = await chatform(['plan', '--changed-since', 'main'], { cwd, env });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^Error: --changed-since main: git does not read the repository here, because it belongs to another user: if you trust it, run `git config --global --add safe\.directory \/\S+`\n$/,
    ),
  ]);
});

test('a name that git does not know is refused, and never read as an option', async () => {
  const cwd = await repository(FILES);
  const hint = 'git knows no commit of this name: name a branch, a tag or a commit, such as origin/main';
  for (const ref of ['origin/main', '--output=stolen', '-p', 'HEAD:docs', 'main..HEAD'])
    expect(await chatform(['plan', `--changed-since=${ref}`], { cwd })).toEqual({
      code: 1,
      stdout: '',
      stderr: `Error: --changed-since ${ref}: ${hint}\n`,
    });
  expect(git(cwd, 'status', '--porcelain')).toBe('');
});

test('a part of the history says how to fetch the rest', async () => {
  const origin = await repository(FILES);
  git(origin, 'checkout', '-q', '-b', 'work');
  await change(origin, { 'docs/read.md': 'Read this.\n' });
  commit(origin);
  const cwd = await folder();
  git(cwd, 'clone', '-q', '--depth', '1', '--branch', 'work', `file://${origin}`, '.');
  expect((await refusal('origin/main', cwd)).stderr).toMatch(
    /git knows no commit of this name: this clone has only a part of the history: fetch all of it, on GitHub with `fetch-depth: 0`/,
  );
  git(cwd, 'fetch', '-q', '--depth', '1', 'origin', 'main:refs/remotes/origin/main');
  expect((await refusal('origin/main', cwd)).stderr).toMatch(
    /this commit and origin\/main have no commit in common: this clone has only a part of the history/,
  );
});

test('without a repository, or without a commit of its own, it is an error', async () => {
  const cwd = await folder(FILES);
  expect((await refusal('main', cwd)).stderr).toMatch(
    /^Error: --changed-since main: git finds no repository here \(.*\): run the command in a checkout\n$/,
  );
  git(cwd, 'init', '-q', '-b', 'main');
  expect((await refusal('main', cwd)).stderr).toContain('git knows no commit of this name');
});

test('names with quotes, spaces and letters of other scripts are names', async () => {
  const cwd = await repository({
    ...FILES,
    'licenses.csv': ROWS.replace('Bravo', '"é \'ü"'),
    'chatform.yaml': PROJECT.replace('["tenants/', '["teams/${row.shop}.yaml", "tenants/'),
    "teams/é 'ü.yaml": tenant('team'),
    'teams/Acme.yaml': tenant('team'),
    'teams/Carol.yaml': tenant('team'),
  });
  await change(cwd, { "teams/é 'ü.yaml": tenant('others') });
  expect(await touched(cwd)).toEqual(['bravo']);
});
