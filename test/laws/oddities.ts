// Nothing in; licenses as no manifest would have made them out: names that YAML, keys and variables stumble over, equal things, empty things.

import fc from 'fast-check';
import type { Seed } from '../../src/emulator/index.ts';
import { ruleSpec } from './wish.ts';

export const CLIENTS = ['client-1', 'client-2', 'odd'];

const TEXTS = [
  'on',
  '1e3',
  '0x1F',
  '01:30',
  '2026-01-01',
  'null',
  '~',
  '<<',
  'a: b',
  'a #b',
  '# b',
  '- b',
  'a, b',
  '{a}',
  '[a',
  '*a',
  '&a',
  '!a',
  '%a',
  '@a',
  '`a`',
  '|',
  '> a',
  "it's",
  '"a"',
  'two\nlines',
  'two\n\nlines\n',
  '\n',
  '  leading',
  'trailing ',
  'tab\there',
  '${env.HOME}',
  '$${a}',
  '${',
  '$',
  'Zespół Łódź',
  'Отдел продаж',
  '営業',
  '🎉',
  'e\u0301',
  '\u0085',
  '\u2028',
  '\ufeffa',
  'a/b',
  'group/sales',
  'x'.repeat(200),
];

/** Not empty: every object has a name. */
const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }) },
);

const priority = fc.constantFrom('first', 'normal', 'last', 'supervisor');

const OFFICE = {
  timezone: 'Europe/Warsaw',
  schedule: ['monday', 'friday'].map((day) => ({ day, enabled: true, start: '09:00', end: '17:00' })),
};

const someHours = fc.record({
  timezone: fc.constantFrom('Europe/Warsaw', 'UTC'),
  schedule: fc.array(
    fc.record({
      day: fc.constantFrom('monday', 'tuesday', 'sunday'),
      enabled: fc.boolean(),
      start: fc.constantFrom('00:00', '08:00', '23:59'),
      end: fc.constantFrom('08:00', '17:00'),
    }),
    { maxLength: 4 },
  ),
});

/** Half of them those of an office, which many share. */
const hours = fc.oneof(fc.constant(OFFICE), someHours);

const AGENT_IDS = ['odd@example.com', 'Odd@example.com', 'o/d@example.com', '1e3', 'żółć@example.com', '${odd}'];

const agents = fc.uniqueArray(
  fc.record(
    {
      id: fc.constantFrom(...AGENT_IDS),
      name: text,
      role: fc.constantFrom('viceowner', 'administrator', 'normal'),
      job_title: text,
      mobile: text,
      max_chats_count: fc.integer({ min: 0, max: 150 }),
      awaiting_approval: fc.boolean(),
      suspended: fc.boolean(),
      login_status: fc.constantFrom('accepting chats', 'not accepting chats'),
      notifications: fc.subarray(['ticket', 'new_goal']),
      email_subscriptions: fc.subarray(['daily_summary', 'weekly_summary']),
      work_scheduler: hours,
    },
    { requiredKeys: ['id', 'name'] },
  ),
  { selector: ({ id }) => id, maxLength: 4 },
);

/** Ids that none of the other groups of the laws has. */
const GROUP_IDS = [40, 41, 42, 43, 44];

const groups = fc.tuple(
  ...GROUP_IDS.map((id) =>
    fc.record(
      {
        id: fc.constant(id),
        name: fc.oneof(text, fc.constant('Twins')),
        language_code: fc.constantFrom('en', 'de', 'on'),
      },
      { requiredKeys: ['id', 'name'] },
    ),
  ),
);

const members = fc.array(fc.record({ id: fc.constantFrom(0, ...GROUP_IDS), priority }), { maxLength: 4 });

const bots = fc.array(
  fc.record(
    {
      name: fc.oneof(text, fc.constant('Twin')),
      owner_client_id: fc.constantFrom('client-1', 'odd', 'nobody'),
      job_title: text,
      avatar: text,
      default_group_priority: priority,
      work_scheduler: hours,
    },
    { requiredKeys: ['name'] },
  ),
  { maxLength: 4 },
);

const templates = fc.array(
  fc.record({ name: fc.oneof(text, fc.constant('Twin')), owner_client_id: fc.constantFrom('client-1', 'odd') }),
  {
    maxLength: 3,
  },
);

const rules = fc.array(
  fc.tuple(
    fc.record({ groups: fc.uniqueArray(fc.constantFrom(0, ...GROUP_IDS), { minLength: 1, maxLength: 3 }) }),
    fc.oneof(
      fc.constant({ conditions: { url: { values: [{ value: '/twin' }] } } }),
      fc.constant({ description: 'Twin', conditions: { domain: { values: [{ value: '/twin' }] } } }),
      fc
        .tuple(text, text)
        .map(([description, value]) => ({ description, conditions: { url: { values: [{ value }] } } })),
      ruleSpec('odd'),
    ),
  ),
  { maxLength: 6 },
);

const access = { license: { agent: ['read', 'write'] }, group: { agent: ['read', 'write'] } };
const PROPERTY_NAMES = ['on', 'a.b', 'a/b', '1e3', '${x}', 'two words', 'żółć'];

const properties = fc.uniqueArray(
  fc.record({ name: fc.constantFrom(...PROPERTY_NAMES), description: text, value: text, preset: fc.option(text) }),
  { selector: ({ name }) => name, maxLength: 4 },
);

/** Unlike a manifest, a license may have all of it. */
export const oddity: fc.Arbitrary<Seed> = fc
  .record({ agents, groups, members: fc.array(members, { maxLength: 4 }), bots, templates, rules, properties })
  .map(
    (given) =>
      ({
        agents: given.agents.map((agent, index) => ({ ...agent, groups: distinct(given.members[index] ?? []) })),
        groups: given.groups,
        bots: given.bots.map((bot, index) => ({ ...bot, groups: distinct(given.members[index] ?? []) })),
        bot_templates: given.templates,
        auto_access: given.rules.map(([where, rule]) => ({ ...rule, access: where })),
        properties: {
          odd: Object.fromEntries(
            given.properties.map(({ name, description, preset }) => [
              name,
              { type: 'string', access, description, ...(preset === null ? {} : { default_value: preset }) },
            ]),
          ),
        },
        license_properties: { odd: Object.fromEntries(given.properties.map(({ name, value }) => [name, value])) },
        group_properties: {
          '40': { odd: Object.fromEntries(given.properties.map(({ name, preset }) => [name, preset ?? 'none'])) },
        },
        installed_clients: ['client-1', 'odd'],
      }) as Seed,
  );

function distinct<T extends { readonly id: number }>(items: readonly T[]): readonly T[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}
