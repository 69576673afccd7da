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
}

/** Somebody sits at it and answers every question so; null when nobody does. */
export function fakeTerminal(answer: string | null, env: Terminal['env'] = {}): FakeTerminal {
  const asked: string[] = [];
  const said: string[] = [];
  const terminal: Terminal = {
    out: (text) => said.push(text),
    err: (text) => said.push(text),
    log: silent,
    paintOut: uncoloured,
    paintErr: uncoloured,
    env,
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
