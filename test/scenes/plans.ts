// Situations of a plan: licenses and wishes for the planner, and what no small wish leads to, by hand.

import type { Address, Desired, Diagnostic, LedgerState, Live, Spec } from '../../src/base/model.ts';
import { commentMarkdown, NOWHERE } from '../../src/features/plan/comment.ts';
import { picturesOf } from '../../src/features/plan/operation.ts';
import type { PlanPictures } from '../../src/features/plan/pictures.ts';
import { planView } from '../../src/features/plan/view.ts';
import { makePlan } from '../../src/plan/assemble.ts';
import { compare } from '../../src/plan/compare.ts';
import type { PlannerOptions } from '../../src/plan/input.ts';
import type { Note, Plan, PlannedRouting, ResourceChange, ResourceDrift, Withheld } from '../../src/plan/plan.ts';
import { CHANGE_STATES, type PlanResult, type ReviewedPlan, reviewed } from '../../src/plan/review/plan-result.ts';
import { ROUTING_DEFAULTS } from '../../src/routing/settings.ts';
import type { Declared } from '../../src/target/prepare.ts';
import { commandDocument } from '../../src/view/documents.ts';
import { uncoloured } from '../../src/view/paint.ts';
import { terminalText } from '../../src/view/writers/terminal.ts';
import { declare, desiredOf } from '../desired.ts';
import { ledgerOf, liveOf, object } from '../plan/license.ts';
import { EVERYTHING } from '../world.ts';
import { AT, abridged, type Outputs, planOutputs, styleOf } from './outputs.ts';

const CLIENT = 'client-1';
const ACCESS = { chat: { agent: ['read'] } };
const WIDER = { chat: { agent: ['read', 'write'] } };
const ANN = 'ann@example.com';
const BOB = 'bob@example.com';

const ZOE = object('agent', 'zoe@example.com', { name: 'Zoe', role: 'owner' });

function week(...days: readonly (readonly [day: string, start: string, end: string])[]): Spec {
  const schedule = days.map(([day, start, end]) => ({ day, enabled: true, start, end }));
  return { timezone: 'Europe/Warsaw', schedule };
}

const OFFICE = week(['monday', '09:00', '17:00'], ['sunday', '00:00', '12:00']);

function on(...values: readonly string[]): Spec {
  return { url: { values: values.map((value) => ({ value })) } };
}

interface Given {
  readonly desired: Desired;
  readonly live: Live;
  readonly ledger?: LedgerState;
  readonly options?: Partial<PlannerOptions>;
  readonly moved?: readonly { readonly from: Address; readonly to: Address }[];
  /** Changes the plan by hand. */
  readonly edit?: (plan: Plan) => Plan;
  readonly diagnostics?: readonly Diagnostic[];
  readonly digest?: string | null;
  /** With the pictures of the license. */
  readonly scene?: true;
}

export function plannedFrom({
  desired,
  live,
  ledger = ledgerOf({}),
  options,
  edit,
  diagnostics = [],
  ...more
}: Given): {
  readonly of: ReviewedPlan;
  readonly scene: PlanPictures | null;
} {
  const input = {
    desired,
    live,
    ledger,
    moved: [...(more.moved ?? [])] as never,
    options: { ...EVERYTHING, mayApprove: false, target: 'production', ...options },
  };
  const { plan, problems } = makePlan(input);
  if (plan === null) throw new Error(problems.map(({ message }) => message).join('; '));
  const edited = edit?.(plan) ?? plan;
  const digest = more.digest === undefined ? 'd'.repeat(64) : more.digest;
  const settings = {
    name: 'production',
    apiVersion: '3.6',
    routing: { ...ROUTING_DEFAULTS, timezone: 'Europe/Warsaw' },
  };
  const scene =
    more.scene === undefined
      ? null
      : picturesOf({ settings, desired } as unknown as Declared, compare(input), Date.parse(AT));
  return { of: reviewed(edited, diagnostics, digest), scene };
}

function outputsOf(given: Given): Outputs {
  const { of, scene } = plannedFrom(given);
  return planOutputs(of, scene);
}

/** And the document, which is the plan itself. */
function withDocument(given: Given): Outputs {
  const { plan, diagnostics } = plannedFrom(given).of;
  return { ...outputsOf(given), 'plan.json': commandDocument({ ...plan }, diagnostics) };
}

const EMPTY = liveOf(ZOE, object('group', 0, { name: 'General', language_code: 'en' }));

/** What a small company declares first. */
const COMPANY = desiredOf([
  declare('agent', ANN, { name: 'Ann', role: 'administrator', max_chats_count: 6, work_scheduler: OFFICE }),
  declare('agent', BOB, { name: 'Bob' }),
  declare('group', 'sales', { name: 'Sales', language_code: 'en', agent_priorities: { [`agent/${ANN}`]: 'first' } }),
  declare('group', 'support', {
    name: 'Support "24/7"',
    language_code: 'pl',
    agent_priorities: { [`agent/${ANN}`]: 'normal', [`agent/${BOB}`]: 'last' },
  }),
  declare('bot', 'triage', { name: 'Triage', default_group_priority: 'first', groups: { 'group/sales': 'first' } }),
  declare('auto_access', 'pricing', {
    description: 'Prices',
    access: { groups: ['group/sales'] },
    conditions: on('/pricing'),
  }),
  declare('auto_access', 'rest', { description: 'Rest', access: { groups: ['group/support'] }, conditions: on('/') }),
  declare('property', `${CLIENT}/tier`, { type: 'string', access: ACCESS, domain: ['gold', 'silver'] }),
  declare('license_property', `${CLIENT}/tier`, { value: 'gold' }),
]);

export const FIRST: Given = { desired: COMPANY, live: EMPTY, digest: null, scene: true };

const SALES: Spec = { name: 'Sales', language_code: 'en', agent_priorities: { [ANN]: 'first' } };

const SALES_ONLY = declare('group', 'sales', {
  name: 'Sales',
  language_code: 'en',
  agent_priorities: { [`agent/${ANN}`]: 'first' },
});

const ONE: Given = {
  desired: desiredOf([
    declare('group', 'sales', {
      name: 'Sales team',
      language_code: 'en',
      agent_priorities: { [`agent/${ANN}`]: 'last', [`agent/${BOB}`]: 'normal' },
    }),
  ]),
  live: liveOf(
    ZOE,
    object('agent', ANN, { name: 'Ann' }),
    object('agent', BOB, { name: 'Bob' }),
    object('group', 7, SALES),
    object('group', 8, { name: 'Nobody asks', language_code: 'en' }),
  ),
  ledger: ledgerOf({ 'group/sales': 7 }),
};

const NOTHING: Given = {
  desired: desiredOf([SALES_ONLY]),
  live: liveOf(
    ZOE,
    object('agent', ANN, { name: 'Ann' }),
    object('agent', BOB, { name: 'Bob' }),
    object('group', 7, SALES),
    ...Array.from({ length: 25 }, (_, nth) =>
      object('group', 100 + nth, { name: `Other ${nth}`, language_code: 'en' }),
    ),
  ),
  ledger: ledgerOf({ 'group/sales': 7, [`agent/${BOB}`]: BOB }, { 'group/sales': { spec: SALES } }),
};

/** Everything at once: destroys with referrers, a publication, a replacement, a new secret, a raised role, a rerouted visitor, a veto, a policy. */
const DANGERS: Given = {
  desired: desiredOf([
    declare('agent', ANN, { name: 'Ann', role: 'administrator' }),
    declare('group', 'sales', { name: 'Sales', language_code: 'pl' }),
    declare('bot', 'triage', { name: 'Triage', default_group_priority: 'first' }),
    declare('bot_template', 'partner', {
      name: 'Partner',
      avatar: 'https://example.com/a.png',
      owner_client_id: CLIENT,
      affect_existing_installations: true,
    }),
    declare('auto_access', 'pricing', {
      description: 'r1',
      access: { groups: ['group/sales'] },
      conditions: on('/r1'),
    }),
    declare('property', `${CLIENT}/tier`, { type: 'string', access: WIDER, publish: [] }),
    declare('property', `${CLIENT}/size`, { type: 'int', access: ACCESS, publish: ['read'] }),
  ]),
  live: liveOf(
    object('agent', ANN, { name: 'Ann', role: 'normal' }),
    ZOE,
    object('group', 7, { name: 'Old', language_code: 'en', agent_priorities: { [ANN]: 'normal' } }),
    object('group', 8, { name: 'Sales', language_code: 'en', agent_priorities: { [ANN]: 'normal' } }),
    object('bot', 'bot-9', { name: 'Left', default_group_priority: 'first', groups: { 7: 'first' } }),
    object('bot_template', 't1', { name: 'Partner', avatar: '', owner_client_id: CLIENT }),
    object('auto_access', 'r1', { description: 'r1', access: { groups: ['7'] }, conditions: on('/r1') }),
    object('property', `${CLIENT}/tier`, { type: 'string', access: ACCESS, publish: [] }),
    object('property', `${CLIENT}/size`, { type: 'int', access: ACCESS, publish: [] }),
  ),
  ledger: ledgerOf({
    'group/old': 7,
    'group/sales': 8,
    'bot/left': 'bot-9',
    'bot_template/partner': 't1',
    'auto_access/pricing': 'r1',
    [`property/${CLIENT}/tier`]: `${CLIENT}/tier`,
    [`property/${CLIENT}/size`]: `${CLIENT}/size`,
  }),
  options: { maxDeletes: 1, maxDeletePercent: 10, hasSink: false, acknowledged: new Set() },
  edit: (plan) => ({
    ...plan,
    notes: [
      ...plan.notes,
      {
        kind: 'secret-lost',
        address: 'bot/triage',
        message: 'nobody has its secret; reset it with `chatform secrets rotate`',
      },
    ],
  }),
};

const GUARDS: readonly Withheld['guard'][] = [
  'max_deletes',
  'max_delete_percent',
  'empty-manifest',
  'protected',
  'own-agent',
  'last-administrator',
  'last-member',
  'still-routed',
  'irreversible',
  'other-licenses',
  'data-loss',
  'secrets-sink',
  'policy',
];

/** Of every guard, as it would say it. */
const WITHHELD: Given = {
  ...ONE,
  edit: (plan) => ({
    ...plan,
    withheld: GUARDS.map((guard, nth) => ({
      guard,
      addresses: nth % 3 === 0 ? ['group/sales'] : nth % 3 === 1 ? ['group/unknown'] : [],
      message: `what ${guard} found, in <b>one</b> line`,
      remedy: `what lets it go: --acknowledge ${guard}`,
    })),
  }),
};

const POLICIES: Given = {
  ...ONE,
  edit: (plan) => ({
    ...plan,
    policies: [
      { name: 'bedtime', level: 'warn', passed: false, message: 'no plans at night', failure: null },
      { name: 'broken', level: 'warn', passed: false, message: 'no large plans', failure: 'no such key: size' },
      { name: 'names', level: 'deny', passed: false, message: 'a group has an English name', failure: null },
      { name: 'fine', level: 'deny', passed: true, message: 'all is well', failure: null },
      { name: 'calm', level: 'warn', passed: true, message: 'all is well', failure: null },
    ],
    withheld: [
      {
        guard: 'policy',
        addresses: [],
        message: 'policy names: a group has an English name',
        remedy: 'change what it is about, or the policy',
      },
    ],
  }),
};

function routed(change: Partial<PlannedRouting>, edit: (plan: Plan) => Plan = (plan) => plan): Given {
  const routing = { rerouted: [], exact: true, way: 'safe', exposed: [], longer: null, ...change } as const;
  return { ...ONE, edit: (plan) => edit({ ...plan, routing }) };
}

const NONE = { rule: null, groups: [] };
const HOME = { rule: 'auto_access/home', groups: ['group/desk'] };
const PRICES = { rule: 'auto_access/prices', groups: ['group/sales', 'group/desk'] };
const UNMANAGED = { rule: '3aad', groups: ['7'] };

const CAUSES: PlannedRouting['rerouted'] = [
  {
    before: HOME,
    after: PRICES,
    cause: { what: 'reordered', rule: 'auto_access/prices' },
    examples: [{ visitor: { url: 'https://example.com/pricing', country: 'Poland' }, on: ['/pricing'] }],
  },
  {
    before: PRICES,
    after: NONE,
    cause: { what: 'reordered', rule: 'auto_access/prices' },
    examples: ['/a', '/b', '/c', '/d', '/e'].map((page) => ({
      visitor: { url: `https://example.com${page}` },
      on: [page],
    })),
  },
  {
    before: NONE,
    after: HOME,
    cause: { what: 'added', rule: 'auto_access/home' },
    examples: [{ visitor: { url: 'https://example.com/' }, on: [] }],
  },
  {
    before: HOME,
    after: PRICES,
    cause: { what: 'removed', rule: 'auto_access/gone' },
    examples: [{ visitor: { url: 'https://example.com/x', country: 'Poland' }, on: [] }],
  },
  {
    before: HOME,
    after: UNMANAGED,
    cause: { what: 'conditions', rule: '3aad' },
    examples: [{ visitor: { url: 'https://shop.example.com/a/b' }, on: ['shop', '/a', '/b'] }],
  },
  {
    before: UNMANAGED,
    after: PRICES,
    cause: { what: 'groups', rule: 'auto_access/prices' },
    examples: [
      { visitor: { url: 'https://example.com/a', city: 'Lodz', region: 'Mazovia', country_code: 'PL' }, on: ['/a'] },
      { visitor: { url: 'https://example.com/b', country: 'Germany' }, on: ['/b'] },
    ],
  },
  {
    before: HOME,
    after: PRICES,
    cause: { what: 'added', rule: 'auto_access/prices' },
    examples: [],
  },
];

const EXPOSED = (writes: number): PlannedRouting['exposed'][number] => ({
  visitor: { url: 'https://example.com/a', country: 'Poland' },
  before: HOME,
  meanwhile: NONE,
  after: PRICES,
  writes,
});

const withStrangers = (plan: Plan): Plan => ({
  ...plan,
  unmanaged: [
    { type: 'auto_access', id: '3aad', name: 'Winter boots', released: null, reason: null },
    { type: 'group', id: 7, name: 'Gear', released: null, reason: null },
  ],
});

const ten = <T>(item: T, count = 12): readonly T[] => Array.from({ length: count }, () => item);

/** What a plan says of visitors, when it has nothing else to say: each variant by itself. */
const ROUTINGS: { readonly [name: string]: Partial<PlannedRouting> } = {
  unchanged: {},
  undecided: { exact: false },
  many: { rerouted: ten(CAUSES[0] as never) },
  'many-undecided': { rerouted: ten(CAUSES[0] as never), exact: false },
  'few-undecided': { rerouted: CAUSES.slice(0, 2), exact: false },
  'exposed-no-way': { way: 'exposed', exposed: [EXPOSED(1)] },
  'exposed-safe-order': { way: 'exposed', exposed: [EXPOSED(2)], longer: { requests: 1, rekeyed: [] } },
  'exposed-free-order': { way: 'exposed', exposed: [EXPOSED(2)], longer: { requests: 0, rekeyed: [] } },
  'exposed-new-key': { way: 'exposed', exposed: [EXPOSED(2)], longer: { requests: 2, rekeyed: ['auto_access/a'] } },
  'exposed-new-keys': {
    way: 'exposed',
    exposed: Array.from({ length: 23 }, (_, nth) => EXPOSED(nth + 1)),
    longer: { requests: 2, rekeyed: ['auto_access/a', 'auto_access/b'] },
  },
  unknown: { way: 'unknown' },
};

function routings(): Outputs {
  const each = Object.entries(ROUTINGS).map(([name, routing]) => {
    const { of } = plannedFrom(routed(routing));
    const bare: ReviewedPlan = { ...of, plan: { ...of.plan, resource_changes: [], unmanaged: [] }, cautions: [] };
    return [name, planOutputs(bare)] as const;
  });
  const joined = (file: string): string => each.map(([name, all]) => `== ${name}\n${all[file]}\n`).join('');
  const files = ['plan.txt', 'comment.md', 'page.html', 'annotations.txt'];
  return Object.fromEntries(files.map((file) => [file, joined(file)]));
}

const rule = (key: string, id: string, groups: readonly string[], page: string) =>
  object('auto_access', id, { description: key, access: { groups }, conditions: on(page) });

const REORDER: Given = {
  desired: desiredOf([
    declare('group', 'sales', { name: 'Sales', language_code: 'en' }),
    declare('auto_access', 'third', {
      description: 'third',
      access: { groups: ['group/sales'] },
      conditions: on('/c'),
    }),
    declare('auto_access', 'fresh', {
      description: 'fresh',
      access: { groups: ['group/sales'] },
      conditions: on('/d'),
    }),
    declare('auto_access', 'first', {
      description: 'renamed',
      access: { groups: ['group/sales'] },
      conditions: on('/a'),
    }),
  ]),
  live: liveOf(
    ZOE,
    object('group', 1, { name: 'Sales', language_code: 'en' }),
    rule('first', 'a1', ['1'], '/a'),
    rule('second', 'a2', ['1'], '/b'),
    rule('third', 'a3', ['1'], '/c'),
  ),
  ledger: ledgerOf({
    'group/sales': 1,
    'auto_access/first': 'a1',
    'auto_access/second': 'a2',
    'auto_access/third': 'a3',
  }),
};

/** A rule that is moved past others, and has the same number afterwards. */
const MOVED_PAST: Given = {
  ...REORDER,
  desired: desiredOf([
    declare('group', 'sales', { name: 'Sales', language_code: 'en' }),
    declare('auto_access', 'third', {
      description: 'third',
      access: { groups: ['group/sales'] },
      conditions: on('/c'),
    }),
    declare('auto_access', 'first', {
      description: 'first',
      access: { groups: ['group/sales'] },
      conditions: on('/a'),
    }),
  ]),
  scene: true,
};

const CONTRACT: Given = {
  desired: desiredOf([
    declare('agent', ANN, { name: 'Ann', max_chats_count: 50 }),
    declare('agent', BOB, { name: 'Bob' }),
    declare('property', `${CLIENT}/tier`, { type: 'string', access: ACCESS, domain: ['gold'] }),
    declare('property', `${CLIENT}/size`, { type: 'string', access: ACCESS, domain: ['xl'] }),
    declare('property', `${CLIENT}/color`, { description: 'Loyalty', access: ACCESS }),
    declare('bot_template', 'partner', { name: 'Partner', owner_client_id: CLIENT, max_chats_count: 10 }),
    declare('bot_template', 'seen', { name: 'Seen', owner_client_id: CLIENT, avatar: 'https://example.com/a.png' }),
  ]),
  live: liveOf(
    ZOE,
    object('agent', ANN, { name: 'Anna', max_chats_count: 6 }),
    object('agent', BOB, { name: 'Bob' }, { pendingApproval: true }),
    object('property', `${CLIENT}/tier`, { type: 'string', access: ACCESS, publish: [] }, { unread: ['domain'] }),
    object('property', `${CLIENT}/size`, { type: 'string', access: ACCESS, publish: [] }, { unread: ['domain'] }),
    object('property', `${CLIENT}/color`, { type: 'string', description: '', access: ACCESS, publish: [] }),
    object('bot_template', 't1', { name: 'Partner', owner_client_id: CLIENT }),
    object('bot_template', 't2', { name: 'Seen', owner_client_id: CLIENT, avatar: '' }),
  ),
  ledger: ledgerOf({
    [`agent/${ANN}`]: ANN,
    [`property/${CLIENT}/tier`]: `${CLIENT}/tier`,
    [`property/${CLIENT}/color`]: `${CLIENT}/color`,
    'bot_template/partner': 't1',
  }),
};

const note = (kind: Note['kind'], address: Address, message: string): Note => ({ kind, address, message });

/** Whose object is whose: adopted, renamed, taken back, made again, of another address. */
const OWNERSHIP: Given = {
  desired: desiredOf([
    declare('group', 'vip', { name: 'VIP', language_code: 'en' }),
    declare('group', 'gone', { name: 'Gone', language_code: 'en' }),
    declare('group', 'found', { name: 'Found', language_code: 'de' }),
    declare('group', 'same', { name: 'Same', language_code: 'en' }),
  ]),
  live: liveOf(
    ZOE,
    object('group', 1, { name: 'VIP', language_code: 'en' }),
    object('group', 2, { name: 'Found', language_code: 'en' }),
    object('group', 3, { name: 'Same', language_code: 'en' }),
  ),
  ledger: ledgerOf({ 'group/important': 1, 'group/gone': 99 }),
  moved: [{ from: 'group/important', to: 'group/vip' }],
  edit: (plan) => ({
    ...plan,
    notes: [
      ...plan.notes,
      note('never-owned', 'group/found', 'it exists and is not ours; it is adopted because its name is the same'),
      note('rebinding', 'group/same', 'its `id:` names another object than the ledger'),
      note('rename', 'group/found', 'the name changes; an object of the old name may be looked for'),
      note('recovered', 'group/vip', 'an earlier run created it, and lost the answer'),
      note('secret-lost', 'bot/triage', 'nobody has its secret; reset it with `chatform secrets rotate`'),
      note('left-out', 'group/vip', 'left out: the run is of a part'),
      note('own-agent', 'agent/ann@example.com', 'own_agent names no agent'),
      note('not-in-snapshot', 'group/vip', 'the snapshot does not say'),
      ...Array.from({ length: 12 }, (_, nth) =>
        note('pending-approval', `agent/a${nth}@example.com`, 'waits for approval'),
      ),
    ],
  }),
};

/** Twelve objects that are left out share a reason, and only a part of them is named. */
const DESTROY: Given = {
  desired: desiredOf([]),
  live: liveOf(
    ZOE,
    object('group', 1, { name: 'Support', language_code: 'en' }),
    ...Array.from({ length: 12 }, (_, nth) => object('group', 10 + nth, { name: `Team ${nth}`, language_code: 'en' })),
  ),
  ledger: ledgerOf({
    'group/support': 1,
    ...Object.fromEntries(Array.from({ length: 12 }, (_, nth) => [`group/team-${nth}`, 10 + nth])),
  }),
  options: { destroying: { adopted: false }, selects: (address) => address === 'group/support' },
};

const drifted = (nth: number, change: ResourceDrift['change']): ResourceDrift => ({
  address: `group/team-${nth}`,
  type: 'group',
  name: `Team ${nth}`,
  id: nth,
  change,
  applied_at: '2026-01-05T09:00:00.000Z',
});

const OVERWRITTEN: Given = {
  ...ONE,
  edit: (plan) => ({
    ...plan,
    resource_drift: [
      drifted(1, { actions: ['delete'], before: { name: 'One' }, after: null }),
      drifted(2, {
        actions: ['update'],
        before: { language_code: 'pl', agent_priorities: { 'agent/ann@example.com': null } },
        after: { language_code: 'en', agent_priorities: { 'agent/ann@example.com': 'normal' } },
      }),
      drifted(3, { actions: ['update'], before: { language_code: 'pl' }, after: { language_code: null } }),
      ...Array.from({ length: 20 }, (_, nth) =>
        drifted(nth + 4, { actions: ['update'], before: { name: 'was' }, after: { name: 'is' } }),
      ),
    ],
  }),
};

const against = (age_seconds: number | null): NonNullable<Plan['against']> => ({
  taken_at: '2026-11-20T19:40:00.000Z',
  age_seconds,
  digest: 'abcdef0123456789',
  full: true,
  nameless: {},
});

const SNAPSHOT: Given = { ...ONE, edit: (plan) => ({ ...plan, against: against(3 * 3600) }), digest: null };

const AGES = [null, 5, 119, 120, 7199, 7200, 172_799, 172_800, 31 * 86_400];

function ages(): Outputs {
  const lines = AGES.map((age) => {
    const { of } = plannedFrom({ ...ONE, edit: (plan) => ({ ...plan, against: against(age) }) });
    return (
      terminalText({ ...planView(of), body: [] }, uncoloured)
        .split('\n')
        .slice(0, 1)
        .join('') + '\n'
    );
  });
  return { 'ages.txt': lines.join('') };
}

const HOSTILE = 'a|`b`<b>\n::error::x\u001b[31m@team\u202e##[x] [l](u) \\ 👩‍👩‍👧‍👦';

/** The same plan with another name for everything that somebody else can name. */
export function named(plan: Plan, name: string): Plan {
  const change = (each: ResourceChange): ResourceChange => ({
    ...each,
    address: `${each.type}/${name}`,
    name,
    fields: each.fields.map((field) => ({ ...field, before: name, after: { [name]: [name], other: name } })),
    referred_by: each.referred_by.map((referrer) => ({ ...referrer, reference: name, name })),
    source: { file: name, line: 3, column: 1 },
    ...(each.change.before === null ? {} : { change: { ...each.change, before: { [name]: name } } }),
  });
  const decision = { rule: name, groups: [name, `group/${name}`] };
  const visitor = { url: name, country: name };
  return {
    ...plan,
    target: name,
    resource_changes: plan.resource_changes.map(change),
    routing: {
      rerouted: [
        {
          before: decision,
          after: decision,
          cause: { what: 'added', rule: name },
          examples: [{ visitor, on: [name] }],
        },
      ],
      exact: false,
      way: 'exposed',
      exposed: [{ visitor, before: decision, meanwhile: decision, after: decision, writes: 1 }],
      longer: null,
    },
    unmanaged: [{ type: 'group', id: name, name, released: null, reason: name }],
    resource_drift: [
      {
        ...drifted(1, { actions: ['update'], before: { [name]: name }, after: { [name]: [name] } }),
        address: `group/${name}`,
        name,
      },
    ],
    withheld: [{ guard: 'policy', addresses: [], message: name, remedy: name }],
    policies: [{ name, level: 'warn', passed: false, message: name, failure: name }],
    notes: plan.notes.map((each) => ({ ...each, address: `group/${name}`, message: name })),
  };
}

const HOSTILE_NAMES: Given = {
  ...DANGERS,
  edit: (plan) => named(plan, HOSTILE),
  diagnostics: [
    {
      code: 'nobody-there',
      severity: 'warning',
      place: { file: HOSTILE, line: 3, column: 1, length: 1 },
      message: HOSTILE,
      remedy: HOSTILE,
      excerpt: HOSTILE,
      related: [],
    },
  ],
};

/** So many changes, of which every third destroys something. */
function long(): Outputs {
  const { of } = plannedFrom(DANGERS);
  const updated = of.plan.resource_changes.find(({ address }) => address === 'group/sales') as ResourceChange;
  const going = of.plan.resource_changes.find(({ address }) => address === 'group/old') as ResourceChange;
  const resource_changes = Array.from({ length: 1000 }, (_, nth): ResourceChange => {
    const address: Address = `group/${nth % 3 === 0 ? 'gone' : 'team'}-${String(nth).padStart(5, '0')}`;
    return { ...(nth % 3 === 0 ? going : updated), address, name: address };
  });
  const plan = { ...of.plan, resource_changes, withheld: [], notes: [] };
  const outcome = reviewed(plan, [], of.digest);
  const { 'plan.txt': text = '', 'comment.md': comment = '', 'page.html': page = '' } = planOutputs(outcome);
  return {
    'plan.txt': abridged(text),
    'comment.md': abridged(comment),
    'comment-of-20000-bytes.md': abridged(commentMarkdown({ of: outcome, state: 'plan', origin: NOWHERE }, 20_000)),
    'page.html': abridged(page, 200),
  };
}

/** A comment through the life of a change. */
function states(): Outputs {
  const { of } = plannedFrom(ONE);
  const failed: PlanResult = {
    outcome: 'failed',
    target: 'production',
    message: 'the files have errors',
    diagnostics: [],
  };
  const endings = ['differing', 'withheld', 'locked', 'outdated', 'partial', 'interrupted', 'unknown'] as const;
  return {
    ...Object.fromEntries(
      CHANGE_STATES.map((state) => [`${state}.md`, commentMarkdown({ of, state, origin: NOWHERE })] as const),
    ),
    ...Object.fromEntries(
      endings.map(
        (ending) => [`failed-${ending}.md`, commentMarkdown({ of, state: 'failed', ending, origin: NOWHERE })] as const,
      ),
    ),
    'failed-without-plan.md': commentMarkdown({ of: failed, state: 'failed', origin: NOWHERE }),
  };
}

const ROUTED = routed(
  { rerouted: CAUSES, way: 'exposed', exposed: [EXPOSED(1), EXPOSED(2)], longer: { requests: 1, rekeyed: [] } },
  withStrangers,
);

export const PLANS: { readonly [situation: string]: () => Outputs } = {
  'first-plan': () => ({ ...withDocument(FIRST), 'style.css': styleOf(plannedFrom(FIRST).of) }),
  'nothing-to-do': () => outputsOf(NOTHING),
  'one-change': () => withDocument(ONE),
  dangers: () => withDocument(DANGERS),
  withheld: () => outputsOf(WITHHELD),
  policies: () => outputsOf(POLICIES),
  rerouted: () => outputsOf(ROUTED),
  routing: routings,
  reorder: () => outputsOf({ ...REORDER, scene: true }),
  'reorder-without-license': () => outputsOf(REORDER),
  'moved-past-others': () => outputsOf(MOVED_PAST),
  'field-contract': () => outputsOf(CONTRACT),
  ownership: () => outputsOf(OWNERSHIP),
  destroy: () => withDocument(DESTROY),
  overwritten: () => outputsOf(OVERWRITTEN),
  snapshot: () => ({ ...outputsOf(SNAPSHOT), ...ages() }),
  'hostile-names': () => outputsOf(HOSTILE_NAMES),
  'long-plan': long,
  'comment-states': states,
};
