// The settings on docs/reference/emulator.md against those of the emulator: the page names each, and its table has defaults, other valid values and what they decide.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS, parseSettings, SETTINGS_SCHEMA } from '../../src/emulator/index.ts';

interface Documented {
  readonly name: string;
  readonly value: unknown;
  readonly others: readonly unknown[];
  readonly decides: string;
}

async function page(): Promise<string> {
  return readFile(new URL('../../docs/reference/emulator.md', import.meta.url), 'utf8');
}

async function documented(): Promise<readonly Documented[]> {
  const rows = (await page()).matchAll(/^\| `([\w./]+)` \| `([^`]+)` \| (`.+?`) \| (.+) \|$/gm);
  return Array.from(rows, ([, name = '', value = '', others = '', decides = '']) => ({
    name,
    value: JSON.parse(value),
    others: Array.from(others.matchAll(/`([^`]+)`/g), ([, other = '']) => JSON.parse(other)),
    decides,
  }));
}

/** The settings that the table splits into their members. */
const GROUPED = ['limits', 'statuses', 'lifecycle', 'routing', 'reportKeys'];

/** Named as in the table: `limits.agents`. */
const SETTINGS = Object.entries(DEFAULT_SETTINGS).flatMap(([name, value]) =>
  GROUPED.includes(name)
    ? Object.entries(Object(value)).map(([member, part]) => [`${name}.${member}`, part] as const)
    : [[name, value] as const],
);

function settingsWith(name: string, value: unknown): object {
  const group = GROUPED.find((candidate) => name.startsWith(`${candidate}.`));
  return group === undefined ? { [name]: value } : { [group]: { [name.slice(group.length + 1)]: value } };
}

/** Groups whose members the page does not name. */
const UNNAMED = /^(statuses|lifecycle)\./;

test('The page names every setting', async () => {
  const section = (await page()).split('\n## Settings\n')[1] ?? '';
  const cells = Array.from(section.matchAll(/^\|.*\|$/gm), ([row]) => row);
  const shown = new Set(cells.flatMap((row) => Array.from(row.matchAll(/`([\w./]+)`/g), ([, name]) => name)));
  const named = SETTINGS.map(([name]) => name).filter((name) => !UNNAMED.test(name));
  expect(named.filter((name) => !shown.has(name) && !shown.has(name.replace(/^limits\./, '')))).toEqual([]);
});

test('The table has the default of each of its settings', async () => {
  const rows = await documented();
  expect(rows.length).toBeGreaterThan(20);
  const defaults = new Map<string, unknown>(SETTINGS);
  for (const { name, value } of rows) expect([name, value]).toEqual([name, defaults.get(name)]);
});

test('The schema says of every setting what it decides, as the table does, and its default', async () => {
  const member = (schema: unknown, name: string): unknown => Object(Object(schema).properties)[name];
  const decisions = new Map((await documented()).map(({ name, decides }) => [name, decides]));
  for (const [name, value] of SETTINGS) {
    const [, group = '', rest = name] = /^(limits|statuses|lifecycle|routing|reportKeys)\.(.+)$/.exec(name) ?? [];
    const schema = member(group === '' ? SETTINGS_SCHEMA : member(SETTINGS_SCHEMA, group), rest);
    const description = decisions.get(name) ?? expect.stringMatching(/./);
    expect([name, schema]).toEqual([name, expect.objectContaining({ description, default: value })]);
  }
});

test('Every other value that the table shows is one, and differs from the default', async () => {
  for (const { name, value, others } of await documented()) {
    expect([name, others.length > 0]).toEqual([name, true]);
    for (const other of others) {
      const json = settingsWith(name, other);
      expect(parseSettings(json)).toEqual(json);
      expect([name, other]).not.toEqual([name, value]);
    }
    expect(() => parseSettings(settingsWith(name, { wrong: true }))).toThrow('`' + name);
  }
});
