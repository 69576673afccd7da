// Variables of a manifest: what is declared under `variables:`, and their values: a default, those of the target, of files and of flags. The last one
// counts.

import type { Schema } from '../base/documents.ts';
import { isList, isObject } from '../base/json.ts';
import type { Diagnostic, Json, JsonObject } from '../base/model.ts';
import { nearest, rightNames } from '../base/nearest.ts';
import { wrongType } from '../yaml/conform.ts';
import { collector, diagnose, diagnosticsOf } from '../yaml/diagnostics.ts';
import { parseYaml } from '../yaml/parse.ts';
import { marker, type Part, type Path, type PlaceMark, type Source } from '../yaml/places.ts';
import { type FileSystem, readFile } from '../yaml/read.ts';
import { type Composed, markOf } from './origin.ts';
import { type DeclaredVariable, scalarIn, substitute, type Variables } from './substitute.ts';

/** The type of a declaration, and what it is called in a JSON Schema. */
const TYPES: { readonly [type: string]: string } = {
  string: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  list: 'array',
  map: 'object',
};

export const VARIABLE_KEY: Schema = {
  pattern: '^[A-Za-z_][A-Za-z0-9_-]*$',
  description: 'Letters, digits, `_` and `-`.',
};

export const declarationSchema: Schema = {
  type: 'object',
  description: 'A variable: `{ type, default, description }`.',
  additionalProperties: false,
  required: ['type'],
  properties: {
    type: { enum: Object.keys(TYPES), description: 'What its value is; a field gets the value with this type.' },
    default: { description: 'Its value where no other is given.' },
    description: { type: 'string', description: 'What it is for.' },
  },
};

type MarkAt = (path: Path, part: Part) => PlaceMark;

/** Values of variables from one place. */
export interface GivenVariables {
  readonly values: JsonObject;
  readonly markAt: MarkAt;
  /** What a text of another type than `string` stands for: itself, or a value that it spells. A flag also has places in the text. */
  readonly texts: 'plain' | 'spelt' | 'flag';
}

/** Values of the flag `--var`. */
export function flagValues(values: { readonly [name: string]: string }): GivenVariables {
  const markAt: MarkAt = ([name]) => {
    const text = values[String(name)] ?? '';
    return marker(flagOf(String(name)), text)(0, text.length);
  };
  return { values, markAt, texts: 'flag' };
}

/** What diagnostics name in place of a file. */
function flagOf(name: string): string {
  return `--var ${name}`;
}

/** Values of files; a later file counts more. */
export async function valuesOfFiles(files: readonly string[], system: FileSystem) {
  const given: GivenVariables[] = [];
  const found: Diagnostic[] = [];
  for (const file of files) {
    const parsed = await readFile(file, system);
    if (!('source' in parsed)) {
      found.push(parsed);
      continue;
    }
    const { value, source, templated, whole, diagnostics } = parsed;
    found.push(...diagnostics);
    if (!whole) continue;
    if (value !== null && !isObject(value)) found.push(noMapping(source));
    const { values, wrong } = withoutReferences(isObject(value) ? value : {}, templated, source.mark);
    given.push({ values, markAt: source.mark, texts: 'plain' });
    found.push(...wrong);
  }
  return { given, found };
}

function noMapping(source: Source): Diagnostic {
  const message = 'a file of values must be a mapping of the names of variables';
  return diagnose(source.mark([], 'value'), { code: 'wrong-type', message, remedy: 'write `name: value`' });
}

/** The values with `$${` as `${`. A value of a variable has no variables. */
function withoutReferences(written: JsonObject, templated: boolean, markAt: MarkAt) {
  const collected = collector();
  const values = substitute({ value: written, templated }, () => ({}), {}, collected.emit);
  return { values, wrong: diagnosticsOf(collected, markAt, []) };
}

/** Values of all variables. */
export interface ResolvedVariables {
  readonly values: Variables[string];
  readonly declared: readonly string[];
  /** Where the value of a declared variable is written. */
  readonly markOf: (name: string, path: Path, part: Part) => PlaceMark;
  readonly diagnostics: readonly Diagnostic[];
  /** What is wrong with values that are given for undeclared variables, of which the files use some. */
  readonly strays: (used: ReadonlySet<string>) => readonly Diagnostic[];
}

/**
 * @param given - From the values that count least to those that count most.
 * @param isWhole - Whether all of them could be read: otherwise a variable may have a value that is not among them.
 */
export async function variablesOf(
  composed: Composed,
  given: readonly GivenVariables[],
  isWhole: boolean,
): Promise<ResolvedVariables> {
  const declarations = composed.value['variables'];
  const { values: defaults, found } = defaultsOf(composed);
  const all = [defaults, ...given];
  const values = new Map<string, string | DeclaredVariable>();
  const marks = new Map<string, MarkAt>();
  for (const [name, declaration] of Object.entries(isObject(declarations) ? declarations : {})) {
    const type = isObject(declaration) ? String(declaration['type']) : '';
    const isKnown = TYPES[type] !== undefined;
    values.set(name, { type, value: null, isWrong: !isKnown || !isWhole });
    for (const each of isKnown ? all : []) {
      if (!Object.hasOwn(each.values, name)) continue;
      const { value, markAt, wrong } = await readValue(name, type, each);
      found.push(...wrong);
      values.set(name, { type, value, isWrong: wrong.length > 0 });
      marks.set(name, markAt);
    }
  }
  const declared = [...values.keys()];
  const strays = given.flatMap((each) =>
    Object.entries(each.values).flatMap(([name, value]) => (declared.includes(name) ? [] : [{ name, value, each }])),
  );
  for (const { name, value } of strays)
    values.set(name, typeof value === 'string' ? value : { type: '', value, isWrong: true });
  return {
    values: Object.fromEntries(values),
    declared,
    markOf: (name, path, part) => marks.get(name)?.(path, part) ?? markOf(composed.origin, ['variables', name], part),
    diagnostics: found,
    strays: (used) => strays.flatMap(({ name, value, each }) => strayValue(name, value, each, used, declared)),
  };
}

/** Defaults whose declarations are well formed. */
function defaultsOf({ value, origin }: Composed) {
  const declarations = isObject(value['variables']) ? value['variables'] : {};
  const written = Object.entries(declarations).flatMap(([name, declaration]) =>
    isObject(declaration) && declaration['default'] !== undefined ? [[name, declaration['default']] as const] : [],
  );
  const markAt: MarkAt = ([name, ...rest], part) =>
    markOf(origin, ['variables', String(name), 'default', ...rest], part);
  const { values, wrong } = withoutReferences(Object.fromEntries(written), true, markAt);
  const plain: GivenVariables = { values, markAt, texts: 'plain' };
  return { values: plain, found: [...wrong] };
}

/** The value of a declared variable, where it and its members are written, and why it has not its type. */
async function readValue(name: string, type: string, { values, markAt, texts }: GivenVariables) {
  const given = values[name] ?? null;
  const here: MarkAt = (path, part) => markAt([name, ...path], part);
  if (typeof given !== 'string' || texts === 'plain' || type === 'string')
    return { value: given, markAt: here, wrong: mistyped(name, type, given, here) };
  const whole: MarkAt = () => here([], 'value');
  if (type !== 'list' && type !== 'map') {
    const value = scalarIn(given, [type]);
    return { value, markAt: whole, wrong: mistyped(name, type, value, whole) };
  }
  const { value, source, diagnostics } = await parseYaml(flagOf(name), given);
  const inText: MarkAt = texts === 'flag' ? source.mark : whole;
  const wrong = diagnostics.map((each) => (texts === 'flag' ? each : { ...each, ...whole([], 'value') }));
  return { value, markAt: inText, wrong: wrong.length > 0 ? wrong : mistyped(name, type, value, inText) };
}

function mistyped(name: string, type: string, value: Json, markAt: MarkAt): readonly Diagnostic[] {
  if (hasType(type, value)) return [];
  const schema = { type: TYPES[type] ?? '', description: `it is declared with \`type: ${type}\`` };
  const { code, message, remedy = null } = wrongType([], value, schema);
  return [diagnose(markAt([], 'value'), { code, message: `variable \`${name}\`: ${message}`, remedy })];
}

function hasType(type: string, value: Json): boolean {
  switch (type) {
    case 'list':
      return isList(value);
    case 'map':
      return isObject(value);
    case 'integer':
      return Number.isSafeInteger(value);
    default:
      return typeof value === type;
  }
}

function strayValue(
  name: string,
  value: Json,
  { markAt, texts }: GivenVariables,
  used: ReadonlySet<string>,
  declared: readonly string[],
): readonly Diagnostic[] {
  if (used.has(`var.${name}`)) {
    if (typeof value === 'string') return [];
    const message = `\`${name}\` is not declared, so its value must be a text`;
    const remedy = 'put it in quotes, or declare the variable under `variables:` of the manifest';
    return [diagnose(markAt([name], 'value'), { code: 'wrong-type', message, remedy })];
  }
  // A flag for a name that no file has is refused before.
  if (texts === 'flag') return [];
  const unknownField = (message: string, remedy: string, severity: Diagnostic['severity'] = 'error') => [
    diagnose(markAt([name], 'key'), { code: 'unknown-field', severity, message, remedy }),
  ];
  if (nearest(name, declared) !== null)
    return unknownField(`no file declares or uses a variable \`${name}\``, rightNames(name, declared));
  if (typeof value !== 'object' || value === null) return [];
  const message = `no file declares a variable \`${name}\`, so its ${isList(value) ? 'list' : 'mapping'} has no effect`;
  const inside = Object.keys(value).find((key) => declared.includes(key) || used.has(`var.${key}`));
  // A value that was meant for a variable of this manifest. Others may be for another manifest.
  return inside === undefined
    ? unknownField(message, 'declare it under `variables:` of the manifest, or remove it', 'warning')
    : unknownField(message, `\`${inside}\` is a variable: write it one level higher, without \`${name}:\` above it`);
}

/** The places of a value in which variables were inserted: inside of an inserted value, those where it is written. */
export function insertedPlaces(written: MarkAt, valueAt: ResolvedVariables['markOf']) {
  const names = new Map<string, string>();
  const markAt: MarkAt = (path, part) => {
    if (names.size === 0) return written(path, part);
    for (let depth = 1; depth <= path.length; depth += 1) {
      const at = path.slice(0, depth);
      const name = names.get(JSON.stringify(at));
      if (name === undefined) continue;
      if (depth === path.length && part === 'key') break;
      const used = { place: written(at, 'value').place, message: `through \`\${var.${name}}\`` };
      return { ...valueAt(name, path.slice(depth), part), used };
    }
    return written(path, part);
  };
  return {
    markAt,
    add: (path: Path, name: string) => {
      names.set(JSON.stringify(path), name);
    },
  };
}
