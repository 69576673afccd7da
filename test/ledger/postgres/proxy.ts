// A connection to a server that a test cuts: before a statement reaches it, or before its reply comes back.

import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

export interface CuttingProxy {
  /** The address of a database behind the proxy. */
  readonly url: (direct: string) => string;
  /** Cuts the connection at the next statement that has these words: before it, or after it without its reply. */
  readonly cutAt: (words: string, where: 'before' | 'after') => void;
  /** How many connections were cut. */
  readonly cuts: () => number;
  readonly stop: () => Promise<void>;
}

export async function cuttingProxy(port: number): Promise<CuttingProxy> {
  let plan: { readonly words: string; readonly where: 'before' | 'after' } | null = null;
  let cuts = 0;
  const open = new Set<Socket>();
  const server: Server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    let isCut = false;
    const end = (): void => {
      cuts += isCut ? 1 : 0;
      isCut = false;
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', end).on('close', () => {
        open.delete(socket);
        end();
      });
    }
    client.on('data', (data) => {
      if (plan !== null && data.includes(plan.words)) {
        isCut = true;
        const { where } = plan;
        plan = null;
        if (where === 'before') return end();
      }
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (isCut) end();
      else client.write(data);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const own = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: (direct) => {
      const url = new URL(direct);
      url.port = String(own);
      return url.href;
    },
    cutAt: (words, where) => {
      plan = { words, where };
    },
    cuts: () => cuts,
    stop: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
