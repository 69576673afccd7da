// Reading a license: lists that cannot be read, and what is read one by one.

import { expect, test } from 'vitest';
import { ApiError, unstatedFailure } from '../../../src/base/errors.ts';
import { parseSeed } from '../../../src/emulator/index.ts';
import { foldLedger } from '../../../src/ledger/ledger.ts';
import { type Ask, askAhead, fetchLive } from '../../../src/license/reading/live.ts';
import { declaredView, viewOf } from '../../../src/license/reading/view.ts';
import type { Exchange } from '../../../src/service/exchange.ts';
import { patient } from '../../../src/service/patience/retry.ts';
import { declare, desiredOf } from '../../desired.ts';
import { clientWith, failureOf, NOW, reply } from '../../service/scripted.ts';
import { world } from '../../world.ts';

test('When one list may not be read, no other is tried again', async () => {
  const asked: string[] = [];
  const exchange: Exchange = async ({ url }) => {
    const action = url.slice(url.lastIndexOf('/') + 1);
    asked.push(action);
    const denied = action === 'list_groups';
    return reply(denied ? 403 : 503, {
      error: { type: denied ? 'authorization' : 'service_unavailable', message: '' },
    });
  };
  const clock = { now: () => NOW, sleep: () => new Promise<void>((resolve) => setImmediate(resolve)) };
  const client = patient(clientWith({ exchange, clock }), { clock, random: () => 0.5, concurrency: 8 });
  const desired = desiredOf([
    declare('agent', 'ann@example.com', { name: 'Ann' }),
    declare('group', 'sales', { name: 'Sales' }),
    declare('bot', 'triage', { name: 'Triage' }),
  ]);
  const view = viewOf(desired, foldLedger([]), '3.6');
  const reading = fetchLive((action, body, ends) => client.call(action, body, ends), view, '3.6');
  expect(await failureOf(reading)).toMatchObject({ action: 'list_groups', type: 'authorization' });
  for (let turn = 0; turn < 20; turn += 1) await clock.sleep();
  expect(asked.toSorted()).toEqual(['list_agents', 'list_bots', 'list_groups']);
});

const wished = desiredOf([declare('agent', 'ann@example.com', { name: 'Ann', groups: {} })]);

test('What was asked for a reading that does not take place is given up, and what it ends in is told to nobody', async () => {
  const open: AbortSignal[] = [];
  const ask: Ask = (_action, _body, { signal: giveUp } = {}) =>
    new Promise((_resolve, reject) => {
      if (giveUp === undefined) throw new Error('it could not be given up');
      open.push(giveUp);
      giveUp.addEventListener('abort', () => reject(new Error('given up')));
    });
  askAhead(ask, declaredView(wished, '3.6'), '3.6', NOW).giveUp();
  await new Promise((resolve) => setImmediate(resolve));
  expect(open.map(({ aborted }) => aborted)).toEqual([true, true]);
});

test('What went wrong ahead of a reading is what the reading ends in, and the others are given up', async () => {
  const open: AbortSignal[] = [];
  const ask: Ask = async (action, _body, { signal: giveUp } = {}) => {
    if (action === 'list_groups') throw new Error('denied');
    return new Promise((_resolve, reject) => {
      if (giveUp !== undefined) open.push(giveUp);
      giveUp?.addEventListener('abort', () => reject(new Error('given up')));
    });
  };
  const ahead = askAhead(ask, declaredView(wished, '3.6'), '3.6', NOW);
  await new Promise((resolve) => setImmediate(resolve));
  await expect(fetchLive(ahead.ask, viewOf(wished, foldLedger([]), '3.6'), '3.6')).rejects.toThrow('denied');
  expect(open.map(({ aborted }) => aborted)).toEqual([true]);
});

test('Of lists that are refused alike the same one is told each time, whichever answer is understood first', async () => {
  const refused = (action: string): ApiError =>
    new ApiError({
      action,
      type: 'authentication',
      message: 'no',
      status: 401,
      ambiguous: false,
      debugId: null,
      retryAfter: null,
      data: null,
    });
  const ask: Ask = async (action) => {
    for (let turn = action === 'list_agents' ? 5 : 0; turn > 0; turn -= 1) await Promise.resolve();
    throw refused(action);
  };
  const view = viewOf(wished, foldLedger([]), '3.6');
  await expect(fetchLive(ask, view, '3.6')).rejects.toMatchObject({ failure: { action: 'list_agents' } });
});

test('The hours of a person whom the license writes in other capitals are read one by one as well', async () => {
  const hours = { schedule: [{ day: 'monday', enabled: true, start: '09:00', end: '17:00' }] };
  const made = world({
    version: '3.3',
    seed: parseSeed({
      agents: [{ id: 'Ann@Example.com', name: 'Ann', work_scheduler: { timezone: 'UTC', ...hours } }],
    }),
  });
  const desired = desiredOf([declare('agent', 'ann@example.com', { name: 'Ann', work_scheduler: hours })]);
  expect((await made.plan(desired)).steps).toEqual([]);
});

test('A token that may not read what goes with a group reads the rest, and another failure ends the reading', async () => {
  const ledger = foldLedger([
    { v: 1, at: '2026-01-01T00:00:00Z', run: 'r', type: 'bound', address: 'group/sales', id: 1, origin: 'created' },
  ]);
  const view = viewOf(desiredOf([]), ledger, '3.7');
  expect([...view.kinds].toSorted()).toEqual(['auto_access', 'canned_response', 'greeting', 'group']);
  const asking =
    (type: string): Ask =>
    async (action) => {
      if (action === 'list_greetings') throw new ApiError(unstatedFailure({ action, type, message: 'no' }));
      return action === 'list_canned_responses' ? { canned_responses: [] } : [];
    };
  const { objects, scopes } = await fetchLive(asking('authorization'), view, '3.7');
  expect([objects.greeting, objects.canned_response]).toEqual([undefined, []]);
  expect(scopes.filter((scope) => /greetings|canned/.test(scope))).toEqual([]);
  await expect(fetchLive(asking('internal'), view, '3.7')).rejects.toThrow('no');
});
