// The workflows that `init --ci github` writes for two licenses, and each step run: one plan of what a request touches, one comment, one apply.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filledIn } from '../../src/features/init/pipeline.ts';
import { readTemplate } from '../../src/features/init/read-template.ts';
import { callByHand } from '../laws/edits.ts';
import { fakeGithub } from '../outlets/hosts/fake.ts';
import { type Done, type Occasion, outputsOf, runJob } from './github-job.ts';
import { type Site, TOKENS } from './site.ts';
import { twoLicenses } from './two-licenses.ts';

const PIPELINE = { host: 'github', from: 'OWNER/chatform@COMMIT', branch: 'main', folder: '.' } as const;
const TWO = { ...PIPELINE, targets: ['acme', 'bravo'], tokens: ['TOKEN_ACME', 'TOKEN_BRAVO'], addresses: [] };

const READ = { READ_TOKEN_ACME: TOKENS.read, READ_TOKEN_BRAVO: TOKENS.read };
const WRITE = { TOKEN_ACME: TOKENS.write, TOKEN_BRAVO: TOKENS.write };

/** A job of a workflow of this project. */
function run(place: Site, workflow: string, name: string, occasion: Occasion): Promise<Done> {
  return runJob(place, workflow, name, occasion, filledIn(readTemplate(`github/${workflow}`), TWO));
}

const RUN = 11;

function plan(place: Site, head: string, id = RUN): Promise<Done> {
  const occasion: Occasion = {
    event: 'pull_request',
    ref: 'refs/pull/7/merge',
    base: 'main',
    sha: head,
    payload: { pull_request: { number: 7, head: { sha: head, repo: { full_name: 'o/r' } } } },
    run: id,
    secrets: READ,
  };
  return run(place, 'plan.yml', 'plan', occasion);
}

/** The jobs of `apply.yml`; `swapped` is the run whose plans the apply gets instead of those that the gate showed. */
async function apply(place: Site, sha: string, swapped = RUN) {
  place.fake.merged = sha;
  const pushed = { event: 'push', payload: {}, ref: 'refs/heads/main', sha, run: 20 };
  const approved = `commit=${sha} base=main workflow=plan.yml request=7 run=${RUN}`;
  const find = { outputs: { run: String(RUN), approved } };
  const gate = await run(place, 'apply.yml', 'gate', { ...pushed, needs: { find } });
  const outputs = { ...outputsOf('gate.yml', { find, gate }), run: String(swapped) };
  return {
    gate,
    applied: await run(place, 'apply.yml', 'apply', { ...pushed, needs: { gate: { outputs } }, secrets: WRITE }),
  };
}

const watched = (sha: string, id: number, more: Partial<Occasion> = {}): Occasion => ({
  event: 'schedule',
  payload: { schedule: '23 * * * *' },
  ref: 'refs/heads/main',
  sha,
  run: id,
  secrets: READ,
  ...more,
});

function expectEnd({ result, said }: Done, expected: Done['result']): void {
  expect([result, said]).toEqual([expected, said]);
}

test('one job plans what a request touches and comments once; merged, one job applies it, and one finds no drift', async () => {
  const { place, other, requested } = await twoLicenses(fakeGithub);
  const { fake } = place;
  const head = requested('A', 'Bravo');
  const planned = await plan(place, head);
  expectEnd(planned, 'success');
  expect(planned.said).not.toMatch(new RegExp(`^(?!::add-mask::).*${TOKENS.read}`, 'm'));
  expect(fake.comments).toHaveLength(1);
  expect(fake.comments[0]?.body).toMatch(/\n### Plan of 1 target: changes\n/);
  expect(fake.comments[0]?.body).toContain('Touched by what changed since `origin/main`: 1 of 2 targets.');
  expect([...fake.labels]).toEqual(['chatform/all targets/add-or-update']);

  const { gate, applied } = await apply(place, head);
  expectEnd(gate, 'success');
  expect(gate.outputs['digest']).toMatch(/^[0-9a-f]{64}$/);
  expectEnd(applied, 'success');
  expect(JSON.stringify(other.snapshot())).toContain('Bravo');
  expect(JSON.stringify(place.emulator.snapshot())).not.toContain('Sales');
  expect(fake.comments).toHaveLength(1);
  expect(fake.comments[0]?.body).toContain('## Plan of 1 target: applied (changes)');
  expect(place.kept('bravo.ndjson')).toContain('"group/own"');
  expect(place.kept('default.begun')).toBeNull();

  const drift = await run(place, 'watch.yml', 'drift', watched(head, 30));
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
  expect(existsSync(join(place.artifact(RUN, 'plans'), 'plans/bravo.json'))).toBe(true);
});

test('plans that were swapped after the gate are not applied', async () => {
  const { place, other, requested } = await twoLicenses(fakeGithub);
  const head = requested('A', 'Bravo');
  await plan(place, head);
  const swapped = requested('A', 'Brave');
  await plan(place, swapped, RUN + 1);
  const { applied } = await apply(place, head, RUN + 1);
  expectEnd(applied, 'failure');
  expect(applied.said).toMatch(/has the digest \w{64}, and \w{64} was approved/);
  expect(JSON.stringify(other.snapshot())).not.toContain('Brave');
});

test('a secret that is not set stops a job, which names it', async () => {
  const { place, requested } = await twoLicenses(fakeGithub);
  const { said, result } = await run(
    place,
    'watch.yml',
    'drift',
    watched(requested('A', 'B'), 30, { secrets: { READ_TOKEN_ACME: TOKENS.read } }),
  );
  expect([result, said]).toEqual(['failure', expect.stringMatching(/::error .*the token TOKEN_BRAVO is empty/)]);
});

test('what drift checks saw is kept from run to run, and the nightly pages are an artifact', async () => {
  const { place, requested } = await twoLicenses(fakeGithub);
  const head = requested('A', 'B');
  await run(place, 'watch.yml', 'drift', watched(head, 30));
  const first = await run(place, 'watch.yml', 'drift', watched(head, 31));
  expect(existsSync(join(first.workspace, 'ledger/acme.sightings.json'))).toBe(true);
  expect(existsSync(join(place.artifact(0, 'cache'), 'bravo.sightings.json'))).toBe(true);
  const night = watched(head, 32, { payload: { schedule: '41 3 * * *' } });
  expectEnd(await run(place, 'watch.yml', 'drift', night), 'skipped');
  const page = await run(place, 'watch.yml', 'page', night);
  // These tokens may not read everything, which the pages and the job say.
  expectEnd(page, 'failure');
  expect(page.said).toContain('::error title=chatform::the pages are written');
  for (const name of ['index', 'acme', 'bravo'])
    expect(existsSync(join(place.artifact(32, 'pages'), `${name}.html`))).toBe(true);
});

test('the daily job applies what the variable names, keeps its ledger, and without the variable nothing', async () => {
  const { place, other, requested } = await twoLicenses(fakeGithub);
  const head = requested('A', 'B');
  const daily = (vars: Occasion['vars'], ref = 'refs/heads/main') =>
    run(place, 'daily.yml', 'daily', { ...watched(head, 40, { ref }), secrets: WRITE, vars: vars ?? {} });
  const flags = { CHATFORM_DAILY: '--all --only group/own' };
  expectEnd(await daily({}), 'skipped');
  expectEnd(await daily(flags, 'refs/heads/topic'), 'skipped');
  await callByHand(other, 'create_group', { name: 'B', agent_priorities: {} });
  expectEnd(await daily(flags), 'success');
  expect(JSON.stringify(place.emulator.snapshot())).not.toContain('Sales');
  for (const name of ['acme', 'bravo']) expect(place.kept(`${name}.ndjson`)).toContain('"group/own"');
  expect(place.kept('default.begun')).toBeNull();
  expect(place.fake.comments).toEqual([]);
});
