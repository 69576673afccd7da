// The definition of a property: what makes one valid, and which values it takes. Must not know where values are kept.
// Specification: "Property".

import { refuse } from '../engine/refusal.ts';
import type { JsonReader } from '../engine/shape.ts';
import { int, list, object, oneOf, optional, quoted, string } from '../engine/shape.ts';
import type { Property, Value } from './records.ts';
import { access, PROPERTY_TYPES, value } from './records.ts';

const INT32 = 2 ** 31;
const int32 = int(-INT32, INT32 - 1);

/** The members of a definition, without its name and its owner. */
export const definitionFields = {
  type: oneOf(PROPERTY_TYPES),
  access,
  description: optional(string),
  domain: optional(list(value, 1)),
  range: optional(object({ from: int32, to: int32 })),
  default_value: optional(value),
};
const members = object(definitionFields);

/** A definition as register_property takes it. */
export type Definition = ReturnType<typeof members>;

/** What the values of a property are held to. */
type Constraints = Pick<Property, 'type' | 'domain' | 'range'>;

function requireType(type: Property['type'], given: Value, path: string): void {
  switch (type) {
    case 'int':
      int32(given, path);
      return;
    case 'bool':
      if (typeof given !== 'boolean') refuse('validation', `${quoted(path)} must be a boolean`);
      return;
    case 'string':
    case 'tokenized_string':
      string(given, path);
  }
}

/** Refuses a value of another type, outside the domain or outside the range. */
export function requireValue({ type, domain, range }: Constraints, given: Value, path: string): void {
  requireType(type, given, path);
  if (domain !== undefined && !domain.includes(given)) refuse('validation', `${quoted(path)} is not in the domain`);
  if (range !== undefined && typeof given === 'number' && (given < range.from || given > range.to))
    refuse('validation', `${quoted(path)} must be between ${range.from} and ${range.to}`);
}

function requireAccess(given: Definition['access'], path: string): void {
  const locations = Object.entries(given);
  if (locations.length === 0) refuse('validation', `${quoted(path)} needs at least one location`);
  for (const [location, kinds] of locations)
    if (Object.keys(kinds).length === 0)
      refuse('validation', `${quoted(`${path}.${location}`)} needs at least one user kind`);
}

function requireDefault(given: Definition, default_value: Value, path: string): void {
  if (given.access.license === undefined && given.access.group === undefined)
    refuse('validation', `${quoted(path)} needs access of \`license\` or \`group\``);
  requireValue(given, default_value, path);
}

/** Refuses members that contradict each other. */
export function requireDefinition(given: Definition, path: string): void {
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const { type, domain, range, default_value } = given;
  requireAccess(given.access, at('access'));
  if (domain !== undefined && range !== undefined)
    refuse('validation', `${quoted(at('domain'))} cannot be combined with \`range\``);
  if (range !== undefined && type !== 'int') refuse('validation', `${quoted(at('range'))} is for numeric types only`);
  if (range !== undefined && range.from > range.to)
    refuse('validation', `${quoted(at('range.from'))} must not be above \`to\``);
  domain?.forEach((item, index) => {
    requireType(type, item, at(`domain[${index}]`));
  });
  if (default_value !== undefined) requireDefault(given, default_value, at('default_value'));
}

/** Reads a definition; `null` members are absent, unknown ones are ignored. */
export const definition: JsonReader<Definition> = (body, path) => {
  const given = members(body, path);
  requireDefinition(given, path);
  return given;
};
