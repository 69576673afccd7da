// `chatform ci comment` of a folder of plans: one comment for all targets, kept up to date, with what has no plan from the report of the run.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chatform, folder } from '../../cli/chatform.ts';
import { change, commit, git } from '../../cli/repository.ts';
import { type Fake, fakeGithub, TOKEN } from './fake.ts';

const FILES: { readonly [name: string]: string } = {
  'chatform.yaml': `version: 1
manifest: [manifest.yaml]
targets_from: { csv: licenses.csv }
defaults:
  base_url: "\${row.url}"
  token_env: "TOKEN_\${target.env_name}"
  ledger: "ledgers/\${target.name}.ndjson"
  vars: { shop: "\${row.shop}" }
`,
  'manifest.yaml':
    'version: 1\ngroups: { support: { name: "Support of ${var.shop}" } }\nvariables: { shop: { type: string } }\n',
  'licenses.csv': `name,url,shop
acme,emulator:.chatform/acme.json,Shop
bravo,emulator:.chatform/bravo.json,Shop
carol,emulator:.chatform/carol.json,Carol
delta,https://chat.invalid,Delta
`,
  '.gitignore': '.chatform/\nledgers/\nplans/\n*.json\nout\nsummary.md\n',
};

interface Job {
  readonly run?: number;
  readonly fake: Fake;
}

async function comment(cwd: string, flags: readonly string[], { fake, run = 1 }: Job) {
  const files = { GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'), GITHUB_OUTPUT: join(cwd, 'out') };
  await Promise.all(Object.values(files).map((file) => writeFile(file, '')));
  const env = {
    ...files,
    GITHUB_ACTIONS: 'true',
    GITHUB_TOKEN: TOKEN,
    GITHUB_API_URL: fake.url,
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_REPOSITORY: 'o/r',
    GITHUB_REF: 'refs/pull/7/merge',
    GITHUB_SHA: fake.head,
    GITHUB_RUN_ID: String(run),
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_WORKSPACE: cwd,
  };
  const ran = await chatform(['ci', 'comment', ...flags], { cwd, env });
  expect(fake.complaints).toEqual([]);
  const outputs = await readFile(files.GITHUB_OUTPUT, 'utf8');
  return { ...ran, outputs, summary: await readFile(files.GITHUB_STEP_SUMMARY, 'utf8') };
}

const REPORT = ['--plan', 'plans', '--results', 'targets.json'];

async function planned(cwd: string, ...flags: readonly string[]) {
  const chosen = flags.length === 0 ? ['--all'] : flags;
  return chatform(['plan', ...chosen, '--out', 'plans', '--report', 'json=targets.json', '-q'], { cwd });
}

function bodies({ comments }: Fake): readonly string[] {
  return comments.map(({ body }) => body.slice(body.indexOf('\n') + 1));
}

test('one comment has the counts, the table, each different plan once, and the digest of the folder', async () => {
  const cwd = await folder(FILES);
  const fake = await fakeGithub();
  const { stdout } = await planned(cwd);
  const digest = /digest (\w{64})/.exec(stdout)?.[1] ?? 'none';
  const { code, outputs, summary, stderr: said } = await comment(cwd, [...REPORT, '--labels'], { fake });
  expect(code).toBe(0);
  const [body = '', ...others] = bodies(fake);
  expect(others).toEqual([]);
  expect(body).toMatch(/^### Plans of 4 targets: changes; 1 target without a plan\n/);
  expect(body).toContain(
    '\n3 to add, 0 to change, 0 to destroy · 3 with changes, 1 unreachable · 3 requests\n\n#### Targets\n\n| Target | Add |',
  );
  expect(body).toMatch(
    /\| delta \| &#45; .*\| \*\*unreachable\*\*: the environment variable TOKEN_DELTA is not set.* \|\n/,
  );
  expect(body.indexOf('| delta |')).toBeLessThan(body.indexOf('| acme |'));
  expect(body).toContain('\n#### 2 targets with the same plan: acme, bravo: 1 change\n');
  expect(body).toContain('\n#### Target carol: 1 change\n');
  expect(body.match(/\| created \| `group\/support` \|/g)).toHaveLength(2);
  expect(body).toMatch(
    /\n\*\*Next:\*\* review them; an apply of the folder with this digest makes these changes and no others\. Targets without a plan are not applied: .*\n/,
  );
  expect(body.endsWith(`\nDigest \`${digest}\`\n`)).toBe(true);
  expect(summary).toBe(`${body}\n`);
  expect(outputs).toContain(
    `state=plan\noutcome=failed\neffect=add-or-update\nchanges=true\nadd=3\nchange=0\ndestroy=0\nadopt=0\ndigest=${digest}\n`,
  );
  expect(said).toMatch(/::error title=chatform%3A failed::delta: the environment variable TOKEN_DELTA is not set/);
  expect(fake.labels).toEqual(new Set(['chatform/all targets/add-or-update']));
});

test('it stays one comment: for other targets, for none, and while the plans are applied', async () => {
  const cwd = await folder(FILES);
  const fake = await fakeGithub();
  git(cwd, 'init', '-q', '-b', 'main');
  commit(cwd);
  await planned(cwd, '-t', 'acme', '-t', 'bravo');
  await comment(cwd, REPORT, { fake });
  expect(bodies(fake)).toEqual([expect.stringMatching(/^### Plans of 2 targets: changes\n/)]);

  await chatform(['apply', 'plans', '--yes', '--report', 'json=applied.json', '-q'], { cwd });
  const states = [
    ['applying', [], 'being applied', 'wait for the run to end'],
    ['applied', ['--results', 'applied.json'], 'applied', 'nothing; plans of the same files are empty now'],
    ['failed', ['--results', 'applied.json'], 'not all applied', 'read in the table, or in the log of the run'],
  ] as const;
  for (const [state, report, title, next] of states) {
    const run = state === 'failed' ? 3 : 2;
    const ran = await comment(cwd, ['--plan', 'plans', '--state', state, ...report], { fake, run });
    expect(ran.code).toBe(0);
    const [body = '', ...others] = bodies(fake);
    expect(others).toEqual([]);
    expect(body).toContain(`## Plans of 2 targets: ${title} (changes)\n`);
    expect(body).toContain(`**Next:** ${next}`);
    expect(body).toMatch(report.length === 0 ? /\| acme .* changes \|/ : /\| acme .* \*{0,2}applied\*{0,2} \|/);
  }

  await change(cwd, { 'read.md': 'Read me.\n' });
  const none = await chatform(
    ['plan', '--changed-since', 'main', '--out', 'none', '--report', 'json=none.json', '-q'],
    { cwd },
  );
  expect(none.code).toBe(0);
  const { outputs } = await comment(cwd, ['--plan', 'none', '--results', 'none.json'], { fake, run: 4 });
  expect(outputs).toContain('outcome=nothing\neffect=no-changes\nchanges=false\n');
  expect(bodies(fake)).toEqual([
    expect.stringMatching(
      /^### Plans of 0 targets: no changes\n.*\nNo target is touched by what changed since `main`\.\n.*\*\*Next:\*\* nothing;/s,
    ),
  ]);
});

test('dangers come first, and a plan that is withheld is the worst', async () => {
  const cwd = await folder({
    ...FILES,
    'licenses.csv': FILES['licenses.csv']?.replace(/delta.*\n/, '') ?? '',
  });
  const fake = await fakeGithub();
  const applied = await chatform(['apply', '--all', '--yes', '-q'], { cwd });
  expect(applied.code).toBe(0);
  await change(cwd, { 'manifest.yaml': 'version: 1\nvariables: { shop: { type: string } }\n' });
  await planned(cwd);
  const { outputs } = await comment(cwd, [...REPORT, '--labels'], { fake });
  const [body = ''] = bodies(fake);
  expect(body).toMatch(/^### Plans of 3 targets: withheld\n/);
  expect(body).toContain('3 dangers on 3 targets');
  expect(body).toContain('> [!CAUTION]\n> **Dangers (1)**\n>\n> - **destroyed**: `group/support`');
  expect(outputs).toContain('outcome=withheld\neffect=destroy\n');
  expect(fake.labels).toEqual(new Set(['chatform/all targets/destroy']));
});

test('where the files have errors, the comment shows them', async () => {
  const cwd = await folder({ ...FILES, 'manifest.yaml': 'version: 1\ngroups: { support: { nmae: S } }\n' });
  const fake = await fakeGithub();
  const { code } = await planned(cwd);
  expect(code).toBe(1);
  const ran = await comment(cwd, REPORT, { fake });
  expect(ran.stderr).toMatch(/::error file=manifest.yaml,line=2,col=\d+,title=chatform%3A unknown-field::/);
  expect(bodies(fake)).toEqual([
    expect.stringMatching(
      /^### Plans of 4 targets: 4 targets without a plan\n.*\n\| \*\*error\*\* \| `unknown-field` \| .* \| \[`manifest.yaml:2`\].*\n.*\*\*Next:\*\* correct the errors/s,
    ),
  ]);
});

test('where chatform.yaml has errors, so that there are no targets, the comment shows them', async () => {
  const cwd = await folder({ ...FILES, 'licenses.csv': 'name\nacme\n', 'plans/.keep': '' });
  const { code, stdout } = await chatform(['plan', '--all', '--json'], { cwd });
  expect(code).toBe(1);
  await change(cwd, { 'targets.json': stdout, 'plans/.keep': null });
  const fake = await fakeGithub();
  expect(await comment(cwd, REPORT, { fake })).toMatchObject({ code: 0 });
  expect(bodies(fake)).toEqual([expect.stringMatching(/^### Plan: no plan could be made\n.*\| \*\*error\*\* \|/s)]);
});

test('a report of other plans, and flags of one plan, are refused', async () => {
  const cwd = await folder(FILES);
  const fake = await fakeGithub();
  await planned(cwd, '-t', 'acme', '-t', 'bravo');
  await chatform(['plan', '-t', 'c*', '--out', 'others', '--report', 'json=others.json'], { cwd });
  const refused = async (...flags: readonly string[]) => (await comment(cwd, flags, { fake })).stderr;
  expect(await refused('--plan', 'plans', '--results', 'others.json')).toMatch(
    /others\.json is about plans with the digest \w{64}, and those in plans have \w{64}: plan again/,
  );
  expect(await refused('--plan', 'plans', '--results', 'licenses.csv')).toMatch(/does not say what became of several/);
  expect(await refused('--plan', 'plans', '-t', 'acme')).toContain('--target goes with the plan of one target');
  expect(await refused('--plan', 'plans/acme.json', '--results', 'targets.json')).toContain(
    '--results is said of an apply',
  );
  expect(await refused('--plan', 'ledgers')).toMatch(/there is no such file|has no saved plan/);
  expect(fake.comments).toEqual([]);
});
