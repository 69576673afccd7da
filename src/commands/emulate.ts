// `chatform emulate`: the service itself on a local port, until it is stopped.

import { readFile } from 'node:fs/promises';
import type { EmulatorOptions, PropagationDelay } from '../emulator/index.ts';
import { UsageError } from '../errors.ts';
import { writeCertificate } from './certificate-file.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export interface EmulateFlags {
  readonly port: number;
  readonly host: string;
  /** File that keeps the license; null keeps it in memory. */
  readonly state: string | null;
  readonly propagationDelay: PropagationDelay;
  /** File that describes what the license begins with; null for an empty one. */
  readonly seed: string | null;
  /** File that says how the service behaves where its specification is silent; null for the defaults. */
  readonly settings: string | null;
  /** File that says what goes wrong; null for nothing. */
  readonly faults: string | null;
  /** Whether the control API is served as well. */
  readonly control: boolean;
  readonly https: boolean;
  /** File for the certificate of `https`, so that clients can be told to trust it; null writes none. */
  readonly certificate: string | null;
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

export async function emulate(flags: EmulateFlags, terminal: Terminal): Promise<ExitCode> {
  const {
    createEmulator,
    createIdentity,
    listen,
    openStateFile,
    parseScenario,
    parseSeed,
    parseSettings,
    withControl,
  } = await import('../emulator/index.ts');
  const seed = await readDescription(flags.seed, parseSeed);
  const settings = await readDescription(flags.settings, parseSettings);
  const scenario = await readDescription(flags.faults, parseScenario);
  const options: EmulatorOptions = {
    now: terminal.clock.now,
    random: terminal.random,
    sleep: (milliseconds) => terminal.clock.sleep(milliseconds, terminal.signal),
    propagationDelay: flags.propagationDelay,
    ...(seed === null ? {} : { seed }),
    ...(settings === null ? {} : { settings }),
    ...(scenario === null ? {} : { scenario }),
  };
  const emulator = flags.state === null ? createEmulator(options) : await openStateFile(flags.state, options);
  const { port, host } = flags;
  const tls = flags.https ? createIdentity({ now: terminal.clock.now(), host }) : null;
  const where = { port, host, ...(tls === null ? {} : { tls }) };
  const server = await listen(flags.control ? withControl(emulator) : emulator, where).catch((error: unknown) => {
    throw isTaken(error)
      ? new UsageError(`port ${port} of ${host} is taken: --port names another, and 0 takes a free one`)
      : error;
  });
  try {
    if (tls !== null && flags.certificate !== null) await writeCertificate(flags.certificate, tls.certificate);
  } catch (error) {
    await server.close();
    throw error;
  }
  terminal.out(`${server.url}\n`);
  await new Promise<void>((resolve) => {
    if (terminal.signal.aborted) resolve();
    else terminal.signal.addEventListener('abort', () => resolve());
  });
  await server.close();
  return 0;
}

/** @throws UsageError that names the file and, where it is JSON, the member which is wrong */
async function readDescription<T>(path: string | null, parse: (json: unknown) => T): Promise<T | null> {
  if (path === null) return null;
  try {
    return parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new UsageError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
