// Heat maps: which texts fit into their times.

import { expect, test } from 'vitest';
import type { HeatLook, HeatTime } from '../../../src/view/blocks.ts';
import { textOf } from '../../../src/view/html/markup.ts';
import { heatMapPart } from '../../../src/view/pictures/heat-map.ts';

const cell = (from: number, to: number, text: string, shorter?: string): HeatTime<HeatLook> => ({
  from,
  to,
  look: 's1',
  text,
  says: `${from} to ${to}`,
  ...(shorter === undefined ? {} : { shorter }),
});

test('A time has its text, its shorter one, or none, by what fits into it', () => {
  const cells = [
    cell(0, 8, '12'),
    cell(8, 9, '34', '5'),
    cell(9, 10, '67'),
    cell(10, 10.5, '89', '6'),
    cell(11, 24, ''),
  ];
  const drawn = textOf(
    heatMapPart({
      kind: 'heat-map',
      name: 'Sales',
      what: 'Slots',
      rows: [{ label: 'Mon', cells, frames: [] }],
      legend: [],
    }),
  );
  const texts = [...drawn.matchAll(/<text class="on-[^>]*>([^<]*)</g)].map(([, text]) => text);
  expect(texts).toEqual(['12', '5']);
  expect([...drawn.matchAll(/<title>([^<]*)</g)].map(([, says]) => says)).toEqual(
    expect.arrayContaining(cells.map(({ says }) => says)),
  );
});
