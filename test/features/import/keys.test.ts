// Keys made from names.

import { describe, expect, it, test } from 'vitest';
import { freeKey, slug } from '../../../src/authoring/candidates.ts';

describe('A key is made of the letters and digits of a name', () => {
  it.each([
    ['Sales', 'sales'],
    ['Zespół Łódź', 'zespol-lodz'],
    ['Straße & Øre – Æsir', 'strasse-ore-aesir'],
    ["Tom's team", 'toms-team'],
    ['ﬁrst  /  second', 'first-second'],
    ['Отдел продаж', 'отдел-продаж'],
    ['Йошкар', 'йошкар'],
    ['営業', '営業'],
    ['हिन्दी', 'हिन्दी'],
    ['${env.X}', 'env-x'],
    ['🎉 !', ''],
  ])('%s -> %s', (name, key) => {
    expect(slug(name)).toBe(key);
  });
});

test('A long name gives as many whole words as a key may have letters, and a long word its beginning', () => {
  expect(slug('Questions about prices of everything in the whole shop go to sales')).toBe(
    'questions-about-prices-of-everything-in-the-whole',
  );
  expect(slug('x'.repeat(200))).toBe('x'.repeat(50));
});

test('A key that is taken gets a number', () => {
  const taken = new Set(['sales', 'sales-2']);
  expect(freeKey('sales', (key) => taken.has(key))).toBe('sales-3');
  expect(freeKey('support', (key) => taken.has(key))).toBe('support');
  const many = new Set(['bot', ...Array.from({ length: 20_000 }, (_, index) => `bot-${index + 2}`)]);
  let asked = 0;
  const isTaken = (key: string) => {
    asked += 1;
    return many.has(key);
  };
  expect([freeKey('bot', isTaken), asked < 40]).toEqual(['bot-20002', true]);
});
