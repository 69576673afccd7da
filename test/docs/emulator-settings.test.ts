// The table of docs/reference/emulator.md against the settings of the emulator: each stands once, with its default, other valid values and what it decides.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS, parseSettings, SETTINGS_SCHEMA } from '../../src/emulator/index.ts';

interface Documented {
  readonly name: string;
  readonly value: unknown;
  readonly others: readonly unknown[];
  readonly decides: string;
}

async function documented(): Promise<readonly Documented[]> {
  const text = await readFile(new URL('../../docs/reference/emulator.md', import.meta.url), 'utf8');
  const rows = text.matchAll(/^\| `([\w./]+)` \| `([^`]+)` \| (`.+?`) \| (.+) \|$/gm);
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

test('Every setting stands in the table once, with its default', async () => {
  const rows = await documented();
  const inOrder = (pairs: readonly (readonly [string, unknown])[]) =>
    pairs.toSorted(([one], [other]) => (one < other ? -1 : 1));
  expect(inOrder(rows.map(({ name, value }) => [name, value] as const))).toEqual(inOrder(SETTINGS));
});

test('The schema says of every setting what the table says', async () => {
  const member = (schema: unknown, name: string): unknown => Object(Object(schema).properties)[name];
  for (const { name, value, decides } of await documented()) {
    const [, group = '', rest = name] = /^(limits|statuses|lifecycle|routing|reportKeys)\.(.+)$/.exec(name) ?? [];
    const schema = member(group === '' ? SETTINGS_SCHEMA : member(SETTINGS_SCHEMA, group), rest);
    expect([name, schema]).toEqual([name, expect.objectContaining({ description: decides, default: value })]);
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
