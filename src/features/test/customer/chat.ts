// The rehearsal of one chat: what is sent to begin it, what it showed, and what stays of it. Sends nothing.
// Specification of the Customer Chat Web API: "States and transitions"; customer-and-reports-notes.md, section 4, rules 3 and 14.

import { UsageError } from '../../../base/errors.ts';
import { isList, isObject } from '../../../base/json.ts';
import type { Desired, Json, JsonObject } from '../../../base/model.ts';
import { rightNames } from '../../../base/nearest.ts';
import { parsedUrl } from '../../../base/url.ts';
import { splitName } from '../../../kinds/namespaced.ts';
import { property } from '../../../kinds/property.ts';
import { rowOf } from '../../../kinds/wire.ts';
import type { Route } from '../../../manifest/routes.ts';
import { sourceOf } from '../../../plan/reference.ts';
import type { ChatMark } from '../../../project/settings.ts';
import { pageUrl } from '../../../routing/text.ts';
import { result, unseen } from './questions.ts';
import { asExpected, hasPlace } from './routes.ts';
import type { Checked } from './schema.ts';
import { type CustomerSubject, DEFAULT_GROUP, groupCalled, groupId } from './subject.ts';

/** A chat that can be rehearsed. */
export interface Rehearsal {
  readonly route: Route;
  readonly name: string;
  readonly mark: ChatMark;
}

/**
 * The route whose chat is rehearsed, by its name or the URL of its page.
 * @throws UsageError for a route that there is not, or that goes by a place, and for a mark that customers may not write
 */
export function rehearsalOf(
  key: string,
  { routes, desired }: Pick<CustomerSubject, 'routes' | 'desired'>,
  mark: ChatMark,
): Rehearsal {
  const named = routes.map(({ name, when }) => name ?? when.url);
  const pages = routes.filter(({ when }) => when.url === key);
  const route = routes[named.indexOf(key)] ?? pages.find((each) => !hasPlace(each)) ?? pages[0];
  if (route === undefined) throw new UsageError(`--chat ${key}: there is no such route; ${rightNames(key, named)}`);
  if (hasPlace(route))
    throw new UsageError(
      `--chat ${key}: the route says where the visitor is, and the service goes by the address of this machine; choose a route without a place`,
    );
  requireWritable(mark, desired);
  return { route, name: route.name ?? route.when.url, mark };
}

/** Every license has its properties, which everyone may write anywhere. Specification of the Configuration API: "Property". */
const EVERYWHERE = 'test';
const EVERYWHERE_TEXTS: readonly string[] = ['string_property', 'tokenized_string_property'];

/** @throws UsageError for a property that is not registered, or that customers may not write on a thread */
export function requireWritable({ property: key }: ChatMark, { resources }: Desired): void {
  const [namespace, name] = splitName(key);
  if (namespace === EVERYWHERE && EVERYWHERE_TEXTS.includes(name)) return;
  const definition = resources.find((each) => each.kind === property.name && each.key === key);
  const setting = `chat_mark.property ${key}`;
  const remedy = `declare it under \`properties:\`, or use ${EVERYWHERE}/${EVERYWHERE_TEXTS[0]}`;
  if (definition === undefined) throw new UsageError(`${setting}: the files declare no such property; ${remedy}`);
  const { access, type } = definition.spec;
  const thread = isObject(access) ? access['thread'] : undefined;
  const rights = isObject(thread) ? thread['customer'] : undefined;
  if (!isList(rights) || !rights.includes('write'))
    throw new UsageError(
      `${setting}: customers may not write it; add \`write\` to access.thread.customer of the property`,
    );
  if (type === 'int' || type === 'bool')
    throw new UsageError(`${setting}: it has type ${type}, and the mark is a text; choose a property of type string`);
}

/** What begins the chat, as `chat` of start_chat or resume_chat. No agent is asked to answer it. */
export function chatOf({ mark }: Pick<Rehearsal, 'mark'>): JsonObject {
  const [namespace, name] = splitName(mark.property);
  return {
    properties: { routing: { ignore_agents_routing: true } },
    thread: { properties: { [namespace]: { [name]: mark.value } } },
  };
}

/** A chat of the customer, as a list has it. */
export interface KnownChat {
  readonly id: string;
  readonly isActive: boolean;
}

/** The chat of a customer, who has at most one; null without one. */
export function knownChat(reply: Json): KnownChat | null {
  const row = rowOf('list_chats', reply);
  const listed = row.raw('chats_info') ?? row.raw('chats_summary') ?? [];
  const [first] = isList(listed) ? listed : [];
  if (first === undefined) return null;
  const chat = rowOf('list_chats', first, 'chats');
  return { id: chat.text('id'), isActive: chat.raw('active') === true };
}

/** Whether the thread of a reading carries the mark: then a rehearsal left it open. */
export function isMarked(reply: Json, { property: key, value }: ChatMark): boolean {
  const [namespace, name] = splitName(key);
  const thread = rowOf('get_chat', reply).raw('thread');
  const properties = isObject(thread) ? thread['properties'] : undefined;
  const values = isObject(properties) ? properties[namespace] : undefined;
  return isObject(values) && values[name] === value;
}

/** What a chat that is under way shows: its groups next to those that the route expects, its agents, its queue. */
export function chatResults({ route, name }: Rehearsal, subject: CustomerSubject, reply: Json): readonly Checked[] {
  const chat = rowOf('get_chat', reply);
  const thread = rowOf('get_chat', chat.raw('thread'), 'thread');
  const groups = groupsOf(thread.raw('access'));
  const about = { as: 'customer', asked: 'get_chat', source: sourceOf(route.place) } as const;
  return [
    accessResult(name, route, subject, { groups, page: startPage(thread.raw('properties')) }),
    ...companyResults(name, chat.raw('users'), thread.raw('queue'), about),
  ];
}

function groupsOf(access: Json | undefined): readonly number[] {
  const ids = isObject(access) && isList(access['group_ids']) ? access['group_ids'] : [];
  return ids.filter((id) => typeof id === 'number').sort((one, other) => one - other);
}

/** The header `Referer`, by which the service learns the page of the chat. */
export function pageHeader(url: string): string {
  return parsedUrl(url)?.href ?? url;
}

/** The page that the service took for the chat, where it tells. */
function startPage(properties: Json | undefined): string | null {
  const routing = isObject(properties) ? properties['routing'] : undefined;
  const page = isObject(routing) ? routing['start_url'] : undefined;
  return typeof page === 'string' ? page : null;
}

function accessResult(
  name: string,
  route: Route,
  subject: CustomerSubject,
  { groups, page }: { readonly groups: readonly number[]; readonly page: string | null },
): Checked {
  const { expect, when, place } = route;
  const { url } = when;
  const ids = expect.length === 0 ? [DEFAULT_GROUP] : expect.map((reference) => groupId(subject, reference));
  const expected = expect.length === 0 ? groupCalled(subject, DEFAULT_GROUP) : expect.join(', ');
  const found = groups.length === 0 ? 'no group' : groups.map((id) => groupCalled(subject, id)).join(', ');
  const about = {
    as: 'customer',
    asked: `get_chat, begun on ${url}`,
    expected,
    found,
    source: sourceOf(place),
  } as const;
  const stands = `a chat from ${url} stands in ${found}`;
  const isRight = groups.length === ids.length && groups.every((id) => ids.includes(id));
  if (isRight) return result('chat', 'ok', name, asExpected(stands, found, route), about);
  if (ids.includes(null))
    return unseen('chat', 'no-group-id', name, `${stands}, and the ids of ${expected} are not all known`, about);
  // The service may not take the page from the header: then it decided for another page, or without one.
  const isTaken = page !== null && pageUrl(page)?.url === pageUrl(url)?.url;
  if (!isTaken && (page !== null || groups.join() === String(DEFAULT_GROUP)))
    return unseen(
      'chat',
      'page-not-taken',
      name,
      `${stands}: the service did not take the page of the chat from the request`,
      about,
    );
  return result('chat', 'differs', name, `${stands}, and ${expected} is expected`, about);
}

/** Agents in the chat, and its place in the queue: neither should be there, as the chat asks for no agent. */
function companyResults(
  name: string,
  users: Json | undefined,
  queue: Json | undefined,
  about: Pick<Checked, 'as' | 'asked' | 'source'>,
): readonly Checked[] {
  const agents = (isList(users) ? users : []).flatMap((user) =>
    isObject(user) && user['type'] === AGENT && user['present'] === true ? [String(user['name'] ?? 'an agent')] : [],
  );
  const met =
    agents.length === 0
      ? []
      : [
          result('chat', 'reported', name, `${agents.join(', ')} got the chat, which asks for no agent`, {
            ...about,
            found: agents.join(', '),
          }),
        ];
  const place = isObject(queue) ? queue['position'] : undefined;
  const waits =
    typeof place === 'number'
      ? [
          result('chat', 'reported', name, `the chat waits at position ${place} of the queue`, {
            ...about,
            found: `position ${place}`,
          }),
        ]
      : [];
  return [...met, ...waits];
}

/** How customers are told of agents and bots alike. */
const AGENT = 'agent';

/** What a rehearsal leaves behind, however it ends. */
export const CHAT_LEAVES: readonly string[] = [
  'a chat in the archive, which cannot be deleted',
  'one more chat in the reports',
  'webhooks that were sent for it',
];
