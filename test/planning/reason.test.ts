// Why a run is made: a given reason, and what the jobs of each host say of the change that they run for.

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { originOf } from '../../src/planning/origin.ts';
import { reasonOf } from '../../src/planning/reason.ts';
import { folder } from '../cli/chatform.ts';

const self = { user: 'ann', host: 'build-7', pid: 4711 };
type Environment = Readonly<Record<string, string>>;

const inJob = (env: Environment) => reasonOf(undefined, { env, self });
const given = (text: string) => reasonOf(text, { env: {}, self });

async function onGithub(event: object): Promise<string | null> {
  const path = join(await folder({}), 'event.json');
  await writeFile(path, JSON.stringify(event));
  return inJob({ GITHUB_ACTIONS: 'true', GITHUB_EVENT_PATH: path });
}

describe('A given reason', () => {
  test('is one line, without control characters', async () => {
    expect(await given(' Black Friday\n\thours\u001b[31m \u202e(OPS-12) ')).toBe('Black Friday hours [31m (OPS-12)');
  });

  test('goes before what the job says', async () => {
    const env = { GITLAB_CI: 'true', CI_COMMIT_MESSAGE: 'Hours' };
    expect(await reasonOf('OPS-12', { env, self })).toBe('OPS-12');
  });

  test.each([
    ['', 'the reason is empty'],
    [' \n', 'the reason is empty'],
    ['é'.repeat(201), 'the reason has 201 characters'],
    ['because of dal:0123456789', 'the reason has a credential'],
    ['see https://ann:secret@example.com/', 'the reason has a credential'],
  ])('%j is refused', async (text, message) => {
    await expect(given(text)).rejects.toThrow(message);
  });

  test('may be as long as the bound', async () => {
    expect(await given('🎄'.repeat(200))).toBe('🎄'.repeat(200));
  });
});

describe('Without one', () => {
  test('the file of the job is read once for the reason and for the origin of a plan', async () => {
    const path = join(await folder({}), 'event.json');
    const head = { sha: '3f2a1b9c3f2a1b9c3f2a1b9c3f2a1b9c3f2a1b9c' };
    await writeFile(path, JSON.stringify({ pull_request: { number: 12, title: 'Hours', head } }));
    const env = { GITHUB_ACTIONS: 'true', GITHUB_EVENT_PATH: path };
    expect(await inJob(env)).toBe('Hours (#12)');
    await rm(path);
    expect(await originOf({ env, self })).toMatchObject({ commit: head.sha });
  });

  test('a person at a machine gives none', async () => {
    expect(await inJob({ CI_COMMIT_MESSAGE: 'Hours', BUILDKITE_MESSAGE: 'Hours' })).toBeNull();
  });

  test.each([
    [{ pull_request: { number: 12, title: 'Hours' }, head_commit: { message: 'No' } }, 'Hours (#12)'],
    [{ issue: { number: 12, title: 'Hours', pull_request: {} } }, 'Hours (#12)'],
    [{ head_commit: { message: 'Hours (#12)\n\n* first\n* second' } }, 'Hours (#12)'],
    [{ head_commit: { message: 'Merge pull request #12 from acme/hours\n\nHours' } }, 'Hours (#12)'],
    [{ head_commit: { message: 'Merge pull request #12 from acme/hours' } }, 'Merge pull request #12 from acme/hours'],
    [{ merge_group: { head_commit: { message: 'Hours (#12)' } } }, 'Hours (#12)'],
    [{ workflow_run: { display_title: 'Hours' } }, 'Hours'],
    [{ pull_request: { number: 12, title: 'x'.repeat(300) } }, 'x'.repeat(200)],
    [{ pull_request: { number: 12, title: 'use dal:0123456789' } }, null],
    [{ schedule: '0 5 * * *' }, null],
  ])('a job of GitHub for %j says %j', async (event, reason) => {
    expect(await onGithub(event)).toBe(reason);
  });

  test('a job of GitHub without its event says nothing', async () => {
    expect(await inJob({ GITHUB_ACTIONS: 'true' })).toBeNull();
    expect(await inJob({ GITHUB_ACTIONS: 'true', GITHUB_EVENT_PATH: '/nowhere.json' })).toBeNull();
  });

  test.each<[Environment, string | null]>([
    [{ GITLAB_CI: 'true', CI_MERGE_REQUEST_IID: '12', CI_MERGE_REQUEST_TITLE: 'Hours' }, 'Hours (!12)'],
    [{ GITLAB_CI: 'true', CI_COMMIT_MESSAGE: 'Hours\n\nMore' }, 'Hours'],
    [
      {
        GITLAB_CI: 'true',
        CI_COMMIT_MESSAGE: "Merge branch 'hours' into 'main'\n\nHours\n\nSee merge request acme/chat!12",
      },
      'Hours (!12)',
    ],
    [{ TF_BUILD: 'True', BUILD_SOURCEVERSIONMESSAGE: 'Merged PR 12: Hours' }, 'Merged PR 12: Hours'],
    [{ BUILDKITE: 'true', BUILDKITE_MESSAGE: 'Hours' }, 'Hours'],
    [
      {
        JENKINS_URL: 'https://ci.example/',
        BUILD_URL: 'https://ci.example/5/',
        CHANGE_ID: '12',
        CHANGE_TITLE: 'Hours',
      },
      'Hours (#12)',
    ],
    [{ CIRCLECI: 'true' }, null],
  ])('a job with %j says %j', async (env, reason) => {
    expect(await inJob(env)).toBe(reason);
  });
});
