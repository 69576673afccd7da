// What is read because it is protected and may go with its group: without it, a plan could not see that it goes.

import { expect, test } from 'vitest';
import { covers, coversKind } from '../../../src/kinds/selection.ts';
import { foldLedger } from '../../../src/ledger/ledger.ts';
import { viewOf } from '../../../src/license/reading/view.ts';
import { declare, desiredOf } from '../../desired.ts';
import { ledgerOf } from '../../plan/license.ts';
import { world } from '../../world.ts';

const DESIRED = desiredOf([declare('group', 'kept', { name: 'Kept' })]);

test.each<[string, readonly string[]]>([
  ['group_property/7/app/tier', ['group_property']],
  ['group_property', ['group_property']],
  ['group*', ['group', 'group_property']],
  ['g*', ['greeting', 'group', 'group_property']],
  ['greeting/Hello', ['greeting']],
  ['greeting/*', ['greeting']],
])('%s may cover objects of %j', (glob, kinds) => {
  const all = ['agent', 'greeting', 'group', 'group_property', 'license_property'] as const;
  expect(all.filter(coversKind([glob]))).toEqual(kinds);
});

test('What is protected is read where the object that it belongs to may go, and a token must be able to', () => {
  const losing = ledgerOf({ 'group/kept': 8, 'group/gone': 7 });
  const extra = (globs: readonly string[], ledger = losing, desired = DESIRED) => {
    const view = viewOf(desired, ledger, '3.6', { protectsKind: coversKind(globs) });
    const usual = viewOf(desired, ledger, '3.6');
    const required = [...view.kinds].filter((kind) => view.incidental?.has(kind) !== true);
    return required.filter((kind) => !usual.kinds.has(kind) || usual.incidental?.has(kind) === true);
  };
  expect(extra([])).toEqual([]);
  expect(extra(['group_property/*'])).toEqual(['group_property']);
  expect(extra(['greeting/*', 'license_property'])).toEqual(['greeting']);
  expect(extra(['group_property/*'], ledgerOf({ 'group/kept': 8 }))).toEqual([]);
  expect(extra(['bot/Helper'], ledgerOf({ 'bot_template/gone': 't1' }))).toEqual(['bot']);
  const definition = declare('property', 'app/tier', { type: 'string', access: {} });
  expect(extra(['license_property'], ledgerOf({}), desiredOf([definition]))).toEqual(['license_property']);
});

test('A value of another hand keeps its group, where `protect:` covers it', async () => {
  const access = { group: { agent: ['read', 'write'] } } as const;
  const made = world({
    seed: {
      clients: ['app'],
      groups: [
        { id: 1, name: 'Gone' },
        { id: 2, name: 'Kept' },
      ],
      properties: { app: { tier: { type: 'string', access } } },
      group_properties: { 1: { app: { tier: 'gold' } }, 2: { app: { tier: 'gold' } } },
    },
  });
  const stamp = { v: 1, at: '2026-01-01T00:00:00.000Z', run: 'r' } as const;
  const bound = (address: 'group/gone' | 'group/kept', id: number) =>
    ({ ...stamp, type: 'bound', address, id, origin: 'created' }) as const;
  await made.ledger.append([bound('group/gone', 1), bound('group/kept', 2)]);
  expect(foldLedger(await made.ledger.read()).bindings.size).toBe(2);
  const desired = { ...DESIRED, namespaces: ['app'] };
  const withheldFor = async (...globs: readonly string[]) => {
    const { planned } = await made.settled(desired, { protects: covers(globs), protectsKind: coversKind(globs) });
    return planned.plan?.withheld.map(({ guard, addresses }) => [guard, addresses]);
  };
  expect(await withheldFor()).toEqual([]);
  expect(await withheldFor('group_property/2/*')).toEqual([]);
  expect(await withheldFor('group_property/1/*')).toEqual([['protected', ['group_property/1/app/tier']]]);
});
