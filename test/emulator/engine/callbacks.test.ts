// Requests that the emulator itself sends: where they may go, what is in them, and what the journal keeps.

import { expect, test, vi } from 'vitest';
import { type Callback, createCallbacks } from '../../../src/emulator/engine/callbacks.ts';
import { createJournal } from '../../../src/emulator/engine/journal.ts';

const CALLBACK: Callback = {
  url: 'http://127.0.0.1:9/verified',
  body: { email: 'kim@example.com' },
  version: '3.7',
  action: 'customer/told',
  anywhere: false,
};
const ENTRY = { at: 1000, version: '3.7', action: 'customer/told', error: null, faults: [], to: CALLBACK.url };

function callbacks(answer: (request: Request) => Promise<Response>) {
  const journal = createJournal();
  const sent: Request[] = [];
  const send = (request: Request): Promise<Response> => {
    sent.push(request);
    return answer(request);
  };
  return { journal, sent, callBack: createCallbacks(send, journal, () => 1000.7) };
}

test('A callback is a POST with JSON, which follows no redirect, and the journal keeps its status', async () => {
  const { journal, sent, callBack } = callbacks(async () => new Response('moved', { status: 302 }));
  callBack(CALLBACK);
  await vi.waitFor(() => expect(journal.entries()).toEqual([{ ...ENTRY, status: 302 }]));
  const [request] = sent;
  expect([request?.method, request?.url, request?.redirect]).toEqual(['POST', CALLBACK.url, 'manual']);
  expect(request?.headers.get('content-type')).toBe('application/json');
  expect(await request?.json()).toEqual(CALLBACK.body);
  expect(journal.counts()).toEqual({});
});

test.each<[string, () => Promise<Response>]>([
  ['rejects', () => Promise.reject(new TypeError('fetch failed'))],
  [
    'throws',
    () => {
      throw new Error('broken');
    },
  ],
])('A callback whose sending %s is unreachable, and is not sent again', async (_, answer) => {
  const { journal, sent, callBack } = callbacks(answer);
  callBack(CALLBACK);
  await vi.waitFor(() => expect(journal.entries()).toEqual([{ ...ENTRY, status: null, error: 'unreachable' }]));
  expect(sent).toHaveLength(1);
});

test('A callback that would leave this machine is withheld, unless it may go anywhere', async () => {
  const { journal, sent, callBack } = callbacks(async () => new Response());
  const url = 'https://shop.example/verified';
  callBack({ ...CALLBACK, url });
  expect(journal.entries()).toEqual([{ ...ENTRY, to: url, status: null, error: 'withheld' }]);
  expect(sent).toEqual([]);
  callBack({ ...CALLBACK, url, anywhere: true });
  await vi.waitFor(() => expect(journal.entries()).toHaveLength(2));
  expect(sent.map((request) => request.url)).toEqual([url]);
});
