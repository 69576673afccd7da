// A terminal in the process of the test: it answers every question, and remembers what it was asked and what it was told.

import type { Outside } from '../../src/commands/command-line.ts';
import { commandLine } from '../../src/commands/command-line.ts';
import type { ExitCode } from '../../src/commands/result.ts';
import { type Seat, type Terminal, terminalAt } from '../../src/commands/terminal.ts';
import { uncoloured } from '../../src/render/paint.ts';
import { silent } from '../../src/run/log.ts';
import { virtualClock } from '../world.ts';

export interface FakeTerminal {
  readonly terminal: Terminal;
  readonly asked: readonly string[];
  /** stdout and stderr, as one. */
  readonly said: () => string;
  /** Lets the time of everything that is repeated come once. */
  readonly beat: () => void;
}

/** A person sits at it and answers every question so; null when no person does. */
export function fakeTerminal(answer: string | null, env: Terminal['env'] = {}): FakeTerminal {
  const asked: string[] = [];
  const said: string[] = [];
  const repeated = new Set<() => void>();
  const err = (text: string): void => {
    said.push(text);
  };
  const seat: Seat = {
    out: err,
    err,
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
  const notice: Terminal['notice'] = (what) => {
    void terminalAt(seat, { logLevel: null, logJson: false, quiet: false }).then((terminal) => terminal.notice(what));
  };
  const beat = (): void => {
    for (const task of repeated) task();
  };
  return { terminal: { ...seat, log: silent, notice }, asked, said: () => said.join(''), beat };
}

/** Runs a command line at a terminal, in this process. */
export function atTerminal(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const outside: Outside = { out: terminal.out, err: terminal.err, terminal: async () => terminal };
  return commandLine(args, outside);
}
