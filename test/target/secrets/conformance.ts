// What every place that keeps one-time secrets must do: one suite for all of them.

import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/base/errors.ts';
import type { Address } from '../../../src/base/model.ts';
import type { StoredSecret, TokenSink } from '../../../src/target/secrets/secrets.ts';

export const bot = (key: string, secret = `secret-of-${key}`): StoredSecret => ({
  address: `bot/${key}`,
  id: `id-${key}`,
  secret,
});

export type Kept = { readonly [address in Address]: { readonly id: unknown; readonly secret: string } };

/** The same, as the place should have it. */
export function kept(...entries: readonly StoredSecret[]): Kept {
  return Object.fromEntries(entries.map(({ address, id, secret }) => [address, { id, secret }]));
}

export interface Place {
  readonly open: () => TokenSink;
  /** What it has now. */
  readonly kept: () => Promise<Kept>;
  /** From now on nothing can be kept, and whoever tries is told so only when it is half done; until what it returns is called. */
  readonly fail: () => () => void;
}

/** `make` gives a place that has nothing yet; `open` may be called more than once for it. */
export function describeSink(name: string, make: () => Promise<Place>): void {
  describe(`${name} keeps secrets`, () => {
    test('What was stored is there, each by its address, with its object', async () => {
      const place = await make();
      await place.open().store([bot('b'), bot('a'), { ...bot('n'), address: 'bot_template/n', id: 7 }]);
      expect(await place.kept()).toEqual({
        ...kept(bot('a'), bot('b')),
        'bot_template/n': { id: 7, secret: 'secret-of-n' },
      });
    });

    test('What it already has stays, and an address that comes again has its newest secret', async () => {
      const place = await make();
      await place.open().store([bot('a'), bot('b')]);
      await place.open().store([bot('b', 'newer'), bot('c')]);
      expect(await place.kept()).toEqual(kept(bot('a'), bot('b', 'newer'), bot('c')));
    });

    test('An address that comes twice at once has its last secret', async () => {
      const place = await make();
      await place.open().store([bot('a', 'older'), bot('a', 'newer')]);
      expect(await place.kept()).toEqual(kept(bot('a', 'newer')));
    });

    test('Stores that run together, from one sink or from two, lose nothing', async () => {
      const place = await make();
      const sinks = [place.open(), place.open()];
      const entries = Array.from({ length: 20 }, (_, index) => bot(`k${index}`));
      await Promise.all(entries.map((entry, index) => sinks[index % 2]?.store([entry])));
      expect(await place.kept()).toEqual(kept(...entries));
    });

    test('Storing nothing and probing change nothing', async () => {
      const place = await make();
      await place.open().store([]);
      await place.open().probe(['bot/a']);
      expect(await place.kept()).toEqual({});
      await place.open().store([bot('a')]);
      await place.open().probe(['bot/a', 'bot/b']);
      await place.open().store([]);
      expect(await place.kept()).toEqual(kept(bot('a')));
    });

    test('A store that fails half-way leaves what there was, quotes no secret, and does not stop the next one', async () => {
      const place = await make();
      const sink = place.open();
      await sink.store([bot('a')]);
      const mend = place.fail();
      const error = await sink.store([bot('a', 'hush-hush'), bot('b', 'hush-too')]).catch((reason: unknown) => reason);
      mend();
      expect(error).toBeInstanceOf(UsageError);
      expect(String(error)).not.toContain('hush');
      expect(await place.kept()).toEqual(kept(bot('a')));
      await sink.store([bot('b')]);
      expect(await place.kept()).toEqual(kept(bot('a'), bot('b')));
    });

    test('A token stands next to the secret of its bot, and neither replaces the other', async () => {
      const { open } = await make();
      const { probeToken, storeToken, secretOf, store } = open();
      const token = { address: 'bot/a', id: 'id-a', token: 'dal:first', until: '2026-01-06T09:00:00.000Z' } as const;
      await probeToken({ address: 'bot/a', id: 'id-a' });
      await storeToken(token);
      if (secretOf === undefined) return;
      expect(await secretOf('bot/a', 'id-a')).toBeNull();
      await store([bot('a', 'a secret')]);
      await storeToken({ ...token, token: 'dal:second' });
      expect([await secretOf('bot/a', 'id-a'), await secretOf('bot/a', 'id-b')]).toEqual(['a secret', null]);
    });

    test('It tells whose secrets are kept under addresses, or is not to be asked', async () => {
      const { kept: subjects, store, storeToken } = (await make()).open();
      if (subjects === undefined) return;
      expect(await subjects(['bot/a'])).toEqual([]);
      await store([bot('a'), { ...bot('n'), address: 'bot_template/n', id: 7 }]);
      await storeToken({ address: 'bot/b', id: 'id-b', token: 'dal:b', until: '2026-01-06T09:00:00.000Z' });
      expect(await subjects(['bot/a', 'bot/b', 'bot_template/n', 'bot/z'])).toEqual([
        { address: 'bot/a', id: 'id-a' },
        { address: 'bot_template/n', id: 7 },
      ]);
    });

    test('It removes what it keeps of an object, and of that very object alone, or is not to be asked', async () => {
      const place = await make();
      const { remove, store, storeToken } = place.open();
      if (remove === undefined) return;
      await store([bot('a'), bot('b'), bot('c')]);
      await storeToken({ address: 'bot/a', id: 'id-a', token: 'dal:a', until: '2026-01-06T09:00:00.000Z' });
      await remove([bot('a'), { address: 'bot/b', id: 'id-c' }]);
      expect(await place.kept()).toEqual(kept(bot('b'), bot('c')));
    });

    test('Whether it has the secret of an object is true of that very object alone, or not to be asked', async () => {
      const place = await make();
      const { holds, store } = place.open();
      if (holds === undefined) return;
      expect(await holds('bot/a', 'id-a')).toBe(false);
      await store([bot('a')]);
      expect([await holds('bot/a', 'id-a'), await holds('bot/a', 'id-b'), await holds('bot/b', 'id-a')]).toEqual([
        true,
        false,
        false,
      ]);
    });
  });
}
