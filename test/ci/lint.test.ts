// The actions, the workflows that `init --ci github` writes, and those that they call, read by GitHub's own parser: keys, types, expressions, the
// contexts that each place has, and what a call may pass. Then what a parser does not know: rights, pins, and that nothing a stranger can write becomes a
// part of a script.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type CallingJob, calledBy, isCalling, type Job, type Step, type Workflow } from './github-job.ts';
import { githubParser } from './parser.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CALLERS = readdirSync(`${ROOT}examples/ci/github`).map((name) => `examples/ci/github/${name}`);
const CALLED = readdirSync(`${ROOT}.github/workflows`).map((name) => `.github/workflows/${name}`);
const read = (path: string): string => readFileSync(ROOT + path, 'utf8');
const workflowOf = (path: string): Workflow => parse(read(path)) as Workflow;
const jobsOf = (path: string): readonly (Job | CallingJob)[] => Object.values(workflowOf(path).jobs);
const stepsOf = (path: string): readonly Step[] => jobsOf(path).flatMap((job) => (isCalling(job) ? [] : job.steps));
const ACTIONS = ['ci/action/action.yml', 'ci/apply/action.yml'];
const ACTION = readFileSync(`${ROOT}ci/action/action.yml`, 'utf8');
const actionSteps = (parse(ACTION) as { runs: { steps: readonly Step[] } }).runs.steps;

const place = mkdtempSync(join(tmpdir(), 'chatform-'));
let parser: Awaited<ReturnType<typeof githubParser>>;

beforeAll(async () => {
  parser = await githubParser(place);
});

afterAll(() => rmSync(place, { recursive: true }));

/** With what the workflows of this repository that it calls expect. */
async function complaints(name: string, content: string): Promise<readonly string[]> {
  const { parseWorkflow, convertWorkflowTemplate, NoOperationTraceWriter } = parser;
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  const found = context.errors.getErrors().map(({ message }) => message);
  if (found.length > 0 || value === undefined) return [...found, ...(value === undefined ? ['nothing'] : [])];
  const getFileContent = async ({ path }: { readonly path: string }) => ({ name: path, content: read(path) });
  const permissions = { fetchReusableWorkflowDepth: 1 };
  const template = await convertWorkflowTemplate(context, value, { getFileContent }, permissions);
  const errors = [
    ...context.errors.getErrors().map(({ message }) => message),
    ...(template.errors ?? []).map(({ Message }) => Message),
  ];
  return [...new Set(errors)];
}

function actionComplaints(content: string): readonly string[] {
  const { parseAction, NoOperationTraceWriter } = parser;
  const { context } = parseAction({ name: 'action.yml', content }, new NoOperationTraceWriter());
  return context.errors.getErrors().map(({ message }) => message);
}

function parses(script: string): string {
  return spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' }).stderr;
}

test('The parser finds what a call passes and the called workflow does not take', async () => {
  const calling = (job: string) =>
    `on: push\njobs: { a: { uses: OWNER/chatform/.github/workflows/gate.yml@COMMIT${job} } }\n`;
  expect(await complaints('a.yml', calling(', with: { run: "1" }'))).toEqual([]);
  for (const wrong of [', with: { runs: "1" }', ', secrets: { tokens: a }'])
    expect(await complaints('a.yml', calling(wrong))).not.toEqual([]);
});

test('The parser finds what is wrong: keys, contexts and functions that do not exist', async () => {
  const workflow = (step: string) => `on: push\njobs: { a: { runs-on: ubuntu-latest, steps: [${step}] } }\n`;
  expect(await complaints('a.yml', workflow('{ run: echo }'))).toEqual([]);
  for (const wrong of ['{ runs: echo }', '{ run: "${{ nothing.at.all }}" }', '{ run: echo, if: never() }'])
    expect(await complaints('a.yml', workflow(wrong))).not.toEqual([]);
  const action = (step: string) => `name: a\ndescription: b\nruns: { using: composite, steps: [${step}] }\n`;
  expect(actionComplaints(action('{ run: echo, shell: bash }'))).toEqual([]);
  for (const wrong of ['{ run: echo, shell: bash, ifs: a }', '{ run: "${{ secrets.a }}", shell: bash }'])
    expect(actionComplaints(action(wrong))).not.toEqual([]);
});

test.each(ACTIONS)('%s is an action', (path) => {
  expect(actionComplaints(read(path))).toEqual([]);
});

test('No script of the action is made of an input, and each one parses and says how it deals with failures', () => {
  for (const { run, uses, shell } of actionSteps) {
    expect([uses, shell]).toEqual([undefined, 'bash']);
    expect(run).not.toContain('${{');
    expect(parses(run ?? '')).toBe('');
    if ((run ?? '').split('\n').length > 8) expect(run).toMatch(/^set [+-]e/m);
  }
});

test('The action asks no registry for a package by the name of chatform, and has the scripts of jobs in its package', () => {
  expect(ACTION).not.toMatch(/chatform@/);
  for (const line of ACTION.match(/npm (install|ci) .*/g) ?? []) expect(line).toContain('--ignore-scripts');
  const { files } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { files: readonly string[] };
  expect(files).toContain('ci');
});

/** Every action of others is pinned to a commit, with its version; our own is that of the same commit. */
const PINNED =
  /^uses: (actions|github)\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$|^uses: \$\/ci\/action$|^uses: OWNER\/chatform\/(\.github\/workflows\/[\w.-]+|ci\/apply)@COMMIT$/;

describe.each([...CALLERS, ...CALLED])('%s', (path) => {
  test('GitHub reads it, and what it calls takes what it passes', async () => {
    expect(await complaints(path, read(path))).toEqual([]);
  });

  test('It has no rights but those that each job names, and no job can hang', () => {
    expect(workflowOf(path).permissions).toEqual({});
    for (const job of jobsOf(path)) {
      expect(Object.keys(job.permissions).length).toBeGreaterThan(0);
      if (!isCalling(job)) expect(job['timeout-minutes']).toBeLessThanOrEqual(90);
    }
  });

  test('Each action and workflow is pinned, no script is written in it, and a checkout leaves no token behind', () => {
    for (const line of read(path).match(/uses: .*/g) ?? []) expect(line).toMatch(PINNED);
    for (const step of stepsOf(path)) {
      expect(step.run).toBeUndefined();
      if (step.uses?.startsWith('actions/checkout@') === true)
        expect(step.with).toMatchObject({ 'persist-credentials': false });
    }
    expect(read(path)).not.toMatch(/pull_request_target|toJSON\(secrets|secrets: inherit/i);
  });

  test('Where code scanning is off, a job ends as chatform did; where it is on, a private repository may use it', () => {
    for (const job of jobsOf(path))
      for (const { uses, 'continue-on-error': goesOn } of isCalling(job) ? [] : job.steps)
        if (uses?.includes('/upload-sarif@') === true)
          expect([goesOn, job.permissions]).toEqual([true, expect.objectContaining({ actions: 'read' })]);
  });
});

/** Ours in the order of their strength. */
const RIGHTS = ['none', 'read', 'write'];

test.each(CALLERS)(
  '%s gives each workflow that it calls the rights of its jobs, is a page, and says what it is',
  (path) => {
    for (const caller of jobsOf(path).filter(isCalling))
      for (const { permissions } of Object.values(calledBy(caller).jobs))
        for (const [right, level] of Object.entries(permissions))
          expect([right, RIGHTS.indexOf(caller.permissions[right] ?? 'none') >= RIGHTS.indexOf(level)]).toEqual([
            right,
            true,
          ]);
    const lines = read(path).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines[0]).toMatch(
      new RegExp(`^# \\.github/workflows/${path.replace(/.*\//, '')}, written by .chatform init --ci github.: `),
    );
  },
);

test('Two runs of a job do not meet', () => {
  // Jobs that only read what is there may run at once; those of the project have the group of their workflow.
  for (const job of [...CALLED, ...CALLERS].flatMap(jobsOf))
    if (!isCalling(job) && job.environment === undefined && !JSON.stringify(job).includes('find-plan'))
      expect(job.concurrency ?? (JSON.stringify(job).includes('"comment"') ? {} : undefined)).toBeDefined();
  for (const name of ['apply', 'daily'])
    expect(workflowOf(`examples/ci/github/${name}.yml`).concurrency).toMatchObject({ 'cancel-in-progress': false });
});

test('Secrets go to the steps of chatform and to nothing else', () => {
  for (const path of [...CALLED, ...CALLERS, 'ci/apply/action.yml'])
    for (const { uses, with: given, env } of path.endsWith('action.yml')
      ? (parse(read(path)) as { runs: { steps: readonly Step[] } }).runs.steps
      : stepsOf(path))
      if (/secrets\.|inputs\.tokens/.test(JSON.stringify([given, env])))
        expect(uses).toMatch(/^\$\/ci\/action$|\/ci\/apply@COMMIT$/);
});

test('What may write runs nothing of a fork: no checkout, no command that reads the project', () => {
  const steps = stepsOf('.github/workflows/comment.yml');
  expect(steps.map(({ uses }) => uses?.replace(/@.*/, ''))).toEqual(['actions/download-artifact', '$/ci/action']);
  expect(steps[1]?.with).toMatchObject({ command: 'comment' });
});

test('The job of a fork has no secret and writes nothing', () => {
  const { fork } = workflowOf('.github/workflows/plan.yml').jobs;
  expect(JSON.stringify(fork)).not.toContain('secrets.');
  expect(Object.values(fork?.permissions ?? {})).toEqual(['read', 'read']);
});

test('An apply is never cancelled, waits for its turn, and needs whom the environment asks', () => {
  const { concurrency, jobs } = workflowOf('examples/ci/github/apply.yml');
  expect(concurrency).toEqual({ group: 'chatform-apply', 'cancel-in-progress': false, queue: 'max' });
  expect(jobs['apply']).toMatchObject({ environment: 'production', needs: 'gate' });
});

test.each(['ci/ledger.sh'])('%s parses', (name) => {
  expect(parses(readFileSync(ROOT + name, 'utf8'))).toBe('');
});
