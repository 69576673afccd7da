// WebSockets in front of a real-time interface: the only file that loads `ws`, with the first request for one. Knows no message.

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RealtimeOpening } from './realtime.ts';
import type { WireResponse } from './wire.ts';

/** Bytes of the largest message that is read. */
const LARGEST = 1024 * 1024;

/** Makes a connection out of a request for a WebSocket. */
export async function openSocket(
  open: RealtimeOpening,
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const { WebSocketServer } = await import('ws');
  if (socket.destroyed) return;
  const server = new WebSocketServer({ noServer: true, maxPayload: LARGEST, clientTracking: false });
  server.handleUpgrade(incoming, socket, head, (webSocket) => {
    webSocket.on('error', () => webSocket.terminate());
    const { receive, ended } = open({
      send: (text) => webSocket.send(text),
      close: () => webSocket.close(1000),
    });
    webSocket.on('message', (data) => receive(String(data)));
    // What cannot be kept on the disk, the next write says.
    webSocket.on('close', () => ended().catch(() => {}));
  });
}

/** Answers a request for a WebSocket with a response of HTTP, and closes the connection. */
export function refuseSocket({ status, headers, body }: WireResponse, socket: Duplex): void {
  const text = typeof body === 'string' ? body : '';
  const named = { ...headers, connection: 'close', 'content-length': String(Buffer.byteLength(text)) };
  const lines = Object.entries(named).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('')}\r\n${text}`);
}
