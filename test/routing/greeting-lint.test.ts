import { expect, test } from 'vitest';
import type { Spec } from '../../src/base/model.ts';
import { greetingLints } from '../../src/routing/greeting-lint.ts';
import { declare, desiredOf } from '../desired.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const AFTER = [{ type: 'visit_time_page', operator: 'greater_or_equal', value: '30' }];
const greeting = (key: string, spec: Spec) =>
  declare('greeting', key, { name: key, group: 'group/sales', rules: [], ...spec });
const value = (key: string, given: boolean) =>
  declare(key.startsWith('sales/') ? 'group_property' : 'license_property', key, { value: given });

function found(...declared: Parameters<typeof desiredOf>[0]): readonly string[] {
  const { resources } = desiredOf(declared);
  const how = { chain: 'in-order', now: NOW } as const;
  return greetingLints(resources, how, () => null).map(({ id, about }) => `${id} ${about.join(' ')}`);
}

test('A greeting that no visitor can see is found', () => {
  const rules = [...AFTER, { type: 'visit_time_page', operator: 'lower_than', value: '20' }];
  expect(found(greeting('a', { rules }))).toEqual(['greeting-never-shows greeting/a']);
  expect(found(greeting('a', { rules, active: false }))).toEqual([]);
  expect(found(greeting('a', { rules: AFTER }))).toEqual([]);
});

test('Two that always show together are found, unless they have other groups or times', () => {
  const a = greeting('a', { rules: AFTER });
  expect(found(a, greeting('b', { rules: AFTER }))).toEqual(['greetings-together greeting/b greeting/a']);
  expect(found(a, greeting('b', { rules: AFTER, group: 'group/night' }))).toEqual([]);
  expect(found(a, greeting('b', { rules: AFTER, properties: { is_exit_intent: 'true' } }))).toEqual([]);
  const [first, second] = ['2026-07-01T00:00:00Z', '2026-08-01T00:00:00Z'];
  expect(
    found(greeting('a', { rules: AFTER, active_until: first }), greeting('b', { rules: AFTER, active_from: second })),
  ).toEqual([]);
});

test('One that is over is found by the time that is given', () => {
  expect(found(greeting('a', { active_until: '2026-05-31T23:00:00Z' }))).toEqual(['past-greeting greeting/a']);
  expect(found(greeting('a', { active_until: '2026-06-01T00:00:01Z' }))).toEqual([]);
});

test('One that properties hide is found', () => {
  const a = greeting('a', {});
  expect(found(a, value('smart_actions/greeting.enabled', false))).toEqual(['greeting-switched-off greeting/a']);
  expect(found(a, value('smart_actions/greeting.enabled', true))).toEqual([]);
  expect(found(a, value('sales/smart_actions/greeting.hide_when_offline', true))).toEqual([
    'greeting-when-offline greeting/a',
  ]);
});
