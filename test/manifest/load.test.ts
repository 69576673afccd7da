import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { type Desired, type Json, VERSIONS } from '../../src/base/model.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import { manifestSchema } from '../../src/manifest/schema.ts';
import { tries } from '../tries.ts';
import { fitting, words } from '../yaml/fitting.ts';
import { memoryDisk } from './memory-disk.ts';

function load(
  files: { readonly [name: string]: string },
  more: { overlays?: string[]; read?: string[]; clients?: string[] } = {},
) {
  return loadManifest({
    files: more.read ?? Object.keys(files).filter((name) => !more.overlays?.includes(name)),
    overlays: more.overlays ?? [],
    clients: more.clients ?? [],
    env: {},
    version: '3.6',
    io: memoryDisk(files),
  });
}

const MANIFEST = `version: 1
agents:
  ann@example.com: { name: Ann, groups: { sales: first, legacy: normal } }
  boss: { id: bob@example.com, notifications: [ticket, new_goal] }
groups:
  sales: { name: Sales, properties: { abc: { tier: gold } } }
  default: { id: 0 }
  legacy: { external: { name: Legacy } }
bots:
  triage: { name: Triage, owner_client_id: abc, groups: { sales: last } }
  other: { external: { id: b-1 } }
bot_templates:
  t: { name: T, owner_client_id: tpl, affect_existing_installations: false }
auto_access:
  - { key: z, access: { groups: [sales, { external: { id: 7 } }] }, conditions: { url: { values: [{ value: /z, exact_match: false }] } } }
  - { key: a, id: r-1, access: { groups: [{ external: { name: Sales/EU } }, legacy] } }
properties:
  abc: { tier: { type: string, access: { group: { agent: [write, read] } } } }
license_properties:
  def: { a.b/c: 5 }
moved:
  - { from: group/seller, to: group/sales }
`;

async function desiredOf(text: string): Promise<Desired> {
  const { desired, diagnostics } = await load({ 'm.yaml': text });
  expect(diagnostics).toEqual([]);
  if (desired === null) throw new Error('there are no diagnostics and no desired state');
  return desired;
}

test('Every entry becomes a resource with its address, its id, and references as addresses', async () => {
  const { resources } = await desiredOf(MANIFEST);
  expect(resources.map(({ address, id }) => [address, id])).toEqual([
    ['agent/ann@example.com', null],
    ['agent/boss', 'bob@example.com'],
    ['auto_access/a', 'r-1'],
    ['auto_access/z', null],
    ['bot/triage', null],
    ['bot_template/t', null],
    ['group/default', 0],
    ['group/sales', null],
    ['group_property/sales/abc/tier', null],
    ['license_property/def/a.b/c', null],
    ['property/abc/tier', null],
  ]);
  const specs = new Map(resources.map(({ address, spec }) => [address, spec]));
  expect(specs.get('agent/ann@example.com')).toEqual({
    name: 'Ann',
    groups: { 'group/legacy': 'normal', 'group/sales': 'first' },
  });
  expect(specs.get('agent/boss')).toEqual({ notifications: ['new_goal', 'ticket'] });
  expect(specs.get('group/default')).toEqual({});
  expect(specs.get('group/sales')).toEqual({ name: 'Sales' });
  expect(specs.get('auto_access/z')).toEqual({
    access: { groups: ['group/external:id=7', 'group/sales'] },
    conditions: { url: { values: [{ value: '/z' }] } },
  });
  expect(specs.get('auto_access/a')).toEqual({ access: { groups: ['group/external:name=Sales/EU', 'group/legacy'] } });
  expect(specs.get('property/abc/tier')).toEqual({ type: 'string', access: { group: { agent: ['read', 'write'] } } });
  expect(specs.get('group_property/sales/abc/tier')).toEqual({ value: 'gold' });
  expect(specs.get('license_property/def/a.b/c')).toEqual({ value: 5 });
});

test('Externals, declared or in place, are looked up and are no resources', async () => {
  const { externals } = await desiredOf(MANIFEST);
  expect(externals.map(({ address, id, name, place }) => [address, id, name, place.line])).toEqual([
    ['bot/other', 'b-1', null, 11],
    ['group/external:id=7', 7, null, 15],
    ['group/external:name=Sales/EU', null, 'Sales/EU', 16],
    ['group/legacy', null, 'Legacy', 8],
  ]);
});

test('The order of rules is that of the list, and namespaces are those of entries and clients', async () => {
  const { ruleOrder } = await desiredOf(MANIFEST);
  expect(ruleOrder).toEqual(['auto_access/z', 'auto_access/a']);
  const { desired } = await load({ 'm.yaml': MANIFEST }, { clients: ['zzz', 'abc'] });
  expect(desired?.namespaces).toEqual(['abc', 'def', 'tpl', 'zzz']);
});

test('Moves and places are there for later stages', async () => {
  const { moved, markOf } = await load({ 'm.yaml': MANIFEST });
  expect(moved).toMatchObject([{ from: 'group/seller', to: 'group/sales', place: { line: 22, column: 5 } }]);
  expect(markOf('agent/boss')?.place).toMatchObject({ line: 4, column: 3, length: 4 });
  expect(markOf('agent/boss', ['notifications', 1], 'value')?.place).toMatchObject({ line: 4, column: 56 });
  expect(markOf('group/nobody')).toBeNull();
});

test('The same name said at two places is the same resource only when the key is', async () => {
  const { desired } = await load({
    'm.yaml': 'version: 1\nlicense_properties: { a: { x: 1 } }\n',
    'n.yaml': 'version: 1\nlicense_properties: { a: { y: 1 }, b: { x: 1 } }\n',
  });
  expect(desired?.resources.map(({ address }) => address)).toEqual([
    'license_property/a/x',
    'license_property/a/y',
    'license_property/b/x',
  ]);
});

test('Keys that every object has are keys like any other', async () => {
  const { desired, diagnostics } = await load({
    'm.yaml': 'version: 1\nagents: { constructor: { groups: { toString: first } }, valueOf: {} }\n',
    'n.yaml': 'version: 1\ngroups: { toString: { name: A, agent_priorities: { constructor: first } } }\n',
  });
  expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ['bad-format', expect.stringContaining('`constructor` is no e-mail address')],
    ['bad-format', expect.stringContaining('`valueOf` is no e-mail address')],
  ]);
  expect(desired?.resources.map(({ address }) => address)).toEqual([
    'agent/constructor',
    'agent/valueOf',
    'group/toString',
  ]);
});

/** Entries of several sections that may stand in any file. */
const ENTRIES: readonly (readonly [section: string, key: string, value: Json])[] = [
  ['agents', 'ann@example.com', { name: 'Ann', groups: { sales: 'first' } }],
  ['agents', 'bob@example.com', { job_title: 'Lead' }],
  ['agents', 'cid@example.com', {}],
  ['groups', 'sales', { name: 'Sales', properties: { abc: { tier: 'gold' } } }],
  ['groups', 'support', { name: 'Support', agent_priorities: { 'bob@example.com': 'last' } }],
  ['bots', 'triage', { name: 'Triage', groups: { support: 'first' } }],
  ['bot_templates', 't', { name: 'T', owner_client_id: 'abc' }],
];

function withoutPlaces(desired: Desired | null): Json {
  return JSON.parse(JSON.stringify(desired, (name, value) => (name === 'place' ? undefined : value)));
}

test('What is desired depends neither on how entries are spread over files nor on the order of the files', async () => {
  const whole = await load({ 'm.yaml': written(ENTRIES) });
  expect(whole.diagnostics).toEqual([]);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 3 }), { minLength: ENTRIES.length, maxLength: ENTRIES.length }),
      fc.shuffledSubarray([...ENTRIES.keys()], { minLength: ENTRIES.length }),
      fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
      async (spread, order, files) => {
        const names = files.map((file) => `f${file}.yaml`);
        const texts = Object.fromEntries(
          names.map((name) => [
            name,
            written(
              order.flatMap((index) => (name === `f${spread[index]}.yaml` ? [ENTRIES[index] ?? ['', '', null]] : [])),
            ),
          ]),
        );
        const loaded = await load(texts, { read: names });
        expect(loaded.diagnostics).toEqual([]);
        expect(withoutPlaces(loaded.desired)).toEqual(withoutPlaces(whole.desired));
      },
    ),
    { numRuns: tries(200) },
  );
});

function written(entries: typeof ENTRIES): string {
  const sections: { [name: string]: { [key: string]: Json } } = {};
  for (const [section, key, value] of entries) sections[section] = { ...sections[section], [key]: value };
  return stringify({ version: 1, ...sections });
}

test('No value, however wrong, makes validation fail instead of report', async () => {
  const word = fc.constantFrom(
    ...[
      'agents',
      'groups',
      'bots',
      'bot_templates',
      'auto_access',
      'properties',
      'license_properties',
      'moved',
      'version',
    ],
    ...['a', 'name', 'key', 'id', 'external', 'access', 'conditions', 'url', 'values', 'exclude_values', 'geolocation'],
    ...['work_scheduler', 'schedule', 'timezone', 'start', 'day', 'domain', 'range', 'from', 'type', 'default_value'],
    ...[
      'agent_priorities',
      'notifications',
      'op',
      'path',
      'constructor',
      'toString',
      'abc',
      '${var.x}',
      'license',
      'int',
    ],
  );
  const value = fc.letrec<{ any: Json }>((tie) => ({
    any: fc.oneof(
      { depthSize: 'large' },
      fc.constantFrom<Json>(null, true, 0, -1.5, '', '$${', 'UTC', '25:00'),
      word,
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(word, tie('any'), { maxKeys: 4 }),
    ),
  })).any;
  const section = fc.dictionary(word, value, { maxKeys: 5 });
  await fc.assert(
    fc.asyncProperty(section, section, async (manifest, patch) => {
      const { diagnostics, desired } = await load(
        { 'm.yaml': stringify(manifest), 'o.yaml': stringify(patch) },
        { overlays: ['o.yaml'] },
      );
      expect(desired === null).toBe(diagnostics.some(({ severity }) => severity === 'error'));
    }),
    { numRuns: tries(250) },
  );
});

test('A value that no text can be made of is reported like any other of a wrong type', async () => {
  const odd = '{ toString: 1 }';
  const text = `version: 1
agents:
  ann@example.com: { name: Ann, work_scheduler: { schedule: [{ day: monday, enabled: true, start: '09:00', end: ${odd} }, { day: ${odd}, enabled: true, start: '09:00', end: '10:00' }] } }
auto_access: [{ key: a, access: { groups: [${odd}] }, conditions: { url: { values: [{ value: ${odd} }] } } }]
`;
  const { diagnostics, desired } = await load({ 'm.yaml': text });
  expect(desired).toBeNull();
  expect(diagnostics.length).toBeGreaterThanOrEqual(4);
});

test('Nothing that nearly is a manifest makes validation fail instead of report, in either version', async () => {
  const schema = manifestSchema();
  const word = fc.constantFrom(...words(schema), 'ann@example.com', 'sales', '${var.x}', 'UTC', 'toString');
  await fc.assert(
    fc.asyncProperty(fitting(schema, schema, word), fc.constantFrom(...VERSIONS), async (manifest, version) => {
      const io = memoryDisk({ 'm.yaml': stringify(manifest) });
      const { diagnostics, desired } = await loadManifest({ files: ['m.yaml'], env: {}, version, io, now: 0 });
      expect(desired === null).toBe(diagnostics.some(({ severity }) => severity === 'error'));
    }),
    { numRuns: tries(300) },
  );
});
