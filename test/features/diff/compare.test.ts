// Pairing of objects of two licenses, and what differs between them.

import { expect, test } from 'vitest';
import { type ComparedObject, compared } from '../../../src/features/diff/compare.ts';

function object(address: string, name: string, spec: ComparedObject['spec'] = {}, hasKey = false): ComparedObject {
  const [type = ''] = address.split('/');
  return { address, type: type as ComparedObject['type'], name, hasKey, spec: { name, ...spec }, source: null };
}

const live = (target: readonly ComparedObject[], other: readonly ComparedObject[]) =>
  compared({ target, other, on: 'live' });

test('Unmanaged objects are paired by name, whatever their ids are, and references follow', () => {
  const rule = (id: string, group: string) =>
    object(`auto_access/${id}`, 'Prices', { access: { groups: [group] }, conditions: {} });
  const target = [object('group/1', 'Sales'), object('group/2', 'Help'), rule('a', 'group/1')];
  const other = [object('group/1', 'Help'), object('group/2', 'Sales'), rule('b', 'group/2')];
  expect(live(target, other)).toEqual({ items: [], alike: 3 });
  expect(live(target, [...other.slice(0, 2), rule('b', 'group/1')]).items).toMatchObject([
    {
      is: 'different',
      address: 'auto_access/Prices',
      fields: [{ field: 'access', target: { groups: ['group/Sales'] }, other: { groups: ['group/Help'] } }],
    },
  ]);
});

test('An object that one side declares is paired by name with one that the other does not', () => {
  const target = [object('group/sales', 'Sales', { language_code: 'en' }, true)];
  expect(live(target, [object('group/7', 'Sales', { language_code: 'pl' })])).toMatchObject({
    alike: 0,
    items: [{ address: 'group/sales', fields: [{ field: 'language_code', target: 'en', other: 'pl' }] }],
  });
});

test('A name that two objects have pairs none of them, and equal ids mean nothing', () => {
  const { items, alike } = live([object('group/1', 'Sales'), object('group/2', 'Sales')], [object('group/1', 'Sales')]);
  expect(alike).toBe(0);
  expect(items.map(({ is, address }) => [is, address])).toEqual([
    ['only_in_target', 'group/1 (target)'],
    ['only_in_target', 'group/2 (target)'],
    ['only_in_other', 'group/Sales'],
  ]);
});

test('The fewest rules are told that come earlier or later', () => {
  const rules = (...names: readonly string[]) => names.map((name) => object(`auto_access/${name}`, name, {}, true));
  const { items, alike } = live(rules('a', 'b', 'c', 'd', 'only'), rules('d', 'a', 'b', 'c'));
  expect(alike).toBe(3);
  expect(items).toMatchObject([
    { address: 'auto_access/d', is: 'different', moved: { target: 4, other: 1 } },
    { address: 'auto_access/only', is: 'only_in_target' },
  ]);
});

test('On a license, what was not read is no difference, and a membership is told once, at its group; in files, what is left out is one', () => {
  const ann = (spec: ComparedObject['spec']) => [object('agent/ann@example.com', 'Ann', spec, true)];
  const sides = [ann({ max_chats_count: 5, groups: { 'group/a': 'first' } }), ann({ groups: {} })] as const;
  expect(live(...sides)).toEqual({ items: [], alike: 1 });
  const { items } = compared({ target: sides[0], other: sides[1], on: 'files' });
  expect(items[0]?.fields.map(({ field }) => field)).toEqual(['max_chats_count', 'groups']);
});
