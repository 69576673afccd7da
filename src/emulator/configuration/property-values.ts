// Requests about the values of properties on the license and on groups come in, values change and are answered.
// Must not know how properties are registered. Specification: "Properties"; service-notes.md, "Properties".

import type { EmulatedLicense } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import { int, list, mapOf, object, optional, quoted, string, text } from '../engine/shape.ts';
import type { Action, Context } from './action.ts';
import { changes, reads, writes } from './action.ts';
import { holds, permit } from './caller.ts';
import { requireValue } from './definition.ts';
import { allProperties, findProperty, isOwnNamespace, propertiesOf } from './known-properties.ts';
import type { Property, PropertyValue, Value } from './records.ts';
import { groupKey, groupTable, propertyKey, value, valueKey, valueTable } from './records.ts';
import type { ConfigurationSettings } from './settings.ts';
import { BOTH, ONLY_33, ONLY_36 } from './version.ts';

type Location = 'license' | 'group';
type Right = 'read' | 'write';
type Values = ReadonlyMap<string, ReadonlyMap<string, Value>>;
type Names = ReadonlyMap<string, readonly string[]>;

const values = mapOf(mapOf(value));
const names = mapOf(list(text));
const filter = { namespace: optional(string), name_prefix: optional(string) };
type Filter = { readonly namespace?: string; readonly name_prefix?: string };

const updateLicenseRequest = object({ properties: values });
const listLicenseRequest = object(filter);
const deleteLicenseRequest = object({ properties: names });
const updateGroupRequest = object({ group_id: int(0), properties: values });
const listGroupRequest = object({ id: int(0), ...filter });
const listGroupsRequest = object({ group_ids: list(int(0)), ...filter });
const deleteGroupRequest = object({ id: int(0), properties: names });

export const LICENSE_HOLDER = 'license';
export const groupHolder = (id: number): string => `group/${id}`;

function requireGroup({ license, at, refersAt }: Context, id: number): string {
  if ([at, refersAt].some((moment) => groupTable.of(license).get(groupKey(id), moment) === undefined))
    refuse('group_not_found', `group ${id} does not exist`);
  return groupHolder(id);
}

/** Whether the caller, an agent, has a right at a location: by the definition, and for others by what is published. */
function mayAccess(context: Context, property: Property, location: Location, right: Right): boolean {
  if (property.access[location]?.agent?.includes(right) !== true) return false;
  return isOwnNamespace(context, property.namespace) || property.published?.includes(right) === true;
}

function requireWritable(
  context: Context,
  location: Location,
  namespace: string,
  name: string,
  path: string,
): Property {
  const property = findProperty(context, namespace, name);
  if (property === undefined) return refuse('not_found', `property ${quoted(path)} does not exist`);
  if (property.access[location] === undefined)
    refuse('validation', `property ${quoted(path)} has no access of ${quoted(location)}`);
  if (!mayAccess(context, property, location, 'write'))
    refuse('authorization', `property ${quoted(path)} is not yours to write`);
  return property;
}

/** `my` for one's own namespaces, `all` when another one is touched. */
function permitNamespaces(
  context: Context,
  location: Location,
  namespaces: Iterable<string>,
  access: 'ro' | 'rw',
): void {
  const own = Array.from(namespaces).every((namespace) => isOwnNamespace(context, namespace));
  permit(context.caller, `properties.${location}.value--${own ? 'my' : 'all'}:${access}`);
}

function updateValues(context: Context, location: Location, holder: string, given: Values): void {
  permitNamespaces(context, location, given.keys(), 'rw');
  const wanted: PropertyValue[] = [];
  for (const [namespace, members] of given)
    for (const [name, value] of members) {
      const path = `properties.${namespace}.${name}`;
      requireValue(requireWritable(context, location, namespace, name, path), value, path);
      wanted.push({ holder, namespace, name, value });
    }
  for (const value of wanted) valueTable.of(context.license).set(value);
}

function deleteValues(context: Context, location: Location, holder: string, given: Names): void {
  permitNamespaces(context, location, given.keys(), 'rw');
  const pairs = Array.from(given).flatMap(([namespace, members]) => members.map((name) => [namespace, name] as const));
  for (const [namespace, name] of pairs)
    requireWritable(context, location, namespace, name, `properties.${namespace}.${name}`);
  for (const [namespace, name] of pairs) valueTable.of(context.license).delete(valueKey(holder, namespace, name));
}

/** The properties that the caller may read at a location: its own, and with `all` what others published. */
function readable(context: Context, location: Location, { namespace, name_prefix = '' }: Filter): readonly Property[] {
  permitNamespaces(context, location, namespace === undefined ? [] : [namespace], 'ro');
  const others = holds(context.caller, `properties.${location}.value--all:ro`);
  const asked = namespace === undefined ? allProperties(context) : propertiesOf(context, namespace);
  return asked.filter(
    (property) =>
      property.name.startsWith(name_prefix) &&
      mayAccess(context, property, location, 'read') &&
      (others || isOwnNamespace(context, property.namespace)),
  );
}

/** namespace -> name -> value; the default where no value was set, nothing where there is no default either. */
function valuesReply({ license, at }: Context, holder: string, properties: readonly Property[]): object {
  const found = new Map<string, [string, Value][]>();
  for (const { namespace, name, default_value } of properties) {
    const present = valueTable.of(license).get(valueKey(holder, namespace, name), at)?.value ?? default_value;
    if (present === undefined) continue;
    const entries = found.get(namespace);
    if (entries === undefined) found.set(namespace, [[name, present]]);
    else entries.push([name, present]);
  }
  return Object.fromEntries(Array.from(found, ([namespace, entries]) => [namespace, Object.fromEntries(entries)]));
}

function updateLicenseProperties(body: unknown, context: Context): object {
  updateValues(context, 'license', LICENSE_HOLDER, updateLicenseRequest(body, '').properties);
  return {};
}

function listLicenseProperties(body: unknown, context: Context): object {
  return valuesReply(context, LICENSE_HOLDER, readable(context, 'license', listLicenseRequest(body, '')));
}

function deleteLicenseProperties(body: unknown, context: Context): void {
  deleteValues(context, 'license', LICENSE_HOLDER, deleteLicenseRequest(body, '').properties);
}

function updateGroupProperties(body: unknown, context: Context): object {
  const { group_id, properties } = updateGroupRequest(body, '');
  updateValues(context, 'group', requireGroup(context, group_id), properties);
  return {};
}

function listGroupProperties(body: unknown, context: Context): object {
  const { id, ...filters } = listGroupRequest(body, '');
  const properties = readable(context, 'group', filters);
  return valuesReply(context, requireGroup(context, id), properties);
}

function listGroupsProperties(body: unknown, context: Context): object {
  const { group_ids, ...filters } = listGroupsRequest(body, '');
  const properties = readable(context, 'group', filters);
  const holders =
    group_ids.length === 0
      ? groupTable
          .of(context.license)
          .all(context.at)
          .map(({ id }): [number, string] => [id, groupHolder(id)])
      : Array.from(new Set(group_ids), (id): [number, string] => [id, requireGroup(context, id)]);
  return holders.map(([id, holder]) => ({ id, properties: valuesReply(context, holder, properties) }));
}

function deleteGroupProperties(body: unknown, context: Context): void {
  const { id, properties } = deleteGroupRequest(body, '');
  deleteValues(context, 'group', requireGroup(context, id), properties);
}

/** What unregistering a property does to its values. */
export function deleteValuesOf({ license, settings }: Context, namespace: string, name: string): void {
  const set = valueTable.of(license).where('property', propertyKey(namespace, name));
  if (set.length > 0 && settings.unregisteredValues === 'refuse')
    refuse('validation', `property ${quoted(name)} has values`);
  for (const { holder } of set) valueTable.of(license).delete(valueKey(holder, namespace, name));
}

/** Where the settings let nobody delete a group that has values. */
export function refuseGroupValues(
  license: EmulatedLicense,
  { deletedGroupValues }: ConfigurationSettings,
  group: number,
): void {
  if (deletedGroupValues === 'refuse' && valueTable.of(license).where('holder', groupHolder(group)).length > 0)
    refuse('validation', `group ${group} has property values`);
}

/** What deleting a group does to its values. */
export function deleteGroupValues(license: EmulatedLicense, group: number): void {
  for (const { holder, namespace, name } of valueTable.of(license).where('holder', groupHolder(group)))
    valueTable.of(license).delete(valueKey(holder, namespace, name));
}

export const propertyValueActions: readonly Action[] = [
  writes('update_license_properties', BOTH, updateLicenseProperties),
  reads('list_license_properties', BOTH, listLicenseProperties, { getToo: true }),
  changes('delete_license_properties', BOTH, deleteLicenseProperties),
  writes('update_group_properties', BOTH, updateGroupProperties),
  reads('list_group_properties', ONLY_33, listGroupProperties, { getToo: true }),
  reads('list_groups_properties', ONLY_36, listGroupsProperties),
  changes('delete_group_properties', BOTH, deleteGroupProperties),
];
