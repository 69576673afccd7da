// Mistakes in single entries: against the schema, the rules of their kind, and the version and limits of the target.

import { isObject } from '../base/json.ts';
import type { Json, Version } from '../base/model.ts';
import { listed } from '../base/nearest.ts';
import { anyOf } from '../kinds/features.ts';
import { perVersion } from '../kinds/field.ts';
import { type LimitedField, limitedFields } from '../kinds/fields.ts';
import { isMembership } from '../kinds/index.ts';
import { type Kind, type Maker, type Report, secretField } from '../kinds/kind.ts';
import { type KindLimits, type LimitName, sizeOf } from '../kinds/limits.ts';
import { conform } from '../yaml/conform.ts';
import { at, type Emit, type PathDiagnostic } from '../yaml/diagnostics.ts';
import type { Path } from '../yaml/places.ts';
import { isExternal } from './references.ts';
import { manifestSchema } from './schema.ts';
import type { DeclaredEntry } from './sections.ts';
import { checkTexts, type Substituted } from './texts.ts';
import { validator } from './validator.ts';

export function validate(
  written: Substituted,
  entries: readonly DeclaredEntry[],
  maker: Maker,
  limits: KindLimits,
  emit: Emit,
): void {
  const { version } = maker;
  emit(conform(validator, manifestSchema, written.value));
  checkTexts(written, entries, emit);
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

/** What all licenses of a client share has one target that writes it: the first entry of each client without one. */
export function checkShared(
  entries: readonly DeclaredEntry[],
  isContested: (client: string) => boolean,
  emit: Emit,
): void {
  const reported = new Set<string>();
  for (const { kind, key, value, path } of entries) {
    if (kind.shared === undefined || !isObject(value)) continue;
    const client = kind.namespace?.({ key, spec: value }) ?? null;
    if (client === null || reported.has(client) || !isContested(client)) continue;
    reported.add(client);
    const message = `each target of the project would write the ${kind.noun.many} of \`${client}\`, which are on all its licenses`;
    const remedy = `name the one that does: \`clients: { ${client}: { webhooks_of: TARGET } }\` in chatform.yaml`;
    emit(at(path, 'key', 'contradiction', message, remedy));
  }
}

/** A variable that chatform.yaml names for another secret would be sent to the address that a file of the manifest names. */
export function checkSecretVariables(
  entries: readonly DeclaredEntry[],
  secrets: ReadonlyMap<string, string>,
  emit: Emit,
): void {
  for (const { kind, value, path } of entries) {
    const field = secretField(kind);
    const given = field !== null && isObject(value) ? value[field] : undefined;
    const name = isObject(given) ? given['env'] : undefined;
    const setting = typeof name === 'string' ? secrets.get(name) : undefined;
    if (field === null || setting === undefined) continue;
    const message = `\`${name}\` holds another secret, because \`${setting}\` in chatform.yaml names it, and each delivery would carry it`;
    emit(at([...path, field, 'env'], 'value', 'not-allowed', message, 'use a variable of its own'));
  }
}

function checkExternal({ value, path }: DeclaredEntry, emit: Emit): void {
  const others = isObject(value) ? Object.keys(value).filter((name) => name !== 'external') : [];
  const [first] = others;
  if (first === undefined) return;
  emit(
    at(
      [...path, first],
      'key',
      'exclusive-fields',
      `${listed(others)} cannot be combined with \`external\`, which is never written`,
      'to manage the object here, replace `external` by `id:`',
    ),
  );
}

function checkRules({ kind, value, path }: DeclaredEntry, version: Version, emit: Emit): void {
  const report: Report = (inner, code, message, remedy, severity = 'error') => {
    const part = code === 'missing-field' || code === 'exclusive-fields' ? 'key' : 'value';
    emit({ ...at([...path, ...inner], part, code, message, remedy), severity });
  };
  if (isObject(value)) kind.check?.(value, report, version);
}

/** The few fields of a kind with rules beyond the schema. */
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
function checkVersion(
  { kind, value, path }: DeclaredEntry,
  { unwritable }: Bounds,
  version: Version,
  emit: Emit,
): void {
  if (!isObject(value)) return;
  for (const name of unwritable) {
    if (value[name] === undefined) continue;
    const message = `version ${version} of the service cannot set the \`${name}\` of ${kind.noun.many}`;
    emit(at([...path, name], 'key', 'unsupported-by-version', message, 'remove the field'));
  }
}

/** Values that neither a create nor an update accepts. If one of them does, the plan decides. Specification: "Limits". */
function checkSizes({ value, path }: DeclaredEntry, { limited }: Bounds, limits: KindLimits, emit: Emit): void {
  if (!isObject(value)) return;
  for (const { name, limit } of limited) {
    const member = value[name];
    if (member === undefined) continue;
    const wider = limits[limit.create] >= limits[limit.update] ? limit.create : limit.update;
    const size = sizeOf(member);
    if (size > limits[wider]) emit(tooMuch([...path, name], member, size, wider, limits));
  }
}

function tooMuch(path: Path, value: Json, size: number, name: LimitName, limits: KindLimits): PathDiagnostic {
  const remedy = `use at most ${limits[name]}, or raise \`limits: { ${name} }\` in chatform.yaml`;
  return typeof value === 'string'
    ? at(path, 'value', 'too-long', `the text has ${size} characters`, remedy)
    : at(path, 'value', 'out-of-range', `${size} is too large`, remedy);
}

/** A warning: only a plan knows whether the entry must be created, and what the other side of its memberships declares. */
function checkCreate(entry: DeclaredEntry, maker: Maker, emit: Emit): void {
  const { kind, path } = entry;
  if (kind.creatable === undefined || isExternal(entry) || kind.entry !== 'fields' || !isObject(entry.value)) return;
  if (entry.value['id'] !== undefined) return;
  const { value } = entry;
  if (Object.keys(kind.fields).some((name) => isMembership(kind.name, name) && value[name] === undefined)) return;
  const refusal = kind.creatable(value, maker);
  if (refusal === null) return;
  const { code, message, remedy } = refusal;
  emit({ ...at(path, 'key', code, `if it does not exist yet: ${message}`, remedy), severity: 'warning' });
}

/** Kinds that the version does not have, once per section. */
function checkSections(entries: readonly DeclaredEntry[], version: Version, emit: Emit): void {
  const reported = new Set<string>();
  for (const { kind, path } of entries) {
    if (kind.versions.includes(version) || reported.has(kind.name)) continue;
    reported.add(kind.name);
    const remedy = `use version ${anyOf(kind.versions)}, or move the section into an overlay of other targets`;
    const message = `version ${version} of the service has no ${kind.noun.many}`;
    emit(at(path.slice(0, 1), 'key', 'unsupported-by-version', message, remedy));
  }
}
