// A server of HTTP for this machine alone. Knows nothing of what it answers.

import type { Server } from 'node:http';
import { diskErrorCode } from './disk.ts';
import { UsageError } from './errors.ts';

export interface LoopbackServer {
  readonly port: number;
  /** Also what is still answered. */
  readonly close: () => Promise<void>;
}

/** @param port - 0: any that is free. @param remedy - What a person does about a port that is taken. @throws UsageError for such a port */
export async function listenOnLoopback(server: Server, port: number, remedy: string): Promise<LoopbackServer> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  }).catch((error: unknown) => {
    throw new UsageError(`--port ${port} cannot be opened: ${diskErrorCode(error) ?? String(error)}; ${remedy}`);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
