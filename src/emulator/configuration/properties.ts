// Properties: their definitions, those that come with a license, and every action on definitions. Does not know where values are kept.
// Specification: "Property", "Properties"; service-notes.md, "Properties".

import type { EmulatedLicense } from '../engine/license.ts';
import { defineTable, release } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import type { JsonReader, ObjectShape } from '../engine/shape.ts';
import {
  distinct,
  int,
  list,
  object,
  oneOf,
  optional,
  quoted,
  recordOf,
  string,
  text,
  withoutNull,
} from '../engine/shape.ts';
import type { ConfigurationContext, ConfigurationKind } from './action.ts';
import { changeAction, findForWrite, readAction } from './action.ts';
import { isOwnClient, requireOwnClient } from './caller.ts';
import type { ConfigurationSettings } from './settings.ts';

const TYPES = ['int', 'bool', 'string', 'tokenized_string'] as const;
const propertyType = oneOf(TYPES);
const right = oneOf(['read', 'write']);
const INT32 = 2 ** 31;
const int32 = int(-INT32, INT32 - 1);

/** The value of a property, before its definition is asked. */
export type PropertyValue = boolean | number | string;
export const propertyValue: JsonReader<PropertyValue> = (given, path) =>
  typeof given === 'boolean' || typeof given === 'number' ? given : string(given, path);

const rights = optional(list(right));
const location = optional(withoutNull(object({ agent: rights, customer: rights }, true)));
/** Closed, because its keys are values, not members of a request. */
const access = withoutNull(
  object({ chat: location, thread: location, event: location, license: location, group: location }, true),
);

/** `published` is absent until publish_property. */
const propertyRecord = object({
  namespace: text,
  name: text,
  type: propertyType,
  description: optional(string),
  access,
  domain: optional(list(propertyValue)),
  range: optional(object({ from: int(Number.MIN_SAFE_INTEGER), to: int(Number.MIN_SAFE_INTEGER) })),
  default_value: optional(propertyValue),
  published: optional(list(right)),
});
export type PropertyRecord = ReturnType<typeof propertyRecord>;
export const propertyKey = (namespace: string, name: string): string => JSON.stringify([namespace, name]);
export const propertyTable = defineTable(
  'properties',
  propertyRecord,
  ({ namespace, name }) => propertyKey(namespace, name),
  { namespace: ({ namespace }) => namespace },
);

/** The members of a definition, without its name and its owner. */
const definitionFields = {
  type: propertyType,
  access,
  description: optional(string),
  domain: optional(list(propertyValue, 1)),
  range: optional(object({ from: int32, to: int32 })),
  default_value: optional(propertyValue),
};
type Definition = ObjectShape<typeof definitionFields>;

function requireType(type: PropertyRecord['type'], given: PropertyValue, path: string): void {
  switch (type) {
    case 'int':
      int32(given, path);
      return;
    case 'bool':
      if (typeof given !== 'boolean') refuse('validation', `${quoted(path)} must be a boolean`);
      return;
    case 'string':
    case 'tokenized_string':
      string(given, path);
  }
}

/** Refuses a value of another type, outside the domain or outside the range. */
export function requireValue(
  { type, domain, range }: Pick<PropertyRecord, 'type' | 'domain' | 'range'>,
  given: PropertyValue,
  path: string,
): void {
  requireType(type, given, path);
  if (domain !== undefined && !domain.includes(given)) refuse('validation', `${quoted(path)} is not in the domain`);
  if (range !== undefined && typeof given === 'number' && (given < range.from || given > range.to))
    refuse('validation', `${quoted(path)} must be between ${range.from} and ${range.to}`);
}

function requireAccess(given: Definition['access'], path: string): void {
  const locations = Object.entries(given);
  if (locations.length === 0) refuse('validation', `${quoted(path)} needs at least one location`);
  for (const [location, kinds] of locations)
    if (Object.keys(kinds).length === 0)
      refuse('validation', `${quoted(`${path}.${location}`)} needs at least one user kind`);
}

function requireDefault(given: Definition, default_value: PropertyValue, path: string): void {
  if (given.access.license === undefined && given.access.group === undefined)
    refuse('validation', `${quoted(path)} needs access of \`license\` or \`group\``);
  requireValue(given, default_value, path);
}

/** Refuses members that contradict each other. */
function requireDefinition(given: Definition, path: string): void {
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const { type, domain, range, default_value } = given;
  requireAccess(given.access, at('access'));
  if (domain !== undefined && range !== undefined)
    refuse('validation', `${quoted(at('domain'))} cannot be combined with \`range\``);
  if (range !== undefined && type !== 'int') refuse('validation', `${quoted(at('range'))} is for numeric types only`);
  if (range !== undefined && range.from > range.to)
    refuse('validation', `${quoted(at('range.from'))} must not be above \`to\``);
  domain?.forEach((item, index) => {
    requireType(type, item, at(`domain[${index}]`));
  });
  if (default_value !== undefined) requireDefault(given, default_value, at('default_value'));
}

/** Reads the members of a definition, and refuses those that contradict each other. */
function definition<T extends Definition>(members: JsonReader<T>): JsonReader<T> {
  return (body, path) => {
    const given = members(body, path);
    requireDefinition(given, path);
    return given;
  };
}

const seededProperty = definition(object({ ...definitionFields, public_access: optional(distinct(right, 1)) }, true));
const seed = { properties: optional(recordOf(recordOf(seededProperty))) };

function plant(license: EmulatedLicense, { properties = {} }: ObjectShape<typeof seed>): void {
  for (const [namespace, definitions] of Object.entries(properties))
    for (const [name, { public_access, ...given }] of Object.entries(definitions)) {
      const published = public_access === undefined ? {} : { published: public_access };
      propertyTable.of(license).set({ ...given, ...published, namespace, name });
    }
}

const EVERYTHING = { agent: ['read', 'write'], customer: ['read', 'write'] } as const;
const EVERYWHERE = { chat: EVERYTHING, thread: EVERYTHING, event: EVERYTHING, license: EVERYTHING, group: EVERYTHING };

/** "readable and writable by everyone everywhere". */
const TEST: readonly PropertyRecord[] = TYPES.map((type) => ({
  namespace: 'test',
  name: `${type}_property`,
  type,
  access: EVERYWHERE,
  published: ['read', 'write'],
}));

/** `<resource>.base`, `.additional` and `.hard`: the effective limit is base + additional, at most hard; -1 is unlimited. */
function limitProperties({ agents, groups, bots, accessRules }: ConfigurationSettings['limits']) {
  return Object.entries({ agents, groups, bots, access_rules: accessRules }).flatMap(([resource, limit]) =>
    Object.entries({ base: limit, additional: 0, hard: limit }).map(
      ([part, default_value]): PropertyRecord => ({
        namespace: 'limits',
        name: `${resource}.${part}`,
        type: 'int',
        access: { license: { agent: ['read'] } },
        default_value,
        published: ['read'],
      }),
    ),
  );
}

/** The built-in properties of a namespace. */
export function builtinProperties(settings: ConfigurationSettings, namespace: string): readonly PropertyRecord[] {
  switch (namespace) {
    case 'test':
      return TEST;
    case 'limits':
      return limitProperties(settings.limits);
    default:
      return [];
  }
}

const BUILTIN_NAMESPACES: readonly string[] = ['test', 'limits'];
/** Namespaces of the service, not of a client. What is in the last three is not shown: a seed may describe it, and no client may register it. */
const SERVICE_NAMESPACES: readonly string[] = [...BUILTIN_NAMESPACES, 'chats', 'core', 'monitoring'];

/** Whether the caller is the owner client of a namespace. In open mode that is any client of the organization. */
export function isOwnNamespace({ caller, license }: ConfigurationContext, namespace: string): boolean {
  if (SERVICE_NAMESPACES.includes(namespace)) return false;
  return caller.clientId === namespace || (caller.scopes === 'every' && isOwnClient(license, namespace));
}

/** The properties of one namespace, or of all, at the moment that the request sees. */
export function propertiesOf(
  { license, settings, at }: ConfigurationContext,
  namespace: string | undefined,
): readonly PropertyRecord[] {
  const builtin = (namespace === undefined ? BUILTIN_NAMESPACES : [namespace]).flatMap((name) =>
    builtinProperties(settings, name),
  );
  const registered = propertyTable.of(license);
  return [...builtin, ...(namespace === undefined ? registered.all(at) : registered.where('namespace', namespace, at))];
}

const SCOPES = ['properties.configuration:rw'];
const ofOwner = { name: text, owner_client_id: text };
const named = object(ofOwner);

/** Refuses an owner that is not a client of the caller's organization. */
function requireOwn({ license }: ConfigurationContext, owner: string): void {
  if (SERVICE_NAMESPACES.includes(owner)) refuse('authorization', `namespace ${quoted(owner)} belongs to the service`);
  requireOwnClient(license, owner);
}

function requireProperty(
  { license }: ConfigurationContext,
  owner: string,
  name: string,
  at = Infinity,
): PropertyRecord {
  const found = propertyTable.of(license).get(propertyKey(owner, name), at);
  return found ?? refuse('not_found', `property ${quoted(name)} of ${quoted(owner)} does not exist`);
}

const readDefinition = definition(object(definitionFields));

const registerProperty = changeAction(
  'register_property',
  (body, path) => ({ ...named(body, path), given: readDefinition(body, path) }),
  {
    scopes: SCOPES,
    run: ({ name, owner_client_id: namespace, given }, context) => {
      requireOwn(context, namespace);
      const properties = propertyTable.of(context.license);
      if (properties.get(propertyKey(namespace, name)) !== undefined)
        refuse('already_exists', `property ${quoted(name)} already exists`);
      properties.set({ ...given, namespace, name });
    },
  },
);

const unregisterProperty = changeAction('unregister_property', named, {
  scopes: SCOPES,
  run: ({ name, owner_client_id: namespace }, context) => {
    const { license, settings } = context;
    requireOwn(context, namespace);
    if (requireProperty(context, namespace, name).published !== undefined)
      refuse('validation', `property ${quoted(name)} is published and cannot be unregistered`);
    release(license, settings, propertyTable, propertyKey(namespace, name));
    propertyTable.of(license).delete(propertyKey(namespace, name));
  },
});

/** Publishing a property again can take rights away from other clients, and never give any. */
const publishProperty = changeAction('publish_property', object({ ...ofOwner, access_type: distinct(right, 1) }), {
  scopes: SCOPES,
  run: ({ name, owner_client_id: namespace, access_type }, context) => {
    requireOwn(context, namespace);
    const property = findForWrite(context, (at) => requireProperty(context, namespace, name, at));
    const wider = access_type.filter((right) => property.published?.includes(right) === false);
    if (wider.length > 0) refuse('validation', `${quoted('access_type')} may only narrow: ${wider.join(', ')}`);
    propertyTable.of(context.license).set({ ...property, published: access_type });
  },
});

function reply(property: PropertyRecord, { listPropertyDetails, unsetOnRead }: ConfigurationSettings): object {
  const { type, description, access, published = [], domain, range, default_value } = property;
  return {
    type,
    description: description ?? (unsetOnRead === 'defaults' ? '' : undefined),
    access,
    public_access: published,
    ...(listPropertyDetails ? { domain, range, default_value } : {}),
  };
}

/** All properties of one's own; of other owners, those that they published. */
const listProperties = readAction('list_properties', object({ owner_client_id: text }), {
  scopes: SCOPES,
  run: ({ owner_client_id: namespace }, context) => {
    const own = isOwnNamespace(context, namespace);
    const seen = propertiesOf(context, namespace).filter(({ published }) => own || published !== undefined);
    return Object.fromEntries(seen.map((property) => [property.name, reply(property, context.settings)]));
  },
});

export const propertyKind = {
  tables: [propertyTable],
  seed,
  plant,
  actions: [registerProperty, unregisterProperty, publishProperty, listProperties],
} satisfies ConfigurationKind;
