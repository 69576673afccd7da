// `chatform emulate`: the service itself on a local port, until it is stopped.

import type { PropagationDelay } from '../emulator/index.ts';
import { UsageError } from '../errors.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export interface EmulateFlags {
  readonly port: number;
  readonly host: string;
  /** File that keeps the license; null keeps it in memory. */
  readonly state: string | null;
  readonly propagationDelay: PropagationDelay;
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

export async function emulate(flags: EmulateFlags, terminal: Terminal): Promise<ExitCode> {
  const { createEmulator, listen, openStateFile } = await import('../emulator/index.ts');
  const options = { now: terminal.clock.now, random: terminal.random, propagationDelay: flags.propagationDelay };
  const emulator = flags.state === null ? createEmulator(options) : await openStateFile(flags.state, options);
  const server = await listen(emulator, flags).catch((error: unknown) => {
    throw isTaken(error)
      ? new UsageError(`port ${flags.port} of ${flags.host} is taken: --port names another, and 0 takes a free one`)
      : error;
  });
  terminal.out(`${server.url}\n`);
  await new Promise<void>((resolve) => {
    if (terminal.signal.aborted) resolve();
    else terminal.signal.addEventListener('abort', () => resolve());
  });
  await server.close();
  return 0;
}
