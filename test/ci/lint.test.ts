// action.yml and the workflows that people copy, read by GitHub's own parser: keys, types, expressions and the contexts that each place has. Then what
// a parser does not know: rights, pins, and that nothing a stranger can write becomes a part of a script.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Job, Step, Workflow } from './github-job.ts';
import { githubParser } from './parser.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = `${ROOT}examples/ci/github/`;
const WORKFLOWS = readdirSync(FOLDER);
const read = (name: string): string => readFileSync(FOLDER + name, 'utf8');
const workflowOf = (name: string): Workflow => parse(read(name)) as Workflow;
const ACTION = readFileSync(`${ROOT}action.yml`, 'utf8');
const actionSteps = (parse(ACTION) as { runs: { steps: readonly Step[] } }).runs.steps;

const place = mkdtempSync(join(tmpdir(), 'chatform-'));
let parser: Awaited<ReturnType<typeof githubParser>>;

beforeAll(async () => {
  parser = await githubParser(place);
});

afterAll(() => rmSync(place, { recursive: true }));

async function complaints(name: string, content: string): Promise<readonly string[]> {
  const { parseWorkflow, convertWorkflowTemplate, NoOperationTraceWriter } = parser;
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  const found = context.errors.getErrors().map(({ message }) => message);
  if (found.length > 0 || value === undefined) return [...found, ...(value === undefined ? ['nothing'] : [])];
  const template = await convertWorkflowTemplate(context, value);
  return (template.errors ?? []).map(({ Message }) => Message);
}

function actionComplaints(content: string): readonly string[] {
  const { parseAction, NoOperationTraceWriter } = parser;
  const { context } = parseAction({ name: 'action.yml', content }, new NoOperationTraceWriter());
  return context.errors.getErrors().map(({ message }) => message);
}

function parses(script: string): string {
  return spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' }).stderr;
}

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

test('action.yml is an action', () => {
  expect(actionComplaints(ACTION)).toEqual([]);
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

describe.each(WORKFLOWS)('%s', (name) => {
  const jobs = (): readonly Job[] => Object.values(workflowOf(name).jobs);
  const steps = (): readonly Step[] => jobs().flatMap(({ steps }) => steps);

  test('GitHub reads it', async () => {
    expect(await complaints(name, read(name))).toEqual([]);
    expect(read(name).split('\n')[0]).toBe(`# .github/workflows/${name}`);
  });

  test('It has no rights but those that each job names, no job can hang, and runs of it do not meet', () => {
    const { permissions, concurrency } = workflowOf(name);
    expect(permissions).toEqual({});
    for (const job of jobs()) {
      expect(Object.keys(job.permissions).length).toBeGreaterThan(0);
      expect(job['timeout-minutes']).toBeLessThanOrEqual(90);
    }
    if (name !== 'comment.yml') expect(concurrency).toMatchObject({ group: expect.stringMatching(/^chatform-/) });
  });

  test('Actions of others are pinned to a commit, with the version beside it', () => {
    const uses = read(name).match(/uses: .*/g) ?? [];
    for (const line of uses)
      expect(line).toMatch(
        /^uses: (actions|github)\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$|^uses: OWNER\/chatform@COMMIT # its 40 digits$/,
      );
  });

  test('Where code scanning is off, a job ends as chatform did; where it is on, a private repository may use it', () => {
    for (const { steps: of, permissions } of jobs())
      for (const { uses, 'continue-on-error': goesOn } of of)
        if (uses?.includes('/upload-sarif@') === true)
          expect([goesOn, permissions]).toEqual([true, expect.objectContaining({ actions: 'read' })]);
  });

  test('No script is written in it, a checkout leaves no token behind, and secrets go to one step', () => {
    for (const step of steps()) {
      expect(step.run).toBeUndefined();
      if (step.uses?.startsWith('actions/checkout@') === true)
        expect(step.with).toEqual({ 'persist-credentials': false });
    }
    const secrets = read(name).match(/\$\{\{ secrets\.\w+ \}\}/g) ?? [];
    expect(secrets.length).toBeLessThan(2);
  });
});

test('What may write runs nothing of a fork: no checkout, no command that reads the project', () => {
  const { jobs } = workflowOf('comment.yml');
  const steps = jobs['comment']?.steps ?? [];
  expect(steps.map(({ uses }) => uses?.replace(/@.*/, ''))).toEqual(['actions/download-artifact', 'OWNER/chatform']);
  expect(steps[1]?.with).toMatchObject({ command: 'comment' });
  for (const name of WORKFLOWS) expect(read(name)).not.toContain('pull_request_target');
});

test('The job of a fork has no secret and writes nothing', () => {
  const fork = workflowOf('plan.yml').jobs['fork'];
  expect(JSON.stringify(fork)).not.toContain('secrets.');
  expect(Object.values(fork?.permissions ?? {})).toEqual(['read', 'read']);
});

test('An apply is never cancelled, waits for its turn, and needs whom the environment asks', () => {
  const { concurrency, jobs } = workflowOf('apply.yml');
  expect(concurrency).toEqual({ group: 'chatform-production', 'cancel-in-progress': false, queue: 'max' });
  expect(jobs['apply']).toMatchObject({ environment: 'production', needs: ['find', 'gate'] });
});

test.each(['ci/ledger.sh'])('%s parses', (name) => {
  expect(parses(readFileSync(ROOT + name, 'utf8'))).toBe('');
});
