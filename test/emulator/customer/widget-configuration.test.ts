// The configuration of the widget: which group a page gets, when a change shows, and which versions change with it.

import { describe, expect, test } from 'vitest';
import type { EmulatorOptions, Seed } from '../../../src/emulator/index.ts';
import { type ChatCaller, createChatCaller, granted, outcome } from './caller.ts';

const AGENT = ['read', 'write'] as const;
const VALUES = { agent: AGENT, customer: ['read'] } as const;
const SEED = {
  agents: [{ id: 'ann', name: 'Ann', max_chats_count: 1, groups: [{ id: 1, priority: 'normal' }] }],
  bots: [{ id: 'robin', name: 'Robin', groups: [{ id: 2, priority: 'normal' }] }],
  groups: [
    { id: 1, name: 'One', language_code: 'pl' },
    { id: 2, name: 'Two' },
    { id: 3, name: 'Three' },
  ],
  auto_access: [
    { id: 'prices', access: { groups: [2, 1] }, conditions: { url: { values: [{ value: '/pricing' }] } } },
    { id: 'poland', access: { groups: [3] }, conditions: { geolocation: { values: [{ country: 'Poland' }] } } },
    { id: 'help', access: { groups: [1] }, conditions: { domain: { values: [{ value: 'help.shop.example' }] } } },
  ],
  properties: {
    shop: {
      shown: { type: 'string', access: { license: VALUES, group: VALUES } },
      standard: { type: 'int', access: { group: VALUES }, default_value: 3 },
      hidden: { type: 'string', access: { license: { agent: AGENT }, group: { agent: AGENT } } },
      unread: { type: 'string', access: { license: { agent: AGENT, customer: ['write'] } } },
    },
  },
  customers: [
    { token: 'dal:kim' },
    { token: 'dal:ola', geolocation: { country_code: 'PL' } },
    { token: 'dal:per', geolocation: { country: 'Norway' } },
  ],
  clients: ['shop'],
} satisfies Seed;

const ROUTED = { dynamicConfigurationGroup: 'routed' } as const;
const callerOf = (options: Partial<EmulatorOptions> = {}): ChatCaller =>
  createChatCaller({ seed: SEED, settings: ROUTED, ...options });

/** What a visitor gets, without the envelope of 3.7. */
async function dynamic({ customer }: ChatCaller, query: object = {}, token = 'dal:kim') {
  return (await granted(customer(token, 'get_dynamic_configuration', query))).product;
}

const PRICES = 'https://shop.example/pricing';

describe('Without `group_id`, the group is that', () => {
  test.each<[string, object, string, number]>([
    ['of the rule for the page', { url: PRICES }, 'dal:kim', 2],
    ['of the first rule, also where the place has one', { url: PRICES }, 'dal:ola', 2],
    ['of the rule for the place', { url: 'https://shop.example/' }, 'dal:ola', 3],
    ['of the rule for the place, without a page', {}, 'dal:ola', 3],
    ['of a later rule', { url: 'https://help.shop.example/' }, 'dal:per', 1],
    ['of everyone, where no rule matches', { url: 'https://shop.example/' }, 'dal:per', 0],
    ['of everyone, without a page', {}, 'dal:kim', 0],
    ['of the request, where there is one', { url: PRICES, group_id: 3 }, 'dal:ola', 3],
  ])('%s', async (_, query, token, group) => {
    expect((await dynamic(callerOf(), query, token)).group_id).toBe(group);
    const requested = callerOf({ settings: {} });
    const asked = 'group_id' in query ? group : 0;
    expect((await dynamic(requested, query, token)).group_id).toBe(asked);
  });

  test('of the rules in the order that has taken effect', async () => {
    const caller = callerOf({ propagationDelay: 1000 });
    const { clock, configure } = caller;
    await granted(configure('update_auto_access', { id: 'poland', next_id: 'prices' }));
    expect((await dynamic(caller, { url: PRICES }, 'dal:ola')).group_id).toBe(2);
    clock.now += 999;
    expect((await dynamic(caller, { url: PRICES }, 'dal:ola')).group_id).toBe(2);
    clock.now += 1;
    expect((await dynamic(caller, { url: PRICES }, 'dal:ola')).group_id).toBe(3);
  });

  test('that a started chat goes to', async () => {
    const caller = callerOf();
    await granted(caller.control('presence', { id: 'robin', status: 'accepting_chats' }));
    for (const [token, url] of [
      ['dal:kim', PRICES],
      ['dal:ola', PRICES],
      ['dal:per', 'https://shop.example/'],
    ] as const) {
      const { group_id } = await dynamic(caller, { url }, token);
      const how = { headers: { referer: url } };
      const { chat_id } = await granted(caller.customer(token, 'start_chat', { continuous: true }, how));
      const { thread } = await granted(caller.customer(token, 'get_chat', { chat_id }));
      expect(thread.access.group_ids[0]).toBe(group_id);
    }
  });
});

test('A change of a group shows to customers once a read sees it, and so does a new group', async () => {
  const caller = callerOf({ propagationDelay: 1000 });
  const { clock, configure, customer } = caller;
  const before = await dynamic(caller, { group_id: 1 });
  await granted(configure('update_group', { id: 1, language_code: 'de' }));
  const { id } = await granted(configure('create_group', { name: 'New', agent_priorities: { ann: 'normal' } }));
  clock.now += 999;
  expect(await dynamic(caller, { group_id: 1 })).toEqual(before);
  expect(await outcome(customer('dal:kim', 'get_dynamic_configuration', { group_id: id }))).toBe('group_not_found');
  expect(await outcome(customer('dal:kim', 'list_group_properties', { id }))).toBe('group_not_found');
  const asked = { group_id: id, type: 'prechat' };
  expect(await outcome(customer('dal:kim', 'get_form', asked))).toBe('group_not_found');
  clock.now += 1;
  expect((await dynamic(caller, { group_id: 1 })).language).toBe('de');
  expect((await dynamic(caller, { group_id: id })).group_id).toBe(id);
  expect(await granted(customer('dal:kim', 'get_form', asked))).toEqual({ enabled: false });
});

test('A deleted group is there for customers until a read sees that it is gone', async () => {
  const caller = callerOf({ propagationDelay: 1000 });
  await granted(caller.configure('delete_group', { id: 2 }));
  expect((await dynamic(caller, { url: PRICES })).group_id).toBe(2);
  caller.clock.now += 1000;
  expect((await dynamic(caller, { url: PRICES })).group_id).toBe(1);
  expect(await outcome(caller.customer('dal:kim', 'get_dynamic_configuration', { group_id: 2 }))).toBe(
    'group_not_found',
  );
});

test.each<[string, boolean]>([
  ['https://shop.example/', true],
  ['http://SHOP.example:8080/a?b#c', true],
  ['https://www.shop.example/', true],
  ['https://a.b.shop.example./', true],
  ['https://bücher.example/', true],
  ['https://xn--bcher-kva.example/', true],
  ['https://eshop.example/', false],
  ['https://shop.example.evil.example/', false],
  ['https://example/', false],
  ['https://evil.example/?https://shop.example/', false],
  ['ftp://shop.example/', false],
  ['shop.example', false],
  ['', false],
])('The page %s is trusted: %s', async (url, trusted) => {
  const caller = callerOf({ seed: { ...SEED, allowed_domains: ['Shop.Example', 'bücher.example'] } });
  expect((await dynamic(caller, { url })).domain_allowed).toBe(trusted);
  expect((await dynamic(callerOf(), { url })).domain_allowed).toBe(true);
});

test.each(['', 'https://shop.example', 'shop.example/', 'shop.example:80', 'me@shop.example', '*.shop.example', 'a b'])(
  'A seed cannot trust %j',
  (domain) => {
    expect(() => callerOf({ seed: { allowed_domains: [domain] } })).toThrow('`allowed_domains[0]`');
  },
);

test('Groups whose members accept chats are online, and a bot that accepts them is an active one', async () => {
  const caller = callerOf();
  const { control, customer } = caller;
  expect(await dynamic(caller, { group_id: 2 })).not.toHaveProperty('online_group_ids');
  await granted(control('presence', { id: 'ann', status: 'accepting_chats' }));
  expect(await dynamic(caller, { group_id: 1 })).toMatchObject({ online_group_ids: [0, 1], ai_agent_active: false });
  await granted(control('presence', { id: 'robin', status: 'accepting_chats' }));
  expect(await dynamic(caller, { group_id: 1 })).toMatchObject({ online_group_ids: [0, 1, 2], ai_agent_active: false });
  expect(await dynamic(caller, { group_id: 2 })).toMatchObject({ ai_agent_active: true });
  // Group 0 is everyone.
  expect(await dynamic(caller)).toMatchObject({ ai_agent_active: true });
  await granted(customer('dal:kim', 'start_chat', { chat: { access: { group_ids: [1] } } }));
  expect((await dynamic(caller)).online_group_ids).toEqual([0, 1, 2]);
});

test('Version 3.3 has the same without its envelope, and 3.7 no product where it is not active', async () => {
  const ask = async (settings: EmulatorOptions['settings'], version: '3.3' | '3.7') => {
    const { customer } = callerOf({ settings: settings ?? {} });
    return granted(customer('dal:kim', 'get_dynamic_configuration', { group_id: 1 }, { version }));
  };
  const older = await ask({}, '3.3');
  expect(older).not.toHaveProperty('product');
  const newer = await ask({ organizationId: 'org', clientLimitExceeded: true, defaultWidget: 'chatbot' }, '3.7');
  expect(newer).toEqual({
    organization_id: 'org',
    default_widget: 'chatbot',
    product_active: true,
    product: { ...older, client_limit_exceeded: true, ai_agent_active: false },
  });
  const { product: _, ...rest } = newer;
  expect(await ask({ organizationId: 'org', defaultWidget: 'chatbot', productActive: false }, '3.7')).toEqual({
    ...rest,
    product_active: false,
  });
});

test('The product has the name of the public pages where the setting says so', async () => {
  for (const [widget, called] of [
    ['product', 'livechat'],
    ['widget', 'openwidget'],
    ['chatbot', 'chatbot'],
  ] as const) {
    const ask = async (settings: EmulatorOptions['settings']) => {
      const { customer } = callerOf({ settings: { ...settings, organizationId: 'org', defaultWidget: widget } });
      return granted(customer('dal:kim', 'get_dynamic_configuration', { group_id: 1 }, { version: '3.6' }));
    };
    const { product } = await ask({});
    const about = { organization_id: 'org', default_widget: called };
    expect(await ask({ productName: 'livechat' })).toEqual({ ...about, livechat_active: true, livechat: product });
    expect(await ask({ productName: 'livechat', productActive: false })).toEqual({ ...about, livechat_active: false });
  }
});

test('The organization of a license is told to those who know the license only, and stays the same', async () => {
  const { emulator } = callerOf();
  const ask = async (query: string) => {
    const path = `http://emulator/v3.7/customer/action/get_dynamic_configuration?${query}`;
    const { organization_id } = Object(await (await emulator.fetch(new Request(path))).json());
    return organization_id;
  };
  const told = await ask('license_id=7');
  expect(told).toMatch(/^[0-9a-f-]{36}$/);
  expect(await ask('license_id=7')).toBe(told);
  expect(await ask('license_id=8')).not.toBe(told);
  expect(await ask('organization_id=mine')).toBe('mine');
});

/** Both versions of each group. */
async function versions(caller: ChatCaller): Promise<ReturnType<typeof JSON.parse>> {
  const found = [0, 1, 2].map(async (group_id) => {
    const { config_version, localization_version } = await dynamic(caller, { group_id });
    return [group_id, { config_version, localization_version }] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

type Change = (caller: ChatCaller) => ReturnType<ChatCaller['control']>;
const value = (name: string, to: unknown) => ({ properties: { shop: { [name]: to } } });
const FORM = { type: 'prechat', fields: [{ type: 'name', label: 'Name' }] };
const NONE = {};
const ofConfig = (...groups: readonly number[]) => Object.fromEntries(groups.map((id) => [id, ['config_version']]));

/** What a change does to the versions of each group. */
const CHANGES: readonly [string, Change, object, Change?][] = [
  [
    'the language of a group',
    ({ configure }) => configure('update_group', { id: 1, language_code: 'de' }),
    { 1: ['config_version', 'localization_version'] },
  ],
  ['the name of a group', ({ configure }) => configure('update_group', { id: 1, name: 'Other' }), NONE],
  [
    'the members of a group',
    ({ configure }) => configure('update_group', { id: 2, agent_priorities: { ann: 'first' } }),
    NONE,
  ],
  ['who accepts chats', ({ control }) => control('presence', { id: 'ann', status: 'accepting_chats' }), NONE],
  ['the order of rules', ({ configure }) => configure('update_auto_access', { id: 'prices', next_id: '' }), NONE],
  [
    'a property of a group that customers read',
    ({ configure }) => configure('update_group_properties', { group_id: 1, ...value('shown', 'x') }),
    ofConfig(1),
  ],
  [
    'a property of a group to its default',
    ({ configure }) => configure('update_group_properties', { group_id: 1, ...value('standard', 3) }),
    NONE,
  ],
  [
    'a property of a group from its default',
    ({ configure }) => configure('update_group_properties', { group_id: 1, ...value('standard', 4) }),
    ofConfig(1),
  ],
  [
    'a property of a group that customers do not read',
    ({ configure }) => configure('update_group_properties', { group_id: 1, ...value('hidden', 'x') }),
    NONE,
  ],
  [
    'a property of the license that customers read',
    ({ configure }) => configure('update_license_properties', value('shown', 'x')),
    ofConfig(0, 1, 2),
  ],
  [
    'a property of the license that customers may only write',
    ({ configure }) => configure('update_license_properties', value('unread', 'x')),
    NONE,
  ],
  [
    'a definition with a default that customers read',
    ({ configure }) =>
      configure('register_property', {
        owner_client_id: 'shop',
        name: 'new',
        type: 'bool',
        access: { group: VALUES },
        default_value: true,
      }),
    ofConfig(0, 1, 2),
  ],
  [
    'a definition without a value',
    ({ configure }) =>
      configure('register_property', { owner_client_id: 'shop', name: 'new', type: 'bool', access: { group: VALUES } }),
    NONE,
  ],
  [
    'the order in which properties are defined',
    async ({ configure }) => {
      const named = { owner_client_id: 'shop', name: 'shown' };
      await granted(configure('unregister_property', named));
      const definition = { ...named, type: 'string', access: { license: VALUES, group: VALUES } };
      await granted(configure('register_property', definition));
      return configure('update_group_properties', { group_id: 1, ...value('shown', 'x') });
    },
    NONE,
    ({ configure }) => configure('update_group_properties', { group_id: 1, ...value('shown', 'x') }),
  ],
  ['the pre-chat form of a group', ({ control }) => control('forms/set', { ...FORM, group_id: 1 }), ofConfig(1)],
  ['the pre-chat form of all groups', ({ control }) => control('forms/set', FORM), ofConfig(0, 1, 2)],
  ['a form that is not enabled', ({ control }) => control('forms/set', { ...FORM, group_id: 1, enabled: false }), NONE],
  [
    'the ticket form of a group',
    ({ control }) => control('forms/set', { ...FORM, group_id: 1, type: 'ticket' }),
    ofConfig(1),
  ],
  [
    'a post-chat form, which is asked for by itself',
    ({ control }) => control('forms/set', { ...FORM, type: 'postchat' }),
    NONE,
  ],
  [
    'a form of all groups back for one, by another one that is not enabled',
    ({ control }) => control('forms/set', { ...FORM, group_id: 1, enabled: false }),
    ofConfig(1),
    ({ control }) => control('forms/set', FORM),
  ],
  [
    'a phrase of the language of a group',
    ({ control }) => control('phrases/set', { language: 'pl', phrases: { chat_now: 'Czat' } }),
    { 1: ['localization_version'] },
  ],
  [
    'a phrase of another language',
    ({ control }) => control('phrases/set', { language: 'de', phrases: { chat_now: 'Chat' } }),
    NONE,
  ],
  [
    'the order of phrases',
    ({ control }) => control('phrases/set', { language: 'pl', phrases: { own: 'b', chat_now: 'a' } }),
    NONE,
    ({ control }) => control('phrases/set', { language: 'pl', phrases: { chat_now: 'a', own: 'b' } }),
  ],
];

test.each<[string, Change, object, Change?]>(CHANGES)(
  'Versions change if and only if a customer can see the change: %s',
  async (_, change, expected, first) => {
    const caller = callerOf();
    if (first !== undefined) await granted(first(caller));
    const before = await versions(caller);
    await granted(change(caller));
    const after = await versions(caller);
    const changed = [0, 1, 2].map((group) => {
      const names = ['config_version', 'localization_version'].filter(
        (name) => before[group][name] !== after[group][name],
      );
      return [group, names] as const;
    });
    expect(Object.fromEntries(changed.filter(([, names]) => names.length > 0))).toEqual(expected);
  },
);

test('Versions are those of the content that is answered at the same moment, and outlive the process', async () => {
  const caller = callerOf();
  await granted(caller.configure('update_group_properties', { group_id: 1, ...value('shown', 'x') }));
  const again = createChatCaller({ state: JSON.parse(JSON.stringify(caller.emulator.snapshot())) });
  expect(await versions(again)).toEqual(await versions(caller));
});

test('Another `version` is answered, or refused where the settings say so', async () => {
  const strict = callerOf({ settings: { staleConfigurationVersion: 'validation' }, propagationDelay: 1000 });
  const { customer, control, clock } = strict;
  const { config_version, localization_version } = await dynamic(strict, { group_id: 1 });
  const ask = (action: string, version: string, language = 'pl') =>
    outcome(customer('dal:kim', action, { group_id: 1, version, language }));
  expect(await ask('get_configuration', config_version)).toBe('granted');
  expect(await ask('get_configuration', localization_version)).toBe('validation');
  expect(await ask('get_localization', localization_version)).toBe('granted');
  expect(await ask('get_localization', localization_version, 'de')).toBe('granted');
  expect(await ask('get_localization', config_version)).toBe('validation');
  await granted(control('forms/set', FORM));
  await granted(control('phrases/set', { language: 'pl', phrases: { chat_now: 'Czat' } }));
  expect(await ask('get_configuration', config_version)).toBe('granted');
  clock.now += 1000;
  expect(await ask('get_configuration', config_version)).toBe('validation');
  expect(await ask('get_localization', localization_version)).toBe('validation');
  const lenient = callerOf();
  const answered = lenient.customer('dal:kim', 'get_configuration', { group_id: 1, version: 'none' });
  expect(await outcome(answered)).toBe('granted');
});

test('Every phrase is a text, and a translation differs from its absence in each of them', async () => {
  const { customer, control } = callerOf({ seed: { ...SEED, phrases: { pl: { chat_now: 'Czat', own: 'Nasze' } } } });
  const ask = (language: string) =>
    granted(customer('dal:kim', 'get_localization', { group_id: 1, language, version: 'any' }));
  const [english, polish, german] = [await ask('en'), await ask('pl'), await ask('de')];
  expect(Object.keys(english).length).toBeGreaterThan(40);
  for (const [key, phrase] of Object.entries(english)) {
    expect(phrase).toMatch(/\S/);
    expect(polish[key]).not.toBe(phrase);
    expect(german[key]).toBe(`${phrase} [de]`);
  }
  expect(polish).toMatchObject({ chat_now: 'Czat', own: 'Nasze' });
  await granted(control('phrases/set', { language: 'pl', phrases: english }));
  expect(await ask('pl')).toEqual(english);
  await granted(control('phrases/set', { language: 'pl', phrases: {} }));
  expect(await ask('pl')).toMatchObject({ chat_now: 'Chat now [pl]' });
});

test('The configuration needs a token only where the settings say so, and reading it leaves no trace', async () => {
  const READS = [
    'get_dynamic_configuration?license_id=1&organization_id=o&url=https://shop.example/pricing&test=true',
    'get_configuration?license_id=1&organization_id=o&group_id=1&version=x',
    'get_localization?license_id=1&organization_id=o&group_id=1&version=x&language=pl',
    'list_license_properties?license_id=1&organization_id=o',
    'list_group_properties?license_id=1&organization_id=o&id=1',
  ];
  const statuses = async ({ emulator }: ChatCaller, headers = {}) => {
    const before = JSON.stringify(emulator.snapshot());
    const found = [];
    for (const version of ['3.3', '3.7'])
      for (const read of READS)
        found.push(
          (await emulator.fetch(new Request(`http://emulator/v${version}/customer/action/${read}`, { headers })))
            .status,
        );
    expect(JSON.stringify(emulator.snapshot())).toBe(before);
    return found;
  };
  const all = READS.flatMap(() => [200, 200]);
  expect(await statuses(callerOf())).toEqual(all);
  const strict = callerOf({ settings: { configurationToken: 'required' } });
  expect(await statuses(strict)).toEqual([401, 401, 401, 200, 200, 401, 401, 401, 200, 200]);
  expect(await statuses(strict, { authorization: 'Bearer dal:new' })).toEqual(all);
});

test('Customers read of properties what their definitions let them, with defaults', async () => {
  const { configure, customer } = callerOf();
  await granted(
    configure('update_license_properties', { properties: { shop: { shown: 'a', hidden: 'b', unread: 'c' } } }),
  );
  await granted(
    configure('update_group_properties', { group_id: 1, properties: { shop: { shown: 'd', hidden: 'e' } } }),
  );
  const ofLicense = (query: object) => granted(customer('dal:kim', 'list_license_properties', query));
  const ofGroup = (query: object) => granted(customer('dal:kim', 'list_group_properties', query));
  expect(await ofLicense({})).toEqual({ shop: { shown: 'a' } });
  expect(await ofLicense({ namespace: 'shop', name: 'hidden' })).toEqual({});
  // The name is exact.
  expect(await ofLicense({ name: 'sho' })).toEqual({});
  expect(await ofLicense({ name: 'shown' })).toEqual({ shop: { shown: 'a' } });
  expect(await ofLicense({ namespace: 'limits' })).toEqual({});
  expect(await ofGroup({ id: 1 })).toEqual({ shop: { shown: 'd', standard: 3 } });
  expect(await ofGroup({ id: 2, name: 'standard' })).toEqual({ shop: { standard: 3 } });
});

test.each<[string, Seed]>([
  ['forms[0]', { forms: [{ type: 'prechat', group_id: 9 }] }],
  ['forms[0].fields[0].options', { forms: [{ type: 'prechat', fields: [{ type: 'radio', label: 'R' }] }] }],
  [
    'forms[0].fields[0].options',
    { forms: [{ type: 'prechat', fields: [{ type: 'name', label: 'N', options: [{ label: 'A' }] }] }] },
  ],
  [
    'forms[0].fields[0].options[0].group_id',
    { forms: [{ type: 'prechat', fields: [{ type: 'group_chooser', label: 'G', options: [{ label: 'A' }] }] }] },
  ],
  [
    'forms[0].fields[0].options[0].group_id',
    {
      forms: [
        { type: 'prechat', fields: [{ type: 'group_chooser', label: 'G', options: [{ label: 'A', group_id: 9 }] }] },
      ],
    },
  ],
  [
    'forms[0].fields[0].options[0].group_id',
    { forms: [{ type: 'prechat', fields: [{ type: 'radio', label: 'R', options: [{ label: 'A', group_id: 0 }] }] }] },
  ],
  [
    'forms[0].fields',
    {
      forms: [
        {
          type: 'prechat',
          fields: [
            { id: '1', type: 'name', label: 'N' },
            { type: 'email', label: 'E' },
          ],
        },
      ],
    },
  ],
  ['forms[1]', { forms: [{ type: 'ticket' }, { type: 'ticket' }] }],
  ['buttons[0]', { buttons: [{ id: 'b', type: 't', online_value: '', offline_value: '', group_id: 9 }] }],
])('A seed is refused for a wrong %s', (path, seed) => {
  expect(() => createChatCaller({ seed })).toThrow(path);
});

test('A form names an existing group when it is set, and keeps naming it when that is deleted', async () => {
  const { control, configure, customer, emulator } = callerOf();
  const form = (group_id: number) => ({
    type: 'prechat',
    fields: [{ type: 'group_chooser', label: 'Ask', options: [{ label: 'X', group_id }] }],
  });
  const refused = await control('forms/set', form(9));
  expect([refused.status, refused.body.error.message]).toEqual([
    400,
    expect.stringContaining('`fields[0].options[0].group_id`'),
  ]);
  await granted(control('forms/set', form(3)));
  await granted(control('forms/set', { ...form(1), group_id: 3 }));
  await granted(configure('delete_group', { id: 3 }));
  const { form: shown } = await granted(customer('dal:kim', 'get_form', { group_id: 1, type: 'prechat' }));
  expect(shown.fields[0].options).toEqual([{ id: '0', label: 'X', group_id: 3 }]);
  // Its own form goes with it.
  const kept = emulator.snapshot().tables.forms.flatMap((row) => row.at(-1)?.value ?? []);
  expect(kept.map(({ group }) => group)).toEqual(['all']);
});
