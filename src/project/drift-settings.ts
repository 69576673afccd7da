// The `drift:` setting: how severe differences are, and which are ignored.

import { DRIFT_KINDS, type DriftKind, STATUSES, type Status } from '../base/difference.ts';
import { isList, isObject } from '../base/json.ts';
import { type IgnoreRule, type Json, type JsonObject, type Place, SEVERITIES, type Severity } from '../base/model.ts';
import { at, type Emit } from '../yaml/diagnostics.ts';
import type { Path } from '../yaml/places.ts';

/** How severe a difference is. A null member matches every difference. The first rule that matches decides. */
export interface SeverityRule {
  /** Address, or a kind; `*` stands for any text. */
  readonly address: string | null;
  readonly kind: DriftKind | null;
  readonly status: Status | null;
  readonly severity: Severity;
}

export interface DriftSettings {
  /** The least severity that counts: exit code 2. */
  readonly failOn: Severity;
  /** Those of the target, then those of `defaults`. */
  readonly severity: readonly SeverityRule[];
  readonly ignore: readonly IgnoreRule[];
}

/** From settings that fit the schema. `placeAt`: of a path in `drift`. */
export function driftSettings(drift: JsonObject, placeAt: (path: Path) => Place): DriftSettings {
  return {
    failOn: SEVERITIES.find((severity) => severity === drift['fail_on']) ?? 'warning',
    severity: itemsOf(drift['severity']).map(({ address, kind, status, severity }) => ({
      address: textOf(address),
      kind: DRIFT_KINDS.find((known) => known === kind) ?? null,
      status: STATUSES.find((known) => known === status) ?? null,
      severity: SEVERITIES.find((known) => known === severity) ?? 'warning',
    })),
    ignore: itemsOf(drift['ignore']).map(({ address, path, reason, until }, index) => ({
      address: textOf(address) ?? '',
      path: textOf(path),
      reason: textOf(reason) ?? '',
      until: textOf(until),
      place: placeAt(['ignore', index]),
    })),
  };
}

export function itemsOf(value: Json | undefined): readonly JsonObject[] {
  return isList(value) ? value.filter(isObject) : [];
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** Reports days that no calendar has. `pathOf`: in the file, of a path in `drift`. */
export function checkDrift({ ignore }: JsonObject, pathOf: (path: Path) => Path, emit: Emit): void {
  for (const [index, rule] of (isList(ignore) ? ignore : []).entries()) {
    const until = isObject(rule) ? rule['until'] : undefined;
    if (typeof until !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(until) || isDay(until)) continue;
    const path = pathOf(['ignore', index, 'until']);
    emit(at(path, 'value', 'bad-format', `there is no day ${until}`, 'write a day such as `2027-01-31`'));
  }
}

function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
