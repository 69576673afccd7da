// Whole lists of differences, and of what a plan overwrites, every member of them: test/plan/whole/differences-*.txt. `npx vitest run test/plan/differences -u` writes them again.

import { expect, test } from 'vitest';
import type { Address, Applied, DatedWeek, Desired, LedgerState, Live, Spec } from '../../../src/base/model.ts';
import { compare } from '../../../src/plan/compare.ts';
import { comparedKinds, differencesOf } from '../../../src/plan/differences/differences.ts';
import { overwrittenBy } from '../../../src/plan/differences/overwritten.ts';
import type { PlannerOptions } from '../../../src/plan/input.ts';
import { type Declared, declare, desiredOf } from '../../desired.ts';
import { EVERYTHING } from '../../world.ts';
import { ledgerOf, liveOf, object } from '../license.ts';

const CLIENT = 'client-1';
const ACCESS = { license: { agent: ['read', 'write'] }, group: { agent: ['read', 'write'] } };
const MONDAY = '2026-03-02T10:00:00.000Z';
const TUESDAY = '2026-03-03T10:00:00.000Z';
const PLACE = { file: 'test.yaml', line: 99, column: 1, length: 1 };

const person = (name: string, spec: Spec = {}, facts: object = {}) =>
  object('agent', `${name}@example.com`, { name: name.toUpperCase(), groups: {}, ...spec }, facts);

const rule = (key: string, group = 'group/sales') =>
  declare('auto_access', key, {
    description: key,
    access: { groups: [group] },
    conditions: { url: { values: [{ value: `/${key}` }] } },
  });

const liveRule = (id: string, key: string) =>
  object('auto_access', id, {
    description: key,
    access: { groups: [7] },
    conditions: { url: { values: [{ value: `/${key}` }] } },
  });

const group = (id: number, name: string, more: Spec = {}) =>
  object('group', id, { name, language_code: 'en', ...more });

const LIVE = liveOf(
  person('ann', {
    job_title: 'Head',
    max_chats_count: 5,
    notifications: ['ticket'],
    mobile: '2',
    groups: { 7: 'last' },
  }),
  person('bob', { groups: { 7: 'first' } }, { pendingApproval: true }),
  person('cid', { role: 'administrator' }),
  person('dan', { role: 'administrator' }),
  person('eve', { role: 'administrator' }),
  person('fay', { role: 'administrator' }),
  person('gil'),
  person('boss', { role: 'owner' }, { owner: true }),
  object('group', 0, { name: 'General', language_code: 'en' }, { builtin: true }),
  group(7, 'Sales', { agent_priorities: { 'ann@example.com': 'last', 'bob@example.com': 'first' } }),
  group(8, 'Walk-ins', { agent_priorities: { 'gil@example.com': 'first' } }),
  group(9, 'Old'),
  group(10, 'Older, changed', { language_code: 'pl' }),
  group(11, 'Protected'),
  object('bot', 'bot-1', { name: 'Triage', default_group_priority: 'first', groups: {} }, { unread: ['job_title'] }),
  object('bot', 'bot-2', { name: 'Of a template', groups: {} }, { derived: true }),
  object('bot_template', 'tpl-1', { name: 'Scout', owner_client_id: CLIENT }),
  object('bot_template', 'tpl-2', { name: 'Spare', owner_client_id: CLIENT }),
  object('property', `${CLIENT}/tier`, { type: 'string', access: ACCESS, publish: [] }),
  object('property', `${CLIENT}/size`, { type: 'int', access: ACCESS, publish: [] }),
  object('license_property', `${CLIENT}/tier`, { value: 'gold' }),
  object('license_property', `${CLIENT}/size`, { value: 3 }),
  object('group_property', `8/${CLIENT}/tier`, { value: 'silver' }),
  object('group_property', `9/${CLIENT}/tier`, { value: 'silver' }),
  object('group_property', `7/${CLIENT}/tier`, { value: 'silver' }),
  liveRule('r0', 'first of all'),
  liveRule('r2', 'b'),
  liveRule('r1', 'a'),
  liveRule('r9', 'in between'),
  liveRule('r3', 'c'),
  liveRule('r8', 'behind all'),
);

const LEDGER: LedgerState = {
  ...ledgerOf(
    {
      'agent/ann@example.com': 'ann@example.com',
      'agent/cid@example.com': 'cid@example.com',
      'group/sales': 7,
      'group/old': 9,
      'group/older': 10,
      'group/protected': 11,
      'group/again': 45,
      'group/changed-meanwhile': 46,
      'group/vanished': 44,
      'group/lost': 77,
      [`group_property/old/${CLIENT}/tier`]: `9/${CLIENT}/tier`,
      'bot/triage': 'bot-1',
      'bot_template/scout': 'tpl-1',
      'bot_template/spare': 'tpl-2',
      'auto_access/a': 'r1',
      'auto_access/b': 'r2',
      'auto_access/c': 'r3',
      [`license_property/${CLIENT}/tier`]: `${CLIENT}/tier`,
    },
    {
      'agent/ann@example.com': {
        at: MONDAY,
        spec: { name: 'ANN', job_title: 'Lead', max_chats_count: 5, notifications: ['new_goal'], mobile: '1' },
      },
      'agent/cid@example.com': { at: MONDAY, spec: {} },
      'group/sales': {
        at: TUESDAY,
        spec: {
          name: 'Sale',
          agent_priorities: { 'agent/ann@example.com': 'first', 'agent/gil@example.com': 'first' },
        },
      },
      'group/old': { at: MONDAY, spec: { name: 'Old' } },
      'group/older': { at: MONDAY, spec: { name: 'Older', language_code: 'pl' } },
      'group/protected': { at: MONDAY, spec: { name: 'Protected' } },
      'group/again': { at: MONDAY, spec: { name: 'Again' } },
      'group/changed-meanwhile': { at: MONDAY, spec: { name: 'Before' } },
      'group/vanished': { at: MONDAY, spec: { name: 'Vanished' } },
      'group/lost': { at: MONDAY, spec: { name: 'Lost' } },
      'bot/triage': { at: MONDAY, spec: { name: 'Triage', job_title: 'Sorter' } },
      'bot_template/scout': { at: MONDAY, spec: { name: 'Scout', max_chats_count: 7 } },
      'bot_template/spare': { at: MONDAY, spec: { name: 'Spare', max_chats_count: 7 } },
      [`license_property/${CLIENT}/tier`]: { at: MONDAY, spec: { value: 'silver' } },
    },
  ),
  orders: new Map([['auto_access', { order: ['auto_access/a', 'auto_access/b', 'auto_access/c'], at: TUESDAY }]]),
  administrators: new Set(['boss@example.com', 'fay@example.com']),
};

const DESIRED = desiredOf(
  [
    declare('agent', 'ann@example.com', {
      name: 'ANN',
      job_title: 'Lead',
      max_chats_count: 7,
      notifications: ['incoming_chat'],
      mobile: '2',
    }),
    declare('agent', 'bob@example.com', { name: 'BOB' }),
    declare('agent', 'dan@example.com', { name: 'DAN' }),
    declare('agent', 'new@example.com', { name: 'New', groups: { 'group/sales': 'first' } }),
    declare('group', 'sales', {
      name: 'Sales',
      language_code: 'de',
      agent_priorities: { 'agent/ann@example.com': 'first' },
    }),
    declare('group', 'again', { name: 'Again' }),
    declare('group', 'changed-meanwhile', { name: 'After' }),
    declare('group', 'fresh', { name: 'Fresh' }),
    declare('group', 'lost', { name: 'Lost' }, 77),
    declare('group', 'never-there', {}, 78),
    declare('bot', 'triage', { name: 'Triage', job_title: 'Sorter' }),
    declare('bot_template', 'scout', { name: 'Scout', owner_client_id: CLIENT, max_chats_count: 7 }),
    declare('bot_template', 'spare', { name: 'Spare', owner_client_id: CLIENT, max_chats_count: 8 }),
    declare('property', `${CLIENT}/tier`, { type: 'string', access: ACCESS }),
    declare('license_property', `${CLIENT}/tier`, { value: 'bronze' }),
    rule('c'),
    rule('a'),
    rule('b'),
  ],
  [
    { address: 'group/by-id', kind: 'group', id: 500, name: null, place: PLACE },
    { address: 'group/by-name', kind: 'group', id: null, name: 'Nobody', place: PLACE },
  ],
);

/** In 3.7: texts of a group with the person who changed them, tags in other capitals, and a list of domains that is empty again. */
const TEXTS: Live = {
  version: '3.7',
  ruleOrder: [],
  scopes: [],
  objects: {
    agent: [],
    group: [group(7, 'Sales', { agent_priorities: {} })],
    tag: [
      object('tag', 'VIP', { name: 'VIP', groups: ['7'] }),
      object('tag', 'refund', { name: 'refund', groups: [] }),
    ],
    canned_response: [
      object(
        'canned_response',
        1,
        { text: 'Hi', tags: ['hi'], group: '7' },
        { computed: { author_id: 'zoe@example.com' } },
      ),
      object('canned_response', 2, { text: 'Bye', tags: ['bye'], group: '7' }, { computed: { author_id: '' } }),
      object(
        'canned_response',
        3,
        { text: 'Mine', tags: ['me'], group: '7', is_private: true },
        { spared: 'it is a private text' },
      ),
      object(
        'canned_response',
        4,
        { text: 'Well?', tags: ['asked'], group: '7' },
        { computed: { author_id: 'zoe@example.com' } },
      ),
      object(
        'canned_response',
        5,
        { text: 'One', tags: ['both'], group: '7' },
        { computed: { author_id: 'zoe@example.com' } },
      ),
      object('canned_response', 6, { text: 'Whom', tags: ['nobody'], group: '7' }, { computed: { author_id: null } }),
    ],
    allowed_domain: [],
  },
};

const TEXTS_LEDGER = ledgerOf(
  {
    'group/sales': 7,
    'tag/VIP': 'VIP',
    'canned_response/hi': 1,
    'canned_response/bye': 2,
    'canned_response/asked': 4,
    'canned_response/both': 5,
    'canned_response/nobody': 6,
    'allowed_domain/shop.example': 'shop.example',
  },
  {
    'canned_response/hi': { at: MONDAY, spec: { text: 'Hello', tags: ['hi'], group: 'group/sales' } },
    'canned_response/bye': { at: MONDAY, spec: { text: 'Goodbye', tags: ['bye'], group: 'group/sales' } },
    'canned_response/asked': { at: MONDAY, spec: { text: 'Well?', tags: ['asked'], group: 'group/sales' } },
    'canned_response/both': { at: MONDAY, spec: { text: 'Both', tags: ['both'], group: 'group/sales' } },
    'canned_response/nobody': { at: MONDAY, spec: { text: 'Who', tags: ['nobody'], group: 'group/sales' } },
    'allowed_domain/shop.example': { at: MONDAY, spec: {} },
  },
);

const TEXTS_DESIRED = desiredOf(
  [
    declare('group', 'sales', { name: 'Sales' }),
    declare('tag', 'vip', { groups: ['group/sales'] }),
    declare('canned_response', 'hi', { text: 'Hello', tags: ['hi'], group: 'group/sales' }),
    declare('canned_response', 'bye', { text: 'Goodbye', tags: ['bye'], group: 'group/sales' }),
    declare('canned_response', 'asked', { text: 'Well then?', tags: ['asked'], group: 'group/sales' }),
    declare('canned_response', 'both', { text: 'Two', tags: ['both'], group: 'group/sales' }),
    declare('canned_response', 'nobody', { text: 'Who', tags: ['nobody'], group: 'group/sales' }),
    declare('allowed_domain', 'shop.example', {}),
  ],
  [],
  ['tag'],
);

/** People of a table: the row, or its absence, says what to do. */
const row = { file: 'people.csv', line: 4, column: 1, length: 1 };
const fromTable = (desired: Desired): Desired => ({
  ...desired,
  resources: desired.resources.map((each) =>
    each.leaves === undefined || each.leaves.by === 'marked-row' ? { ...each, row } : each,
  ),
});
const left = (name: string, by: 'marked-row' | 'missing-row' | 'leavers'): Declared => ({
  ...declare('agent', `${name}@example.com`, { suspended: true }),
  leaves: { by, file: 'people.csv' },
});
const TABLE = fromTable(
  desiredOf([
    declare('agent', 'ann@example.com', { name: 'ANN', job_title: 'Lead', suspended: false }),
    left('bob', 'marked-row'),
    left('zed', 'marked-row'),
    left('cid', 'missing-row'),
    left('dan', 'leavers'),
    {
      ...declare('agent', 'eve@example.com', { suspended: true }),
      leaves: { by: 'moved', file: 'm.yaml', to: 'agent/ann@example.com' },
    },
  ]),
);
const TABLE_LIVE = liveOf(
  ...['ann', 'bob', 'cid', 'dan', 'eve'].map((name) =>
    person(name, { job_title: 'Head', ...(name === 'ann' ? { name: 'By hand' } : {}) }),
  ),
);
const TABLE_LEDGER = {
  ...ledgerOf(
    Object.fromEntries(
      ['ann', 'bob', 'cid', 'dan', 'eve'].map((name) => [`agent/${name}@example.com`, `${name}@example.com`]),
    ),
    Object.fromEntries(
      ['ann', 'bob', 'cid', 'dan', 'eve'].map((name): [Address, Partial<Applied>] => [
        `agent/${name}@example.com`,
        { at: MONDAY, spec: { name: name.toUpperCase(), job_title: 'Lead', suspended: true } },
      ]),
    ),
  ),
};

/** Memberships that both ends declare, that one of them does, and that none does; the ends were applied at other times. */
const MEMBERS = desiredOf([
  declare('agent', 'ann@example.com', { name: 'ANN', groups: { 'group/x': 'first', 'group/y': 'last' } }),
  declare('agent', 'bob@example.com', { name: 'BOB' }),
  declare('agent', 'cid@example.com', { name: 'CID', groups: {} }),
  declare('agent', 'dan@example.com', { name: 'DAN', groups: { 'group/w': 'first' } }),
  declare('agent', 'eve@example.com', { name: 'EVE', groups: { 'group/y': 'first' } }),
  declare('agent', 'new@example.com', { name: 'NEW', groups: { 'group/x': 'first' } }),
  declare('bot', 'triage', { name: 'Triage', groups: { 'group/y': 'first' } }),
  declare('group', 'x', {
    name: 'X',
    agent_priorities: {
      'agent/ann@example.com': 'first',
      'agent/bob@example.com': 'normal',
      'agent/new@example.com': 'first',
    },
  }),
  declare('group', 'y', { name: 'Y' }),
  declare('group', 'w', { name: 'W' }),
  declare('group', 'v', { name: 'V', agent_priorities: { others: 'keep', 'agent/bob@example.com': 'first' } }),
  declare('group', 'fresh', { name: 'Fresh', agent_priorities: { 'agent/bob@example.com': 'first' } }),
]);
const MEMBERS_LIVE = liveOf(
  person('ann', { groups: { 1: 'last', 2: 'first', 3: 'first' } }),
  person('bob', { groups: { 3: 'first' } }),
  person('cid', { groups: { 2: 'normal', 3: 'first' } }),
  person('dan', { groups: { 4: 'last' } }),
  person('eve', { groups: { 2: 'last' } }),
  object('bot', 'bot-1', { name: 'Triage', groups: { 2: 'last' } }),
  group(4, 'W', { agent_priorities: { 'dan@example.com': 'last' } }),
  group(5, 'V', { agent_priorities: {} }),
  group(1, 'X', { agent_priorities: { 'ann@example.com': 'last' } }),
  group(2, 'Y', {
    agent_priorities: { 'ann@example.com': 'first', 'cid@example.com': 'normal', 'eve@example.com': 'last' },
  }),
  group(3, 'Z', {
    agent_priorities: { 'ann@example.com': 'first', 'bob@example.com': 'first', 'cid@example.com': 'first' },
  }),
);
const MEMBERS_LEDGER = ledgerOf(
  { 'group/x': 1, 'group/y': 2, 'group/w': 4, 'group/v': 5, 'bot/triage': 'bot-1', 'group/old': 3 },
  {
    'agent/ann@example.com': { at: MONDAY, spec: { groups: { 'group/x': 'first', 'group/y': 'last' } } },
    'agent/dan@example.com': { at: MONDAY, spec: { groups: { 'group/w': 'first' } } },
    'group/w': { at: TUESDAY, spec: { agent_priorities: { 'agent/dan@example.com': 'last' } } },
    'group/v': { at: TUESDAY, spec: { agent_priorities: { 'agent/cid@example.com': 'first' } } },
    'agent/cid@example.com': { at: TUESDAY, spec: { groups: { 'group/y': 'normal', 'group/old': 'last' } } },
    'bot/triage': { at: MONDAY, spec: { groups: { 'group/y': 'first' } } },
    'group/x': {
      at: TUESDAY,
      spec: { agent_priorities: { 'agent/ann@example.com': 'normal', 'agent/bob@example.com': 'normal' } },
    },
    'group/y': { at: MONDAY, spec: { name: 'Y', agent_priorities: { 'agent/cid@example.com': 'first' } } },
  },
);

/** Rules alone: two unmanaged ones next to each other, and orders that either side changed. */
const ORDER_LIVE = liveOf(
  group(7, 'Sales', { agent_priorities: {} }),
  liveRule('r2', 'b'),
  liveRule('x1', 'x'),
  liveRule('x2', 'y'),
  liveRule('r1', 'a'),
  liveRule('r3', 'c'),
);
const ORDER_LEDGER: LedgerState = {
  ...ledgerOf({ 'auto_access/a': 'r1', 'auto_access/b': 'r2', 'auto_access/c': 'r3' }),
  orders: new Map([['auto_access', { order: ['auto_access/a', 'auto_access/b', 'auto_access/c'], at: TUESDAY }]]),
};
const SALES: Desired['externals'] = [{ address: 'group/sales', kind: 'group', id: 7, name: null, place: PLACE }];
const ordered = (...keys: readonly string[]): Desired =>
  desiredOf(
    keys.map((key) => rule(key)),
    SALES,
  );
const ORDER: Scene = { desired: ordered('c', 'a', 'b'), live: ORDER_LIVE, ledger: ORDER_LEDGER };

const day = (date: number): number => Date.UTC(2026, 0, date);
const span = (name: string, start: string, enabled = true) => ({ day: name, enabled, start, end: '17:00' });
const week = (monday: string, thursday: string, isOpen = true, timezone = 'Europe/Warsaw') => ({
  timezone,
  schedule: [span('monday', monday), span('thursday', thursday, isOpen)],
});
const CLOSED = week('09:00', '09:00', false);
const HOURS: DatedWeek = {
  hours: {
    timezone: 'Europe/Warsaw',
    ordinary: [span('monday', '09:00'), span('thursday', '09:00')] as DatedWeek['hours']['ordinary'],
    exceptions: [{ from: day(8), to: day(11), hours: null, place: { ...PLACE, file: 'hours.yaml', line: 3 } }],
    keepsClosed: true,
  },
  day: day(5),
};

/** What was applied, and what the license has: the manifest closes Thursday 8 January, and the day is Monday 5 January. */
const WEEKS: { readonly [name: string]: readonly [applied: Spec | null, live: Spec] } = {
  due: [week('09:00', '09:00'), week('09:00', '09:00')],
  never: [week('09:00', '10:00'), week('09:00', '10:00')],
  thursday: [CLOSED, week('09:00', '12:00')],
  monday: [CLOSED, week('08:00', '09:00', false)],
  both: [week('09:00', '09:00'), week('09:00', '12:00')],
  zone: [CLOSED, week('09:00', '09:00', false, 'Europe/London')],
  new: [null, week('09:00', '09:00')],
  passed: [week('09:00', '09:00'), week('09:00', '09:00')],
  same: [CLOSED, CLOSED],
};
const people = Object.entries(WEEKS);
const DATED: Scene = {
  desired: {
    ...desiredOf(
      people.map(([name]) => declare('agent', `${name}@example.com`, { job_title: 'Lead', work_scheduler: CLOSED })),
    ),
    dated: new Map(people.map(([name]) => [`agent/${name}@example.com`, HOURS] as const)),
  },
  live: liveOf(
    ...people.map(([name, [, live]]) =>
      person(name, { job_title: name === 'monday' ? 'Head' : 'Lead', work_scheduler: live }),
    ),
  ),
  ledger: ledgerOf(
    {},
    Object.fromEntries(
      people.flatMap(([name, [applied]]) =>
        applied === null
          ? []
          : [
              [
                `agent/${name}@example.com`,
                {
                  at: name === 'passed' ? '2026-01-01T23:30:00.000Z' : '2025-12-30T10:00:00.000Z',
                  spec: { job_title: 'Lead', work_scheduler: applied },
                },
              ],
            ],
      ),
    ),
  ),
};

/** People who wait for approval, which a file gives or does not; the form that the service keeps; what no digest is known of. */
const WAITING: Scene = {
  desired: desiredOf(
    [
      declare('agent', 'ann@example.com', { name: 'ANN', awaiting_approval: false }),
      declare('agent', 'bob@example.com', { name: 'BOB' }),
      declare('agent', 'cid@example.com', { name: 'CID', job_title: 'KEPT', mobile: 'KEPT' }),
      declare('bot_template', 'scout', {
        name: 'Scout',
        owner_client_id: CLIENT,
        max_chats_count: 7,
        affect_existing_installations: false,
      }),
      declare('group', 'twin', { name: 'Twin' }),
      declare('bot', 'one', { name: 'One' }, 'b1'),
      declare('group', 'nameless', {}),
    ],
    [{ address: 'bot/ext', kind: 'bot', id: null, name: 'Two', place: PLACE }],
  ),
  live: {
    ...liveOf(),
    objects: {
      agent: [
        person('ann', { awaiting_approval: true }, { pendingApproval: true }),
        person('bob', { awaiting_approval: true }, { pendingApproval: true }),
        person('cid', { job_title: 'KEPT', mobile: 'by hand' }),
      ],
      group: [group(1, 'Twin'), group(2, 'Twin')],
      bot_template: [object('bot_template', 'tpl-1', { name: 'Scout', owner_client_id: CLIENT })],
    },
  },
  ledger: ledgerOf(
    {},
    {
      'agent/cid@example.com': {
        at: MONDAY,
        spec: { job_title: 'written', mobile: 'written' },
        reads: { job_title: 'KEPT', mobile: 'KEPT' },
      },
    },
  ),
};

/** People who leave, and what was applied to them; the owner, who is another one than before. */
const LEAVING: Scene = {
  desired: desiredOf([declare('agent', 'boss@example.com', { name: 'BOSS' })]),
  live: liveOf(
    person('hal'),
    person('ida'),
    person('jim', { job_title: 'Lead' }),
    person('boss', {}, { owner: true }),
    person('other', { role: 'owner' }, { owner: true }),
    object('bot', 'bot-2', { name: 'Made', groups: {} }, { derived: true }),
    group(9, 'Left'),
  ),
  ledger: {
    ...ledgerOf(
      {
        'agent/hal@example.com': 'hal@example.com',
        'agent/ida@example.com': 'ida@example.com',
        'agent/jim@example.com': 'jim@example.com',
        'bot/made': 'bot-2',
        'group/left': 9,
      },
      {
        'agent/hal@example.com': { at: MONDAY, spec: { job_title: 'Lead' } },
        'agent/ida@example.com': { at: MONDAY, spec: { job_title: '' } },
        'agent/jim@example.com': { at: MONDAY, spec: { job_title: 'Lead', max_chats_count: 5 } },
        'group/left': { at: MONDAY, spec: { name: 'Left', agent_priorities: {} } },
      },
    ),
    administrators: new Set(['gone@example.com']),
  },
  options: { prune: { agent: 'owned' } },
};

/** A domain that is gone while another one is left, and texts of a greeting that nothing was applied to. */
const DOMAINS: Scene = {
  desired: desiredOf([
    declare('allowed_domain', 'a.example', {}),
    declare('allowed_domain', 'b.example', {}),
    declare('greeting', 'help', { name: 'Help', properties: { greeting_active_from: 'b' } }, 3),
  ]),
  live: {
    ...TEXTS,
    objects: {
      allowed_domain: [object('allowed_domain', 'b.example', {})],
      greeting: [object('greeting', 3, { name: 'Help', properties: { greeting_active_from: 'a' } })],
      group: [],
    },
  },
  ledger: ledgerOf({ 'allowed_domain/a.example': 'a.example', 'allowed_domain/b.example': 'b.example' }),
};

interface Scene {
  readonly desired: Desired;
  readonly live: Live;
  readonly ledger: LedgerState;
  readonly options?: Partial<PlannerOptions>;
}

const SCENES: { readonly [name: string]: Scene } = {
  'of an order that both sides changed': ORDER,
  'of an order that the license changed': { ...ORDER, desired: ordered('a', 'b', 'c') },
  'of an order that the manifest changed': { ...ORDER, desired: ordered('b', 'a'), ledger: ledgerOf({}) },
  'of an order that is the same by now': { ...ORDER, desired: ordered('b', 'a', 'c') },
  'of some of the rules': { ...ORDER, options: { selects: (address) => address === 'auto_access/a' } },
  'of hours by date': DATED,
  'of people who wait, with a token that may approve': WAITING,
  'of people who wait, with a token that may not': { ...WAITING, options: { mayApprove: false } },
  'of people who leave': LEAVING,
  'of a license where much changed': {
    desired: DESIRED,
    live: LIVE,
    ledger: LEDGER,
    options: { mayApprove: false, protects: (address) => address === 'group/protected' },
  },
  'of a part of it, with a token that may approve': {
    desired: DESIRED,
    live: LIVE,
    ledger: { ...LEDGER, administrators: null },
    options: { selects: (address) => !/^(auto_access|bot|group)/.test(address) },
  },
  'of texts, tags and domains': { desired: TEXTS_DESIRED, live: TEXTS, ledger: TEXTS_LEDGER },
  'of memberships': { desired: MEMBERS, live: MEMBERS_LIVE, ledger: MEMBERS_LEDGER },
  'of a domain among others': DOMAINS,
  'of people of a table': { desired: TABLE, live: TABLE_LIVE, ledger: TABLE_LEDGER },
};

test.each(Object.entries(SCENES))('The differences %s are the ones on file', async (name, scene) => {
  const options = { ...EVERYTHING, ...scene.options };
  const { desired, live, ledger } = scene;
  const compared = compare({ desired, live, ledger, options });
  const lists = {
    differences: differencesOf(compared, options.selects),
    overwritten: overwrittenBy(compared, options.selects),
    kinds: comparedKinds(
      compared,
      options.selects,
      desired.resources.map(({ address }) => address),
    ),
  };
  const text = Object.entries(lists).map(([list, items]) =>
    [`${list}:`, ...items.map((each) => `  ${JSON.stringify(each)}`), ''].join('\n'),
  );
  await expect(text.join('')).toMatchFileSnapshot(`../whole/differences-${name.replaceAll(/\W+/g, '-')}.txt`);
});
