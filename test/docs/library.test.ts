// docs/reference/library.md against the exports of the package: the page names every export, and every name on it is exported.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as client from '../../src/client.ts';
import * as emulator from '../../src/emulator/index.ts';
import * as door from '../../src/index.ts';
import * as parts from '../../src/parts.ts';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

async function page(): Promise<string> {
  return readFile(new URL('../../docs/reference/library.md', import.meta.url), 'utf8');
}

/** Names in backquotes in the table under a heading. */
async function namedUnder(heading: string): Promise<readonly string[]> {
  const table = new RegExp(`## ${heading}\n(.*?)(?:\n## |$)`, 's').exec(await page())?.[1] ?? '';
  const rows = Array.from(table.matchAll(/^\| (?:\w| )+ \| (.+) \|$/gm), ([, cell = '']) => cell).slice(1);
  return rows.flatMap((cell) => Array.from(cell.matchAll(/`(\w+)(?:\(|`)/g), ([, name = '']) => name));
}

test('Every export is named on the page: of the door and the client in their sections, of the parts and the emulator in a table', async () => {
  const text = await page();
  const sections = [
    ['The door', door],
    ['Call any action', client],
  ] as const;
  for (const [heading, module] of sections) {
    const section = new RegExp(`## ${heading}\n(.*?)\n## `, 's').exec(text)?.[1] ?? '';
    expect(Object.keys(module).filter((name) => !new RegExp(`\\b${name}\\b`).test(section))).toEqual([]);
  }
  const tables = text.replaceAll(/^[^|].*$/gm, '');
  const exported = [...Object.keys(parts), ...Object.keys(emulator)];
  expect(exported.filter((name) => !new RegExp(`\\b${name}\\b`).test(tables))).toEqual([]);
});

test('Every name in the table of parts is exported', async () => {
  const named = await namedUnder('The parts');
  expect(named.length).toBeGreaterThan(25);
  const exported = new Set([...Object.keys(parts), ...Object.keys(emulator), 'selects', 'protects']);
  expect(named.filter((name) => !exported.has(name))).toEqual([]);
});

test('The built package exports the same names to plain Node, each entry with its types', async () => {
  const { exports } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  const entries = { '.': door, './client': client, './parts': parts, './emulator': emulator };
  for (const entry of Object.keys(entries)) {
    const { types, default: file } = exports[entry];
    expect([entry, existsSync(`${CHECKOUT}${types}`), existsSync(`${CHECKOUT}${file}`)]).toEqual([entry, true, true]);
  }
  const names = Object.keys(entries).map((entry) => `chatform${entry.slice(1)}`);
  const print = `for (const name of ${JSON.stringify(names)}) console.log(Object.keys(await import(name)).join(' '))`;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', print], { cwd: CHECKOUT });
  expect(stdout.trim().split('\n')).toEqual(
    Object.values(entries).map((module) => Object.keys(module).sort().join(' ')),
  );
});
