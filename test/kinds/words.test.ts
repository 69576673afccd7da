// Words of the kinds: what an object and a difference read like. Names that the plan does not know stay references.

import { expect, test } from 'vitest';
import type { Json, KindName, Spec } from '../../src/base/model.ts';
import { KINDS } from '../../src/kinds/index.ts';
import { changesBetween, sidesInWords, summaryOf, type WordChange } from '../../src/kinds/words.ts';

const NAMES: { readonly [reference: string]: string } = { 'group/sales': 'Sales', 'agent/ann@example.com': 'Ann' };
const named = (reference: string): string => NAMES[reference] ?? reference;

const WEEK = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

interface Hours {
  readonly [day: string]: readonly (readonly [start: string, end: string])[];
}

function hours(schedule: Hours, timezone = 'Europe/Warsaw'): Spec {
  return {
    timezone,
    schedule: Object.entries(schedule).flatMap(([day, spans]) =>
      spans.map(([start, end]) => ({ day, enabled: true, start, end })),
    ),
  };
}

function week(days: readonly string[], ...spans: readonly (readonly [string, string])[]): Hours {
  return Object.fromEntries(days.map((day) => [day, spans]));
}

const WORKDAYS = WEEK.slice(0, 5);

test.each<readonly [KindName, Spec, string]>([
  [
    'agent',
    {
      name: 'Ann',
      role: 'normal',
      max_chats_count: 8,
      groups: { 'group/sales': 'first', '7': 'last' },
      work_scheduler: hours(week(WORKDAYS, ['09:00', '17:00'])),
    },
    'Ann, normal, 8 chats, 7 (last), Sales (first), Mon-Fri 09:00-17:00 Europe/Warsaw',
  ],
  ['agent', { name: 'Bob, Jr', suspended: true, max_chats_count: 1 }, '"Bob, Jr", 1 chat, suspended'],
  ['agent', { name: 'Cid', groups: {}, work_scheduler: { schedule: [] } }, 'Cid'],
  [
    'group',
    { name: 'Sales', language_code: 'en', agent_priorities: { 'agent/ann@example.com': 'first' } },
    'Sales, en, Ann (first)',
  ],
  [
    'group',
    {
      name: 'All',
      agent_priorities: Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => [id, 'normal'])),
    },
    'All, a (normal), b (normal), c (normal), d (normal), e (normal) and 2 more',
  ],
  ['bot', { name: 'Triage', groups: { 'group/sales': 'first' } }, 'Triage, Sales (first)'],
  ['bot_template', { name: 'Guide', owner_client_id: 'app' }, 'Guide, app'],
  [
    'auto_access',
    {
      description: '',
      access: { groups: ['group/sales', '7'] },
      conditions: {
        url: { values: [{ value: '/a' }, { value: '/b' }, { value: '/c', exact_match: true }] },
        domain: { exclude_values: [{ value: 'x.com' }] },
        geolocation: { values: [{ country: 'Poland', city: 'Gdańsk' }] },
      },
    },
    'URL contains /a, /b, URL is /c, domain does not contain x.com, from Gdańsk, Poland, to Sales, 7',
  ],
  [
    'property',
    { type: 'string', domain: ['gold', '12'], access: { chat: { agent: ['read', 'write'] } } },
    'string, gold, "12", chat.agent read, write',
  ],
  ['license_property', { value: 'gold' }, 'gold'],
  ['group_property', { value: false }, 'false'],
])('%s %j', (kind, spec, text) => {
  expect(summaryOf(KINDS[kind], spec, named, 5)).toBe(text);
});

function written({ about, before, after }: WordChange): string {
  if (before === null) return `+${about} ${after}`.trim();
  return after === null ? `-${about} ${before}`.trim() : `${about} ${before} -> ${after}`.trim();
}

const LATE = hours(week(WORKDAYS, ['13:00', '20:00']));

test.each<readonly [string, KindName, string, Json, Json, readonly string[]]>([
  [
    'hours of a week',
    'agent',
    'work_scheduler',
    LATE,
    hours(week(WORKDAYS, ['13:00', '21:00'])),
    ['Mon-Fri 13:00-20:00 -> 13:00-21:00'],
  ],
  [
    'the hours of one day',
    'bot',
    'work_scheduler',
    LATE,
    hours({ ...week(WORKDAYS, ['13:00', '20:00']), friday: [['13:00', '18:00']] }),
    ['Fri 13:00-20:00 -> 13:00-18:00'],
  ],
  [
    'days that come and go, a break, and another zone',
    'agent',
    'work_scheduler',
    LATE,
    hours(
      {
        ...week(['tuesday', 'wednesday', 'thursday', 'friday'], ['13:00', '20:00']),
        ...week(['saturday', 'sunday'], ['09:00', '12:00'], ['13:00', '17:00']),
      },
      'UTC',
    ),
    ['-Mon 13:00-20:00', '+Sat-Sun 09:00-12:00 and 13:00-17:00', 'Europe/Warsaw -> UTC'],
  ],
  [
    'members',
    'group',
    'agent_priorities',
    { 'agent/ann@example.com': 'first', x: 'normal' },
    { 'agent/ann@example.com': 'last', y: 'normal' },
    ['Ann (first) -> (last)', '-x (normal)', '+y (normal)'],
  ],
  ['a set', 'agent', 'notifications', ['ticket'], ['incoming_chat', 'ticket'], ['+incoming_chat']],
  ['a number', 'agent', 'max_chats_count', 6, 8, ['6 -> 8']],
  ['a text that was not there', 'agent', 'job_title', null, 'Boss', ['none -> Boss']],
  ['a text that is called none', 'agent', 'job_title', 'none', '', ['"none" -> ""']],
  [
    'where a rule leads',
    'auto_access',
    'access',
    { groups: ['group/sales'] },
    { groups: ['group/sales', '7'] },
    ['+to 7'],
  ],
  [
    'conditions',
    'auto_access',
    'conditions',
    { url: { values: [{ value: '/a' }, { value: '/b' }] } },
    { url: { values: [{ value: '/a' }, { value: '/b', exact_match: true }] } },
    ['-URL contains /b', '+URL is /b'],
  ],
  [
    'rights',
    'property',
    'access',
    { chat: { agent: ['read'] } },
    { chat: { agent: ['read', 'write'] }, license: { agent: ['read'] } },
    ['chat.agent read -> read, write', '+license.agent read'],
  ],
  ['a range', 'property', 'range', { from: 1 }, { from: 1, to: 5 }, ['+to 5']],
])('%s', (_, kind, name, before, after, texts) => {
  const field = KINDS[kind].fields[name];
  if (field === undefined) throw new Error(`${kind} has no ${name}`);
  expect(changesBetween(field, before, after, named).map(written)).toEqual(texts);
  expect(changesBetween(field, after, after, named)).toEqual([]);
});

test('the sides of hours say what differs, equal days together, and a side without a part says nothing', () => {
  const field = KINDS.agent.fields['work_scheduler'];
  if (field === undefined) throw new Error('agents have hours');
  const long = hours(week(WORKDAYS, ['09:00', '17:00']));
  const short = { ...hours({ ...week(WORKDAYS, ['09:00', '15:00']), monday: [['09:00', '17:00']] }), timezone: 'UTC' };
  expect(sidesInWords(field, [undefined, short as Json, long as Json])).toEqual([
    { about: 'Tue-Fri', says: [undefined, '09:00-15:00', '09:00-17:00'] },
    { about: 'timezone', says: [undefined, 'UTC', 'Europe/Warsaw'] },
  ]);
  expect(sidesInWords(field, [long as Json, null])).toEqual([
    { about: 'Mon-Fri', says: ['09:00-17:00', null] },
    { about: 'timezone', says: ['Europe/Warsaw', null] },
  ]);
  expect(sidesInWords(field, [long as Json, long as Json])).toEqual([]);
});
