// Uploaded files: what is taken, what an event shows of it, where it is read, how long it lasts, and that it is kept once.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator, type Emulator, openStateFile, type State, withControl } from '../../../src/emulator/index.ts';
import { seededRandom } from '../caller.ts';
import { type CustomerCaller, createCustomerCaller, customerCallerOf, NOW } from './caller.ts';
import { IMAGES, PNG } from './images.ts';
import { SEED } from './rows/row.ts';

const DAY = 86_400_000;
const BYTES = Uint8Array.from({ length: 512 }, (_, at) => (at * 7) % 256);

function formWith(bytes: Uint8Array<ArrayBuffer>, name = 'a.bin', type = 'application/x-any'): FormData {
  const form = new FormData();
  form.set('file', new File([bytes], name, { type }));
  return form;
}

async function upload(
  { call }: Pick<CustomerCaller, 'call'>,
  bytes: Uint8Array<ArrayBuffer> = BYTES,
  name?: string,
  type?: string,
): Promise<string> {
  return (await call('upload_file', formWith(bytes, name, type))).url;
}

/** Status, type and bytes of what is at a URL, which takes no token. */
async function contentAt({ emulator }: { readonly emulator: Emulator }, url: string) {
  const reply = await emulator.fetch(new Request(url));
  const bytes = new Uint8Array(await reply.arrayBuffer());
  return { status: reply.status, type: reply.headers.get('content-type'), bytes };
}

const fileEvent = (url: string, more: object = {}) => ({
  chat_id: 'CHATKIM001',
  event: { type: 'file', url, ...more },
});
const lastEvent = async ({ call }: Pick<CustomerCaller, 'call'>) =>
  (await call('get_chat', { chat_id: 'CHATKIM001' })).thread.events.at(-1);

test('A file comes back at its URL, byte by byte and with its type', async () => {
  const caller = createCustomerCaller();
  const url = await upload(caller);
  expect(await contentAt(caller, url)).toEqual({ status: 200, type: 'application/x-any', bytes: BYTES });
  for (const wrong of [`${url}0`, url.replace(/\?.*/, ''), url.replace('content', 'other')])
    expect([wrong, (await contentAt(caller, wrong)).type]).toEqual([wrong, 'application/json']);
  const posted = await caller.emulator.fetch(new Request(url, { method: 'POST' }));
  expect(posted.status).toBe(405);
});

test('A URL is that of the address to which the file was sent', async () => {
  const { emulator } = createCustomerCaller();
  const request = new Request('https://chat.example:8443/v3.7/customer/action/upload_file?organization_id=o', {
    method: 'POST',
    headers: { authorization: 'Bearer dal:kim' },
    body: formWith(BYTES),
  });
  const { url } = JSON.parse(await (await emulator.fetch(request)).text());
  expect(url).toMatch(/^https:\/\/chat\.example:8443\/v3\.7\/files\/content\?id=/);
});

test('An event shows the name, the type and the size of its file, and no more where it is no image', async () => {
  const caller = createCustomerCaller();
  const url = await upload(caller, BYTES, 'C:\\Users\\kim\\notes.txt', 'text/plain');
  await caller.call('send_event', fileEvent(url));
  const { id, author_id, created_at, ...shown } = await lastEvent(caller);
  expect(shown).toEqual({ type: 'file', name: 'notes.txt', url, content_type: 'text/plain', size: 512 });
});

test.each(IMAGES)('An event shows the size of an image, and thumbnails that can be read: %s', async (name, bytes) => {
  const caller = createCustomerCaller();
  const url = await upload(caller, bytes, `a.${name}`, 'image/any');
  await caller.call('send_event', fileEvent(url, { alternative_text: '/v: a bar' }));
  const event = await lastEvent(caller);
  expect(event).toMatchObject({ width: 300, height: 7, size: bytes.length, alternative_text: '/v: a bar' });
  for (const thumbnail of [event.thumbnail_url, event.thumbnail2x_url])
    expect(await contentAt(caller, thumbnail)).toEqual({ status: 200, type: 'image/any', bytes });
});

test('What an event says of a file is what was uploaded, not what the request says', async () => {
  const caller = createCustomerCaller();
  const url = await upload(caller, PNG, 'a.png', 'image/png');
  await caller.call('send_event', fileEvent(url, { name: 'b.exe', content_type: 'text/plain', size: 1, width: 1 }));
  expect(await lastEvent(caller)).toMatchObject({
    name: 'a.png',
    content_type: 'image/png',
    size: PNG.length,
    width: 300,
  });
});

test('An event needs a URL that upload_file gave', async () => {
  const caller = createCustomerCaller();
  const url = await upload(caller);
  const wrong = [
    'https://shop.example/a.png',
    'a.png',
    '',
    url.slice(0, -1),
    url.replace('/files/', '/other/'),
    'http://[',
  ];
  for (const other of wrong)
    expect([other, await caller.fail('send_event', fileEvent(other))]).toEqual([other, 'validation']);
});

test('A file that no event names is gone after 24 hours, with its bytes', async () => {
  const caller = createCustomerCaller();
  const url = await upload(caller);
  caller.clock.now += DAY - 1;
  expect((await contentAt(caller, url)).status).toBe(200);
  caller.clock.now += 1;
  const gone = await contentAt(caller, url);
  expect([gone.status, gone.type, JSON.parse(Buffer.from(gone.bytes).toString())]).toEqual([
    404,
    'application/json',
    { error: { type: 'not_found', message: expect.stringContaining('24 hours') } },
  ]);
  expect(await caller.fail('send_event', fileEvent(url))).toBe('validation');
  const { files, fileBytes, temporaryFiles } = caller.emulator.snapshot().tables;
  expect([files, fileBytes, temporaryFiles]).toEqual([[], [], []]);
});

const messageWith = (url: string) => ({ thread: { events: [{ type: 'file', url }] } });
const card = (url: string) => ({
  chat_id: 'CHATKIM001',
  event: { type: 'rich_message', template_id: 'cards', elements: [{ title: 'T' }, { image: { url } }] },
});

test.each<[string, string, (url: string) => object]>([
  ['dal:kim', 'send_event', (url) => fileEvent(url)],
  ['dal:kim', 'send_event', card],
  ['dal:max', 'start_chat', (url) => ({ chat: messageWith(url) })],
  ['dal:lee', 'resume_chat', (url) => ({ chat: { id: 'CHATLEE001', ...messageWith(url) } })],
])('A file that %s names in %s stays', async (token, action, bodyOf) => {
  const caller = createCustomerCaller();
  const { url } = await caller.call('upload_file', formWith(BYTES), { authorization: `Bearer ${token}` });
  await caller.call(action, bodyOf(url), { authorization: `Bearer ${token}` });
  caller.clock.now += 400 * DAY;
  expect((await contentAt(caller, url)).bytes).toEqual(BYTES);
});

test('A request that is refused does not make a file stay', async () => {
  const caller = createCustomerCaller();
  const url = await upload(caller);
  const properties = { shop: { nothing: 'x' } };
  expect(await caller.fail('send_event', fileEvent(url, { properties }))).toBe('validation');
  caller.clock.now += DAY;
  expect((await contentAt(caller, url)).status).toBe(404);
});

const occurrences = (state: State): number =>
  JSON.stringify(state).split(Buffer.from(BYTES).toString('base64')).length - 1;

test('The bytes of a file are in the state once, while it propagates and when it is uploaded again', async () => {
  const caller = createCustomerCaller({ propagationDelay: 120_000 });
  const [first, second] = [await upload(caller), await upload(caller)];
  caller.clock.now += 10;
  await caller.call('send_event', fileEvent(first));
  expect(occurrences(caller.emulator.snapshot())).toBe(1);
  caller.clock.now += DAY;
  expect([(await contentAt(caller, first)).status, (await contentAt(caller, second)).status]).toEqual([200, 404]);
  expect(occurrences(caller.emulator.snapshot())).toBe(1);
});

test('A restart keeps a file that an event names, also at another address', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'uploads-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'license.json');
  const options = { now: () => NOW, random: seededRandom(1) };
  const first = customerCallerOf(await openStateFile(path, { ...options, seed: SEED }));
  await first.call('send_event', fileEvent(await upload(first, PNG, 'a.png', 'image/png')));
  await upload(first);
  const again = customerCallerOf(await openStateFile(path, { ...options, now: () => NOW + DAY }));
  const request = new Request('http://127.0.0.1:9000/v3.7/customer/action/get_chat?organization_id=o', {
    method: 'POST',
    headers: { authorization: 'Bearer dal:kim', 'content-type': 'application/json' },
    body: JSON.stringify({ chat_id: 'CHATKIM001' }),
  });
  const { thread } = JSON.parse(await (await again.emulator.fetch(request)).text());
  const { url, thumbnail_url } = thread.events.find(({ type }: { type: string }) => type === 'file');
  expect([url, thumbnail_url]).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:9000\//), url]);
  expect((await contentAt(again, url)).bytes).toEqual(PNG);
  expect(await readFile(path, 'utf8')).not.toContain('"a.bin"');
});

test('A chat that is anonymized loses its files', async () => {
  const caller = createCustomerCaller();
  const url = await upload(caller);
  await caller.call('send_event', fileEvent(url));
  await caller.call('deactivate_chat', { id: 'CHATKIM001' });
  const body = JSON.stringify({ chat_id: 'CHATKIM001' });
  const headers = { 'content-type': 'application/json' };
  const anonymize = new Request('http://emulator/_emulator/chats/anonymize', { method: 'POST', headers, body });
  expect((await withControl(caller.emulator).fetch(anonymize)).status).toBe(200);
  expect((await contentAt(caller, url)).status).toBe(404);
  expect(occurrences(caller.emulator.snapshot())).toBe(0);
});

const zeros = (size: number, beginning = ''): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(size);
  bytes.set(Buffer.from(beginning, 'latin1'));
  return bytes;
};

test('A file may have 10 MB, and not one byte more', async () => {
  const caller = createCustomerCaller();
  await upload(caller, zeros(10 * 1024 * 1024));
  for (const size of [10 * 1024 * 1024 + 1, 11 * 1024 * 1024]) {
    const { status, body } = await caller.send('upload_file', formWith(zeros(size)));
    expect([status, body.error.type]).toEqual([413, 'entity_too_large']);
    expect(body.error.message).toMatch(/^Upload limit exceeded \(10MB\)\./);
  }
  const unlimited = createCustomerCaller({ settings: { limits: { uploadBytes: -1, bodyBytes: 10 } } });
  await upload(unlimited, zeros(11 * 1024 * 1024));
});

test.each([
  ['setup.exe', ''],
  ['SETUP.EXE', ''],
  ['setup.exe. .', ''],
  ['.bat', ''],
  ['a.tar.sh', ''],
  ['script.ps1', ''],
  ['installer.msi', ''],
  ['picture.png', 'MZ\x90\x00'],
  ['picture.png', '\x7fELF'],
  ['picture.png', '#!/bin/sh'],
  ['picture.png', '\xcf\xfa\xed\xfe'],
  ['picture.png', '\xfe\xed\xfa\xce'],
  ['picture.png', '\xca\xfe\xba\xbe'],
])('3.7 takes no executable, which %s (%j) is, and 3.3 does', async (name, beginning) => {
  const bytes = zeros(64, beginning);
  const { status, body } = await createCustomerCaller().send('upload_file', formWith(bytes, name, 'image/png'));
  expect([status, body.error.type]).toEqual([400, 'validation']);
  await upload(createCustomerCaller({}, '3.3'), bytes, name, 'image/png');
});

test.each(['exe', 'exe.txt', 'my.exe.png', 'a.b', 'sh'])('3.7 takes a file with the name %s', async (name) => {
  await upload(createCustomerCaller(), BYTES, name);
});

test('A state whose file has lost its bytes is refused', async () => {
  const caller = createCustomerCaller();
  await upload(caller);
  const state = caller.emulator.snapshot();
  const options = { now: () => NOW, random: seededRandom(1) };
  for (const table of ['fileBytes', 'files'] as const) {
    const damaged = { ...state, tables: { ...state.tables, [table]: [] } };
    expect(() => createEmulator({ ...options, state: damaged })).toThrow(/not a valid state: .*file/);
  }
});
