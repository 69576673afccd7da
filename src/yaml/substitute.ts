// A composed manifest with `${env.NAME}` and `${var.name}` in its texts in; the same with their values out.
// What is inserted is text and stays text: only where the schema wants a number or a flag, and no text, does one become that.

import type { Schema } from '../base/documents.ts';
import { isList, isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { rightNames } from '../base/nearest.ts';
import type { Emit } from './collector.ts';
import { typesOf } from './conform.ts';
import type { Path } from './mark.ts';
import type { Parsed } from './parse.ts';
import { schemaAt } from './schema-at.ts';
import { at, type Located } from './wording.ts';

/** What can be inserted, by its first word: `env`, `var`. */
export type Variables = { readonly [scope: string]: { readonly [name: string]: string | undefined } };

/** `$${` is a literal `${`; anything else that begins with `${` has to be a whole reference. */
const REFERENCE = /\$(\$\{)|\$\{([a-z]+)\.([A-Za-z_][A-Za-z0-9_-]*)\}|\$\{[^}\n]*\}?/g;

/** Wrong references of one text that are told: to find the place of each takes longer the more there are. */
const TOLD = 20;

/** A value with the word of its files on whether a text in it may have a `${`: most have none, and are not searched for one. */
export type Insertable = Pick<Parsed, 'templated'> & { readonly value: JsonObject };

/** `used` gets the references that it meets, such as `var.shop`. */
export function substitute(
  { value: manifest, templated }: Insertable,
  schemaOf: () => Schema,
  variables: Variables,
  emit: Emit,
  used: Set<string> = new Set(),
): JsonObject {
  if (!templated) return manifest;
  const schema = schemaOf();
  // Most texts have no variable: where one stands is only written down when it is told.
  const way: (string | number)[] = [];
  const replaced = inValue(manifest);
  return isObject(replaced) ? replaced : manifest;

  function inValue(value: Json): Json {
    if (typeof value === 'string') return value.includes('${') ? inText(value, [...way]) : value;
    if (isList(value)) return inList(value);
    return isObject(value) ? inMapping(value) : value;
  }

  function inMember(value: Json, step: string | number): Json {
    way.push(step);
    const inner = inValue(value);
    way.pop();
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
      if (name.includes('${')) emit(keyRefused([...way, name]));
      const inner = inMember(member, name);
      if (inner === member) continue;
      changed ??= new Map(Object.entries(value));
      changed.set(name, inner);
    }
    return changed === null ? value : Object.fromEntries(changed);
  }

  function inText(text: string, path: Path): Json {
    const failed: Located[] = [];
    const inserted = text.replaceAll(REFERENCE, (...match: readonly (string | number | undefined)[]) => {
      const [whole, escaped, scope, name, offset] = match;
      if (typeof escaped === 'string') return escaped;
      const outcome = inserting(String(whole), String(scope), String(name), path);
      if (typeof outcome === 'string') return outcome;
      if (failed.length === TOLD) return '';
      const nth = text.slice(0, Number(offset)).split(String(whole)).length - 1;
      failed.push({ ...outcome, within: { text: String(whole), nth } });
      return '';
    });
    emit(failed);
    return failed.length === 0 ? typed(inserted, schemaAt(schema, path)) : text;
  }

  function inserting(whole: string, scope: string, name: string, path: Path): string | Located {
    const known = Object.hasOwn(variables, scope) ? variables[scope] : undefined;
    used.add(`${scope}.${name}`);
    if (known === undefined) return malformed(whole, path, Object.keys(variables));
    const value = Object.hasOwn(known, name) ? known[name] : undefined;
    return value ?? missing(whole, scope, name, known, path);
  }
}

/** What is inserted into a text, as it is written there. */
export function variablesIn(text: string): readonly string[] {
  return [...text.matchAll(REFERENCE)].flatMap(([whole, literal]) => (literal === undefined ? [whole] : []));
}

/** Texts of a license as a manifest has to write them: nothing in them is a variable. */
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
    `write ${forms}; a literal \`\${\` is written \`$\${\``,
  );
}

function keyRefused(path: Path) {
  return at(path, 'key', 'bad-substitution', 'variables are not inserted into keys', 'write the key out');
}

/** `00123`, `1e3`, `yes` and ` 1` spell no number and no flag. */
function typed(text: string, schema: Schema | null): Json {
  const types = typesOf(schema?.['type']);
  if (types.includes('string')) return text;
  if (types.includes('integer') && /^-?(0|[1-9]\d*)$/.test(text) && text !== '-0') {
    const number = Number(text);
    if (Number.isSafeInteger(number)) return number;
  }
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
