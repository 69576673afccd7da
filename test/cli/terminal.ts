// A terminal in the process of the test: it answers every question, and remembers what was asked and printed.

import { type Terminal, type TerminalStreams, terminalAt, terminalWith } from '../../src/command/terminal.ts';
import { commandLine } from '../../src/command-line.ts';
import type { ExitCode } from '../../src/many/operation.ts';
import { silent } from '../../src/target/context.ts';
import { createDatabases } from '../../src/target/stores.ts';
import { uncoloured } from '../../src/view/paint.ts';
import { virtualClock } from '../world.ts';

export interface FakeTerminal {
  readonly terminal: Terminal;
  readonly asked: readonly string[];
  /** stdout and stderr, as one. */
  readonly said: () => string;
  /** Calls everything that is repeated once. */
  readonly beat: () => void;
}

/** A person sits at it and gives this answer to every question, or one after the other; null when no person does. */
export function fakeTerminal(answer: string | null | readonly string[], env: Terminal['env'] = {}): FakeTerminal {
  const asked: string[] = [];
  const said: string[] = [];
  const repeated = new Set<() => void>();
  const say = (text: string): void => {
    said.push(text);
  };
  const seat: TerminalStreams = {
    out: say,
    err: say,
    paintOut: uncoloured,
    paintErr: uncoloured,
    env,
    clock: virtualClock(),
    every: (_, task) => {
      repeated.add(task);
      return () => repeated.delete(task);
    },
    random: () => 0.5,
    databases: createDatabases(virtualClock()),
    self: { user: 'ann', host: 'build-7', pid: 4711 },
    signal: new AbortController().signal,
    ask: async (question) => {
      asked.push(question);
      return Array.isArray(answer) ? (answer[asked.length - 1] ?? '') : answer;
    },
    input: async () => '',
  };
  const terminal = terminalWith(seat, silent, { logJson: false, quiet: false });
  const beat = (): void => {
    for (const task of repeated) task();
  };
  return { terminal, asked, said: () => said.join(''), beat };
}

/** Runs a command line at a terminal, in this process. */
export function atTerminal(args: readonly string[], seat: TerminalStreams): Promise<ExitCode> {
  return commandLine(args, { out: seat.out, err: seat.err, terminal: (flags) => terminalAt(seat, flags) });
}

/** What a command line prints that cannot do what it is asked for. @throws when it ends otherwise */
export async function refusal(args: readonly string[], { terminal, said }: FakeTerminal): Promise<string> {
  const code = await atTerminal(args, terminal);
  if (code !== 1) throw new Error(`${args.join(' ')} ended with ${code}: ${said()}`);
  return said();
}
