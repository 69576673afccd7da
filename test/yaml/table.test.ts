// Tables in CSV: values at their places, and each mistake at its own.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ENCODINGS } from '../../src/yaml/encoding.ts';
import { blankSource } from '../../src/yaml/places.ts';
import { parseTable, readTable } from '../../src/yaml/table.ts';
import { memoryDisk } from '../manifest/memory-disk.ts';
import { tries } from '../tries.ts';

function read(text: string, required: readonly string[] = []) {
  const { columns, rows, diagnostics } = parseTable('t.csv', text, { required });
  const wrong = diagnostics.map(({ place, message }) => `${place.line}:${place.column} ${message}`);
  return { columns, values: rows.map(({ values }) => values), rows, wrong };
}

describe('values', () => {
  test('stand between commas, below the names of their columns', () => {
    const { columns, values, wrong } = read('name,region\nacme,eu\nbravo,us\n');
    expect(columns).toEqual(['name', 'region']);
    expect(values).toEqual([
      { name: 'acme', region: 'eu' },
      { name: 'bravo', region: 'us' },
    ]);
    expect(wrong).toEqual([]);
  });

  test('in quotes have commas, quotes and line breaks', () => {
    const { values, wrong } = read('name,title\nacme,"Ann, ""the"" boss\nof all"\n');
    expect(values).toEqual([{ name: 'acme', title: 'Ann, "the" boss\nof all' }]);
    expect(wrong).toEqual([]);
  });

  test.each([
    ['lines that end with CR LF', 'name,region\r\nacme,eu\r\n'],
    ['a last line without an end', 'name,region\nacme,eu'],
    ['empty lines', '\nname,region\n\n\r\nacme,eu\n\n'],
    ['quotes around plain values', '"name","region"\n"acme","eu"\n'],
    ['white space around values', ' name , region\n\tacme ,\u00a0eu \n'],
    ['white space around quotes', '"name" , "region"\n "acme","  eu" \n'],
    ['semicolons', 'name;region\nacme;eu\n'],
    ['tabs', 'name\tregion\nacme\teu\n'],
    ['a line sep=;', 'sep=;\r\nname;region\r\nacme;eu\r\n'],
    ['a title', 'Customers,\nname,region\nacme,eu\n'],
    ['empty columns', 'name,,region,,\nacme,,eu,\n'],
    ['rows of empty values, of any length', ',,\nname,region\n,\n" ",,,,\nacme,eu\n , \n,,,,,\n'],
  ])('are read from a table with %s', (_, text) => {
    expect(read(text, ['name'])).toMatchObject({ values: [{ name: 'acme', region: 'eu' }], wrong: [] });
  });

  test('may be empty, the last one too', () => {
    expect(read('name,region,tier\nacme,,\n').values).toEqual([{ name: 'acme', region: '', tier: '' }]);
  });

  test('keep their places: line, column and length', () => {
    const { rows } = read('name,title\n"a\nb","x, y"\nbravo,z\n');
    expect(rows[0]?.markAt('title').place).toEqual({ file: 't.csv', line: 3, column: 4, length: 6 });
    expect(rows[1]?.markAt('title').place).toEqual({ file: 't.csv', line: 4, column: 7, length: 1 });
    expect(rows[1]?.markAt('other').place).toEqual({ file: 't.csv', line: 4, column: 1, length: 7 });
  });
});

describe('a mistake', () => {
  test.each([
    ['', '1:1 the table is empty'],
    ['name,region\nacme\n', '2:1 this row has 1 of 2 values'],
    ['name,region\nacme,eu,x\n', '2:1 this row has 3 values for 2 columns'],
    ['name,name\nacme,eu\n', '1:6 two columns are called `name`'],
    ['name,\nacme,eu\n', '1:6 a column has no name'],
    ['name,region\nacme,"eu\n', '2:6 the quote does not end'],
    ['name,region\nacme,e"u\n', '2:6 a quote stands inside of a value'],
    ['name,region\nacme,"e"u\n', '2:6 a quote stands inside of a value'],
  ])('in %j is at its place', (text, wrong) => {
    expect(read(text).wrong).toEqual([wrong]);
  });

  test('is each one found in one run', () => {
    expect(read('name,region\nacme\nbravo,us\ncharlie,eu,1\n').wrong).toEqual([
      '2:1 this row has 1 of 2 values',
      '4:1 this row has 3 values for 2 columns',
    ]);
  });

  test('is a column that is missing', () => {
    expect(read('nam,region\nacme,eu\n', ['name']).wrong).toEqual(['1:1 there is no column `name`']);
  });
});

test('any bytes are a table or have an error, and each place is in the text', async () => {
  const characters = fc.constantFrom(...Buffer.from('ab=",;\t|\r\n\0 \xe4\x81\xff\xfe\xef\xbb\xbf', 'latin1'));
  const bytes = fc.array(characters, { maxLength: 40 }).map((all) => Uint8Array.from(all));
  const here = blankSource('m.yaml').mark([], 'value');
  await fc.assert(
    fc.asyncProperty(
      bytes,
      fc.constantFrom(...ENCODINGS, null),
      fc.constantFrom(';', null),
      async (given, encoding, separator) => {
        const table = await readTable(
          't.csv',
          { named: { encoding, separator }, required: ['a'] },
          memoryDisk({ 't.csv': given }),
          here,
        );
        const marks = table.rows.flatMap(({ markAt }) => table.columns.map(markAt));
        for (const { line, column, length } of [...table.diagnostics, ...marks].map(({ place }) => place))
          expect(line > 0 && column > 0 && length > 0).toBe(true);
        expect(table.rows.length > 0 && !table.columns.includes('a')).toBe(false);
        if (table.rows.length === 0 && table.columns.length === 0) expect(table.diagnostics).not.toEqual([]);
      },
    ),
    { numRuns: tries(20_000, 500) },
  );
});
