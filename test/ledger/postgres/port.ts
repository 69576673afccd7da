// Ports for servers of tests.

import { once } from 'node:events';
import { createServer } from 'node:net';

/** Systems give out no port below these, so no connection takes it while a server is away. */
const [LOWEST, HIGHEST] = [20_000, 29_999] as const;

/** A port of 127.0.0.1 that is free. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST + 1));
    const server = createServer();
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
