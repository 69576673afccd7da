// The `routing:` settings of one target and of all in; one typed value, its schema, and what is wrong beyond that, out.

import type { Schema } from '../base/documents.ts';
import { isObject } from '../base/json.ts';
import { type Json, type JsonObject, LINT_IDS } from '../base/model.ts';
import { isTimezone } from '../kinds/scheduler.ts';
import { LINT_LEVELS, LINTS, REORDERS, ROUTING_DEFAULTS, type RoutingSettings } from '../routing/settings.ts';
import type { Emit } from '../yaml/collector.ts';
import type { Path } from '../yaml/mark.ts';
import { at } from '../yaml/wording.ts';

const { assumptions: ASSUMPTIONS, reorder: REORDER, lint: LINT_DEFAULTS, timezone: TIMEZONE } = ROUTING_DEFAULTS;

const choice = (values: readonly string[], preset: string, description: string): Schema => ({
  enum: values,
  default: preset,
  description,
});

const DECIDES = ['first', 'last'] as const;
const CONDITIONS = ['all', 'any'] as const;
const CASES = ['exact', 'ignore'] as const;

export const ROUTING: Schema = {
  type: 'object',
  description:
    'How auto-access rules are read, and what is said about them; a target keeps what it does not set of `defaults`.',
  additionalProperties: false,
  properties: {
    decides: choice(DECIDES, ASSUMPTIONS.decides, 'Which of several rules that match decides.'),
    conditions: choice(
      CONDITIONS,
      ASSUMPTIONS.conditions,
      'Whether all conditions of a rule must hold, or any one is enough.',
    ),
    case: choice(CASES, ASSUMPTIONS.case, 'Whether texts in URLs tell capital letters from small ones.'),
    reorder: choice(
      REORDERS,
      REORDER,
      'How rules change places: in the fewest requests (minimal), or so that no visitor is sent elsewhere on the way (safe).',
    ),
    lint: {
      type: 'object',
      description: 'How much each lint matters; `off` silences it.',
      additionalProperties: false,
      properties: Object.fromEntries(LINT_IDS.map((id) => [id, choice(LINT_LEVELS, LINT_DEFAULTS[id], LINTS[id])])),
    },
    timezone: {
      type: 'string',
      minLength: 1,
      default: TIMEZONE,
      description: 'Time zone in which weeks are told and times without an offset are read, such as `Europe/Warsaw`.',
    },
  },
};

function routingOf(settings: Json | undefined): JsonObject {
  return memberOf(isObject(settings) ? settings : {}, 'routing');
}

function memberOf(value: JsonObject, name: string): JsonObject {
  const member = value[name];
  return isObject(member) ? member : {};
}

/** Settings that fit the schema; each member by itself, and each lint. */
export function routingSettings(target: Json, defaults: Json | undefined): RoutingSettings {
  const [own, preset] = [routingOf(target), routingOf(defaults)];
  const said = { ...preset, ...own };
  const levels = { ...memberOf(preset, 'lint'), ...memberOf(own, 'lint') };
  const chosen = <T extends string>(values: readonly T[], value: Json | undefined, otherwise: T): T =>
    values.find((known) => known === value) ?? otherwise;
  return {
    assumptions: {
      decides: chosen(DECIDES, said['decides'], ASSUMPTIONS.decides),
      conditions: chosen(CONDITIONS, said['conditions'], ASSUMPTIONS.conditions),
      case: chosen(CASES, said['case'], ASSUMPTIONS.case),
    },
    reorder: chosen(REORDERS, said['reorder'], REORDER),
    lint: {
      ...LINT_DEFAULTS,
      ...Object.fromEntries(LINT_IDS.map((id) => [id, chosen(LINT_LEVELS, levels[id], LINT_DEFAULTS[id])])),
    },
    timezone: typeof said['timezone'] === 'string' ? said['timezone'] : TIMEZONE,
  };
}

/** A zone that nobody knows could not be told in. */
export function checkRouting(settings: Json | undefined, path: Path, emit: Emit): void {
  const { timezone } = routingOf(settings);
  if (typeof timezone !== 'string' || timezone === '' || isTimezone(timezone)) return;
  const where = [...path, 'routing', 'timezone'];
  const message = `\`${timezone}\` is not an IANA time zone`;
  emit(at(where, 'value', 'bad-timezone', message, 'write a zone such as `Europe/Warsaw`, or `UTC`'));
}
