// Random edits by hand, sent straight to the emulator, as somebody would make them past chatform. What the service refuses is not done.

import fc from 'fast-check';
import type { Json, JsonObject, KindName } from '../../src/base/model.ts';
import { ROUTING_STATUSES } from '../../src/base/routing-status.ts';
import type { Emulator } from '../../src/emulator/index.ts';
import { sendTo } from '../wire.ts';
import { type HandCall, pick } from './kinds/drawing.ts';
import { DRAWINGS } from './kinds/index.ts';
import { mailOf } from './manifest.ts';
import { recordsOf, ruleOrderOf } from './records.ts';
import { AGENTS, DEFINITIONS } from './slots.ts';
import { agentSpec, botSpec, ruleSpec, workScheduler } from './wish.ts';

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
  | { readonly type: 'routing-status'; readonly at: number; readonly status: string }
  | { readonly type: 'delete-bot'; readonly at: number }
  | { readonly type: 'template'; readonly at: number; readonly fields: JsonObject }
  | { readonly type: 'delete-template'; readonly at: number }
  | { readonly type: 'move-rule'; readonly at: number; readonly before: number }
  | { readonly type: 'rule'; readonly at: number; readonly fields: JsonObject }
  | { readonly type: 'new-rule'; readonly at: number; readonly fields: JsonObject }
  | { readonly type: 'delete-rule'; readonly at: number }
  /** Of a kind that is drawn by itself. */
  | { readonly type: 'drawn'; readonly kind: KindName; readonly edit: unknown }
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
    fc.record({ ...kind('routing-status'), at, status: fc.constantFrom(...ROUTING_STATUSES) }),
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
    ...DRAWINGS.map((drawing) => ({
      arbitrary: drawing.edit.map((edit) => ({ type: 'drawn' as const, kind: drawing.kind, edit })),
      weight: 2,
    })),
    fc.record({ ...kind('unregister'), at }),
    slotAndValue.map((chosen) => ({ type: 'license-value' as const, ...chosen })),
    fc.record({ ...kind('delete-license-value'), slot }),
    fc.tuple(at, slotAndValue).map(([group, chosen]) => ({ type: 'group-value' as const, at: group, ...chosen })),
  ),
  { minLength: 1, maxLength: 8 },
);

/** A change of the type of a bot, which the service does not return, is one that no reading can tell. */
function withoutType({ type: _, ...fields }: JsonObject): JsonObject {
  return fields;
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
      return one('update_bot', pick(records.bots, edit.at)?.id, withoutType(edit.fields));
    case 'routing-status': {
      const agent_id = pick(records.bots, edit.at)?.id;
      if (agent_id === undefined) return [];
      return [{ action: 'set_routing_status', body: { agent_id, status: edit.status }, path: 'v3.6/agent' }];
    }
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
    case 'drawn':
      return DRAWINGS.find((drawing) => drawing.kind === edit.kind)?.calls(edit.edit, records) ?? [];
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
    for (const { action, body, path } of callsOf(edit, emulator)) {
      if (await callByHand(emulator, action, body, path)) isDone = true;
    }
    if (isDone) count += 1;
  }
  return count;
}

/** One request past chatform; whether the service did it. */
export async function callByHand(
  emulator: Emulator,
  action: string,
  body: JsonObject,
  path = 'v3.6/configuration',
): Promise<boolean> {
  const { status } = await sendTo(emulator.handle, {
    method: 'POST',
    url: `http://emulator.test/${path}/action/${action}`,
    headers: { 'content-type': 'application/json', authorization: 'Bearer by-hand' },
    body: JSON.stringify(body),
  });
  return status === 200;
}
