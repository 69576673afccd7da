// Properties: their definitions, and every action on definitions. Does not know where values are kept.
// Specification: "Property", "Properties"; service-notes.md, "Properties".

import {
  DEFAULT_PROPERTIES,
  type DefaultProperty,
  isServiceNamespace,
  LIMITED_RESOURCES,
} from '../../base/default-properties.ts';
import { defineTable, type EmulatedLicense, release } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import * as s from '../engine/shape.ts';
import { type ConfigurationContext, type ConfigurationKind, changeAction, findForWrite, readAction } from './action.ts';
import { isOwnClient, requireOwnClient } from './caller.ts';
import type { ConfigurationSettings } from './settings.ts';

const TYPES = ['int', 'bool', 'string', 'tokenized_string'] as const;
const propertyType = s.oneOf(TYPES);
const RIGHTS = ['read', 'write'] as const;
const right = s.oneOf(RIGHTS);
export const LIMITS = 'limits';
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

function plant(
  license: EmulatedLicense,
  { properties = {} }: s.ObjectShape<typeof seed>,
  settings: ConfigurationSettings,
): void {
  for (const [namespace, definitions] of Object.entries(properties)) {
    if (isOfService(settings, namespace))
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

/** What each limited resource may have: as the settings say, and no limit where there is no setting. */
function limitOf({ limits }: ConfigurationSettings, resource: string): number {
  const { agents, groups, tags, accessRules: access_rules } = limits;
  const stated = new Map(Object.entries({ agents, groups, tags, access_rules }));
  return stated.get(resource) ?? -1;
}

/** `<resource>.base`, `.additional` and `.hard`: the effective limit is base + additional, at most hard; -1 is unlimited. */
function limitValues(settings: ConfigurationSettings): ReadonlyMap<string, number> {
  return new Map(
    LIMITED_RESOURCES.flatMap((resource) => {
      const limit = limitOf(settings, resource);
      return [[`${resource}.base`, limit] as const, [`${resource}.additional`, 0], [`${resource}.hard`, limit]];
    }),
  );
}

/** The namespace of the widget has a name of its own on some licenses. */
const WIDGET = 'lc2';

function builtinProperty(
  { widgetNamespace }: ConfigurationSettings,
  limits: ReadonlyMap<string, number>,
  { namespace, name, type, access, domain }: DefaultProperty,
): PropertyRecord {
  const default_value = namespace === LIMITS ? limits.get(name) : undefined;
  return {
    namespace: namespace === WIDGET ? widgetNamespace : namespace,
    name,
    type,
    access,
    ...(domain === undefined ? {} : { domain }),
    ...(default_value === undefined ? {} : { default_value }),
    published: RIGHTS,
  };
}

const builtins = new WeakMap<ConfigurationSettings, ReadonlyMap<string, PropertyRecord>>();

/** The properties that every license has, by their key. customer.md, "Default properties". */
function builtinProperties(settings: ConfigurationSettings): ReadonlyMap<string, PropertyRecord> {
  const known = builtins.get(settings);
  if (known !== undefined) return known;
  const limits = limitValues(settings);
  const all = DEFAULT_PROPERTIES.map((property) => builtinProperty(settings, limits, property));
  const made = new Map(all.map((property) => [propertyKey(property.namespace, property.name), property]));
  builtins.set(settings, made);
  return made;
}

/** Whether a namespace belongs to the service. */
function isOfService({ widgetNamespace }: ConfigurationSettings, namespace: string): boolean {
  return namespace === widgetNamespace || (namespace !== WIDGET && isServiceNamespace(namespace));
}

/** A property of the license or of those that come with it. */
export function findProperty(
  { license, settings }: { readonly license: EmulatedLicense; readonly settings: ConfigurationSettings },
  namespace: string,
  name: string,
  at = Infinity,
): PropertyRecord | undefined {
  const key = propertyKey(namespace, name);
  return builtinProperties(settings).get(key) ?? propertyTable.of(license).get(key, at);
}

/** Whether the caller is the owner client of a namespace. In open mode that is any client of the organization. */
export function isOwnNamespace({ caller, license, settings }: ConfigurationContext, namespace: string): boolean {
  if (isOfService(settings, namespace)) return false;
  return caller.clientId === namespace || (caller.scopes === 'every' && isOwnClient(license, namespace));
}

/** The properties of one namespace, or of all, at the moment that the request sees. */
export function propertiesOf(
  { license, settings, at }: Pick<ConfigurationContext, 'license' | 'settings' | 'at'>,
  namespace: string | undefined,
) {
  const all = [...builtinProperties(settings).values(), ...propertyTable.of(license).all(at)];
  return namespace === undefined ? all : all.filter((property) => property.namespace === namespace);
}

const SCOPES = ['properties.configuration:rw'];
const ofOwner = { name: s.text, owner_client_id: s.text };
const named = s.object(ofOwner);

/** Refuses an owner that is not a client of the caller's organization. */
function requireOwn({ license, settings }: ConfigurationContext, owner: string): void {
  if (isOfService(settings, owner)) refuse('authorization', `namespace ${s.quoted(owner)} belongs to the service`);
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
