// Rules from a manifest and from a license: in their order, with groups as people call them, and what is left out filled in from where it is known.

import { expect, test } from 'vitest';
import type { Address, Live, LiveObject } from '../../src/base/model.ts';
import { type BoundLicense, desiredRules, liveRules } from '../../src/routing/sources.ts';
import { declare, desiredOf } from '../desired.ts';

const PRICING = { url: { values: [{ value: '/pricing' }] } };

function liveRule(id: string, groups: readonly string[]): LiveObject {
  return {
    kind: 'auto_access',
    id,
    name: id,
    spec: { description: '', access: { groups }, conditions: PRICING },
    facts: {},
  };
}

function liveGroup(id: number, name: string): LiveObject {
  return { kind: 'group', id, name, spec: { name }, facts: {} };
}

const RULES = [liveRule('r2', ['7', '1']), liveRule('r1', ['9'])];

const LIVE: Live = {
  version: '3.6',
  objects: { auto_access: RULES, group: [liveGroup(1, 'Sales'), liveGroup(7, 'Late "night"')] },
  ruleOrder: ['r2', 'r1'],
  scopes: [],
};

const ADDRESSES: { readonly [name: string]: Address } = {
  'group 1': 'group/sales',
  'auto_access r2': 'auto_access/pricing',
};

const LICENSE: BoundLicense = {
  live: LIVE,
  referenceTo: (kind, id) => ADDRESSES[`${kind} ${id}`] ?? String(id),
  declaredAs: () => null,
  objectOf: (address) => (address === 'auto_access/pricing' ? (RULES[0] ?? null) : null),
};

const DESIRED = desiredOf([
  declare('auto_access', 'zebra', { access: { groups: ['group/sales'] }, conditions: PRICING }),
  declare('auto_access', 'pricing', { description: 'Prices' }, 'r2'),
  declare('auto_access', 'new', { access: { groups: ['group/sales'] } }, 'r9'),
]);

test('Rules of a manifest stand in its order, and those that leave something out are open', () => {
  const { rules, open } = desiredRules(DESIRED, null);
  expect(rules).toEqual([
    { name: 'auto_access/zebra', groups: ['group/sales'], conditions: PRICING },
    { name: 'auto_access/pricing', groups: [], conditions: {} },
    { name: 'auto_access/new', groups: ['group/sales'], conditions: {} },
  ]);
  expect([...open]).toEqual(['auto_access/pricing', 'auto_access/new']);
});

test('What a rule leaves out is as the license has it', () => {
  const { rules, open } = desiredRules(DESIRED, LICENSE);
  expect(rules[1]).toEqual({
    name: 'auto_access/pricing',
    groups: ['group 7 "Late \\"night\\""', 'group/sales'],
    conditions: PRICING,
  });
  expect([...open]).toEqual(['auto_access/new']);
});

test('Rules and groups of a license have their addresses where they are declared, and ids and names elsewhere', () => {
  expect(liveRules(LICENSE)).toEqual({
    rules: [
      { name: 'auto_access/pricing', groups: ['group 7 "Late \\"night\\""', 'group/sales'], conditions: PRICING },
      { name: 'r1', title: '"/pricing to 9" (r1)', groups: ['group 9'], conditions: PRICING },
    ],
    open: new Set(),
  });
});
