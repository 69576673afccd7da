// The JSON Schemas of a seed, of settings and of traffic: published, complete, and of one mind with the readers of the emulator.

import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import {
  DEFAULT_SETTINGS,
  parseSeed,
  parseSettings,
  parseTraffic,
  SEED_SCHEMA,
  SETTINGS_SCHEMA,
  TRAFFIC_SCHEMA,
} from '../../src/emulator/index.ts';
import { SEED } from './requests.ts';

const ADDRESS = { $schema: 'https://example.com/schema.json' };
const DOCUMENTS = {
  seed: { title: 'chatform emulator seed', schema: SEED_SCHEMA, parse: parseSeed },
  settings: { title: 'chatform emulator settings', schema: SETTINGS_SCHEMA, parse: parseSettings },
  traffic: { title: 'chatform emulator traffic', schema: TRAFFIC_SCHEMA, parse: parseTraffic },
};
const TRAFFIC = { visitors: { all: { page: 'https://shop.example/', per_day: 1 } } };
type DocumentName = keyof typeof DOCUMENTS;
const NAMES = ['seed', 'settings', 'traffic'] as const;

const published = (name: DocumentName) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: DOCUMENTS[name].title,
  ...DOCUMENTS[name].schema,
});
const AJV = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true });
const FITTING = {
  seed: AJV.compile(published('seed')),
  settings: AJV.compile(published('settings')),
  traffic: AJV.compile(published('traffic')),
};

test.each(NAMES)('The published schema of a %s is the one in the code', async (name) => {
  const text = `${JSON.stringify(published(name), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(`../../schemas/emulator-${name}.schema.json`);
});

/** Pointers of values of which the schema says nothing. */
function unstated(schema: unknown, pointer: string): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, items, additionalProperties } = Object(schema);
  const inner = Object.entries({
    ...properties,
    ...(items && { items }),
    ...(additionalProperties && { additionalProperties }),
  });
  return [
    ...(Object.keys(schema).length === 0 ? [pointer] : []),
    ...inner.flatMap(([name, part]) => unstated(part, `${pointer}/${name}`)),
  ];
}

test.each(NAMES)('Every member of a %s is stated, and those at the top are described', (name) => {
  expect(unstated(DOCUMENTS[name].schema, '#')).toEqual([]);
  const { properties } = Object(DOCUMENTS[name].schema);
  const silent = Object.entries(properties).filter(
    ([, part]) => Object(part).type !== 'object' && !Object(part).description,
  );
  expect(silent).toEqual([]);
});

test('They take what is right, with the address of the schema', async () => {
  const demo = JSON.parse(await readFile(new URL('../../demo/license.json', import.meta.url), 'utf8'));
  const right = {
    seed: [{}, ADDRESS, SEED, demo, { ...demo, ...ADDRESS }],
    settings: [{}, ADDRESS, DEFAULT_SETTINGS],
    traffic: [{ ...TRAFFIC, ...ADDRESS }],
  };
  for (const name of NAMES) {
    const validate = FITTING[name];
    for (const json of right[name]) {
      expect([validate(json), validate.errors]).toEqual([true, null]);
      DOCUMENTS[name].parse(json);
    }
  }
});

const SHIFT = { day: 'monday', enabled: true, start: '08:00', end: '16:00' };
const agent = (more: object) => ({ agents: [{ id: 'a', name: 'A', ...more }] });
const token = (more: object) => ({ tokens: [{ token: 't', scopes: [], ...more }] });
const rule = (conditions: object) => ({ auto_access: [{ access: { groups: [0] }, conditions }] });

test.each<[DocumentName, object]>([
  ['seed', { agent: [] }],
  ['seed', agent({ nickname: 'B' })],
  ['seed', agent({ max_chats_count: -1 })],
  ['seed', agent({ notifications: ['sms'] })],
  ['seed', agent({ notifications: ['ticket', 'ticket'] })],
  ['seed', agent({ last_logout: 'yesterday' })],
  ['seed', agent({ groups: [{ id: 1 }] })],
  ['seed', agent({ work_scheduler: { timezone: 'UTC', schedule: [{ ...SHIFT, end: '24:00' }] } })],
  ['seed', agent({ work_scheduler: { timezone: 'UTC', schedule: [{ ...SHIFT, from: '08:00' }] } })],
  ['seed', agent({ work_scheduler: { monday: { start: '08:00', end: '16:00' } } })],
  ['seed', { owner: { id: 'o' } }],
  ['seed', { groups: [{ name: 'G', agent_priorities: { a: 'x' } }] }],
  ['seed', { bots: [{ name: 'B', secret: '' }] }],
  ['seed', rule({ url: { values: [] } })],
  ['seed', rule({ url: { values: [{ value: 'x', exact: true }] } })],
  ['seed', { properties: { app: { p: { type: 'float', access: {} } } } }],
  ['seed', { license_properties: { test: { string_property: {} } } }],
  ['seed', token({ scopes: ['agents--all:readonly'] })],
  ['seed', token({ kind: 'basic' })],
  ['seed', token({ token: 'a b' })],
  ['settings', { aproval: 'open' }],
  ['settings', { approval: 'none' }],
  ['settings', { limits: { agents: -2 } }],
  ['settings', { lifecycle: { '3.3': { header: 'Sunset', date: '2027-12-01' } } }],
  ['settings', { region: 'Ams:' }],
  ['traffic', {}],
  ['traffic', { ...TRAFFIC, visitor: {} }],
  ['traffic', { ...TRAFFIC, days: 0 }],
])('They refuse the wrong %s %j', (name, json) => {
  expect(FITTING[name](json)).toBe(false);
  expect(() => DOCUMENTS[name].parse(json)).toThrow('not ');
});
