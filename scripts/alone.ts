// Work that one process of a machine does at a time. The kernel keeps the lock, so it ends with the process that has it, however that ends.

import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Does `work` while no other process does work of that name. Only Linux has the sockets for it; elsewhere, nothing waits. */
export async function alone<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  if (process.platform !== 'linux') return work();
  const release = await lock(`\0${name}`);
  try {
    return await work();
  } finally {
    release();
  }
}

/** Returns how to give the lock back. */
async function lock(path: string): Promise<() => void> {
  for (;;) {
    const waiting = new Set<Socket>();
    const server = createServer((socket) => {
      waiting.add(socket);
      socket.on('error', () => undefined);
    });
    if (await listens(server, path))
      return () => {
        server.close();
        for (const socket of waiting) socket.destroy();
      };
    await disconnected(path);
  }
}

async function listens(server: Server, path: string): Promise<boolean> {
  try {
    server.listen({ path });
    await once(server, 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
}

/** Waits until the process that listens there ends, or stops listening. */
function disconnected(path: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.resume();
  });
}
