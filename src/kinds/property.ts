// Everything that is known about property definitions. Specification: "Property", "Properties".

import type { Schema } from '../base/documents.ts';
import { InternalError } from '../base/errors.ts';
import { isList, isObject } from '../base/json.ts';
import type { Json, LiveObject, Spec } from '../base/model.ts';
import { INT32, refusal, remade, typeMismatch } from './definition.ts';
import { sortedSet } from './fields.ts';
import type { Fields, Kind, Reader, Report } from './kind.ts';
import { splitName } from './namespaced.ts';
import { entriesOf, type Row, rowOf } from './wire.ts';

const LOCATIONS = ['chat', 'thread', 'event', 'license', 'group'] as const;

const rights: Schema = { type: 'array', uniqueItems: true, items: { enum: ['read', 'write'] } };

const userKinds: Schema = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    agent: { ...rights, description: 'What agents may do with values here.' },
    customer: { ...rights, description: 'What customers may do with values here.' },
  },
};

/** Every list in a fixed order: rights are a set. */
function canonicalAccess(value: Json): Json {
  if (isList(value)) return sortedSet(value);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, canonicalAccess(member)]));
}

const fields: Fields = {
  type: {
    about:
      'Type of the values: `int` (32 bits), `bool`, `string`, or `tokenized_string`, which is split into tokens for search.',
    schema: { enum: ['int', 'bool', 'string', 'tokenized_string'] },
    shape: 'scalar',
    readable: 'list',
    writable: 'create',
  },
  description: {
    about: 'What the property is for.',
    schema: { type: 'string' },
    shape: 'scalar',
    readable: 'list',
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
        LOCATIONS.map((name) => [name, { ...userKinds, description: `Access to values on a ${name}.` }]),
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
    frozen: ({ spec }) => (isPublished(spec) ? 'a published property keeps the access it was published with' : null),
  },
};

function check(value: Json, report: Report): void {
  if (!isObject(value)) return;
  const { type, domain, range, default_value: preset, access } = value;
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
  if (
    isObject(range) &&
    typeof range['from'] === 'number' &&
    typeof range['to'] === 'number' &&
    range['from'] > range['to']
  ) {
    report(
      ['range', 'from'],
      'bad-range',
      `the range is empty: ${range['from']} is above ${range['to']}`,
      'swap `from` and `to`',
    );
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
  const reason = refusal(value, preset);
  if (reason !== null) {
    report(['default_value'], 'bad-default', `the default is refused: ${reason.message}`, reason.remedy ?? undefined);
  }
}

/** Members that some installations list and others do not. */
const DETAILS = ['domain', 'range', 'default_value'];

/** Where one definition shows a detail, all of them would: then a detail that is absent was never set. */
function liveProperty(namespace: string, name: string, row: Row, detailed: boolean): LiveObject {
  const spec: Record<string, Json> = { publish: row.raw('public_access') ?? [] };
  const unread: string[] = [];
  for (const field of ['type', 'description', 'access', ...DETAILS]) {
    const value = row.raw(field) ?? fields[field]?.absent;
    if (value !== undefined) spec[field] = value;
    else if (!detailed || !DETAILS.includes(field)) unread.push(field);
  }
  return {
    kind: 'property',
    id: `${namespace}/${name}`,
    name,
    spec,
    facts: { ...(namespace === 'test' ? { builtin: true as const } : {}), ...(unread.length > 0 ? { unread } : {}) },
  };
}

async function read(reader: Reader): Promise<readonly LiveObject[]> {
  const lists = await Promise.all(
    reader.namespaces.map(async (owner_client_id) => {
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

function isPublished(spec: Spec): boolean {
  return isList(spec['publish']) && spec['publish'].length > 0;
}

function owned(id: string): { readonly name: string; readonly owner_client_id: string } {
  const [owner_client_id, name] = splitName(id);
  return { name, owner_client_id };
}

export const property: Kind = {
  name: 'property',
  versions: ['3.3', '3.6'],
  noun: { one: 'property definition', many: 'property definitions' },
  about:
    'Definitions of properties: owner client id (the namespace), then name. A private definition changes only by replacing it; a published one never.',
  at: ['properties', '*', '*'],
  entry: 'fields',
  fields,
  columns: ['type', 'access', 'publish'],
  required: ['type', 'access'],
  slashes: true,
  prune: 'owned',
  replaceable: ({ spec }) => !isPublished(spec),
  loses:
    'values on chats, threads, events and undeclared groups may be lost, declared ones are written again; a property of another name keeps them',
  forfeits: 'values on chats, threads, events and undeclared groups are lost',
  remade,
  namespace: ({ key }) => splitName(key)[0],
  check: (entry, report) => check(entry.value, report),
  naturalKeys: [
    { about: 'namespace and name, which are the key', ofDesired: ({ key }) => key, ofLive: ({ id }) => String(id) },
  ],
  read,
  create: ({ publish: _, ...given }, target) => ({
    action: 'register_property',
    body: { ...owned(target.key), ...given },
  }),
  update: (id) => {
    throw new InternalError(`property ${id}: definitions are immutable and never updated`);
  },
  remove: (id) => ({ action: 'unregister_property', body: owned(String(id)) }),
  createdId: (_reply, target) => target.key,
  transitions: {
    publish: (value, id) => ({ action: 'publish_property', body: { ...owned(String(id)), access_type: value } }),
  },
};
