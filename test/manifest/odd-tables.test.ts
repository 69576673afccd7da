// Odd tables of people, as spreadsheets and exports write them: each is read right, or has a clear error at its place.

import { describe, expect, test } from 'vitest';
import { loadManifest } from '../../src/manifest/load.ts';
import { memoryDisk } from './memory-disk.ts';

const HEAD = 'Mail,Name,Chats,Team,Status\n';
const ANN = 'ann@example.com,Ann,4,sales,here\n';
const GOOD = { 'ann@example.com': ['Ann', 4, ['group/sales']] };

interface Odd {
  readonly table: string | Uint8Array;
  /** Members of `agents_from:` in addition to those of every table here. */
  readonly more?: string;
  readonly columns?: string;
}

async function read({ table, more = '', columns = 'name: Name, max_chats_count: Chats, groups: Team' }: Odd) {
  const manifest = `version: 1
agents_from: { csv: t.csv, email: Mail, columns: { ${columns} }, left: { column: Status, value: [left, gone away] }${more} }
groups:
  sales: { name: Sales }
  care: { name: Customer Care }
  care-eu: { name: Care Europe }
  care-us: { name: care europe }
`;
  const io = memoryDisk({ 'm.yaml': manifest, 't.csv': table });
  const { desired, diagnostics } = await loadManifest({ files: ['m.yaml'], env: {}, version: '3.6', io });
  const agents = (desired?.resources ?? []).filter(({ kind }) => kind === 'agent');
  return {
    people: Object.fromEntries(
      agents.map(({ key, spec }) => [
        key,
        spec['suspended'] === true
          ? 'left'
          : [spec['name'], spec['max_chats_count'], Object.keys(spec['groups'] ?? {})],
      ]),
    ),
    said: diagnostics.map(
      ({ place, severity, message, remedy }) =>
        `${place.file === 't.csv' ? '' : `${place.file}:`}${place.line}:${place.column}${severity === 'warning' ? '?' : ''} ${message}; ${remedy}`,
    ),
  };
}

function utf16(text: string, isBig = false, mark = '\ufeff'): Uint8Array {
  const bytes = Buffer.from(mark + text, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
}

/** In Windows-1252, as far as the tests need it. */
function windows(text: string): Uint8Array {
  return Buffer.from(text.replaceAll('’', '\x92').replaceAll('€', '\x80').replaceAll('Š', '\x8a'), 'latin1');
}

const W1252 = ', encoding: windows-1252';
const NAMED = (name: string) => ({ 'ann@example.com': [name, 4, ['group/sales']] });
const MÜ = HEAD + ANN.replace('Ann', 'Änn O’Šea €');

describe('is read right:', () => {
  const right: readonly (readonly [string, Odd, object])[] = [
    ['commas', { table: HEAD + ANN }, GOOD],
    ['semicolons', { table: (HEAD + ANN).replaceAll(',', ';') }, GOOD],
    ['tabs', { table: (HEAD + ANN).replaceAll(',', '\t') }, GOOD],
    ['bars', { table: (HEAD + ANN).replaceAll(',', '|') }, GOOD],
    ['a first line sep=;', { table: `sep=;\r\n${(HEAD + ANN).replaceAll(',', ';')}` }, GOOD],
    ['a first line "sep=;" that was saved again', { table: `"sep=;";;;;\n${(HEAD + ANN).replaceAll(',', ';')}` }, GOOD],
    ['a first line SEP=^ of a rare separator', { table: `SEP=^\n${(HEAD + ANN).replaceAll(',', '^')}` }, GOOD],
    ['a semicolon in the name of a column', { table: HEAD.replace('\n', ',a;b\n') + ANN.replace('\n', ',\n') }, GOOD],
    ['a declared separator', { table: (HEAD + ANN).replaceAll(',', '|'), more: ', separator: "|"' }, GOOD],
    ['a title above the names', { table: `Staff of the shop,,,,\n\n${HEAD}${ANN}` }, GOOD],
    ['a byte-order mark of UTF-8', { table: `\ufeff${MÜ}` }, NAMED('Änn O’Šea €')],
    ['UTF-16 with its mark', { table: utf16(MÜ) }, NAMED('Änn O’Šea €')],
    ['UTF-16, the other byte first', { table: utf16(MÜ, true) }, NAMED('Änn O’Šea €')],
    ['UTF-16 of tabs, as Excel saves "Unicode text"', { table: utf16(MÜ.replaceAll(',', '\t')) }, NAMED('Änn O’Šea €')],
    ['UTF-16 that is declared', { table: utf16(MÜ, false, ''), more: ', encoding: utf-16le' }, NAMED('Änn O’Šea €')],
    [
      'UTF-16 with a mark against the declared one',
      { table: utf16(MÜ, true), more: ', encoding: utf-16le' },
      NAMED('Änn O’Šea €'),
    ],
    ['Windows-1252 that is declared', { table: windows(MÜ), more: W1252 }, NAMED('Änn O’Šea €')],
    ['a declared encoding that no letter needs', { table: windows(HEAD + ANN), more: W1252 }, GOOD],
    ['CRLF', { table: (HEAD + ANN).replaceAll('\n', '\r\n') }, GOOD],
    ['carriage returns alone', { table: (HEAD + ANN).replaceAll('\n', '\r') }, GOOD],
    ['no end of the last line', { table: (HEAD + ANN).trimEnd() }, GOOD],
    ['empty lines, also above', { table: `\n\n${HEAD}\n,,,,\n${ANN}\n  \n` }, GOOD],
    ['empty lines with semicolons above', { table: `;;;;\n${(HEAD + ANN).replaceAll(',', ';')}` }, GOOD],
    ['separators behind every line', { table: (HEAD + ANN).replaceAll('\n', ',,,\n') }, GOOD],
    ['separators behind some rows', { table: HEAD + ANN.replace('\n', ',,\n') }, GOOD],
    ['an empty column in the middle', { table: (HEAD + ANN).replaceAll(/^(.*?),/gm, '$1,,') }, GOOD],
    ['quotes around every value', { table: `${(HEAD + ANN).trim().replaceAll(/[^,\n]+/g, '"$&"')}\n` }, GOOD],
    [
      'a line break, a quote and a separator in quotes',
      { table: HEAD + ANN.replace('Ann', '"Ann\n""A"", B"') },
      NAMED('Ann\n"A", B'),
    ],
    ['blanks around values', { table: HEAD + ANN.replaceAll(',', ' , ') }, GOOD],
    ['a number that is kept a text', { table: HEAD + ANN.replace('4', '="4"') }, GOOD],
    [
      'a cell of a megabyte that nothing uses',
      { table: `Note,${HEAD}${'x'.repeat(1_000_000)},${ANN}`, more: '' },
      GOOD,
    ],
    [
      'several words for a leaver',
      { table: `${HEAD}${ANN}bob@example.com,Bob,,,Gone Away\ncid@example.com,C,,,LEFT\n` },
      { ...GOOD, 'bob@example.com': 'left', 'cid@example.com': 'left' },
    ],
    [
      'groups by name, with a priority',
      { table: HEAD + ANN.replace('sales', 'customer care:first;SALES') },
      { 'ann@example.com': ['Ann', 4, ['group/care', 'group/sales']] },
    ],
    [
      'a key that is also the name of two groups',
      { table: HEAD + ANN.replace('sales', 'care-eu') },
      { 'ann@example.com': ['Ann', 4, ['group/care-eu']] },
    ],
    [
      'names of two columns',
      {
        table: `Given,Family,${HEAD}Ann,Lee,${ANN}`,
        columns: 'name: "${Given} ${Family}", max_chats_count: Chats, groups: "${Team}"',
      },
      NAMED('Ann Lee'),
    ],
    [
      'names of which one is empty',
      {
        table: `Given,Mid,Family,${HEAD}Ann,,Lee,${ANN}`,
        columns: 'name: "${Given} ${Mid} ${Family}", max_chats_count: Chats, groups: Team',
      },
      NAMED('Ann Lee'),
    ],
    [
      'a header with brackets, blanks and dots',
      {
        table: `First Name [Required],a.b,${HEAD}Ann,Lee,${ANN}`,
        columns: 'name: "${First Name [Required]} ${a.b}", max_chats_count: Chats, groups: Team',
      },
      NAMED('Ann Lee'),
    ],
  ];
  test.each(right)('%s', async (_, odd, people) => {
    const { said, people: found } = await read(odd);
    expect(said.filter((each) => !each.includes('nothing uses'))).toEqual([]);
    expect(found).toEqual(people);
  });
});

describe('has an error at its place:', () => {
  const wrong: readonly (readonly [string, Odd, string])[] = [
    [
      'Windows-1252 that is not declared',
      { table: windows(MÜ) },
      '2:17 the file is not text in UTF-8; save it as UTF-8, or write its encoding next to the name of the table: `encoding: windows-1252` for most files of Excel',
    ],
    [
      'UTF-8 that is declared as Windows-1252',
      { table: MÜ, more: W1252 },
      '2:17 the file is text in UTF-8, and `encoding` says windows-1252; remove `encoding`',
    ],
    [
      'UTF-8 that is declared as UTF-16',
      { table: MÜ, more: ', encoding: utf-16be' },
      '1:1 the file is text in UTF-8, and `encoding` says utf-16be; remove `encoding`',
    ],
    [
      'UTF-16 without a mark',
      { table: utf16(MÜ, false, '') },
      '1:1 the file is not text in UTF-8: it looks like UTF-16; write `encoding: utf-16le` next to the name of the table',
    ],
    [
      'UTF-16 without a mark, the other byte first',
      { table: utf16(MÜ, true, '') },
      '1:1 the file is not text in UTF-8: it looks like UTF-16; write `encoding: utf-16be` next to the name of the table',
    ],
    [
      'UTF-16 that is cut off',
      { table: utf16(HEAD + ANN).slice(0, -1) },
      '2:33 this is no character of utf-16le; save the table again, from the program that it is from',
    ],
    [
      'a byte that Windows-1252 does not have',
      { table: windows(HEAD + ANN.replace('Ann', 'A\x81n')), more: W1252 },
      '2:18 this is no character of windows-1252; save the table again, from the program that it is from',
    ],
    [
      'an encoding that is not known',
      { table: HEAD + ANN, more: ', encoding: cp1252' },
      'm.yaml:2:166 "cp1252" is not allowed here; allowed: `utf-8`, `utf-16le`, `utf-16be`, `windows-1250`, `windows-1252`',
    ],
    [
      'a zero byte',
      { table: HEAD + ANN.replace('Ann', 'A\0n') },
      '2:18 this is no character of utf-8; save the table again, from the program that it is from',
    ],
    ['an empty file', { table: '' }, '1:1 the table is empty; write the names of the columns in the first line'],
    [
      'the names of the columns alone',
      { table: HEAD },
      'm.yaml:2:21 t.csv has no row, so there is no person; correct the name, or remove `agents_from`',
    ],
    [
      'a short row',
      { table: `${HEAD}ann@example.com,Ann\n` },
      '2:1 this row has 2 of 5 values; add a value for each column from `Chats` on',
    ],
    [
      'a long row',
      { table: HEAD + ANN.replace('Ann', 'Ann, Lead') },
      '2:1 this row has 6 values for 5 columns; put a value that contains the separator in quotes, or remove the extra values',
    ],
    [
      'a sum below the rows',
      { table: `${HEAD}${ANN}Total: 1\n` },
      '3:1 this row has 1 of 5 values; add a value for each column from `Name` on',
    ],
    [
      'two columns of one name',
      { table: (HEAD + ANN).replace('Chats', 'Name') },
      '1:11 two columns are called `Name`; rename one of them',
    ],
    [
      'a value below a merged cell',
      { table: (HEAD + ANN).replace('Status', 'Status,').replace('here', 'here,note') },
      '1:29 a column has no name; name it, or remove its values',
    ],
    [
      'a merged address',
      { table: `${HEAD}${ANN},Bob,3,sales,\n` },
      '3:1 the row has no address; write the e-mail address of the person, or remove the row',
    ],
    [
      'a quote that does not end',
      { table: HEAD + ANN.replace('Ann', '"Ann') },
      '2:17 the quote does not end; end the value with `"`, and write a quote in it as `""`',
    ],
    [
      'a quote inside of a value',
      { table: HEAD + ANN.replace('Ann', 'Ann "A"') },
      '2:17 a quote stands inside of a value; put the whole value in quotes, and write a quote in it as `""`',
    ],
    [
      'text behind a quote',
      { table: HEAD + ANN.replace('Ann', '"Ann" Lee') },
      '2:17 a quote stands inside of a value; put the whole value in quotes, and write a quote in it as `""`',
    ],
    [
      'a formula',
      { table: HEAD + ANN.replace('Ann', '"=HYPERLINK(""mailto:a@b"",""Ann"")"') },
      '2:17 the cell has a formula; save the table with the value in its place',
    ],
    [
      'a formula without quotes around it',
      { table: HEAD + ANN.replace('Ann', '=HYPERLINK("mailto:a@b","Ann")') },
      '2:17 the cell has a formula; save the table with the value in its place',
    ],
    [
      'two separators in the names',
      { table: 'Mail,x;Name\nann@example.com,b;Ann\n' },
      '1:1 several characters can be what separates the columns; write `separator: ";"`, or the one that does, next to the name of the table',
    ],
    [
      'a column that is misspelt',
      { table: HEAD.replace('Chats', 'Chat') + ANN },
      'm.yaml:2:81 the table has no column `Chats`; did you mean `Chat`? the table has `Mail`, `Name`, `Chat`, `Team`, `Status`',
    ],
    [
      'a joined column that is misspelt',
      { table: HEAD + ANN, columns: 'name: "${Nam} ${Team}"' },
      'm.yaml:2:61 the table has no column `Nam`; did you mean `Name`? the table has `Mail`, `Name`, `Chats`, `Team`, `Status`',
    ],
    [
      'a joined column without an end',
      { table: HEAD + ANN, columns: 'name: "${Name ${Team"' },
      'm.yaml:2:59 the table has no column `${Name ${Team`; the table has `Mail`, `Name`, `Chats`, `Team`, `Status`',
    ],
    [
      'a number with its unit',
      { table: HEAD + ANN.replace('4', '4 chats') },
      '2:21 expected a whole number, found "4 chats"; How many chats the agent can have at the same time. At most 100 in 3.3; 20 in 3.5, 3.6 and 3.7.',
    ],
    [
      'a number of another country',
      { table: HEAD + ANN.replace('4', '"4,0"') },
      '2:21 expected a whole number, found "4,0"; How many chats the agent can have at the same time. At most 100 in 3.3; 20 in 3.5, 3.6 and 3.7.',
    ],
    [
      'an address without its domain',
      { table: HEAD + ANN.replace('@example.com', '') },
      '2:1? `ann` is no e-mail address, as the id of an agent is; write the e-mail address as the key, or as `id`',
    ],
    [
      'a name in angle brackets around an address',
      { table: HEAD + ANN.replace('ann@example.com', 'Ann <ann@example.com>') },
      '2:1 `Ann <ann@example.com>` is no plain e-mail address: it has angle brackets; write `ann@example.com`',
    ],
    [
      'a name of two groups',
      { table: HEAD + ANN.replace('sales', 'Care Europe') },
      '2:23 no group `Care Europe` is declared; did you mean `care-eu` or `care-us`? Otherwise remove the reference, declare the group, or look it up with `{ external: ... }` if it is managed elsewhere',
    ],
    [
      'a name that is nearly that of a group',
      { table: HEAD + ANN.replace('sales', 'Custmer Care') },
      '2:23 no group `Custmer Care` is declared; did you mean `care`? Otherwise remove the reference, declare the group, or look it up with `{ external: ... }` if it is managed elsewhere',
    ],
    [
      'a group by its key and its name',
      { table: HEAD + ANN.replace('sales', 'care;Customer Care') },
      '2:23 the row names the group `care` twice; remove one of them',
    ],
    [
      'a priority that is none',
      { table: HEAD + ANN.replace('sales', 'Customer Care:frist') },
      '2:23 "frist" is not allowed here; did you mean `first`? allowed: `first`, `normal`, `last`, `supervisor`',
    ],
    [
      'a word for a leaver that is misspelt',
      { table: HEAD + ANN.replace('here', 'gone awya') },
      '2:29? this is nearly `gone away`, and the person stays; write `gone away` if the person left',
    ],
    [
      'two rows of one person',
      { table: HEAD + ANN + ANN.replace('ann@', 'Ann@') },
      '3:1 two rows are `Ann@example.com`, which differs only in case from `ann@example.com`; remove one of them',
    ],
    [
      'a day as people write it',
      { table: HEAD + ANN.replace('Ann', '24.12.2030'), columns: 'from: Name' },
      '2:17 "24.12.2030" does not have the right form; write one such as `2026-12-01`',
    ],
  ];
  test.each(wrong)('%s', async (_, odd, said) => {
    expect((await read(odd)).said.filter((each) => !each.includes('nothing uses'))).toEqual([said]);
  });
});
