// Matrices: which columns come first, and which rows are folded.

import { expect, test } from 'vitest';
import { textOf } from '../../../src/view/html/markup.ts';
import { matrixPart } from '../../../src/view/pictures/matrix.ts';

const JOINS = { sign: '+', word: 'first', tone: 'add' } as const;
const STAYS = { sign: '', word: 'normal', tone: 'calm' } as const;

const row = (label: string, ...cells: readonly (typeof JOINS | typeof STAYS | null)[]) => ({ labels: [label], cells });

function drawn(columns: readonly string[], ...rows: readonly ReturnType<typeof row>[]) {
  const page = textOf(matrixPart({ kind: 'matrix', name: 'Members', labels: ['Who'], columns, rows }));
  return page
    .split('<table')
    .slice(1)
    .map((table) => ({
      heads: [...table.matchAll(/<th scope="col"><bdi>([^<]*)</g)].map(([, head]) => head),
      rows: [...table.matchAll(/<th scope="row">([^<]*)</g)].map(([, label]) => label),
    }));
}

test('The columns with the most changes come first, and those with nothing are left out', () => {
  expect(
    drawn(
      ['calm', 'empty', 'some', 'most'],
      row('ann', STAYS, null, JOINS, JOINS),
      row('bob', STAYS, null, STAYS, JOINS),
      row('cleo', STAYS, null, STAYS, STAYS),
    ),
  ).toEqual([
    { heads: ['most', 'some', 'calm'], rows: ['ann', 'bob'] },
    { heads: ['calm', 'some', 'most'], rows: ['cleo'] },
  ]);
});

test('Each table has a sheet of columns, and only the rows with something in them', () => {
  const columns = Array.from({ length: 9 }, (_, at) => `g${at}`);
  const cells = (...places: readonly number[]) => columns.map((_, at) => (places.includes(at) ? JOINS : null));
  expect(drawn(columns, row('ann', ...cells(0, 1, 2, 3, 4, 5, 6)), row('bob', ...cells(7, 8)))).toEqual([
    { heads: columns.slice(0, 7), rows: ['ann'] },
    { heads: columns.slice(7), rows: ['bob'] },
  ]);
});
