// What docs/how-to/github-and-gitlab.md says to write for many licenses, done to the workflows, and each step run: one plan of what a request touches, one comment, one apply.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeGithub } from '../outlets/hosts/fake.ts';
import { type Done, type Occasion, runJob } from './github-job.ts';
import { type Site, TOKENS } from './site.ts';
import { twoLicenses } from './two-licenses.ts';

const [, section = ''] =
  /^### Many licenses\n([\s\S]*?)^##/m.exec(
    readFileSync(new URL('../../docs/how-to/github-and-gitlab.md', import.meta.url), 'utf8'),
  ) ?? [];
const ROWS = [...section.matchAll(/^\| `(.+?)` \| (?:`(.+?)` )?\|/gm)].map(
  ([, from = '', to = '']) => [from, to] as const,
);
const [, CHANGED = ''] = /write\s+`(targets: \$\{\{ github.+?\}\})`/.exec(section) ?? [];

/** The workflow after the edits of the page. */
function edited(text: string): string {
  const isPlan = text.includes('# .github/workflows/plan.yml');
  const rows = ROWS.reduce((copy, [from, to]) => {
    if (to !== '') return copy.replaceAll(from, isPlan && to === 'targets: --all' ? CHANGED : to);
    return copy.replaceAll(new RegExp(`^ *${from.replaceAll(/[.$*+?()[\]{}|^]/g, String.raw`\$&`)}\\n`, 'gm'), '');
  }, text);
  return isPlan ? rows.replaceAll(/^( *)persist-credentials: false\n/gm, '$&$1fetch-depth: 0\n') : rows;
}

const SECRETS = {
  CHATFORM_READ_TOKENS: `TOKEN_ACME=${TOKENS.read}\nTOKEN_BRAVO=${TOKENS.read}\n`,
  CHATFORM_TOKENS: `TOKEN_ACME=${TOKENS.write}\nTOKEN_BRAVO=${TOKENS.write}\n`,
};

const RUN = 11;

function plan(place: Site, head: string, run = RUN): Promise<Done> {
  const occasion: Occasion = {
    event: 'pull_request',
    ref: 'refs/pull/7/merge',
    base: 'main',
    sha: head,
    payload: { pull_request: { number: 7, head: { sha: head, repo: { full_name: 'o/r' } } } },
    run,
    secrets: { CHATFORM_READ_TOKENS: SECRETS.CHATFORM_READ_TOKENS },
  };
  return runJob(place, 'plan.yml', 'plan', occasion, edited);
}

async function apply(place: Site, sha: string, run = RUN) {
  place.fake.merged = sha;
  const pushed = { event: 'push', payload: {}, ref: 'refs/heads/main', sha, run: 20 };
  const approved = `commit=${sha} base=main workflow=plan.yml request=7 run=${run}`;
  const find = { outputs: { run: String(run), approved } };
  const gate = await runJob(place, 'apply.yml', 'gate', { ...pushed, needs: { find } }, edited);
  const needs = { find, gate: { outputs: gate.outputs } };
  return { gate, applied: await runJob(place, 'apply.yml', 'apply', { ...pushed, needs, secrets: SECRETS }, edited) };
}

function expectEnd({ result, said }: Done, expected: Done['result']): void {
  expect([result, said]).toEqual([expected, said]);
}

test('each row of the page is for something that is there', () => {
  expect(ROWS.length).toBeGreaterThan(5);
  const all = ['plan', 'apply', 'drift'].map((name) =>
    readFileSync(new URL(`../../examples/ci/github/${name}.yml`, import.meta.url), 'utf8'),
  );
  for (const [from] of ROWS) expect(all.join('')).toContain(from);
  const text = all.map(edited).join('');
  expect(text).not.toMatch(/BASE_URL|READ_TOKEN \}|sightings\/production|target: /);
  expect(text).toContain('--changed-since origin/main');
});

test('one job plans what a request touches and comments once; merged, one job applies it, and one finds no drift', async () => {
  const { place, other, requested } = await twoLicenses(fakeGithub);
  const { fake } = place;
  const head = requested('A', 'Bravo');
  const planned = await plan(place, head);
  expectEnd(planned, 'success');
  expect(planned.said).not.toMatch(new RegExp(`^(?!::add-mask::).*${TOKENS.read}`, 'm'));
  expect(fake.comments).toHaveLength(1);
  expect(fake.comments[0]?.body).toMatch(/\n### Plans of 1 target: changes\n/);
  expect(fake.comments[0]?.body).toContain('Touched by what changed since `origin/main`: 1 of 2 targets.');
  expect([...fake.labels]).toEqual(['chatform/all targets/add-or-update']);

  const { gate, applied } = await apply(place, head);
  expectEnd(gate, 'success');
  expect(gate.outputs['digest']).toMatch(/^[0-9a-f]{64}$/);
  expectEnd(applied, 'success');
  expect(JSON.stringify(other.snapshot())).toContain('Bravo');
  expect(JSON.stringify(place.emulator.snapshot())).not.toContain('Sales');
  expect(fake.comments).toHaveLength(1);
  expect(fake.comments[0]?.body).toContain('## Plans of 1 target: applied (changes)');
  expect(place.kept('bravo.ndjson')).toContain('"group/own"');
  expect(place.kept('default.begun')).toBeNull();

  const drift = await runJob(
    place,
    'drift.yml',
    'drift',
    { event: 'schedule', payload: {}, ref: 'refs/heads/main', sha: head, run: 30, secrets: SECRETS },
    edited,
  );
  // The other license was never applied.
  expectEnd(drift, 'failure');
  expect(drift.summary).toMatch(/\| bravo .* in sync \|/);
});

test('a request that touches no license says so, and its apply has nothing to do', async () => {
  const { place, requested } = await twoLicenses(fakeGithub);
  const head = requested('A', 'B', { 'read.md': 'Read me.' });
  expectEnd(await plan(place, head), 'success');
  expect(place.fake.comments[0]?.body).toContain('No target is touched by what changed since `origin/main`.');
  const { gate, applied } = await apply(place, head);
  expectEnd(gate, 'success');
  expectEnd(applied, 'success');
  expect(applied.said).toContain('nothing to apply');
  expect(place.fake.comments).toHaveLength(1);
});

test('where one license has no plan, the job fails, and the comment says which and why', async () => {
  const { place, requested } = await twoLicenses(fakeGithub);
  const head = requested('A: {', 'Bravo');
  const planned = await plan(place, head);
  expectEnd(planned, 'failure');
  expect(place.fake.comments[0]?.body).toMatch(/## Plans of 2 targets: changes; 1 target without a plan\n/);
  expect(place.fake.comments[0]?.body).toMatch(/\*\*error\*\* .*acme\.yaml:1/);
  expect(existsSync(join(place.artifact(RUN, 'plan-all'), 'plans/bravo.json'))).toBe(true);
});

test('plans that were swapped after the gate are not applied', async () => {
  const { place, other, requested } = await twoLicenses(fakeGithub);
  const head = requested('A', 'Bravo');
  await plan(place, head);
  const swapped = requested('A', 'Brave');
  await plan(place, swapped, RUN + 1);
  place.fake.merged = head;
  const pushed = { event: 'push', payload: {}, ref: 'refs/heads/main', sha: head, run: 20 };
  const approved = `commit=${head} base=main workflow=plan.yml request=7 run=${RUN}`;
  const find = { outputs: { run: String(RUN), approved } };
  const gate = await runJob(place, 'apply.yml', 'gate', { ...pushed, needs: { find } }, edited);
  const needs = { find: { outputs: { run: String(RUN + 1), approved } }, gate: { outputs: gate.outputs } };
  const applied = await runJob(place, 'apply.yml', 'apply', { ...pushed, needs, secrets: SECRETS }, edited);
  expectEnd(applied, 'failure');
  expect(applied.said).toMatch(/has the digest \w{64}, and \w{64} was approved/);
  expect(JSON.stringify(other.snapshot())).not.toContain('Brave');
});
