// docs/library.md against the exports of the package, in both directions.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import * as emulator from '../../src/emulator/index.ts';
import * as library from '../../src/index.ts';

async function page(): Promise<string> {
  return readFile(new URL('../../docs/library.md', import.meta.url), 'utf8');
}

test('Every export is named in a table of the page', async () => {
  const text = (await page()).replaceAll(/^[^|].*$/gm, '');
  const exported = [...Object.keys(library), ...Object.keys(emulator)];
  expect(exported.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
});

test('Every name in the table of parts is exported', async () => {
  const parts = /## The parts\n(.*?)\n## /s.exec(await page())?.[1] ?? '';
  const rows = Array.from(parts.matchAll(/^\| (?:\w| )+ \| (.+) \|$/gm), ([, cell = '']) => cell).slice(1);
  const named = rows.flatMap((cell) => Array.from(cell.matchAll(/`(\w+)(?:\(|`)/g), ([, name = '']) => name));
  expect(named.length).toBeGreaterThan(25);
  const exported = new Set([...Object.keys(library), ...Object.keys(emulator), 'selects', 'protects']);
  expect(named.filter((name) => !exported.has(name))).toEqual([]);
});
