// Why a property definition refuses a value, and what an unset value reads as. Specification: "Property".

import {
  DEFAULT_PROPERTIES,
  type DefaultProperty,
  defaultProperty,
  isServiceNamespace,
  type PropertyType,
  SERVICE_NAMESPACES,
} from '../base/default-properties.ts';
import type { Schema } from '../base/documents.ts';
import { groupedBy } from '../base/grouped.ts';
import { isList, isObject } from '../base/json.ts';
import type { Json } from '../base/model.ts';
import { nearest, rightNames } from '../base/nearest.ts';
import type { Refusal, ValueRefusal } from './kind.ts';

/** The fields of a definition that decide about values; a manifest that is not valid yet may have anything there. */
type Definition = { readonly [field in 'type' | 'domain' | 'range' | 'default_value' | 'access']?: Json };

export const INT32 = { minimum: -2147483648, maximum: 2147483647 };

/** A location at which the files declare values. */
export type ValueLocation = 'license' | 'group';

const SECTIONS = { license: '`license_properties`', group: '`properties` of a group' } as const;

/** Why a property cannot be defined in a namespace; null when it can. */
export function refusedNamespace(namespace: string): Refusal | null {
  if (!isServiceNamespace(namespace)) return null;
  return {
    severity: 'error',
    code: 'not-allowed',
    message: `the namespace \`${namespace}\` belongs to the service, so no property can be defined in it`,
    remedy: 'define the property under the client id of your application',
  };
}

/** Why a value of a default property is refused at a location; null when it fits, undefined in a namespace that is not of the service. */
export function refusalOfDefault(
  location: ValueLocation,
  namespace: string,
  name: string,
  value: Json,
): ValueRefusal | null | undefined {
  if (!isServiceNamespace(namespace)) return misspeltNamespace(namespace, name);
  const property = defaultProperty(namespace, name);
  if (property === undefined)
    return {
      severity: 'error',
      code: 'not-allowed',
      part: 'key',
      message: `the service has no property \`${name}\` in the namespace \`${namespace}\``,
      remedy: settableNames(location, namespace, name),
    };
  const { access, type, domain } = property;
  if (access[location] === undefined)
    return {
      severity: 'error',
      code: 'not-allowed',
      part: 'key',
      message: `\`${namespace}/${name}\` has no value on a ${location}`,
      remedy: elsewhere(location, property),
    };
  if (isSetByService(location, namespace, name))
    return {
      severity: 'error',
      code: 'not-writable',
      message: `\`${namespace}/${name}\` is set by the service, and can only be read`,
      remedy: 'remove the value',
    };
  return refusal({ type, ...(domain === undefined ? {} : { domain }) }, value);
}

/** Whether the service alone sets a default property at a location. */
export function isSetByService(location: ValueLocation, namespace: string, name: string): boolean {
  const access = defaultProperty(namespace, name)?.access[location];
  return access !== undefined && access.agent?.includes('write') !== true;
}

/** The names of a namespace that can be set at a location, and the nearest one. */
function settableNames(location: ValueLocation, namespace: string, name: string): string {
  const names = settable(location).flatMap((each) => (each.namespace === namespace ? [each.name] : []));
  return names.length === 0 ? 'remove the value: none of this namespace can be set here' : rightNames(name, names);
}

/** Default properties that agents may write at a location. */
function settable(location: ValueLocation): readonly DefaultProperty[] {
  return DEFAULT_PROPERTIES.filter(({ access }) => access[location]?.agent?.includes('write'));
}

/** Where a property that has no value at a location can be set, or which one overrides it there. */
function elsewhere(location: ValueLocation, { access, namespace, name }: DefaultProperty): string {
  const override = `${name}.override`;
  const other = location === 'group' ? 'license' : 'group';
  const there = access[other]?.agent?.includes('write') ? `set it under ${SECTIONS[other]}` : 'remove the value';
  const overrides = location === 'group' && defaultProperty(namespace, override) !== undefined;
  return overrides ? `${there}, or \`${override}\` here` : there;
}

/** A client id may look like anything, so this is a warning, and only where a namespace of the service has a property of this name. */
function misspeltNamespace(namespace: string, name: string): ValueRefusal | undefined {
  const meant = nearest(namespace, SERVICE_NAMESPACES);
  if (meant === null || defaultProperty(meant, name) === undefined) return undefined;
  return {
    severity: 'warning',
    code: 'not-allowed',
    part: 'key',
    message: `\`${namespace}\` is taken for the id of a client, and \`${name}\` is a property of the service`,
    remedy: `did you mean the namespace \`${meant}\`?`,
  };
}

/** Schemas of the values of the service that can be set at a location, for editors: namespace -> names. */
export function settableSchemas(location: ValueLocation): { readonly [namespace: string]: Schema } {
  return Object.fromEntries(
    [...groupedBy(settable(location), ({ namespace }) => namespace)].map(([namespace, properties]) => [
      namespace,
      {
        type: 'object',
        description: 'Settings of the service.',
        additionalProperties: false,
        properties: Object.fromEntries(properties.map((property) => [property.name, settableSchema(property)])),
      },
    ]),
  );
}

const SCHEMAS: { readonly [type in PropertyType]: Schema } = {
  int: { type: 'integer', ...INT32 },
  bool: { type: 'boolean' },
  string: { type: 'string' },
  tokenized_string: { type: 'string' },
};

function settableSchema({ type, domain, about }: DefaultProperty): Schema {
  return { ...(domain === undefined ? SCHEMAS[type] : { enum: domain }), description: `${about}.` };
}

/** What a property of this type expects instead of a value; null when it accepts the value. */
export function typeMismatch(type: Json | undefined, value: Json): string | null {
  switch (type) {
    case 'int':
      return typeof value === 'number' && Number.isInteger(value) && value >= INT32.minimum && value <= INT32.maximum
        ? null
        : 'a whole number of 32 bits';
    case 'bool':
      return typeof value === 'boolean' ? null : '`true` or `false`';
    case 'string':
    case 'tokenized_string':
      return typeof value === 'string' ? null : 'a text';
    default:
      return null;
  }
}

/** Why a definition refuses a value; null when it accepts it. Specification: "Property", `type`, `domain`, `range`. */
export function refusal({ type, domain, range }: Definition, value: Json): Refusal | null {
  const mismatch = typeMismatch(type, value);
  if (mismatch !== null) {
    const remedy = `the property has type \`${type}\``;
    return { severity: 'error', code: 'wrong-type', message: `${JSON.stringify(value)} is not ${mismatch}`, remedy };
  }
  if (isList(domain) && !domain.some((allowed) => allowed === value)) {
    const remedy = `allowed: ${domain.map((allowed) => JSON.stringify(allowed)).join(', ')}`;
    return {
      severity: 'error',
      code: 'not-allowed',
      message: `${JSON.stringify(value)} is not in the domain of the property`,
      remedy,
    };
  }
  return typeof value === 'number' ? outOfRange(range, value) : null;
}

function outOfRange(range: Json | undefined, value: number): Refusal | null {
  if (!isObject(range)) return null;
  const { from, to } = range;
  if (typeof from === 'number' && value < from) {
    return {
      severity: 'error',
      code: 'out-of-range',
      message: `${value} is below the range of the property`,
      remedy: `at least ${from}`,
    };
  }
  if (typeof to === 'number' && value > to) {
    return {
      severity: 'error',
      code: 'out-of-range',
      message: `${value} is above the range of the property`,
      remedy: `at most ${to}`,
    };
  }
  return null;
}

/** Why a value cannot stand on a license or a group; null when it can. */
export function refusalAt(location: ValueLocation, definition: Definition, value: Json): Refusal | null {
  const { access } = definition;
  if (isObject(access) && !(location in access)) {
    return {
      severity: 'error',
      code: 'not-allowed',
      message: `the property has no access on \`${location}\`, so it can have no value there`,
      remedy: `add \`${location}\` to the \`access\` of its definition`,
    };
  }
  return refusal(definition, value) ?? unwritable(location, access);
}

/** A configuration token is an agent's: where agents may not write, no value can be set. */
function unwritable(location: ValueLocation, access: Json | undefined): Refusal | null {
  const users = isObject(access) ? access[location] : undefined;
  const { agent: rights } = isObject(users) ? users : {};
  if (isList(rights) && rights.includes('write')) return null;
  return {
    severity: 'error',
    code: 'not-writable',
    message: `agents may not write the property on \`${location}\`, so no token can set the value`,
    remedy: `remove the value, or add \`write\` to \`access.${location}.agent\` of its definition`,
  };
}

/** What a value that was never set reads as; null when it reads as nothing. Specification: "Property", `default_value`. */
export function unsetValue({ default_value: value }: Definition): { readonly value: Json } | null {
  return value === undefined ? null : { value };
}
