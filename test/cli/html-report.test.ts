// `chatform plan --report html=FILE`: the page is there whatever came of the plan, and never in the place of what a target keeps.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chatform, folder, project } from './chatform.ts';

test('The page is written beside what the plan prints', async () => {
  const cwd = await folder(project());
  const plain = await chatform(['plan'], { cwd });
  const { code, stdout } = await chatform(['plan', '--report', 'html=plan.html'], { cwd });
  expect([code, stdout]).toEqual([0, plain.stdout]);
  expect(await readFile(join(cwd, 'plan.html'), 'utf8')).toMatch(/^<!doctype html>.*<h2 id="changes">/s);
});

test('A plan that cannot be made leaves no page of an older one', async () => {
  const cwd = await folder(project());
  await chatform(['plan', '-q', '--report', 'html=plan.html'], { cwd });
  await writeFile(join(cwd, 'manifest.yaml'), 'version: 1\nagents: { ann: { nam: Ann } }\n');
  const { code } = await chatform(['plan', '--report', 'html=plan.html'], { cwd });
  expect(code).toBe(1);
  const page = await readFile(join(cwd, 'plan.html'), 'utf8');
  expect(page).toContain('the files have errors');
  expect(page).toContain('manifest.yaml:2');
});
