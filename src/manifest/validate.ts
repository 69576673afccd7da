// A composed manifest in; everything that is wrong with its entries one by one out: the schema, the rules of each kind, the target's version.
// How entries fit together is checked later.

import { isObject } from '../base/json.ts';
import type { Json, JsonObject, Version } from '../base/model.ts';
import { listed } from '../base/nearest.ts';
import { type LimitedField, limitedFields } from '../kinds/fields.ts';
import { isMembership } from '../kinds/index.ts';
import { type Kind, type Maker, perVersion, type Report } from '../kinds/kind.ts';
import { type LimitName, type Limits, sizeOf } from '../kinds/limits.ts';
import type { Emit } from '../yaml/collector.ts';
import { conform } from '../yaml/conform.ts';
import type { Path } from '../yaml/mark.ts';
import { at, type Located, refused } from '../yaml/wording.ts';
import { manifestSchema } from './schema.ts';
import type { Declared } from './sections.ts';
import { validator } from './validator.ts';

export function validate(
  manifest: JsonObject,
  entries: readonly Declared[],
  maker: Maker,
  limits: Limits,
  emit: Emit,
): void {
  const { version } = maker;
  emit(conform(validator, manifestSchema, manifest));
  const bounds = new Map<Kind, Bounds>();
  for (const entry of entries) {
    const { kind } = entry;
    const bound = bounds.get(kind) ?? boundsOf(kind, version);
    bounds.set(kind, bound);
    if (isExternal(entry)) checkExternal(entry, emit);
    else checkRules(entry, version, emit);
    checkVersion(entry, bound, version, emit);
    checkSizes(entry, bound, limits, emit);
    checkCreate(entry, maker, emit);
  }
  checkSections(entries, version, emit);
}

export function isExternal({ kind, value }: Declared): boolean {
  return kind.external === true && isObject(value) && value['external'] !== undefined;
}

function checkExternal({ value, path }: Declared, emit: Emit): void {
  const others = isObject(value) ? Object.keys(value).filter((name) => name !== 'external') : [];
  const [first] = others;
  if (first === undefined) return;
  emit(
    at(
      [...path, first],
      'key',
      'exclusive-fields',
      `${listed(others)} cannot be combined with \`external\`, which is never written`,
      'remove `external`, and bind the entry with `id:`, to manage the object here',
    ),
  );
}

function checkRules({ kind, value, path }: Declared, version: Version, emit: Emit): void {
  const report: Report = (inner, code, message, remedy, severity = 'error') => {
    const part = code === 'missing-field' || code === 'exclusive-fields' ? 'key' : 'value';
    const located = at([...path, ...inner], part, code, message, remedy);
    emit({ ...located, finding: { ...located.finding, severity } });
  };
  if (isObject(value)) kind.check?.(value, report, version);
}

/** The few fields of a kind that more is to be known of than their schema. */
interface Bounds {
  readonly unwritable: readonly string[];
  readonly limited: readonly LimitedField[];
}

function boundsOf(kind: Kind, version: Version): Bounds {
  if (kind.entry !== 'fields') return { unwritable: [], limited: [] };
  const each = Object.entries(kind.fields);
  return {
    unwritable: each.flatMap(([name, { writable }]) => (perVersion(writable, version) === 'never' ? [name] : [])),
    limited: limitedFields(kind),
  };
}

/** Fields that the version cannot write. Specification: "Versioning". */
function checkVersion({ kind, value, path }: Declared, { unwritable }: Bounds, version: Version, emit: Emit): void {
  if (!isObject(value)) return;
  for (const name of unwritable) {
    if (value[name] === undefined) continue;
    const message = `version ${version} of the service cannot set the \`${name}\` of ${kind.noun.many}`;
    emit(at([...path, name], 'key', 'unsupported-by-version', message, 'remove the field'));
  }
}

/** What neither a create nor an update takes; what only one of them takes, the plan decides. Specification: "Limits". */
function checkSizes({ value, path }: Declared, { limited }: Bounds, limits: Limits, emit: Emit): void {
  if (!isObject(value)) return;
  for (const { name, limit } of limited) {
    const member = value[name];
    if (member === undefined) continue;
    const wider = limits[limit.create] >= limits[limit.update] ? limit.create : limit.update;
    const size = sizeOf(member);
    if (size > limits[wider]) emit(tooMuch([...path, name], member, size, wider, limits));
  }
}

function tooMuch(path: Path, value: Json, size: number, name: LimitName, limits: Limits): Located {
  const remedy = `at most ${limits[name]}, unless \`limits: { ${name} }\` in chatform.yaml says more`;
  return typeof value === 'string' ? refused.tooLong(path, size, remedy) : refused.tooLarge(path, size, remedy);
}

/** Only a plan knows whether an entry has to be created, and what the other side of its memberships says: here it is a warning. */
function checkCreate(entry: Declared, maker: Maker, emit: Emit): void {
  const { kind, path } = entry;
  if (kind.creatable === undefined || isExternal(entry) || kind.entry !== 'fields' || !isObject(entry.value)) return;
  if (entry.value['id'] !== undefined) return;
  const { value } = entry;
  if (Object.keys(kind.fields).some((name) => isMembership(kind.name, name) && value[name] === undefined)) return;
  const refusal = kind.creatable(value, maker);
  if (refusal === null) return;
  const located = at(path, 'key', refusal.code, `if it does not exist yet: ${refusal.message}`, refusal.remedy);
  emit({ ...located, finding: { ...located.finding, severity: 'warning' } });
}

/** A kind that the version does not have, once for its whole section. */
function checkSections(entries: readonly Declared[], version: Version, emit: Emit): void {
  const told = new Set<string>();
  for (const { kind, path } of entries) {
    if (kind.versions.includes(version) || told.has(kind.name)) continue;
    told.add(kind.name);
    const remedy = `use version ${kind.versions.join(' or ')}, or keep the section in an overlay of other targets`;
    const message = `version ${version} of the service has no ${kind.noun.many}`;
    emit(at(path.slice(0, 1), 'key', 'unsupported-by-version', message, remedy));
  }
}
