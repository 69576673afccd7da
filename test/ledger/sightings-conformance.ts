// What every place that keeps sightings must do: one suite for all of them.

import { describe, expect, test } from 'vitest';
import type { SightingsPlace } from '../../src/ledger/sightings-file.ts';

/** As text, because a place keeps it letter for letter. */
const TEXT = `${JSON.stringify({ format_version: '1.0', told: {}, name: 'Zażółć \u0000 \ud83d 🙂' }, null, 1)}\n`;

/** `make` gives a place where there are none yet; each call of its result opens it again. */
export function describeSightings(name: string, make: () => Promise<() => SightingsPlace>): void {
  describe(`sightings in ${name}`, () => {
    test('What is written is read, letter for letter, by all who open the place', async () => {
      const open = await make();
      expect(await open().read()).toEqual({ text: null });
      await open().write(TEXT);
      expect(await open().read()).toEqual({ text: TEXT });
      await open().write('{}');
      expect(await open().read()).toEqual({ text: '{}' });
    });

    test('Of many writers at a time one stays, and readers meanwhile read a whole text', async () => {
      const open = await make();
      const texts = Array.from({ length: 20 }, (_, index) => JSON.stringify({ index, filler: 'x'.repeat(20_000) }));
      await open().write(TEXT);
      const [reading, writing] = [texts.map(() => open().read()), texts.map((text) => open().write(text))];
      const later = texts.map(() => open().read());
      await Promise.all(writing);
      for (const read of await Promise.all([...reading, ...later]))
        expect([TEXT, ...texts]).toContain('text' in read && read.text);
      expect(texts).toContain(
        await open()
          .read()
          .then((read) => 'text' in read && read.text),
      );
    });

    test('What is removed is gone, also where there was nothing', async () => {
      const open = await make();
      await open().remove();
      await open().write(TEXT);
      await open().remove();
      expect(await open().read()).toEqual({ text: null });
    });
  });
}
