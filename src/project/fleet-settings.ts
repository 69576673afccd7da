// The `fleet:` setting: in which waves the licenses of a run are changed, and when the run stops. Times in milliseconds.

import { milliseconds } from '../base/duration.ts';
import { isList, isObject } from '../base/json.ts';
import type { Json, JsonObject, Place } from '../base/model.ts';
import type { Path } from '../yaml/places.ts';
import { type Condition, conditionsOf, type Labelled, labelled } from './selection.ts';

/** What is checked on the licenses of a wave before the next one begins. */
export const GATES = ['customers', 'visitor', 'tests', 'no_drift', 'chats'] as const;

export type Gate = (typeof GATES)[number];

/** Limits for all licenses of a run together. */
export const CAPS = ['max_deletes', 'max_rerouted'] as const;

/** A number of licenses, or a share of them. */
export type Amount = { readonly count: number } | { readonly percent: number };

/** Which licenses a wave takes of those that no earlier wave took. */
export type WaveShare =
  | { readonly by: 'labels'; readonly conditions: readonly Condition[] }
  /** The first ones in the order of their names. A percentage is one of all licenses of the run. */
  | { readonly by: 'amount'; readonly amount: Amount }
  | { readonly by: 'rest' };

export interface WaveSettings {
  readonly name: string;
  readonly takes: WaveShare;
  /** Null for that of the whole run. */
  readonly parallel: Amount | null;
  /** How long after its last license its gates are checked and the next wave begins. */
  readonly hold: number;
  readonly gates: readonly Gate[];
  /** A person has to approve it before it begins. */
  readonly approve: boolean;
  /** Where chatform.yaml asks for each of them. */
  readonly gatePlaces: { readonly [gate in Gate]?: Place };
  /** The run stops beyond it; null without a limit of its own. */
  readonly maxFailures: Amount | null;
  readonly maxUnreachable: Amount | null;
}

/** Times at which no license is begun: `duration` from each time of `cron` on, on the clock of `zone`. */
export interface FreezeWindow {
  readonly cron: string;
  readonly duration: number;
  readonly zone: string;
  readonly reason: string | null;
}

/** How often a license with these labels is checked for drift. `every`: as it is written. */
export interface DriftRule {
  readonly conditions: readonly Condition[];
  readonly every: string;
}

export interface FleetSettings {
  readonly waves: readonly WaveSettings[];
  readonly parallel: Amount;
  readonly maxFailures: Amount;
  /** Null without a limit. */
  readonly maxUnreachable: Amount | null;
  /** By the name of the limit; left out without one. */
  readonly caps: { readonly [cap in (typeof CAPS)[number]]?: number };
  readonly freeze: readonly FreezeWindow[];
  readonly drift: readonly DriftRule[];
  /** Requests a second that all licenses with one token send together; null without a limit. */
  readonly rate: number | null;
}

/** Name of the wave of the licenses that no wave takes. */
export const REST = 'rest';

export const FLEET_DEFAULTS: FleetSettings = {
  waves: [],
  parallel: { count: 8 },
  maxFailures: { count: 0 },
  maxUnreachable: null,
  caps: {},
  freeze: [],
  drift: [],
  rate: null,
};

/** From settings that fit the schema. `placeOf`: where a member of them is written; null where it is written nowhere. */
export function fleetSettings(
  fleet: Json | undefined,
  placeOf: (path: Path) => Place | null = () => null,
): FleetSettings {
  const given = isObject(fleet) ? fleet : {};
  const { waves, parallel, max_failures, max_unreachable, freeze, drift, rate } = given;
  return {
    waves: itemsOf(waves).map((wave, index) => waveSettings(wave, (path) => placeOf(['waves', index, ...path]))),
    parallel: amountOf(parallel) ?? FLEET_DEFAULTS.parallel,
    maxFailures: amountOf(max_failures) ?? FLEET_DEFAULTS.maxFailures,
    maxUnreachable: amountOf(max_unreachable),
    caps: Object.fromEntries(CAPS.flatMap((cap) => (typeof given[cap] === 'number' ? [[cap, given[cap]]] : []))),
    freeze: itemsOf(freeze).map(({ cron, duration, zone, reason }) => ({
      cron: String(cron),
      duration: timeOf(duration),
      zone: String(zone),
      reason: typeof reason === 'string' ? reason : null,
    })),
    drift: itemsOf(drift).map(({ select, every }) => ({
      conditions: conditionsOf(textsOf(select)),
      every: String(every),
    })),
    rate: rateOf(rate),
  };
}

/** The first rule that takes the target; null for none. */
export function driftRuleOf({ drift }: Pick<FleetSettings, 'drift'>, target: Labelled): DriftRule | null {
  return drift.find(({ conditions }) => labelled(target, conditions)) ?? null;
}

/** Where the wave of this name asks for a gate; null for a gate that it does not have. */
export function gatePlace({ waves }: Pick<FleetSettings, 'waves'>, wave: string, gate: Gate): Place | null {
  return waves.find(({ name }) => name === wave)?.gatePlaces[gate] ?? null;
}

function waveSettings(wave: JsonObject, placeOf: (path: Path) => Place | null): WaveSettings {
  const { name, parallel, hold, gate, max_failures, max_unreachable } = wave;
  const gates = GATES.filter((known) => textsOf(gate).includes(known));
  const places = gates.flatMap((known) => {
    const place = placeOf(['gate', textsOf(gate).indexOf(known)]);
    return place === null ? [] : [[known, place] as const];
  });
  return {
    name: String(name),
    takes: shareOf(wave),
    parallel: amountOf(parallel),
    hold: timeOf(hold),
    gates,
    approve: wave['approve'] === true,
    gatePlaces: Object.fromEntries(places),
    maxFailures: amountOf(max_failures),
    maxUnreachable: amountOf(max_unreachable),
  };
}

export function shareOf({ select, count, percent }: JsonObject): WaveShare {
  if (select !== undefined) return { by: 'labels', conditions: conditionsOf(textsOf(select)) };
  if (typeof count === 'number') return { by: 'amount', amount: { count } };
  if (typeof percent === 'number') return { by: 'amount', amount: { percent } };
  return { by: 'rest' };
}

/** `3` or `2%`; null for anything else. */
export function amountOf(value: Json | undefined): Amount | null {
  if (typeof value === 'number') return { count: value };
  const percent = typeof value === 'string' ? /^(\d+(?:\.\d+)?)%$/.exec(value)?.[1] : undefined;
  return percent === undefined ? null : { percent: Number(percent) };
}

/** Requests a second: `10/s`, `90/m`. Null for anything else. */
function rateOf(value: Json | undefined): number | null {
  const [, count, unit] = (typeof value === 'string' ? /^(\d+)\/(s|m)$/.exec(value) : null) ?? [];
  return count === undefined ? null : Number(count) / (unit === 's' ? 1 : 60);
}

function timeOf(value: Json | undefined): number {
  return milliseconds(String(value)) ?? 0;
}

function itemsOf(value: Json | undefined): readonly JsonObject[] {
  return isList(value) ? value.filter(isObject) : [];
}

function textsOf(value: Json | undefined): readonly string[] {
  return isList(value) ? value.map(String) : value === undefined ? [] : [String(value)];
}
