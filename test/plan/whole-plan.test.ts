// Whole plans and whole lists of problems, every member of them: test/plan/whole/*.txt. `npx vitest run test/plan/whole-plan.test.ts -u` writes
// them again, for somebody to read the difference.

import { describe, expect, test } from 'vitest';
import type {
  Address,
  Coming,
  DatedHours,
  Desired,
  LedgerState,
  Live,
  LiveObject,
  Version,
} from '../../src/base/model.ts';
import { makePlan } from '../../src/plan/assemble.ts';
import type { PlanInput, PlannerOptions } from '../../src/plan/input.ts';
import { effectsOf } from '../../src/plan/saved/effects.ts';
import { declare, desiredOf } from '../desired.ts';
import { reordered } from '../laws/shuffle.ts';
import { EVERYTHING, seededRandom } from '../world.ts';
import { ledgerOf, liveOf, object } from './license.ts';

const CLIENT = 'client-1';
const ACCESS = { license: { agent: ['read', 'write'] }, group: { agent: ['read', 'write'] } };

const rule = (key: string, url: string, group = 'group/sales', more: object = {}) =>
  declare('auto_access', key, {
    description: key,
    access: { groups: [group] },
    conditions: { url: { values: [{ value: url }] } },
    ...more,
  });

const liveRule = (id: string, description: string, url: string, group = 7) =>
  object('auto_access', id, {
    description,
    access: { groups: [group] },
    conditions: { url: { values: [{ value: url }] } },
  });

/** People and teams; the ledger knows some of them under names of before. */
const LIVE = liveOf(
  object('agent', 'ann@example.com', {
    name: 'Ann',
    job_title: 'Clerk',
    suspended: true,
    max_chats_count: 5,
    groups: { 7: 'normal' },
  }),
  object('agent', 'bob@example.com', { name: 'Bob', groups: { 8: 'normal' } }, { pendingApproval: true }),
  object('agent', 'old@example.com', { name: 'Old', groups: { 7: 'normal' } }),
  object('agent', 'zoe@example.com', { name: 'Zoe', groups: { 7: 'last' } }),
  object('agent', 'boss@example.com', { name: 'Boss', role: 'owner' }, { owner: true }),
  object('group', 0, { name: 'General', language_code: 'en' }, { builtin: true }),
  object(
    'group',
    7,
    {
      name: 'Sales',
      language_code: 'en',
      agent_priorities: { 'ann@example.com': 'normal', 'zoe@example.com': 'last', 'old@example.com': 'normal' },
    },
    {
      members: {
        'ann@example.com': 'normal',
        'zoe@example.com': 'last',
        'old@example.com': 'normal',
        'bot-1': 'first',
      },
    },
  ),
  object(
    'group',
    8,
    { name: 'Help', language_code: 'en', agent_priorities: { 'bob@example.com': 'normal' } },
    { members: { 'bob@example.com': 'normal' } },
  ),
  object('group', 9, { name: 'Gone' }, { members: {} }),
  object('group', 10, { name: 'Stranger' }, { members: {} }),
  object('bot', 'bot-1', { name: 'Triage', default_group_priority: 'first', groups: { 7: 'first' } }),
  object('bot', 'bot-2', { name: 'Left', groups: {} }),
  object('bot', 'bot-3', { name: 'Made', groups: {} }, { derived: true }),
  object('bot_template', 'tpl-1', { name: 'Scout', owner_client_id: CLIENT }),
  liveRule('r1', 'a', '/a'),
  liveRule('r2', 'b', '/b'),
  liveRule('r3', 'c', '/c'),
  liveRule('r4', 'gone', '/gone'),
  object('property', `${CLIENT}/tier`, { type: 'string', access: ACCESS, domain: ['gold', 'silver'], publish: [] }),
  object('property', `${CLIENT}/size`, { type: 'int', access: ACCESS, publish: [] }),
  object('property', `${CLIENT}/mark`, { type: 'string', access: ACCESS, publish: [] }),
  object('license_property', `${CLIENT}/tier`, { value: 'gold' }),
  object('license_property', `${CLIENT}/size`, { value: 3 }),
  object('group_property', `7/${CLIENT}/tier`, { value: 'silver' }),
);

const LEDGER = ledgerOf(
  {
    'agent/old@example.com': 'old@example.com',
    'group/old-sales': 7,
    'group/gone': 9,
    'group/vanished': 44,
    'group/again': 45,
    'bot/triage': 'bot-1',
    'bot/left': 'bot-2',
    'auto_access/a': 'r1',
    'auto_access/b': 'r2',
    'auto_access/gone': 'r4',
    [`property/${CLIENT}/tier`]: `${CLIENT}/tier`,
    [`license_property/${CLIENT}/size`]: `${CLIENT}/size`,
  },
  { 'group/old-sales': { spec: { name: 'Sales' } }, 'auto_access/a': { spec: { description: 'a' } } },
);

const PLACE = { file: 'test.yaml', line: 99, column: 1, length: 1 };

const MOVED: PlanInput['moved'] = [
  { from: 'group/old-sales', to: 'group/sales', place: PLACE },
  { from: 'group/never-was', to: 'group/help', place: PLACE },
];

/** On it something is made, changed, adopted, replaced, moved, deleted and let go, of each kind that can be. */
const BUSY = desiredOf(
  [
    declare('agent', 'ann@example.com', { name: 'Anna', job_title: 'Boss', suspended: false, max_chats_count: 50 }),
    declare('agent', 'bob@example.com', { name: 'Bob' }),
    declare('agent', 'cid@example.com', { name: 'Cid', groups: { 'group/help': 'first' } }),
    declare('agent', 'dan@example.com', { name: 'Dan' }),
    declare('group', 'sales', {
      name: 'Sales and more',
      agent_priorities: { 'agent/ann@example.com': 'first', 'agent/dan@example.com': 'normal' },
    }),
    declare('group', 'help', { name: 'Help' }),
    declare('group', 'again', { name: 'Again' }),
    declare('group', 'fresh', { name: 'Fresh', agent_priorities: { 'agent/cid@example.com': 'normal' } }, undefined),
    declare('bot', 'triage', { name: 'Triage', job_title: 'Sorter', groups: { 'group/fresh': 'normal' } }),
    declare('bot', 'greeter', { name: 'Greeter' }),
    declare('bot_template', 'scout', { name: 'Scout', owner_client_id: CLIENT, max_chats_count: 7 }),
    declare('bot_template', 'spare', { name: 'Spare', owner_client_id: CLIENT }),
    rule('c', '/c'),
    rule('a', '/a'),
    rule('b', '/b2', 'group/fresh'),
    rule('new', '/new', 'group/stranger'),
    declare('property', `${CLIENT}/tier`, { type: 'string', access: ACCESS, domain: ['gold'] }),
    declare('property', `${CLIENT}/note`, { type: 'string', access: ACCESS, description: 'A note', publish: ['read'] }),
    declare('license_property', `${CLIENT}/tier`, { value: 'gold' }),
    declare('license_property', `${CLIENT}/note`, { value: 'x' }),
    declare('group_property', `sales/${CLIENT}/tier`, { value: 'gold' }),
    declare('group_property', `fresh/${CLIENT}/note`, { value: 'y' }),
  ],
  [
    {
      address: 'group/stranger',
      kind: 'group',
      id: null,
      name: 'Stranger',
      place: PLACE,
    },
  ],
);

const DAY = 86_400_000;
const TODAY = Date.UTC(2026, 11, 18);

const STAFF = desiredOf(['ann', 'bob', 'old'].map((name) => declare('agent', `${name}@example.com`, { name })));

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

function closedOn(timezone: string, day: number): DatedHours {
  return {
    timezone,
    ordinary: WEEKDAYS.map((weekday) => ({ day: weekday, enabled: true, start: '09:00', end: '17:00' })),
    exceptions: [{ from: day, to: day, hours: null, place: PLACE }],
    keepsClosed: true,
  };
}

function coming(address: Address, change: Coming['change'], day: number): Coming {
  return { address, member: null, change, day, timezone: 'Europe/Berlin', place: PLACE };
}

interface Scene {
  readonly desired: Desired;
  readonly live?: Live;
  readonly ledger?: LedgerState;
  readonly options?: Partial<PlannerOptions>;
  readonly version?: Version;
  readonly moved?: PlanInput['moved'];
}

function inputOf({ desired, live = LIVE, ledger = LEDGER, options = {}, version = '3.6', moved }: Scene): PlanInput {
  return {
    desired,
    live: { ...live, version },
    ledger,
    options: { ...EVERYTHING, mayApprove: false, ...options },
    ...(moved === undefined ? {} : { moved }),
  };
}

/** 3.3 has no templates, and makes a group only with a `normal` agent. */
const BUSY_33 = desiredOf(
  BUSY.resources
    .filter(({ kind, key }) => kind !== 'bot_template' && key !== 'again')
    .map(({ kind, key, spec }) => declare(kind, key, spec)),
  BUSY.externals,
);

const SCENES: { readonly [name: string]: Scene } = {
  'on a license where nothing is': {
    desired: BUSY,
    live: liveOf(object('group', 10, { name: 'Stranger' })),
    ledger: ledgerOf({}),
    options: { limits: { agent_chats_on_create: 100 } },
  },
  'on a license where much is, and names have changed': { desired: BUSY, moved: MOVED },
  'on a license where much is, in version 3.3': { desired: BUSY_33, moved: MOVED, version: '3.3' },
  'when the ledger is lost': { desired: BUSY, ledger: ledgerOf({}) },
  'of what is selected and may be pruned': {
    desired: BUSY,
    moved: MOVED,
    options: {
      selects: (address: Address) => !/^(bot|auto_access)/.test(address),
      protects: (address: Address) => address === 'group/gone',
      prune: { agent: 'owned', license_property: 'none' },
      batchSize: 1,
    },
  },
  'of some rules, among others that stay where they are': {
    desired: BUSY,
    moved: MOVED,
    options: { selects: (address: Address) => !['auto_access/a', 'auto_access/gone'].includes(address) },
  },
  'of values alone, so that memberships are left out': {
    desired: BUSY,
    moved: MOVED,
    options: { selects: (address: Address) => /^(license_property|property)/.test(address) },
  },
  'when a group was written in vain': {
    desired: desiredOf(
      ['ann', 'dan']
        .map((name) => declare('agent', `${name}@example.com`, { name, groups: { 'group/sales': 'first' } }))
        .concat(
          declare('group', 'sales', {
            name: 'Sales',
            agent_priorities: { 'agent/ann@example.com': 'first', 'agent/dan@example.com': 'first' },
          }),
        ),
    ),
    ledger: ledgerOf({ 'group/sales': 7 }),
    options: { spent: new Set(['group/sales']) },
  },
  'with hours of several zones and what comes, part of it left out': {
    live: liveOf(),
    ledger: ledgerOf({}),
    desired: {
      ...STAFF,
      dated: new Map([
        ['agent/bob@example.com', { day: TODAY + DAY, hours: closedOn('Pacific/Auckland', TODAY + 8 * DAY) }],
        ['agent/ann@example.com', { day: TODAY, hours: closedOn('Europe/Warsaw', TODAY + 8 * DAY) }],
        ['agent/old@example.com', { day: TODAY, hours: closedOn('America/New_York', TODAY + 7 * DAY) }],
      ]),
      periods: { timezone: 'Europe/Berlin', day: TODAY },
      coming: [
        coming('agent/bob@example.com', 'ends', TODAY + 3 * DAY),
        coming('agent/ann@example.com', 'begins', TODAY + 3 * DAY),
        coming('agent/ann@example.com', 'away', TODAY + DAY),
        coming('agent/old@example.com', 'ends', TODAY + DAY),
      ],
    },
    options: { selects: (address: Address) => address !== 'agent/old@example.com' },
  },
  'with hours that change in two zones at the same time': {
    live: liveOf(),
    ledger: ledgerOf({}),
    desired: {
      ...STAFF,
      dated: new Map([
        ['agent/ann@example.com', { day: TODAY, hours: closedOn('Europe/Warsaw', TODAY + 8 * DAY) }],
        ['agent/bob@example.com', { day: TODAY, hours: closedOn('Europe/Berlin', TODAY + 8 * DAY) }],
      ]),
      coming: [coming('agent/bob@example.com', 'ends', TODAY + 3 * DAY)],
    },
  },
  'with something that ends before hours change': {
    live: liveOf(),
    ledger: ledgerOf({}),
    desired: {
      ...STAFF,
      dated: new Map([['agent/ann@example.com', { day: TODAY, hours: closedOn('Europe/Warsaw', TODAY + 8 * DAY) }]]),
      coming: [coming('agent/bob@example.com', 'ends', TODAY + DAY)],
    },
  },
  'of a group that another hand made again, and that loses a member whom no file declares': {
    desired: desiredOf([
      declare('agent', 'bob@example.com', { name: 'Bob' }),
      declare('group', 'sales', { name: 'Sales', agent_priorities: { 'agent/bob@example.com': 'first' } }),
    ]),
    live: liveOf(
      object('agent', 'aziz@example.com', { name: 'Aziz', groups: { 7: 'last' } }),
      object('agent', 'bob@example.com', { name: 'Bob', groups: { 7: 'first' } }),
      object('group', 7, {
        name: 'Sales',
        agent_priorities: { 'aziz@example.com': 'last', 'bob@example.com': 'first' },
      }),
    ),
    ledger: ledgerOf(
      { 'agent/bob@example.com': 'bob@example.com', 'group/sales': 99 },
      { 'agent/bob@example.com': { spec: { name: 'Bob' } } },
    ),
  },
  'of a destroy': { desired: desiredOf([]), options: { destroying: { adopted: true } } },
  'of nothing at all': { desired: desiredOf([]), live: liveOf(), ledger: ledgerOf({}) },
  'of nothing where nothing else is to be': {
    desired: desiredOf([], [], ['group']),
    live: liveOf(),
    ledger: ledgerOf({}),
  },
  'of a rule whose groups have declared names, other names, and names that two have': {
    desired: desiredOf(
      [
        declare('group', 'sales', { name: 'Sales and more' }, 7),
        declare('auto_access', 'quiet', {
          description: '',
          access: { groups: ['group/one', 'group/other', 'group/sales', 'group/stranger'] },
          conditions: { url: { values: [{ value: '/quiet' }] } },
        }),
      ],
      [
        { address: 'group/one', kind: 'group', id: 11, name: null, place: PLACE },
        { address: 'group/other', kind: 'group', id: 12, name: null, place: PLACE },
        { address: 'group/stranger', kind: 'group', id: 10, name: null, place: PLACE },
      ],
    ),
    live: liveOf(
      object('group', 7, { name: 'Sales' }),
      object('group', 10, { name: 'Stranger' }),
      object('group', 11, { name: 'Twin' }),
      object('group', 12, { name: 'Twin' }),
    ),
    ledger: ledgerOf({}),
    options: { selects: (address: Address) => address !== 'group/sales' },
  },
  'of an empty manifest': { desired: desiredOf([]), options: { prune: { agent: 'owned' } } },
};

/** One line for each member, and for each item of a list. */
function lines(value: object): string {
  const told = Object.entries(value).flatMap(([name, member]) =>
    Array.isArray(member)
      ? [`${name}:`, ...member.map((item) => `  ${JSON.stringify(item)}`)]
      : [`${name}: ${JSON.stringify(member)}`],
  );
  return `${told.join('\n')}\n`;
}

describe('The whole plan', () => {
  test.each(Object.entries(SCENES))('%s is the one on file, whatever the order of its input', async (name, scene) => {
    const { plan, problems } = makePlan(inputOf(scene));
    expect(problems).toEqual([]);
    const { withheld: _, ...whole } = plan ?? { withheld: [] };
    await expect(lines(whole)).toMatchFileSnapshot(`whole/${name.replaceAll(/\W+/g, '-')}.txt`);
    for (const seed of [1, 2, 3]) expect(makePlan(reordered(inputOf(scene), seededRandom(seed))).plan).toEqual(plan);
  });
});

const hook = (key: string, action: string) => ({
  owner_client_id: CLIENT,
  type: 'license',
  action,
  url: `https://hooks.example.com/${key}`,
});
const webhook = (key: string, action: string) => declare('webhook', key, hook(key, action));
const liveWebhook = (id: string, action: string) => object('webhook', id, hook(id, action));

/** The license with objects of more kinds. */
function withObjects(live: Live, ...objects: readonly LiveObject[]): Live {
  const more = objects.map(({ kind }) => [kind, objects.filter((each) => each.kind === kind)] as const);
  return { ...live, objects: { ...live.objects, ...Object.fromEntries(more) } };
}

/** A group that appears twice, a rule to nowhere, too many of all, values that an update takes and a create does not. */
const WRONG: { readonly [name: string]: Scene } = {
  'when names are ambiguous, ids unknown and references lead nowhere': {
    desired: desiredOf([
      declare('group', 'sales', { name: 'Sales' }),
      declare('group', 'lost', { name: 'Lost' }, 4711),
      declare('bot', 'twin', { name: 'Twin' }),
      rule('a', '/a', 'group/nowhere'),
    ]),
    live: liveOf(
      object('group', 7, { name: 'Sales' }),
      object('group', 8, { name: 'Sales' }),
      object('bot', 'x', { name: 'Twin' }),
      object('bot', 'y', { name: 'Twin' }),
    ),
    ledger: ledgerOf({}),
  },
  'when externals are not there, or not told apart': {
    desired: desiredOf(
      [declare('group', 'sales', { name: 'Sales' }, 9)],
      [
        { address: 'group/by-id', kind: 'group', id: 44, name: null, place: PLACE },
        { address: 'group/by-name', kind: 'group', id: null, name: 'Nobody', place: PLACE },
        { address: 'group/twins', kind: 'group', id: null, name: 'Twin', place: PLACE },
      ],
    ),
    live: liveOf(
      object('group', 7, { name: 'Twin' }),
      object('group', 8, { name: 'Twin' }),
      object('group', 9, { name: 'Sales' }),
    ),
    ledger: ledgerOf({}),
  },
  'when there is no room': {
    desired: desiredOf([
      ...[1, 2, 3].map((n) => rule(`r${n}`, `/${n}`, 'group/sales')),
      declare('group', 'sales', { name: 'Sales' }),
      declare('group', 'help', { name: 'Help' }),
      declare('bot_template', 'kept', { name: 'Kept', owner_client_id: CLIENT }),
      declare('bot_template', 'more', { name: 'More', owner_client_id: CLIENT }),
      declare('bot_template', 'other', { name: 'Other', owner_client_id: 'client-2' }),
    ]),
    live: liveOf(
      object('group', 7, { name: 'Sales' }),
      object('group', 9, { name: 'Gone' }),
      liveRule('x1', 'r1', '/1'),
      liveRule('x9', 'stranger', '/9'),
      liveRule('x8', 'gone', '/8'),
      object('bot_template', 't1', { name: 'Kept', owner_client_id: CLIENT }),
      object('bot_template', 't2', { name: 'Stranger', owner_client_id: CLIENT }),
      object('bot_template', 't3', { name: 'Stranger', owner_client_id: 'client-2' }),
    ),
    ledger: ledgerOf({ 'group/gone': 9, 'auto_access/r1': 'x1', 'auto_access/gone': 'x8' }),
    options: { limits: { access_rules: 3, groups: 2, templates_per_client: 2 } },
  },
  'when a create lacks what the service asks for': {
    desired: desiredOf([
      declare('agent', 'eve@example.com', { job_title: 'x', max_chats_count: 500 }),
      declare('group', 'nameless', { language_code: 'en' }),
      declare('bot', 'nameless', {}),
      declare('property', `${CLIENT}/typeless`, { description: 'x' }),
    ]),
    live: liveOf(),
    ledger: ledgerOf({}),
  },
  'when what is selected needs what is left out': {
    desired: BUSY,
    moved: MOVED,
    options: { selects: (address: Address) => !/^(group|agent)\/(fresh|cid)/.test(address) },
  },
  'when a personal access token may not make it': {
    desired: desiredOf([declare('bot', 'greeter', { name: 'Greeter' }), declare('bot', 'triage', { name: 'Triage' })]),
    ledger: ledgerOf({ 'bot/triage': 'bot-1' }),
    options: { credential: 'basic' },
  },
  'when what has to be made again keeps what does not fit any more': {
    desired: desiredOf([
      declare('property', `${CLIENT}/tier`, { type: 'int' }),
      declare('property', `${CLIENT}/size`, { type: 'int', access: ACCESS, domain: [1], range: { from: 1, to: 3 } }),
    ]),
    ledger: ledgerOf({ [`property/${CLIENT}/tier`]: `${CLIENT}/tier`, [`property/${CLIENT}/size`]: `${CLIENT}/size` }),
  },
  'when there are too many already': {
    desired: desiredOf([declare('group', 'new', { name: 'New' })]),
    live: liveOf(...[1, 2, 3].map((id) => object('group', id, { name: `Stranger ${id}` }))),
    ledger: ledgerOf({}),
    options: { limits: { groups: 2 } },
  },
  'when a version makes bots for the client of its token alone': {
    desired: desiredOf([declare('bot', 'guide', { name: 'Guide', owner_client_id: CLIENT })]),
    live: liveOf(),
    ledger: ledgerOf({}),
    version: '3.3',
  },
  'when a definition that is made again would have a default that its values cannot be': {
    desired: desiredOf([declare('property', `${CLIENT}/tier`, { default_value: 'iron', domain: ['gold'] })]),
  },
  'when an id asks for what would be deleted': {
    desired: desiredOf([
      declare('group', 'sales', { name: 'Sales' }, 7),
      declare('group', 'help', { name: 'Help' }, 8),
      declare('greeting', 'hello', { name: 'Hello', group: 'group/help', rules: [] }, 4),
    ]),
    live: withObjects(LIVE, object('greeting', 4, { name: 'Hello', group: '7', rules: [] })),
  },
  'when a rule needs two groups that are left out': {
    desired: desiredOf([
      declare('group', 'fresh', { name: 'Fresh' }),
      declare('group', 'more', { name: 'More' }),
      declare('group', 'kept', { name: 'Help' }),
      declare('auto_access', 'a', {
        access: { groups: ['group/fresh', 'group/kept', 'group/more'] },
        conditions: { url: { values: [{ value: '/a' }] } },
      }),
    ]),
    ledger: ledgerOf({ 'auto_access/a': 'r1' }),
    options: { selects: (address: Address) => address.startsWith('auto_access/') },
  },
  'when another spelling of a tag stays': {
    desired: desiredOf([
      declare('tag', 'VIP', { groups: [] }),
      declare('tag', 'Late', { groups: [] }),
      declare('tag', 'late', { groups: [] }),
      declare('tag', 'spam', { groups: [] }),
    ]),
    live: withObjects(
      LIVE,
      object('tag', 'vip', { groups: [] }),
      object('tag', 'late', { groups: [] }),
      object('tag', 'Spam', { groups: [] }),
    ),
    options: { protects: (address: Address) => address === 'tag/vip' },
  },
  'when the webhooks of a client have no room': {
    desired: desiredOf([
      ...['a', 'b', 'c', 'd'].map((key) => webhook(key, 'chat_deactivated')),
      webhook('e', 'incoming_chat'),
    ]),
    live: withObjects(liveOf(), ...['1', '2'].map((id) => liveWebhook(id, 'chat_deactivated'))),
    ledger: ledgerOf({ 'webhook/gone': '1' }),
  },
};

describe('All problems', () => {
  test.each(Object.entries(WRONG))('%s are the ones on file, whatever the order of the input', async (name, scene) => {
    const { plan, problems } = makePlan(inputOf(scene));
    expect(plan).toBe(null);
    await expect(lines({ problems })).toMatchFileSnapshot(`whole/problems-${name.replaceAll(/\W+/g, '-')}.txt`);
    for (const seed of [1, 2, 3])
      expect(makePlan(reordered(inputOf(scene), seededRandom(seed))).problems).toEqual(problems);
  });
});

const CAREFUL: Partial<PlannerOptions> = {
  acknowledged: new Set(),
  maxDeletes: 1,
  maxDeletePercent: 5,
  hasSink: false,
  prune: { agent: 'owned' },
};

/** A plan for each guard, where it speaks for one thing and where it speaks for several. */
const WITHHELD: { readonly [name: string]: Scene } = {
  'from a plan that does much': {
    desired: desiredOf(
      [
        ...BUSY.resources.map(({ kind, key, spec }) => declare(kind, key, spec)),
        declare('property', `${CLIENT}/size`, { type: 'string', access: ACCESS }),
        declare('property', `${CLIENT}/mark`, { type: 'string', access: ACCESS, publish: ['read'] }),
        declare('bot_template', 'wide', { name: 'Wide', owner_client_id: CLIENT, affect_existing_installations: true }),
      ],
      BUSY.externals,
    ),
    options: { ...CAREFUL, protects: (address: Address) => address === `property/${CLIENT}/size` },
  },
  'from a plan that does much, in 3.3': { desired: BUSY_33, version: '3.3', options: CAREFUL },
  'where one object would go': {
    desired: desiredOf([declare('bot_template', 'spare', { name: 'Spare', owner_client_id: CLIENT })]),
    ledger: ledgerOf({ 'group/gone': 9 }),
    options: { ...CAREFUL, maxDeletes: 0 },
  },
  'from an empty manifest': { desired: desiredOf([]), options: CAREFUL },
  'from an empty manifest that is to have nothing undeclared': {
    desired: desiredOf([], [], ['group', 'auto_access']),
    options: CAREFUL,
  },
  'when all of a kind would go': {
    desired: desiredOf([declare('group', 'help', { name: 'Help' })], [], ['auto_access', 'group']),
    options: { ...CAREFUL, acknowledged: new Set(['deletes']) },
  },
  'but what is acknowledged': {
    desired: BUSY,
    options: {
      ...CAREFUL,
      acknowledged: new Set(['deletes', `property/${CLIENT}/tier`, 'bot/greeter', 'group/old-sales']),
    },
  },
};

describe('What is withheld', () => {
  test.each(Object.entries(WITHHELD))('%s is told as on file', async (name, scene) => {
    const { plan, problems } = makePlan(inputOf(scene));
    expect(problems).toEqual([]);
    await expect(lines({ withheld: plan?.withheld ?? [] })).toMatchFileSnapshot(
      `whole/withheld-${name.replaceAll(/\W+/g, '-')}.txt`,
    );
  });
});

/** Plans that make, make again, change, move, adopt and delete. */
const SAVED: ReadonlySet<string> = new Set([
  'on a license where nothing is',
  'on a license where much is, and names have changed',
  'on a license where much is, in version 3.3',
  'from a plan that does much',
  'of a destroy',
]);

describe('What a saved plan makes true', () => {
  const scenes = Object.entries({ ...SCENES, ...WITHHELD }).filter(([name]) => SAVED.has(name));

  test.each(scenes)('%s is as on file', async (name, scene) => {
    const { plan } = makePlan(inputOf(scene));
    const effects = plan === null ? [] : effectsOf(plan);
    await expect(lines({ effects })).toMatchFileSnapshot(`whole/effects-${name.replaceAll(/\W+/g, '-')}.txt`);
  });
});
