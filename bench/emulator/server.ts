// A name comes in as argument, that server as a process of its own goes out: it says its URL, and on every message how much processor time
// it has used. Runs what is built, as people run it.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the machine can do at most: the body back, as it came. */
async function echo(): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function emulator(): Promise<string> {
  const built = new URL('../../dist/emulator/index.js', import.meta.url).href;
  const { createEmulator, listen } = (await import(built)) as typeof import('../../src/emulator/index.ts');
  const { url } = await listen(createEmulator({ now: Date.now, random: Math.random }), { port: 0, host: '127.0.0.1' });
  return url;
}

process.on('message', () => process.send?.(process.cpuUsage()));
process.on('disconnect', () => process.exit());
process.send?.({ url: await (process.argv[2] === 'echo' ? echo() : emulator()) });
