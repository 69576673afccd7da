// Who started a run, from the environments of CI services and of a machine.

import { expect, test } from 'vitest';
import { startedBy } from '../../src/target/started-by.ts';

const self = { user: 'ann', host: 'build-7', pid: 4711 };
const SHA = '3f2a1b9c3f2a1b9c3f2a1b9c3f2a1b9c3f2a1b9c';

const by = (env: Readonly<Record<string, string>>) => startedBy({ env, self });

test('A person at a machine is the account and the machine', () => {
  expect(by({})).toEqual({ user: 'ann', host: 'build-7' });
});

const JOBS: readonly (readonly [ci: string, env: Readonly<Record<string, string>>, found: object])[] = [
  [
    'GitHub Actions',
    {
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTOR: 'bob',
      GITHUB_TRIGGERING_ACTOR: 'eve',
      GITHUB_REPOSITORY: 'acme/chat',
      GITHUB_SHA: SHA,
      GITHUB_REF: 'refs/heads/main',
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_RUN_ID: '77',
    },
    { actor: 'eve', repository: 'acme/chat', commit: SHA, job: 'https://github.example/acme/chat/actions/runs/77' },
  ],
  [
    'GitHub Actions',
    { GITHUB_ACTIONS: 'true', GITHUB_ACTOR: 'bob', GITHUB_SHA: SHA, GITHUB_REF: 'refs/pull/12/merge' },
    { actor: 'bob', request: '12' },
  ],
  [
    'GitLab CI',
    {
      GITLAB_CI: 'true',
      GITLAB_USER_LOGIN: 'bob',
      CI_PROJECT_PATH: 'acme/chat',
      CI_COMMIT_SHA: 'ffffffffff',
      CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: SHA,
      CI_MERGE_REQUEST_IID: '12',
      CI_JOB_URL: 'https://gitlab.example/acme/chat/-/jobs/5',
    },
    {
      actor: 'bob',
      repository: 'acme/chat',
      request: '12',
      commit: SHA,
      job: 'https://gitlab.example/acme/chat/-/jobs/5',
    },
  ],
  [
    'Jenkins',
    {
      JENKINS_URL: 'https://ci.example/',
      BUILD_URL: 'https://ci.example/job/chat/5/',
      JOB_NAME: 'chat/main',
      CHANGE_ID: '12',
      CHANGE_AUTHOR: 'bob',
      GIT_COMMIT: SHA,
    },
    { actor: 'bob', repository: 'chat/main', request: '12', commit: SHA, job: 'https://ci.example/job/chat/5/' },
  ],
  [
    'Azure Pipelines',
    {
      TF_BUILD: 'True',
      BUILD_REQUESTEDFOR: 'Bob B.',
      BUILD_REPOSITORY_NAME: 'chat',
      SYSTEM_PULLREQUEST_PULLREQUESTID: '12',
      BUILD_SOURCEVERSION: SHA,
      SYSTEM_COLLECTIONURI: 'https://dev.example/acme/',
      SYSTEM_TEAMPROJECT: 'Chat and more',
      BUILD_BUILDID: '5',
    },
    {
      actor: 'Bob B.',
      repository: 'chat',
      request: '12',
      commit: SHA,
      job: 'https://dev.example/acme/Chat%20and%20more/_build/results?buildId=5',
    },
  ],
  [
    'CircleCI',
    {
      CIRCLECI: 'true',
      CIRCLE_USERNAME: 'bob',
      CIRCLE_PROJECT_USERNAME: 'acme',
      CIRCLE_PROJECT_REPONAME: 'chat',
      CIRCLE_PULL_REQUEST: 'https://github.example/acme/chat/pull/12',
      CIRCLE_SHA1: SHA,
      CIRCLE_BUILD_URL: 'https://circle.example/gh/acme/chat/5',
    },
    {
      actor: 'bob',
      repository: 'acme/chat',
      request: '12',
      commit: SHA,
      job: 'https://circle.example/gh/acme/chat/5',
    },
  ],
  [
    'Buildkite',
    {
      BUILDKITE: 'true',
      BUILDKITE_BUILD_CREATOR: 'bob',
      BUILDKITE_ORGANIZATION_SLUG: 'acme',
      BUILDKITE_PIPELINE_SLUG: 'chat',
      BUILDKITE_PULL_REQUEST: 'false',
      BUILDKITE_COMMIT: 'HEAD',
      BUILDKITE_BUILD_URL: 'https://buildkite.example/acme/chat/builds/5',
    },
    { actor: 'bob', repository: 'acme/chat', job: 'https://buildkite.example/acme/chat/builds/5' },
  ],
];

test.each(JOBS)('A job of %s is its person, request, commit and address', (ci, env, found) => {
  expect(by(env)).toEqual({ ci, ...found });
});

test('Text from outside is one short line, and what has not the form of its member is left out', () => {
  const found = by({
    GITLAB_CI: 'true',
    GITLAB_USER_LOGIN: `bob\n\u001b[31m\u202e${'x'.repeat(300)}`,
    CI_PROJECT_PATH: '/home/bob/chat',
    CI_COMMIT_SHA: '$(id)',
    CI_MERGE_REQUEST_IID: '12; rm',
    CI_JOB_URL: 'https://bob:secret@gitlab.example/job',
  });
  expect(Object.keys(found)).toEqual(['ci', 'actor']);
  expect(found.actor).toMatch(/^bob \[31m x{1,100}$/);
  expect(found.actor?.length).toBeLessThanOrEqual(100);
  expect(by({ JENKINS_URL: 'x', BUILD_URL: 'javascript:alert(1)', JOB_NAME: 'C:\\jobs\\chat' })).toEqual({
    ci: 'Jenkins',
  });
});
