// What the license allows, what it has, and whether the plan fits.

import { expect, test } from 'vitest';
import type { Seed, SettingsInput } from '../../../src/emulator/index.ts';
import { allowancesOf } from '../../../src/features/doctor/limits.ts';
import { project } from '../../cli/chatform.ts';
import { looked, READING, tokenWith } from './target.ts';

type Limits = SettingsInput['limits'] & object;

const GROUPS = 'version: 1\ngroups: { sales: { name: Sales }, support: { name: Support } }\n';

function of(limits: Limits, seed: Seed = {}, manifest = GROUPS, more: { readonly [name: string]: string } = {}) {
  return looked({
    emulator: { settings: { limits }, seed },
    files: { ...project(), 'manifest.yaml': manifest, ...more },
  });
}

test('What is left is counted with the plan in mind, from the lists that planning reads anyway', async () => {
  const { line, document } = await of({ groups: 5, accessRules: -1, agents: -1 });
  expect(line('limits')).toBe('ok: groups 1 of 5 (2 to add)');
  expect(document['requests_sent']).toEqual({ list_groups: 1, list_license_properties: 1 });
  expect(document['limits']).toContainEqual({
    ...{ resource: 'groups', type: 'group' },
    ...{ limit: 5, present: 1, to_add: 2, to_destroy: 0 },
  });
  expect(document['limits']).toContainEqual({
    ...{ resource: 'agents', type: 'agent' },
    ...{ limit: null, present: null, to_add: 0, to_destroy: 0 },
  });
});

test('A plan that does not fit is a problem', async () => {
  const { line, code } = await of({ groups: 2 });
  expect([line('limits'), code]).toEqual([
    expect.stringMatching(/^problem: the plan does not fit: groups 1 of 2 \(2 to add\) -> /),
    1,
  ]);
});

test('A plan that takes the last place is a warning', async () => {
  expect((await of({ groups: 3, accessRules: -1 })).line('limits')).toMatch(
    /^warning: 1 limit reached: groups 1 of 3 \(2 to add\)/,
  );
});

test('A plan that would fit after its own deletes is a warning, because they come last', async () => {
  const owned = {
    ...{ v: 1, at: '2025-01-01T00:00:00Z', run: 'r', type: 'bound', address: 'group/old', id: 7, origin: 'created' },
  };
  const seed = { groups: [{ id: 7, name: 'Old' }] };
  const { line } = await of({ groups: 3, accessRules: -1 }, seed, GROUPS, {
    'ledger.ndjson': `${JSON.stringify(owned)}\n`,
  });
  expect(line('limits')).toMatch(
    /^warning: the plan fits only after its own deletes.*groups 2 of 3 \(2 to add, 1 to destroy\)/,
  );
});

test('What was not listed is told without a count, and costs no list', async () => {
  const { line, document } = await of({ agents: 7, accessRules: -1 });
  expect(line('limits')).toBe('ok: agents at most 7');
  expect(document['requests_sent']).not.toHaveProperty('list_agents');
});

test('A license without limits is right', async () => {
  expect((await of({ accessRules: -1 })).line('limits')).toBe('ok: unlimited');
});

test('When planning reads the properties of the license, the limits cost nothing', async () => {
  const manifest = `version: 1
properties: { shop: { tier: { type: string, access: { license: { agent: [read, write] } } } } }
license_properties: { shop: { tier: gold } }
`;
  const { document, statuses } = await of({}, {}, manifest);
  expect(document['requests_sent']).toEqual({ list_license_properties: 1, list_properties: 1 });
  expect(statuses.limits).toBe('ok');
});

test('A token that may not read them is told what would, and it is no problem', async () => {
  const { line, code } = await looked({ emulator: tokenWith(...READING) });
  expect([line('limits'), code]).toEqual([
    expect.stringMatching(/^unchecked: .* -> .*properties\.license\.value--all:ro/),
    0,
  ]);
});

test('The effective limit is base and additional, at most hard, and -1 is unlimited', () => {
  const allowed = (base: number, additional?: number, hard?: number) => {
    const values = { 'groups.base': base, 'groups.additional': additional ?? null, 'groups.hard': hard ?? null };
    return allowancesOf({ limits: values }, {})?.[0]?.allowed;
  };
  expect([allowed(3, 4, 10), allowed(3, 9, 10), allowed(3, 9, -1), allowed(3), allowed(0, 0, 0)]).toEqual([
    7, 10, 12, 3, 0,
  ]);
  expect([allowed(-1, 0, -1), allowed(-1, 0, 10), allowed(3, -1, -1)]).toEqual([Infinity, 10, Infinity]);
});

test('A license that does not say, or says something else, allows nothing for certain', () => {
  expect([allowancesOf({}, {}), allowancesOf([], {}), allowancesOf({ limits: 7 }, {})]).toEqual([null, null, null]);
  expect(allowancesOf({ limits: { 'groups.base': 'many', 'chats.base': 3, 'agents.hard': 4 } }, {})).toEqual([]);
});
