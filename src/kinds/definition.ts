// Why a property definition refuses a value, and what an unset value reads as. Specification: "Property".

import { isList, isObject } from '../base/json.ts';
import type { Json } from '../base/model.ts';
import type { Refusal } from './kind.ts';

/** The fields of a definition that decide about values; a manifest that is not valid yet may have anything there. */
type Definition = { readonly [field in 'type' | 'domain' | 'range' | 'default_value' | 'access']?: Json };

export const INT32 = { minimum: -2147483648, maximum: 2147483647 };

/** Namespaces that belong to the service. Specification: "Property"; service notes, "Properties". */
const SERVICE_NAMESPACES: readonly string[] = ['test', 'limits', 'chats', 'core', 'monitoring'];

/** Whether every license has the same properties in a namespace. */
export function isEverywhere(namespace: string): boolean {
  return namespace === 'test' || namespace === 'limits';
}

/** Why a property cannot be defined in a namespace; null when it can. */
export function refusedNamespace(namespace: string): Refusal | null {
  if (!SERVICE_NAMESPACES.includes(namespace)) return null;
  return {
    severity: 'error',
    code: 'not-allowed',
    message: `the namespace \`${namespace}\` belongs to the service, so no property can be defined in it`,
    remedy: 'define the property under the client id of your application',
  };
}

/** Types of the properties that every license has in the namespace `test`. Specification: "Property". */
const TEST_TYPES: { readonly [name: string]: string } = {
  bool_property: 'bool',
  int_property: 'int',
  string_property: 'string',
  tokenized_string_property: 'tokenized_string',
};

/** Why a value of the service's own properties is refused; null when it fits, undefined when the definition is not known. */
export function refusalOfBuiltin(namespace: string, name: string, value: Json): Refusal | null | undefined {
  if (namespace === 'limits')
    return {
      severity: 'error',
      code: 'not-writable',
      message: 'the namespace `limits` says what the license may have, and can only be read',
      remedy: 'remove the value',
    };
  if (namespace !== 'test') return undefined;
  if (Object.hasOwn(TEST_TYPES, name)) return refusal({ type: TEST_TYPES[name] ?? null }, value);
  return {
    severity: 'error',
    code: 'not-allowed',
    message: `the namespace \`test\` has no property \`${name}\``,
    remedy: `it has ${Object.keys(TEST_TYPES).join(', ')}`,
  };
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
export function refusalAt(location: 'license' | 'group', definition: Definition, value: Json): Refusal | null {
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
function unwritable(location: 'license' | 'group', access: Json | undefined): Refusal | null {
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
