// Requests come in, how many of them a server answers per second goes out. Speaks HTTP by hand over plain sockets, because a client that
// understands more of it would be measured too.

import { connect, type Socket } from 'node:net';

const CONNECTIONS = 10;

/** Where to send, and what; `next` gives one whole request at a time. */
export interface Load {
  readonly url: string;
  readonly next: () => Buffer;
  readonly milliseconds: number;
}

export interface Measurement {
  readonly answered: number;
  readonly seconds: number;
}

/** One request as bytes, on a connection that is kept alive. */
export function request(action: string, body: object): Buffer {
  const json = JSON.stringify(body);
  const head = [
    `POST /v3.6/configuration/action/${action} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Authorization: Bearer dal:token',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(json)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${json}`);
}

/** Bytes of the answer that `text` begins with; undefined while it is not all there. Throws when it is not a 200 of a known length. */
function lengthOf(text: string): number | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  if (!text.startsWith('HTTP/1.1 200 ') || length === undefined) throw new Error(`unexpected answer: ${text}`);
  const whole = end + 4 + Number(length);
  return text.length < whole ? undefined : whole;
}

/** Sends one request after the other on a connection, until `until` says so. */
function converse(socket: Socket, next: () => Buffer, until: () => boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = '';
    let answered = 0;
    socket.setNoDelay(true);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed the connection')));
    socket.on('data', (chunk) => {
      // One byte is one character, so that lengths are those of the header.
      text += chunk.toString('latin1');
      const length = lengthOf(text);
      if (length === undefined) return;
      text = text.slice(length);
      answered += 1;
      if (!until()) return void socket.write(next());
      socket.removeAllListeners('close');
      socket.destroy();
      resolve(answered);
    });
    socket.write(next());
  });
}

export async function measure({ url, next, milliseconds }: Load): Promise<Measurement> {
  const { hostname, port } = new URL(url);
  const began = performance.now();
  const over = (): boolean => performance.now() - began >= milliseconds;
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(Number(port), hostname));
  const answered = await Promise.all(sockets.map((socket) => converse(socket, next, over)));
  return { answered: answered.reduce((sum, one) => sum + one, 0), seconds: (performance.now() - began) / 1000 };
}
