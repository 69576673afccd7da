// Notes on what is probably the same, and on what is adopted in the place of another.

import { expect, test } from 'vitest';
import type { KindName, LiveObject, Spec } from '../../../src/base/model.ts';
import type { Note } from '../../../src/plan/plan.ts';
import { type Declared, declare, desiredOf } from '../../desired.ts';
import { ledgerOf, liveOf, object, planOf } from '../license.ts';

function notesOf(
  declared: readonly Declared[],
  live: readonly LiveObject[],
  kind: Note['kind'],
  owned: Parameters<typeof ledgerOf>[0] = {},
): readonly string[] {
  const of = (name: KindName) => live.filter((each) => each.kind === name);
  const reading = { ...liveOf(...live), objects: { ...liveOf(...live).objects, tag: of('tag') } };
  const { notes } = planOf(desiredOf(declared), reading, ledgerOf(owned));
  return notes.flatMap((note) => (note.kind === kind ? [`${note.address}: ${note.message}`] : []));
}

const rule = (url: string): Spec => ({
  description: 'Menu',
  access: { groups: ['7'] },
  conditions: { url: { values: [{ value: url, exact_match: false }] } },
});

test('A new rule with the description of one that is declared is no second one', () => {
  const live = [object('group', 7, { name: 'Sales' }), object('auto_access', 'r1', rule('/a'))];
  const rules = ['/a', '/b'].map((url) => declare('auto_access', url.slice(1), rule(url)));
  expect(notesOf(rules, live, 'second')).toEqual([]);
});

test('A definition that differs only in capitals from another one is to use its key', () => {
  const spec = { type: 'string', access: { license: { agent: ['read', 'write'] } } };
  expect(notesOf([declare('property', 'app/tier', spec)], [object('property', 'app/Tier', spec)], 'second')).toEqual([
    'property/app/tier: the license has the property definition app/Tier, which differs only in capitals or blanks, and a second one is made; if they are the same, use that key',
  ]);
});

test('A tag that was found under its key is the same tag, whatever its spelling was', () => {
  const owned = { 'tag/vip': 'VIP' } as const;
  expect(notesOf([declare('tag', 'vip', {})], [object('tag', 'vip', { name: 'vip' })], 'rebinding', owned)).toEqual([]);
});

test('A tag that is probably renamed has no note, because the service renames no tag', () => {
  const groups = { groups: ['7'] };
  const live = [object('group', 7, { name: 'Sales' }), object('tag', 'old', { name: 'old', ...groups })];
  expect(notesOf([declare('tag', 'new', groups)], live, 'rename', { 'tag/old': 'old' })).toEqual([]);
});

test('A group that goes, and one that comes with the same content, may be the same', () => {
  const [old, other] = [
    object('group', 7, { name: 'Sales', language_code: 'pl' }),
    object('group', 8, { name: 'Desk', language_code: 'pl' }),
  ];
  const desk = declare('group', 'desk', { name: 'Desk', language_code: 'pl' });
  const trade = declare('group', 'trade', { name: 'Trade', language_code: 'pl' });
  const owned = { 'group/sales': 7, 'group/desk': 8 } as const;
  expect(notesOf([desk, trade], [old, other], 'rename', owned)).toEqual([
    'group/sales: is it group/trade now? Then `moved: [{ from: group/sales, to: group/trade }]` keeps the object and its id',
  ]);
  expect(notesOf([desk], [old, other], 'rename', owned)).toEqual([]);
});

test('A second group is told where it is made, next to one that stays', () => {
  const sales = declare('group', 'sales', { name: 'Sales' });
  const [alike, same] = [object('group', 7, { name: 'sales' }), object('group', 8, { name: 'Sales' })];
  expect(notesOf([sales], [alike], 'second')).toEqual([
    'group/sales: the license has the group sales, which differs only in capitals or blanks, and a second one is made; if they are the same, add `id: 7`',
  ]);
  expect(notesOf([sales], [alike], 'second', { 'group/old': 7 })).toEqual([]);
  expect(notesOf([sales], [alike, same], 'second')).toEqual([]);
});
