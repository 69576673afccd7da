// The `drift:` settings of one target and of all in; one typed value, and what is wrong beyond the schema, out.

import { isList, isObject } from '../base/json.ts';
import { type IgnoreRule, type Json, type JsonObject, type Place, SEVERITIES, type Severity } from '../base/model.ts';
import type { Emit } from '../yaml/collector.ts';
import type { Path } from '../yaml/mark.ts';
import { at } from '../yaml/wording.ts';

/**
 * Which side moved since the last apply. `drift`: the license. `pending`: the repository. `conflict`: both, and not to the same. `converged`: both, to
 * the same. `unknown`: nobody can tell, because the service does not say what the value is.
 */
export type Status = 'drift' | 'conflict' | 'pending' | 'converged' | 'unknown';

export const STATUSES = ['drift', 'conflict', 'pending', 'converged', 'unknown'] as const satisfies readonly Status[];

/**
 * What is different. `changed`: a value. `missing`: a declared object is not there. `unmanaged`: an object is there that nothing declares.
 * `reordered`: the order of a list. `unreadable`: perhaps a value, which cannot be read. `pending-approval`: an agent waits to be approved.
 */
export type DriftKind = 'changed' | 'missing' | 'unmanaged' | 'reordered' | 'unreadable' | 'pending-approval';

export const DRIFT_KINDS = [
  'changed',
  'missing',
  'unmanaged',
  'reordered',
  'unreadable',
  'pending-approval',
] as const satisfies readonly DriftKind[];

/** How much a difference matters; what a rule does not name, it holds for. The first that covers a difference decides. */
export interface SeverityRule {
  /** Address, or a bare kind; `*` stands for anything. */
  readonly address: string | null;
  readonly kind: DriftKind | null;
  readonly status: Status | null;
  readonly severity: Severity;
}

export interface DriftSettings {
  /** From this severity on, a difference is one that counts: exit code 2. */
  readonly failOn: Severity;
  /** Those of the target, then those of all. */
  readonly severity: readonly SeverityRule[];
  readonly ignore: readonly IgnoreRule[];
}

export type PlaceAt = (path: Path) => Place;

/** Where the settings stand: the target's own first, for they decide. */
function sources(name: string, target: Json, defaults: Json | undefined) {
  return [
    { path: ['targets', name, 'drift'], settings: driftOf(target) },
    { path: ['defaults', 'drift'], settings: driftOf(defaults) },
  ] as const;
}

export function driftOf(settings: Json | undefined): JsonObject {
  const drift = isObject(settings) ? settings['drift'] : undefined;
  return isObject(drift) ? drift : {};
}

export function driftSettings(name: string, target: Json, defaults: Json | undefined, placeAt: PlaceAt): DriftSettings {
  const each = sources(name, target, defaults);
  const failOn = each.map(({ settings }) => settings['fail_on']).find((value) => value !== undefined);
  return {
    failOn: SEVERITIES.find((severity) => severity === failOn) ?? 'warning',
    severity: each.flatMap(({ settings }) => itemsOf(settings['severity']).map(severityRule)),
    ignore: each.flatMap(({ path, settings }) =>
      itemsOf(settings['ignore']).map((rule, index) => ignoreRule(rule, placeAt([...path, 'ignore', index]))),
    ),
  };
}

function itemsOf(value: Json | undefined): readonly JsonObject[] {
  return isList(value) ? value.filter(isObject) : [];
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function severityRule({ address, kind, status, severity }: JsonObject): SeverityRule {
  return {
    address: textOf(address),
    kind: DRIFT_KINDS.find((known) => known === kind) ?? null,
    status: STATUSES.find((known) => known === status) ?? null,
    severity: SEVERITIES.find((known) => known === severity) ?? 'warning',
  };
}

function ignoreRule({ address, path, reason, until }: JsonObject, place: Place): IgnoreRule {
  return {
    address: textOf(address) ?? '',
    path: textOf(path),
    reason: textOf(reason) ?? '',
    until: textOf(until),
    place,
  };
}

/** A day that no calendar has would never end the rule, or end it at once. */
export function checkDrift(settings: Json | undefined, path: Path, emit: Emit): void {
  itemsOf(driftOf(settings)['ignore']).forEach(({ until }, index) => {
    if (typeof until !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(until) || isDay(until)) return;
    const where = [...path, 'drift', 'ignore', index, 'until'];
    emit(at(where, 'value', 'bad-format', `there is no day ${until}`, 'write a day such as `2027-01-31`'));
  });
}

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
