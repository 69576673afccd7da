// Targets that are under way at once share the connections to their address, and nothing else.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { openLine, type TargetLine } from '../../src/license/transport.ts';
import { targetSettings } from '../../src/project/settings.ts';
import { systemContext } from '../../src/target/context.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A service that answers everything but `/silence`, and counts connections. */
async function service() {
  const asked = { connections: 0 };
  const server = createServer(({ url }, reply) => {
    if (url !== '/silence') reply.end('{}');
  });
  servers.push(server);
  server.on('connection', () => {
    asked.connections += 1;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const post = (line: TargetLine, path: string) =>
    line.exchange({ url: `${baseUrl}${path}`, headers: {}, body: '{}', timeout: 60_000 });
  return { asked, settings: targetSettings('here', { base_url: baseUrl }, 'chatform.yaml'), post };
}

test('targets at once use the same connections, which are closed after the last of them', async () => {
  const { asked, settings, post } = await service();
  const context = systemContext();
  const lines = await Promise.all(Array.from({ length: 10 }, () => openLine(settings, context)));
  const [last] = lines;
  for (const line of lines) expect(await post(line, '/a')).toMatchObject({ status: 200 });
  // A connection is free a moment after its reply is read.
  const { connections } = asked;
  expect(connections).toBeLessThanOrEqual(2);
  for (const line of lines) if (line !== last) await line.close();
  if (last !== undefined) expect(await post(last, '/b')).toMatchObject({ status: 200 });
  expect(asked.connections).toBe(connections);
  await last?.close();
  const later = await openLine(settings, context);
  expect(await post(later, '/c')).toMatchObject({ status: 200 });
  expect(asked.connections).toBe(connections + 1);
  await later.close();
});

test('the end of one target ends its own requests alone', async () => {
  const { settings, post } = await service();
  const context = systemContext();
  const [one, other] = [await openLine(settings, context), await openLine(settings, context)];
  const unanswered = post(one, '/silence');
  await one.close();
  await one.close();
  expect(await unanswered).toMatchObject({ failure: { kind: 'aborted' } });
  expect(await post(one, '/a')).toMatchObject({ failure: { kind: 'aborted' } });
  const last = post(other, '/silence');
  const third = await openLine(settings, context);
  await third.close();
  expect(await post(other, '/a')).toMatchObject({ status: 200 });
  expect(await Promise.race([last, 'open'])).toBe('open');
  await other.close();
});
