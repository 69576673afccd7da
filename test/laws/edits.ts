// Random edits by hand, sent straight to the emulator, as somebody would make them past chatform. What the service refuses is not done.

import fc from 'fast-check';
import type { Json, JsonObject } from '../../src/base/model.ts';
import type { Emulator } from '../../src/emulator/index.ts';
import { sendTo } from '../wire.ts';
import { mailOf } from './manifest.ts';
import { recordsOf, ruleOrderOf } from './records.ts';
import {
  AGENTS,
  agentSpec,
  botSpec,
  DEFINITIONS,
  DOMAINS,
  greetingSpec,
  ruleSpec,
  TAGS,
  workScheduler,
} from './wish.ts';

/** `at` picks one of the objects that are there, whatever they are. */
export type Edit =
  | { readonly type: 'agent'; readonly at: number; readonly fields: JsonObject }
  | { readonly type: 'new-agent'; readonly slot: number; readonly fields: JsonObject }
  | { readonly type: 'delete-agent'; readonly at: number }
  | { readonly type: 'suspend'; readonly at: number }
  | { readonly type: 'rename-group'; readonly at: number }
  | { readonly type: 'swap-group-names'; readonly at: number; readonly with: number }
  | { readonly type: 'members'; readonly at: number; readonly agents: readonly number[]; readonly priority: string }
  | { readonly type: 'groups'; readonly at: number; readonly groups: readonly number[]; readonly priority: string }
  | { readonly type: 'delete-group'; readonly at: number }
  | { readonly type: 'bot'; readonly at: number; readonly fields: JsonObject }
  | { readonly type: 'delete-bot'; readonly at: number }
  | { readonly type: 'template'; readonly at: number; readonly fields: JsonObject }
  | { readonly type: 'delete-template'; readonly at: number }
  | { readonly type: 'move-rule'; readonly at: number; readonly before: number }
  | { readonly type: 'rule'; readonly at: number; readonly fields: JsonObject }
  | { readonly type: 'new-rule'; readonly at: number; readonly fields: JsonObject }
  | { readonly type: 'delete-rule'; readonly at: number }
  | { readonly type: 'new-tag'; readonly slot: number; readonly spelling: number; readonly groups: readonly number[] }
  | { readonly type: 'tag'; readonly at: number; readonly groups: readonly number[] }
  | { readonly type: 'delete-tag'; readonly at: number }
  | { readonly type: 'new-domain' | 'delete-domain'; readonly slot: number }
  | { readonly type: 'greeting'; readonly at: number; readonly fields: JsonObject }
  | { readonly type: 'delete-greeting'; readonly at: number }
  | { readonly type: 'unregister'; readonly at: number }
  | { readonly type: 'license-value'; readonly slot: number; readonly value: Json }
  | { readonly type: 'delete-license-value'; readonly slot: number }
  | { readonly type: 'group-value'; readonly at: number; readonly slot: number; readonly value: Json };

const at = fc.nat(20);
const priority = fc.constantFrom('first', 'normal', 'last', 'supervisor');
const some = fc.array(fc.nat(20), { maxLength: 4 });
const slot = fc.nat(DEFINITIONS.length - 1);
const slotAndValue = slot.chain((chosen) =>
  fc.record({
    slot: fc.constant(chosen),
    value: fc.constantFrom<Json>(...(DEFINITIONS[chosen] ?? DEFINITIONS[0]).values),
  }),
);
const kind = <T extends Edit['type']>(type: T) => ({ type: fc.constant(type) });

export const edits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.oneof(
    fc.record({ ...kind('agent'), at, fields: agentSpec }),
    fc.record({ ...kind('new-agent'), slot: fc.nat(AGENTS.length - 1), fields: agentSpec }),
    fc.record({ ...kind('delete-agent'), at }),
    fc.record({ ...kind('suspend'), at }),
    fc.record({ ...kind('rename-group'), at }),
    fc.record({ ...kind('swap-group-names'), at, with: at }),
    fc.record({ ...kind('members'), at, agents: some, priority }),
    fc.record({ ...kind('groups'), at, groups: some, priority }),
    fc.record({ ...kind('delete-group'), at }),
    fc.record({ ...kind('bot'), at, fields: botSpec }),
    fc.record({ ...kind('bot'), at, fields: fc.record({ work_scheduler: workScheduler }) }),
    fc.record({ ...kind('delete-bot'), at }),
    fc.record({
      ...kind('template'),
      at,
      fields: fc.record({ avatar: fc.constantFrom('', 'https://x.example/t.png') }),
    }),
    fc.record({ ...kind('delete-template'), at }),
    fc.record({ ...kind('move-rule'), at, before: at }),
    fc.record({ ...kind('rule'), at, fields: fc.record({ description: fc.constantFrom('', 'by hand') }) }),
    fc.record({ ...kind('rule'), at, fields: ruleSpec('changed') }),
    fc.record({ ...kind('new-rule'), at, fields: ruleSpec('stranger') }),
    fc.record({ ...kind('delete-rule'), at }),
    fc.record({ ...kind('new-tag'), slot: fc.nat(TAGS.length - 1), spelling: fc.nat(1), groups: some }),
    fc.record({ ...kind('tag'), at, groups: some }),
    fc.record({ ...kind('delete-tag'), at }),
    fc.record({ ...kind('new-domain'), slot: fc.nat(DOMAINS.length - 1) }),
    fc.record({ ...kind('delete-domain'), slot: fc.nat(DOMAINS.length - 1) }),
    fc.record({ ...kind('greeting'), at, fields: greetingSpec }),
    fc.record({ ...kind('delete-greeting'), at }),
    fc.record({ ...kind('unregister'), at }),
    slotAndValue.map((chosen) => ({ type: 'license-value' as const, ...chosen })),
    fc.record({ ...kind('delete-license-value'), slot }),
    fc.tuple(at, slotAndValue).map(([group, chosen]) => ({ type: 'group-value' as const, at: group, ...chosen })),
  ),
  { minLength: 1, maxLength: 8 },
);

const pick = <T>(items: readonly T[], index: number): T | undefined => items[index % Math.max(1, items.length)];

interface HandCall {
  readonly action: string;
  readonly body: JsonObject;
}

/** What a person would send; nothing when there is no such object. Rules that no manifest knows keep a text that none declares. */
function callsOf(edit: Edit, emulator: Emulator): readonly HandCall[] {
  const records = recordsOf(emulator);
  const agents = records.agents.filter(({ role, id }) => role !== 'owner' && id !== 'zoe@example.com');
  const groups = records.groups.filter(({ id }) => id !== 0 && id !== 90);
  const order = ruleOrderOf(records);
  const one = (action: string, id: string | number | undefined, more: JsonObject = {}): readonly HandCall[] =>
    id === undefined ? [] : [{ action, body: { id, ...more } }];
  switch (edit.type) {
    case 'agent':
      return one('update_agent', pick(agents, edit.at)?.id, edit.fields);
    case 'new-agent':
      return one('create_agent', mailOf(edit.slot), { name: 'By hand', ...edit.fields });
    case 'delete-agent':
      return one('delete_agent', pick(agents, edit.at)?.id);
    case 'suspend':
      return one('suspend_agent', pick(agents, edit.at)?.id);
    case 'rename-group': {
      const group = pick(groups, edit.at);
      return one('update_group', group?.id, { name: `Renamed ${group?.id}` });
    }
    case 'swap-group-names': {
      const [first, second] = [pick(groups, edit.at), pick(groups, edit.with)];
      if (first === undefined || second === undefined) return [];
      return [
        ...one('update_group', first.id, { name: second.name }),
        ...one('update_group', second.id, { name: first.name }),
      ];
    }
    case 'members': {
      const members = edit.agents.flatMap((index) => pick(records.agents, index)?.id ?? []);
      const map = Object.fromEntries(members.map((id) => [id, edit.priority]));
      return one('update_group', pick(records.groups, edit.at)?.id, { agent_priorities: map });
    }
    case 'groups': {
      const ids = new Set(edit.groups.flatMap((index) => pick(records.groups, index)?.id ?? []));
      const items = [...ids].map((id) => ({ id, priority: edit.priority }));
      return one('update_agent', pick(records.agents, edit.at)?.id, { groups: items });
    }
    case 'delete-group':
      return one('delete_group', pick(groups, edit.at)?.id);
    case 'bot':
      return one('update_bot', pick(records.bots, edit.at)?.id, edit.fields);
    case 'delete-bot':
      return one('delete_bot', pick(records.bots, edit.at)?.id);
    case 'template':
    case 'delete-template': {
      const template = pick(records.templates, edit.at);
      if (template === undefined) return [];
      const { id, owner_client_id } = template;
      const action = edit.type === 'template' ? 'update_bot_template' : 'delete_bot_template';
      return one(action, id, { owner_client_id, ...('fields' in edit ? edit.fields : {}) });
    }
    case 'move-rule': {
      const next = edit.before % 3 === 0 ? '' : (pick(order, edit.before) ?? '');
      return one('update_auto_access', pick(order, edit.at), { next_id: next });
    }
    case 'rule': {
      const id = pick(order, edit.at);
      return one('update_auto_access', id, marked(edit.fields, id ?? ''));
    }
    case 'new-rule': {
      const fields = marked(edit.fields, `new-${order.length}-${edit.at}`);
      return [
        {
          action: 'add_auto_access',
          body: { ...fields, access: { groups: [0] }, next_id: pick(order, edit.at) ?? '' },
        },
      ];
    }
    case 'delete-rule':
      return one('delete_auto_access', pick(order, edit.at));
    case 'new-tag':
    case 'tag':
    case 'delete-tag': {
      const name = edit.type === 'new-tag' ? TAGS[edit.slot]?.[edit.spelling] : pick(records.tags, edit.at)?.name;
      if (name === undefined) return [];
      if (edit.type === 'delete-tag') return [{ action: 'delete_tag', body: { name } }];
      const group_ids = [...new Set(edit.groups.flatMap((index) => pick(records.groups, index)?.id ?? []))];
      return [{ action: edit.type === 'tag' ? 'update_tag' : 'create_tag', body: { name, group_ids } }];
    }
    case 'new-domain':
      return [{ action: 'add_allowed_domain', body: { domain: DOMAINS[edit.slot] ?? '' } }];
    case 'delete-domain':
      return [{ action: 'delete_allowed_domain', body: { domain: DOMAINS[edit.slot] ?? '' } }];
    case 'greeting': {
      const fields = Object.entries(edit.fields).map(([name, value]) => [name, value === '' ? null : value]);
      return one('update_greeting', pick(records.greetings, edit.at)?.id, Object.fromEntries(fields));
    }
    case 'delete-greeting':
      return one('delete_greeting', pick(records.greetings, edit.at)?.id);
    case 'unregister': {
      const property = pick(records.properties, edit.at);
      if (property === undefined) return [];
      return [{ action: 'unregister_property', body: { owner_client_id: property.namespace, name: property.name } }];
    }
    case 'license-value': {
      const { namespace, name } = DEFINITIONS[edit.slot] ?? DEFINITIONS[0];
      const properties = { [namespace]: { [name]: edit.value } };
      return [{ action: 'update_license_properties', body: { properties } }];
    }
    case 'delete-license-value': {
      const { namespace, name } = DEFINITIONS[edit.slot] ?? DEFINITIONS[0];
      return [{ action: 'delete_license_properties', body: { properties: { [namespace]: [name] } } }];
    }
    case 'group-value': {
      const { namespace, name } = DEFINITIONS[edit.slot] ?? DEFINITIONS[0];
      const properties = { [namespace]: { [name]: edit.value } };
      const group_id = pick(groups, edit.at)?.id;
      return group_id === undefined ? [] : [{ action: 'update_group_properties', body: { group_id, properties } }];
    }
  }
}

/** No two rules may look alike, or nobody could tell which one a manifest means. */
function marked(fields: JsonObject, mark: string): JsonObject {
  const { conditions, description } = fields;
  if (conditions === undefined) return fields;
  const url = { values: [{ value: `/${mark}` }] };
  return {
    ...fields,
    conditions: { ...Object(conditions), url },
    ...(description === undefined || description === '' ? {} : { description: `${description} ${mark}` }),
  };
}

/** How many of the edits the service did, at least in part. */
export async function editByHand(emulator: Emulator, list: readonly Edit[]): Promise<number> {
  let count = 0;
  for (const edit of list) {
    let isDone = false;
    for (const { action, body } of callsOf(edit, emulator)) {
      if (await callByHand(emulator, action, body)) isDone = true;
    }
    if (isDone) count += 1;
  }
  return count;
}

/** One request past chatform; whether the service did it. */
export async function callByHand(emulator: Emulator, action: string, body: JsonObject): Promise<boolean> {
  const version = /_(?:allowed_domain|canned_response)$/.test(action) ? '3.7' : '3.6';
  const { status } = await sendTo(emulator.handle, {
    method: 'POST',
    url: `http://emulator.test/v${version}/configuration/action/${action}`,
    headers: { 'content-type': 'application/json', authorization: 'Bearer by-hand' },
    body: JSON.stringify(body),
  });
  return status === 200;
}
