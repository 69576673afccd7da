// Values of properties, on the license and on groups, and every action on them. Does not know how properties are registered.
// Specification: "Properties"; service-notes.md, "Properties".

import { defineTable, type EmulatedLicense, type TableDefinition } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import type { ObjectShape } from '../engine/shape.ts';
import { described, int, list, mapOf, object, optional, quoted, recordOf, string, text } from '../engine/shape.ts';
import type { ConfigurationContext, ConfigurationKind } from './action.ts';
import { changeAction, findForWrite, readAction, writeAction } from './action.ts';
import { holds, permit } from './caller.ts';
import { groupKey, groupTable } from './memberships.ts';
import type { PropertyRecord, PropertyValue } from './properties.ts';
import {
  findProperty,
  isOwnNamespace,
  LIMITS,
  propertiesOf,
  propertyKey,
  propertyTable,
  propertyValue,
  requireValue,
} from './properties.ts';
import { type ConfigurationSettings, FEATURES } from './settings.ts';

type Location = 'license' | 'group';
type Right = 'read' | 'write';

/** The license, or one of its groups. */
interface ValueHolder {
  readonly location: Location;
  /** `license`, or `group/<id>`. */
  readonly holder: string;
}
const LICENSE: ValueHolder = { location: 'license', holder: 'license' };
const groupHolder = (id: number | string): ValueHolder => ({ location: 'group', holder: `group/${id}` });

const valueRecord = object({ holder: text, namespace: text, name: text, value: propertyValue });
type ValueRecord = ReturnType<typeof valueRecord>;
const valueKey = (holder: string, namespace: string, name: string): string => JSON.stringify([holder, namespace, name]);
const valueTable = defineTable(
  'values',
  valueRecord,
  ({ holder, namespace, name }) => valueKey(holder, namespace, name),
  { holder: ({ holder }) => holder, property: ({ namespace, name }) => propertyKey(namespace, name) },
);

/** Values that were asked for, as long as no write has changed them; those of the license are under null. */
interface KnownValues {
  readonly writes: number;
  readonly values: Map<number | null, Map<string, PropertyValue | undefined>>;
}
const known = new WeakMap<EmulatedLicense, KnownValues>();

function knownValues(license: EmulatedLicense, group: number | null): Map<string, PropertyValue | undefined> {
  const writes = valueTable.of(license).writes() + propertyTable.of(license).writes();
  let all = known.get(license);
  if (all?.writes !== writes) all = { writes, values: new Map() };
  known.set(license, all);
  const found = all.values.get(group) ?? new Map<string, PropertyValue | undefined>();
  all.values.set(group, found);
  return found;
}

interface ValueContext {
  readonly license: EmulatedLicense;
  readonly settings: ConfigurationSettings;
  /** The moment whose configuration has taken effect, in ms; Infinity is now. */
  readonly effectiveAt: number;
}

function readValue(context: ValueContext, group: number | null, namespace: string, name: string) {
  const { holder } = group === null ? LICENSE : groupHolder(group);
  const { license, effectiveAt } = context;
  const set = valueTable.of(license).get(valueKey(holder, namespace, name), effectiveAt)?.value;
  return set ?? findProperty(context, namespace, name, effectiveAt)?.default_value;
}

/** What a property of a group, or of the license for null, has as its value at a moment: what was set, else its default. */
export function configuredValue(
  context: ValueContext,
  group: number | null,
  namespace: string,
  name: string,
): PropertyValue | undefined {
  if (context.effectiveAt !== Infinity) return readValue(context, group, namespace, name);
  const values = knownValues(context.license, group);
  const key = `${namespace} ${name}`;
  const value = values.get(key);
  if (value !== undefined || values.has(key)) return value;
  const read = readValue(context, group, namespace, name);
  values.set(key, read);
  return read;
}

const seededValues = recordOf(recordOf(propertyValue));
const seed = {
  license_properties: described(
    { description: 'Values on the license: namespace -> name -> value.' },
    optional(seededValues),
  ),
  group_properties: described(
    { description: 'Values on groups: group id -> namespace -> name -> value.' },
    optional(recordOf(seededValues)),
  ),
};

function plant(
  license: EmulatedLicense,
  { license_properties = {}, group_properties = {} }: ObjectShape<typeof seed>,
  settings: ConfigurationSettings,
): void {
  const plantValues = ({ location, holder }: ValueHolder, values: ReturnType<typeof seededValues>): void => {
    for (const [namespace, members] of Object.entries(values))
      for (const [name, value] of Object.entries(members)) {
        const path = `${location}_properties: ${namespace}: ${name}`;
        if (namespace === LIMITS) refuse('validation', `${path} follows the setting \`limits\`: leave it out`);
        const definition = findProperty({ license, settings }, namespace, name);
        if (definition?.access[location] === undefined)
          refuse('validation', `${path} is not a property of a ${location}`);
        requireValue(definition, value, path);
        valueTable.of(license).set({ holder, namespace, name, value });
      }
  };
  plantValues(LICENSE, license_properties);
  for (const [id, values] of Object.entries(group_properties)) {
    if (groupTable.of(license).get(id) === undefined)
      refuse('validation', `group_properties names group ${id}, which does not exist`);
    plantValues(groupHolder(id), values);
  }
}

/** Whether the caller, an agent, has a right at a location: in its own namespaces by the definition, in others also by publishing. */
function mayAccess(context: ConfigurationContext, property: PropertyRecord, location: Location, right: Right): boolean {
  if (property.access[location]?.agent?.includes(right) !== true) return false;
  return isOwnNamespace(context, property.namespace) || property.published?.includes(right) === true;
}

/** The property that a write sets or deletes at a location, or a refusal. */
function requireWritable(context: ConfigurationContext, location: Location, namespace: string, name: string) {
  const path = quoted(`properties.${namespace}.${name}`);
  const property = findForWrite(
    context,
    (at) => findProperty(context, namespace, name, at) ?? refuse('not_found', `property ${path} does not exist`),
  );
  if (property.access[location] === undefined)
    refuse('validation', `property ${path} has no access of ${quoted(location)}`);
  if (!mayAccess(context, property, location, 'write'))
    refuse('authorization', `property ${path} is not yours to write`);
  return property;
}

/** `my` for one's own namespaces, `all` when another one is touched. */
function scopeOf(context: ConfigurationContext, location: Location, namespaces: Iterable<string>, access: 'ro' | 'rw') {
  const own = Array.from(namespaces).every((namespace) => isOwnNamespace(context, namespace));
  return `properties.${location}.value--${own ? 'my' : 'all'}:${access}`;
}

/** The values of a group, which must exist. Writes check that before scopes. */
function ofGroup({ license, at, refersAt }: ConfigurationContext, id: number): ValueHolder {
  if ([at, refersAt].some((moment) => groupTable.of(license).get(groupKey(id), moment) === undefined))
    refuse('group_not_found', `group ${id} does not exist`);
  return groupHolder(id);
}

const values = mapOf(mapOf(propertyValue));
const names = mapOf(list(text));

function updateValues(
  context: ConfigurationContext,
  { location, holder }: ValueHolder,
  given: ReturnType<typeof values>,
): object {
  permit(context.caller, scopeOf(context, location, given.keys(), 'rw'));
  const wanted: ValueRecord[] = [];
  for (const [namespace, members] of given)
    for (const [name, value] of members) {
      const property = requireWritable(context, location, namespace, name);
      requireValue(property, value, `properties.${namespace}.${name}`);
      wanted.push({ holder, namespace, name, value });
    }
  for (const value of wanted) valueTable.of(context.license).set(value);
  return {};
}

function deleteValues(
  context: ConfigurationContext,
  { location, holder }: ValueHolder,
  given: ReturnType<typeof names>,
): void {
  permit(context.caller, scopeOf(context, location, given.keys(), 'rw'));
  const pairs = Array.from(given).flatMap(([namespace, members]) => members.map((name) => [namespace, name] as const));
  for (const [namespace, name] of pairs) requireWritable(context, location, namespace, name);
  for (const [namespace, name] of pairs) valueTable.of(context.license).delete(valueKey(holder, namespace, name));
}

const filter = { namespace: optional(string), name_prefix: optional(string) };
type Filter = ObjectShape<typeof filter>;

/** Scope of listing: that of the namespace which is asked for. */
const listScopes =
  (location: Location) =>
  ({ namespace }: Filter, context: ConfigurationContext): readonly string[] => [
    scopeOf(context, location, namespace === undefined ? [] : [namespace], 'ro'),
  ];

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
  { license, at }: Pick<ConfigurationContext, 'license' | 'at'>,
  { holder }: ValueHolder,
  properties: readonly PropertyRecord[],
) {
  const found = new Map<string, Map<string, PropertyValue>>();
  for (const { namespace, name, default_value } of properties) {
    const present = valueTable.of(license).get(valueKey(holder, namespace, name), at)?.value ?? default_value;
    if (present === undefined) continue;
    const members = found.get(namespace) ?? new Map<string, PropertyValue>();
    found.set(namespace, members.set(name, present));
  }
  return Object.fromEntries(Array.from(found, ([namespace, members]) => [namespace, Object.fromEntries(members)]));
}

/** What no request writes, because something else on the license decides it. */
export function setLicenseValue(license: EmulatedLicense, namespace: string, name: string, value: PropertyValue): void {
  valueTable.of(license).set({ holder: LICENSE.holder, namespace, name, value });
}

/** The same as customers may read it, of a group or, for null, of the license. */
export function customerValues(
  context: Pick<ConfigurationContext, 'license' | 'settings' | 'at'>,
  group: number | null,
  { namespace, name }: { readonly namespace?: string; readonly name?: string } = {},
) {
  const of = group === null ? LICENSE : groupHolder(group);
  const seen = propertiesOf(context, namespace).filter(
    (property) =>
      (name === undefined || property.name === name) &&
      property.access[of.location]?.customer?.includes('read') === true,
  );
  return valuesReply(context, of, seen);
}

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
      const lost = values.where('holder', groupHolder(key).holder);
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

const actions = [
  writeAction('update_license_properties', object({ properties: values }), {
    run: ({ properties }, context) => updateValues(context, LICENSE, properties),
  }),
  readAction('list_license_properties', object(filter), {
    getToo: true,
    scopes: listScopes('license'),
    run: (given, context) => valuesReply(context, LICENSE, readable(context, 'license', given)),
  }),
  changeAction('delete_license_properties', object({ properties: names }), {
    run: ({ properties }, context) => {
      deleteValues(context, LICENSE, properties);
    },
  }),
  writeAction('update_group_properties', object({ group_id: int(0), properties: values }), {
    run: ({ group_id, properties }, context) => updateValues(context, ofGroup(context, group_id), properties),
  }),
  readAction('list_group_properties', object({ id: int(0), ...filter }), {
    versions: FEATURES.groupValues,
    getToo: true,
    scopes: listScopes('group'),
    run: ({ id, ...given }, context) => valuesReply(context, ofGroup(context, id), readable(context, 'group', given)),
  }),
  readAction('list_groups_properties', object({ group_ids: list(int(0)), ...filter }), {
    versions: FEATURES.groupsValues,
    // Unlike the other lists, it has no scope for one's own namespace. today/configuration.md, "Group properties, list and delete".
    scopes: ['properties.group.value--all:ro'],
    run: ({ group_ids, ...given }, context) => {
      const properties = readable(context, 'group', given);
      for (const id of group_ids) ofGroup(context, id);
      const all = groupTable.of(context.license).all(context.at);
      const ids = group_ids.length === 0 ? all.map(({ id }) => id) : new Set(group_ids);
      return Array.from(ids, (id) => ({ id, properties: valuesReply(context, groupHolder(id), properties) }));
    },
  }),
  changeAction('delete_group_properties', object({ id: int(0), properties: names }), {
    run: ({ id, properties }, context) => {
      deleteValues(context, ofGroup(context, id), properties);
    },
  }),
];

export const propertyValueKind = {
  tables: [valueTable],
  seed,
  plant,
  release,
  actions,
} satisfies ConfigurationKind;
