// `chatform emulate`: the service itself on a local port, until it is stopped.

import { readFile } from 'node:fs/promises';
import { diskErrorCode } from '../base/disk.ts';
import { UsageError } from '../base/errors.ts';
import type { EmulatorOptions, PropagationDelay } from '../emulator/index.ts';
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

/** Why nobody can listen there, for a person; null for anything else. */
function addressRefusal(error: unknown, { port, host }: EmulateFlags): string | null {
  switch (diskErrorCode(error)) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is taken: --port names another, and 0 takes a free one`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `--host ${host} is not an address of this machine: 127.0.0.1 is, and 0.0.0.0 stands for all of them`;
    case 'EACCES':
      return `port ${port} may not be taken: --port names another, and 0 takes a free one`;
    default:
      return null;
  }
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
  const seed = await readDescription('--seed', flags.seed, parseSeed);
  const settings = await readDescription('--settings', flags.settings, parseSettings);
  const scenario = await readDescription('--faults', flags.faults, parseScenario);
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
    const refusal = addressRefusal(error, flags);
    throw refusal === null ? error : new UsageError(refusal);
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
async function readDescription<T>(flag: string, path: string | null, parse: (json: unknown) => T): Promise<T | null> {
  if (path === null) return null;
  try {
    return parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new UsageError(`${flag} ${path}: ${whyUnusable(error)}`);
  }
}

function whyUnusable(error: unknown): string {
  const code = diskErrorCode(error);
  if (code !== null) return `it cannot be read: ${code}`;
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof SyntaxError ? `it is not JSON: ${message}` : message;
}
