// The tables of docs/reference/chatform-yaml.md against the schema of chatform.yaml: every member and every default.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { isObject } from '../../src/base/json.ts';
import { type Json, type JsonObject, VERSIONS } from '../../src/base/model.ts';
import { LIMIT_NAMES, LIMITS } from '../../src/kinds/limits.ts';
import { projectSchema } from '../../src/project/schema/project.ts';

function membersOf(schema: Json | undefined): JsonObject {
  const members = isObject(schema) ? schema['properties'] : undefined;
  return isObject(members) ? members : {};
}

/** Cells of the rows whose first cell is a name. */
async function rows(): Promise<readonly (readonly string[])[]> {
  const text = await readFile(new URL('../../docs/reference/chatform-yaml.md', import.meta.url), 'utf8');
  return Array.from(text.matchAll(/^\| `(\w+)` \| (.+) \|$/gm), ([, name = '', rest = '']) => [
    name,
    ...rest.split(' | '),
  ]);
}

test('Every member and every setting has its row', async () => {
  const top = membersOf(projectSchema());
  const settings = membersOf(top['defaults']);
  expect(Object.keys(settings).length).toBeGreaterThan(10);
  const named = (await rows()).map(([name]) => name);
  expect(named).toEqual([...Object.keys(top), ...Object.keys(settings)]);
});

test('Every default of the schema is the one that the page says', async () => {
  const settings = membersOf(membersOf(projectSchema())['defaults']);
  const said = new Map((await rows()).map(([name, preset = '']) => [name, preset]));
  for (const [name, setting] of Object.entries(settings)) {
    if (!isObject(setting) || setting['default'] === undefined) continue;
    expect([name, said.get(name)]).toEqual([name, `\`${setting['default']}\``]);
  }
});

test('The table of limits is the one in the code', async () => {
  const text = await readFile(new URL('../../docs/reference/chatform-yaml.md', import.meta.url), 'utf8');
  const said = Array.from(text.matchAll(/^\| `limits\.(.+)$/gm), ([row]) => row);
  const shown = (most: number): string => (Number.isFinite(most) ? String(most) : 'none');
  expect(said).toEqual(
    LIMIT_NAMES.map((name) => {
      const { about, most } = LIMITS[name];
      const each = VERSIONS.map((version) => shown(most[version])).join(' | ');
      return `| \`limits.${name}\` | ${each} | ${about.replace(/\.$/, '')} |`;
    }),
  );
});
