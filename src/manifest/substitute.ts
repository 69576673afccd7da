// Variables in texts: `${env.NAME}` and `${var.name}` become their values. A value stays a text, except where the schema wants a number or a flag.

import type { Schema } from '../base/documents.ts';
import { isList, isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { rightNames } from '../base/nearest.ts';
import { at, type Emit, type PathDiagnostic } from '../yaml/diagnostics.ts';
import type { Parsed } from '../yaml/parse.ts';
import type { Path } from '../yaml/places.ts';
import { schemaAt, typesOf } from '../yaml/schema-at.ts';

/** Values of variables by scope (`env`, `var`) and name. */
export type Variables = { readonly [scope: string]: { readonly [name: string]: string | undefined } };

/** `$${` is a literal `${`. Anything else that begins with `${` must be a whole reference. */
const REFERENCE = /\$(\$\{)|\$\{([a-z]+)\.([A-Za-z_][A-Za-z0-9_-]*)\}|\$\{[^}\n]*\}?/g;

/** How many wrong references of one text are reported: finding the place of each takes longer the more there are. */
const MOST_REPORTED = 20;

/** `templated`: whether a text may have a `${`. `used` gets the variables that the texts name, such as `var.shop`. */
export function substitute(
  { value: template, templated }: Pick<Parsed, 'templated'> & { readonly value: JsonObject },
  schemaOf: () => Schema,
  variables: Variables,
  emit: Emit,
  used: Set<string> = new Set(),
): JsonObject {
  if (!templated) return template;
  const schema = schemaOf();
  // One path that grows and shrinks: most texts have no variable, and need no path of their own.
  const here: (string | number)[] = [];
  const replaced = inValue(template);
  return isObject(replaced) ? replaced : template;

  function inValue(value: Json): Json {
    if (typeof value === 'string') return value.includes('${') ? inText(value, [...here]) : value;
    if (isList(value)) return inList(value);
    return isObject(value) ? inMapping(value) : value;
  }

  function inMember(value: Json, step: string | number): Json {
    here.push(step);
    const inner = inValue(value);
    here.pop();
    return inner;
  }

  function inList(value: readonly Json[]): Json {
    let items: Json[] | null = null;
    for (const [index, item] of value.entries()) {
      const inner = inMember(item, index);
      if (inner === item) continue;
      items ??= [...value];
      items[index] = inner;
    }
    return items ?? value;
  }

  function inMapping(value: JsonObject): Json {
    let changed: Map<string, Json> | null = null;
    for (const name of Object.keys(value)) {
      const member = value[name] ?? null;
      if (name.includes('${')) emit(keyRefused([...here, name]));
      const inner = inMember(member, name);
      if (inner === member) continue;
      changed ??= new Map(Object.entries(value));
      changed.set(name, inner);
    }
    return changed === null ? value : Object.fromEntries(changed);
  }

  function inText(text: string, path: Path): Json {
    const failed: PathDiagnostic[] = [];
    const inserted = text.replaceAll(REFERENCE, (...match: readonly (string | number | undefined)[]) => {
      const [whole, escaped, scope, name, offset] = match;
      if (typeof escaped === 'string') return escaped;
      const outcome = inserting(String(whole), String(scope), String(name), path);
      if (typeof outcome === 'string') return outcome;
      if (failed.length === MOST_REPORTED) return '';
      const nth = text.slice(0, Number(offset)).split(String(whole)).length - 1;
      failed.push({ ...outcome, within: { text: String(whole), nth } });
      return '';
    });
    emit(failed);
    return failed.length === 0 ? typed(inserted, schemaAt(schema, path)) : text;
  }

  function inserting(whole: string, scope: string, name: string, path: Path): string | PathDiagnostic {
    const known = Object.hasOwn(variables, scope) ? variables[scope] : undefined;
    used.add(`${scope}.${name}`);
    if (known === undefined) return malformed(whole, path, Object.keys(variables));
    const value = Object.hasOwn(known, name) ? known[name] : undefined;
    return value ?? missing(whole, scope, name, known, path);
  }
}

/** The references in a text, as they are written. */
export function variablesIn(text: string): readonly string[] {
  return [...text.matchAll(REFERENCE)].flatMap(([whole, literal]) => (literal === undefined ? [whole] : []));
}

/** A value of the license as a manifest must write it, so that nothing in it is a variable. */
export function escaped(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${');
  if (isList(value)) return value.map(escaped);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, escaped(member)]));
}

function missing(whole: string, scope: string, name: string, known: Variables[string], path: Path) {
  const remedy =
    scope === 'env'
      ? `set the environment variable ${name}`
      : ['add it to `vars` of the target', ...knownNames(name, known)].join('; ');
  return at(path, 'value', 'missing-variable', `\`${whole}\` has no value`, remedy);
}

function knownNames(name: string, known: Variables[string]): readonly string[] {
  const names = Object.keys(known ?? {});
  return names.length === 0 ? [] : [rightNames(name, names)];
}

function malformed(whole: string, path: Path, scopes: readonly string[]) {
  const forms = scopes.map((scope) => `\`\${${scope}.NAME}\``).join(' or ');
  return at(
    path,
    'value',
    'bad-substitution',
    `\`${whole}\` is not a reference to a variable`,
    `write ${forms}; for a literal \`\${\`, write \`$\${\``,
  );
}

function keyRefused(path: Path) {
  return at(path, 'key', 'bad-substitution', 'a key cannot have a variable', 'write the key out');
}

/** `00123`, `1e3`, `yes` and ` 1` spell no number and no flag. */
function typed(text: string, schema: Schema | null): Json {
  const types = typesOf(schema);
  if (types.includes('string')) return text;
  if (types.includes('integer') && /^-?(0|[1-9]\d*)$/.test(text) && text !== '-0') {
    const number = Number(text);
    if (Number.isSafeInteger(number)) return number;
  }
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
