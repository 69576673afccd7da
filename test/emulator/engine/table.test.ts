// What a table says of its writes: the keys of the latest ones, and what stood under those of one piece of work.

import { expect, test } from 'vitest';
import { createHistory, createTable } from '../../../src/emulator/engine/table.ts';

interface Row {
  readonly id: string;
  readonly value: number;
}

const tableOf = (...ids: readonly string[]) => {
  const table = createTable<Row>(createHistory(0), ({ id }) => id, {});
  for (const id of ids) table.set({ id, value: 0 });
  return table;
};

test('A table names the keys that were written since, deleted ones as well, as long as it remembers them', () => {
  const table = tableOf('a', 'b');
  const before = table.writes();
  expect(table.writtenSince(before)).toEqual([]);
  table.set({ id: 'c', value: 1 });
  table.delete('a');
  table.delete('none');
  expect(table.writtenSince(before)).toEqual(['c', 'a']);
  for (let value = 0; value < 2500; value += 1) table.set({ id: 'b', value });
  expect(table.writtenSince(before)).toBeUndefined();
  const later = table.writes();
  for (let value = 0; value < 900; value += 1) table.set({ id: 'c', value });
  expect(new Set(table.writtenSince(later))).toEqual(new Set(['c']));
  table.flatten();
  expect(table.writtenSince(later)).toBeUndefined();
  expect(table.writtenSince(table.writes())).toEqual([]);
});

test('A table tells what stood before a piece of work under each key that it wrote, also where that fails', () => {
  const table = tableOf('a', 'b', 'c');
  const { result, before } = table.watch(() => {
    table.set({ id: 'a', value: 1 });
    table.set({ id: 'a', value: 2 });
    table.set({ id: 'new', value: 1 });
    table.delete('b');
    return 'done';
  });
  expect(result).toBe('done');
  expect(Array.from(before)).toEqual([
    ['a', { id: 'a', value: 0 }],
    ['new', undefined],
    ['b', { id: 'b', value: 0 }],
  ]);
  const fail = (): never => {
    throw new Error('refused');
  };
  expect(() => table.watch(fail)).toThrow('refused');
  table.set({ id: 'c', value: 9 });
  expect(before.has('c')).toBe(false);
});
