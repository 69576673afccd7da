// Files on their way: their limit, and their bytes at the other end of a connection and of an emulator.

import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Exchange } from '../../src/service/exchange.ts';
import { createAgent, createHttpExchange } from '../../src/service/http.ts';
import { createInProcessExchange } from '../../src/service/in-process.ts';
import { type FileContent, formOf, type Upload, uploadOf } from '../../src/service/upload.ts';
import { folder } from '../cli/chatform.ts';

const MEGABYTE = 1024 * 1024;
const file = (content: FileContent['content'], size?: number): FileContent => ({
  content,
  name: 'photo.png',
  type: 'image/png',
  ...(size === undefined ? {} : { size }),
});

async function bytesOf({ read }: Upload): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of read()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('the limit', () => {
  const full = Buffer.alloc(100, 7);
  const over = Buffer.alloc(101, 7);

  test.each([
    ['bytes', (bytes: Buffer) => file(bytes)],
    ['a Blob', (bytes: Buffer) => file(new Blob([bytes]))],
    ['a stream with its size', (bytes: Buffer) => file(Readable.from([bytes]), bytes.length)],
    ['a stream without a size', (bytes: Buffer) => file(Readable.from([bytes.subarray(0, 50), bytes.subarray(50)]))],
    ['a function that opens streams', (bytes: Buffer) => file(() => Readable.from([bytes]), bytes.length)],
  ])('Of %s, as much as the service takes is taken, and one byte more is refused', async (_, of) => {
    const upload = await uploadOf(of(full), 100);
    expect([upload.size, await bytesOf(upload)]).toEqual([100, full]);
    await expect(uploadOf(of(over), 100)).rejects.toThrow('the file photo.png is too large');
  });

  test('A stream without a size is closed as soon as it is too large, and says the limit in megabytes', async () => {
    let made = 0;
    const endless = Readable.from(
      (async function* () {
        for (;;) {
          made += 1;
          yield Buffer.alloc(MEGABYTE);
        }
      })(),
    );
    await expect(uploadOf(file(endless), 10 * MEGABYTE)).rejects.toThrow('the service takes 10 MB at most');
    expect([endless.destroyed, made < 40]).toEqual([true, true]);
  });

  test('Nothing of a stream with its size is read before it is sent', async () => {
    let isRead = false;
    const stream = Readable.from(
      (async function* () {
        isRead = true;
        yield Buffer.alloc(10);
      })(),
    );
    const upload = await uploadOf(file(stream, 10), 100);
    expect([isRead, upload.isReadOnce]).toEqual([false, true]);
    expect((await bytesOf(upload)).length).toBe(10);
  });

  test.each([9, 11])('A stream whose size is not %d as stated fails while it is sent', async (stated) => {
    const upload = await uploadOf(file(Readable.from([Buffer.alloc(5), Buffer.alloc(5)]), stated), 100);
    await expect(bytesOf(upload)).rejects.toThrow(`${stated} bytes that were stated`);
  });

  test.each(['png', '', 'image/png\r\nx: y', 'image/'])('The content type %j is none', async (type) => {
    await expect(uploadOf({ content: Buffer.alloc(1), name: 'a', type }, 9)).rejects.toThrow('content type');
  });

  test.each([-1, 0.5, Number.NaN])('The size %d is none', async (size) => {
    await expect(uploadOf(file(Readable.from([]), size), 9)).rejects.toThrow('whole number of bytes');
  });
});

/** A server that keeps what it gets, and when. */
async function receiver() {
  const got: { readonly chunks: Buffer[]; readonly headers: Record<string, unknown> }[] = [];
  const server = createServer((request, response) => {
    const seen = { chunks: [] as Buffer[], headers: { ...request.headers } };
    got.push(seen);
    request.on('data', (chunk: Buffer) => seen.chunks.push(chunk));
    request.on('end', () => response.end('{"url":"u"}'));
    request.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = createAgent();
  onTestFinished(async () => {
    await agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  return {
    got,
    exchange: createHttpExchange(agent),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  };
}

function inThisProcess() {
  const got: string[] = [];
  const exchange = createInProcessExchange(async (request) => {
    got.push(await request.text());
    return new Response('{"url":"u"}');
  });
  return { got, exchange };
}

const sendTo = async (exchange: Exchange, url: string, upload: Upload) =>
  exchange({ url, body: '', timeout: 5_000, ...formOf('file', upload) });

describe('a stream over the network', () => {
  test('Its bytes arrive as they are, with the length that was promised', async () => {
    const { got, exchange, url } = await receiver();
    const bytes = Buffer.from(Array.from({ length: 3 * MEGABYTE }, (_, index) => index % 251));
    const path = join(await folder({}), 'photo.png');
    await writeFile(path, bytes);
    const upload = await uploadOf(
      file(() => createReadStream(path), bytes.length),
      10 * MEGABYTE,
    );
    expect(await sendTo(exchange, url, upload)).toMatchObject({ status: 200, body: '{"url":"u"}' });
    const arrived = Buffer.concat(got[0]?.chunks ?? []);
    expect(got[0]?.headers['content-length']).toBe(String(arrived.length));
    expect(got[0]?.headers['transfer-encoding']).toBeUndefined();
    expect(arrived.includes(bytes)).toBe(true);
    expect(await sendTo(exchange, url, upload)).toMatchObject({ status: 200 });
  });

  test('It is sent while it is read: the first bytes arrive before the last ones exist', async () => {
    const { got, exchange, url } = await receiver();
    const arrived = async (): Promise<void> => {
      while (Buffer.concat(got[0]?.chunks ?? []).includes('first') === false)
        await new Promise((resolve) => setImmediate(resolve));
    };
    const stream = (async function* () {
      yield Buffer.from('first');
      await arrived();
      yield Buffer.from('last');
    })();
    const upload = await uploadOf(file(stream, 9), 100);
    expect(await sendTo(exchange, url, upload)).toMatchObject({ status: 200 });
  });

  test('One that fails in the middle is a failure of the request, with its reason', async () => {
    const { exchange, url } = await receiver();
    const upload = await uploadOf(file(Readable.from([Buffer.alloc(5)]), 50), 100);
    expect(await sendTo(exchange, url, upload)).toMatchObject({
      failure: { phase: 'sent', detail: expect.stringContaining('has 5 of the 50 bytes') },
    });
  });
});

test('In this process its bytes arrive as well', async () => {
  const { got, exchange } = inThisProcess();
  const upload = await uploadOf(file(Readable.from(['one ', 'two'])), 100);
  expect(await sendTo(exchange, 'http://emulator.test/', upload)).toMatchObject({ status: 200, body: '{"url":"u"}' });
  expect(got[0]).toContain('filename="photo.png"\r\ncontent-type: image/png\r\n\r\none two\r\n--');
});
