// Attempts of a person who may push branches, and not approve, to have another plan applied than the one that was approved.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { digestOfPlans } from '../../src/many/plans/plans.ts';
import { forged } from '../forged.ts';
import { fakeGithub, fakeGitlab, planRun } from '../outlets/hosts/fake.ts';
import { type Occasion, outputsOf, runJob } from './github-job.ts';
import { type GitlabDone, runGitlabJob } from './gitlab-job.ts';
import { bash, git, manifest, type Site, site, TOKENS } from './site.ts';

const BEFORE = manifest('Sales', 'Old', 'Older');

type Json = Readonly<Record<string, unknown>>;

/** A license with three groups, of which the request removes two; the plan of the request is withheld. */
async function github() {
  const place = await site(fakeGithub);
  // What everything else stands on: a request whose plan touches the license in each test.
  const empty = place.commit({ 'manifest.yaml': 'version: 1\n' });
  for (const name of ['main', 'unprotected']) git(place.remote, 'update-ref', `refs/heads/${name}`, empty);
  const main = place.commit({ 'manifest.yaml': BEFORE }, [empty]);
  const head = place.commit({ 'manifest.yaml': manifest('Sales') }, [main]);
  place.fake.head = head;
  place.fake.merged = head;
  return { place, head, main };
}

const pushed = (sha: string, run = 20): Omit<Occasion, 'needs'> => ({
  event: 'push',
  payload: {},
  ref: 'refs/heads/main',
  sha,
  run,
});

const other = (more: Json): Json => ({
  number: 8,
  merged_at: null,
  merge_commit_sha: null,
  closed_at: null,
  base: { ref: 'unprotected' },
  ...more,
});

const find = (place: Site, sha: string, id = 20, more: Partial<Occasion> = {}) =>
  runJob(place, 'apply.yml', 'find', { ...pushed(sha, id), ...more });

test.each([
  ['is open', {}],
  ['was closed again', { closed_at: '2026-11-20T11:00:00Z' }],
])('GitHub: another request from the same head to another base %s: its job may have made the plan', async (_, more) => {
  const { place, head } = await github();
  place.fake.runs.push(planRun(11, head));
  place.fake.requests.push(other({ ...more, head: { sha: head, ref: 'topic' } }));
  const found = await find(place, head);
  expect([found.result, found.said]).toEqual([
    'failure',
    expect.stringContaining('pull request 8 has the same branch'),
  ]);
});

test('GitHub: the other request stood at the head when the run began, and was closed at another commit', async () => {
  const { place, head } = await github();
  place.fake.runs.push(planRun(11, head));
  const moved = { closed_at: '2026-11-20T13:00:00Z', head: { sha: 'e'.repeat(40), ref: 'topic' } };
  place.fake.requests.push(other(moved));
  expect(await find(place, head)).toMatchObject({ result: 'failure', said: expect.stringContaining('another base') });
});

test('GitHub: a request that had ended before, and one with the same base, change nothing', async () => {
  const { place, head } = await github();
  place.fake.runs.push(planRun(11, head));
  place.fake.requests.push(
    other({ closed_at: '2026-01-01T00:00:00Z', head: { sha: 'e'.repeat(40), ref: 'topic' } }),
    other({ number: 9, base: { ref: 'main' }, head: { sha: head, ref: 'topic' } }),
  );
  place.fake.timeline.push({ event: 'base_ref_changed', created_at: '2026-11-20T11:00:00Z' });
  const found = await find(place, head);
  expect([found.result, found.said]).toEqual(['success', found.said]);
  expect(place.fake.complaints).toEqual([]);
});

test.each(['base_ref_changed', 'automatic_base_change_succeeded'])(
  'GitHub: the request was planned with another base, which was changed before the review (%s)',
  async (event) => {
    const { place, head } = await github();
    place.fake.runs.push(planRun(11, head));
    // More than a page of other events does not hide it.
    for (let index = 0; index < 4; index += 1) place.fake.timeline.push({ event: 'labeled' });
    place.fake.timeline.push({ event, created_at: '2026-11-20T13:00:00Z' });
    const found = await find(place, head);
    expect([found.result, found.said]).toEqual(['failure', expect.stringContaining('the base of pull request 7')]);
  },
);

test('GitHub: a request that was merged as the same commit into another branch is not the approved one', async () => {
  const { place, head } = await github();
  place.fake.runs.push(planRun(11, head));
  const merged = { merged_at: '2026-11-21T00:00:00Z', merge_commit_sha: head, head: { sha: head, ref: 'evil' } };
  place.fake.requests.push(other({ ...merged, closed_at: '2020-01-01T00:00:00Z' }));
  expect((await find(place, head)).said).toContain('pull request 8 has the same branch');
  // On the branch that only this request was merged into, nothing of it is taken.
  const evil = await find(place, head, 20, { ref: 'refs/heads/other' });
  expect(evil).toMatchObject({ result: 'failure', said: expect.stringContaining('no pull request was merged') });
});

test('GitHub: a run of another event, workflow, branch or repository, or one that failed, is not taken', async () => {
  const { place, head } = await github();
  const wrong = [
    { event: 'push' },
    { path: '.github/workflows/evil.yml' },
    { head_branch: 'evil' },
    { head_repository: { full_name: 'stranger/r' } },
    { conclusion: 'failure' },
  ];
  const byHand = { event: 'workflow_dispatch', head_branch: 'main' };
  place.fake.runs.push(...wrong.map((more, at) => planRun(12 + at, head, { ...byHand, ...more })));
  expect(await find(place, head)).toMatchObject({ said: expect.stringContaining('has no plan of this repository') });
  const named = (asked: string) => find(place, head, 20, { event: 'workflow_dispatch', inputs: { run: asked } });
  for (const at of wrong.keys())
    expect(await named(String(12 + at))).toMatchObject({
      result: 'failure',
      said: expect.stringContaining('is not a successful run of plan.yml that a person started on main'),
    });
  place.fake.runs.push(planRun(40, head, byHand));
  expect(await named('12/../40')).toMatchObject({
    result: 'failure',
    said: expect.stringContaining('must be a number'),
  });
  expect((await named('40')).result).toBe('success');
});

test('GitHub: of two requests that were merged as the commit, neither is the approved one', async () => {
  const { place, head } = await github();
  place.fake.runs.push(planRun(11, head));
  const merged = { merged_at: '2026-11-21T00:00:00Z', base: { ref: 'main' }, head: { sha: head, ref: 'topic' } };
  place.fake.requests.push(other({ ...merged, merge_commit_sha: 'e'.repeat(40) }));
  expect((await find(place, head)).result).toBe('success');
  place.fake.requests.push(other({ ...merged, number: 9, merge_commit_sha: head }));
  expect((await find(place, head)).said).toContain('more than one pull request was merged as');
});

test('GitHub: what is no name of a workflow is asked for nowhere', async () => {
  const { place, head } = await github();
  const env = { ...place.env, GITHUB_API_URL: place.fake.url, GITHUB_REPOSITORY: 'o/r', GITHUB_SHA: head };
  const script = `node "${place.action}/ci/find.mjs" plan ../../workflows/evil.yml ""`;
  const { code, said } = await bash(script, { cwd: place.action, env: { ...env, GITHUB_TOKEN: place.token } });
  expect([code, said]).toEqual([1, expect.stringContaining('must be the name of a file in .github/workflows')]);
  expect(place.fake.asked).toEqual([]);
});

test('GitHub: an old apply that is started again after a newer one takes no plan', async () => {
  const { place, head } = await github();
  const applied = { path: '.github/workflows/apply.yml', event: 'push', head_branch: 'main' };
  place.fake.runs.push(planRun(11, head), planRun(30, 'd'.repeat(40), applied));
  const old = await find(place, head, 20);
  expect([old.result, old.said]).toEqual([
    'failure',
    expect.stringContaining('run 30 of apply.yml has succeeded since'),
  ]);
  expect((await find(place, head, 31)).result).toBe('success');
});

/** Applies by the jobs of `gate` and `apply`; what `between` does happens while a person reads. */
async function applied(place: Site, sha: string, between: () => void = () => {}) {
  const found = {
    outputs: { run: '11', approved: `commit=${sha} base=main workflow=plan.yml request=7 run=11` },
  };
  const gate = await runJob(place, 'apply.yml', 'gate', { ...pushed(sha), needs: { find: found } });
  between();
  const secrets = { CHATFORM_TOKEN: TOKENS.write };
  const done = await runJob(place, 'apply.yml', 'apply', {
    ...pushed(sha),
    needs: { gate: { outputs: outputsOf('gate.yml', { find: found, gate }) } },
    secrets,
  });
  return { gate, done };
}

/** The file that the job of the request leaves. */
async function planned(place: Site, head: string, base = 'main') {
  const occasion = {
    event: 'pull_request',
    ref: 'refs/pull/7/merge',
    base,
    sha: head,
    payload: { pull_request: { number: 7, head: { sha: head, repo: { full_name: 'o/r' } } } },
    run: 11,
    secrets: { CHATFORM_READ_TOKEN: TOKENS.read },
  };
  const { result, said } = await runJob(place, 'plan.yml', 'plan', occasion);
  expect([result, said]).toEqual(['success', said]);
  return join(place.artifact(11, 'plans'), 'plans/production.json');
}

/** Applies the three groups, so that the ledger owns them. */
async function begun(place: Site, main: string): Promise<void> {
  place.fake.head = main;
  await planned(place, main);
  const { done } = await applied(place, main);
  expect([done.result, done.said]).toEqual(['success', done.said]);
}

/** Writes a plan with members of the forger's choice, and the digests that it and its folder then have. Returns that of the folder. */
function forge(file: string, change: (saved: Record<string, unknown>) => object): string {
  const saved = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const text = forged({ ...saved, ...change(saved) });
  writeFileSync(file, text);
  const results = join(file, '../../targets.json');
  const report = JSON.parse(readFileSync(results, 'utf8'));
  report.summary.digest = digestOfPlans(new Map([['production', JSON.parse(text).digest as string]]));
  writeFileSync(results, JSON.stringify(report));
  return report.summary.digest;
}

test('A forged acknowledgement lets no guard go, and the gate shows it; nor is a file applied that was swapped after that, or destroys', async () => {
  const { place, head, main } = await github();
  await begun(place, main);
  place.fake.head = head;
  const file = await planned(place, head);
  const whole = forge(file, ({ plan }) => {
    const { withheld } = plan as {
      readonly withheld: readonly { readonly guard: string; readonly addresses: unknown }[];
    };
    expect(withheld.map(({ guard }) => guard)).toEqual(['max_delete_percent', 'most-of-kind']);
    return {
      acknowledged: { given: ['deletes'], vetoes: withheld.map(({ guard, addresses }) => ({ guard, addresses })) },
    };
  });
  const { gate, done } = await applied(place, head);
  expect([gate.result, gate.said]).toEqual(['success', gate.said]);
  for (const text of [whole, 'max_delete_percent']) expect(gate.summary).toContain(text);
  for (const text of ['Acknowledged when it was made: deletes', 'request 7']) expect(gate.said).toContain(text);
  expect(gate.outputs).toEqual({ digest: whole });
  expect([done.result, done.said]).toEqual(['failure', expect.stringContaining('ended with 3, the worst')]);
  expect(done.said).toContain('max_delete_percent');
  expect(JSON.stringify(place.emulator.snapshot().tables.groups)).not.toContain('"deleted":true');
  expect(place.kept('production.ndjson')).not.toContain('"forgotten"');

  const swapped = await applied(place, head, () => forge(file, () => ({ effects: [] })));
  expect(swapped.done).toMatchObject({
    result: 'failure',
    said: expect.stringMatching(/has the digest \w{64}, and \w{64} was approved/),
  });
  forge(file, ({ plan }) => ({ plan: { ...(plan as object), destroys: { adopted: true, kept: [] } } }));
  expect((await applied(place, head)).done).toMatchObject({
    result: 'failure',
    said: expect.stringContaining('is a plan of a destroy'),
  });
});

test('A plan of another base is not applied, nor one that does not say what it is of', async () => {
  const { place, head } = await github();
  const file = await planned(place, head, 'unprotected');
  const said = async () => (await applied(place, head)).done.said;
  expect(await said()).toMatch(/is a plan of base unprotected, and the approved one is of base main/);
  forge(file, () => ({ origin: undefined }));
  expect(await said()).toContain('does not say its commit');
  expect(JSON.stringify(place.emulator.snapshot())).not.toContain('Older');
});

const PIPELINE = { id: 11, project_id: 77, source: 'merge_request_event', ref: 'refs/merge-requests/7/head' };

async function gitlab() {
  const place = await site(fakeGitlab);
  const main = place.commit({ 'manifest.yaml': BEFORE });
  const head = place.commit({ 'manifest.yaml': manifest('Sales') }, [main]);
  place.fake.head = head;
  place.fake.merged = head;
  const folder = place.artifact(110, 'plan');
  const job = { id: 110, name: 'plan', commit: {}, pipeline: { sha: head }, folder };
  return { place, head, job };
}

const gate = (place: Site, sha: string, branch = 'main'): Promise<GitlabDone> =>
  runGitlabJob(place, 'gate', { sha, job: 190, CI_PIPELINE_ID: 20, CI_COMMIT_BRANCH: branch });

const NOT_TAKEN: readonly { readonly name: string; readonly more?: Json; readonly ofJob?: Json }[] = [
  { name: 'of another request with the same head', more: { ref: 'refs/merge-requests/8/head' } },
  { name: 'that a person started on the branch, with variables', more: { source: 'web', ref: 'topic' } },
  { name: 'that says it is of the request, and was started by hand', more: { source: 'api' } },
  { name: 'of a fork', more: { project_id: 78 } },
  { name: 'of another commit', ofJob: { pipeline: { sha: 'a'.repeat(40) } } },
  { name: 'without the job of the plan', ofJob: { name: 'evil' } },
];

test.each(NOT_TAKEN)('GitLab: a pipeline $name is not taken', async ({ more, ofJob }) => {
  const { place, head, job } = await gitlab();
  place.fake.runs.push({ ...PIPELINE, ...more, jobs: [{ ...job, ...ofJob }] });
  const { code, said } = await gate(place, head);
  expect([code, said]).toEqual([1, expect.stringContaining('merge request 7 has no plan of this project')]);
});

test('GitLab: the plan of a request of a fork is not taken, also where a pipeline of this project made it', async () => {
  const { place, head, job } = await gitlab();
  place.fake.source = 'stranger:topic';
  place.fake.runs.push({ ...PIPELINE, jobs: [job] });
  const { code, said } = await gate(place, head);
  expect([code, said]).toEqual([1, expect.stringContaining('merge request 7 is of a fork, whose plan is not applied')]);
});

test('GitLab: the pipeline of a merged result whose base is no part of the branch is not taken', async () => {
  const { place, head, job } = await gitlab();
  const [evil, main] = ['e'.repeat(40), 'b'.repeat(40)];
  const merged = (base: string, reviewed = head) => ({
    ...job,
    commit: { parent_ids: [base, reviewed] },
    pipeline: { sha: 'f'.repeat(40) },
  });
  place.fake.ancestors.add(main);
  place.fake.runs.push({ ...PIPELINE, ref: 'refs/merge-requests/7/merge', jobs: [merged(evil)] });
  place.fake.runs.push({ ...PIPELINE, id: 12, ref: 'refs/merge-requests/7/merge', jobs: [merged(main, evil)] });
  expect((await gate(place, head)).said).toContain('has no plan of this project');
  place.fake.runs.push({ ...PIPELINE, id: 10, ref: 'refs/merge-requests/7/merge', jobs: [merged(main)] });
  // It is found, and its file is no report.
  writeFileSync(join(job.folder, 'targets.json'), '{}');
  expect((await gate(place, head)).said).toContain('targets.json is no report of a plan');
});

test('GitLab: a request that was merged as the same commit into another branch is not the approved one', async () => {
  const { place, head } = await gitlab();
  const evil = { iid: 8, state: 'merged', sha: head, target_branch: 'unprotected', source_project_id: 77 };
  place.fake.requests.push(evil);
  expect((await gate(place, head)).said).toContain('merge request 7 has no plan');
  expect((await gate(place, head, 'other')).said).toContain(`no merge request was merged as ${head} into other`);
});

test('GitLab: of two requests that were merged as the commit, neither is the approved one', async () => {
  const { place, head } = await gitlab();
  const same = { iid: 8, sha: head, target_branch: 'main', source_project_id: 77 };
  place.fake.requests.push({ ...same, state: 'closed' }, { ...same, state: 'merged', sha: 'e'.repeat(40) });
  expect((await gate(place, head)).said).toContain('merge request 7 has no plan');
  place.fake.requests.push({ ...same, state: 'merged' });
  expect((await gate(place, head)).said).toContain('more than one merge request was merged as');
});
