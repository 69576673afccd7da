// The `routing:` setting: how rules are read and moved, and how much each lint matters.

import { isList, isObject } from '../base/json.ts';
import { type Json, type JsonObject, LINT_IDS, type LintId } from '../base/model.ts';
import { isTimezone } from '../base/zone.ts';
import { zoneRemedy } from '../kinds/scheduler.ts';
import {
  LINT_LEVELS,
  type LintException,
  REORDERS,
  ROUTING_DEFAULTS,
  type RoutingSettings,
} from '../routing/settings.ts';
import { at, type Emit } from '../yaml/diagnostics.ts';
import type { Path, PlaceMark } from '../yaml/places.ts';

export const DECIDES = ['first', 'last'] as const;
export const CONDITIONS = ['all', 'any'] as const;
export const CASES = ['exact', 'ignore'] as const;
export const CHAINS = ['in-order', 'and-first'] as const;

/** From settings that fit the schema. `markAt`: of a path in `routing`; null for one that other targets share. */
export function routingSettings(
  { decides, conditions, case: letters, greetings, reorder, lint, domain, timezone }: JsonObject,
  markAt: (path: Path) => PlaceMark | null,
): RoutingSettings {
  const { assumptions, ...defaults } = ROUTING_DEFAULTS;
  const chosen = <T extends string>(values: readonly T[], value: Json | undefined, preset: T): T =>
    values.find((known) => known === value) ?? preset;
  const lints = isObject(lint) ? lint : {};
  const levelIn = (setting: Json | undefined): Json | undefined => (isObject(setting) ? setting['level'] : setting);
  return {
    assumptions: {
      decides: chosen(DECIDES, decides, assumptions.decides),
      conditions: chosen(CONDITIONS, conditions, assumptions.conditions),
      case: chosen(CASES, letters, assumptions.case),
      greetings: chosen(CHAINS, greetings, assumptions.greetings),
    },
    reorder: chosen(REORDERS, reorder, defaults.reorder),
    lint: {
      ...defaults.lint,
      ...Object.fromEntries(LINT_IDS.map((id) => [id, chosen(LINT_LEVELS, levelIn(lints[id]), defaults.lint[id])])),
    },
    except: LINT_IDS.flatMap((id) => exceptionsIn(id, lints[id], markAt)),
    domain: typeof domain === 'string' ? domain.toLowerCase() : defaults.domain,
    timezone: typeof timezone === 'string' ? timezone : defaults.timezone,
  };
}

function exceptionsIn(
  lint: LintId,
  setting: Json | undefined,
  markAt: (path: Path) => PlaceMark | null,
): readonly LintException[] {
  const except = isObject(setting) ? setting['except'] : undefined;
  return (isList(except) ? except : []).flatMap((item, index): readonly LintException[] => {
    if (!isObject(item)) return [];
    const mark = markAt(['lint', lint, 'except', index, 'address']);
    return [{ lint, address: String(item['address']), reason: String(item['reason']), mark }];
  });
}

/** Reports an unknown time zone. `pathOf`: in the file, of a path in `routing`. */
export function checkRouting({ timezone }: JsonObject, pathOf: (path: Path) => Path, emit: Emit): void {
  if (typeof timezone !== 'string' || timezone === '' || isTimezone(timezone)) return;
  const message = `\`${timezone}\` is not an IANA time zone`;
  emit(at(pathOf(['timezone']), 'value', 'bad-timezone', message, zoneRemedy(timezone)));
}
