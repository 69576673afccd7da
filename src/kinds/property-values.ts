// Everything that is known about property values on the license and on groups: one resource per value.
// Specification: "Property", "Properties"; service notes, "Properties".

import { defaultProperty } from '../base/default-properties.ts';
import { type Json, type LiveObject, VERSIONS } from '../base/model.ts';
import { hasAction } from './actions.ts';
import {
  INT32,
  isSetByService,
  refusalAt,
  refusalOfDefault,
  settableSchemas,
  unsetValue,
  type ValueLocation,
} from './definition.ts';
import { type Fields, PLAIN, type SpecOf } from './field.ts';
import { type Call, defineKind, type Kind, type KindReader } from './kind.ts';
import { joinProperties, nested, splitName } from './namespaced.ts';
import { entriesOf, isGone, rowOf, rowsOf } from './wire.ts';

const fields = {
  value: {
    ...PLAIN,
    about: 'The value; its type, domain and range are those of the property definition.',
    schema: { type: ['string', 'integer', 'boolean'], ...INT32 },
  },
} as const satisfies Fields;

type Value = SpecOf<typeof fields>;

const INCOMPLETE =
  'applications and the service itself keep values there, and a value that reads as its default may never have been set';

/** What values on the license and on groups have in common. */
const ANYWHERE = {
  versions: VERSIONS,
  entry: 'value',
  columns: ['value'],
  summary: (_spec, said) => [said('value')],
  required: ['value'],
  slashes: true,
  prune: 'owned',
  incomplete: INCOMPLETE,
} as const satisfies Partial<Kind<Value>>;

/** `namespace/name` -> the definition's default, which an unset value reads as. Read only when it matters, or costs nothing more. */
async function defaults(reader: KindReader): Promise<ReadonlyMap<string, Json>> {
  if (!reader.losing && !reader.reads('property')) return new Map();
  const lists = await Promise.all(
    reader.clients.map(async (owner_client_id) => {
      const reply = await reader.ask('list_properties', { owner_client_id });
      return entriesOf('list_properties', reply).flatMap(([name, definition]): readonly (readonly [string, Json])[] => {
        const preset = rowOf('list_properties', definition, name).raw('default_value');
        return preset === undefined ? [] : [[`${owner_client_id}/${name}`, preset]];
      });
    }),
  );
  return new Map(lists.flat());
}

/** Whether only the allowed domains show the widget: the service sets it. */
const RESTRICTED = 'monitoring/whitelist_enabled';

/** The values in the listed namespaces: the service's own namespaces hold many more. */
function liveValues(
  kind: 'license_property' | 'group_property',
  prefix: string,
  reply: Json,
  reader: KindReader,
  presets: ReadonlyMap<string, Json>,
): readonly LiveObject[] {
  const [action, location] =
    kind === 'license_property'
      ? (['list_license_properties', 'license'] as const)
      : (['list_groups_properties', 'group'] as const);
  const isOf = (namespace: string, name: string): boolean =>
    reader.namespaces.includes(namespace) ||
    (kind === 'license_property' && `${namespace}/${name}` === RESTRICTED && reader.reads('allowed_domain'));
  return entriesOf(action, reply).flatMap(([namespace, values]) =>
    entriesOf(action, values, namespace)
      .filter(([name]) => isOf(namespace, name))
      .map(
        ([name, item]): LiveObject => ({
          kind,
          id: `${prefix}${namespace}/${name}`,
          name: `${namespace}/${name}`,
          spec: { value: item },
          facts: {
            ...(presets.get(`${namespace}/${name}`) === item ? { possiblyUnset: true } : {}),
            ...(isSetByService(location, namespace, name) ? { builtin: true } : {}),
          },
        }),
      ),
  );
}

export const licenseProperty = defineKind(fields, {
  ...ANYWHERE,
  name: 'license_property',
  noun: { one: 'license property value', many: 'license property values' },
  about: 'Property values on the license: namespace, then name.',
  at: ['license_properties', '*', '*'],
  namespace: ({ key }) => splitName(key)[0],
  definition: {
    of: (key) => `property/${key}`,
    builtin: (key, { value = null }) => refusalOfDefault('license', ...splitName(key), value),
    known: settableSchemas('license'),
    refusal: (definition, { value = null }) => refusalAt('license', definition, value),
    unset: unsetValue,
  },
  naturalKeys: [
    { about: 'namespace and name, which are the key', ofDesired: ({ key }) => key, ofLive: ({ id }) => String(id) },
  ],
  read: async (reader) =>
    liveValues('license_property', '', await reader.ask('list_license_properties', {}), reader, await defaults(reader)),
  create: (given, { key }) => setLicenseValue(key, given),
  update: (id, given) => setLicenseValue(String(id), given),
  remove: (id) => {
    const [namespace, name] = splitName(String(id));
    return { action: 'delete_license_properties', body: { properties: { [namespace]: [name] } } };
  },
  createdId: (_reply, { key }) => key,
  merge: { key: ({ action }) => action, join: joinProperties },
  parents: (key) => [`property/${key}`],
  seed: {
    sections: (values, { has }) => ({
      license_properties: nested(
        seedValues(values, (id) => isSeeded('license', id, has)),
        1,
      ),
    }),
  },
});

/** Whether an emulator takes a value: its definition is known, and it is not a limit, which follows the emulator's settings. */
function isSeeded(location: ValueLocation, property: string, has: (kind: 'property', id: string) => boolean): boolean {
  const [namespace, name] = splitName(property);
  if (namespace === 'limits') return false;
  return has('property', property) || defaultProperty(namespace, name)?.access[location] !== undefined;
}

/** The values that an emulator takes. */
function seedValues(values: readonly LiveObject<Value>[], isDefined: (id: string) => boolean) {
  return values
    .filter(({ id }) => isDefined(String(id)))
    .map(({ id, spec }): readonly [string, Json] => [String(id), spec.value ?? null]);
}

function setLicenseValue(key: string, { value }: Value): Call {
  const [namespace, name] = splitName(key);
  return { action: 'update_license_properties', body: { properties: { [namespace]: { [name]: value ?? null } } } };
}

async function readGroupValues(reader: KindReader): Promise<readonly LiveObject[]> {
  const presets = await defaults(reader);
  if (hasAction('list_groups_properties', reader.version)) {
    const reply = await reader.ask('list_groups_properties', { group_ids: [] });
    return rowsOf('list_groups_properties', reply).flatMap((row) =>
      liveValues('group_property', `${row.integer('id')}/`, row.raw('properties') ?? {}, reader, presets),
    );
  }
  const lists = await Promise.all(
    (await reader.groupIds()).map(async (id): Promise<readonly LiveObject[]> => {
      try {
        const reply = await reader.ask('list_group_properties', { id });
        return liveValues('group_property', `${id}/`, reply, reader, presets);
      } catch (error) {
        // The list of groups may lag, and still name one that is gone.
        if (isGone(error)) return [];
        throw error;
      }
    }),
  );
  return lists.flat();
}

/** `<group>/<namespace>/<name>`, where the group is a key in addresses and an id in ids. */
function parts(key: string): readonly [group: string, namespace: string, name: string] {
  const [group, rest] = splitName(key);
  return [group, ...splitName(rest)];
}

function setGroupValue(group_id: number, key: string, { value }: Value): Call {
  const [, namespace, name] = parts(key);
  return {
    action: 'update_group_properties',
    body: { group_id, properties: { [namespace]: { [name]: value ?? null } } },
  };
}

export const groupProperty = defineKind(fields, {
  ...ANYWHERE,
  name: 'group_property',
  noun: { one: 'group property value', many: 'group property values' },
  about: 'Property values on the group: namespace, then name.',
  at: ['groups', '*', 'properties', '*', '*'],
  namespace: ({ key }) => parts(key)[1],
  definition: {
    of: (key) => `property/${splitName(key)[1]}`,
    builtin: (key, { value = null }) => {
      const [, namespace, name] = parts(key);
      return refusalOfDefault('group', namespace, name, value);
    },
    known: settableSchemas('group'),
    refusal: (definition, { value = null }) => refusalAt('group', definition, value),
    unset: unsetValue,
  },
  naturalKeys: [
    {
      about: 'group, namespace and name, which are the key',
      ofDesired: ({ key }, resolve) => {
        const [group, namespace, name] = parts(key);
        const id = resolve(`group/${group}`);
        return id === null ? null : `${id}/${namespace}/${name}`;
      },
      ofLive: ({ id }) => String(id),
    },
  ],
  read: readGroupValues,
  create: (given, { key, resolve }) => setGroupValue(Number(resolve(`group/${parts(key)[0]}`)), key, given),
  update: (id, given) => setGroupValue(Number(parts(String(id))[0]), String(id), given),
  remove: (id) => {
    const [group, namespace, name] = parts(String(id));
    return { action: 'delete_group_properties', body: { id: Number(group), properties: { [namespace]: [name] } } };
  },
  createdId: (_reply, { key, resolve }) => {
    const [group, rest] = splitName(key);
    return `${resolve(`group/${group}`)}/${rest}`;
  },
  merge: { key: ({ action, body: { group_id: group, id } }) => `${action} ${group ?? id}`, join: joinProperties },
  parents: (key) => {
    const [group, namespace, name] = parts(key);
    return [`group/${group}`, `property/${namespace}/${name}`];
  },
  seed: {
    sections: (values, { has }) => ({
      group_properties: nested(
        seedValues(values, (id) => isSeeded('group', splitName(id)[1], has)),
        2,
      ),
    }),
  },
});
