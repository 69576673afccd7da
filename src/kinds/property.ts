// Everything that is known about property definitions. Specification: "Property", "Properties".

import type { Schema } from '../base/documents.ts';
import { isList, isObject } from '../base/json.ts';
import { type Json, type JsonObject, type LiveObject, type Spec, VERSIONS } from '../base/model.ts';
import { INT32, refusal, refusedNamespace, typeMismatch } from './definition.ts';
import { type Fields, PLAIN, type SpecOf, type Unchecked } from './field.ts';
import { sortedSet } from './fields.ts';
import { defineKind, type KindReader, type Report } from './kind.ts';
import { nested, splitName } from './namespaced.ts';
import { entriesOf, type ReplyRow, readFields, rowOf, seedFields } from './wire.ts';

const LOCATIONS = ['chat', 'thread', 'event', 'license', 'group'] as const;

const rights = { type: 'array', uniqueItems: true, items: { enum: ['read', 'write'] } } as const satisfies Schema;

const userKinds = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    agent: { ...rights, description: 'What agents may do with values here.' },
    customer: { ...rights, description: 'What customers may do with values here.' },
  },
} as const satisfies Schema;

/** Every list in a fixed order: rights are a set. */
function canonicalAccess(value: Json): Json {
  if (isList(value)) return sortedSet(value);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, canonicalAccess(member)]));
}

const fields = {
  type: {
    ...PLAIN,
    about:
      'Type of the values: `int` (32 bits), `bool`, `string`, or `tokenized_string`, which is split into tokens for search.',
    schema: { enum: ['int', 'bool', 'string', 'tokenized_string'] },
    writable: 'create',
  },
  description: {
    ...PLAIN,
    about: 'What the property is for.',
    schema: { type: 'string' },
    writable: 'create',
    absent: '',
  },
  access: {
    about: 'Where values can stand, and who may read and write them there.',
    schema: {
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      properties: Object.fromEntries(
        LOCATIONS.map((name) => [name, { ...userKinds, description: `Access to values of ${name}s.` }]),
      ),
    },
    grants: true,
    shape: 'object',
    readable: 'list',
    writable: 'create',
    canonical: canonicalAccess,
  },
  domain: {
    about: 'The allowed values. Cannot be combined with `range`.',
    schema: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { type: ['string', 'integer', 'boolean'], ...INT32 },
    },
    shape: 'set',
    readable: 'sometimes',
    writable: 'create',
  },
  range: {
    about: 'Smallest and largest allowed value, for type `int`. Cannot be combined with `domain`.',
    schema: {
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      properties: {
        from: { type: 'integer', ...INT32, description: 'Smallest allowed value.' },
        to: { type: 'integer', ...INT32, description: 'Largest allowed value.' },
      },
    },
    shape: 'object',
    readable: 'sometimes',
    writable: 'create',
  },
  default_value: {
    about: 'What reads back while no value was set. Only with access on `license` or `group`.',
    schema: { type: ['string', 'integer', 'boolean'], ...INT32 },
    shape: 'scalar',
    readable: 'sometimes',
    writable: 'create',
  },
  publish: {
    about:
      'What other clients may do once the property is published. Publishing can never be taken back, so it must be acknowledged.',
    schema: { type: 'array', minItems: 1, uniqueItems: true, items: { enum: ['read', 'write'] } },
    shape: 'set',
    readable: 'list',
    writable: 'transition',
    absent: [],
    grants: true,
    irreversible: true,
    structural: true,
    frozen: ({ spec: { publish } }): string | null =>
      isPublished(publish) ? 'a published property keeps the access it was published with' : null,
  },
} as const satisfies Fields;

type Property = SpecOf<typeof fields>;

function check(written: Unchecked<Property>, report: Report): void {
  const { type, domain, range, default_value: preset, access } = written;
  if (domain !== undefined && range !== undefined) {
    report(['range'], 'exclusive-fields', '`domain` and `range` cannot be combined', 'keep one of them');
  }
  if (range !== undefined && typeof type === 'string' && type !== 'int') {
    report(
      ['range'],
      'bad-range',
      `a property of type \`${type}\` cannot have a \`range\``,
      'use `domain`, or type `int`',
    );
  }
  const { from, to } = isObject(range) ? range : {};
  if (typeof from === 'number' && typeof to === 'number' && from > to) {
    report(['range', 'from'], 'bad-range', `the range is empty: ${from} is above ${to}`, 'swap `from` and `to`');
  }
  if (isList(domain)) {
    domain.forEach((item, index) => {
      const mismatch = typeMismatch(type, item);
      if (mismatch !== null)
        report(
          ['domain', index],
          'wrong-type',
          `${JSON.stringify(item)} is not ${mismatch}`,
          `property type is \`${type}\``,
        );
    });
  }
  if (preset === undefined) return;
  if (isObject(access) && Object.keys(access).length > 0 && !('license' in access) && !('group' in access)) {
    report(
      ['default_value'],
      'bad-default',
      'a default needs access on `license` or `group`',
      'add one of them to `access`, or drop the default',
    );
  }
  const reason = refusal(written, preset);
  if (reason !== null) {
    report(['default_value'], 'bad-default', `the default is refused: ${reason.message}`, reason.remedy ?? undefined);
  }
}

/** Members that some installations list and others do not. */
const DETAILS = ['domain', 'range', 'default_value'];

/** Where one definition shows a detail, all of them would: then a detail that is absent was never set. */
function liveProperty(namespace: string, name: string, row: ReplyRow, detailed: boolean): LiveObject {
  const { spec, unread } = readFields(Object.keys(fields), (field) => {
    if (field === 'publish') return row.raw('public_access') ?? [];
    return row.raw(field) ?? (field === 'description' ? fields.description.absent : undefined);
  });
  const unknown = detailed ? unread.filter((field) => !DETAILS.includes(field)) : unread;
  return {
    kind: 'property',
    id: `${namespace}/${name}`,
    name,
    spec,
    facts: unknown.length > 0 ? { unread: unknown } : {},
  };
}

async function read(reader: KindReader): Promise<readonly LiveObject[]> {
  const lists = await Promise.all(
    reader.clients.map(async (owner_client_id) => {
      const reply = await reader.ask('list_properties', { owner_client_id });
      return entriesOf('list_properties', reply).map(([name, value]) => {
        const row = rowOf('list_properties', value, name);
        return { owner_client_id, name, row };
      });
    }),
  );
  const rows = lists.flat();
  const detailed = rows.some(({ row }) => DETAILS.some(row.has));
  return rows.map(({ owner_client_id, name, row }) => liveProperty(owner_client_id, name, row, detailed));
}

function isPublished(publish: Json | undefined): boolean {
  return isList(publish) && publish.length > 0;
}

/** The desired definition, and everything undeclared of the live one that still fits it. */
function remade(live: Property, desired: Property): Property {
  const { publish: _, domain, range, default_value: preset, ...rest } = live;
  const wanted: Property = { ...rest, ...desired };
  const limits: readonly Property[] = [
    ...(domain?.every((item) => typeMismatch(wanted.type, item) === null) ? [{ domain }] : []),
    ...(range !== undefined && wanted.type === 'int' ? [{ range }] : []),
  ];
  const own = wanted.default_value;
  const limit = limits.find((each) => own === undefined || refusal({ ...wanted, ...each }, own) === null);
  const isLimited = wanted.domain !== undefined || wanted.range !== undefined;
  const limited: Property = isLimited ? wanted : { ...wanted, ...limit };
  const { license, group } = limited.access ?? {};
  const holdsDefaults = license !== undefined || group !== undefined;
  const keepsDefault = own === undefined && preset !== undefined && holdsDefaults && refusal(limited, preset) === null;
  return keepsDefault ? { ...limited, default_value: preset } : limited;
}

function owned(id: string): { readonly name: string; readonly owner_client_id: string } {
  const [owner_client_id, name] = splitName(id);
  return { name, owner_client_id };
}

function seedDefinition({ publish = [], ...rest }: Property): JsonObject {
  return { ...seedFields(rest), ...(publish.length > 0 ? { public_access: publish } : {}) };
}

export const property = defineKind(fields, {
  name: 'property',
  versions: VERSIONS,
  noun: { one: 'property definition', many: 'property definitions' },
  about:
    'Definitions of properties: owner client id (the namespace), then name. A private definition changes only by replacing it; a published one never.',
  at: ['properties', '*', '*'],
  entry: 'fields',
  columns: ['type', 'access', 'publish'],
  summary: ({ type }, said) => [type, said('domain'), said('range'), said('access')],
  required: ['type', 'access'],
  slashes: true,
  prune: 'owned',
  permanent: ({ spec }) => (isPublished(spec.publish) ? 'it is published, and can never be removed' : null),
  replacing: {
    loses:
      'values on chats, threads, events and undeclared groups may be lost, declared ones are written again; a property of another name keeps them',
    remade,
  },
  forfeits: 'values on chats, threads, events and undeclared groups are lost',
  namespace: ({ key }) => splitName(key)[0],
  refusedKey: (key) => refusedNamespace(splitName(key)[0]),
  check,
  naturalKeys: [
    { about: 'namespace and name, which are the key', ofDesired: ({ key }) => key, ofLive: ({ id }) => String(id) },
  ],
  read,
  create: ({ publish: _, ...given }, { key }) => ({ action: 'register_property', body: { ...owned(key), ...given } }),
  remove: (id) => ({ action: 'unregister_property', body: owned(String(id)) }),
  createdId: (_reply, { key }) => key,
  transitions: {
    publish: (value, id) => ({ action: 'publish_property', body: { ...owned(String(id)), access_type: value } }),
  },
  seed: {
    sections: (definitions) => ({
      properties: nested(
        definitions.map(({ id, spec }) => [String(id), seedDefinition(spec)]),
        1,
      ),
    }),
  },
});

/** The locations of `access` at which chatform writes values. Specification: "Property". */
export const ON_LICENSE = 'license';
export const ON_GROUP = 'group';

/** Whether customers may read values there; null where the definition allows none, or does not say. */
export function mayCustomersRead(definition: Spec | undefined, location: string): boolean | null {
  const { access } = definition ?? {};
  const users = isObject(access) ? access[location] : undefined;
  if (!isObject(users)) return null;
  const { customer: rights } = users;
  return isList(rights) && rights.includes('read');
}
