// What docs/how-to/github-and-gitlab.md says to write in the copy of a job for a second target, done to every job: two that run side by side share nothing that they must not share.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { WORKFLOWS } from '../docs/recipes.ts';
import type { Workflow } from './github-job.ts';
import { githubParser } from './parser.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const [, section = ''] = /^### Several targets\n([\s\S]*?)^##/m.exec(read('docs/how-to/github-and-gitlab.md')) ?? [];
const ROWS = [...section.matchAll(/^\| `(.+?)` \| `(.+?)` \|/gm)].map(([, from = '', to = '']) => [from, to] as const);
const GITHUB = WORKFLOWS.filter((path) => path.includes('/github/'));

const place = mkdtempSync(join(tmpdir(), 'chatform-'));
afterAll(() => rmSync(place, { recursive: true }));

const copied = (text: string): string => ROWS.reduce((copy, [from, to]) => copy.replaceAll(from, to), text);

/** The workflow with the copies in it. */
function doubled(path: string): Workflow {
  const workflow = parse(read(path)) as Workflow;
  const copies = Object.entries((parse(copied(read(path))) as Workflow).jobs).flatMap(([name, job]) =>
    name === 'find' ? [] : [[`${name}-staging`, job] as const],
  );
  return { ...workflow, jobs: { ...workflow.jobs, ...Object.fromEntries(copies) } };
}

const withOf = ({ jobs }: Workflow, action: string, member: string): readonly string[] =>
  Object.values(jobs)
    .flatMap(({ steps }) => steps)
    .flatMap(({ uses, with: given }) => (uses?.startsWith(action) === true ? [String(given?.[member]).trim()] : []));

test('Every row of the table is for something that is there', () => {
  expect(ROWS.length).toBeGreaterThan(5);
  const all = WORKFLOWS.map(read).join('');
  for (const [from] of ROWS) expect(all).toContain(from);
});

test('GitHub reads the workflows with the copies in them', async () => {
  const { parseWorkflow, convertWorkflowTemplate, NoOperationTraceWriter } = await githubParser(place);
  for (const path of GITHUB) {
    const { context, value } = parseWorkflow(
      { name: path, content: stringify(doubled(path)) },
      new NoOperationTraceWriter(),
    );
    expect(context.errors.getErrors()).toEqual([]);
    if (value === undefined) throw new Error(`${path} is empty`);
    expect((await convertWorkflowTemplate(context, value)).errors ?? []).toEqual([]);
  }
});

test('No two jobs of a run leave an artifact, a cache or alerts under one name, and no copy has a word of the first target', () => {
  for (const path of GITHUB) {
    const workflow = doubled(path);
    const keys = withOf(workflow, 'actions/cache/save', 'key');
    for (const names of [withOf(workflow, 'github/codeql-action/', 'category'), keys])
      expect(new Set(names).size).toBe(names.length);
    for (const begins of withOf(workflow, 'actions/cache/restore', 'restore-keys'))
      expect(keys.filter((key) => key.startsWith(begins))).toHaveLength(1);
    // `plan` and `fork` are never both in one run.
    const left = withOf(workflow, 'actions/upload-artifact', 'name');
    const perTarget = left.filter((name) => name.includes('staging'));
    expect(perTarget.length * 2).toBe(left.length);
    for (const [name, job] of Object.entries(workflow.jobs))
      if (name.endsWith('-staging')) expect(JSON.stringify(job)).not.toMatch(/production|READ_TOKEN \}|BASE_URL \}/);
  }
});

test('On GitLab a copy has words of its own target alone', () => {
  const path = WORKFLOWS.find((file) => file.endsWith('/.gitlab-ci.yml')) ?? '';
  const { variables: _, ...jobs } = parse(copied(read(path))) as Readonly<Record<string, unknown>>;
  expect(JSON.stringify(jobs)).not.toMatch(/production|READ_TOKEN"|BASE_URL[:}]|"drift-sightings"/);
});
