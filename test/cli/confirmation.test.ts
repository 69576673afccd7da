// The question before an apply, answered by a person who is not there: commands run in this process, with a terminal of ours.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { askPerson, streamsOf, type Terminal } from '../../src/command/terminal.ts';
import { onTerminal, uncoloured } from '../../src/view/paint.ts';
import { filesIn, folder, MANIFEST, withoutLease } from './chatform.ts';
import { atTerminal, fakeTerminal } from './terminal.ts';

const home = process.cwd();
let cwd = home;

beforeEach(async () => {
  cwd = await folder({ 'manifest.yaml': MANIFEST });
  process.chdir(cwd);
});

afterEach(() => process.chdir(home));

function apply(terminal: Terminal, ...flags: readonly string[]) {
  const target = ['-f', join(cwd, 'manifest.yaml'), '--base-url', `emulator:${join(cwd, 'license.json')}`];
  return atTerminal(['apply', ...target, ...flags], terminal);
}

test('The word itself goes ahead', async () => {
  const { terminal, asked, said } = fakeTerminal(' apply\n');
  expect(await apply(terminal)).toBe(0);
  expect(asked).toEqual([
    expect.stringMatching(/Plan: 3 to add, 0 to change, 0 to destroy on default\.\n.*Type apply to change default: $/),
  ]);
  expect(said()).toMatch(/^Target default {2}emulator:.*license\.json {2}ledger .*default\.ledger\.ndjson\n\n/);
  expect(said()).toMatch(/3 added, 0 changed, 0 destroyed\. \d+ requests to default, /);
});

test('Any other answer changes nothing', async () => {
  for (const answer of ['', 'y', 'yes', 'Apply', 'apply!']) {
    const { terminal } = fakeTerminal(answer);
    expect([answer, await apply(terminal)]).toEqual([answer, 1]);
  }
  expect(Object.keys(withoutLease(await filesIn(cwd)))).toEqual(['manifest.yaml']);
});

test('Who has just read the dangers on this terminal is only asked; who has not reads them in the question', async () => {
  await writeFile('manifest.yaml', MANIFEST.replace('name: Ann', 'name: Ann, role: administrator'));
  const closing = /Dangers:\n {2}more access: (?:Ann|agent\/ann@example\.com): .*\n\nPlan: 3 to add/s;
  const { terminal: rest, asked, said } = fakeTerminal('no');
  const terminal = { ...rest, paintOut: onTerminal(uncoloured, 60) };
  expect(await apply(terminal)).toBe(1);
  expect([asked, said()]).toEqual([['\nType apply to change default: '], expect.stringMatching(closing)]);
  for (const line of said().split('\n')) if (line.length > 60) expect(line.trim()).not.toContain(' ');
  const quiet = fakeTerminal('no');
  expect(await apply(quiet.terminal, '--quiet')).toBe(1);
  expect([quiet.asked, quiet.said()]).toEqual([
    [expect.stringMatching(closing)],
    'Nothing was changed: the answer was not apply.\n',
  ]);
});

test('A terminal has a width, of 80 columns where it does not say it, and a pipe has none', () => {
  const flags = { colour: true, logJson: false };
  const widthOf = (stream: { readonly isTTY?: boolean; readonly columns?: number }) => {
    const screen = Object.assign(new PassThrough(), stream);
    const streams = { stdin: new PassThrough(), stdout: screen, stderr: screen, env: {} };
    return streamsOf(streams, flags, new AbortController()).paintOut.width;
  };
  expect([widthOf({ isTTY: true, columns: 120 }), widthOf({ isTTY: true }), widthOf({ columns: 120 })]).toEqual([
    120,
    80,
    undefined,
  ]);
});

test('--yes asks nothing, and neither does an apply with nothing to do', async () => {
  const { terminal, asked } = fakeTerminal('no');
  expect(await apply(terminal, '--yes')).toBe(0);
  expect(await apply(terminal)).toBe(0);
  expect(asked).toEqual([]);
});

test.each([
  ['Ctrl-C', '\u0003', 130],
  ['Ctrl-D', '\u0004', 1],
])('%s at the question ends its line and the run, and speaks of no requests', async (_, key, code) => {
  const streams = { input: new PassThrough(), output: new PassThrough() };
  for (const stream of Object.values(streams)) Object.assign(stream, { isTTY: true });
  const controller = new AbortController();
  const { terminal: rest, said } = fakeTerminal(null);
  const terminal: Terminal = {
    ...rest,
    signal: controller.signal,
    ask: (question) => {
      const answer = askPerson(question, streams, controller.signal, () => controller.abort());
      streams.input.write(key);
      return answer;
    },
  };
  expect(await apply(terminal)).toBe(code);
  expect(String(streams.output.read())).toMatch(/\n$/);
  expect(said()).toMatch(/\nNothing was changed\.\n$/);
  expect(said()).not.toContain('requests in flight');
  expect(Object.keys(withoutLease(await filesIn(cwd)))).toEqual(['manifest.yaml']);
});
