// Answers and an environment in; a terminal that remembers what it was asked and told out, for commands that are run in the process of the test.

import { silent } from '../../src/commands/log.ts';
import type { Terminal } from '../../src/commands/terminal.ts';
import { uncoloured } from '../../src/render/paint.ts';
import { virtualClock } from '../world.ts';

export interface FakeTerminal {
  readonly terminal: Terminal;
  readonly asked: readonly string[];
  /** stdout and stderr, as one. */
  readonly said: () => string;
  /** Lets the time of everything that is repeated come once. */
  readonly beat: () => void;
}

/** Somebody sits at it and answers every question so; null when nobody does. */
export function fakeTerminal(answer: string | null, env: Terminal['env'] = {}): FakeTerminal {
  const asked: string[] = [];
  const said: string[] = [];
  const repeated = new Set<() => void>();
  const terminal: Terminal = {
    out: (text) => said.push(text),
    err: (text) => said.push(text),
    log: silent,
    paintOut: uncoloured,
    paintErr: uncoloured,
    env,
    clock: virtualClock(),
    every: (_, task) => {
      repeated.add(task);
      return () => repeated.delete(task);
    },
    random: () => 0.5,
    self: { user: 'ann', host: 'build-7', pid: 4711 },
    signal: new AbortController().signal,
    ask: async (question) => {
      asked.push(question);
      return answer;
    },
  };
  const beat = (): void => {
    for (const task of repeated) task();
  };
  return { terminal, asked, said: () => said.join(''), beat };
}
