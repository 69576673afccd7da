// The tables of docs/reference/api.md against the tables of the APIs: every action, its versions, what it does, and its batch or its token.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Api, ApiAction } from '../../src/service/api.ts';
import { CONFIGURATION } from '../../src/service/configuration.ts';
import { CUSTOMER } from '../../src/service/customer.ts';
import { REPORTS } from '../../src/service/reports.ts';

/** Cells of the rows under a heading. */
async function rowsUnder(heading: string): Promise<readonly (readonly string[])[]> {
  const text = await readFile(new URL('../../docs/reference/api.md', import.meta.url), 'utf8');
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return Array.from(section.matchAll(/^\| (`.*) \|$/gm), ([, row = '']) => row.split('|').map((cell) => cell.trim()));
}

const rowOf = ([name, { versions, effect }]: readonly [string, ApiAction], last: string) => [
  `\`${name}\``,
  versions.join(', '),
  effect,
  last,
];

const actionsOf = (api: Api) => Object.entries(api.actions);

test('The actions of the Configuration API', async () => {
  const expected = actionsOf(CONFIGURATION).map((entry) => {
    const { batch } = entry[1];
    return rowOf(entry, batch === null ? '' : `\`${batch.name}\``);
  });
  expect(await rowsUnder('Actions of the Configuration API')).toEqual(expected);
});

test('The actions of the Customer Chat Web API', async () => {
  const expected = actionsOf(CUSTOMER).map((entry) => rowOf(entry, entry[1].token === 'optional' ? 'yes' : 'no'));
  expect(await rowsUnder('Actions of the Customer Chat Web API')).toEqual(expected);
});

test('The actions of the Reports API', async () => {
  const expected = actionsOf(REPORTS).map((entry) => rowOf(entry, `\`${entry[1].scopes.join(', ')}\``));
  expect(await rowsUnder('Actions of the Reports API')).toEqual(expected);
});
