// One suite that every kind passes: its contract is whole, and what the contract says is what happens on the emulator.

import { describe, expect, test } from 'vitest';
import { since } from '../../src/base/api-versions.ts';
import { equalJson } from '../../src/base/json.ts';
import type { Desired } from '../../src/base/model.ts';
import { type Json, type KindName, type Spec, VERSIONS, type Version } from '../../src/base/model.ts';
import { perVersion } from '../../src/kinds/field.ts';
import { normalise } from '../../src/kinds/fields.ts';
import { KIND_NAMES, KINDS } from '../../src/kinds/index.ts';
import { foldLedger } from '../../src/ledger/ledger.ts';
import { type Declared, declare, desiredOf } from '../desired.ts';
import { type World, world } from '../world.ts';

const CLIENT = 'client-1';

interface Sample {
  readonly key: string;
  /** Every field that the version can write. */
  readonly spec: Spec;
  /** Another value for each of those fields. */
  readonly other: Spec;
  /** What the sample hangs on. */
  readonly beside: readonly Declared[];
}

const schedule = (start: string): Json => ({
  timezone: 'Europe/Warsaw',
  schedule: [{ day: 'monday', enabled: true, start, end: '17:00' }],
});
const url = (value: string): Json => ({ url: { values: [{ value }] } });
const group = (key: string): Declared => declare('group', key, { name: `The ${key}` });
const access: Json = { license: { agent: ['read', 'write'] }, group: { agent: ['read', 'write'] } };
const definition = declare('property', `${CLIENT}/tier`, { type: 'string', access });

const message = (template_id: string): Json => ({
  template_id,
  elements: [
    {
      title: 'Cart',
      subtitle: 'Questions?',
      image: { url: 'https://example.com/cart.png' },
      buttons: [{ text: 'Ask', type: 'message', value: 'Help', postback_id: 'ask' }],
    },
  ],
});

const SAMPLES: { readonly [kind in KindName]: Sample } = {
  agent: {
    key: 'ann@example.com',
    spec: {
      name: 'Ann',
      role: 'administrator',
      login_status: 'accepting chats',
      job_title: 'Advisor',
      mobile: '+48 123',
      max_chats_count: 7,
      awaiting_approval: false,
      suspended: true,
      groups: { 'group/sales': 'first' },
      notifications: ['ticket', 'incoming_chat'],
      email_subscriptions: ['daily_summary'],
      work_scheduler: schedule('09:00'),
    },
    other: {
      name: 'Anna',
      role: 'normal',
      login_status: 'not accepting chats',
      job_title: '',
      mobile: '+48 456',
      max_chats_count: 8,
      awaiting_approval: true,
      suspended: false,
      groups: { 'group/sales': 'last' },
      notifications: ['ticket'],
      email_subscriptions: [],
      work_scheduler: schedule('10:00'),
    },
    beside: [group('sales')],
  },
  group: {
    key: 'sales',
    spec: { name: 'Sales', language_code: 'pl', agent_priorities: { 'agent/bob@example.com': 'normal' } },
    other: { name: 'Shop', language_code: 'en', agent_priorities: {} },
    beside: [declare('agent', 'bob@example.com', { name: 'Bob' })],
  },
  bot: {
    key: 'triage',
    spec: {
      name: 'Triage',
      avatar: 'https://example.com/a.png',
      max_chats_count: 50,
      default_group_priority: 'first',
      job_title: 'Bot',
      type: 'greeter',
      routing_status: 'accepting_chats',
      owner_client_id: CLIENT,
      groups: { 'group/sales': 'first' },
      work_scheduler: schedule('09:00'),
    },
    other: {
      name: 'Triage 2',
      avatar: 'https://example.com/b.png',
      max_chats_count: 60,
      default_group_priority: 'last',
      job_title: 'Robot',
      type: 'chatbot',
      routing_status: 'not_accepting_chats',
      owner_client_id: 'client-2',
      groups: {},
      work_scheduler: schedule('10:00'),
    },
    beside: [group('sales')],
  },
  bot_template: {
    key: 'scout',
    spec: {
      name: 'Scout',
      avatar: 'https://example.com/a.png',
      max_chats_count: 50,
      default_group_priority: 'first',
      job_title: 'Bot',
      owner_client_id: CLIENT,
      affect_existing_installations: false,
    },
    other: {
      name: 'Scout 2',
      avatar: 'https://example.com/b.png',
      max_chats_count: 60,
      default_group_priority: 'last',
      job_title: 'Robot',
      owner_client_id: 'client-2',
      affect_existing_installations: true,
    },
    beside: [],
  },
  auto_access: {
    key: 'pricing',
    spec: { description: 'Prices', access: { groups: ['group/sales'] }, conditions: url('/pricing') },
    other: { description: '', access: { groups: ['group/support'] }, conditions: url('/prices') },
    beside: [group('sales'), group('support')],
  },
  greeting: {
    key: 'cart_help',
    spec: {
      name: 'Cart help',
      group: 'group/sales',
      type: 'normal',
      active: true,
      active_from: '2026-01-01T00:00:00Z',
      active_until: '2030-01-01T00:00:00Z',
      rules: [{ condition: 'and', type: 'url_current', operator: 'contains', value: '/cart' }],
      properties: { 'greeting-message_text': 'Need a hand?' },
      rich_message: message('cards'),
    },
    other: {
      name: 'Basket help',
      group: 'group/support',
      type: 'announcement',
      active: false,
      active_from: '',
      active_until: '2031-01-01T00:00:00Z',
      rules: [],
      properties: {},
      rich_message: message('quick_replies'),
    },
    beside: [group('sales'), group('support')],
  },
  tag: {
    key: 'returns/late',
    spec: { groups: ['group/sales', 'group/support'] },
    other: { groups: [] },
    beside: [group('sales'), group('support')],
  },
  canned_response: {
    key: 'hello',
    spec: { text: 'Hi, <b>how</b> can I help?', tags: ['hello', 'hi'], group: 'group/sales', is_private: false },
    other: { text: 'Hello.', tags: ['hi', 'hello'], group: 'group/support', is_private: true },
    beside: [group('sales'), group('support')],
  },
  property: {
    key: `${CLIENT}/score`,
    spec: {
      type: 'int',
      description: 'Score',
      access,
      range: { from: 1, to: 5 },
      default_value: 3,
      publish: ['read', 'write'],
    },
    other: {
      type: 'string',
      description: 'Points',
      access: { license: { agent: ['read'] } },
      range: { from: 1, to: 9 },
      default_value: 4,
      publish: ['read'],
    },
    beside: [],
  },
  license_property: {
    key: `${CLIENT}/tier`,
    spec: { value: 'gold' },
    other: { value: 'silver' },
    beside: [definition],
  },
  group_property: {
    key: `sales/${CLIENT}/tier`,
    spec: { value: 'gold' },
    other: { value: 'silver' },
    beside: [definition, group('sales')],
  },
  webhook: {
    key: 'ended',
    spec: {
      owner_client_id: CLIENT,
      type: 'license',
      action: 'incoming_event',
      url: 'https://hooks.example.com/a',
      secret_key: { env: 'HOOK_SECRET' },
      description: 'Events',
      additional_data: ['chat_properties'],
      filters: { author_type: 'customer', chat_presence: { user_ids: { values: ['b', 'a'] } } },
    },
    other: {
      owner_client_id: 'client-2',
      type: 'bot',
      action: 'event_updated',
      url: 'https://hooks.example.com/b',
      secret_key: { env: 'OTHER_HOOK_SECRET' },
      description: '',
      additional_data: [],
      filters: {},
    },
    beside: [],
  },
  webhook_state: { key: CLIENT, spec: { enabled: false }, other: { enabled: true }, beside: [] },
  allowed_domain: { key: 'shop.example', spec: {}, other: {}, beside: [] },
};

/** Before 3.6, an avatar can be set, a bot has no type, and a group is made only with an agent of priority `normal`. */
function sampleOf(name: KindName, version: Version): Sample {
  const sample = SAMPLES[name];
  if (since('3.6').includes(version)) return sample;
  const groups = sample.beside.filter(({ kind }) => kind === 'group').map(({ key }) => [`group/${key}`, 'normal']);
  const desk = declare('agent', 'desk@example.com', { name: 'Desk', groups: Object.fromEntries(groups) });
  const beside = groups.length === 0 ? sample.beside : [...sample.beside, desk];
  const avatar = (path: string): Spec => (name === 'agent' ? { avatar_path: `https://example.com/${path}` } : {});
  const [spec, other] = [
    { ...untyped(name, sample.spec), ...avatar('a.png') },
    { ...untyped(name, sample.other), ...avatar('b.png') },
  ];
  return { ...sample, spec, other, beside };
}

function untyped(name: KindName, { type, ...rest }: Spec): Spec {
  return name === 'bot' || type === undefined ? rest : { ...rest, type };
}

/** A license that has the sample and what it hangs on. With a personal token, because only that may say whose a bot is in both versions. */
/** The sample may be the last one that gets the chats of a group. */
function everythingIn({ resources }: Desired): ReadonlySet<string> {
  return new Set(['deletes', 'empty-manifest', ...resources.map(({ address }) => address)]);
}

async function withSample(name: KindName, version: Version): Promise<World> {
  const { key, spec, beside } = sampleOf(name, version);
  const license = world({ version, credential: { kind: 'basic', accountId: 'account', token: 'test-token' } });
  const desired = desiredOf([...beside, declare(name, key, spec)]);
  const acknowledged = new Set([`${name}/${key}`]);
  const report = await license.apply(await license.plan(desired, { acknowledged }), desired);
  expect(report.outcome, JSON.stringify(report.results.filter(({ outcome }) => outcome.status !== 'done'))).toBe(
    'done',
  );
  return license;
}

const EACH = VERSIONS.flatMap((version) =>
  KIND_NAMES.filter((name) => KINDS[name].versions.includes(version)).map((name) => [name, version] as const),
);

describe.each(EACH)('%s in version %s', (name, version) => {
  const kind = KINDS[name];
  const sample = sampleOf(name, version);
  const address = `${name}/${sample.key}` as const;
  const written = Object.keys(kind.fields).filter(
    (field) => perVersion(kind.fields[field]?.writable ?? 'never', version) !== 'never',
  );

  test('its contract names only fields that it has, and says of each what it is', () => {
    const known = new Set(Object.keys(kind.fields));
    expect(
      [...kind.required, ...(kind.identifying ?? []), ...Object.keys(kind.transitions ?? {})].filter(
        (field) => !known.has(field),
      ),
    ).toEqual([]);
    for (const [field, { about, schema, limit, writable }] of Object.entries(kind.fields)) {
      expect(about, field).toMatch(/^[A-Z].*\.$/);
      expect(Object.keys(schema).length, field).toBeGreaterThan(0);
      if (limit !== undefined) expect(schema['type']).toMatch(/^(integer|string)$/);
      if (writable === 'transition') expect(kind.transitions?.[field], field).toBeDefined();
      if (kind.update === undefined) expect(perVersion(writable, version), field).not.toBe('always');
    }
  });

  test('its sample has a value and another one for every field that the version can write', () => {
    const sampled = name === 'property' ? written.filter((field) => field !== 'domain') : written;
    expect(Object.keys(sample.spec).sort()).toEqual([...sampled].sort());
    expect(Object.keys(sample.other).sort()).toEqual([...sampled].sort());
  });

  test('normalising twice is normalising once', () => {
    const once = normalise(kind, sample.spec);
    expect(normalise(kind, once)).toEqual(once);
  });

  test('what is created is what is read: the plan after it is empty', async () => {
    const license = await withSample(name, version);
    const desired = desiredOf([...sample.beside, declare(name, sample.key, sample.spec)]);
    const plan = await license.plan(desired);
    expect(plan.resource_changes).toEqual([]);
    expect(plan.references[address]).toBeDefined();
  });

  test('without a ledger its natural key finds it, and nothing is created', async () => {
    const license = await withSample(name, version);
    const desired = desiredOf([...sample.beside, declare(name, sample.key, sample.spec)]);
    const id = (await license.plan(desired)).references[address];
    const ledger = await license.ledger.read();
    await license.ledger.append(
      ledger.flatMap((event) =>
        event.type === 'bound'
          ? [{ v: 1, run: 'r', at: event.at, type: 'forgotten', address: event.address } as const]
          : [],
      ),
    );
    const plan = await license.plan(desired);
    expect(plan.summary.add).toBe(0);
    expect(plan.bindings.adopt).toContainEqual({ address, id });
  });

  test.each(Object.keys(sample.other))(
    'a difference in `%s` is closed, or said to be out of reach, as the contract has it',
    async (field) => {
      const license = await withSample(name, version);
      const changed = { ...sample.spec, [field]: sample.other[field] ?? null };
      const desired = desiredOf([...sample.beside, declare(name, sample.key, changed)]);
      const plan = await license.plan(desired, { acknowledged: new Set([address]) });
      const change = plan.resource_changes
        .find((each) => each.address === address)
        ?.fields.find((each) => each.field === field);
      const contract = kind.fields[field];
      if (contract?.option === true) {
        expect(plan.steps).toEqual([]);
        return;
      }
      expect(change, JSON.stringify(plan.resource_changes)).toBeDefined();
      if (contract?.writable !== undefined && perVersion(contract.writable, version) === 'always')
        expect(change?.reach).toBe('write');
      if (change?.reach === 'unreachable') {
        expect(change.reason).not.toBeNull();
        expect(plan.steps).toEqual([]);
        return;
      }
      const report = await license.apply(plan, desired);
      expect(report.outcome).toBe('done');
      expect((await license.plan(desired)).resource_changes).toEqual([]);
    },
  );

  test('its secret is told when it is made and when it is reset, in the versions that say so', async () => {
    const license = await withSample(name, version);
    if (kind.secret?.versions.includes(version) !== true) {
      expect(license.kept.get(address)).toBeUndefined();
      return;
    }
    const { reset } = kind.secret;
    const { id } = foldLedger(await license.ledger.read()).bindings.get(address) ?? { id: '' };
    const owner = reset.owner.isNeeded('basic') ? String(sample.spec[reset.owner.field]) : null;
    const { action, body } = reset.call(id, { owner, installations: reset.installations === true });
    const secret = reset.of(await license.client.call(action, body));
    expect(license.kept.get(address)).toEqual(expect.any(String));
    expect(secret).toEqual(expect.any(String));
    expect(secret).not.toBe(license.kept.get(address));
    expect(reset.of({})).toBeNull();
  });

  test('what is no longer declared is deleted where its kind is pruned, and kept where it is not', async () => {
    const license = await withSample(name, version);
    const desired = desiredOf(sample.beside);
    const plan = await license.plan(desired, { acknowledged: new Set([...everythingIn(desired), address]) });
    const deletes = plan.steps.filter(({ operation }) => operation === 'delete').map((step) => step.address);
    const isPublished = equalJson(sample.spec['publish'] ?? null, ['read', 'write']);
    if (kind.prune === 'none' || isPublished) {
      expect(deletes).not.toContain(address);
      expect(plan.unmanaged.map(({ released }) => released)).toContain(address);
      return;
    }
    expect(deletes).toContain(address);
    expect((await license.apply(plan, desired)).outcome).toBe('done');
    expect((await license.plan(desired)).steps).toEqual([]);
  });

  test('what nobody declared is listed as unmanaged, and goes only where nothing undeclared is to be there', async () => {
    const license = await withSample(name, version);
    const whole = desiredOf([...sample.beside, declare(name, sample.key, sample.spec)]);
    const id = (await license.plan(whole)).references[address];
    const at = new Date(license.clock.now()).toISOString();
    await license.ledger.append([
      { v: 1, run: 'r', at, type: 'forgotten', address },
      // Of a kind that nothing was ever declared of, nothing is listed.
      { v: 1, run: 'r', at, type: 'bound', address: `${address}-gone`, id: 'gone', origin: 'created' },
    ]);
    const desired = { ...desiredOf(sample.beside), namespaces: [CLIENT] };
    const listed = await license.plan(desired);
    expect(listed.unmanaged).toContainEqual(expect.objectContaining({ type: name, id, released: null }));
    expect(listed.steps).toEqual([]);
    if (kind.incomplete !== undefined) return;
    const complete = { ...desired, complete: [name] };
    const acknowledged = new Set([...everythingIn(complete), `${name}/${id}`]);
    const plan = await license.plan(complete, { acknowledged });
    const deletes = plan.steps.filter(({ operation }) => operation === 'delete').map((step) => step.address);
    const isPublished = equalJson(sample.spec['publish'] ?? null, ['read', 'write']);
    if (isPublished || (name === 'bot' && version === '3.3')) {
      expect(deletes).toEqual([]);
      expect(plan.unmanaged.find((each) => each.id === id)?.reason).not.toBeNull();
      return;
    }
    expect(deletes).toContain(`${name}/${id}`);
    expect((await license.apply(plan, complete)).outcome).toBe('done');
    expect((await license.plan(complete)).steps).toEqual([]);
  });
});
