// Attempts of a person who may push branches, and not approve, to have another plan applied than the one that was approved.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { digest } from '../../src/base/digest.ts';
import { fakeGithub, fakeGitlab } from '../outlets/hosts/fake.ts';
import { type Occasion, runJob } from './github-job.ts';
import { type GitlabDone, runGitlabJob } from './gitlab-job.ts';
import { manifest, type Site, site, TOKENS } from './site.ts';

const BEFORE = manifest('Sales', 'Old', 'Older');

type Json = Readonly<Record<string, unknown>>;

/** A license with three groups, of which the request removes two; the plan of the request is withheld. */
async function github() {
  const place = await site(fakeGithub);
  const main = place.commit({ 'manifest.yaml': BEFORE });
  const head = place.commit({ 'manifest.yaml': manifest('Sales') }, [main]);
  place.fake.head = head;
  place.fake.merged = head;
  return { place, head };
}

const pushed = (sha: string, run = 20): Omit<Occasion, 'needs'> => ({
  event: 'push',
  payload: {},
  ref: 'refs/heads/main',
  sha,
  run,
});

const run = (id: number, head: string, more: Json = {}): Json => ({
  id,
  path: '.github/workflows/plan.yml',
  event: 'pull_request',
  head_sha: head,
  head_branch: 'topic',
  created_at: '2026-11-20T12:00:00Z',
  conclusion: 'success',
  head_repository: { full_name: 'o/r' },
  ...more,
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
  place.fake.runs.push(run(11, head));
  place.fake.requests.push(other({ ...more, head: { sha: head, ref: 'topic' } }));
  const found = await find(place, head);
  expect([found.result, found.said]).toEqual([
    'failure',
    expect.stringContaining('pull request 8 has the same branch'),
  ]);
});

test('GitHub: the other request stood at the head when the run began, and was closed at another commit', async () => {
  const { place, head } = await github();
  place.fake.runs.push(run(11, head));
  const moved = { closed_at: '2026-11-20T13:00:00Z', head: { sha: 'e'.repeat(40), ref: 'topic' } };
  place.fake.requests.push(other(moved));
  expect(await find(place, head)).toMatchObject({ result: 'failure', said: expect.stringContaining('another base') });
});

test('GitHub: a request that had ended before, and one with the same base, change nothing', async () => {
  const { place, head } = await github();
  place.fake.runs.push(run(11, head));
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
    place.fake.runs.push(run(11, head));
    // More than a page of other events does not hide it.
    for (let index = 0; index < 4; index += 1) place.fake.timeline.push({ event: 'labeled' });
    place.fake.timeline.push({ event, created_at: '2026-11-20T13:00:00Z' });
    const found = await find(place, head);
    expect([found.result, found.said]).toEqual(['failure', expect.stringContaining('the base of pull request 7')]);
  },
);

test('GitHub: a request that was merged as the same commit into another branch is not the approved one', async () => {
  const { place, head } = await github();
  place.fake.runs.push(run(11, head));
  const merged = { merged_at: '2026-11-21T00:00:00Z', merge_commit_sha: head, head: { sha: head, ref: 'evil' } };
  place.fake.requests.push(other({ ...merged, closed_at: '2020-01-01T00:00:00Z' }));
  expect((await find(place, head)).said).toContain('pull request 8 has the same branch');
  // On the branch that only this request was merged into, nothing of it is taken.
  const evil = await find(place, head, 20, { ref: 'refs/heads/other' });
  expect(evil).toMatchObject({ result: 'failure', said: expect.stringContaining('no pull request was merged') });
});

test('GitHub: a run of another event, of another workflow or on another branch is not taken', async () => {
  const { place, head } = await github();
  place.fake.runs.push(
    run(12, head, { event: 'push' }),
    run(13, head, { path: '.github/workflows/evil.yml' }),
    run(14, head, { event: 'workflow_dispatch', head_branch: 'evil' }),
  );
  expect(await find(place, head)).toMatchObject({ said: expect.stringContaining('has no plan of this repository') });
  for (const asked of ['12', '13', '14'])
    expect(await find(place, head, 20, { event: 'workflow_dispatch', inputs: { run: asked } })).toMatchObject({
      result: 'failure',
      said: expect.stringContaining('is not a successful run of plan.yml that a person started on main'),
    });
});

test('GitHub: an old apply that is started again after a newer one takes no plan', async () => {
  const { place, head } = await github();
  const applied = { path: '.github/workflows/apply.yml', event: 'push', head_branch: 'main' };
  place.fake.runs.push(run(11, head), run(30, 'd'.repeat(40), applied));
  const old = await find(place, head, 20);
  expect([old.result, old.said]).toEqual([
    'failure',
    expect.stringContaining('run 30 of apply.yml has succeeded since'),
  ]);
  expect((await find(place, head, 31)).result).toBe('success');
});

/** Applies by the jobs of `gate` and `apply`; what `between` does happens while a person reads. */
async function applied(place: Site, sha: string, between: () => void = () => {}) {
  const needs = {
    find: { outputs: { run: '11', approved: `commit=${sha} base=main workflow=plan.yml request=7 run=11` } },
  };
  const gate = await runJob(place, 'apply.yml', 'gate', { ...pushed(sha), needs });
  between();
  const secrets = { CHATFORM_TOKEN: TOKENS.write };
  const done = await runJob(place, 'apply.yml', 'apply', {
    ...pushed(sha),
    needs: { ...needs, gate: { outputs: gate.outputs } },
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
  return join(place.artifact(11, 'plan-production'), 'plan.json');
}

/** Applies the three groups, so that the ledger owns them. */
async function begun(place: Site): Promise<void> {
  const main = place.commit({ 'manifest.yaml': BEFORE });
  place.fake.head = main;
  await planned(place, main);
  const { done } = await applied(place, main);
  expect([done.result, done.said]).toEqual(['success', done.said]);
}

/** Writes a file with members of the forger's choice, and the digest that they have. */
function forge(file: string, change: (saved: Record<string, unknown>) => object): void {
  const saved = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  // Members that JSON leaves out are not part of the digest.
  const { digest: _, ...content } = JSON.parse(JSON.stringify({ ...saved, ...change(saved) }));
  const { created_at: __, chatform_version: ___, plan, ...rest } = content;
  const { impact: ____, hours: _____, ...sealed } = plan;
  writeFileSync(file, JSON.stringify({ ...content, digest: digest({ ...rest, plan: sealed } as never) }));
}

test('A forged acknowledgement lets no guard go, and the gate shows it; nor is a file applied that was swapped after that, or destroys', async () => {
  const { place, head } = await github();
  await begun(place);
  place.fake.head = head;
  const file = await planned(place, head);
  forge(file, ({ plan }) => {
    const { withheld } = plan as {
      readonly withheld: readonly { readonly guard: string; readonly addresses: unknown }[];
    };
    expect(withheld.map(({ guard }) => guard)).toEqual(['max_delete_percent']);
    return {
      acknowledged: { given: ['deletes'], vetoes: withheld.map(({ guard, addresses }) => ({ guard, addresses })) },
    };
  });
  const { gate, done } = await applied(place, head);
  expect([gate.result, gate.said]).toEqual(['success', gate.said]);
  const { digest: whole } = JSON.parse(readFileSync(file, 'utf8'));
  for (const text of [whole, 'Acknowledged when it was made: deletes', 'max_delete_percent', 'request 7'])
    expect(gate.summary).toContain(text);
  expect(gate.outputs).toEqual({ digest: whole });
  expect([done.result, done.said]).toEqual(['failure', expect.stringContaining('withheld by a guard')]);
  for (const text of [whole.slice(0, 8), 'Acknowledged when it was made: deletes', 'max_delete_percent'])
    expect(done.said).toContain(text);
  expect(JSON.stringify(place.emulator.snapshot().tables.groups)).not.toContain('"deleted":true');
  expect(place.kept('production.ndjson')).not.toContain('"forgotten"');

  const swapped = await applied(place, head, () => forge(file, () => ({ effects: [] })));
  expect(swapped.done).toMatchObject({
    result: 'failure',
    said: expect.stringMatching(/is a plan of digest .* approved one is of digest/),
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
  const file = join(place.artifact(110, 'plan'), 'plan.json');
  const job = { id: 110, name: 'plan', commit: {}, pipeline: { sha: head }, file };
  return { place, head, job };
}

const gate = (place: Site, sha: string, branch = 'main'): Promise<GitlabDone> =>
  runGitlabJob(place, 'gate', { sha, job: 190, CI_PIPELINE_ID: 20, CI_COMMIT_BRANCH: branch });

test.each([
  ['of another request with the same head', { ref: 'refs/merge-requests/8/head' }],
  ['that a person started on the branch, with variables', { source: 'web', ref: 'topic' }],
  ['that says it is of the request, and was started by hand', { source: 'api' }],
  ['of a fork', { project_id: 78 }],
])('GitLab: a pipeline %s is not taken', async (_, more) => {
  const { place, head, job } = await gitlab();
  place.fake.runs.push({ ...PIPELINE, ...more, jobs: [job] });
  const { code, said } = await gate(place, head);
  expect([code, said]).toEqual([1, expect.stringContaining('merge request 7 has no plan of this project')]);
});

test('GitLab: the pipeline of a merged result whose base is no part of the branch is not taken', async () => {
  const { place, head, job } = await gitlab();
  const [evil, main] = ['e'.repeat(40), 'b'.repeat(40)];
  const merged = (base: string) => ({
    ...job,
    commit: { parent_ids: [base, head] },
    pipeline: { sha: 'f'.repeat(40) },
  });
  place.fake.ancestors.add(main);
  place.fake.runs.push({ ...PIPELINE, ref: 'refs/merge-requests/7/merge', jobs: [merged(evil)] });
  expect((await gate(place, head)).said).toContain('has no plan of this project');
  place.fake.runs.push({ ...PIPELINE, id: 10, ref: 'refs/merge-requests/7/merge', jobs: [merged(main)] });
  // It is found, and its file is no plan.
  writeFileSync(job.file, '{}');
  expect((await gate(place, head)).said).toContain('approved.json is no saved plan');
});

test('GitLab: a request that was merged as the same commit into another branch is not the approved one', async () => {
  const { place, head } = await gitlab();
  const evil = { iid: 8, state: 'merged', sha: head, target_branch: 'unprotected', source_project_id: 77 };
  place.fake.requests.push(evil);
  expect((await gate(place, head)).said).toContain('merge request 7 has no plan');
  expect((await gate(place, head, 'other')).said).toContain(`no merge request was merged as ${head} into other`);
});
