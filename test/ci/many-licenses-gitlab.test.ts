// The component of GitLab with the file that `init --ci gitlab` writes for two licenses, its lines run against two emulators, a fake of GitLab and a real git repository: one plan of what a request
// touches, one comment, one apply.

import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filledIn } from '../../src/features/init/pipeline.ts';
import { readTemplate } from '../../src/features/init/read-template.ts';
import { callByHand } from '../laws/edits.ts';
import { fakeGitlab } from '../outlets/hosts/fake.ts';
import { tries } from '../tries.ts';
import { type GitlabDone, jobsOf, runGitlabJob } from './gitlab-job.ts';
import { type Site, TOKENS } from './site.ts';
import { twoLicenses } from './two-licenses.ts';

const PIPELINE = jobsOf(
  filledIn(readTemplate('gitlab/gitlab-ci.yml'), {
    host: 'gitlab',
    from: 'OWNER/chatform@COMMIT',
    branch: 'main',
    folder: '.',
    targets: ['acme', 'bravo'],
    tokens: [],
    addresses: [],
  }),
);
const PLAN_JOB = 110;
const READ = { TOKEN_ACME: TOKENS.read, TOKEN_BRAVO: TOKENS.read };
const WRITE = { TOKEN_ACME: TOKENS.write, TOKEN_BRAVO: TOKENS.write };
const ON_MAIN = { CI_PIPELINE_ID: 20, CI_COMMIT_BRANCH: 'main' };

/** Plans the request. If the job succeeds and the request is merged, this is the plan that was approved. */
async function plan(place: Site, head: string, job = PLAN_JOB): Promise<GitlabDone> {
  const of = { CI_PIPELINE_ID: 11, CI_MERGE_REQUEST_IID: 7, CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' };
  const given = { sha: head, job, ...of, CI_DEFAULT_BRANCH: 'main', ...READ };
  const done = await runGitlabJob(place, 'plan', given, PIPELINE);
  place.fake.merged = head;
  const folder = place.artifact(job, 'plan');
  const jobs = [{ id: job, name: 'plan', commit: {}, pipeline: { sha: head }, folder }];
  const run = { id: 11, project_id: 77, source: 'merge_request_event', ref: 'refs/merge-requests/7/head' };
  place.fake.runs.splice(0, 1, { ...run, jobs: done.code === 0 ? jobs : [] });
  return done;
}

const gate = (place: Site, sha: string): Promise<GitlabDone> =>
  runGitlabJob(place, 'gate', { sha, job: 199, ...ON_MAIN }, PIPELINE);

const apply = (place: Site, sha: string): Promise<GitlabDone> =>
  runGitlabJob(
    place,
    'apply',
    { sha, job: 200, needed: 199, ...ON_MAIN, ...WRITE, LEDGER_PUSH_TOKEN: 'push-token' },
    PIPELINE,
  );

function expectEnd({ code, said }: GitlabDone, expected: number): void {
  expect([code, said]).toEqual([expected, said]);
}

const inArtifact = (place: Site, job: number, name: string, file: string): string =>
  join(place.artifact(job, name), file);

/** Changes a JSON file that a job left, as a person who may push can. */
function edit(file: string, change: (content: Record<string, unknown>) => void): void {
  const content = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  change(content);
  writeFileSync(file, JSON.stringify(content));
}

test('GitLab: one job plans what a request touches and comments once; merged, one job applies it, and one looks for drift', async () => {
  const { place, other, requested } = await twoLicenses(fakeGitlab);
  const { fake } = place;
  const head = requested('A', 'Bravo');
  expectEnd(await plan(place, head), 0);
  expect(fake.comments).toHaveLength(1);
  expect(fake.comments[0]?.body).toMatch(/\n### Plan of 1 target: changes\n/);
  expect(fake.comments[0]?.body).toContain('Touched by what changed since `origin/main`: 1 of 2 targets.');

  const shown = await gate(place, head);
  expectEnd(shown, 0);
  expect(shown.said).toContain('approved/plans/bravo.json: a plan of bravo');
  expect(shown.said).not.toContain('could not be updated');
  const { summary } = JSON.parse(readFileSync(inArtifact(place, 199, 'gate', 'approved/targets.json'), 'utf8'));
  expect(readFileSync(inArtifact(place, 199, 'gate', 'approved.txt'), 'utf8')).toBe(
    `run=11\nrequest=7\napproved=commit=${head} base=main workflow=plan request=7 run=11 digest=${summary.digest}\n`,
  );
  expectEnd(await apply(place, head), 0);
  expect(JSON.stringify(other.snapshot())).toContain('Bravo');
  expect(JSON.stringify(place.emulator.snapshot())).not.toContain('Sales');
  expect(fake.comments).toHaveLength(1);
  expect(fake.comments[0]?.body).toContain('## Plan of 1 target: applied (changes)');
  expect(place.kept('bravo.ndjson')).toContain('"group/own"');
  expect(place.kept('default.begun')).toBeNull();

  await callByHand(other, 'update_group', { id: 1, name: 'Brave' });
  const look = { sha: head, job: 300, CI_PIPELINE_ID: 30, ...READ };
  const drift = await runGitlabJob(place, 'drift', look, PIPELINE);
  expect(drift.code).not.toBe(0);
  expect(drift.said).toMatch(/bravo.* drift/);
  expect(fake.complaints).toEqual([]);
});

test('GitLab: all licenses whose plans were approved are applied, under one digest', async () => {
  const { place, other, requested } = await twoLicenses(fakeGitlab);
  const head = requested('Acme', 'Bravo');
  expectEnd(await plan(place, head), 0);
  expectEnd(await gate(place, head), 0);
  expectEnd(await apply(place, head), 0);
  for (const [name, emulator] of Object.entries({ Acme: place.emulator, Bravo: other }))
    expect(JSON.stringify(emulator.snapshot())).toContain(name);
  expect(place.fake.comments[0]?.body).toContain('## Plans of 2 targets: applied');
});

test('GitLab: a request that touches no license says so, and its apply has nothing to do', async () => {
  const { place, requested } = await twoLicenses(fakeGitlab);
  const head = requested('A', 'B', { 'read.md': 'Read me.' });
  expectEnd(await plan(place, head), 0);
  expect(place.fake.comments[0]?.body).toContain('No target is touched by what changed since `origin/main`.');
  expectEnd(await gate(place, head), 0);
  const applied = await apply(place, head);
  expectEnd(applied, 0);
  expect(applied.said).toContain('nothing to apply');
  expect(place.fake.comments).toHaveLength(1);
});

test('GitLab: where one license has no plan, the job fails, the comment says why, and no plan is applied', async () => {
  const { place, other, requested } = await twoLicenses(fakeGitlab);
  const head = requested('A: {', 'Bravo');
  expectEnd(await plan(place, head), 1);
  expect(place.fake.comments[0]?.body).toMatch(/## Plans of 2 targets: changes; 1 target without a plan\n/);
  expect(place.fake.comments[0]?.body).toMatch(/\*\*error\*\* .*acme\.yaml:1/);
  const { code, said } = await gate(place, head);
  expect([code, said]).toEqual([1, expect.stringContaining('merge request 7 has no plan of this project')]);
  expect(JSON.stringify(other.snapshot())).not.toContain('Bravo');
});

test('GitLab: of two licenses one has changed since the approval: the other is applied, and the comment says failed', async () => {
  const { place, other, requested } = await twoLicenses(fakeGitlab);
  const head = requested('Acme', 'Bravo');
  await plan(place, head);
  await callByHand(other, 'create_group', { name: 'Bravo', agent_priorities: {} });
  expectEnd(await gate(place, head), 0);
  expectEnd(await apply(place, head), 5);
  expect(place.fake.comments[0]?.body).toContain('state=failed');
  expect(place.kept('acme.ndjson')).toContain('"group/own"');
  expect(place.kept('default.begun')).toBeNull();
});

const LEFT: readonly {
  readonly name: string;
  readonly change: (folder: string) => void;
  readonly says: string;
}[] = [
  {
    name: 'a missing plan',
    change: (folder) => rmSync(join(folder, 'plans/acme.json')),
    says: 'plans/acme.json of job 110 could not be read',
  },
  {
    name: 'a plan of another digest',
    change: (folder) =>
      edit(join(folder, 'plans/acme.json'), (saved) => {
        saved['digest'] = 'a'.repeat(64);
      }),
    says: 'and its targets.json says',
  },
  {
    name: 'a plan that was changed after it was written',
    change: (folder) =>
      edit(join(folder, 'plans/acme.json'), (saved) => {
        saved['effects'] = [];
      }),
    says: 'was changed after it was written',
  },
  {
    name: 'a report without one of the targets',
    change: (folder) =>
      edit(join(folder, 'targets.json'), (report) => {
        report['targets'] = (report['targets'] as readonly unknown[]).slice(1);
      }),
    says: 'and its targets.json says',
  },
  {
    name: 'a report without targets, and with a digest',
    change: (folder) =>
      edit(join(folder, 'targets.json'), (report) => {
        report['targets'] = [];
      }),
    says: 'have the digest null',
  },
  {
    name: 'the plan of another target',
    change: (folder) =>
      writeFileSync(join(folder, 'plans/acme.json'), readFileSync(join(folder, 'plans/bravo.json'), 'utf8')),
    says: 'plans/acme.json is no saved plan of target acme',
  },
  {
    name: 'a report of an apply',
    change: (folder) =>
      edit(join(folder, 'targets.json'), (report) => {
        report['command'] = 'apply';
      }),
    says: 'targets.json is no report of a plan',
  },
  {
    name: 'a report that is no JSON',
    change: (folder) => writeFileSync(join(folder, 'targets.json'), '{'),
    says: 'targets.json is no JSON',
  },
];

test('GitLab: what was changed in the folder of a plan stops the gate, and nothing is applied', async () => {
  const { place, requested } = await twoLicenses(fakeGitlab);
  const head = requested('Acme', 'Bravo');
  await plan(place, head);
  const folder = place.artifact(PLAN_JOB, 'plan');
  const kept = place.room('kept');
  cpSync(folder, kept, { recursive: true });
  for (const { name, change, says } of LEFT) {
    change(folder);
    const { code, said } = await gate(place, head);
    expect([name, code, said]).toEqual([name, 1, expect.stringContaining(says)]);
    rmSync(folder, { recursive: true });
    cpSync(kept, folder, { recursive: true });
  }
});

const NO_NAMES = ['../../evil', '', 7, '..', 'a/b', 'a%2fb', 'a?x', 'a\n', null].slice(0, tries(9, 3));

test('GitLab: a report leads to no other file and no other address by what it names as a target', async () => {
  const { place, requested } = await twoLicenses(fakeGitlab);
  const head = requested('A', 'Bravo');
  await plan(place, head);
  for (const name of NO_NAMES) {
    edit(inArtifact(place, PLAN_JOB, 'plan', 'targets.json'), (report) => {
      report['targets'] = [{ target: 'bravo' }, { target: name }];
    });
    place.fake.asked.length = 0;
    const { code, said, workspace } = await gate(place, head);
    expect([name, code, said]).toEqual([name, 1, expect.stringContaining('where the name of a target belongs')]);
    expect(place.fake.asked.filter((asked) => asked.includes('/artifacts/'))).toEqual([
      `GET /api/v4/projects/77/jobs/${PLAN_JOB}/artifacts/targets.json`,
    ]);
    expect(readdirSync(workspace)).not.toContain('approved');
  }
});

test('GitLab: plans that were swapped after the gate are not applied, nor one that was added', async () => {
  const { place, other, requested } = await twoLicenses(fakeGitlab);
  const head = requested('A', 'Bravo');
  await plan(place, head);
  await gate(place, head);
  await plan(place, requested('Acme', 'Brave'), PLAN_JOB + 1);
  for (const name of ['bravo', 'acme']) {
    const swapped = readFileSync(inArtifact(place, PLAN_JOB + 1, 'plan', `plans/${name}.json`));
    writeFileSync(inArtifact(place, 199, 'gate', `approved/plans/${name}.json`), swapped);
    const applied = await apply(place, head);
    expectEnd(applied, 1);
    expect(applied.said).toMatch(/has the digest \w{64}, and \w{64} was approved/);
  }
  expect(JSON.stringify(other.snapshot())).not.toContain('Brav');
  expect(place.kept('default.begun')).toBeNull();
});

test('GitLab: a plan of another commit in the folder is not applied', async () => {
  const { place, other, requested } = await twoLicenses(fakeGitlab);
  const head = requested('A', 'Bravo');
  const evil = requested('A', 'Brave');
  await plan(place, evil);
  // The job says that it planned what was merged.
  const [run] = place.fake.runs;
  const jobs = (run?.['jobs'] ?? []) as readonly object[];
  place.fake.runs.splice(0, 1, { ...run, jobs: jobs.map((job) => ({ ...job, pipeline: { sha: head } })) });
  place.fake.head = head;
  place.fake.merged = head;
  expectEnd(await gate(place, head), 0);
  const applied = await apply(place, head);
  expect(applied.code).not.toBe(0);
  expect(applied.said).toContain(`is a plan of commit ${evil}, and the approved one is of commit ${head}`);
  expect(JSON.stringify(other.snapshot())).not.toContain('Brav');
});

test('GitLab: a folder of plans that the repository has already stops the gate', async () => {
  const { place, requested } = await twoLicenses(fakeGitlab);
  const head = requested('A', 'Bravo', { 'approved/plans/acme.json': '{}' });
  await plan(place, head);
  const { code, said } = await gate(place, head);
  expect([code, said]).toEqual([1, expect.stringContaining('approved exists already')]);
});

test('GitLab: only the file of one license has jobs for forks', () => {
  expect(Object.keys(PIPELINE)).toEqual(['plan', 'gate', 'apply', 'daily', 'drift', 'page']);
  expect(Object.keys(jobsOf())).toEqual([...Object.keys(PIPELINE), 'fork', 'snapshot']);
});

const ON_SCHEDULE = { CI_PIPELINE_ID: 30, CI_COMMIT_BRANCH: 'main', ...READ };

test('GitLab: what drift checks saw is kept from run to run, and the nightly pages are an artifact', async () => {
  const { place, requested } = await twoLicenses(fakeGitlab);
  const sha = requested('A', 'B');
  expectEnd(await runGitlabJob(place, 'drift', { sha, job: 300, ...ON_SCHEDULE }, PIPELINE), 2);
  const again = await runGitlabJob(place, 'drift', { sha, job: 301, ...ON_SCHEDULE }, PIPELINE);
  expectEnd(again, 2);
  expect(readdirSync(join(again.workspace, 'sightings'))).toEqual(['acme.sightings.json', 'bravo.sightings.json']);
  expect(again.said).not.toContain('first check');
  await runGitlabJob(place, 'page', { sha, job: 302, ...ON_SCHEDULE }, PIPELINE);
  expect(readdirSync(join(place.artifact(302, 'page'), 'pages'))).toEqual(['acme.html', 'bravo.html', 'index.html']);
});

test('GitLab: the daily job applies what the variable names, and keeps its ledger', async () => {
  const { place, other, requested } = await twoLicenses(fakeGitlab);
  const sha = requested('A', 'B');
  await callByHand(other, 'create_group', { name: 'B', agent_priorities: {} });
  const given = { ...ON_SCHEDULE, ...WRITE, LEDGER_PUSH_TOKEN: 'push-token', CHATFORM_DAILY: '--all --only group/own' };
  expectEnd(await runGitlabJob(place, 'daily', { sha, job: 310, ...given }, PIPELINE), 0);
  expect(JSON.stringify(place.emulator.snapshot())).not.toContain('Sales');
  for (const name of ['acme', 'bravo']) expect(place.kept(`${name}.ndjson`)).toContain('"group/own"');
  expect(place.kept('default.begun')).toBeNull();
});
