// The `routing:` setting: how rules are read and moved, and how much each lint matters.

import { isObject } from '../base/json.ts';
import { type Json, type JsonObject, LINT_IDS } from '../base/model.ts';
import { isTimezone } from '../kinds/scheduler.ts';
import { LINT_LEVELS, REORDERS, ROUTING_DEFAULTS, type RoutingSettings } from '../routing/settings.ts';
import { at, type Emit } from '../yaml/diagnostics.ts';
import type { Path } from '../yaml/places.ts';

export const DECIDES = ['first', 'last'] as const;
export const CONDITIONS = ['all', 'any'] as const;
export const CASES = ['exact', 'ignore'] as const;

/** From settings that fit the schema. */
export function routingSettings({
  decides,
  conditions,
  case: letters,
  reorder,
  lint,
  timezone,
}: JsonObject): RoutingSettings {
  const { assumptions, ...defaults } = ROUTING_DEFAULTS;
  const chosen = <T extends string>(values: readonly T[], value: Json | undefined, preset: T): T =>
    values.find((known) => known === value) ?? preset;
  const levels = isObject(lint) ? lint : {};
  return {
    assumptions: {
      decides: chosen(DECIDES, decides, assumptions.decides),
      conditions: chosen(CONDITIONS, conditions, assumptions.conditions),
      case: chosen(CASES, letters, assumptions.case),
    },
    reorder: chosen(REORDERS, reorder, defaults.reorder),
    lint: {
      ...defaults.lint,
      ...Object.fromEntries(LINT_IDS.map((id) => [id, chosen(LINT_LEVELS, levels[id], defaults.lint[id])])),
    },
    timezone: typeof timezone === 'string' ? timezone : defaults.timezone,
  };
}

/** Reports an unknown time zone. `pathOf`: in the file, of a path in `routing`. */
export function checkRouting({ timezone }: JsonObject, pathOf: (path: Path) => Path, emit: Emit): void {
  if (typeof timezone !== 'string' || timezone === '' || isTimezone(timezone)) return;
  const message = `\`${timezone}\` is not an IANA time zone`;
  const remedy = 'write a zone such as `Europe/Warsaw`, or `UTC`';
  emit(at(pathOf(['timezone']), 'value', 'bad-timezone', message, remedy));
}
