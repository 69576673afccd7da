// The workflows of examples/ci/github with those that they call and ci/action, run step by step against an emulator, a fake of GitHub and a real git
// repository: what a team sees from a pull request to its apply, and what a stranger, a moved license and two runs at once come to.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callByHand } from '../laws/edits.ts';
import { fakeGithub, planRun } from '../outlets/hosts/fake.ts';
import { type Done, type Occasion, outputsOf, runJob } from './github-job.ts';
import { git, LEDGERS, listening, manifest, PROJECT, type Site, site, TOKENS } from './site.ts';

const READ = { CHATFORM_READ_TOKEN: TOKENS.read };
const WRITE = { CHATFORM_TOKEN: TOKENS.write };
const PLAN_RUN = 11;

/** A repository whose main branch declares one group, and a request that declares another one as well. */
async function begun({ isBuilt = false } = {}) {
  const place = await site(fakeGithub, { isBuilt });
  const main = place.commit({ 'manifest.yaml': manifest('Sales') });
  git(place.remote, 'update-ref', 'refs/heads/main', main);
  const requestedWith = (files: Readonly<Record<string, string>>): string => {
    place.fake.head = place.commit(files, [main]);
    return place.fake.head;
  };
  const head = requestedWith({ 'manifest.yaml': manifest('Sales', 'Support') });
  place.fake.labels.add('chatform/all targets/no-changes');
  return { place, head, requestedWith };
}

const requested = (head: string, from = 'o/r'): Pick<Occasion, 'event' | 'ref' | 'base' | 'sha' | 'payload'> => ({
  event: 'pull_request',
  ref: 'refs/pull/7/merge',
  base: 'main',
  sha: head,
  payload: { pull_request: { number: 7, head: { sha: head, repo: { full_name: from } } } },
});

type More = Pick<Occasion, 'vars'>;

function plan(place: Site, head: string, run = PLAN_RUN, more: More = {}): Promise<Done> {
  return runJob(place, 'plan.yml', 'plan', { ...requested(head), run, secrets: READ, ...more });
}

/** The request is merged as the commit that was reviewed. */
function merge({ fake }: Site, head: string): void {
  fake.merged = head;
  // What must not be taken: an older plan, one of a fork that has the same commit, one of another branch, one that failed.
  fake.runs.push(
    planRun(PLAN_RUN - 1, head),
    planRun(PLAN_RUN, head),
    planRun(PLAN_RUN + 1, head, { head_repository: { full_name: 'stranger/r' } }),
    planRun(PLAN_RUN + 2, head, { head_branch: 'other' }),
    planRun(PLAN_RUN + 3, head, { conclusion: 'failure' }),
  );
}

const pushed = (sha: string, run: number) => ({ event: 'push', payload: {}, ref: 'refs/heads/main', sha, run });

function find(place: Site, sha: string, run = 20): Promise<Done> {
  return runJob(place, 'apply.yml', 'find', pushed(sha, run));
}

/** What `find` says of the plans of the request, and `gate` of their folder. */
async function gated(place: Site, occasion: Omit<Occasion, 'needs'>, planned: object, run = PLAN_RUN) {
  const approved = Object.entries(planned)
    .map((each) => each.join('='))
    .join(' ');
  const find = { outputs: { run: String(run), approved } };
  const gate = await runJob(place, 'apply.yml', 'gate', { ...occasion, needs: { find } });
  return { gate: { outputs: outputsOf('gate.yml', { find, gate }) } };
}

async function apply(place: Site, sha: string, run = 20, more: More = {}): Promise<Done> {
  const planned = { commit: place.fake.head, base: 'main', workflow: 'plan.yml', request: 7, run: PLAN_RUN };
  const needs = await gated(place, pushed(sha, run), planned);
  return runJob(place, 'apply.yml', 'apply', { ...pushed(sha, run), needs, secrets: { ...READ, ...WRITE }, ...more });
}

/** Everything that the license has, as text. */
const license = ({ emulator }: Site): string => JSON.stringify(emulator.snapshot());

function expectEnd({ result, said }: Done, expected: Done['result']): void {
  expect([result, said]).toEqual([expected, said]);
}

test('A request is planned, commented on and labelled; merged, the plan that was approved is applied; then the license is watched', async () => {
  const { place, head } = await begun({ isBuilt: true });
  const { fake } = place;
  const planned = await plan(place, head);
  expectEnd(planned, 'success');
  expect(fake.comments.at(-1)?.body).toContain('group/support');
  expect([...fake.labels]).toEqual(['chatform/all targets/add-or-update']);
  expect(planned.summary).toContain('group/support');
  expect(license(place)).not.toContain('Sales');

  merge(place, head);
  const found = await find(place, head);
  expectEnd(found, 'success');
  expect(found.outputs).toEqual({
    run: String(PLAN_RUN),
    approved: `commit=${head} base=main workflow=plan.yml request=7 run=${PLAN_RUN}`,
  });
  const applied = await apply(place, head);
  expectEnd(applied, 'success');
  for (const group of ['Sales', 'Support']) expect(license(place)).toContain(group);
  expect(fake.comments).toHaveLength(1);
  expect(fake.comments[0]?.body).toContain('state=applied');
  expect(place.kept('production.ndjson')).toContain('"group/support"');
  expect(place.kept('default.begun')).toBeNull();
  expect(git(place.remote, 'ls-tree', '--name-only', `refs/heads/${LEDGERS}`)).toBe('production.ndjson');
  expect(readFileSync(join(place.artifact(20, 'ledger-1'), 'production.ndjson'), 'utf8')).toContain('"group/support"');

  const look = { event: 'schedule', payload: {}, ref: 'refs/heads/main', sha: head, secrets: READ };
  expectEnd(await runJob(place, 'watch.yml', 'drift', { ...look, run: 30 }), 'success');
  await callByHand(place.emulator, 'update_group', { id: 1, name: 'Sale' });
  const drifted = await runJob(place, 'watch.yml', 'drift', { ...look, run: 31 });
  expectEnd(drifted, 'failure');
  expect(drifted.said).toMatch(/::error title=chatform::the license has drifted/);
  expect(drifted.summary).toContain('group/sales');
  expect(fake.complaints).toEqual([]);
});

test('The license moved since the plan was approved: nothing is applied, the comment says failed, and a plan that a person names is', async () => {
  const { place, head } = await begun();
  await plan(place, head);
  merge(place, head);
  await callByHand(place.emulator, 'create_group', { name: 'Support', agent_priorities: {} });
  place.emulator.resetStats();
  const stopped = await apply(place, head);
  expectEnd(stopped, 'failure');
  expect(stopped.said).toMatch(/::error title=chatform::ended with 5, the worst of all targets/);
  expect(Object.keys(place.emulator.stats()).filter((action) => !/^(list|get)_/.test(action))).toEqual([]);
  expect(place.fake.comments.at(-1)?.body).toContain('state=failed');
  expect(place.kept('default.begun')).toBeNull();

  const anew = { event: 'workflow_dispatch', payload: {}, ref: 'refs/heads/main', sha: head };
  expectEnd(await runJob(place, 'plan.yml', 'plan', { ...anew, run: 40, secrets: READ }), 'success');
  expect(place.fake.comments.at(-1)?.body).toContain('adopt');
  place.fake.runs.push(
    planRun(40, head, { event: 'workflow_dispatch', head_branch: 'main' }),
    planRun(41, 'd'.repeat(40), { event: 'workflow_dispatch', head_branch: 'main' }),
  );
  for (const [asked, result] of [
    ['40', 'success'],
    ['41', 'failure'],
    [String(PLAN_RUN), 'failure'],
    ['40/../1', 'failure'],
  ] as const)
    expectEnd(await runJob(place, 'apply.yml', 'find', { ...anew, run: 42, inputs: { run: asked } }), result);
  const named = { commit: head, base: 'main', workflow: 'plan.yml', run: 40 };
  const needs = await gated(place, { ...anew, run: 43 }, named, 40);
  expectEnd(await runJob(place, 'apply.yml', 'apply', { ...anew, run: 43, needs, secrets: WRITE }), 'success');
  expect(place.fake.comments.at(-1)?.body).toContain('state=applied');
});

test('A branch that names another service sends no token there: the repository lists the addresses, for the plan and for its apply', async () => {
  const { place, requestedWith } = await begun();
  const asked: string[] = [];
  const thief = await listening((url, response) => {
    asked.push(url);
    response.end('{}');
  });
  const head = requestedWith({ 'manifest.yaml': manifest('Sales'), 'chatform.yaml': PROJECT(thief) });
  const vars = { CHATFORM_BASE_URLS: `https://api.example.com ${place.service}/` };
  const planned = await plan(place, head, PLAN_RUN, { vars });
  expectEnd(planned, 'failure');
  expect(place.fake.comments.at(-1)?.body).toContain('which is not in CHATFORM_BASE_URLS');
  const honest = requestedWith({ 'manifest.yaml': manifest('Sales', 'Help') });
  expectEnd(await plan(place, honest, PLAN_RUN, { vars }), 'success');
  merge(place, honest);
  expectEnd(await apply(place, honest, 20, { vars }), 'success');
  expect(license(place)).toContain('Help');
  expect(asked).toEqual([]);
});

test('A plan that cannot be made says why where the request is read', async () => {
  const { place, requestedWith } = await begun();
  const head = requestedWith({ 'manifest.yaml': 'version: 1\ngroups: { sales: { nme: Sales } }\n' });
  const planned = await plan(place, head);
  expectEnd(planned, 'failure');
  for (const text of [place.fake.comments.at(-1)?.body, planned.summary]) expect(text).toContain('nme');
  expect(planned.said).toMatch(/::error .*file=manifest\.yaml.*nme/);
});

test('Without an approved plan nothing is applied: of a commit that no request brought, and of a request of a fork alone', async () => {
  const { place, head } = await begun();
  expect(await find(place, head)).toMatchObject({
    result: 'failure',
    said: expect.stringContaining('no pull request was merged'),
  });
  place.fake.merged = head;
  place.fake.runs.push(planRun(12, head, { head_repository: { full_name: 'stranger/r' } }));
  const none = await find(place, head);
  expectEnd(none, 'failure');
  expect(none.said).toContain('no plan of this repository');
});

test('After an apply that died with its machine the next one does nothing until a person has looked', async () => {
  const { place, head } = await begun();
  await plan(place, head);
  merge(place, head);
  const dead = place.room('dead');
  git(dead, 'clone', '--quiet', '--branch', LEDGERS, place.remote, '.');
  writeFileSync(join(dead, 'default.begun'), 'https://github.example/o/r/actions/runs/1\n');
  git(dead, 'add', '.');
  git(dead, 'commit', '--quiet', '-m', 'claim');
  git(dead, 'push', '--quiet', 'origin', LEDGERS);
  place.emulator.resetStats();
  const next = await apply(place, head);
  expectEnd(next, 'failure');
  expect(next.said).toContain('runs/1');
  expect(place.emulator.stats()).toEqual({});
  expect(place.fake.comments.at(-1)?.body).toContain('state=failed');
  const look = { event: 'schedule', payload: {}, ref: 'refs/heads/main', sha: head, secrets: READ, run: 30 };
  for (const [file, name] of [
    ['watch.yml', 'drift'],
    ['forks.yml', 'snapshot'],
  ] as const) {
    const looked = await runJob(place, file, name, look);
    expectEnd(looked, 'failure');
    expect(looked.said).toContain('a reading now would show half of an apply');
  }
  const warned = await plan(place, head, 31);
  expectEnd(warned, 'success');
  expect(warned.said).toMatch(/::warning .*runs\/1/);
});

test('A fork is planned without secrets, and a trusted job comments for it', async () => {
  const { place, head } = await begun();
  const { fake } = place;
  fake.source = 'stranger:topic';
  const main = { event: 'schedule', payload: {}, ref: 'refs/heads/main', sha: head };
  expectEnd(await runJob(place, 'forks.yml', 'snapshot', { ...main, run: 60, secrets: READ }), 'success');
  const snapshots = { path: '.github/workflows/forks.yml', event: 'schedule', head_branch: 'main' };
  fake.runs.push(
    planRun(59, head, snapshots),
    planRun(60, head, { ...snapshots, artifacts: [{ name: 'snapshot' }] }),
    // What must not be taken: a run that only commented, an artifact that is over, a run of a fork.
    planRun(63, head, { ...snapshots, event: 'workflow_run' }),
    planRun(64, head, { ...snapshots, artifacts: [{ name: 'snapshot', expired: true }] }),
    planRun(61, head, { ...snapshots, head_repository: { full_name: 'stranger/r' } }),
    planRun(66, head, { ...snapshots, event: 'pull_request' }),
  );
  place.emulator.resetStats();
  const own = { ...requested(head, 'stranger/r'), run: 62 };
  expectEnd(await runJob(place, 'plan.yml', 'plan', own), 'skipped');
  const planned = await runJob(place, 'plan.yml', 'fork', own);
  expectEnd(planned, 'success');
  expect(planned.summary).toContain('group/support');
  expect(place.emulator.stats()).toEqual({});
  expect(fake.comments).toEqual([]);

  const ended = {
    event: 'workflow_run',
    payload: {
      workflow_run: {
        id: 62,
        name: 'plan',
        event: 'pull_request',
        head_sha: head,
        head_branch: 'topic',
        head_repository: { full_name: 'stranger/r', owner: { login: 'stranger' } },
      },
    },
    ref: 'refs/heads/main',
    sha: 'f'.repeat(40),
  };
  const artifact = place.artifact(62, 'plan-of-fork');
  writeFileSync(join(artifact, 'chatform.yaml'), 'not read: [');
  expectEnd(await runJob(place, 'forks.yml', 'comment', { ...ended, run: 63 }), 'success');
  expect(fake.comments.map(({ body }) => body)).toEqual([expect.stringContaining('group/support')]);
  expect(fake.labels).toEqual(new Set(['chatform/all targets/no-changes']));

  writeFileSync(join(artifact, 'plan.json'), '{"request": 8, "::error::": "forged"}');
  expectEnd(await runJob(place, 'forks.yml', 'comment', { ...ended, run: 64 }), 'failure');
  expect(fake.comments).toHaveLength(1);

  rmSync(join(artifact, 'plan.json'));
  writeFileSync(
    join(artifact, 'printed.json'),
    '{"format_version": "1.0", "errored": true, "message": "the files have errors", "diagnostics": []}',
  );
  expectEnd(await runJob(place, 'forks.yml', 'comment', { ...ended, run: 65 }), 'success');
  expect(fake.comments.map(({ body }) => body)).toEqual([expect.stringContaining('the files have errors')]);
  expect(fake.complaints).toEqual([]);
});
