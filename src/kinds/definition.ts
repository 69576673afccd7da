// A definition and a value in; why the definition refuses it, out. Also what is left of a definition that is made again. Specification: "Property".

import { isList, isObject } from '../base/json.ts';
import type { Json, Spec } from '../base/model.ts';
import type { Refusal } from './kind.ts';

export const INT32 = { minimum: -2147483648, maximum: 2147483647 };

/** Whether a value is one that a property of this type can have; null when it is, otherwise what is expected. */
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
export function refusal(definition: Spec, value: Json): Refusal | null {
  const mismatch = typeMismatch(definition['type'], value);
  if (mismatch !== null) {
    const remedy = `the property has type \`${definition['type']}\``;
    return { severity: 'error', code: 'wrong-type', message: `${JSON.stringify(value)} is not ${mismatch}`, remedy };
  }
  const domain = definition['domain'];
  if (isList(domain) && !domain.some((allowed) => allowed === value)) {
    const remedy = `allowed: ${domain.map((allowed) => JSON.stringify(allowed)).join(', ')}`;
    return {
      severity: 'error',
      code: 'not-allowed',
      message: `${JSON.stringify(value)} is not in the domain of the property`,
      remedy,
    };
  }
  return typeof value === 'number' ? outOfRange(definition['range'], value) : null;
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
export function refusalAt(location: 'license' | 'group', definition: Spec, value: Json): Refusal | null {
  const access = definition['access'];
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

/** A configuration token is an agent's: where agents may only read, the service may refuse to set a value. */
function unwritable(location: 'license' | 'group', access: Json | undefined): Refusal | null {
  const users = isObject(access) ? access[location] : undefined;
  const rights = isObject(users) ? users['agent'] : undefined;
  if (isList(rights) && rights.includes('write')) return null;
  return {
    severity: 'warning',
    code: 'not-writable',
    message: `agents may not write the property on \`${location}\`, so the service may refuse the value`,
    remedy: `add \`write\` to \`access.${location}.agent\` of its definition`,
  };
}

/** What a value that was never set reads as; null when it reads as nothing. Specification: "Property", `default_value`. */
export function unsetValue({ default_value: value }: Spec): Spec | null {
  return value === undefined ? null : { value };
}

/** The desired definition, and of the live one everything undeclared that still fits it. */
export function remade(live: Spec, desired: Spec): Spec {
  const { publish: _, domain, range, default_value: preset, ...rest } = live;
  const wanted = { ...rest, ...desired };
  const limits: readonly Spec[] = [
    ...(isList(domain) && domain.every((item) => typeMismatch(wanted['type'], item) === null) ? [{ domain }] : []),
    ...(range !== undefined && wanted['type'] === 'int' ? [{ range }] : []),
  ];
  const own = wanted['default_value'];
  const limit = limits.find((each) => own === undefined || refusal({ ...wanted, ...each }, own) === null);
  const isLimited = 'domain' in wanted || 'range' in wanted;
  const limited: Spec = isLimited ? wanted : { ...wanted, ...limit };
  const keepsDefault =
    own === undefined && preset !== undefined && holdsDefaults(limited) && refusal(limited, preset) === null;
  return keepsDefault ? { ...limited, default_value: preset } : limited;
}

function holdsDefaults({ access }: Spec): boolean {
  return isObject(access) && ('license' in access || 'group' in access);
}
