// Properties: their definitions, and every action on definitions. Does not know where values are kept.
// Specification: "Property", "Properties"; service-notes.md, "Properties".

import { defineTable, type EmulatedLicense, release } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import * as s from '../engine/shape.ts';
import { type ConfigurationContext, type ConfigurationKind, changeAction, findForWrite, readAction } from './action.ts';
import { isOwnClient, requireOwnClient } from './caller.ts';
import type { ConfigurationSettings } from './settings.ts';

const TYPES = ['int', 'bool', 'string', 'tokenized_string'] as const;
const propertyType = s.oneOf(TYPES);
const right = s.oneOf(['read', 'write']);
const INT32 = 2 ** 31;
const int32 = s.int(-INT32, INT32 - 1);

/** The value of a property, before its definition is asked. */
export type PropertyValue = boolean | number | string;
const readValue: s.JsonReader<PropertyValue> = (given, path) =>
  typeof given === 'boolean' || typeof given === 'number' ? given : s.string(given, path);
export const propertyValue = s.described({ type: ['boolean', 'number', 'string'] }, readValue);

const rights = s.optional(s.list(right));
const location = s.optional(s.withoutNull(s.closed({ agent: rights, customer: rights })));
/** Closed, because its keys are values, not members of a request. */
const access = s.withoutNull(
  s.closed({ chat: location, thread: location, event: location, license: location, group: location }),
);

/** `published` is absent until publish_property. */
const propertyRecord = s.object({
  namespace: s.text,
  name: s.text,
  type: propertyType,
  description: s.optional(s.string),
  access,
  domain: s.optional(s.list(propertyValue)),
  range: s.optional(s.object({ from: s.int(Number.MIN_SAFE_INTEGER), to: s.int(Number.MIN_SAFE_INTEGER) })),
  default_value: s.optional(propertyValue),
  published: s.optional(s.list(right)),
});
export type PropertyRecord = ReturnType<typeof propertyRecord>;
export const propertyKey = (namespace: string, name: string): string => JSON.stringify([namespace, name]);
export const propertyTable = defineTable(
  'properties',
  propertyRecord,
  ({ namespace, name }) => propertyKey(namespace, name),
  {},
);

/** The members of a definition, without its name and its owner. */
const definitionFields = {
  type: propertyType,
  access,
  description: s.optional(s.string),
  domain: s.optional(s.list(propertyValue, 1)),
  range: s.optional(s.object({ from: int32, to: int32 })),
  default_value: s.optional(propertyValue),
};
type PropertyDefinition = s.ObjectShape<typeof definitionFields>;

function requireType(type: PropertyRecord['type'], given: PropertyValue, path: string): void {
  switch (type) {
    case 'int':
      int32(given, path);
      return;
    case 'bool':
      if (typeof given !== 'boolean') refuse('validation', `${s.quoted(path)} must be a boolean`);
      return;
    case 'string':
    case 'tokenized_string':
      s.string(given, path);
  }
}

/** Refuses a value of another type, outside the domain or outside the range. */
export function requireValue(
  { type, domain, range }: Pick<PropertyRecord, 'type' | 'domain' | 'range'>,
  given: PropertyValue,
  path: string,
): void {
  requireType(type, given, path);
  if (domain !== undefined && !domain.includes(given)) refuse('validation', `${s.quoted(path)} is not in the domain`);
  if (range !== undefined && typeof given === 'number' && (given < range.from || given > range.to))
    refuse('validation', `${s.quoted(path)} must be between ${range.from} and ${range.to}`);
}

function requireAccess(given: PropertyDefinition['access'], path: string): void {
  const locations = Object.entries(given);
  if (locations.length === 0) refuse('validation', `${s.quoted(path)} needs at least one location`);
  for (const [location, kinds] of locations)
    if (Object.keys(kinds).length === 0)
      refuse('validation', `${s.quoted(`${path}.${location}`)} needs at least one user kind`);
}

/** Refuses members that contradict each other. */
function requireDefinition(given: PropertyDefinition, path: string): void {
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const { type, access, domain, range, default_value } = given;
  requireAccess(access, at('access'));
  if (domain !== undefined && range !== undefined)
    refuse('validation', `${s.quoted(at('domain'))} cannot be combined with \`range\``);
  if (range !== undefined && type !== 'int') refuse('validation', `${s.quoted(at('range'))} is for numeric types only`);
  if (range !== undefined && range.from > range.to)
    refuse('validation', `${s.quoted(at('range.from'))} must not be above \`to\``);
  for (const [index, item] of (domain ?? []).entries()) requireType(type, item, at(`domain[${index}]`));
  if (default_value === undefined) return;
  if (access.license === undefined && access.group === undefined)
    refuse('validation', `${s.quoted(at('default_value'))} needs access of \`license\` or \`group\``);
  requireValue(given, default_value, at('default_value'));
}

const definition = s.checked(s.object(definitionFields), requireDefinition);
const seededProperty = s.checked(
  s.closed({ ...definitionFields, public_access: s.optional(s.distinct(right, 1)) }),
  requireDefinition,
);
const seed = {
  properties: s.described(
    { description: 'Definitions of properties: namespace -> name -> definition.' },
    s.optional(s.recordOf(s.recordOf(seededProperty))),
  ),
};

function plant(license: EmulatedLicense, { properties = {} }: s.ObjectShape<typeof seed>): void {
  for (const [namespace, definitions] of Object.entries(properties)) {
    if (FIXED_NAMESPACES.includes(namespace))
      refuse(
        'validation',
        `properties: the properties of ${s.quoted(namespace)} are those of the service: leave them out`,
      );
    for (const [name, { public_access, ...given }] of Object.entries(definitions)) {
      const published = public_access === undefined ? {} : { published: public_access };
      propertyTable.of(license).set({ ...given, ...published, namespace, name });
    }
  }
}

const AGENTS = { agent: ['read', 'write'] } as const;
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
  const limits = Object.entries({ agents, groups, bots, access_rules: accessRules });
  const values = limits.flatMap(([resource, limit]) => [
    [`${resource}.base`, limit] as const,
    [`${resource}.additional`, 0] as const,
    [`${resource}.hard`, limit] as const,
  ]);
  const published = ['read'] as const;
  const access = { license: { agent: published } };
  return values.map(([name, default_value]) => {
    return { namespace: 'limits', name, type: 'int', access, default_value, published } as const;
  });
}

/**
 * The settings of `chats` that the notes name; their types and places are assumed, and a seed that describes one replaces it. The notes
 * name none of `core` and `monitoring`. customer-and-reports-notes.md, "State machine for one emulator state".
 */
const CHATS: readonly PropertyRecord[] = [
  { name: 'prefer_recent_agent', type: 'bool', access: { license: AGENTS, group: AGENTS } } as const,
  { name: 'queue.routing_priority', type: 'int', access: { group: AGENTS } } as const,
  { name: 'idle_after_min', type: 'int', access: { license: AGENTS, group: AGENTS } } as const,
  { name: 'archive_after_min', type: 'int', access: { license: AGENTS, group: AGENTS } } as const,
].map((setting) => ({ ...setting, namespace: 'chats', published: ['read', 'write'] }));

const builtins = new WeakMap<ConfigurationSettings, readonly PropertyRecord[]>();

/** The properties that every license has. */
export function builtinProperties(settings: ConfigurationSettings): readonly PropertyRecord[] {
  const known = builtins.get(settings) ?? [...TEST, ...CHATS, ...limitProperties(settings.limits)];
  builtins.set(settings, known);
  return known;
}

/** A property of the license or of those that come with it. */
export function findProperty(
  { license, settings }: { readonly license: EmulatedLicense; readonly settings: ConfigurationSettings },
  namespace: string,
  name: string,
  at = Infinity,
): PropertyRecord | undefined {
  const own = propertyTable.of(license).get(propertyKey(namespace, name), at);
  return own ?? builtinProperties(settings).find((found) => found.namespace === namespace && found.name === name);
}

/** Namespaces of the service whose properties are all known. */
const FIXED_NAMESPACES: readonly string[] = ['test', 'limits'];
/** Namespaces that belong to the service. A seed may describe what is not known of the last three. */
const SERVICE_NAMESPACES: readonly string[] = [...FIXED_NAMESPACES, 'chats', 'core', 'monitoring'];

/** Whether the caller is the owner client of a namespace. In open mode that is any client of the organization. */
export function isOwnNamespace({ caller, license }: ConfigurationContext, namespace: string): boolean {
  if (SERVICE_NAMESPACES.includes(namespace)) return false;
  return caller.clientId === namespace || (caller.scopes === 'every' && isOwnClient(license, namespace));
}

/** The properties of one namespace, or of all, at the moment that the request sees. */
export function propertiesOf(
  { license, settings, at }: Pick<ConfigurationContext, 'license' | 'settings' | 'at'>,
  namespace: string | undefined,
) {
  const table = propertyTable.of(license);
  const described = ({ namespace, name }: PropertyRecord) => table.get(propertyKey(namespace, name), at) !== undefined;
  const all = [...builtinProperties(settings).filter((one) => !described(one)), ...table.all(at)];
  return namespace === undefined ? all : all.filter((property) => property.namespace === namespace);
}

const SCOPES = ['properties.configuration:rw'];
const ofOwner = { name: s.text, owner_client_id: s.text };
const named = s.object(ofOwner);

/** Refuses an owner that is not a client of the caller's organization. */
function requireOwn({ license }: ConfigurationContext, owner: string): void {
  if (SERVICE_NAMESPACES.includes(owner))
    refuse('authorization', `namespace ${s.quoted(owner)} belongs to the service`);
  requireOwnClient(license, owner);
}

function requireProperty(
  { license }: ConfigurationContext,
  owner: string,
  name: string,
  at = Infinity,
): PropertyRecord {
  const found = propertyTable.of(license).get(propertyKey(owner, name), at);
  return found ?? refuse('not_found', `property ${s.quoted(name)} of ${s.quoted(owner)} does not exist`);
}

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

const actions = [
  changeAction('register_property', (body, path) => ({ ...named(body, path), given: definition(body, path) }), {
    scopes: SCOPES,
    run: ({ name, owner_client_id: namespace, given }, context) => {
      requireOwn(context, namespace);
      const properties = propertyTable.of(context.license);
      if (properties.get(propertyKey(namespace, name)) !== undefined)
        refuse('already_exists', `property ${s.quoted(name)} already exists`);
      properties.set({ ...given, namespace, name });
    },
  }),
  changeAction('unregister_property', named, {
    scopes: SCOPES,
    run: ({ name, owner_client_id: namespace }, context) => {
      const { license, settings } = context;
      requireOwn(context, namespace);
      if (requireProperty(context, namespace, name).published !== undefined)
        refuse('validation', `property ${s.quoted(name)} is published and cannot be unregistered`);
      release(license, settings, propertyTable, propertyKey(namespace, name));
      propertyTable.of(license).delete(propertyKey(namespace, name));
    },
  }),
  /** A second publication can only take rights away from other clients. */
  changeAction('publish_property', s.object({ ...ofOwner, access_type: s.distinct(right, 1) }), {
    scopes: SCOPES,
    run: ({ name, owner_client_id: namespace, access_type }, context) => {
      requireOwn(context, namespace);
      const property = findForWrite(context, (at) => requireProperty(context, namespace, name, at));
      const wider = access_type.filter((right) => property.published?.includes(right) === false);
      if (wider.length > 0) refuse('validation', `${s.quoted('access_type')} may only narrow: ${wider.join(', ')}`);
      propertyTable.of(context.license).set({ ...property, published: access_type });
    },
  }),
  /** All properties of one's own; of other owners, those that they published. */
  readAction('list_properties', s.object({ owner_client_id: s.text }), {
    scopes: SCOPES,
    run: ({ owner_client_id: namespace }, context) => {
      const own = isOwnNamespace(context, namespace);
      const seen = propertiesOf(context, namespace).filter(({ published }) => own || published !== undefined);
      return Object.fromEntries(seen.map((property) => [property.name, reply(property, context.settings)]));
    },
  }),
];

export const propertyKind = {
  tables: [propertyTable],
  seed,
  plant,
  actions,
} satisfies ConfigurationKind;
