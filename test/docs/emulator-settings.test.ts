// The table of docs/emulator.md against the settings of the emulator: each stands once, with its default and other valid values.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS, parseSettings } from '../../src/emulator/index.ts';

interface Documented {
  readonly name: string;
  readonly value: unknown;
  readonly others: readonly unknown[];
}

async function documented(): Promise<readonly Documented[]> {
  const text = await readFile(new URL('../../docs/emulator.md', import.meta.url), 'utf8');
  const rows = text.matchAll(/^\| `([\w.]+)` \| `([^`]+)` \| (`.+?`) \| .+ \|$/gm);
  return Array.from(rows, ([, name = '', value = '', others = '']) => ({
    name,
    value: JSON.parse(value),
    others: Array.from(others.matchAll(/`([^`]+)`/g), ([, other = '']) => JSON.parse(other)),
  }));
}

/** The settings that the table splits into their members. */
const GROUPED = ['limits', 'statuses', 'lifecycle'];

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

test('Every setting stands in the table once, with its default', async () => {
  const rows = await documented();
  const inOrder = (pairs: readonly (readonly [string, unknown])[]) =>
    pairs.toSorted(([one], [other]) => (one < other ? -1 : 1));
  expect(inOrder(rows.map(({ name, value }) => [name, value] as const))).toEqual(inOrder(SETTINGS));
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
