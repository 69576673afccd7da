// Lines and tables on a terminal: nothing is wider than it but a word that is, and nothing is lost.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coloured, onTerminal, uncoloured } from '../../../src/view/paint.ts';
import { fits, headedTable, narrowed, table } from '../../../src/view/terminal/layout.ts';
import { columnsOf, cutTo, fewWithin, fitted } from '../../../src/view/terminal/narrow.ts';
import { tries } from '../../tries.ts';

test('Without a width nothing changes', () => {
  const text = `${'long '.repeat(100)}\n`;
  expect(fitted(text, undefined)).toBe(text);
});

test('A long line goes on below its text, beyond its sign', () => {
  expect(fitted('  + agent/ann  Ann, normal, 8 chats\n', 24)).toBe('  + agent/ann  Ann,\n      normal, 8 chats\n');
  expect(fitted('Plan: 3 to add, 0 to change', 20)).toBe('Plan: 3 to add, 0 to\n  change');
});

test('A day stays with its hours, also where they end on another day', () => {
  expect(fitted('Sales: Fri 20:00-Sat 08:00, Sat 18:00-Sun 08:00', 38)).toBe(
    'Sales: Fri 20:00-Sat 08:00,\n  Sat 18:00-Sun 08:00',
  );
});

test('A sign never stands alone, however long the word after it', () => {
  const sign = coloured('add', '  +');
  expect(fitted(`${sign} group_property_sales  60`, 12)).toBe(`${sign} group_property_sales\n      60`);
});

test('Colours and marks take no column, wide characters two', () => {
  expect(columnsOf(coloured('add', 'z\u0307ó'))).toBe(2);
  expect(columnsOf('漢字')).toBe(4);
  const line = `${coloured('strong', 'Plan:')} 3 to add`;
  expect(fitted(line, 14)).toBe(line);
});

function withoutSigns(line: string): string {
  return line.trim().replace(/^(?:[-+~^=!?/]{1,3} +)+/, '');
}

test('A word that is wider than the terminal is broken where an address has a break', () => {
  const address = 'group_property/orders/b1946ac92492d2347c6235b4d2611184/first_reply_target';
  expect(fitted(`  + ${address}  30`, 50)).toBe(
    '  + group_property/orders/\n      b1946ac92492d2347c6235b4d2611184/\n      first_reply_target  30',
  );
  expect(fitted('see https://shop.example.com/a', 20)).toBe('see\n  https://shop.\n  example.com/a');
});

/** A text between two places at which it may be broken. */
const UNBROKEN = /^[^ ]*?[/.,]*$/;

const words = fc.array(fc.stringMatching(/^[ -~]{0,12}$/), { maxLength: 30 });

test('No line is wider than the terminal but for a part that is, and nothing is lost', () => {
  fc.assert(
    fc.property(fc.array(words, { maxLength: 4 }), fc.integer({ min: 1, max: 60 }), (lines, width) => {
      const text = lines.map((each) => each.join(' ')).join('\n');
      const shown = fitted(text, width);
      expect(shown.replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
      for (const line of shown.split('\n'))
        if (columnsOf(line) > width && line.trim() !== '') expect(withoutSigns(line)).toMatch(UNBROKEN);
    }),
    { numRuns: tries(1000, 100) },
  );
});

test('A table narrows its widest columns before it is wider than the terminal', () => {
  const rows = [
    ['WHO', 'WHAT', 'WHY'],
    ['ann@example.com', 'leaves the group of sales for good', 'no reason is known'],
    ['b', 'stays', ''],
  ];
  expect(table(rows, undefined)).toEqual([
    'WHO              WHAT                                WHY',
    'ann@example.com  leaves the group of sales for good  no reason is known',
    'b                stays',
  ]);
  expect(headedTable(rows, onTerminal(uncoloured, 50))).toEqual([
    'WHO              WHAT             WHY',
    'ann@example.com  leaves the       no reason is',
    '                 group of sales   known',
    '                 for good',
    'b                stays',
  ]);
  expect(Math.max(...table(rows, 30).map(columnsOf))).toBeLessThanOrEqual(36);
});

const cell = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll(/[\p{C} ]/gu, 'x'));

test('A cut text fits by its columns, and a table of cut cells does', () => {
  expect(cutTo('漢字漢字', 5)).toBe('漢字…');
  expect(cutTo('漢字漢字', 6)).toBe('漢字…');
  expect(cutTo('漢字', 4)).toBe('漢字');
  expect(cutTo('Ann, normal', 5)).toBe('Ann,…');
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell, cell), { minLength: 1 }),
      fc.integer({ min: 41, max: 100 }),
      (rows, width) => {
        expect(fits(narrowed(rows, width), width)).toBe(true);
      },
    ),
    { numRuns: tries(1000, 100) },
  );
});

test('Of names as many are listed as fit, but always one', () => {
  const names = ['Ann', 'Bob', 'Cleo'];
  expect(fewWithin(['Ann', 'Bob', 'Maximilian the Great'], 5, 20)).toBe('Ann, Bob and 1 more');
  expect(fewWithin(names, 5, undefined)).toBe('Ann, Bob, Cleo');
  expect(fewWithin(names, 5, 14)).toBe('Ann, Bob, Cleo');
  expect(fewWithin(names, 5, 13)).toBe('Ann and 2 more');
  expect(fewWithin(names, 5, 1)).toBe('Ann and 2 more');
  expect(fewWithin(['Ann', 'Bob', 'Cleopatra'], 5, 19)).toBe('Ann, Bob, Cleopatra');
});
