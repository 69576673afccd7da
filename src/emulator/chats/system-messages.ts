// What the service itself says in threads: types, variables and texts. People are named there, never by an address.
// today/customer.md, "System messages".

import type { EmulatedLicense } from '../engine/license.ts';
import { type ChatMember, customerTable, type NewEvent } from './records.ts';
import { profileOf } from './staff.ts';

/** By type, a text in which `%NAME%` stands for a variable. Minutes and days are whole numbers. */
const TEXTS = {
  chat_transferred: '%initiator% transferred the chat to %targets%',
  customer_banned: '%agent% banned the customer (days: %duration%)',
  manual_archived_agent: '%agent% closed the chat',
  manual_archived_customer: '%customer% closed the chat',
  'rating.chat_rated': '%customer% rated the chat as %score%',
  'rating.chat_commented': '%customer% commented on the chat: %comment%',
  'rating.chat_rating_canceled': '%customer% withdrew the rating',
  transcript_requested: '%customer% asked for a transcript, which goes to %email%',
  transcript_sent: 'The transcript that %customer% asked for was sent to %email%',
  'routing.idle': 'The chat is idle (minutes without a message: %duration%)',
  'routing.archived_inactive': 'The chat was closed because it was silent (minutes: %duration%)',
  'routing.archived_offline': 'The chat was closed because no agent is available',
  'routing.archived_deleted': 'The chat was closed because the account of %agent% was deleted',
  'routing.archived_signed_out': 'The chat was closed because %agent% signed out',
  'routing.archived_other': 'The chat was closed because its agent is not available any more',
  'routing.assigned_deleted': '%agent_added% has the chat because the account of %agent_removed% was deleted',
  'routing.assigned_signed_out': '%agent_added% has the chat because %agent_removed% signed out',
  'routing.assigned_other': 'Another agent has the chat because the former one is not available any more',
  'routing.unassigned_deleted': 'The chat waits because the account of %agent% was deleted',
  'routing.unassigned_signed_out': 'The chat waits because %agent% signed out',
  'routing.unassigned_other': 'The chat waits because its agent is not available any more',
} as const;

type MessageType = keyof typeof TEXTS;
type VariablesIn<T extends string> = T extends `${string}%${infer Name}%${infer Rest}`
  ? Name | VariablesIn<Rest>
  : never;
type MessageOf<T extends MessageType> = [VariablesIn<(typeof TEXTS)[T]>] extends [never]
  ? { readonly type: T }
  : { readonly type: T; readonly vars: { readonly [name in VariablesIn<(typeof TEXTS)[T]>]: string } };

/** A message of the system with exactly the variables of its type. */
export type SystemMessage = { [T in MessageType]: MessageOf<T> }[MessageType];

/** The event of a message, which has no author. */
export function systemEvent(message: SystemMessage): NewEvent {
  const vars: ReadonlyMap<string, string> = new Map('vars' in message ? Object.entries(message.vars) : []);
  const text = TEXTS[message.type].replaceAll(/%(\w+)%/g, (_, name: string) => vars.get(name) ?? '');
  const named = vars.size === 0 ? {} : { text_vars: Object.fromEntries(vars) };
  return { type: 'system_message', content: { system_message_type: message.type, text, ...named } };
}

/** The name of a person, as a chat says it. */
export function nameOf(license: EmulatedLicense, member: ChatMember): string {
  if (member.kind === 'customer') return customerTable.of(license).get(member.id)?.name ?? 'Customer';
  return profileOf(license, member)?.name || 'Agent';
}
