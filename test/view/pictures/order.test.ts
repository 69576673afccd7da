// The picture of two orders: what changes and its neighbours, and how many entries are between them.

import { expect, test } from 'vitest';
import { textOf } from '../../../src/view/html/markup.ts';
import { orderPart } from '../../../src/view/pictures/order.ts';

const entry = (place: number) => ({ key: `r${place}`, label: `Rule ${place}` });
const BEFORE = Array.from({ length: 14 }, (_, index) => entry(index + 1));
const AFTER = [...BEFORE.slice(0, 1), ...BEFORE.slice(2, 12), entry(2), ...BEFORE.slice(12)];

function columnsOf(markup: string): readonly (readonly string[])[] {
  return markup
    .split('<ol>')
    .slice(1)
    .map((column) =>
      Array.from(column.matchAll(/<li[^>]*>(.*?)<\/li>/gs), ([, item = '']) => item.replaceAll(/<[^>]+>/g, ' ').trim()),
    );
}

test('one move is drawn with its neighbours on both sides, places, and the number of rules between', () => {
  const sides = [
    { title: 'Before', entries: BEFORE },
    { title: 'After', entries: AFTER },
  ] as const;
  const markup = textOf(orderPart({ kind: 'order', name: 'Order', sides, moved: ['r2'] }));
  const squeezed = columnsOf(markup).map((column) => column.map((text) => text.replaceAll(/\s+/g, ' ')));
  expect(squeezed).toEqual([
    ['1. Rule 1', '2. Rule 2', '3. Rule 3', '... 8 rules', '12. Rule 12', '13. Rule 13', '... 1 rule'],
    ['1. Rule 1', '2. Rule 3', '... 8 rules', '11. Rule 12', '12. Rule 2', '13. Rule 13', '... 1 rule'],
  ]);
  expect(markup.match(/class="moves"/g)).toHaveLength(1);
  expect(markup.match(/class="keeps"/g)).toHaveLength(4);
});
