// Progress of long work: in place on a terminal, a line now and then in a log.

import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { progressOn } from '../../src/command/progress.ts';
import { streamsOf } from '../../src/command/terminal.ts';
import type { WorkNotice } from '../../src/target/context.ts';
import { workText } from '../../src/view/terminal/progress.ts';
import { virtualClock } from '../world.ts';

const CHANGED: WorkNotice = { type: 'working', verb: 'changed', done: 0, total: 500, noun: 'agents' };

test.each([
  [0, 0, 'changed 0 of 500 agents'],
  [3, 1_500, 'changed 3 of 500 agents'],
  [212, 88_000, 'changed 212 of 500 agents, 2 a second, 2 min left'],
  [250, 10_000, 'changed 250 of 500 agents, 25 a second, 10 s left'],
  [2, 60_000, 'changed 2 of 500 agents, 2 a minute, 4 h left'],
  [500, 60_000, 'changed 500 of 500 agents'],
])('%i done after %i ms: %s', (done, elapsed, text) => {
  expect(workText({ ...CHANGED, done }, elapsed)).toBe(text);
});

test('Large numbers have separators, and work that cannot be counted is only named', () => {
  expect(workText({ ...CHANGED, verb: 'read', done: 4_000, total: 20_000 }, 0)).toBe('read 4,000 of 20,000 agents');
  expect(workText({ ...CHANGED, verb: 'Planning', done: null, total: 20_000 }, 0)).toBe('Planning 20,000 agents...');
  expect(workText({ ...CHANGED, verb: 'Planning', done: null, total: 1 }, 0)).toBe('Planning 1 agent...');
});

test('A log gets a line every ten seconds, and the end of what it was told of', async () => {
  const clock = virtualClock();
  const said: string[] = [];
  const tell = progressOn({ clock, err: (text) => void said.push(text) });
  for (let done = 1; done <= 500; done += 1) {
    await clock.sleep(50);
    tell({ ...CHANGED, done });
  }
  expect(said).toEqual([
    expect.stringMatching(/^changed 201 of 500 agents, 20 a second, 15 s left\n$/),
    expect.stringMatching(/^changed 401 of 500 agents, 20 a second, 5 s left\n$/),
    'changed 500 of 500 agents\n',
  ]);
  said.length = 0;
  tell({ ...CHANGED, done: 1, total: 2 });
  tell({ ...CHANGED, done: 2, total: 2 });
  expect(said).toEqual([]);
});

test('Work without a count is a line of a log when it is long', () => {
  const said: string[] = [];
  const tell = progressOn({ clock: virtualClock(), err: (text) => void said.push(text) });
  tell({ ...CHANGED, verb: 'Planning', done: null, total: 20 });
  tell({ ...CHANGED, verb: 'Importing', done: null, total: 20_000 });
  tell({ ...CHANGED, verb: 'Checking', done: null, total: 20_000 });
  expect(said).toEqual(['Importing 20,000 agents...\n', 'Checking 20,000 agents...\n']);
});

/** A terminal of 40 columns, and what is written to it. */
function screen() {
  const written: string[] = [];
  const stream = (isTTY: boolean) =>
    Object.assign(new PassThrough(), { isTTY, columns: 40, write: (text: string) => written.push(text) > 0 });
  const at = (isTTY: boolean, logJson = false) =>
    streamsOf(
      { stdin: stream(isTTY), stdout: stream(isTTY), stderr: stream(isTTY), env: {} },
      { colour: false, logJson },
      new AbortController(),
    );
  return { written, at };
}

test('On a terminal the line changes in place, fits, and is gone before anything else is written', async () => {
  const { written, at } = screen();
  const seat = at(true);
  const clock = virtualClock();
  const tell = progressOn({ ...seat, clock });
  tell({ ...CHANGED, done: 1 });
  tell({ ...CHANGED, done: 2 });
  await clock.sleep(5_000);
  tell({ ...CHANGED, done: 100 });
  seat.err('a failure\n');
  await clock.sleep(5_000);
  tell({ ...CHANGED, done: 500 });
  seat.out('the end\n');
  const erase = '\r\u001b[2K';
  expect(written).toEqual([
    'changed 1 of 500 agents',
    erase,
    'changed 100 of 500 agents, 20 a second, 20 s left'.slice(0, 39),
    erase,
    'a failure\n',
    'the end\n',
  ]);
});

test('A log, and a log of JSON records, have no line in place', () => {
  const { at } = screen();
  expect(at(false).status).toBeUndefined();
  expect(at(true, true).status).toBeUndefined();
});
