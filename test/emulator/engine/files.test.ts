// Files of an API: uploaded as forms, and served back as bytes, over a port and in this process.

import { expect, onTestFinished, test } from 'vitest';
import type { EmulatedAction, EmulatedApi } from '../../../src/emulator/engine/api.ts';
import { readMultipart } from '../../../src/emulator/engine/body.ts';
import { createLicenseEmulator, type EngineOptions } from '../../../src/emulator/engine/emulator.ts';
import { listen } from '../../../src/emulator/engine/listen.ts';
import { refuse } from '../../../src/emulator/engine/refusal.ts';
import type { EngineSettings } from '../../../src/emulator/engine/settings.ts';
import { queryOf, type WireRequest } from '../../../src/emulator/engine/wire.ts';
import { START, seededRandom } from '../caller.ts';

/** Of the whole body, in bytes. */
const LIMIT = 2000;

/** An API that keeps files in memory: `upload` takes them under `file`, `download` answers the one that the query names. */
function fileApi(): EmulatedApi {
  const files = new Map<string, { readonly type: string; readonly bytes: Uint8Array }>();
  const traits = { versions: ['3.7'], methods: ['POST', 'GET'], effect: 'read' } as const;
  const read = async (request: WireRequest, _: EngineSettings, { name }: EmulatedAction): Promise<unknown> => {
    if (name !== 'upload') return queryOf(request).get('name');
    const form = await readMultipart(request, LIMIT);
    const file = form.get('file');
    if (!(file instanceof File)) return refuse('validation', '`file` must be a file');
    const bytes = new Uint8Array(await file.arrayBuffer());
    return { name: file.name, type: file.type, bytes, note: form.get('note') };
  };
  const upload = (body: unknown) => {
    const { name, type, bytes, note } = body as Readonly<Record<'name' | 'type' | 'note', string>> & {
      readonly bytes: Uint8Array;
    };
    files.set(name, { type, bytes });
    return { name, size: bytes.byteLength, note };
  };
  return {
    path: 'files',
    prefix: 'files/',
    versions: ['3.7'],
    settings: { lifecycle: {} },
    kinds: [],
    actions: [
      { ...traits, name: 'upload', reply: 'value', run: upload },
      {
        ...traits,
        name: 'download',
        reply: 'bytes',
        run: (name) => files.get(String(name)) ?? refuse('not_found', 'there is no such file'),
      },
      { ...traits, name: 'nothing', reply: 'bytes', run: () => ({}) },
    ],
    isRegional: () => false,
    authenticate: () => null,
    read,
  };
}

type Send = (path: string, init?: RequestInit) => Promise<Response>;

function emulatorOf(options: Partial<EngineOptions> = {}) {
  return createLicenseEmulator([fileApi()], { now: () => START, random: seededRandom(1), ...options });
}

/** Both ways to reach the emulator. */
const CARRIERS: readonly (readonly [string, (options?: Partial<EngineOptions>) => Promise<Send>])[] = [
  [
    'in this process',
    async (options) => {
      const { fetch } = emulatorOf(options);
      return (path, init) => fetch(new Request(`http://emulator/v3.7/files/${path}`, init));
    },
  ],
  [
    'over a port',
    async (options) => {
      const { url, close } = await listen(emulatorOf(options), { port: 0, host: '127.0.0.1' });
      onTestFinished(close);
      return (path, init) => fetch(`${url}/v3.7/files/${path}`, init);
    },
  ],
];

/** Every byte, so that a text in between would change some. */
const PICTURE = Uint8Array.from({ length: 512 }, (_, at) => at);

function formOf(bytes: Uint8Array<ArrayBuffer>, name = 'a.png'): FormData {
  const form = new FormData();
  form.set('note', 'zażółć');
  form.set('file', new File([bytes], name, { type: 'image/png' }));
  return form;
}

const TYPE = 'multipart/form-data; boundary=border';

/** A form written by hand. */
const written = (...lines: readonly string[]): string => lines.join('\r\n');
const WHOLE = written(
  '--border',
  'Content-Disposition: form-data; name="file"; filename="b.txt"',
  'Content-Type: text/plain',
  '',
  'hello',
  '--border--',
  '',
);

test.each(CARRIERS)('A file that is uploaded %s comes back byte by byte, with its type', async (_, connect) => {
  const send = await connect();
  const uploaded = await send('upload', { method: 'POST', body: formOf(PICTURE) });
  expect(await uploaded.json()).toEqual({ name: 'a.png', size: 512, note: 'zażółć' });
  const found = await send('download?name=a.png');
  expect([found.status, found.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(new Uint8Array(await found.arrayBuffer())).toEqual(PICTURE);
  const missing = await send('download?name=b.png');
  expect([missing.status, missing.headers.get('content-type'), await missing.json()]).toEqual([
    404,
    'application/json',
    { error: { type: 'not_found', message: 'there is no such file' } },
  ]);
});

test.each(CARRIERS)('A file without bytes goes and comes back %s', async (_, connect) => {
  const send = await connect();
  await send('upload', { method: 'POST', body: formOf(new Uint8Array()) });
  const found = await send('download?name=a.png');
  expect([found.status, (await found.arrayBuffer()).byteLength]).toEqual([200, 0]);
});

test.each(CARRIERS)('A slow body brings the bytes of a file %s', async (_, connect) => {
  const scenario = { faults: [{ type: 'slow_body' as const, bytes_per_second: 20_000, actions: ['files/download'] }] };
  const send = await connect({ scenario });
  await send('upload', { method: 'POST', body: formOf(PICTURE) });
  const found = await send('download?name=a.png');
  expect(found.headers.get('content-type')).toBe('image/png');
  expect(new Uint8Array(await found.arrayBuffer())).toEqual(PICTURE);
});

test('The bytes of a file take the time of a slow body', async () => {
  const slept: number[] = [];
  const sleep = async (milliseconds: number) => void slept.push(milliseconds);
  const scenario = { faults: [{ type: 'slow_body' as const, bytes_per_second: 1024, actions: ['files/download'] }] };
  const { fetch } = emulatorOf({ scenario, sleep });
  const body = formOf(PICTURE);
  await fetch(new Request('http://emulator/v3.7/files/upload', { method: 'POST', body }));
  const found = await fetch(new Request('http://emulator/v3.7/files/download?name=a.png'));
  expect(new Uint8Array(await found.arrayBuffer())).toEqual(PICTURE);
  expect(slept.reduce((sum, time) => sum + time, 0)).toBeCloseTo(500, 3);
});

test.each(CARRIERS)('A form written by hand is read %s', async (_, connect) => {
  const send = await connect();
  const found = await send('upload', { method: 'POST', headers: { 'content-type': TYPE }, body: WHOLE });
  expect(await found.json()).toEqual({ name: 'b.txt', size: 5, note: null });
});

test.each<[string, string, string]>([
  ['is JSON', 'application/json', '{}'],
  ['has no type', '', WHOLE],
  ['is a form without files', 'application/x-www-form-urlencoded', 'file=x'],
  ['names no boundary', 'multipart/form-data', WHOLE],
  ['names an empty boundary', 'multipart/form-data; boundary=', WHOLE],
  ['names another boundary', 'multipart/form-data; boundary=other', WHOLE],
  ['is empty', TYPE, ''],
  ['is cut off in its file', TYPE, WHOLE.slice(0, -15)],
  ['is cut off before its end', TYPE, WHOLE.slice(0, -4)],
  ['has a part without a name', TYPE, WHOLE.replace('name="file"; ', '')],
  ['has a name without an end', TYPE, WHOLE.replace('name="file"', 'name="file')],
  ['has a header without a colon', TYPE, WHOLE.replace('Content-Type: text/plain', 'Content-Type')],
  ['has a text where the file should be', TYPE, WHOLE.replace('; filename="b.txt"', '')],
])('A body that %s is refused with `validation`', async (_, type, body) => {
  const { fetch } = emulatorOf();
  const init = { method: 'POST', headers: { 'content-type': type }, body: new TextEncoder().encode(body) };
  const reply = await fetch(new Request('http://emulator/v3.7/files/upload', init));
  expect([reply.status, await reply.json()]).toMatchObject([400, { error: { type: 'validation' } }]);
});

test.each(CARRIERS)('A form of as many bytes as the limit is read %s, and a longer one refused', async (_, connect) => {
  const send = await connect();
  const upload = async (length: number, chunked = false) => {
    const text = WHOLE.replace('hello', 'x'.repeat(length - WHOLE.length + 5));
    const bytes = new TextEncoder().encode(text);
    expect(bytes).toHaveLength(length);
    // A stream says no length before it is read.
    const body = chunked ? ReadableStream.from([bytes.subarray(0, 900), bytes.subarray(900)]) : bytes;
    const reply = await send('upload', { method: 'POST', headers: { 'content-type': TYPE }, body, duplex: 'half' });
    return [reply.status, await reply.json()];
  };
  for (const chunked of [false, true]) {
    expect(await upload(LIMIT, chunked)).toMatchObject([200, { name: 'b.txt' }]);
    expect(await upload(LIMIT + 1, chunked)).toEqual([
      413,
      { error: { type: 'entity_too_large', message: `the body must have at most ${LIMIT} bytes` } },
    ]);
  }
});

test('An action that should answer bytes and returns none is a defect', async () => {
  const reply = await emulatorOf().fetch(new Request('http://emulator/v3.7/files/nothing'));
  expect([reply.status, await reply.json()]).toMatchObject([500, { error: { type: 'internal' } }]);
});
