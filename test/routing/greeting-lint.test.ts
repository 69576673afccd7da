import { expect, test } from 'vitest';
import type { JsonObject, Spec } from '../../src/base/model.ts';
import { greetingLints, silentGreetings } from '../../src/routing/greeting-lint.ts';
import { ASSUMED, programOf } from '../../src/routing/rules.ts';
import { desiredRules } from '../../src/routing/sources.ts';
import { declare, desiredOf } from '../desired.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const AFTER = [{ type: 'visit_time_page', operator: 'greater_or_equal', value: '30' }];
const greeting = (key: string, spec: Spec) =>
  declare('greeting', key, { name: key, group: 'group/sales', rules: [], ...spec });
const value = (key: string, given: boolean) =>
  declare(key.startsWith('sales/') ? 'group_property' : 'license_property', key, { value: given });

function lintsOf(...declared: Parameters<typeof desiredOf>[0]) {
  const desired = desiredOf(declared);
  const { resources } = desired;
  const { rules, open } = desiredRules(desired, null);
  const how = { program: programOf(rules, ASSUMED), open, now: NOW };
  return greetingLints(resources, how, () => null);
}

function found(...declared: Parameters<typeof desiredOf>[0]): readonly string[] {
  return lintsOf(...declared).map(({ id, about }) => `${id} ${about.join(' ')}`);
}

test('Each finding says what to do', () => {
  const never = [...AFTER, { type: 'visit_time_page', operator: 'lower_than', value: '20' }];
  const lints = lintsOf(
    greeting('never', { rules: never }),
    greeting('over', { active_until: '2026-05-31T23:00:00Z' }),
    greeting('one', { rules: AFTER }),
    greeting('other', { rules: AFTER }),
    value('smart_actions/greeting.enabled', false),
    value('sales/smart_actions/greeting.hide_when_offline', true),
  );
  expect([...new Set(lints.map(({ id, remedy }) => `${id}: ${remedy}`))].toSorted()).toEqual([
    'greeting-never-shows: correct one of the rules, or combine them with `condition: or`',
    'greeting-switched-off: set the property to true, or the greeting to `active: false`',
    'greeting-when-offline: set this lint to `off` where that is meant',
    'greetings-together: remove one of the two, or change when it shows',
    'past-greeting: remove it, set `active: false`, or correct the date',
  ]);
});

test('A greeting that no visitor can see is found', () => {
  const rules = [...AFTER, { type: 'visit_time_page', operator: 'lower_than', value: '20' }];
  expect(found(greeting('a', { rules }))).toEqual(['greeting-never-shows greeting/a']);
  expect(found(greeting('a', { rules, active: false }))).toEqual([]);
  expect(found(greeting('a', { rules: AFTER }))).toEqual([]);
});

test('A greeting for a page whose visitors a rule sends to another group is found', () => {
  const page = (text: string, operator = 'contains') => ({ type: 'url_current', operator, value: text });
  const route = (key: string, group: string, conditions: JsonObject) =>
    declare('auto_access', key, { access: { groups: [group] }, conditions });
  const url = (text: string, exact = false) => ({ url: { values: [{ value: text, exact_match: exact }] } });
  const pricing = route('pricing', 'group/support', url('/pricing'));
  const to = (...rules: readonly JsonObject[]) => greeting('a', { rules });
  const never = ['greeting-never-shows greeting/a auto_access/pricing'];
  expect(found(to(page('/pricing'), ...AFTER), pricing)).toEqual(never);
  expect(found(to(page('/pricing/teams'), { ...page('/pricing'), condition: 'or' }), pricing)).toEqual(never);
  expect(found(to(page('https://shop.example/pricing', 'equals')), pricing)).toEqual(never);

  expect(found(to(page('/pricing')), route('pricing', 'group/sales', url('/pricing')))).toEqual([]);
  expect(found(to(page('/pric')), pricing)).toEqual([]);
  expect(found(to(page('/cart', 'doesnt_contain')), pricing)).toEqual([]);
  expect(found(to(page('/pricing'), { ...page('/cart'), condition: 'or' }), pricing)).toEqual([]);
  expect(found(to(page('/pricing')), route('first', 'group/sales', url('/teams')), pricing)).toEqual([]);
  const exact = route('pricing', 'group/support', url('https://shop.example/pricing', true));
  expect(found(to(page('/pricing')), exact)).toEqual([]);
  expect(found(to(page('https://shop.example/pricing', 'equals')), exact)).toEqual(never);
  const here = { ...url('/pricing'), domain: { values: [{ value: 'shop.example' }] } };
  expect(found(to(page('/pricing')), route('pricing', 'group/support', here))).toEqual([]);
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

test('One that would show nothing is found, by its text on the license as well', () => {
  const silent = (spec: Spec) =>
    silentGreetings(desiredOf([greeting('a', spec)]).resources, () => null).map(({ about }) => about.join());
  expect(silent({})).toEqual(['greeting/a']);
  expect(silent({ properties: { is_exit_intent: 'true', 'greeting-message_text': '' } })).toEqual(['greeting/a']);
  expect(silent({ active: false })).toEqual([]);
  for (const name of ['greeting-message_text', 'greeting-message_phrase_key', 'addon', 'text'])
    expect(silent({ properties: { [name]: 'x' } })).toEqual([]);
  expect(silent({ rich_message: { template_id: 'cards' } })).toEqual([]);
});
