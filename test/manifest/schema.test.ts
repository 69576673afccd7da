import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isObject } from '../../src/base/json.ts';
import type { Json } from '../../src/base/model.ts';
import { manifestSchema } from '../../src/manifest/schema.ts';
import { projectSchema } from '../../src/project/schema/project.ts';
import { editorSchema } from './editor-schema.ts';

const SCHEMAS = { manifest: manifestSchema('editor'), project: projectSchema() };

const EXAMPLES = new URL('../../examples/', import.meta.url);

function inEditor(name: keyof typeof SCHEMAS) {
  return new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(
    editorSchema(SCHEMAS[name], name === 'manifest'),
  );
}

test.each(Object.entries(SCHEMAS))(
  'The published schema of a %s is the one that the code validates with, for files in an editor, where no target is known',
  async (name, schema) => {
    const text = `${JSON.stringify(editorSchema(schema, name === 'manifest'), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`../../schemas/${name}.schema.json`);
  },
);

test.each(Object.entries(SCHEMAS))('Every field of a %s has a description for hover help', (_, schema) => {
  expect(undescribed(schema, '#')).toEqual([]);
});

/** Pointers of members and definitions that say nothing about themselves. A reference says what its definition does. */
function undescribed(schema: Json, pointer: string): readonly string[] {
  if (!isObject(schema)) return [];
  const members = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  const definitions = isObject(schema['$defs']) ? Object.entries(schema['$defs']) : [];
  const others = ['additionalProperties', 'items'].map((name): [string, Json] => [name, schema[name] ?? null]);
  const silent = [...members, ...definitions].filter(
    ([, inner]) => !(isObject(inner) && ('$ref' in inner || String(inner['description'] ?? '').length > 9)),
  );
  return [
    ...silent.map(([name]) => `${pointer}/${name}`),
    ...[...members, ...others, ...definitions].flatMap(([name, inner]) => undescribed(inner, `${pointer}/${name}`)),
  ];
}

test('An editor marks nothing in the files of the examples, each looked at alone and before substitution', () => {
  const checks = [
    ['project', /^[^/]+\/chatform\.yaml$/],
    ['manifest', /^[^/]+\/manifest(\/[^/]+)?\.yaml$/],
  ] as const;
  for (const [name, pattern] of checks) {
    const validate = inEditor(name);
    const files = readdirSync(EXAMPLES, { recursive: true })
      .map(String)
      .filter((file) => pattern.test(file));
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      validate(parse(readFileSync(new URL(file, EXAMPLES), 'utf8'), { merge: true }));
      expect(validate.errors ?? [], file).toEqual([]);
    }
  }
});

test('An editor accepts a reference to a variable where a number, a flag, a word, a list or a mapping is wanted, and marks what is wrong', () => {
  const validate = inEditor('manifest');
  const agent = (fields: Json) => ({ version: 1, agents: { 'ann@example.com': fields } });
  expect(validate(agent({ max_chats_count: '${var.chats}', suspended: '${env.AWAY}', role: '${var.role}' }))).toBe(
    true,
  );
  expect(validate(agent({ notifications: '${var.alerts}', work_scheduler: '${var.hours}' }))).toBe(true);
  const group = (members: Json) => ({ version: 1, groups: { sales: { name: 'Sales', agent_priorities: members } } });
  expect([validate(group('${var.team}')), validate(group('all')), validate(group([]))]).toEqual([true, false, false]);
  expect(validate(agent({ max_chats_count: 'many' }))).toBe(false);
  expect(validate(agent({ role: 'owner' }))).toBe(false);
  expect(validate(agent({ rol: 'normal' }))).toBe(false);
  expect(validate({ version: 1, groups: { sales: {} } })).toBe(false);
});
