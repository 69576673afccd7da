// Which resource somebody means who calls it by its key, its id or its name.

import { describe, expect, test } from 'vitest';
import type { KindName, ObjectId } from '../../../src/base/model.ts';
import { find, questionOf, readable } from '../../../src/features/show/question.ts';
import type { ShownObject } from '../../../src/features/show/schema.ts';
import { KIND_NAMES, KINDS } from '../../../src/kinds/index.ts';
import { declare, desiredOf } from '../../desired.ts';

function entry(type: KindName, key: string, id: ObjectId, name: string): ShownObject {
  const rest = {
    ownership: 'unmanaged',
    origin: null,
    last_applied: null,
    source: null,
    spec: {},
    unread: [],
  } as const;
  return { address: `${type}/${key}`, type, id, name, ...rest };
}

const ENTRIES = [
  entry('agent', 'ann@example.com', 'ann@example.com', 'Ann'),
  entry('agent', 'marek.kowal@example.com', 'marek.kowal@example.com', 'Marek Kowal'),
  entry('group', 'sales', 7, 'Sales'),
  entry('group', '8', 9, 'Eight'),
  entry('group', 'eight', 8, 'Nine'),
  entry('group', '11', 11, 'Twin'),
  entry('group', '12', 12, 'Twin'),
  entry('bot', 'sales', 'b1', 'Sales bot'),
  entry('property', 'shop/tier', 'shop/tier', 'tier'),
];

const { resources } = desiredOf([declare('group', 'support', { name: 'Support' })]);

function found(text: string): string {
  const question = questionOf(text);
  if (question.about !== 'resource') return question.about;
  const meant = find(question, ENTRIES, resources);
  return meant.entry === null ? meant.refusal : meant.entry.address;
}

describe('It is found', () => {
  test.each([
    ['group/sales', 'group/sales', 'by its address'],
    ['group/7', 'group/sales', 'by kind and id'],
    ['group/Sales', 'group/sales', 'by kind and name'],
    ['Sales', 'group/sales', 'by its name alone'],
    ['b1', 'bot/sales', 'by its id alone'],
    ['ann@example.com', 'agent/ann@example.com', 'by its key alone'],
    ['property/shop/tier', 'property/shop/tier', 'by an address with several parts'],
    ['shop/tier', 'property/shop/tier', 'by a key with several parts'],
    ['group/8', 'group/8', 'by a key that looks like the id of another'],
  ])('%s: %s, %s', (text, address) => {
    expect(found(text)).toBe(address);
  });

  test('a kind alone is all of it, singular or plural', () => {
    for (const [one, ...others] of [
      ['agent', 'agents'],
      ['group', 'groups'],
      ['bot', 'bots'],
      ['bot_template', 'bot_templates', 'bot-template', 'bot-templates'],
      ['auto_access', 'auto-access', 'rule', 'rules'],
      ['property', 'properties', 'property-definitions'],
      ['license_property', 'license_properties', 'license-properties'],
      ['group_property', 'group_properties'],
    ] as const)
      for (const name of others) expect([name, questionOf(name)]).toEqual([name, { about: 'kind', kind: one }]);
    expect(questionOf('groups/sales')).toEqual(questionOf('group/sales'));
  });

  test('members are those of all groups', () => {
    expect(found('members')).toBe('members');
    expect(found('group/sales')).toBe('group/sales');
  });
});

describe('It is refused', () => {
  test('when several are meant, with all of them', () => {
    expect(found('sales')).toMatch(/any of group\/sales \(7\), bot\/sales \(b1\)/);
    expect(found('group/Twin')).toMatch(/any of group\/11, group\/12: say which one/);
  });

  test('when nothing is called that, with the nearest', () => {
    expect(found('group/salse')).toMatch(/no group salse .* did you mean group\/sales\?/);
    expect(found('grup/sales')).toMatch(/did you mean group\/sales\?/);
    for (const slip of ['agnet', 'agnets']) expect(found(slip)).toMatch(/did you mean agents\?/);
    expect(found('memebers')).toMatch(/did you mean members\?/);
    expect(found('marek')).toMatch(/did you mean agent\/marek\.kowal@example\.com\?/);
    expect(found('bot/zzz')).toMatch(/`chatform show bot` lists/);
  });

  test('when it is declared and not there, with its place', () => {
    expect(found('group/support')).toMatch(/group\/support is declared \(.+:\d+\), and not on the license/);
  });
});

test('What is listed per owner client is read only when one is known, and only in its versions', () => {
  expect([...readable('3.7', ['shop'])]).toEqual(KIND_NAMES);
  expect([...readable('3.6', [])]).toEqual(['agent', 'group', 'bot', 'auto_access', 'greeting', 'tag']);
  expect(readable('3.3', ['shop']).has('bot_template')).toBe(false);
});

test('The columns of a list are fields of the kind', () => {
  for (const { name, columns, fields } of Object.values(KINDS))
    expect([name, columns.filter((column) => fields[column] === undefined)]).toEqual([name, []]);
});
