// Variables in texts: `${env.NAME}` and `${var.name}` become their values. The value of a declared variable keeps its type; any other stays a text,
// except where the schema wants a number or a flag.

import type { Schema } from '../base/documents.ts';
import { isList, isObject } from '../base/json.ts';
import { mapTexts } from '../base/map-texts.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { rightNames } from '../base/nearest.ts';
import { oncePer } from '../base/once-per.ts';
import { at, type Emit, type PathDiagnostic } from '../yaml/diagnostics.ts';
import type { Parsed, Path } from '../yaml/places.ts';
import { schemaAt, typesOf } from '../yaml/schema-at.ts';
import type { VariableRefusal } from './environment.ts';
import { namesColumns } from './people-schema.ts';

/** A variable with a type. */
export interface DeclaredVariable {
  readonly type: string;
  /** Null when it has none. */
  readonly value: Json;
  /** An error says so already: references to it are left as they are. */
  readonly isWrong: boolean;
}

/** Values of variables by scope (`env`, `var`) and name. */
export type Variables = {
  readonly [scope: string]: { readonly [name: string]: string | DeclaredVariable | undefined };
};

/** What a substitution asks, and what it tells in addition to its result. */
export interface Insertions {
  /** Why an environment variable may not be read; null where it may. */
  readonly refusal?: (name: string) => VariableRefusal | null;
  /** What to do about a variable without a value, where the usual advice does not help. */
  readonly missing?: (scope: string, name: string) => string | null;
  /** Gets the variables that the texts name, such as `var.shop`. */
  readonly used?: Set<string>;
  /** A declared variable is the whole value at this path. */
  readonly whole?: (path: Path, name: string) => void;
  /** The value at this path has a variable whose value is wrong. */
  readonly wrong?: (path: Path) => void;
}

/** `$${` is a literal `${`. Anything else that begins with `${` must be a whole reference. */
const REFERENCE = /\$(\$\{)|\$\{([a-z]+)\.([A-Za-z_][A-Za-z0-9_-]*)\}|\$\{[^}\n]*\}?/g;

/** How many wrong references of one text are reported: finding the place of each takes longer the more there are. */
const MOST_REPORTED = 20;

/** To make a schema takes longer than most substitutions. */
const schemaBy = oncePer((schemaOf: () => Schema) => schemaOf());

/** `templated`: whether a text may have a `${`. */
export function substitute(
  { value: template, templated }: Pick<Parsed, 'templated'> & { readonly value: JsonObject },
  schemaOf: () => Schema,
  variables: Variables,
  emit: Emit,
  insertions: Insertions = {},
): JsonObject {
  if (!templated) return template;
  const schema = schemaBy(schemaOf);
  const replaced = mapTexts(template, {
    text: (text, path) => (text.includes('${') ? inText(text, [...path]) : text),
    key: (name, path) => {
      if (name.includes('${')) emit(keyRefused([...path, name]));
      return name;
    },
  });
  return isObject(replaced) ? replaced : template;

  function inText(text: string, path: Path): Json {
    const [first] = text.startsWith('${') && text.endsWith('}') ? referencesIn(text) : [];
    const { scope = '', name = '' } = first?.whole === text ? first : {};
    const declared = variableIn(variables, scope, name);
    if (typeof declared === 'object' && declared.value !== null && !declared.isWrong) {
      insertions.used?.add(`${scope}.${name}`);
      if (path.length === 1) {
        emit(sectionRefused(text, path));
        return text;
      }
      insertions.whole?.(path, name);
      return declared.value;
    }
    return inParts(text, path);
  }

  function inParts(text: string, path: Path): Json {
    const failed: PathDiagnostic[] = [];
    let isWrong = false;
    const inserted = text.replaceAll(REFERENCE, (...match: readonly (string | number | undefined)[]) => {
      const [whole, escaped, scope, name, offset] = match;
      if (typeof escaped === 'string') return escaped;
      const outcome = inserting(String(whole), String(scope), String(name), path);
      if (typeof outcome === 'string') return outcome;
      if (outcome === null) isWrong = true;
      if (outcome === null || failed.length === MOST_REPORTED) return '';
      const nth = text.slice(0, Number(offset)).split(String(whole)).length - 1;
      failed.push({ ...outcome, within: { text: String(whole), nth } });
      return '';
    });
    emit(failed);
    if (isWrong) insertions.wrong?.(path);
    return failed.length === 0 && !isWrong ? typed(inserted, schemaAt(schema, path)) : text;
  }

  /** Null for a variable whose value is wrong. */
  function inserting(whole: string, scope: string, name: string, path: Path): string | PathDiagnostic | null {
    const known = Object.hasOwn(variables, scope) ? variables[scope] : undefined;
    if (known === undefined) return namesColumns(path) ? whole : malformed(whole, path, Object.keys(variables));
    insertions.used?.add(`${scope}.${name}`);
    const refused = scope === 'env' ? insertions.refusal?.(name) : null;
    if (refused != null)
      return at(path, 'value', 'not-allowed', `\`${whole}\` may not be read: ${refused.reason}`, refused.remedy);
    const variable = variableIn(variables, scope, name);
    if (typeof variable === 'string') return variable;
    if (variable?.isWrong === true) return null;
    if (variable == null || variable.value === null) {
      const remedy = insertions.missing?.(scope, name) ?? null;
      return missing(whole, scope, name, known, path, remedy);
    }
    return typeof variable.value === 'string' ? variable.value : notText(whole, variable, path);
  }
}

function variableIn(variables: Variables, scope: string, name: string): string | DeclaredVariable | undefined {
  const known = Object.hasOwn(variables, scope) ? variables[scope] : undefined;
  return known !== undefined && Object.hasOwn(known, name) ? known[name] : undefined;
}

/** What begins like a reference in a text, as it is written. */
export function variablesIn(text: string): readonly string[] {
  return [...text.matchAll(REFERENCE)].flatMap(([whole, literal]) => (literal === undefined ? [whole] : []));
}

/** A reference to a variable. */
export interface VariableReference {
  /** As it is written: `${row.region}`. */
  readonly whole: string;
  readonly scope: string;
  readonly name: string;
}

/** The references in a text, in their order. */
export function referencesIn(text: string): readonly VariableReference[] {
  return [...text.matchAll(REFERENCE)].flatMap(([whole, , scope, name]) =>
    scope === undefined || name === undefined ? [] : [{ whole, scope, name }],
  );
}

/** The text with these values in place of references; one without a value stays as it is, and so does a literal `$${`. */
export function withReferences(text: string, replacing: (reference: VariableReference) => string | undefined): string {
  return text.replaceAll(REFERENCE, (whole: string, _literal: unknown, scope?: string, name?: string) =>
    scope === undefined || name === undefined ? whole : (replacing({ whole, scope, name }) ?? whole),
  );
}

/** A value of the license as a manifest must write it, so that nothing in it is a variable. */
export function escaped(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${');
  if (isList(value)) return value.map(escaped);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, escaped(member)]));
}

function missing(
  whole: string,
  scope: string,
  name: string,
  known: Variables[string],
  path: Path,
  remedy: string | null,
): PathDiagnostic {
  const missed = (remedy: string) => at(path, 'value', 'missing-variable', `\`${whole}\` has no value`, remedy);
  if (remedy !== null) return missed(remedy);
  if (scope === 'env') return missed(`set the environment variable ${name}`);
  if (!Object.hasOwn(known, name))
    return missed(
      ['add it to `vars` of the target, or use --var or --var-file', ...knownNames(name, known)].join('; '),
    );
  const declaration = { path: ['variables', name], part: 'key', message: 'declared here' } as const;
  return {
    ...missed('add it to `vars` of the target, or a `default` to its declaration; or use --var or --var-file'),
    related: [declaration],
  };
}

function knownNames(name: string, known: Variables[string]): readonly string[] {
  const names = Object.keys(known);
  return names.length === 0 ? [] : [rightNames(name, names)];
}

/** For a value that is no text, in a text that has more than the reference. */
function notText(whole: string, { type }: DeclaredVariable, path: Path): PathDiagnostic {
  const message = `\`${whole}\` is declared with \`type: ${type}\`, and only a string can be part of a text`;
  return at(path, 'value', 'bad-substitution', message, 'declare it as a string, or write the reference alone');
}

function malformed(whole: string, path: Path, scopes: readonly string[]): PathDiagnostic {
  const literally = 'for a literal `${`, write `$${`';
  const refused = (message: string, remedy: string) =>
    at(path, 'value', 'bad-substitution', message, `${remedy}; ${literally}`);
  if (scopes.length === 0) return refused('the value of a variable cannot have a variable', 'write the value out');
  const forms = scopes.map((scope) => `\`\${${scope}.NAME}\``).join(' or ');
  return refused(`\`${whole}\` is not a reference to a variable`, `write ${forms}`);
}

/** Several files may have parts of a section, and overlays change its entries: a variable would replace all of them. */
function sectionRefused(text: string, path: Path) {
  const message = `\`${text}\` stands for a whole section`;
  return at(path, 'value', 'bad-substitution', message, 'write its entries, which can be variables');
}

function keyRefused(path: Path) {
  return at(path, 'key', 'bad-substitution', 'a key cannot have a variable', 'write the key out');
}

/** As the type that the schema wants. */
function typed(text: string, schema: Schema | null): Json {
  const types = typesOf(schema);
  return types.includes('string') ? text : scalarIn(text, types);
}

/** The number or flag that a text spells, if one of the types is that of it. `00123`, `1e3`, `yes` and ` 1` spell no integer and no flag. Spreadsheets write `TRUE`. */
export function scalarIn(text: string, types: readonly string[]): Json {
  if (types.includes('integer') && /^-?(0|[1-9]\d*)$/.test(text) && text !== '-0') {
    const number = Number(text);
    if (Number.isSafeInteger(number)) return number;
  }
  if (types.includes('number') && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) {
    const number = Number(text);
    if (Number.isFinite(number) && !Object.is(number, -0)) return number;
  }
  if (types.includes('boolean') && /^(?:true|True|TRUE|false|False|FALSE)$/.test(text))
    return text.toLowerCase() === 'true';
  return text;
}
