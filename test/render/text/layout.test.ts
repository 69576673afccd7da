// Lines and tables on a terminal: nothing is wider than it but a word that is, and nothing is lost.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coloured, onTerminal, uncoloured } from '../../../src/render/paint.ts';
import { columnsOf, fitted, headedTable, table } from '../../../src/render/text/layout.ts';
import { tries } from '../../tries.ts';

test('Without a width nothing changes', () => {
  const text = `${'long '.repeat(100)}\n`;
  expect(fitted(text, undefined)).toBe(text);
});

test('A long line goes on below its text, beyond its sign', () => {
  expect(fitted('  + agent/ann  Ann, normal, 8 chats\n', 24)).toBe('  + agent/ann  Ann,\n      normal, 8 chats\n');
  expect(fitted('Plan: 3 to add, 0 to change', 20)).toBe('Plan: 3 to add, 0 to\n  change');
});

test('A sign never stands alone, however long the word after it', () => {
  const sign = coloured('add', '  +');
  expect(fitted(`${sign} group_property/sales  60`, 12)).toBe(`${sign} group_property/sales\n      60`);
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

const words = fc.array(fc.stringMatching(/^[ -~]{0,12}$/), { maxLength: 30 });

test('No line is wider than the terminal but for a word that is, and all words stay in their order', () => {
  fc.assert(
    fc.property(fc.array(words, { maxLength: 4 }), fc.integer({ min: 1, max: 60 }), (lines, width) => {
      const text = lines.map((each) => each.join(' ')).join('\n');
      const shown = fitted(text, width);
      expect(shown.trim().split(/\s+/)).toEqual(text.trim().split(/\s+/));
      for (const line of shown.split('\n'))
        if (columnsOf(line) > width && line.trim() !== '') expect(withoutSigns(line)).not.toContain(' ');
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
  expect(table(rows)).toEqual([
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
  expect(Math.max(...table(rows, '', 30).map(columnsOf))).toBeLessThanOrEqual(36);
});
