// docs/explanation/security.md against the tests and the packages that it names.

import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const PAGE = read('docs/explanation/security.md');
const [THREATS = '', PACKAGES = ''] = PAGE.split('## Packages of others');

/** Cells of the body of each table with that last heading. */
function rows(text: string, last: string): readonly (readonly string[])[] {
  const tables = text
    .split(/\n\n/)
    .filter((part) => part.startsWith('| ') && part.split('\n')[0]?.endsWith(`${last} |`));
  return tables.flatMap((table) => {
    const lines = table.trimEnd().split('\n').slice(2);
    return lines.map((line) => line.slice(2, -2).split(' | '));
  });
}

test('Each threat has a test, which exists, by a part of its name', () => {
  const held = [...rows(THREATS, 'Held by'), ...rows(PACKAGES, 'Held by')].map((cells) => cells.at(-1) ?? '');
  expect(held.length).toBeGreaterThan(35);
  const missing = held.filter((cell) => {
    const [, file = '', name = ''] = /^`(test\/[\w./-]+\.test\.ts)`: \*(.+)\*$/.exec(cell) ?? [];
    return !existsSync(new URL(`../../${file}`, import.meta.url)) || !new RegExp(quoted(name)).test(read(file));
  });
  expect(missing).toEqual([]);
});

/** A name with this part in it, as the first argument of a test or a group of tests. */
const quoted = (part: string): string =>
  `(?:\\(|\\)\\(|^)\\s*(['"\`])(?:(?!\\1).)*${part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')}(?:(?!\\1).)*\\1,\\s*(?:\\{|async|\\()`;

test('Each kind of person who is trusted with something has a section of what they can try', () => {
  const sections = Array.from(THREATS.matchAll(/^### (.+)$/gm), ([, name]) => name);
  expect(sections.length).toBe(7);
  expect(rows(THREATS, 'At worst').length).toBeGreaterThan(sections.length);
});

test('Its table of packages, and the sentence below it, are what the build contains', () => {
  const { devDependencies } = JSON.parse(read('package.json')) as { readonly devDependencies: object };
  const notices = Array.from(
    read('dist/THIRD-PARTY-NOTICES.txt').matchAll(/^-{80}\n\n(\S+) \d/gm),
    ([, name = '']) => name,
  );
  const inTable = rows(PACKAGES, 'Kept by').flatMap(([names = '']) => names.replaceAll('`', '').split(', '));
  const below = /With them come ([\s\S]+?)\n\n/.exec(PACKAGES)?.[1] ?? '';
  const named = Array.from(below.matchAll(/`([^`]+)`/g), ([, name]) => name);
  expect([...inTable].sort()).toEqual(notices.filter((name) => name in devDependencies));
  expect([...named].sort()).toEqual(notices.filter((name) => !(name in devDependencies)));
});
