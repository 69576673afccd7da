// Chats as a kind of the license: their tables, and what becomes due in them. Belongs to no API, because several show them.

import { agentTable } from '../configuration/agents.ts';
import { botTable } from '../configuration/bots.ts';
import { groupKey, groupTable } from '../configuration/memberships.ts';
import { type ConfigurationSettings, isFull } from '../configuration/settings.ts';
import { tagTable } from '../configuration/tags.ts';
import type { EmulatedKind, EmulatedLicense, TableDefinition } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import * as s from '../engine/shape.ts';
import { attendanceTable } from './attendance.ts';
import { control, controls, requireCustomer } from './controls.ts';
import { settleChats } from './due.ts';
import { checkFiles, dropExpiredFiles, fileTables } from './files.ts';
import { type ChatRecord, chatTable, customerTable, threadTable } from './records.ts';
import { departureOf } from './routing.ts';
import { check, plant, seed, staffNamed, tables } from './seed.ts';
import { keepFormer } from './staff.ts';
import { addFirstEvent, addThread, type ChatContext, place, viewAt } from './threads.ts';
import { notifyChat } from './webhooks.ts';

const startRequest = s.closed({
  customer_id: s.text,
  agent: s.text,
  group_ids: s.optional(s.distinct(s.int(0), 1)),
  text: s.optional(s.string),
});

/** An agent or a bot writes to a customer who has no active chat, and has the chat. */
const startControl = control('chats/start', startRequest, ({ customer_id, agent, group_ids = [0], text }, context) => {
  const { license, ids } = context;
  const { now } = license.history;
  const customer = requireCustomer(context, customer_id);
  const chats = chatTable.of(license).where('customer', customer_id);
  const known = chats.findLast(({ active, anonymized }) => !active && anonymized !== true);
  if (known === undefined && isFull(context.settings.limits.chatsPerCustomer, chats.length))
    refuse('validation', `customer ${s.quoted(customer_id)} has an active chat`);
  const missing = group_ids.find((group) => groupTable.of(license).get(groupKey(group)) === undefined);
  if (missing !== undefined) refuse('group_not_found', `${s.quoted('group_ids')} names group ${missing}`);
  const member = staffNamed(license, agent, 'agent');
  if (departureOf(viewAt(context, now), member) !== undefined)
    refuse('validation', `${s.quoted('agent')} names ${s.quoted(agent)}, who is not there`);
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
  if (text !== undefined)
    addFirstEvent(context, thread.id, { type: 'message', author: member, content: { text } }, now);
  notifyChat(context, viewAt(context, now), thread.id);
  return { chat_id: begun.id, thread_id: thread.id };
});

function untag(license: EmulatedLicense, tag: string): void {
  const threads = threadTable.of(license);
  for (const thread of threads.all())
    if (thread.tags.includes(tag)) threads.set({ ...thread, tags: thread.tags.filter((one) => one !== tag) });
}

export const chatKind = {
  tables: [...tables, attendanceTable, ...fileTables],
  seed,
  plant,
  check: (license: EmulatedLicense): void => {
    check(license);
    checkFiles(license);
  },
  controls: [...controls, startControl],
  release: (license: EmulatedLicense, settings: ConfigurationSettings, table: TableDefinition, key: string) => {
    if (table === tagTable && settings.deletedTagInChats === 'remove') return () => untag(license, key);
    if (table !== agentTable && table !== botTable) return undefined;
    return keepFormer(license, table === agentTable ? 'agent' : 'bot', key);
  },
  settle: (context: ChatContext): void => {
    dropExpiredFiles(context);
    settleChats(context);
  },
} satisfies EmulatedKind;
