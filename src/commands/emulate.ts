// `chatform emulate`: the service itself on a local port, until it is stopped.

import type { PropagationDelay } from '../emulator/index.ts';
import { writeCertificate } from './certificate-file.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export interface EmulateFlags {
  readonly port: number;
  readonly host: string;
  /** File that keeps the license; null keeps it in memory. */
  readonly state: string | null;
  readonly propagationDelay: PropagationDelay;
  readonly https: boolean;
  /** File for the certificate of `https`, so that clients can be told to trust it; null writes none. */
  readonly certificate: string | null;
}

export async function emulate(flags: EmulateFlags, terminal: Terminal): Promise<ExitCode> {
  const { createEmulator, createIdentity, listen, openStateFile } = await import('../emulator/index.ts');
  const options = { now: terminal.clock.now, random: terminal.random, propagationDelay: flags.propagationDelay };
  const emulator = flags.state === null ? createEmulator(options) : await openStateFile(flags.state, options);
  const { port, host } = flags;
  const tls = flags.https ? createIdentity({ now: terminal.clock.now(), host }) : null;
  const server = await listen(emulator, { port, host, ...(tls === null ? {} : { tls }) });
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
