// Replacements of webhooks that are killed at each of their effects: the run that follows ends with one webhook, and owns it.

import { expect, test } from 'vitest';
import type { Json } from '../../src/base/model.ts';
import { runToUndo } from '../../src/features/undo/read-undo.ts';
import { footprintOf } from '../../src/ledger/footprint.ts';
import { foldLedger } from '../../src/ledger/ledger.ts';
import { declare, desiredOf } from '../desired.ts';
import { doomed, type Moment } from '../laws/crash.ts';
import { type World, world } from '../world.ts';

const CLIENT = 'shop';

const wish = (path: string, secret: Json = { env: 'HOOK_SECRET' }) =>
  desiredOf([
    declare('webhook', 'ended', {
      owner_client_id: CLIENT,
      type: 'license',
      action: 'chat_deactivated',
      url: `https://hooks.example/${path}`,
      ...(secret === null ? {} : { secret_key: secret }),
    }),
  ]);

const OTHERS = ['one', 'two'];

/** A license with the webhook, and perhaps two others of its action, which leave no room for a second one of ours. */
async function prepared(secret: Json, isFull: boolean): Promise<World> {
  const license = world();
  if (isFull)
    for (const name of OTHERS)
      await license.client.call('register_webhook', {
        owner_client_id: CLIENT,
        type: 'license',
        action: 'chat_deactivated',
        url: `https://others.example/${name}`,
        secret_key: name,
      });
  const first = wish('first', secret);
  expect((await license.apply(await license.plan(first), first)).outcome).toBe('done');
  await license.clock.sleep(200_000);
  return license;
}

async function urlsOn({ client }: World): Promise<readonly string[]> {
  const listed = await client.call('list_webhooks', { owner_client_id: CLIENT });
  return (Array.isArray(listed) ? listed : []).map(({ url }) => String(url)).toSorted();
}

const OURS = 'https://hooks.example/second';

/** Kills a replacement at each effect, and lets one run finish it. The effects that there were. */
async function killedAtEach(secret: Json, isFull: boolean, moment: Moment): Promise<readonly string[]> {
  const second = wish('second', secret);
  for (let at = 0; ; at += 1) {
    const license = await prepared(secret, isFull);
    const { effects, ...how } = doomed(license, at, moment);
    await license.apply(await license.plan(second), second, how).catch(() => {});
    const done = effects();
    await license.clock.sleep(200_000);
    const report = await license.apply(await license.plan(second), second);
    expect([report.outcome, at, done]).toEqual(['done', at, done]);
    await license.clock.sleep(200_000);
    const others = isFull ? OTHERS.map((name) => `https://others.example/${name}`) : [];
    expect(await urlsOn(license), `${moment} ${done[at]}`).toEqual([OURS, ...others].toSorted());
    const events = await license.ledger.read();
    // An undo of both runs has one webhook to bring back.
    const { traces } = footprintOf(events, runToUndo(events, null));
    expect(traces.map(({ address }) => address)).toEqual(['webhook/ended']);
    const owned = foldLedger(events);
    expect([...owned.bindings.keys()], `${moment} ${done[at]}`).toEqual(['webhook/ended']);
    expect(owned.intents.size).toBe(0);
    expect((await license.plan(second)).steps).toEqual([]);
    if (at >= done.length) return done;
  }
}

test('A drift tells of a secret only when the environment has another one than the one that was applied', async () => {
  const license = await prepared({ env: 'HOOK_SECRET' }, false);
  const wished = wish('first');
  const told = async () => (await license.differences(wished)).map(({ status, kind, path }) => [status, kind, ...path]);
  expect(await told()).toEqual([['unknown', 'unreadable', 'secret_key']]);
  license.env['HOOK_SECRET'] = 'another';
  expect(await told()).toEqual([['pending', 'changed', 'secret_key']]);
});

test.each([
  ['a secret of the environment', { env: 'HOOK_SECRET' }, false],
  ['a secret of the environment, and no room for two', { env: 'HOOK_SECRET' }, true],
  ['a secret that chatform makes', null, false],
  ['a secret that chatform makes, and no room for two', null, true],
] as const)('A replacement with %s ends with one webhook, wherever the run was killed', async (_, secret, isFull) => {
  // The digest of a secret of the environment is slow on purpose, so these are killed after each effect alone.
  const moments: readonly Moment[] = secret === null ? ['before', 'after'] : ['after'];
  for (const moment of moments) {
    const effects = await killedAtEach(secret, isFull, moment);
    const writes = effects.filter((effect) => effect.endsWith('_webhook'));
    const order = ['register_webhook', 'unregister_webhook'];
    expect(writes).toEqual(isFull ? order.toReversed() : order);
  }
});
