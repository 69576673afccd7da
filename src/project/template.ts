// `defaults` as the template of targets: texts with `${target.name}`, `${target.env_name}` or `${row.NAME}` get the values of each target.

import { isList, isObject, valueAt } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { rightNames } from '../base/nearest.ts';
import { type Insertions, substitute, type Variables } from '../manifest/substitute.ts';
import { at, type Collector, type Emit, repeated } from '../yaml/diagnostics.ts';
import type { Part, Path, PlaceMark, Source } from '../yaml/places.ts';
import { COMBINED } from './defaults.ts';
import { targetReferences, withTargetValues } from './references.ts';
import { projectSchema } from './schema/project.ts';
import type { SourceRow } from './targets-from.ts';

/** A target as the template sees it; without a row, one of `targets`. */
export interface TemplatedTarget {
  readonly name: string;
  readonly row: SourceRow | null;
}

/** chatform.yaml as if each target were written out: the values of the template stand among the target's own. */
export interface WrittenOut {
  readonly settings: JsonObject;
  /** Where a value of the template is written: at what the row says, and used where the template stands. */
  readonly source: Source;
}

/** The settings of `defaults` that differ from target to target. */
export function templateIn(defaults: Json | undefined): JsonObject {
  const members = isObject(defaults) ? Object.entries(defaults) : [];
  return Object.fromEntries(
    members.filter(([, value]) => textsIn(value).some((text) => targetReferences(text).length > 0)),
  );
}

/** The text with the values of a target, as far as they are known. */
export function filled(text: string, target: TemplatedTarget): string {
  const scopes = scopesOf(target);
  return withTargetValues(text, ({ scope, name }) => {
    const value = valueAt(scopes, [scope, name]);
    return typeof value === 'string' ? value : undefined;
  });
}

/**
 * @param settings - What chatform.yaml says, without the template and with its variables inserted.
 * @param targets - Those that it names, then those with a row.
 * @param env - What `${env.NAME}` reads in the template.
 */
export function writtenOut(
  settings: JsonObject,
  template: JsonObject,
  targets: readonly TemplatedTarget[],
  { source, env, refusal }: { readonly source: Source; readonly env: Variables[string] } & Pick<Insertions, 'refusal'>,
  { emit, spoil }: Pick<Collector, 'emit' | 'spoil'>,
): WrittenOut {
  const named = isObject(settings['targets']) ? settings['targets'] : {};
  const rowOf = new Map(targets.flatMap(({ name, row }) => (row === null ? [] : [[name, row]])));
  if (targets.length === 0 || (rowOf.size === 0 && Object.keys(template).length === 0)) return { settings, source };
  refuseCombined(template, emit);
  refuseTwins(template, targets, emit);
  refuseTaken(rowOf.keys(), named, emit);
  const all = targets.map((target) => {
    const own = valueAt(named, [target.name]) ?? {};
    if (!isObject(own)) return [target.name, own] as const;
    const inserted = insertedFor(target, givenBy(target.row, openFor(own, template)));
    return [target.name, { ...own, ...inserted, ...withOwnLabels(inserted, own) }] as const;
  });
  return { settings: { ...settings, targets: Object.fromEntries(all) }, source: { ...source, mark: markOf } };

  function insertedFor(target: TemplatedTarget, open: JsonObject): JsonObject {
    const report: Emit = (found) => {
      for (const each of 'code' in found ? [found] : found) {
        spoil(['targets', target.name, ...each.path.slice(1)]);
        emit(each);
      }
    };
    const scopes = { env, ...scopesOf(target) };
    const given = { value: { defaults: open }, templated: true };
    const insertions: Insertions = {
      ...(refusal === undefined ? {} : { refusal }),
      missing: (scope) => (scope === 'row' ? withoutColumn(target) : null),
    };
    const { defaults } = substitute(given, projectSchema, scopes, report, insertions);
    return isObject(defaults) ? defaults : {};
  }

  function aboutRow(row: SourceRow, setting: string | number | undefined, part: Part): PlaceMark {
    // What each row lacks is one mistake.
    return setting === undefined && part === 'key' ? source.mark(['targets_from'], 'key') : row.markAt('name');
  }

  function markOf(path: Path, part: Part): PlaceMark {
    const [section, name, setting] = path;
    if (section !== 'targets' || typeof name !== 'string') return source.mark(path, part);
    const own = valueAt(named, [name]);
    const row = rowOf.get(name);
    const ownPath = path.slice(2, setting === 'labels' ? 4 : 3);
    const isOwn = isObject(own) && valueAt(own, ownPath) !== undefined;
    if (isOwn || typeof setting !== 'string' || !Object.hasOwn(template, setting))
      return row === undefined || isOwn ? source.mark(path, part) : aboutRow(row, setting, part);
    const place = source.mark(['defaults', ...path.slice(2)], part);
    const text = valueAt(template, path.slice(2));
    const reference = targetReferences(typeof text === 'string' ? text : '').find(({ scope }) => scope === 'row');
    if (row === undefined || reference === undefined) return place;
    return { ...row.markAt(reference.name), used: { place: place.place, message: `through \`${reference.whole}\`` } };
  }
}

/** An empty value of a row is none: a member that is nothing else is left out, so that its default holds. */
function givenBy(row: SourceRow | null, open: JsonObject): JsonObject {
  const isEmpty = (value: Json): boolean =>
    typeof value === 'string' &&
    targetReferences(value).some(
      ({ whole, scope, name }) => whole === value && scope === 'row' && row?.values[name] === '',
    );
  const given = (value: Json): Json => {
    if (isList(value)) return value.filter((item) => !isEmpty(item)).map(given);
    if (!isObject(value)) return value;
    const members = Object.entries(value).filter(([, member]) => !isEmpty(member));
    return Object.fromEntries(members.map(([name, member]) => [name, given(member)]));
  };
  const found = given(open);
  return row === null || !isObject(found) ? open : found;
}

/** What of the template a target does not set itself. */
function openFor(own: JsonObject, template: JsonObject): JsonObject {
  const members = Object.entries(template).flatMap(([name, value]): readonly (readonly [string, Json])[] => {
    const set = valueAt(own, [name]);
    if (set === undefined) return [[name, value]];
    if (name !== 'labels' || !isObject(value) || !isObject(set)) return [];
    return [[name, Object.fromEntries(Object.entries(value).filter(([label]) => !Object.hasOwn(set, label)))]];
  });
  return Object.fromEntries(members);
}

/** Labels are the only setting of which a target can have a part from the template, and a part of its own. */
function withOwnLabels({ labels: inserted }: JsonObject, { labels: own }: JsonObject): JsonObject {
  return isObject(inserted) && isObject(own) ? { labels: { ...inserted, ...own } } : {};
}

/** What to do where a target has no value of `${row.NAME}`. */
function withoutColumn({ name, row }: TemplatedTarget): string {
  return row === null
    ? `\`${name}\` is none of \`targets_from\`: set it for \`targets.${name}\``
    : `add it to the rows of \`targets_from\`; ${rightNames('', Object.keys(row.values))}`;
}

function scopesOf({ name, row }: TemplatedTarget) {
  return { target: { name, env_name: envName(name) }, row: row?.values ?? {} };
}

/** `acme-shop.de` -> `ACME_SHOP_DE`: for names of environment variables. */
function envName(target: string): string {
  return target.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}

/** A target adds its own rules to those of `defaults`, so one place of a rule must be one. */
function refuseCombined(template: JsonObject, emit: Emit): void {
  for (const name of Object.keys(template)) {
    if (!COMBINED.includes(name) || name === 'labels') continue;
    const message = `\`${name}\` is the same for all targets, except for what they set themselves`;
    emit(at(['defaults', name], 'value', 'not-allowed', message, 'write the values out'));
  }
}

/** With one name for two targets, the token of one license would be sent to the other. */
function refuseTwins(template: JsonObject, targets: readonly TemplatedTarget[], emit: Emit): void {
  if (!textsIn(template).some((text) => targetReferences(text).some(({ whole }) => whole === '${target.env_name}')))
    return;
  for (const { item, first } of repeated(targets, ({ name }) => envName(name))) {
    const message = `targets \`${first.name}\` and \`${item.name}\` have the same \`\${target.env_name}\`, ${envName(item.name)}`;
    emit(at(['targets', item.name], 'value', 'contradiction', message, 'rename one of them'));
  }
}

function refuseTaken(rows: Iterable<string>, named: JsonObject, emit: Emit): void {
  for (const name of rows) {
    if (!Object.hasOwn(named, name)) continue;
    const message = `target \`${name}\` is also in \`targets_from\``;
    emit(at(['targets', name], 'key', 'duplicate-name', message, 'rename one of them, or remove it here'));
  }
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isList(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
