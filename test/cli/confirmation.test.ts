// The question before an apply, answered by a person who is not there: commands run in this process, with a terminal of ours.

import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { apply } from '../../src/commands/apply.ts';
import type { Terminal } from '../../src/commands/terminal.ts';
import { uncoloured } from '../../src/render/paint.ts';
import { virtualClock } from '../world.ts';
import { filesIn, folder, MANIFEST } from './chatform.ts';

const home = process.cwd();
let cwd = home;

beforeEach(async () => {
  cwd = await folder({ 'manifest.yaml': MANIFEST });
  process.chdir(cwd);
});

afterEach(() => process.chdir(home));

/** A terminal at which somebody answers every question so. */
function answering(answer: string): {
  readonly terminal: Terminal;
  readonly asked: string[];
  readonly said: () => string;
} {
  const asked: string[] = [];
  const said: string[] = [];
  const terminal: Terminal = {
    out: (text) => said.push(text),
    err: (text) => said.push(text),
    paintOut: uncoloured,
    paintErr: uncoloured,
    env: {},
    clock: virtualClock(),
    random: () => 0.5,
    signal: new AbortController().signal,
    ask: async (question) => {
      asked.push(question);
      return answer;
    },
  };
  return { terminal, asked, said: () => said.join('') };
}

function flags() {
  return { file: [join(cwd, 'manifest.yaml')], baseUrl: `emulator:${join(cwd, 'license.json')}` };
}

test('The word itself goes ahead', async () => {
  const { terminal, asked, said } = answering(' apply\n');
  expect(await apply(flags(), terminal)).toBe(0);
  expect(asked).toEqual([expect.stringContaining('Plan: 3 to add, 0 to change, 0 to destroy.')]);
  expect(said()).toContain('3 added, 0 changed, 0 destroyed');
});

test('Any other answer changes nothing', async () => {
  for (const answer of ['', 'y', 'yes', 'Apply', 'apply!']) {
    const { terminal } = answering(answer);
    expect([answer, await apply(flags(), terminal)]).toEqual([answer, 1]);
  }
  expect(Object.keys(await filesIn(cwd))).toEqual(['manifest.yaml']);
});

test('--yes asks nothing, and neither does an apply with nothing to do', async () => {
  const { terminal, asked } = answering('no');
  expect(await apply({ ...flags(), yes: true }, terminal)).toBe(0);
  expect(await apply(flags(), terminal)).toBe(0);
  expect(asked).toEqual([]);
});
