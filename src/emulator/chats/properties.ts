// Properties of chats, threads and events: what customers may read and write there.
// customer-and-reports-notes.md, section 4, rules 14 and 15.

import type { PropertyRecord } from '../configuration/properties.ts';
import { findProperty, propertyValue, requireValue } from '../configuration/properties.ts';
import { refuse } from '../engine/refusal.ts';
import { list, mapOf, quoted, text } from '../engine/shape.ts';
import type { PropertyValues } from './records.ts';
import type { ChatContext } from './threads.ts';

export type ChatLocation = 'chat' | 'thread' | 'event';

const propertyAt = (context: ChatContext, namespace: string, name: string): PropertyRecord | undefined =>
  findProperty(context, namespace, name, context.effectiveAt);

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
