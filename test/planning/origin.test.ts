// Origins of plans: what jobs of GitHub and GitLab say of themselves, and which approved plan a job may apply.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openProject } from '../../src/library/open.ts';
import type { PlanOrigin, SavedPlan } from '../../src/plan/saved/saved-plan.ts';
import { type Approval, approvalIn, originOf, swapped } from '../../src/planning/origin.ts';
import { folder, project } from '../cli/chatform.ts';

const [HEAD, MERGED] = ['a'.repeat(40), 'b'.repeat(40)];
const self = { user: 'ann', host: 'laptop', pid: 1 };

const GITHUB = {
  GITHUB_ACTIONS: 'true',
  GITHUB_REPOSITORY: 'o/r',
  GITHUB_REF: 'refs/pull/7/merge',
  GITHUB_REF_NAME: '7/merge',
  GITHUB_BASE_REF: 'main',
  GITHUB_SHA: MERGED,
  GITHUB_RUN_ID: '11',
  GITHUB_WORKFLOW_REF: 'o/r/.github/workflows/plan.yml@refs/pull/7/merge',
};

/** A push to main, as of a workflow that plans and applies in two jobs. */
const { GITHUB_BASE_REF: _, ...PUSHED } = GITHUB;
const ON_MAIN = { ...PUSHED, GITHUB_REF: 'refs/heads/main', GITHUB_REF_NAME: 'main' };

const ORIGIN: PlanOrigin = {
  ci: 'GitHub Actions',
  repository: 'o/r',
  commit: HEAD,
  base: 'main',
  workflow: 'plan.yml',
  request: '7',
  run: '11',
};

test('A job of GitHub says the head of its request, where the event has it', async () => {
  const event = join(await folder(), 'event.json');
  writeFileSync(event, JSON.stringify({ pull_request: { head: { sha: HEAD } } }));
  expect(await originOf({ env: { ...GITHUB, GITHUB_EVENT_PATH: event }, self })).toEqual(ORIGIN);
  const { commit: _, ...others } = ORIGIN;
  expect(await originOf({ env: GITHUB, self })).toEqual(others);
});

test('A job of GitLab says its merge request, and its branch otherwise', async () => {
  const env = {
    GITLAB_CI: 'true',
    CI_PROJECT_PATH: 'o/r',
    CI_COMMIT_SHA: MERGED,
    CI_JOB_NAME: 'plan',
    CI_PIPELINE_ID: '5',
  };
  const on = { ci: 'GitLab CI', repository: 'o/r', workflow: 'plan', run: '5' };
  expect(await originOf({ env: { ...env, CI_COMMIT_BRANCH: 'main' }, self })).toEqual({
    ...on,
    commit: MERGED,
    base: 'main',
  });
  const request = {
    CI_MERGE_REQUEST_IID: '7',
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: HEAD,
  };
  expect(await originOf({ env: { ...env, ...request }, self })).toEqual({
    ...on,
    commit: HEAD,
    base: 'main',
    request: '7',
  });
});

test('A person has no origin, and a member with white space or control characters is left out', async () => {
  expect(await originOf({ env: {}, self })).toBeNull();
  expect(await originOf({ env: { ...GITHUB, GITHUB_BASE_REF: 'main digest=x' }, self })).not.toHaveProperty('base');
});

/** Why a plan of this origin is refused; `undefined` is a file of an earlier version. */
function refused(origin: PlanOrigin | undefined, here: PlanOrigin | null, approval: Approval = {}, more: object = {}) {
  const saved = { digest: 'd1', plan: {}, ...(origin === undefined ? {} : { origin }), ...more } as SavedPlan;
  return swapped({ file: 'plan.json', saved }, here, approval, {});
}

describe('An approved plan', () => {
  const { request: _, ...onMain } = { ...ORIGIN, commit: MERGED, workflow: 'apply.yml', run: '20' };
  const APPROVED = { commit: HEAD, base: 'main', workflow: 'plan.yml', request: '7', run: '11', digest: 'd1' };

  test('is applied by the job of the merge, by its own request, and by a person', () => {
    expect(refused(ORIGIN, onMain, APPROVED)).toBeNull();
    expect(refused(ORIGIN, ORIGIN)).toBeNull();
    expect(refused(ORIGIN, null)).toBeNull();
  });

  test.each(Object.keys(APPROVED) as (keyof Approval)[])('of another %s than the host says is refused', (member) => {
    const line = /^plan\.json is a plan of (\w+) .*, and the approved one is of \1 other$/;
    for (const here of [onMain, null]) expect(refused(ORIGIN, here, { ...APPROVED, [member]: 'other' })).toMatch(line);
  });

  test('of an earlier version says nothing of itself: it is applied, unless the host says what was approved', () => {
    expect(refused(undefined, onMain)).toBeNull();
    expect(refused(undefined, onMain, APPROVED)).toBe(
      `plan.json does not say its commit, and the approved plan is of commit ${HEAD}`,
    );
  });

  test.each([
    ['ci', { ...ORIGIN, ci: 'GitLab CI' }],
    ['repository', { ...ORIGIN, repository: 'o/other' }],
    ['base', { ...ORIGIN, base: 'unprotected' }],
    ['commit', { ...onMain, commit: HEAD }],
  ])('of another %s than that of the job is refused without a word of the host', (member, origin) => {
    expect(refused(origin, onMain)).toMatch(new RegExp(`^plan\\.json is a plan of ${member} .*, and this job is of`));
  });

  test('of another request is refused in the job of a request', () => {
    expect(refused({ ...ORIGIN, request: '8' }, ORIGIN)).toContain('is not a plan of request 7');
  });

  test('of a destroy is refused in CI, and left to the command of that name', () => {
    const destroy = { plan: { destroys: { adopted: false } } };
    expect(refused(ORIGIN, onMain, {}, destroy)).toContain('only `chatform destroy plan.json` applies it');
    expect(refused(ORIGIN, null, {}, destroy)).toBeNull();
  });
});

test('--approved takes what it knows, and one value of each', () => {
  expect(approvalIn(['base=main', 'run=11', 'run=11'])).toEqual({ base: 'main', run: '11' });
  for (const wrong of [['bass=main'], ['base='], ['base'], ['run=1', 'run=2']])
    expect(() => approvalIn(wrong)).toThrow('--approved');
});

test('The library applies no plan that the command would refuse: of another commit, of another target, or not the one that was approved', async () => {
  const there = '  there:\n    base_url: emulator:there.json\n    ledger: there.ndjson\n';
  const files = project();
  const cwd = await folder({ ...files, 'chatform.yaml': `${files['chatform.yaml']}${there}` });
  const job = async (name: string, commit: string) =>
    (await openProject(join(cwd, 'chatform.yaml'), { env: { ...ON_MAIN, GITHUB_SHA: commit }, self })).target(name);
  const { saved } = await (await job('here', HEAD)).plan();
  const [own, later, other] = [await job('here', HEAD), await job('here', MERGED), await job('there', HEAD)];
  await expect(later.apply(saved)).rejects.toThrow(`the plan is a plan of commit ${HEAD}, and this job is of commit`);
  await expect(other.apply(saved)).rejects.toThrow('the plan is a plan of target here, and this is there');
  await expect(own.apply(saved, { approved: { digest: 'other' } })).rejects.toThrow(
    'and the approved one is of digest',
  );
  const { report } = await own.apply(saved, { approved: { digest: saved.digest, commit: HEAD } });
  expect(report.outcome).toBe('done');
});
