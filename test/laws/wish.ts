// Nothing in; random wishes for a license of version 3.6 or later out, as slots that later become manifests. Knows nothing of planner or emulator.

import fc from 'fast-check';
import type { Json, JsonObject, Spec } from '../../src/base/model.ts';
import { ROUTING_STATUSES } from '../../src/base/routing-status.ts';
import { DRAWINGS } from './kinds/index.ts';
import {
  AGENTS,
  BOTS,
  columns,
  DEFINITIONS,
  type Entry,
  entry,
  GROUPS,
  maybe,
  OTHER_AGENTS,
  partly,
  present,
  priority,
  RULES,
  slots,
  TEMPLATES,
  text,
} from './slots.ts';

/** The one definition that is ever published. */
const PUBLISHED = 4;
export interface Wish {
  readonly agents: readonly (AgentWish | null)[];
  readonly groups: readonly (GroupWish | null)[];
  /** Row by row, one per agent; column by column, one per group. */
  readonly edges: readonly (readonly (string | null)[])[];
  readonly bots: readonly (BotWish | null)[];
  readonly templates: readonly (Entry | null)[];
  readonly rules: readonly RuleWish[];
  /** By kind, what its drawing wishes. */
  readonly drawn: { readonly [kind: string]: unknown };
  readonly definitions: readonly (Entry | null)[];
  /** Index of the value, by definition. */
  readonly licenseValues: readonly (number | null)[];
  /** By group, then by definition. */
  readonly groupValues: readonly (readonly (number | null)[])[];
  /** Whether externals are named by id where they can be. */
  readonly externalsById: boolean;
}

interface AgentWish extends Entry {
  readonly named: boolean;
  readonly declaresGroups: boolean;
}

interface GroupWish extends Entry {
  readonly declaresAgents: boolean;
  /** Whether its map names every other agent alone, and keeps who else is in. */
  readonly keepsOthers: boolean;
}

interface BotWish extends Entry {
  readonly declaresGroups: boolean;
  readonly groups: readonly (string | null)[];
}

interface RuleWish extends Entry {
  readonly slot: number;
  readonly groups: readonly number[];
}

const schedule = fc.array(
  fc.record({
    day: fc.constantFrom('monday', 'tuesday', 'sunday'),
    enabled: fc.boolean(),
    start: fc.constantFrom('00:00', '08:00'),
    end: fc.constantFrom('12:30', '23:59'),
  }),
  { maxLength: 3 },
);
const timezone = fc.constantFrom('Europe/Warsaw', 'America/New_York', 'UTC');
export const workScheduler: fc.Arbitrary<Json> = fc.oneof(
  fc.record({ timezone, schedule }),
  fc.record({ timezone }),
  fc.constant({ schedule: [] }),
  fc.constant({}),
);

export const agentSpec = partly({
  role: fc.constantFrom('viceowner', 'administrator', 'normal'),
  login_status: fc.constantFrom('accepting chats', 'not accepting chats'),
  avatar_path: fc.constantFrom('', 'https://example.com/a.png'),
  job_title: text,
  mobile: text,
  max_chats_count: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 100 })),
  awaiting_approval: fc.boolean(),
  suspended: fc.boolean(),
  notifications: fc.shuffledSubarray(['new_visitor', 'ticket', 'new_goal', 'incoming_chat']),
  email_subscriptions: fc.shuffledSubarray(['daily_summary', 'weekly_summary']),
  work_scheduler: workScheduler,
});

export const groupSpec = partly({ language_code: fc.constantFrom('en', 'de', 'pl') });

const botFields = {
  avatar: fc.constantFrom('', 'https://example.com/b.png'),
  max_chats_count: fc.integer({ min: 0, max: 500 }),
  default_group_priority: priority,
  job_title: text,
};
export const botSpec = partly({
  ...botFields,
  // The status of an `ai_agent` is set by tokens of its owner client alone.
  type: fc.constantFrom('chatbot', 'greeter'),
  routing_status: fc.constantFrom(...ROUTING_STATUSES),
  owner_client_id: fc.constantFrom('client-1', 'client-2'),
  work_scheduler: workScheduler,
});
export const templateSpec = partly({ ...botFields, affect_existing_installations: fc.boolean() });

/** A rule that is the same in most wishes, so that only its place differs. */
function plainRule(token: string): fc.Arbitrary<Spec> {
  return fc.constant({ conditions: { url: { values: [{ value: `/${token}` }] } } });
}

/** Equal for items of which a rule can have one. */
const meaningOf = ({ value, exact_match: exact }: JsonObject): string => `${value} ${exact === true}`;

/** Every rule looks for a text of its own, so that no two are the same rule. */
export function ruleSpec(token: string): fc.Arbitrary<Spec> {
  const matches = (own: readonly string[]): fc.Arbitrary<Json> => {
    const item = (value: string): fc.Arbitrary<JsonObject> =>
      fc.record({ value: fc.constant(value), exact_match: fc.boolean() }, { requiredKeys: ['value'] });
    const others = fc.uniqueArray(fc.constantFrom('/a', '/b').chain(item), { maxLength: 2, selector: meaningOf });
    const items = fc.tuple(fc.tuple(...own.map(item)), others).map(([first, more]): Json => [...more, ...first]);
    return fc.oneof(fc.record({ values: items }), fc.record({ exclude_values: items }));
  };
  const place = fc
    .record(
      {
        country: fc.constant('Poland'),
        country_code: fc.constant('PL'),
        region: fc.constantFrom('Mazovia', 'Silesia'),
        city: fc.constantFrom('Warsaw', 'Gliwice'),
      },
      { requiredKeys: [] },
    )
    .filter((item) => Object.keys(item).length > 0);
  return fc.record(
    {
      description: fc.constantFrom('', `about ${token}`),
      conditions: fc.record(
        {
          url: matches([`/${token}`]),
          domain: matches(['shop.example.com']),
          geolocation: fc.record({
            values: fc.uniqueArray(place, { minLength: 1, maxLength: 3, selector: (item) => JSON.stringify(item) }),
          }),
        },
        { requiredKeys: ['url'] },
      ),
    },
    { requiredKeys: ['conditions'] },
  );
}

const rights = fc.constantFrom(['read', 'write'], ['write', 'read']);
const location = fc.oneof(
  fc.record({ agent: rights }),
  fc.record({ agent: rights, customer: fc.subarray(['read', 'write']) }),
);

/** Domains and ranges always contain the values of the slot, so that values survive a change of their definition. */
export function definitionSpec(slot: number): fc.Arbitrary<Spec> {
  const description = fc.option(fc.constantFrom('', 'What it says', 'Something else'), { nil: undefined });
  const definition = DEFINITIONS[slot] ?? DEFINITIONS[0];
  const own: readonly Json[] = definition.values;
  if (slot === PUBLISHED) {
    const publish = fc.option(fc.constantFrom(['read'], ['read', 'write'], ['write', 'read']), { nil: undefined });
    const access = { license: { agent: ['read', 'write'] }, group: { agent: ['read', 'write'] } };
    return fc.record({ description, publish }).map((members) => present({ type: definition.type, access, ...members }));
  }
  const access = fc
    .record({ license: location, group: location, chat: location }, { requiredKeys: [] })
    .filter((locations) => Object.keys(locations).length > 0);
  const limit = fc.oneof(
    fc.constant({}),
    fc.shuffledSubarray([...own], { minLength: own.length }).map((domain): Spec => ({ domain })),
    ...(definition.type === 'int'
      ? [
          fc.constant<Spec>({ domain: [0, 5, 10, 20] }),
          fc
            .record({ from: fc.integer({ min: -5, max: 0 }), to: fc.integer({ min: 10, max: 15 }) })
            .map((range): Spec => ({ range })),
        ]
      : []),
  );
  const preset = fc.option(fc.constantFrom(...own), { nil: undefined });
  return fc.record({ description, access, limit, preset }).map(({ description, access, limit, preset }) =>
    present({
      type: definition.type,
      description,
      access,
      ...limit,
      default_value: 'license' in access || 'group' in access ? preset : undefined,
    }),
  );
}

const NAMES = ['Amber', 'Blue', 'Coral', 'Dune'];
const BOT_NAMES = ['Robo', 'Helper', 'Owl'];

const named = (names: readonly string[], specs: fc.Arbitrary<readonly Spec[]>): fc.Arbitrary<readonly Spec[]> =>
  fc
    .tuple(fc.shuffledSubarray([...names], { minLength: names.length }), specs)
    .map(([order, given]) => given.map((spec, index) => ({ name: order[index] ?? '', ...spec })));

const groups = fc
  .tuple(
    named(
      NAMES,
      slots(GROUPS.length, () => groupSpec),
    ),
    slots(GROUPS.length, () =>
      maybe(fc.record({ ...entry(['name']), declaresAgents: fc.boolean(), keepsOthers: fc.boolean() })),
    ),
  )
  .map(([specs, rest]) => rest.map((each, slot) => (each === null ? null : { ...each, spec: specs[slot] ?? {} })));

const bots = fc
  .tuple(
    named(
      BOT_NAMES,
      slots(BOTS.length, () => botSpec),
    ),
    slots(BOTS.length, () =>
      maybe(
        fc.record({
          ...entry(['name']),
          declaresGroups: fc.boolean(),
          groups: slots(columns, () => maybe(priority, 2)),
        }),
      ),
    ),
  )
  .map(([specs, rest]) => rest.map((each, slot) => (each === null ? null : { ...each, spec: specs[slot] ?? {} })));

export const wish: fc.Arbitrary<Wish> = fc.record({
  agents: slots(AGENTS.length, (slot) =>
    maybe(
      fc.record({
        ...entry(['name']),
        spec: agentSpec.map((spec): Spec => ({ name: `Agent ${slot}`, ...spec })),
        named: fc.boolean(),
        declaresGroups: fc.boolean(),
      }),
    ),
  ),
  groups,
  edges: slots(AGENTS.length + OTHER_AGENTS.length, () => slots(columns, () => maybe(priority, 2))),
  bots,
  templates: slots(TEMPLATES.length, (slot) =>
    maybe(
      fc.record({
        ...entry(['name']),
        spec: templateSpec.map(
          (spec): Spec => ({ name: `Template ${slot}`, owner_client_id: `client-${slot + 1}`, ...spec }),
        ),
      }),
    ),
  ),
  rules: fc.shuffledSubarray(Array.from(RULES.keys())).chain((order) =>
    fc.tuple(
      ...order.map((slot) =>
        fc.record({
          ...entry(['access', 'conditions']),
          slot: fc.constant(slot),
          spec: fc.oneof(plainRule(RULES[slot] ?? ''), ruleSpec(RULES[slot] ?? '')),
          groups: fc.shuffledSubarray(Array.from({ length: columns }, (_, column) => column)),
        }),
      ),
    ),
  ),
  drawn: fc.record(Object.fromEntries(DRAWINGS.map(({ kind, wish }) => [kind, wish]))),
  definitions: slots(DEFINITIONS.length, (slot) =>
    maybe(fc.record({ ...entry(['type', 'access']), spec: definitionSpec(slot) })),
  ),
  licenseValues: slots(DEFINITIONS.length, () => maybe(fc.nat(2), 2)),
  groupValues: slots(GROUPS.length, () => slots(DEFINITIONS.length, () => maybe(fc.nat(2), 2))),
  externalsById: fc.boolean(),
});
