// examples/ci/gitlab/.gitlab-ci.yml with the components that it includes, their lines run against an emulator, a fake of GitLab and a real git
// repository, from a merge request to its apply.

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callByHand } from '../laws/edits.ts';
import { fakeGitlab } from '../outlets/hosts/fake.ts';
import { type GitlabDone, jobsOf, runGitlabJob } from './gitlab-job.ts';
import { git, LEDGERS, listening, manifest, PROJECT, type Site, site, TOKENS } from './site.ts';

const PLAN_JOB = 110;

async function begun({ isBuilt = false } = {}) {
  const place = await site(fakeGitlab, { isBuilt });
  const main = place.commit({ 'manifest.yaml': manifest('Sales') });
  git(place.remote, 'update-ref', 'refs/heads/main', main);
  const requestedWith = (files: Readonly<Record<string, string>>): string => {
    place.fake.head = place.commit(files, [main]);
    return place.fake.head;
  };
  return { place, head: requestedWith({ 'manifest.yaml': manifest('Sales', 'Support') }), requestedWith };
}

function plan(place: Site, head: string): Promise<GitlabDone> {
  return runGitlabJob(place, 'plan', {
    sha: head,
    job: PLAN_JOB,
    CI_PIPELINE_ID: 11,
    CI_MERGE_REQUEST_IID: 7,
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    CI_DEFAULT_BRANCH: 'main',
    CHATFORM_TOKEN: TOKENS.read,
  });
}

const OF_REQUEST = { source: 'merge_request_event', ref: 'refs/merge-requests/7/head' };

/** The request is merged as the commit that was reviewed; a plan of a fork and an older one stand beside it. */
function merge({ fake, artifact }: Site, head: string): void {
  fake.merged = head;
  const folder = artifact(PLAN_JOB, 'plan');
  fake.runs.push(
    { id: 12, project_id: 78, ...OF_REQUEST, jobs: [{ id: 120, name: 'plan', commit: {}, pipeline: { sha: head } }] },
    {
      id: 11,
      project_id: 77,
      ...OF_REQUEST,
      jobs: [{ id: PLAN_JOB, name: 'plan', commit: {}, pipeline: { sha: head }, folder }],
    },
    {
      id: 10,
      project_id: 77,
      ...OF_REQUEST,
      jobs: [{ id: 100, name: 'plan', commit: {}, pipeline: { sha: 'a'.repeat(40) } }],
    },
  );
}

const ON_MAIN = { CI_PIPELINE_ID: 20, CI_COMMIT_BRANCH: 'main' };

/** What the job `gate` leaves is applied, if there is anything. */
async function apply(place: Site, head: string, job = 200): Promise<GitlabDone> {
  const shown = await runGitlabJob(place, 'gate', { sha: head, job: job - 1, ...ON_MAIN });
  if (shown.code !== 0) return shown;
  expect(shown.said).toContain('approved/plans/production.json: a plan of production');
  return runGitlabJob(place, 'apply', {
    sha: head,
    job,
    needed: job - 1,
    ...ON_MAIN,
    CHATFORM_TOKEN: TOKENS.write,
    LEDGER_PUSH_TOKEN: 'push-token',
  });
}

function expectEnd({ code, said }: GitlabDone, expected: number): void {
  expect([code, said]).toEqual([expected, said]);
}

test('A request is planned and commented on; merged, the plan that was approved is applied; then the license is watched', async () => {
  const { place, head } = await begun({ isBuilt: true });
  const { fake } = place;
  expectEnd(await plan(place, head), 0);
  expect(fake.comments.at(-1)?.body).toContain('group/support');
  // The role Reporter may not label.
  expect([...fake.labels]).toEqual([]);
  const counts = JSON.parse(readFileSync(join(place.artifact(PLAN_JOB, 'plan'), 'terraform.json'), 'utf8'));
  expect(counts).toMatchObject({ create: 2 });

  merge(place, head);
  expectEnd(await apply(place, head), 0);
  expect(fake.comments.map(({ body }) => body)).toEqual([expect.stringContaining('state=applied')]);
  expect(place.kept('production.ndjson')).toContain('"group/support"');
  expect(git(place.remote, 'ls-tree', '--name-only', `refs/heads/${LEDGERS}`)).toBe('production.ndjson');

  await callByHand(place.emulator, 'update_group', { id: 1, name: 'Sale' });
  const look = { sha: head, job: 300, CHATFORM_TOKEN: TOKENS.read };
  expectEnd(await runGitlabJob(place, 'drift', look), 2);
  expect(fake.complaints).toEqual([]);
});

test('The license moved since the plan was approved: nothing is applied, and the comment says failed', async () => {
  const { place, head } = await begun();
  await plan(place, head);
  merge(place, head);
  await callByHand(place.emulator, 'create_group', { name: 'Support', agent_priorities: {} });
  expectEnd(await apply(place, head), 5);
  expect(place.fake.comments.at(-1)?.body).toContain('state=failed');
  expect(place.kept('default.begun')).toBeNull();
});

test('A plan that cannot be made says why in the note, and a branch that names another service sends no token there', async () => {
  const { place, requestedWith } = await begun();
  const asked: string[] = [];
  const thief = await listening((url, response) => {
    asked.push(url);
    response.end('{}');
  });
  const variables = { CHATFORM_TOKEN: TOKENS.read, CHATFORM_BASE_URLS: place.service, CI_DEFAULT_BRANCH: 'main' };
  const planned = async (text: string, url: string): Promise<GitlabDone> => {
    const sha = requestedWith({ 'manifest.yaml': text, 'chatform.yaml': PROJECT(url) });
    return runGitlabJob(place, 'plan', { sha, job: 1, CI_PIPELINE_ID: 11, CI_MERGE_REQUEST_IID: 7, ...variables });
  };
  expectEnd(await planned('version: 1\ngroups: { sales: { nme: Sales } }\n', place.service), 1);
  expect(place.fake.comments.at(-1)?.body).toContain('nme');
  expectEnd(await planned(manifest('Sales'), thief), 1);
  expect(place.fake.comments.at(-1)?.body).toContain('which is not in CHATFORM_BASE_URLS');
  expect(asked).toEqual([]);
});

test('Nothing is applied that no request brought', async () => {
  const { place, head } = await begun();
  const { code, said } = await apply(place, head);
  expect([code, said]).toEqual([1, expect.stringContaining('no merge request was merged')]);
});

test('A fork is planned against the snapshot that the newest schedule left', async () => {
  const { place, head } = await begun();
  const taken = await runGitlabJob(place, 'snapshot', { sha: head, job: 400, CHATFORM_TOKEN: TOKENS.read });
  expectEnd(taken, 0);
  const snapshot = readFileSync(join(place.artifact(400, 'snapshot'), 'snapshot.json'));
  const asked: string[] = [];
  const project = await listening((url, response) => {
    asked.push(url);
    response.end(snapshot);
  });
  place.emulator.resetStats();
  const planned = await runGitlabJob(place, 'fork', {
    sha: head,
    job: 401,
    CI_MERGE_REQUEST_PROJECT_URL: `${project}/o/r`,
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
  });
  expectEnd(planned, 0);
  expect(planned.said).toContain('group/support');
  expect(asked).toEqual(['/o/r/-/jobs/artifacts/main/raw/snapshot.json?job=snapshot']);
  expect(place.emulator.stats()).toEqual({});
});

/** What a job may have in its environment; the names are those that GitLab and the template document. */
const JOB_TOKENS = {
  GITLAB_TOKEN: 'job-secret-1',
  CI_JOB_TOKEN: 'job-secret-2',
  CI_REGISTRY_PASSWORD: 'job-secret-3',
  CI_DEPENDENCY_PROXY_PASSWORD: 'job-secret-4',
  CI_DEPLOY_PASSWORD: 'job-secret-5',
  CI_REPOSITORY_URL: 'https://gitlab-ci-token:job-secret-6@gitlab.example/o/r.git',
  LEDGER_PUSH_TOKEN: 'job-secret-7',
};

test('chatform sees no token of the job, and that of the service, and npm sees none of the job', async () => {
  const { place, head } = await begun();
  const seen = place.room('seen');
  const keep = (name: string): string => `env > "${seen}/${name}-$1"\n`;
  writeFileSync(place.program('npm'), `#!/bin/sh\n${keep('npm')}`, { mode: 0o755 });
  writeFileSync(place.program('chatform'), `#!/bin/sh\nif [ "$1" = ci ]; then shift; fi\n${keep('chatform')}`, {
    mode: 0o755,
  });
  // What curl fetches is no part of this.
  writeFileSync(place.program('curl'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(place.artifact(199, 'gate'), 'approved.txt'), 'approved=run=1 digest=2\n');
  const tokens = { ...JOB_TOKENS, CHATFORM_TOKEN: 'dal:service', CI_DEFAULT_BRANCH: 'main', CHATFORM_DAILY: '--all' };
  for (const job of ['plan', 'fork', 'apply', 'daily', 'drift', 'page', 'snapshot']) {
    const needed = job === 'apply' ? { needed: 199 } : {};
    const done = await runGitlabJob(place, job, { sha: head, job: 200, ...needed, ...tokens });
    expect([job, done.code, done.said]).toEqual([job, 0, done.said]);
    const command = { fork: 'plan', daily: 'apply', page: 'show' }[job] ?? job;
    const environment = readFileSync(join(seen, `chatform-${command}`), 'utf8');
    expect([job, environment.match(/^.*job-secret.*$/gm)]).toEqual([job, null]);
    expect(environment).toContain('CHATFORM_TOKEN=dal:service');
    rmSync(join(seen, `chatform-${command}`));
  }
  expect(readFileSync(join(seen, 'npm-ci'), 'utf8')).not.toContain('job-secret');
  // Comments are written as the token of the project.
  expect(readFileSync(join(seen, 'chatform-comment'), 'utf8')).toContain('GITLAB_TOKEN=job-secret-1');
});

/** Of GitLab's reference of `.gitlab-ci.yml`, what these jobs have use for: a key that it does not know stops every pipeline. */
const KNOWN = {
  job: [
    'rules script before_script after_script variables timeout interruptible resource_group environment allow_failure',
    'artifacts cache image stage needs before_script',
  ],
  rules: ['if when'],
  artifacts: ['when expire_in paths reports'],
  reports: ['terraform codequality junit sarif'],
  cache: ['key paths when'],
};

test('It has no key that GitLab does not know', () => {
  const known = (of: keyof typeof KNOWN): readonly string[] => KNOWN[of].join(' ').split(' ');
  const keys = (value: object | undefined): readonly string[] => Object.keys(value ?? {});
  for (const job of Object.values(jobsOf())) {
    expect(known('job')).toEqual(expect.arrayContaining([...keys(job)]));
    for (const rule of job.rules ?? []) expect(known('rules')).toEqual(expect.arrayContaining([...keys(rule)]));
    expect(known('artifacts')).toEqual(expect.arrayContaining([...keys(job.artifacts)]));
    expect(known('reports')).toEqual(expect.arrayContaining([...keys(job.artifacts?.reports)]));
    expect(known('cache')).toEqual(expect.arrayContaining([...keys(job.cache)]));
  }
});

test('Every line parses; whoever plans gets a token that reads, and whoever applies waits for a person and for its turn', () => {
  const jobs = jobsOf();
  for (const { script, after_script = [], timeout, artifacts } of Object.values(jobs)) {
    expect(spawnSync('bash', ['-n'], { input: [...script, ...after_script].join('\n'), encoding: 'utf8' }).stderr).toBe(
      '',
    );
    expect(timeout).toMatch(/^\d+ minutes$/);
    expect(artifacts).toBeDefined();
  }
  // A variable of an environment is for the jobs that name it: these alone get the tokens that write.
  expect(
    Object.entries(jobs).flatMap(([name, { environment }]) => (environment === undefined ? [] : [[name, environment]])),
  ).toEqual([
    ['apply', 'production'],
    ['daily', 'production/daily'],
  ]);
  for (const [name, { variables }] of Object.entries(jobs))
    expect([name, variables?.['LEDGER_TOKEN']]).toEqual([
      name,
      ['apply', 'daily'].includes(name) ? '$LEDGER_PUSH_TOKEN' : '$CI_JOB_TOKEN',
    ]);
  for (const line of Object.values(jobs)
    .flatMap(({ script }) => script)
    .filter((each) => /\bchatform (plan|show|apply|drift|ci snapshot) /.test(each)))
    expect(line).toContain('without_tokens ');
  expect(jobs['apply']).toMatchObject({
    needs: ['gate'],
    rules: [{ when: 'manual' }],
    allow_failure: false,
    resource_group: 'production',
    environment: 'production',
    interruptible: false,
  });
  // An address of artifacts leads to the newest pipeline that succeeded, whatever jobs it has.
  expect(jobs['snapshot']).toMatchObject({
    stage: '.post',
    rules: [{ if: expect.stringContaining('"schedule"') }, { if: expect.stringContaining('"push"') }],
    resource_group: 'production',
    allow_failure: true,
  });
  expect(jobs['drift']).toMatchObject({ resource_group: 'production', allow_failure: { exit_codes: [2] } });
});
