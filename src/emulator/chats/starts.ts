// Chats that agents start: a part of the control API, as agents have no interface of their own here.

import { groupKey, groupTable } from '../configuration/memberships.ts';
import { refuse } from '../engine/refusal.ts';
import * as s from '../engine/shape.ts';
import { control, requireCustomer } from './controls.ts';
import { type ChatRecord, chatTable, customerTable } from './records.ts';
import { departureOf } from './routing.ts';
import { staffNamed } from './seed.ts';
import { addEvent, addThread, place, viewAt } from './threads.ts';

const startRequest = s.closed({
  customer_id: s.text,
  agent: s.text,
  group_ids: s.optional(s.distinct(s.int(0), 1)),
  text: s.optional(s.string),
});

/** An agent or a bot writes to a customer who has no active chat, and has the chat. */
export const startControl = control(
  'chats/start',
  startRequest,
  ({ customer_id, agent, group_ids = [0], text }, context) => {
    const { license, ids } = context;
    const { now } = license.history;
    const customer = requireCustomer(context, customer_id);
    if (customer.in_chat === true) refuse('validation', `customer ${s.quoted(customer_id)} has an active chat`);
    const missing = group_ids.find((group) => groupTable.of(license).get(groupKey(group)) === undefined);
    if (missing !== undefined) refuse('group_not_found', `${s.quoted('group_ids')} names group ${missing}`);
    const member = staffNamed(license, agent, 'agent');
    if (departureOf(viewAt(context, now), member) !== undefined)
      refuse('validation', `${s.quoted('agent')} names ${s.quoted(agent)}, who is not there`);
    const known = customer.chat_id === undefined ? undefined : chatTable.of(license).get(customer.chat_id);
    const fresh: ChatRecord = {
      id: ids.short(),
      customer_id,
      created_at: now,
      group_ids,
      properties: {},
      threads: 0,
      active: false,
      seen: {},
    };
    const page = customer.page === undefined ? {} : { start_url: customer.page };
    const properties = { routing: { continuous: false, idle: false, unreplied: false, ...page } };
    const begun = known === undefined ? fresh : { ...known, group_ids };
    customerTable.of(license).set({ ...customer, chat_id: begun.id, in_chat: true });
    const { thread } = addThread(context, begun, { active: true, group_ids, properties, started_by: member }, now);
    place(context, thread.id, { to: 'member', member }, now);
    if (text !== undefined) addEvent(context, thread.id, { type: 'message', author: member, content: { text } }, now);
    return { chat_id: begun.id, thread_id: thread.id };
  },
);
