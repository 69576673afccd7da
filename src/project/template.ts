// `defaults` as the template of targets: texts with `${target.name}`, `${target.env_name}` or `${row.NAME}` get the values of each target.

import { isList, isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { rightNames } from '../base/nearest.ts';
import { type Insertions, substitute, type Variables, variablesIn } from '../manifest/substitute.ts';
import { at, type Collector, type Emit, repeated } from '../yaml/diagnostics.ts';
import type { Mark, Part, Path, Source } from '../yaml/places.ts';
import { COMBINED } from './defaults.ts';
import { projectSchema } from './schema.ts';
import type { TargetRow } from './targets-from.ts';

/** A target as the template sees it; without a row, one of `targets`. */
interface Templated {
  readonly name: string;
  readonly row: TargetRow | null;
}

/** chatform.yaml as if each target were written out: the values of the template stand among the target's own. */
export interface WrittenOut {
  readonly settings: JsonObject;
  /** Where a value of the template is written: at what the row says, and used where the template stands. */
  readonly source: Source;
}

const REFERENCE = /^\$\{(target|row)\.([A-Za-z_][A-Za-z0-9_-]*)\}$/;

/** The settings of `defaults` that differ from target to target. */
export function templateIn(defaults: Json | undefined): JsonObject {
  const members = isObject(defaults) ? Object.entries(defaults) : [];
  return Object.fromEntries(members.filter(([, value]) => textsIn(value).some((text) => references(text).length > 0)));
}

/** The same value with these texts in place of `${target.*}` and `${row.*}`, as far as they are known. */
export function filled(template: Json, target: Templated): Json {
  if (isList(template)) return template.map((item) => filled(item, target));
  if (isObject(template))
    return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, filled(value, target)]));
  if (typeof template !== 'string') return template;
  const { target: own, row } = scopesOf(target);
  const known: Variables = { target: own, row };
  return references(template).reduce((text, reference) => {
    const [, scope = '', name = ''] = REFERENCE.exec(reference) ?? [];
    const value = known[scope]?.[name];
    return typeof value === 'string' ? text.replaceAll(reference, () => value) : text;
  }, template);
}

/**
 * @param settings - What chatform.yaml says, without the template and with its variables inserted.
 * @param env - What `${env.NAME}` reads in the template.
 */
export function writtenOut(
  settings: JsonObject,
  template: JsonObject,
  rows: readonly TargetRow[],
  { source, env, refusal }: { readonly source: Source; readonly env: Variables[string] } & Pick<Insertions, 'refusal'>,
  { emit, spoil }: Pick<Collector, 'emit' | 'spoil'>,
): WrittenOut {
  const named = isObject(settings['targets']) ? settings['targets'] : {};
  const rowOf = new Map(rows.map((row) => [row.name, row]));
  const written = Object.keys(named).map((name): Templated => ({ name, row: null }));
  const targets = [...written, ...rows.map((row): Templated => ({ name: row.name, row }))];
  if (targets.length === 0 || (rows.length === 0 && Object.keys(template).length === 0)) return { settings, source };
  refuseCombined(template, emit);
  refuseTwins(template, targets, emit);
  refuseTaken(rows, named, emit);
  const all = targets.map((target) => {
    const own = named[target.name] ?? {};
    if (!isObject(own)) return [target.name, own] as const;
    const open = Object.fromEntries(Object.entries(template).filter(([name]) => own[name] === undefined));
    const inserted = insertedFor(target, open);
    return [target.name, { ...own, ...inserted }] as const;
  });
  return { settings: { ...settings, targets: Object.fromEntries(all) }, source: { ...source, mark: markOf } };

  function insertedFor(target: Templated, open: JsonObject): JsonObject {
    const report: Emit = (found) => {
      for (const each of 'code' in found ? [found] : found) {
        spoil(['targets', target.name, ...each.path.slice(1)]);
        emit(withRow(each, target));
      }
    };
    const scopes = { env, ...scopesOf(target) };
    const given = { value: { defaults: open }, templated: true };
    const { defaults } = substitute(given, projectSchema, scopes, report, refusal === undefined ? {} : { refusal });
    return isObject(defaults) ? defaults : {};
  }

  function aboutRow(row: TargetRow, setting: string | number | undefined, part: Part): Mark {
    // What each row lacks is one mistake.
    return setting === undefined && part === 'key' ? source.mark(['targets_from'], 'key') : row.markAt('name');
  }

  function markOf(path: Path, part: Part): Mark {
    const [section, name, setting] = path;
    if (section !== 'targets' || typeof name !== 'string') return source.mark(path, part);
    const own = named[name];
    const row = rowOf.get(name);
    const isOwn = isObject(own) && (setting === undefined || own[String(setting)] !== undefined);
    if (isOwn || typeof setting !== 'string' || template[setting] === undefined)
      return row === undefined || isOwn ? source.mark(path, part) : aboutRow(row, setting, part);
    const place = source.mark(['defaults', ...path.slice(2)], part);
    const reference = references(textAt(template, path.slice(2))).find((each) => each.startsWith('${row.'));
    const column = REFERENCE.exec(reference ?? '')?.[2];
    if (row === undefined || column === undefined) return place;
    return { ...row.markAt(column), used: { place: place.place, message: `through \`${reference}\`` } };
  }
}

function withRow<Found extends { readonly message: string; readonly code: string }>(
  found: Found,
  { name, row }: Templated,
) {
  if (found.code !== 'missing-variable' || !found.message.startsWith('`${row.')) return found;
  const remedy =
    row === null
      ? `\`${name}\` is none of \`targets_from\`: set it for \`targets.${name}\``
      : `add it to the rows of \`targets_from\`; ${rightNames('', Object.keys(row.values))}`;
  return { ...found, remedy };
}

function scopesOf({ name, row }: Templated) {
  return { target: { name, env_name: envName(name) }, row: row?.values ?? {} };
}

/** `acme-shop.de` -> `ACME_SHOP_DE`: for names of environment variables. */
function envName(target: string): string {
  return target.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}

/** A target adds its own rules to those of `defaults`, so one place of a rule must be one. */
function refuseCombined(template: JsonObject, emit: Emit): void {
  for (const name of Object.keys(template)) {
    if (!COMBINED.includes(name)) continue;
    const message = `\`${name}\` is the same for all targets, except for what they set themselves`;
    emit(at(['defaults', name], 'value', 'not-allowed', message, 'write the values out'));
  }
}

/** With one name for two targets, the token of one license would be sent to the other. */
function refuseTwins(template: JsonObject, targets: readonly Templated[], emit: Emit): void {
  if (!textsIn(template).some((text) => references(text).includes('${target.env_name}'))) return;
  for (const { item, first } of repeated(targets, ({ name }) => envName(name))) {
    const message = `targets \`${first.name}\` and \`${item.name}\` have the same \`\${target.env_name}\`, ${envName(item.name)}`;
    emit(at(['targets', item.name], 'value', 'contradiction', message, 'rename one of them'));
  }
}

function refuseTaken(rows: readonly TargetRow[], named: JsonObject, emit: Emit): void {
  for (const { name } of rows) {
    if (named[name] === undefined) continue;
    const message = `target \`${name}\` is also in \`targets_from\``;
    emit(at(['targets', name], 'key', 'duplicate-name', message, 'rename one of them, or remove it here'));
  }
}

/** `${target.*}` and `${row.*}` in a text, as they are written. */
function references(text: string): readonly string[] {
  return variablesIn(text).filter((reference) => REFERENCE.test(reference));
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isList(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

function textAt(value: Json, path: Path): string {
  const found = path.reduce<Json | undefined>(
    (inner, step) => (isList(inner) ? inner[Number(step)] : isObject(inner) ? inner[String(step)] : undefined),
    value,
  );
  return typeof found === 'string' ? found : '';
}
