// `plan --report` by its command: each format is written whatever came of the plan, and none says that all is well when there is none.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PLAN_REPORTS } from '../features/plan/outputs.ts';
import { chatform, folder } from './chatform.ts';

const MANIFEST = `version: 1
groups: { sales: { name: Sales } }
`;

/** The project is in a folder of its repository. */
async function reported(manifest: string, more: readonly string[] = []) {
  const repository = await folder();
  const cwd = join(repository, 'support');
  for (const name of ['.git', 'support']) await mkdir(join(repository, name));
  await writeFile(join(cwd, 'manifest.yaml'), manifest);
  const reports = PLAN_REPORTS.flatMap((format) => ['--report', `${format}=report.${format}`]);
  const url = more.includes('--base-url') ? [] : ['--base-url', 'emulator:license.json'];
  const ran = await chatform(['plan', '-f', 'manifest.yaml', '--quiet', ...url, ...reports, ...more], { cwd });
  const texts = PLAN_REPORTS.map(async (format) => [
    format,
    await readFile(join(cwd, `report.${format}`), 'utf8').catch(() => ''),
  ]);
  return { cwd, ran, reports: Object.fromEntries(await Promise.all(texts)) as Record<string, string> };
}

test('A plan is reported in every format, with the digest of what is saved', async () => {
  const { ran, reports, cwd } = await reported(MANIFEST, ['--out', 'plan.json']);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  const { digest } = JSON.parse(await readFile(join(cwd, 'plan.json'), 'utf8'));
  expect(reports['markdown']).toContain(digest);
  expect(reports['markdown']).toContain('| created | `group/sales` |');
  expect(JSON.parse(reports['terraform'] ?? '')).toEqual({ create: 1, update: 0, delete: 0 });
  expect(JSON.parse(reports['sarif'] ?? '').runs[0].results).toEqual([]);
  expect(reports['junit']).toContain('tests="1" failures="0" errors="0"');
});

test('What is wrong with the files is reported at its place, and no report passes', async () => {
  const { ran, reports } = await reported(MANIFEST.replace('name: Sales', 'nmae: Sales'));
  expect(ran.code).toBe(1);
  expect(reports['markdown']).toContain('**Error:** the files have errors');
  expect(reports['terraform']).toBe('{}\n');
  const [result] = JSON.parse(reports['sarif'] ?? '').runs[0].results;
  expect(result.locations[0].physicalLocation).toMatchObject({
    artifactLocation: { uri: 'support/manifest.yaml', uriBaseId: '%SRCROOT%' },
    region: { startLine: 2 },
  });
  expect(JSON.parse(reports['codequality'] ?? '')[0]).toMatchObject({
    severity: 'blocker',
    location: { path: 'support/manifest.yaml', lines: { begin: 2 } },
  });
  expect(reports['junit']).toMatch(
    /<error message="default: the files have errors: manifest.yaml:2, unknown-field" type="failed"/,
  );
  expect(reports['junit']).toMatch(/failures="[1-9]\d*" errors="1"/);
  expect(reports['junit']).toContain('file="support/manifest.yaml" line="2"');
});

test('A license that nobody answers for is reported as no plan', async () => {
  const { ran, reports } = await reported(MANIFEST, ['--base-url', 'http://127.0.0.1:9', '--timeout', '1s']);
  expect(ran.code).toBe(1);
  expect(reports['markdown']).toMatch(/^### chatform plan: `default`: unreachable\n/);
  const [run] = JSON.parse(reports['sarif'] ?? '').runs;
  expect(run.invocations[0]).toMatchObject({ executionSuccessful: false });
  expect(run.results).toBeUndefined();
  expect(run.invocations[0].toolExecutionNotifications).toHaveLength(1);
  expect(JSON.parse(reports['codequality'] ?? '')).toHaveLength(1);
});

test('A report cannot replace the plan that is saved', async () => {
  const { ran } = await reported(MANIFEST, ['--out', 'same.json', '--report', 'terraform=same.json']);
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('each needs a file of its own') });
});
