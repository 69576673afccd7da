// Large licenses at a terminal: no line for each write, and no alias that stands for a million values.

import { expect, test } from 'vitest';
import { chatform, folder, project } from './chatform.ts';

const agents = (count: number): string =>
  Array.from({ length: count }, (_, index) => `  a${index}@example.com: { name: A${index} }\n`).join('');

test.each([
  [60, false],
  [50, true],
])('An apply of %i agents has a line for each: %s', async (count, hasLines) => {
  const cwd = await folder({ ...project(), 'manifest.yaml': `version: 1\nagents:\n${agents(count)}` });
  const { code, stdout, stderr } = await chatform(['apply', '--yes'], { cwd });
  expect(code).toBe(0);
  expect(stderr.includes('agent/a7@example.com: created')).toBe(hasLines);
  expect(stdout).toContain(`Apply complete. ${count} added`);
});
