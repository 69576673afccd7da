// Findings about values that do not conform to a JSON Schema: one for each mistake. Only base/compile.ts decides what conforms.

import type { Schema, SchemaError, Validator } from '../base/documents.ts';
import { grouped } from '../base/grouped.ts';
import { isList, isObject, valueAt } from '../base/json.ts';
import type { Json } from '../base/model.ts';
import { listed, nearest, rightNames } from '../base/nearest.ts';
import { at, type PathDiagnostic } from './diagnostics.ts';
import type { Path } from './places.ts';
import { ofMapping, schemaAt, typesOf } from './schema-at.ts';

/** What a mistake is in: the errors of one value follow each other. */
interface Spot {
  readonly pointer: string;
  readonly path: Path;
  readonly schema: Schema;
  readonly value: Json;
}

/** The schema itself is only made when something is wrong. */
export function* conform(validate: Validator<unknown>, schemaOf: () => Schema, value: Json): Iterable<PathDiagnostic> {
  if (validate(value)) return;
  const root = schemaOf();
  const errors = validate.errors ?? [];
  const unknown = unknownFields(errors);
  const similar = remembered();
  const glued = new Set<string>();
  let spot: Spot | null = null;
  for (const error of errors) {
    if (spot?.pointer !== error.instancePath) spot = spotOf(error.instancePath, root, value);
    const name = error.params['additionalProperty'] ?? error.params['propertyName'];
    const bracketed = gluedKey(typeof name === 'string' ? [...spot.path, name] : spot.path);
    if (bracketed !== null) {
      if (!glued.has(JSON.stringify(bracketed))) yield noSpaceBefore(bracketed);
      glued.add(JSON.stringify(bracketed));
      continue;
    }
    const finding = findingOf(error, spot, unknown.get(error.instancePath) ?? [], similar);
    if (finding !== null) yield finding;
  }
}

/** `sales:{ name: Sales }` has the key `sales:{ name`. */
const BRACKET_IN_KEY = /^([^\s:]+):([{[])/;

/** The path down to the first key that begins with another key and a bracket; null without one. */
function gluedKey(path: Path): Path | null {
  const depth = path.findIndex((part) => typeof part === 'string' && BRACKET_IN_KEY.test(part));
  return depth < 0 ? null : path.slice(0, depth + 1);
}

function noSpaceBefore(path: Path): PathDiagnostic {
  const [, key = '', bracket = ''] = BRACKET_IN_KEY.exec(String(path.at(-1))) ?? [];
  return at(path, 'key', 'yaml-syntax', ...gluedBracket(key, bracket));
}

/** A bracket that follows the colon of a key without a space. */
export function gluedBracket(key: string, bracket: string): readonly [message: string, remedy: string] {
  return [`the \`${bracket}\` after \`${key}:\` is read as a part of the key`, `${SPACE}: \`${key}: ${bracket}\``];
}

const SPACE = 'put a space after the `:`';

/** The field that a text begins with, where a colon without a space follows; null for other texts. */
function gluedField(text: string, names: readonly string[]): string | null {
  const name = /^([^\s:]+):\S/.exec(text)?.[1];
  return name !== undefined && names.includes(name) ? name : null;
}

/** Merge keys repeat one wrong name a thousand times. */
function remembered(): typeof rightNames {
  const known = new Map<string, string>();
  return (name, names, meant) => {
    const key = JSON.stringify([name, names, meant]);
    const remedy = known.get(key) ?? rightNames(name, names, meant);
    known.set(key, remedy);
    return remedy;
  };
}

function spotOf(pointer: string, root: Schema, value: Json): Spot {
  const path = pathOf(pointer, value);
  const found = valueAt(value, path) ?? null;
  const schema = schemaAt(root, path) ?? {};
  return { pointer, path, schema: isObject(found) ? ofMapping(schema) : schema, value: found };
}

/** By instance path, the fields that are not allowed there. */
function unknownFields(errors: readonly SchemaError[]): ReadonlyMap<string, readonly string[]> {
  const unknown = errors.filter(({ keyword }) => keyword === 'additionalProperties');
  return grouped(unknown.map(({ instancePath, params }) => [instancePath, String(params['additionalProperty'])]));
}

/** The path that a JSON Pointer is in this value: a digit is an index only in a list. */
function pathOf(pointer: string, value: Json): Path {
  const path: (string | number)[] = [];
  let member: Json | undefined = value;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    const step = isList(member) ? Number(name) : name;
    path.push(step);
    member = valueAt(member, [step]);
  }
  return path;
}

/** Null for an error that only follows from another one. */
function findingOf(
  { keyword, params }: SchemaError,
  { path, value, schema }: Spot,
  unknown: readonly string[],
  similar: typeof rightNames,
): PathDiagnostic | null {
  const names = isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
  const about = aboutOf(schema);
  const limit = Number(params['limit']);
  switch (keyword) {
    case 'type':
      return wrongType(path, value, schema);
    case 'enum':
    case 'const': {
      // An `enum` of an `else` is not in the schema of the spot itself.
      const allowed = params['allowedValues'] ?? schema['enum'];
      return notAllowed(path, value, isList(allowed) ? allowed : [schema['const'] ?? null]);
    }
    case 'minLength':
      return at(path, 'value', 'too-short', 'the text is empty', 'write a text, or remove the field');
    case 'pattern':
      if (value === '' && schema['minLength'] !== undefined) return null;
      return at(
        path,
        'value',
        'bad-format',
        `${quoted(String(value))} does not have the right form`,
        exampleRemedy(schema) ?? about,
      );
    case 'minimum':
      return at(path, 'value', 'out-of-range', `${Number(value)} is too small`, `use at least ${limit}`);
    case 'maximum':
      return at(path, 'value', 'out-of-range', `${Number(value)} is too large`, `use at most ${limit}`);
    case 'minItems':
      return at(path, 'value', 'too-short', 'the list is empty', `add at least ${limit} item`);
    case 'maxItems':
      return at(path, 'value', 'too-many', `the list has more than ${limit} items`, `leave at most ${limit}`);
    case 'maxLength':
      return at(path, 'value', 'too-long', `the text has more than ${limit} characters`, 'write a shorter one');
    case 'uniqueItems':
      return repeatedItem(path, value, Number(params['i']), Number(params['j']));
    case 'additionalProperties': {
      const name = String(params['additionalProperty']);
      const { computed } = schema;
      if (isObject(computed) && typeof computed[name] === 'string')
        return at([...path, name], 'key', 'unknown-field', `\`${name}\` cannot be declared here`, computed[name]);
      const message = `there is no field \`${name}\` here`;
      if (gluedField(name, names) !== null) return at([...path, name], 'key', 'unknown-field', message, SPACE);
      const remedy = elsewhere(name, valueAt(value, [name]), schema) ?? similar(name, names, meaning(name, schema));
      const inside = valueAt(value, [name]);
      const isOther = remedy.startsWith('allowed');
      if (isOther && isStrange(value, schema, unknown))
        return name !== unknown[0]
          ? null
          : at(path, 'value', 'not-allowed', 'a mapping is not allowed here', `${LESS_INDENT}; ${remedy}`);
      const isEntry = path.length > 0 && isOther && beginsEntry(inside);
      const isAlike = isObject(inside) && Object.keys(inside).every((member) => names.includes(member));
      const indented = !isEntry ? remedy : isAlike ? LESS_INDENT : `${LESS_INDENT}; ${remedy}`;
      return at([...path, name], 'key', 'unknown-field', message, indented);
    }
    case 'propertyNames': {
      const name = String(params['propertyName']);
      const message = name === '' ? 'a key cannot be empty' : `the key \`${name}\` does not have the right form`;
      return at([...path, name], 'key', 'bad-format', message, aboutOf(schema['propertyNames']));
    }
    case 'minProperties': {
      const remedy = names.length === 0 ? about : withAbout(`add one of ${listed(names)}`, schema);
      return at(path, 'key', 'missing-field', 'the mapping is empty', remedy);
    }
    case 'maxProperties':
      if (names.length === 0) return at(path, 'value', 'too-many', `the mapping has more than ${limit} members`, about);
      // Unknown fields are findings of their own; what is left of them may be one field, or none.
      if (isObject(value) && Object.keys(value).filter((name) => names.includes(name)).length < 2) return null;
      return at(path, 'key', 'exclusive-fields', `${listed(names)} cannot be combined`, 'keep one of them');
    case 'required': {
      const name = String(params['missingProperty']);
      if (isStrange(value, schema, unknown)) return null;
      // A field that is missing because it is misspelt is one mistake, not two.
      if (unknown.some((other) => (gluedField(other, names) ?? nearest(other, names)) === name)) return null;
      return missing(path, name, isObject(schema['properties']) ? schema['properties'][name] : undefined);
    }
    default:
      return null;
  }
}

function aboutOf(schema: Json | undefined): string | null {
  const about = isObject(schema) ? schema['description'] : undefined;
  return typeof about === 'string' ? about : null;
}

/** The field that is meant by another word for it: the only one whose description has that word. */
function meaning(name: string, { properties }: Schema): string | null {
  const fields = isObject(properties) ? Object.entries(properties) : [];
  const found = fields.filter(([, field]) => aboutOf(field)?.toLowerCase().split(/\W+/).includes(name.toLowerCase()));
  return found.length === 1 ? (found[0]?.[0] ?? null) : null;
}

/** How to mend a field that stands one mapping too high; null for other fields. */
function elsewhere(name: string, value: Json | undefined, { properties }: Schema): string | null {
  const fields = isObject(properties) ? Object.entries(properties) : [];
  const holder = fields.find(([, field]) => isObject(field) && hasPlaceFor(name, value, field));
  return holder === undefined ? null : `move it under \`${holder[0]}\``;
}

/** Whether a mapping has a field of the name, or entries with such a value under names of any kind. */
function hasPlaceFor(
  name: string,
  value: Json | undefined,
  { properties, additionalProperties: entry }: Schema,
): boolean {
  if (isObject(properties) && Object.hasOwn(properties, name)) return true;
  return value !== undefined && choicesOf(entry).includes(value);
}

/** Whether a mapping stands where a text is usual, and has nothing of what a mapping can have there. */
function isStrange(value: Json, schema: Schema, unknown: readonly string[]): boolean {
  return 'then' in schema && isObject(value) && Object.keys(value).every((name) => unknown.includes(name));
}

const LESS_INDENT = 'if another entry begins here, indent it less';

/** Whether a key with this value can be that of an entry: with members below it, or nothing where these stand further left. */
function beginsEntry(value: Json | undefined): boolean {
  return value === null || (isObject(value) && Object.keys(value).length > 0);
}

function isScalar(value: Json | undefined): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Null where the schema has neither examples nor a default. */
function exampleRemedy(schema: Schema): string | null {
  const { examples, default: preset } = schema;
  const right = isList(examples) ? examples : preset === undefined ? [] : [preset];
  const [first] = right;
  if (first === undefined) return null;
  const remedy = `write one such as ${right.map((each) => `\`${String(each)}\``).join(' or ')}`;
  return aboutOf(schema)?.includes(String(first)) === true || right.length > 1 ? remedy : withAbout(remedy, schema);
}

function notAllowed(path: Path, value: Json, allowed: readonly Json[]): PathDiagnostic {
  const names = [...new Set(allowed.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))))];
  const remedy =
    lostDash(path, value, names) ??
    (typeof value === 'string'
      ? rightNames(value, names)
      : `${beginsEntry(value) && value !== null ? `${LESS_INDENT}; ` : ''}allowed: ${listed(names)}`);
  return at(path, 'value', 'not-allowed', `${described(value)} is not allowed here`, remedy);
}

/** For a text of several items: without its `-`, an item continues the text of the item above. */
function lostDash(path: Path, value: Json, allowed: readonly string[]): string | null {
  const items = typeof value === 'string' ? value.split(/\s+/) : [];
  const isList = typeof path.at(-1) === 'number' && items.length > 1 && items.every((item) => allowed.includes(item));
  return isList
    ? `these are ${items.length} items: begin each with \`- \`, or put \`,\` between them in \`[ ]\``
    : null;
}

function repeatedItem(path: Path, value: Json, i: number, j: number): PathDiagnostic {
  const [first, second] = [Math.min(i, j), Math.max(i, j)];
  const message = `${quoted(valueAt(value, [second]) ?? null)} is in the list twice`;
  return {
    ...at([...path, second], 'value', 'duplicate-item', message, 'keep one of the two'),
    related: [{ path: [...path, first], part: 'value', message: 'the first one' }],
  };
}

function missing(path: Path, name: string, schema: Json | undefined): PathDiagnostic {
  const about = aboutOf(schema);
  const remedy = about === null ? `add \`${name}\`` : `add \`${name}\`. Description: ${about}`;
  return at(path, 'key', 'missing-field', `\`${name}\` is missing`, remedy);
}

const TYPE_NAMES: { readonly [type: string]: string } = {
  object: 'a mapping',
  array: 'a list',
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: '`true` or `false`',
};

/** For a value that has none of the types of the schema. */
export function wrongType(path: Path, value: Json, schema: Schema): PathDiagnostic {
  const types = typesOf(schema);
  const expected = types.filter((type) => type !== 'null').map((type) => TYPE_NAMES[type] ?? type);
  const message = `expected ${expected.join(' or ')}, found ${described(value)}`;
  return at(path, 'value', 'wrong-type', message, typeRemedy(value, types, schema) ?? aboutOf(schema));
}

const LONGEST_QUOTE = 60;

/** A value as messages show it; a long one is cut. */
function quoted(value: Json): string {
  const shown = JSON.stringify(value);
  return shown.length > LONGEST_QUOTE ? `${shown.slice(0, LONGEST_QUOTE - 3)}...` : shown;
}

function described(value: Json): string {
  if (value === null) return 'nothing';
  if (isList(value)) return 'a list';
  return isObject(value) ? 'a mapping' : quoted(value);
}

/** Texts that are of another type without their quotes. */
const UNQUOTED: { readonly [type: string]: RegExp } = {
  integer: /^-?\d{1,15}$/,
  number: /^-?\d{1,15}(\.\d+)?$/,
  boolean: /^(true|false)$/,
};

/** What older YAML reads as true or false, and YAML 1.2 as a text. */
const OLD_BOOLEANS: { readonly [text: string]: boolean } = {
  yes: true,
  y: true,
  on: true,
  no: false,
  n: false,
  off: false,
};

/** A variable as other tools write it: `$name`, `%name%`, `{{ name }}`. */
const OTHER_VARIABLE = /^(?:\$|%|\{\{\s*)([A-Za-z_]\w*)(?:\s*\}\}|%)?$/;

/** How to bring the value to one of the types; null when that is not possible. */
function typeRemedy(value: Json, types: readonly string[], schema: Schema): string | null {
  const meant = types.includes('boolean') && typeof value === 'string' ? OLD_BOOLEANS[value.toLowerCase()] : undefined;
  if (meant !== undefined) return withAbout(`write \`${meant}\``, schema);
  const scalar = isScalar(value);
  if (types.includes('string') && value === null)
    return withAbout('write one; a text that begins with `#`, or has a comma within `{ }`, needs quotes', schema);
  const foreign = typeof value === 'string' ? OTHER_VARIABLE.exec(value)?.[1] : undefined;
  if (foreign !== undefined) return `a variable is written \`\${var.${foreign}}\``;
  const { additionalProperties: entry } = schema;
  const [choice] = choicesOf(entry);
  if (types.includes('object') && isScalar(value) && choice !== undefined)
    return `write entries such as \`{ ${String(value)}: ${String(choice)} }\``;
  const [example] = isList(schema['examples']) ? schema['examples'] : [];
  if (types.includes('string') && typeof value === 'number' && example !== undefined)
    return `write a text in quotes, such as \`"${String(example)}"\``;
  if (types.includes('string') && scalar)
    return hasForm(String(value), schema['pattern']) ? 'put it in quotes to make it a text' : null;
  const items = isObject(schema['items']) ? schema['items'] : {};
  if (types.includes('array') && value === null && types.length === 1) {
    const orNone = schema['minItems'] === undefined ? ', or write `[]` for none' : '';
    return withAbout(`add items${orNone}`, aboutOf(items) === null ? schema : items);
  }
  if (types.includes('array') && scalar)
    return typesOf(items).includes('object')
      ? withAbout('write a list, each item after `-`', items)
      : /\s/.test(String(value))
        ? 'write a list: begin each item with `- `, on a line of its own'
        : `write a list: \`[${String(value)}]\``;
  if (types.includes('array') && isObject(value)) return itemRemedy(Object.keys(value)[0], items, schema);
  const needed = isList(schema['required']) ? schema['required'].map(String) : [];
  if (types.includes('object') && value === null) return emptyRemedy(needed, schema);
  const fields = isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
  if (types.includes('object') && isList(value)) return listRemedy(value, needed, fields, schema);
  if (types.includes('object') && typeof value === 'string' && gluedField(value, fields) !== null)
    return /:\S.*\s\S+:/.test(value) ? 'put a space after each `:`' : SPACE;
  if (types.includes('object') && scalar && needed.length === 1)
    return `write \`{ ${String(needed[0])}: ${String(value)} }\``;
  if (types.includes('object') && scalar && fields.length > 0)
    return withAbout(`write a mapping of ${listed(fields)}`, schema);
  if (typeof value === 'string' && types.some((type) => UNQUOTED[type]?.test(value) === true))
    return `write it without quotes: \`${value}\``;
  return null;
}

/** For a mapping in place of a list: one item, or items under names of their own. */
function itemRemedy(first: string | undefined, { properties }: Schema, schema: Schema): string {
  const isNamed = first !== undefined && isObject(properties) && !Object.hasOwn(properties, first);
  return isNamed && Object.hasOwn(properties, 'key')
    ? `write a list: \`- key: ${first}\` in place of \`${first}:\``
    : withAbout(`write a list: each item begins with \`-\`, here before \`${first ?? '{}'}\``, schema);
}

/** The key that an item of a list has as an entry of a mapping. */
function keyIn(item: Json | undefined): string {
  if (typeof item === 'string') return item;
  const keys = isObject(item) ? Object.keys(item) : [];
  return keys.length === 1 ? String(keys[0]) : 'key';
}

/** The texts that an entry can be, unless it is a mapping; none for an entry of other values. */
function choicesOf(entry: Json | undefined): readonly Json[] {
  if (!isObject(entry)) return [];
  return isList(entry['enum']) ? entry['enum'] : choicesOf(entry['else']);
}

/** For a list in place of a mapping: the value of the one field that is needed, the fields, or entries under names of their own. */
function listRemedy(
  items: readonly Json[],
  needed: readonly string[],
  fields: readonly string[],
  schema: Schema,
): string {
  const { additionalProperties: entry } = schema;
  const [field] = needed;
  if (fields.length > 0 && needed.length === 1 && items.every(isScalar))
    return `write \`{ ${field}: [${items.map(String).join(', ')}] }\``;
  if (fields.length > 0 && !isObject(entry)) return withAbout(`write a mapping of ${listed(fields)}`, schema);
  return withAbout(
    `write entries such as \`${keyIn(items[0])}: ${String(choicesOf(entry)[0] ?? '...')}\`, without \`-\` or \`[ ]\``,
    schema,
  );
}

/** For a mapping that has only its key. */
function emptyRemedy(needed: readonly string[], schema: Schema): string {
  if (needed.length > 0) return `it needs ${listed(needed)}`;
  if (typeof schema['minProperties'] === 'number') return withAbout('it needs at least one member', schema);
  return 'indent its members below it, or write `{}` for none';
}

function hasForm(text: string, pattern: Json | undefined): boolean {
  return typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text);
}

function withAbout(remedy: string, schema: Schema): string {
  const about = aboutOf(schema);
  return about === null ? remedy : `${remedy}. Description: ${about}`;
}
