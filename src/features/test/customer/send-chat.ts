// The rehearsal of one chat on the service: begins it as a customer, looks at it, and ends it, also after a failure or an interruption.
// Specification of the Customer Chat Web API: "Chats".

import { ApiError, asError, UsageError } from '../../../base/errors.ts';
import { isObject } from '../../../base/json.ts';
import type { Json } from '../../../base/model.ts';
import type { CustomerClient } from '../../../service/customer.ts';
import { chatOf, chatResults, isMarked, knownChat, pageHeader, type Rehearsal } from './chat.ts';
import { result } from './questions.ts';
import type { Checked, RehearsedChat } from './schema.ts';
import type { CustomerSubject } from './subject.ts';

/** The clients of a rehearsal. A chat is ended whether or not the lease is still held. */
export interface RehearsalClients {
  readonly client: CustomerClient;
  readonly ending: CustomerClient;
  readonly signal: AbortSignal;
}

/** What the chat showed, and how it ended. */
export interface RehearsedResult {
  readonly checks: readonly Checked[];
  readonly chat: RehearsedChat;
}

/** Why no chat begins where no agent is there. */
const NO_AGENT: ReadonlySet<string> = new Set(['groups_offline', 'group_offline', 'group_unavailable']);

/**
 * @throws UsageError where the customer has a chat that is no rehearsal, or something failed once a chat had begun; ApiError when it could not begin
 */
export async function rehearseChat(
  rehearsal: Rehearsal,
  subject: CustomerSubject,
  clients: RehearsalClients,
): Promise<RehearsedResult> {
  const former = await formerChat(rehearsal, clients);
  const begun = await begin(rehearsal, former, clients);
  if ('refusal' in begun) {
    const { type, message } = begun.refusal.failure;
    const check = result('chat', 'reported', rehearsal.name, `no chat begins, because no agent is there: ${message}`, {
      as: 'customer',
      asked: former === null ? 'start_chat' : 'resume_chat',
      found: type,
    });
    return { checks: [check], chat: { chat_id: null, thread_id: null, ended: true, message } };
  }
  const { chat_id, thread_id } = begun;
  let seen: Json | null = null;
  let failure: unknown = null;
  try {
    seen = await clients.client.call('get_chat', { chat_id, thread_id }, { signal: clients.signal });
  } catch (error) {
    failure = error;
  }
  const unended = await end(chat_id, clients);
  const chat = { chat_id, thread_id, ended: unended === null, message: unended };
  try {
    if (seen === null) throw failure;
    return { checks: chatResults(rehearsal, subject, seen), chat };
  } catch (error) {
    // Whatever the look at the chat came to, its end must be told.
    throw new UsageError(`${asError(error).message}; ${unended ?? `chat ${chat_id} was ended`}`);
  }
}

/** The id of the customer's chat, which is resumed; null for the first one. A rehearsal that was left open is ended. */
async function formerChat({ mark }: Rehearsal, clients: RehearsalClients): Promise<string | null> {
  const { client, signal } = clients;
  const known = knownChat(await client.call('list_chats', { limit: 1 }, { signal }));
  if (known?.isActive !== true) return known?.id ?? null;
  if (!isMarked(await client.call('get_chat', { chat_id: known.id }, { signal }), mark))
    throw new UsageError(
      `the customer has chat ${known.id}, which is active and no rehearsal: end it, or use the token of another customer`,
    );
  const unended = await end(known.id, clients);
  if (unended !== null) throw new UsageError(unended);
  return known.id;
}

type Begun = { readonly chat_id: string; readonly thread_id: string } | { readonly refusal: ApiError };

async function begin(rehearsal: Rehearsal, former: string | null, clients: RehearsalClients): Promise<Begun> {
  const { client, signal } = clients;
  // A chat that is being begun is waited for: otherwise it would be unknown whether there is one to end.
  const how = { stop: signal, headers: { referer: pageHeader(rehearsal.route.when.url) } };
  const chat = chatOf(rehearsal);
  try {
    const reply =
      former === null
        ? await client.call('start_chat', { active: true, chat }, how)
        : await client.call('resume_chat', { active: true, chat: { id: former, ...chat } }, how);
    const { chat_id = former, thread_id } = isObject(reply) ? reply : {};
    if (typeof chat_id === 'string' && typeof thread_id === 'string') return { chat_id, thread_id };
    throw new UsageError(`the service begins a chat without telling its ids; ${await endUnknown(clients)}`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (NO_AGENT.has(error.failure.type)) return { refusal: error };
    if (!error.failure.ambiguous) throw error;
    throw new UsageError(`${error.message}; ${await endUnknown(clients)}`);
  }
}

/** Ends the chat that may have begun without an answer. */
async function endUnknown(clients: RehearsalClients): Promise<string> {
  try {
    const known = knownChat(await clients.ending.call('list_chats', { limit: 1 }));
    if (known?.isActive !== true) return 'the customer has no active chat';
    return (await end(known.id, clients)) ?? `chat ${known.id} was ended`;
  } catch (error) {
    return `a chat may have begun, and could not be looked for: ${asError(error).message}`;
  }
}

/** Ends a chat in any case; null once it has ended, otherwise what is left to do. */
async function end(id: string, { ending }: RehearsalClients): Promise<string | null> {
  try {
    await ending.call('deactivate_chat', { id });
    return null;
  } catch (error) {
    if (await isOver(id, ending)) return null;
    return `chat ${id} could not be ended: ${asError(error).message}; end it with ${commandToEnd(id)}`;
  }
}

/** A person will paste it into a shell, so it names no id of an unexpected form. */
function commandToEnd(id: string): string {
  const command = 'chatform api deactivate_chat --customer --write';
  return /^[\w-]+$/.test(id) ? `\`${command} -d '{"id": "${id}"}'\`` : `\`${command}\``;
}

/** An agent, or an earlier attempt without an answer, may have ended it. */
async function isOver(chat_id: string, ending: CustomerClient): Promise<boolean> {
  try {
    const reading = await ending.call('get_chat', { chat_id });
    const thread = isObject(reading) ? reading['thread'] : undefined;
    return isObject(thread) && thread['active'] === false;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
