// `chatform ci comment` against fakes of both hosts: one comment, through plan, re-plan, a late job, an apply; whatever else is on the request stays.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { savedText } from '../../../src/plan/saved/text.ts';
import { failureDocument } from '../../../src/view/documents.ts';
import { folder } from '../../cli/chatform.ts';
import { atTerminal, fakeTerminal } from '../../cli/terminal.ts';
import { desiredOf } from '../../desired.ts';
import { dangerous, named } from '../../features/plan/dangerous.ts';
import { liveOf } from '../../plan/license.ts';
import { AFTER, begun, contentOf, saved } from '../../plan/saved/example.ts';
import { virtualClock } from '../../world.ts';
import { type Fake, fakeGithub, fakeGitlab, ME, TOKEN } from './fake.ts';

let plan: string;

beforeAll(async () => {
  plan = (await saved(await begun('3.6'), AFTER)).text;
});

interface Job {
  readonly run?: number;
  readonly attempt?: number;
  readonly commit?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
  /** Flags about the plan, instead of its file. */
  readonly about?: readonly string[];
}

const HOSTS = {
  github: {
    fake: fakeGithub,
    env: ({ url, head }: Fake, { run = 1, attempt = 1, commit = head }: Job) => ({
      GITHUB_ACTIONS: 'true',
      GITHUB_TOKEN: TOKEN,
      GITHUB_API_URL: url,
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_REPOSITORY: 'o/r',
      GITHUB_REF: 'refs/pull/7/merge',
      GITHUB_SHA: commit,
      GITHUB_RUN_ID: String(run),
      GITHUB_RUN_ATTEMPT: String(attempt),
    }),
  },
  gitlab: {
    fake: fakeGitlab,
    env: ({ url, head }: Fake, { run = 1, attempt = 1, commit = head }: Job) => ({
      GITLAB_CI: 'true',
      GITLAB_TOKEN: TOKEN,
      CI_API_V4_URL: url,
      CI_PROJECT_ID: '77',
      CI_MERGE_REQUEST_IID: '7',
      CI_COMMIT_SHA: commit,
      CI_PIPELINE_ID: String(run),
      CI_JOB_ID: String(attempt),
      CI_PROJECT_URL: 'https://gitlab.example/o/r',
    }),
  },
};

async function run(host: keyof typeof HOSTS, fake: Fake, job: Job = {}, text = plan) {
  const cwd = await folder();
  const file = join(cwd, 'saved.json');
  await writeFile(file, text);
  const files = { GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'), GITHUB_OUTPUT: join(cwd, 'output') };
  let [out, err] = ['', ''];
  const terminal = {
    ...fakeTerminal(null, { ...HOSTS[host].env(fake, job), ...(host === 'github' ? files : {}), ...job.env }).terminal,
    out: (said: string) => {
      out += said;
    },
    err: (said: string) => {
      err += said;
    },
  };
  const { about = ['--plan', file], flags = [] } = job;
  const code = await atTerminal(['ci', 'comment', ...about, ...flags], terminal);
  const written = async (path: string) => readFile(path, 'utf8').catch(() => '');
  const result = {
    code,
    out,
    err,
    summary: await written(files.GITHUB_STEP_SUMMARY),
    output: await written(files.GITHUB_OUTPUT),
  };
  expect(JSON.stringify(result)).not.toContain(TOKEN);
  expect(fake.complaints).toEqual([]);
  return result;
}

const OTHERS = ['reviewer', 'reviewer', ME, 'reviewer'];

test('GitLab takes labels of a higher role than notes, and a refusal says so', async () => {
  const fake = await fakeGitlab();
  fake.faults.push([403]);
  expect((await run('gitlab', fake, { flags: ['--labels'] })).err).toMatch(/Reporter.*notes.*Developer.*labels/);
});

describe.each(['github', 'gitlab'] as const)('On %s', (host) => {
  const begin = async (): Promise<Fake> => {
    const fake = await HOSTS[host].fake();
    for (const [id, author] of OTHERS.entries()) fake.comments.push({ id, body: 'Looks good', author });
    return fake;
  };
  const ours = ({ comments }: Fake) => comments.filter(({ body }) => body.startsWith('<!-- chatform:1 '));

  test('one comment goes through plan, re-plan, late job, applying, applied, failed', async () => {
    const fake = await begin();
    const first = await run(host, fake, { run: 1 });
    expect(first).toMatchObject({ code: 0, out: expect.stringContaining('Comment made') });
    const [made] = ours(fake);
    expect(made?.body).toMatch(/^<!-- .* -->\n### Plan of /);

    fake.head = 'b'.repeat(40);
    expect((await run(host, fake, { run: 3 })).out).toContain('Comment updated');
    expect(ours(fake)).toHaveLength(1);
    expect(ours(fake)[0]).toMatchObject({ id: made?.id, body: expect.stringContaining('run=3') });

    const before = ours(fake)[0]?.body;
    const late = await run(host, fake, { run: 2, commit: 'a'.repeat(40) });
    expect(late).toMatchObject({ code: 0, out: expect.stringContaining('newer run') });
    expect(ours(fake)[0]?.body).toBe(before);

    fake.merged = 'c'.repeat(40);
    for (const [state, title] of [
      ['applying', ': being applied'],
      ['applied', ': applied'],
      ['failed', ': apply failed'],
    ] as const) {
      await run(host, fake, { run: 4, commit: fake.merged, flags: ['--state', state] });
      expect(ours(fake)).toMatchObject([{ id: made?.id, body: expect.stringContaining(title) }]);
    }
    // Within a run there is no way back.
    expect((await run(host, fake, { run: 4, commit: fake.merged })).out).toContain('newer run');
    expect(fake.comments).toHaveLength(OTHERS.length + 1);
  });

  test('a repeated attempt is newer, and a job of the head is newer than any of another commit', async () => {
    const fake = await begin();
    await run(host, fake, { run: 5, attempt: 1 });
    expect((await run(host, fake, { run: 5, attempt: 2 })).out).toContain('updated');
    expect((await run(host, fake, { run: 5, attempt: 1 })).out).toContain('newer run');
    fake.head = 'd'.repeat(40);
    expect((await run(host, fake, { run: 4, commit: fake.head })).out).toContain('updated');
    expect((await run(host, fake, { run: 6, commit: 'a'.repeat(40) })).out).toContain('newer run');
  });

  test('a marker that somebody else wrote, or that is quoted, is no comment of ours', async () => {
    const fake = await begin();
    await run(host, fake, {});
    const [made] = ours(fake);
    fake.comments.length = 0;
    const forged = (made?.body ?? '').replace('run=1', 'run=999999');
    fake.comments.push({ id: 1, body: forged, author: 'mallory' }, { id: 2, body: `> ${forged}`, author: ME });
    expect((await run(host, fake, {})).out).toContain('Comment made');
    expect(fake.comments).toHaveLength(3);
    expect(fake.comments.slice(0, 2).map(({ body }) => body)).toEqual([forged, `> ${forged}`]);
  });

  test('two jobs that make a comment at the same time end with one, that of the later run', async () => {
    for (const [other, left] of [
      [1, 2],
      [3, 3],
    ] as const) {
      const fake = await begin();
      await run(host, fake, { run: other });
      const theirs = fake.comments.pop();
      fake.meanwhile = () => theirs !== undefined && fake.comments.push(theirs);
      await run(host, fake, { run: 2 });
      expect(ours(fake)).toMatchObject([{ id: theirs?.id, body: expect.stringContaining(`run=${left} `) }]);
    }
  });

  test('a comment that is deleted while it is written is made anew', async () => {
    const fake = await begin();
    await run(host, fake, { run: 1 });
    fake.meanwhile = () => {
      fake.comments.pop();
    };
    expect((await run(host, fake, { run: 2 })).out).toContain('made');
    expect(ours(fake)).toHaveLength(1);
  });

  test('what fails in passing is asked again, and what is refused says what would help', async () => {
    const fake = await begin();
    fake.faults.push([502], [429, { 'retry-after': '2' }], [403, { 'retry-after': '1' }]);
    expect(await run(host, fake, {})).toMatchObject({ code: 0 });
    fake.faults.push([401]);
    const refused = await run(host, fake, {});
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringMatching(/401.*fault with \[token\].*token is|TOKEN is/s),
    });
  });

  test('the labels say what the plan does, and leave those of others', async () => {
    const fake = await begin();
    fake.labels
      .add('bug')
      .add('chatform/page/no-changes')
      .add('chatform/other/destroy')
      .add('chatform/page/add-or-update');
    const target = JSON.parse(plan).target as string;
    fake.labels.add(`chatform/${target}/no-changes`);
    await run(host, fake, { flags: ['--labels'] });
    expect(fake.labels).toContain(`chatform/${target}/destroy`);
    expect(fake.labels).not.toContain(`chatform/${target}/no-changes`);
    expect(fake.labels).toContain('bug');
    expect(fake.labels).toContain('chatform/other/destroy');
  });

  test('a job that runs for no request finds it by its commit', async () => {
    const fake = await begin();
    fake.merged = 'e'.repeat(40);
    const env = { GITHUB_REF: 'refs/heads/main', CI_MERGE_REQUEST_IID: '' };
    expect(await run(host, fake, { commit: fake.merged, env, flags: ['--state', 'applied'] })).toMatchObject({
      code: 0,
    });
    expect(ours(fake)).toHaveLength(1);
  });

  test('where no plan could be made, the comment says so', async () => {
    const fake = await begin();
    expect(await run(host, fake, { about: ['--target', 'production'] })).toMatchObject({ code: 0 });
    expect(ours(fake)[0]?.body).toContain('no plan could be made');
  });

  test('what `plan --json` printed when there was none says why, at its place', async () => {
    const fake = await begin();
    const place = { file: 'manifest.yaml', line: 3, column: 5, length: 4 };
    const finding = { code: 'unknown-field', severity: 'error', place, excerpt: null, related: [] } as const;
    const found = [{ ...finding, message: 'no field <b>@team</b>', remedy: 'write `name`' }];
    const result = await run(host, fake, { flags: ['--target', 'production'] }, failureDocument('it failed', found));
    expect(result).toMatchObject({ code: 0 });
    const body = ours(fake)[0]?.body;
    expect(body).toContain('## Plan of `production`: no plan could be made');
    expect(body).toMatch(/\| \*\*error\*\* \| .*no field .*\| \[`manifest.yaml:3`\]\(https:.*\/manifest.yaml#L3\) \|/);
    expect(body).toContain('no field &#60;b&#62;&#64;team&#60;/b&#62;');
    const unnamed = await run(host, fake, {}, failureDocument('it failed', found));
    expect(unnamed).toMatchObject({ code: 1, err: expect.stringContaining('--target') });
  });

  test('a project in another folder of the repository has a comment and labels of its own', async () => {
    const fake = await begin();
    const root = await folder();
    for (const name of ['support', 'sales']) {
      await mkdir(join(root, name));
      vi.spyOn(process, 'cwd').mockReturnValue(join(root, name));
      const env = { GITHUB_WORKSPACE: root, CI_PROJECT_DIR: root };
      expect(await run(host, fake, { env, flags: ['--labels'] })).toMatchObject({ code: 0 });
    }
    vi.restoreAllMocks();
    expect(ours(fake).map(({ body }) => /## Plan of `\w+` in `(\w+)`/.exec(body)?.[1])).toEqual(['support', 'sales']);
    const target = JSON.parse(plan).target as string;
    expect(fake.labels).toEqual(new Set(['support', 'sales'].map((name) => `chatform/${name}/${target}/destroy`)));
  });

  test('a limit that is spent is waited for when it is near, and named when it is not', async () => {
    const fake = await begin();
    const spent = (seconds: number) =>
      ({
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Math.floor(virtualClock().now() / 1000) + seconds),
      }) as const;
    fake.faults.push([403, spent(30)]);
    expect(await run(host, fake, {})).toMatchObject({ code: 0 });
    fake.faults.push([403, spent(3000)]);
    const refused = await run(host, fake, {});
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringMatching(/too many requests: try again in \d{4} seconds/),
    });
    expect(refused.err).not.toContain('permissions');
  });
});

describe('A job that a run of somebody else set off', () => {
  const event = (head: string, branch = 'topic') => ({
    workflow_run: { head_sha: head, head_branch: branch, head_repository: { owner: { login: 'stranger' } } },
  });
  const job = async (json: unknown) => ({
    commit: 'f'.repeat(40),
    env: {
      GITHUB_REF: 'refs/heads/main',
      GITHUB_EVENT_PATH: join(await folder({ 'event.json': JSON.stringify(json) }), 'event.json'),
    },
  });

  test('comments on the request from that branch at that commit, which the event tells', async () => {
    const fake = await fakeGithub();
    fake.source = 'stranger:topic';
    expect(await run('github', fake, await job(event(fake.head)))).toMatchObject({ code: 0 });
    expect(fake.comments.at(-1)?.body).toContain(`commit=${fake.head}`);
    expect(fake.complaints).toEqual([]);
  });

  test('comments on nothing when that branch has moved on, or belongs to no request', async () => {
    const fake = await fakeGithub();
    fake.source = 'stranger:topic';
    for (const json of [event('b'.repeat(40)), event(fake.head, 'topic&state=all')])
      expect(await run('github', fake, await job(json))).toMatchObject({ code: 1 });
    expect(fake.comments).toEqual([]);
  });
});

describe('A comment on an apply that failed', () => {
  const failed = async (exitCode?: number) => {
    const ended = exitCode === undefined ? [] : ['--exit-code', String(exitCode)];
    const flags = ['--state', 'failed', '--no-post', ...ended];
    return (await run('github', await fakeGithub(), { flags })).summary;
  };

  test.each([
    [3, 'withheld', /acknowledge/],
    [4, 'another run', /wait/],
    [5, 'no longer matches', /plan again.*approved/],
  ])('says after exit code %d that nothing was applied, why, and what to do', async (code, why, next) => {
    const text = await failed(code);
    expect(text).toMatch(/^### Plan of .*: not applied/);
    expect(text).toMatch(new RegExp(`applied nothing: .*${why}`));
    expect(text).toMatch(new RegExp(`\\*\\*Next:\\*\\* .*${next.source}`));
    expect(text).not.toContain('may have been applied');
  });

  test.each([6, 130])('says after exit code %d to run it again', async (code) => {
    expect(await failed(code)).toMatch(/\*\*Next:\*\* run it again/);
  });

  test.each([undefined, 0, 1, 124])('promises nothing after %s', async (code) => {
    expect(await failed(code)).toMatch(/: apply failed.*Some of this plan may have been applied/s);
  });

  test('has an exit code only then', async () => {
    const result = await run('github', await fakeGithub(), { flags: ['--exit-code', '3', '--no-post'] });
    expect(result).toMatchObject({ code: 1, err: expect.stringContaining('needs --state failed') });
  });
});

test.each(['', 'garbage', '{"foo":1}', '{"errored":true}'])(
  'A file that holds %j is said to be no plan, whatever target is named with it',
  async (text) => {
    const result = await run('github', await fakeGithub(), { flags: ['--target', 'page', '--no-post'] }, text);
    expect(result).toMatchObject({ code: 1, err: expect.stringContaining('saved.json') });
    expect(result.err).toContain('no saved plan');
    expect(result.err).not.toContain('--target');
  },
);

test('A plan is not given another target', async () => {
  const result = await run('github', await fakeGithub(), { flags: ['--target', 'page', '--no-post'] });
  expect(result).toMatchObject({ code: 1, err: expect.stringContaining('a plan knows its target') });
});

test('A runner gets annotations, a summary and outputs, also when nothing may be posted', async () => {
  const fake = await fakeGithub();
  const result = await run('github', fake, { flags: ['--no-post'], env: { GITHUB_TOKEN: '' } });
  expect(result).toMatchObject({ code: 0, out: 'Nothing was posted.\n' });
  expect(fake.asked).toEqual([]);
  expect(result.summary).toMatch(/^### Plan of /);
  expect(result.output).toMatch(/^effect=destroy$/m);
  expect(result.output).toMatch(/^digest=[0-9a-f]{64}$/m);
  expect(result.err).toMatch(/^::warning .*title=chatform/m);
});

test('A token that may not write is explained, and the summary is there all the same', async () => {
  const fake = await fakeGithub();
  fake.faults.push([404]);
  const result = await run('github', fake, {});
  expect(result).toMatchObject({ code: 1, err: expect.stringContaining('check the repository') });
  expect(result.summary).toMatch(/^### Plan of /);
  expect((await run('github', fake, { env: { GITHUB_TOKEN: '' } })).err).toContain('GITHUB_TOKEN is empty');
  expect((await run('github', fake, { env: { GITHUB_API_URL: 'http://example.com' } })).err).toContain('https://');
});

test.each([
  '::error file=a::b ::set-output name=x::y',
  '##[error]c ##vso[task.setvariable]d',
  '%0A::error::x',
  'a,line=9::b',
  '\u001b[31m\u202e@team<script>',
])('The name %j is inert in annotations and outputs', async (name) => {
  const fake = await fakeGithub();
  const { text } = savedText(
    contentOf({ ...named(dangerous(), name), api_version: '3.6' }, { live: liveOf(), desired: desiredOf([]) }),
  );
  const result = await run('github', fake, { flags: ['--no-post'] }, text);
  const lines = result.err.split('\n').filter((line) => line !== '');
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) {
    // One command each, whose properties are those that we gave it.
    expect(line).toMatch(/^::(error|warning|notice) (file=[^:,]*,line=\d+,col=\d+,)?title=[^:,]*::[^\r\n]*$/);
    expect(line.replaceAll(/%(25|0A|0D|3A|2C)/g, '')).not.toContain('%');
  }
  expect(
    result.output
      .trim()
      .split('\n')
      .every((line) => /^[a-z-]+=[\w:/.#-]*$/.test(line)),
  ).toBe(true);
});
