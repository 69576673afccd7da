// Requests about property definitions come in, definitions change and are answered. Must not know the values of a property.
// Specification: "Property", "Properties".

import { refuse } from '../engine/refusal.ts';
import { distinct, object, oneOf, quoted, text } from '../engine/shape.ts';
import type { Action, Context } from './action.ts';
import { changes, reads } from './action.ts';
import { permit } from './caller.ts';
import { requireClient } from './clients.ts';
import { definition } from './definition.ts';
import { isBuiltin, isOwnNamespace, propertiesOf } from './known-properties.ts';
import { deleteValuesOf } from './property-values.ts';
import type { Property } from './records.ts';
import { propertyKey, propertyTable, RIGHTS } from './records.ts';
import type { ConfigurationSettings } from './settings.ts';
import { BOTH } from './version.ts';

const named = object({ name: text, owner_client_id: text });
const publishRequest = object({ name: text, owner_client_id: text, access_type: distinct(oneOf(RIGHTS), 1) });
const listRequest = object({ owner_client_id: text });

const SCOPE = 'properties.configuration:rw';

function requireOwn(context: Context, owner: string): void {
  permit(context.caller, SCOPE);
  if (isBuiltin(owner)) refuse('authorization', `namespace ${quoted(owner)} belongs to the service`);
  requireClient(context, owner);
}

function requireProperty({ license }: Context, owner: string, name: string, at = Infinity): Property {
  const found = propertyTable.of(license).get(propertyKey(owner, name), at);
  return found ?? refuse('not_found', `property ${quoted(name)} of ${quoted(owner)} does not exist`);
}

function registerProperty(body: unknown, context: Context): void {
  const { name, owner_client_id: namespace } = named(body, '');
  const given = definition(body, '');
  requireOwn(context, namespace);
  const properties = propertyTable.of(context.license);
  if (properties.get(propertyKey(namespace, name)) !== undefined)
    refuse('already_exists', `property ${quoted(name)} already exists`);
  properties.set({ ...given, namespace, name });
}

function unregisterProperty(body: unknown, context: Context): void {
  const { name, owner_client_id: namespace } = named(body, '');
  requireOwn(context, namespace);
  if (requireProperty(context, namespace, name).published !== undefined)
    refuse('validation', `property ${quoted(name)} is published and cannot be unregistered`);
  deleteValuesOf(context, namespace, name);
  propertyTable.of(context.license).delete(propertyKey(namespace, name));
}

/** Publishing once more can take rights away from other clients, and never give any. */
function publishProperty(body: unknown, context: Context): void {
  const { name, owner_client_id: namespace, access_type } = publishRequest(body, '');
  requireOwn(context, namespace);
  const property = requireProperty(context, namespace, name);
  requireProperty(context, namespace, name, context.refersAt);
  const wider = access_type.filter((right) => property.published?.includes(right) === false);
  if (wider.length > 0) refuse('validation', `${quoted('access_type')} may only narrow: ${wider.join(', ')}`);
  propertyTable.of(context.license).set({ ...property, published: access_type });
}

function reply(property: Property, { listPropertyDetails, unsetOnRead }: ConfigurationSettings): object {
  const { type, description, access, published = [], domain, range, default_value } = property;
  return {
    type,
    description: description ?? (unsetOnRead === 'defaults' ? '' : undefined),
    access,
    public_access: published,
    ...(listPropertyDetails ? { domain, range, default_value } : {}),
  };
}

/** All of one's own; of other owners, what they published. */
function listProperties(body: unknown, context: Context): object {
  const { owner_client_id: namespace } = listRequest(body, '');
  permit(context.caller, SCOPE);
  const own = isOwnNamespace(context, namespace);
  const seen = propertiesOf(context, namespace).filter(({ published }) => own || published !== undefined);
  return Object.fromEntries(seen.map((property) => [property.name, reply(property, context.settings)]));
}

export const propertyActions: readonly Action[] = [
  changes('register_property', BOTH, registerProperty),
  changes('unregister_property', BOTH, unregisterProperty),
  changes('publish_property', BOTH, publishProperty),
  reads('list_properties', BOTH, listProperties),
];
