// `chatform completion`: a script for four shells, and the answers that it asks for.

import { expect, test } from 'vitest';
import { folder, spawned } from './chatform.ts';

test('Each of four shells gets a script of its own', async () => {
  const cwd = await folder();
  const scripts = [];
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    const { code, stdout, stderr } = await spawned(['completion', shell], { cwd });
    expect([shell, code, stderr]).toEqual([shell, 0, '']);
    expect(stdout).toContain('chatform');
    scripts.push(stdout);
  }
  expect(new Set(scripts).size).toBe(4);
});

test('A shell that is not known is an error', async () => {
  const { code, stdout } = await spawned(['completion', 'tcsh'], { cwd: await folder() });
  expect([code, stdout]).toEqual([1, '']);
});

test('Commands and their flags are offered', async () => {
  const cwd = await folder();
  expect((await spawned(['complete', '--', 'pl'], { cwd })).stdout).toMatch(/^plan\b/m);
  expect((await spawned(['complete', '--', 'apply', '--y'], { cwd })).stdout).toMatch(/^--yes\b/m);
});
