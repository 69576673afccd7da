// The `drift:` setting: how severe differences are, which are ignored, and who is notified. Holds the names of environment variables, never
// their values.

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

/** `urlEnv` and `secretEnv` are names of environment variables: anyone with the URL can write to the channel. */
export type ChannelSettings =
  | { readonly type: 'webhook'; readonly urlEnv: string; readonly secretEnv: string }
  | { readonly type: 'slack'; readonly urlEnv: string };

export interface NotifySettings {
  readonly channels: readonly ChannelSettings[];
  /** Name of the environment variable with the URL; null without a heartbeat. */
  readonly heartbeat: string | null;
  /** Address of the page of the license; null without one. */
  readonly page: string | null;
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

export function notifySettings({ notify, heartbeat }: JsonObject, page: string | null): NotifySettings {
  const channels = itemsOf(notify).flatMap(({ webhook, slack }): readonly ChannelSettings[] => {
    if (isObject(webhook))
      return [{ type: 'webhook', urlEnv: String(webhook['url_env']), secretEnv: String(webhook['secret_env']) }];
    return isObject(slack) ? [{ type: 'slack', urlEnv: String(slack['url_env']) }] : [];
  });
  return { channels, heartbeat: isObject(heartbeat) ? String(heartbeat['url_env']) : null, page };
}

function itemsOf(value: Json | undefined): readonly JsonObject[] {
  return isList(value) ? value.filter(isObject) : [];
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** Reports days that no calendar has, and warns of a list without channels that takes none back. `pathOf`: in the file, of a path in `drift`. */
export function checkDrift(drift: JsonObject, inherited: JsonObject, pathOf: (path: Path) => Path, emit: Emit): void {
  const { ignore, notify } = drift;
  if (isList(notify) && notify.length === 0 && inherited['notify'] === undefined) {
    const remedy = 'add one such as `{ slack: { url_env: SLACK_URL } }`, or remove `notify`';
    const message = 'the list is empty, so no channel is notified';
    emit({ ...at(pathOf(['notify']), 'value', 'too-short', message, remedy), severity: 'warning' });
  }
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
