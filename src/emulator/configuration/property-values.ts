// Values of properties on the license and on groups: their records, and every action on them. Does not know how properties are registered.
// Specification: "Properties"; service-notes.md, "Properties".

import type { EmulatedLicense, TableDefinition } from '../engine/license.ts';
import { badSeed, defineTable } from '../engine/license.ts';
import { isRefusal, refuse } from '../engine/refusal.ts';
import type { ObjectShape } from '../engine/shape.ts';
import { int, list, mapOf, object, optional, quoted, recordOf, string, text } from '../engine/shape.ts';
import type { ConfigurationContext, ConfigurationKind } from './action.ts';
import { changeAction, findForWrite, readAction, writeAction } from './action.ts';
import { holds, permit } from './caller.ts';
import { groupKey, groupTable } from './memberships.ts';
import type { PropertyRecord, PropertyValue } from './properties.ts';
import {
  builtinProperties,
  isOwnNamespace,
  propertiesOf,
  propertyKey,
  propertyTable,
  propertyValue,
  requireValue,
} from './properties.ts';
import type { ConfigurationSettings } from './settings.ts';
import { ONLY_33, ONLY_36 } from './version.ts';

type Location = 'license' | 'group';

/** A value that was set; `holder` is `license`, or `group/<id>`. */
const valueRecord = object({ holder: text, namespace: text, name: text, value: propertyValue });
type ValueRecord = ReturnType<typeof valueRecord>;
const valueKey = (holder: string, namespace: string, name: string): string => JSON.stringify([holder, namespace, name]);
const valueTable = defineTable(
  'values',
  valueRecord,
  ({ holder, namespace, name }) => valueKey(holder, namespace, name),
  { holder: ({ holder }) => holder, property: ({ namespace, name }) => propertyKey(namespace, name) },
);

const LICENSE_HOLDER = 'license';
const groupHolder = (id: number | string): string => `group/${id}`;

/** A property of the license or of those that come with it. */
function findProperty(
  license: EmulatedLicense,
  settings: ConfigurationSettings,
  namespace: string,
  name: string,
  at = Infinity,
): PropertyRecord | undefined {
  const builtin = builtinProperties(settings, namespace).find((property) => property.name === name);
  return builtin ?? propertyTable.of(license).get(propertyKey(namespace, name), at);
}

const seededValues = recordOf(recordOf(propertyValue));
const seed = { license_properties: optional(seededValues), group_properties: optional(recordOf(seededValues)) };

function plant(
  license: EmulatedLicense,
  { license_properties = {}, group_properties = {} }: ObjectShape<typeof seed>,
  settings: ConfigurationSettings,
): void {
  const plantValues = (location: Location, holder: string, values: ReturnType<typeof seededValues>): void => {
    for (const [namespace, members] of Object.entries(values))
      for (const [name, value] of Object.entries(members)) {
        const path = `${location}_properties: ${namespace}: ${name}`;
        const definition = findProperty(license, settings, namespace, name);
        if (definition?.access[location] === undefined) badSeed(`${path} is not a property of a ${location}`);
        requireSeededValue(definition, value, path);
        valueTable.of(license).set({ holder, namespace, name, value });
      }
  };
  plantValues('license', LICENSE_HOLDER, license_properties);
  for (const [id, values] of Object.entries(group_properties)) {
    if (groupTable.of(license).get(id) === undefined)
      badSeed(`group_properties names group ${id}, which does not exist`);
    plantValues('group', groupHolder(id), values);
  }
}

function requireSeededValue(definition: PropertyRecord, value: PropertyValue, path: string): void {
  try {
    requireValue(definition, value, path);
  } catch (error) {
    if (isRefusal(error)) badSeed(error.message);
    throw error;
  }
}

/** The holder of a group's values, or a refusal. */
function requireGroup({ license, at, refersAt }: ConfigurationContext, id: number): string {
  if ([at, refersAt].some((moment) => groupTable.of(license).get(groupKey(id), moment) === undefined))
    refuse('group_not_found', `group ${id} does not exist`);
  return groupHolder(id);
}

/** Whether the caller, an agent, has a right at a location: by the definition, and for others by what is published. */
function mayAccess(
  context: ConfigurationContext,
  property: PropertyRecord,
  location: Location,
  right: 'read' | 'write',
): boolean {
  if (property.access[location]?.agent?.includes(right) !== true) return false;
  return isOwnNamespace(context, property.namespace) || property.published?.includes(right) === true;
}

function requireWritable(
  context: ConfigurationContext,
  location: Location,
  namespace: string,
  name: string,
  path: string,
): PropertyRecord {
  const { license, settings } = context;
  const property = findForWrite(
    context,
    (at) =>
      findProperty(license, settings, namespace, name, at) ??
      refuse('not_found', `property ${quoted(path)} does not exist`),
  );
  if (property.access[location] === undefined)
    refuse('validation', `property ${quoted(path)} has no access of ${quoted(location)}`);
  if (!mayAccess(context, property, location, 'write'))
    refuse('authorization', `property ${quoted(path)} is not yours to write`);
  return property;
}

/** `my` for one's own namespaces, `all` when another one is touched. */
function scopesOf(
  context: ConfigurationContext,
  location: Location,
  namespaces: Iterable<string>,
  access: 'ro' | 'rw',
): readonly string[] {
  const own = Array.from(namespaces).every((namespace) => isOwnNamespace(context, namespace));
  return [`properties.${location}.value--${own ? 'my' : 'all'}:${access}`];
}

const values = mapOf(mapOf(propertyValue));
const names = mapOf(list(text));

function updateValues(
  context: ConfigurationContext,
  location: Location,
  holder: string,
  given: ReturnType<typeof values>,
): object {
  const wanted: ValueRecord[] = [];
  for (const [namespace, members] of given)
    for (const [name, value] of members) {
      const path = `properties.${namespace}.${name}`;
      requireValue(requireWritable(context, location, namespace, name, path), value, path);
      wanted.push({ holder, namespace, name, value });
    }
  for (const value of wanted) valueTable.of(context.license).set(value);
  return {};
}

function deleteValues(
  context: ConfigurationContext,
  location: Location,
  holder: string,
  given: ReturnType<typeof names>,
): void {
  const pairs = Array.from(given).flatMap(([namespace, members]) => members.map((name) => [namespace, name] as const));
  for (const [namespace, name] of pairs)
    requireWritable(context, location, namespace, name, `properties.${namespace}.${name}`);
  for (const [namespace, name] of pairs) valueTable.of(context.license).delete(valueKey(holder, namespace, name));
}

const filter = { namespace: optional(string), name_prefix: optional(string) };
type Filter = ObjectShape<typeof filter>;

/** Scope of listing: that of the namespace which is asked for. */
const listScopes =
  (location: Location) =>
  ({ namespace }: Filter, context: ConfigurationContext): readonly string[] =>
    scopesOf(context, location, namespace === undefined ? [] : [namespace], 'ro');

/** The properties that the caller may read at a location: its own, and with `all` those that others published. */
function readable(
  context: ConfigurationContext,
  location: Location,
  { namespace, name_prefix = '' }: Filter,
): readonly PropertyRecord[] {
  const others = holds(context.caller, `properties.${location}.value--all:ro`);
  return propertiesOf(context, namespace).filter(
    (property) =>
      property.name.startsWith(name_prefix) &&
      mayAccess(context, property, location, 'read') &&
      (others || isOwnNamespace(context, property.namespace)),
  );
}

/** namespace -> name -> value; the default where no value was set, nothing where there is no default either. */
function valuesReply(
  { license, at }: ConfigurationContext,
  holder: string,
  properties: readonly PropertyRecord[],
): object {
  const found = new Map<string, [string, PropertyValue][]>();
  for (const { namespace, name, default_value } of properties) {
    const present = valueTable.of(license).get(valueKey(holder, namespace, name), at)?.value ?? default_value;
    if (present === undefined) continue;
    const entries = found.get(namespace);
    if (entries === undefined) found.set(namespace, [[name, present]]);
    else entries.push([name, present]);
  }
  return Object.fromEntries(Array.from(found, ([namespace, entries]) => [namespace, Object.fromEntries(entries)]));
}

const updateLicenseProperties = writeAction('update_license_properties', object({ properties: values }), {
  scopes: ({ properties }, context) => scopesOf(context, 'license', properties.keys(), 'rw'),
  run: ({ properties }, context) => updateValues(context, 'license', LICENSE_HOLDER, properties),
});

const listLicenseProperties = readAction('list_license_properties', object(filter), {
  getToo: true,
  scopes: listScopes('license'),
  run: (given, context) => valuesReply(context, LICENSE_HOLDER, readable(context, 'license', given)),
});

const deleteLicenseProperties = changeAction('delete_license_properties', object({ properties: names }), {
  scopes: ({ properties }, context) => scopesOf(context, 'license', properties.keys(), 'rw'),
  run: ({ properties }, context) => deleteValues(context, 'license', LICENSE_HOLDER, properties),
});

/** Looks for the group before it looks at scopes, and so does delete_group_properties. */
const updateGroupProperties = writeAction('update_group_properties', object({ group_id: int(0), properties: values }), {
  run: ({ group_id, properties }, context) => {
    const holder = requireGroup(context, group_id);
    permit(context.caller, ...scopesOf(context, 'group', properties.keys(), 'rw'));
    return updateValues(context, 'group', holder, properties);
  },
});

const listGroupProperties = readAction('list_group_properties', object({ id: int(0), ...filter }), {
  versions: ONLY_33,
  getToo: true,
  scopes: listScopes('group'),
  run: ({ id, ...filters }, context) => {
    const properties = readable(context, 'group', filters);
    return valuesReply(context, requireGroup(context, id), properties);
  },
});

const listGroupsProperties = readAction('list_groups_properties', object({ group_ids: list(int(0)), ...filter }), {
  versions: ONLY_36,
  scopes: listScopes('group'),
  run: ({ group_ids, ...filters }, context) => {
    const properties = readable(context, 'group', filters);
    for (const id of group_ids) requireGroup(context, id);
    const all = groupTable.of(context.license).all(context.at);
    const ids = group_ids.length === 0 ? all.map(({ id }) => id) : new Set(group_ids);
    return Array.from(ids, (id) => ({ id, properties: valuesReply(context, groupHolder(id), properties) }));
  },
});

const deleteGroupProperties = changeAction('delete_group_properties', object({ id: int(0), properties: names }), {
  run: ({ id, properties }, context) => {
    const holder = requireGroup(context, id);
    permit(context.caller, ...scopesOf(context, 'group', properties.keys(), 'rw'));
    deleteValues(context, 'group', holder, properties);
  },
});

/** The values of a deleted group, and of an unregistered property, go with it. */
function release(
  license: EmulatedLicense,
  settings: ConfigurationSettings,
  table: TableDefinition,
  key: string,
): (() => void) | undefined {
  const values = valueTable.of(license);
  const remove = (lost: readonly ValueRecord[]) => (): void => {
    for (const { holder, namespace, name } of lost) values.delete(valueKey(holder, namespace, name));
  };
  switch (table) {
    case groupTable: {
      const lost = values.where('holder', groupHolder(key));
      if (lost.length > 0 && settings.deletedGroupValues === 'refuse')
        refuse('validation', `group ${key} has property values`);
      return remove(lost);
    }
    case propertyTable: {
      const lost = values.where('property', key);
      const [first] = lost;
      if (first !== undefined && settings.unregisteredValues === 'refuse')
        refuse('validation', `property ${quoted(first.name)} has values`);
      return remove(lost);
    }
    default:
      return undefined;
  }
}

export const propertyValueKind = {
  tables: [valueTable],
  seed,
  plant,
  release,
  actions: [
    updateLicenseProperties,
    listLicenseProperties,
    deleteLicenseProperties,
    updateGroupProperties,
    listGroupProperties,
    listGroupsProperties,
    deleteGroupProperties,
  ],
} satisfies ConfigurationKind;
