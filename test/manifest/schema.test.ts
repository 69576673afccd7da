import { expect, test } from 'vitest';
import { isList, isObject } from '../../src/kinds/wire.ts';
import { manifestSchema } from '../../src/manifest/schema.ts';
import type { Json } from '../../src/model.ts';
import { projectSchema } from '../../src/project/schema.ts';

const SCHEMAS = { manifest: manifestSchema(), project: projectSchema() };

test.each(Object.entries(SCHEMAS))(
  'The published schema of a %s is the one that the code validates with',
  async (name, schema) => {
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(`../../schemas/${name}.schema.json`);
  },
);

test.each(Object.entries(SCHEMAS))('Every field of a %s has a description for hover help', (_, schema) => {
  expect(undescribed(schema, '#', schema)).toEqual([]);
});

/** Pointers of members that say nothing about themselves. */
function undescribed(schema: Json, pointer: string, root: Json): readonly string[] {
  if (!isObject(schema)) return [];
  const members = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  const others = ['additionalProperties', 'items'].flatMap((name): [string, Json][] => {
    const inner = schema[name];
    return isObject(inner) ? [[name, inner]] : [];
  });
  const definitions = isObject(schema['$defs']) ? Object.entries(schema['$defs']) : [];
  return [
    ...members.flatMap(([name, inner]) =>
      isObject(inner) && typeof inner['description'] === 'string' && inner['description'].length > 9
        ? []
        : [`${pointer}/${name}`],
    ),
    ...[...members, ...others, ...definitions].flatMap(([name, inner]) =>
      undescribed(inner, `${pointer}/${name}`, root),
    ),
  ];
}

test('No list in a schema is empty of meaning: every enum and required names something once', () => {
  const lists: Json[] = [];
  const walk = (value: Json): void => {
    if (isList(value)) for (const item of value) walk(item);
    else if (isObject(value)) {
      for (const [name, inner] of Object.entries(value)) {
        if ((name === 'enum' || name === 'required') && isList(inner)) lists.push(inner);
        walk(inner);
      }
    }
  };
  for (const schema of Object.values(SCHEMAS)) walk(schema);
  for (const list of lists) expect(new Set(isList(list) ? list : []).size).toBe(isList(list) ? list.length : 0);
});
