// Properties of chats, threads and events: what the service itself sets there, and what customers may read and write.
// customer-and-reports-notes.md, section 4, rules 14 and 15.

import type { PropertyRecord } from '../configuration/properties.ts';
import { findProperty, propertyValue, requireValue } from '../configuration/properties.ts';
import { refuse } from '../engine/refusal.ts';
import { list, mapOf, quoted, text } from '../engine/shape.ts';
import type { PropertyValues } from './records.ts';
import type { ChatSettings } from './settings.ts';
import type { ChatContext } from './threads.ts';

export type ChatLocation = 'chat' | 'thread' | 'event';

const READ = ['read'] as const;
const BOTH = ['read', 'write'] as const;
const SERVICE = { agent: READ, customer: READ };
const SHARED = { agent: BOTH, customer: BOTH };

/** Properties of chats that every license has, apart from those with values on the license and its groups. */
function chatProperties({ widgetNamespace }: ChatSettings): readonly PropertyRecord[] {
  const property = (
    namespace: string,
    name: string,
    type: PropertyRecord['type'],
    access: PropertyRecord['access'],
  ): PropertyRecord => ({ namespace, name, type, access, published: BOTH });
  const onThread = (namespace: string, type: PropertyRecord['type'], names: readonly string[]) =>
    names.map((name) => property(namespace, name, type, { thread: SERVICE }));
  return [
    ...onThread('routing', 'bool', ['continuous', 'unassigned', 'pinned', 'unreplied', 'idle', 'was_pinned']),
    ...onThread('routing', 'string', ['start_url', 'last_transfer_timestamp', 'group_status_at_start']),
    property('routing', 'ignore_agents_routing', 'bool', { chat: SHARED }),
    // Write only: what was written is not shown.
    property('routing', 'ignore_bots', 'bool', { thread: { agent: BOTH, customer: ['write'] } }),
    property('routing', 'offline_message', 'bool', { thread: SHARED }),
    ...onThread('source', 'string', ['client_id', 'customer_client_id']),
    { ...property('rating', 'score', 'int', { thread: SHARED }), range: { from: 0, to: 1 } },
    property('rating', 'comment', 'string', { thread: SHARED }),
    property(widgetNamespace, 'greeting_id', 'int', { thread: SHARED, event: SHARED }),
    property(widgetNamespace, 'greeting_unique_id', 'string', { thread: SHARED, event: SHARED }),
  ];
}

const known = new WeakMap<ChatSettings, readonly PropertyRecord[]>();

function propertyAt(context: ChatContext, namespace: string, name: string): PropertyRecord | undefined {
  const { settings, effectiveAt } = context;
  const all = known.get(settings) ?? chatProperties(settings);
  known.set(settings, all);
  const own = all.find((found) => found.namespace === namespace && found.name === name);
  return own ?? findProperty(context, namespace, name, effectiveAt);
}

const mayCustomer = (property: PropertyRecord | undefined, location: ChatLocation, right: 'read' | 'write'): boolean =>
  property?.access[location]?.customer?.includes(right) === true;

/** namespace -> name -> value, as a request gives them. */
export const givenValues = mapOf(mapOf(propertyValue));
export type GivenProperties = ReturnType<typeof givenValues>;
/** namespace -> names, as a request gives them. */
export const givenNames = mapOf(list(text));

function requireWritable(context: ChatContext, location: ChatLocation, namespace: string, name: string, path: string) {
  const property = propertyAt(context, namespace, name);
  if (property?.access[location] === undefined)
    return refuse('validation', `${quoted(path)} is not a property of a ${location}`);
  if (!mayCustomer(property, location, 'write'))
    refuse('authorization', `${quoted(path)} is not for customers to write`);
  return property;
}

/** The values of a request, which the customer may write at a location. `path` is that of `properties` in the request. */
export function writableValues(
  context: ChatContext,
  location: ChatLocation,
  given: GivenProperties | undefined,
  path: string,
): PropertyValues {
  const found: { [namespace: string]: { [name: string]: unknown } } = {};
  for (const [namespace, values] of given ?? [])
    for (const [name, value] of values) {
      const here = `${path}.${namespace}.${name}`;
      requireValue(requireWritable(context, location, namespace, name, here), value, here);
      found[namespace] = { ...found[namespace], [name]: value };
    }
  return found;
}

/** `kept` without the values that a request names, which the customer may write at a location. */
export function withoutValues(
  context: ChatContext,
  location: ChatLocation,
  kept: PropertyValues,
  given: ReturnType<typeof givenNames>,
): PropertyValues {
  for (const [namespace, names] of given)
    for (const name of names) requireWritable(context, location, namespace, name, `properties.${namespace}.${name}`);
  const left = Object.entries(kept).map(([namespace, values]) => {
    const lost = given.get(namespace) ?? [];
    return [namespace, Object.fromEntries(Object.entries(values).filter(([name]) => !lost.includes(name)))] as const;
  });
  return Object.fromEntries(left.filter(([, values]) => Object.keys(values).length > 0));
}

/** What a customer may read of the values at a location. */
export function readableValues(context: ChatContext, location: ChatLocation, kept: PropertyValues): PropertyValues {
  const seen = Object.entries(kept).map(([namespace, values]) => {
    const shown = Object.entries(values).filter(([name]) =>
      mayCustomer(propertyAt(context, namespace, name), location, 'read'),
    );
    return [namespace, Object.fromEntries(shown)] as const;
  });
  return Object.fromEntries(seen.filter(([, values]) => Object.keys(values).length > 0));
}
