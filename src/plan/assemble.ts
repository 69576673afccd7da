// The plan of a target. The same input gives the same bytes.

import { byText } from '../base/json.ts';
import {
  type Address,
  type Coming,
  type DatedHours,
  type Desired,
  type Diagnostic,
  FORMAT_VERSION,
} from '../base/model.ts';
import { timestamp } from '../base/week.ts';
import { DAY, instantOf, wallOf } from '../base/zone.ts';
import { nextChange, WEEK } from '../routing/staff/dates.ts';
import { movesOf } from './binding/moves.ts';
import { type Recovery, undecidedProblems } from './binding/recover.ts';
import { namesReferredTo, resourceChanges } from './changes.ts';
import { type Comparison, compare } from './compare.ts';
import type { Draft } from './draft.ts';
import { guard } from './guards/guard.ts';
import type { PlannedComing, PlannedHours } from './hours-schema.ts';
import type { PlanInput, PlannerOptions } from './input.ts';
import { notesOf } from './notes/notes.ts';
import type { Plan, Request } from './plan.ts';
import { blocked, missingFields, overfull, oversized, refusedAgain, refusedCreates, unresolved } from './problems.ts';
import { plannedCalls, plannedScopes, planRequests } from './requests.ts';
import { planRouting } from './rerouting/routing.ts';
import { planSteps } from './steps.ts';
import { unmanagedEntry, unmanagedObjects } from './unmanaged.ts';

/** A plan, or every problem that prevents one. */
export type Planned =
  | { readonly plan: Plan; readonly problems: readonly [] }
  | { readonly plan: null; readonly problems: readonly Diagnostic[] };

const NOTHING_OPEN: Recovery = { recovered: [], missing: [], undecided: [] };

export function makePlan(input: PlanInput): Planned {
  return planOf(compare(input), input);
}

/** Plans what is already compared, with the same input. */
export function planOf(
  compared: Comparison,
  { recovery = NOTHING_OPEN, options }: Pick<PlanInput, 'recovery' | 'options'>,
): Planned {
  const { desired, live, bindings, moves, drafting, drafts, released, edges, liveOrder } = compared;
  const { order, routing } = planRouting(compared, options.routing);
  const { version, limits } = drafting;
  const steps = planSteps(drafts, edges.writes, order.writes);
  const places = new Map(desired.resources.map(({ address, place }) => [address, place]));
  const problems = [
    ...undecidedProblems(recovery, (address) => places.get(address) ?? null),
    ...compared.problems,
    ...missingFields(drafts),
    ...oversized(drafts, { version, limits }),
    ...overfull(drafts, live, limits),
    ...refusedCreates(drafts, steps, { version, credential: options.credential ?? 'bearer' }),
    ...refusedAgain(drafts, version),
    ...blocked(drafts, bindings, drafting),
    ...unresolved(drafts, steps, bindings),
  ];
  if (problems.length > 0) return { plan: null, problems };

  const changes = resourceChanges(drafts, order, compared);
  const ahead = comingOf(desired, options.selects);
  const hours = plannedHours(desired, ahead, options.selects);
  const names = namesReferredTo(changes, compared);
  const calls = plannedCalls(steps, version);
  const requests = planRequests(steps, calls, version, options.batchSize);
  return {
    problems: [],
    plan: {
      format_version: FORMAT_VERSION,
      api_version: version,
      target: options.target,
      resource_changes: changes,
      resource_drift: [],
      reorder: order.reorder,
      routing,
      steps,
      requests: { total: requests.length, by_action: countByAction(requests), plan: requests },
      scopes: plannedScopes(calls, live.scopes),
      unmanaged: [...released, ...unmanagedObjects(compared).map((object) => unmanagedEntry(object, bindings))],
      withheld: guard(compared, options),
      policies: [],
      notes: notesOf(compared, recovery.recovered, options.own ?? null),
      bindings: {
        recover: recovery.recovered,
        absent: recovery.missing.map(({ intent }) => intent),
        move: movesOf(moves, options.selects),
        adopt: drafts.flatMap(({ adopting, address, object }) =>
          adopting && object !== null ? [{ address, id: object.id }] : [],
        ),
        forget: bindings.gone.filter(options.selects),
      },
      live_order: liveOrder,
      references: Object.fromEntries([...bindings.ids].sort(([a], [b]) => byText(a, b))),
      summary: {
        add: count(drafts, 'create', 'replace'),
        change: changes.filter(({ change }) => change.actions[0] === 'update').length,
        destroy: count(drafts, 'delete', 'replace'),
        adopt: drafts.filter(({ adopting }) => adopting).length,
      },
      ...(hours === null ? {} : { hours }),
      ...(ahead.length === 0 ? {} : { coming: ahead.map(plannedComing) }),
      ...scopeOf(compared, options),
      ...(options.destroying === undefined ? {} : { destroys: options.destroying }),
      ...(Object.keys(names).length === 0 ? {} : { names }),
    },
  };
}

/** Says how much is compared, where that is not all, or nothing. A kind of which everything undeclared goes is compared although nothing of it may be there. */
export function scopeOf(
  { desired, bindings }: Comparison,
  { selects }: Pick<PlannerOptions, 'selects'>,
): Pick<Plan, 'scope'> {
  const all = [...desired.resources.map(({ address }) => address), ...bindings.undeclared.keys()];
  const compared = all.filter(selects).length;
  if (compared === all.length && all.length + desired.complete.length > 0) return {};
  return { scope: { compared, left_out: all.length - compared } };
}

function count(drafts: readonly Draft[], ...verbs: readonly Draft['verb'][]): number {
  return drafts.filter(({ verb }) => verbs.includes(verb)).length;
}

function countByAction(requests: readonly Request[]): { readonly [action: string]: number } {
  const counts: Record<string, number> = {};
  for (const { action } of requests) counts[action] = (counts[action] ?? 0) + 1;
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => byText(a, b)));
}

/** The next first. */
function comingOf({ coming = [] }: Desired, selects: (address: Address) => boolean): readonly Coming[] {
  const own = coming.filter(({ address }) => selects(address));
  return own.toSorted((a, b) => a.day - b.day || byText(a.address, b.address));
}

function plannedComing({ address, member, change, day, timezone }: Coming): PlannedComing[number] {
  return { address, member, change, date: wallOf(day).date, timezone };
}

/** Null when nothing depends on the date. */
function plannedHours(
  { dated, periods }: Desired,
  coming: readonly Coming[],
  selects: (address: Address) => boolean,
): PlannedHours | null {
  // Thousands of resources share a few schedules.
  const days = new Map<DatedHours, number>();
  for (const [address, { hours, day }] of dated ?? []) if (selects(address)) days.set(hours, day);
  if (days.size === 0 && periods === undefined) return null;
  const zones = new Map<number, Set<string>>();
  for (const [{ timezone }, day] of days) zones.set(day, (zones.get(day) ?? new Set()).add(timezone));
  const last = days.size === 0 ? 0 : WEEK - DAY;
  if (periods !== undefined) zones.set(periods.day, (zones.get(periods.day) ?? new Set()).add(periods.timezone));
  const changes = [
    ...[...days].flatMap(([hours, day]) => changeOf(hours, day) ?? []),
    ...coming
      .filter(({ change }) => change === 'begins' || change === 'ends')
      .map(({ timezone, day }) => ({ timezone, day, at: instantOf(timezone, day) })),
  ];
  const [next] = changes.sort((a, b) => a.at - b.at || byText(a.timezone, b.timezone));
  return {
    days: [...zones]
      .sort(([a], [b]) => a - b)
      .map(([day, timezones]) => ({
        timezones: [...timezones].sort(byText),
        from: wallOf(day).date,
        to: wallOf(day + last).date,
      })),
    next_change:
      next === undefined
        ? null
        : { date: wallOf(next.day).date, timezone: next.timezone, at: timestamp(next.timezone, next.at) },
  };
}

function changeOf(hours: DatedHours, today: number) {
  const { timezone } = hours;
  const day = nextChange(hours, today);
  return day === null ? null : { timezone, day, at: instantOf(timezone, day) };
}
