// Lints of webhooks and bots of one client.

import { expect, test } from 'vitest';
import type { Spec } from '../../src/base/model.ts';
import { webhookLints } from '../../src/routing/webhook-lint.ts';
import { declare, desiredOf } from '../desired.ts';

const hook = (client: string, type: 'bot' | 'license' = 'bot') =>
  declare('webhook', `of-${client}`, {
    owner_client_id: client,
    type,
    action: 'incoming_chat',
    url: 'https://hooks.example/chats',
  });

const bot = (key: string, spec: Spec) => declare('bot', key, { name: key, ...spec });

const found = (resources: readonly ReturnType<typeof declare>[], writes = true) =>
  webhookLints(
    desiredOf(resources).resources,
    () => writes,
    () => null,
  ).map(({ id, about, message }) => `${id} ${about.join(' ')}: ${message}`);

test('A webhook for bots needs a bot of its client that can be called', () => {
  const useless = '`shop` has no bot in these files, so it is never called';
  expect(found([hook('shop')])).toEqual([`bot-webhook-without-bot webhook/of-shop: ${useless}`]);
  expect(found([hook('shop', 'license')])).toEqual([]);
  // Bots of a client that another target writes may be on that license.
  expect(found([hook('shop')], false)).toEqual([]);
  const scout = { owner_client_id: 'shop' };
  expect(found([hook('shop'), bot('scout', scout)])).toEqual([]);
  expect(found([hook('shop'), bot('scout', {})])).toEqual([]);
  expect(found([hook('shop'), declare('bot_template', 'scout', { ...scout, name: 'Scout' })])).toEqual([]);
  const asleep = bot('owl', { ...scout, routing_status: 'offline' });
  expect(found([hook('shop'), asleep])).toEqual([
    'bot-webhook-without-bot webhook/of-shop bot/owl: each bot of `shop` is declared `offline`, so it is never called',
  ]);
  expect(found([hook('shop'), asleep, bot('scout', scout)])).toEqual([]);
});

test('Bots whose client is told nothing are found where other clients are told', () => {
  const bots = [bot('scout', { owner_client_id: 'other' }), bot('owl', { owner_client_id: 'other' })];
  expect(found(bots)).toEqual([]);
  expect(found([hook('shop', 'license'), ...bots])).toEqual([
    'bots-without-webhooks bot/owl bot/scout: `other`, the client of bot/owl, bot/scout, has no webhook in these files',
  ]);
  expect(found([hook('other', 'license'), ...bots])).toEqual([]);
});

test('A license webhook is found whose client has its license webhooks declared off', () => {
  const state = (enabled: boolean) => declare('webhook_state', 'shop', { enabled });
  const off = 'the license webhooks of `shop` are declared off, so this license never sends it';
  expect(found([hook('shop', 'license'), state(false)])).toEqual([
    `webhook-switched-off webhook/of-shop webhook_state/shop: ${off}`,
  ]);
  expect(found([hook('shop', 'license'), state(true)])).toEqual([]);
  expect(found([hook('other', 'license'), state(false)])).toEqual([]);
  // The other target may have them on.
  expect(found([hook('shop', 'license'), state(false)], false)).toEqual([]);
  // Chats of bots are told anyway.
  expect(found([hook('shop'), bot('scout', { owner_client_id: 'shop' }), state(false)])).toEqual([]);
});
