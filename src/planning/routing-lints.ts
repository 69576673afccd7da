// Lints of routing about the files, or about what a plan leaves behind, at their places. `src/routing` finds them, and the project sets their level.

import type { Address, Diagnostic, DiagnosticCode, LintId, Place, Reference } from '../base/model.ts';
import { weekAt } from '../base/week.ts';
import { greeting } from '../kinds/greeting.ts';
import { ORDERED, ROUTED } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Comparison } from '../plan/compare.ts';
import type { PlannerOptions } from '../plan/input.ts';
import { aftermath } from '../plan/sent.ts';
import { staffAfter, staffBefore, staffing } from '../plan/staffing.ts';
import { excepts, unusedExceptions } from '../project/lint-exceptions.ts';
import type { TargetSettings } from '../project/settings.ts';
import { type LintFinding, levelled, type PlaceOf } from '../routing/finding.ts';
import { greetingLints, silentGreetings } from '../routing/greeting-lint.ts';
import { behindJoined, ruleLints } from '../routing/lint.ts';
import { programOf, type RoutingRule } from '../routing/rules.ts';
import { desiredRules } from '../routing/sources.ts';
import { coverageOf } from '../routing/staff/coverage.ts';
import { declaredPlaces, STAFFING } from '../routing/staff/placed.ts';
import { type Placed, type Staff, staffOf } from '../routing/staff/staff.ts';
import {
  handOvers,
  idleAgents,
  lostCover,
  nobodyThere,
  overnightJoined,
  overnightShifts,
  suspendedMembers,
  unroutedGroups,
  unroutedJoined,
  unstaffedGroups,
  withoutSlots,
} from '../routing/staff-lint.ts';
import { webhookLints } from '../routing/webhook-lint.ts';
import type { Declared } from '../target/prepare.ts';
import { diagnose } from '../yaml/diagnostics.ts';
import type { PlaceMark } from '../yaml/places.ts';

/** Lints of what the files declare, as if the license had nothing else. */
export function lintsOfFiles(declared: Declared, now: number): readonly Diagnostic[] {
  const { rules, open } = desiredRules(declared.desired, null);
  const staff = staffIn(declared, declaredPlaces(declared.desired), false);
  // What a rule leaves to the license is not known: neither which visitors it takes, nor which it leaves.
  const read = rules.filter(({ name }) => !open.has(name));
  const mayBeNew = new Set<Reference>(
    declared.desired.resources.flatMap(({ address, id }) => (id === null ? [address] : [])),
  );
  return placed(
    declared,
    (placeOf) => [
      ...lintsOf(read, staff, declared, placeOf),
      ...unstaffedGroups(read, staff, ({ reference }) => mayBeNew.has(reference), placeOf),
      ...lintsOfDeclared(declared, now, placeOf),
      ...lintsOfBots(declared, staff, now, (group) => group, placeOf),
    ],
    () => false,
  );
}

/** Lints of the license before a plan; `rules` are its rules. */
export function lintsOfLicense(
  declared: Declared,
  compared: Comparison,
  rules: readonly RoutingRule[],
): readonly Diagnostic[] {
  const staff = staffIn(declared, staffBefore(compared), isStaffRead(compared));
  return placed(
    declared,
    (placeOf) => lintsOf(rules, staff, declared, placeOf),
    () => false,
  );
}

/** Lints of the license after the plan, with everything unmanaged; `rules` are its rules. */
export function lintsOfPlan(
  declared: Declared,
  { compared, options }: { readonly compared: Comparison; readonly options: Pick<PlannerOptions, 'selects'> },
  rules: readonly RoutingRule[],
  now: number,
): readonly Diagnostic[] {
  const isRead = isStaffRead(compared);
  const left = staffIn(declared, staffAfter(compared), isRead);
  const found = (placeOf: PlaceOf): readonly LintFinding[] => [
    ...lintsOf(rules, left, declared, placeOf),
    ...lintsOfDeclared(declared, now, placeOf),
    ...silentGreetings(leftBy(compared, greeting), placeOf),
    ...lintsOfBots(declared, left, now, groupIn(compared), placeOf),
    ...(keepsStaff(compared) ? [] : lost(placeOf)),
    ...(hasNewMembers(compared)
      ? suspendedMembers(staffIn(declared, staffBefore(compared), isRead), left, placeOf)
      : []),
  ];
  const isWhole = declared.desired.resources.every(({ address }) => options.selects(address));
  const areRulesRead = compared.live.objects[ORDERED.name] !== undefined;
  const isJudged = (lint: LintId): boolean =>
    isWhole && areRulesRead && (OF_RULES.has(lint) || (isRead && OF_STAFF.has(lint)) || OF_DECLARED.has(lint));
  return placed(declared, found, isJudged);

  function lost(placeOf: PlaceOf): readonly LintFinding[] {
    const had = staffIn(declared, staffBefore(compared), isRead);
    const week = weekAt(declared.settings.routing.timezone, now);
    return lostCover(coverageOf(had, week), coverageOf(left, week), placeOf);
  }
}

/** What the staff of a license calls a group that the files name. */
export function groupIn({ bindings }: Pick<Comparison, 'bindings'>): (group: Reference) => Reference {
  return (group) => {
    const id = bindings.idOf(group);
    return id === null ? group : bindings.referenceTo(ROUTED.name, id);
  };
}

/** Lints about what a plan changes: the next plan does not find it. */
export const OF_CHANGES: ReadonlySet<DiagnosticCode> = new Set<LintId>(['lost-cover', 'suspended-member']);

const OF_RULES: ReadonlySet<LintId> = new Set<LintId>([
  'unreachable-rule',
  'never-matches',
  'duplicate-rule',
  'unlike-a-browser',
]);

/** Lints of declared greetings and webhooks, of which the files or the plan tell all. */
const OF_DECLARED: ReadonlySet<LintId> = new Set<LintId>([
  'greeting-never-shows',
  'greeting-without-text',
  'greetings-together',
  'past-greeting',
  'greeting-switched-off',
  'greeting-when-offline',
  'bot-webhook-without-bot',
  'bots-without-webhooks',
  'webhook-switched-off',
]);

/** Lints about staff, and about rules that lead to it. */
const OF_STAFF: ReadonlySet<LintId> = new Set<LintId>([
  'nobody-there',
  'idle-agent',
  'unrouted-group',
  'hand-over',
  'overnight-shift',
]);

/** The declared objects of a kind as a plan leaves them. */
function leftBy({ drafts }: Comparison, { name }: Kind) {
  return drafts.flatMap((made) => {
    const spec = made.kind.name === name && made.resource !== null ? aftermath(made) : null;
    return spec === null ? [] : [{ address: made.address, kind: name, spec }];
  });
}

function hasNewMembers({ edges }: Comparison): boolean {
  return edges.planned.changed.some(({ live }) => live === null);
}

/** Whether every member of staff stays unchanged and in place: then no cover is lost, even if others join. */
function keepsStaff({ drafts, edges }: Comparison): boolean {
  return (
    edges.planned.changed.every(({ live }) => live === null) &&
    drafts.every(({ kind, verb }) => verb === 'none' || verb === 'create' || !STAFFING.has(kind.name))
  );
}

/** The staff before a plan and after it, as far as the plan had to read it. */
export function staffsOf(
  settings: TargetSettings,
  compared: Comparison,
): { readonly before: Staff; readonly after: Staff } {
  const { before, after } = staffing(compared);
  const isRead = isStaffRead(compared);
  return { before: staffIn({ settings }, before, isRead), after: staffIn({ settings }, after, isRead) };
}

function isStaffRead({ live }: Comparison): boolean {
  return [...STAFFING.keys()].every((kind) => live.objects[kind] !== undefined);
}

function staffIn({ settings }: Pick<Declared, 'settings'>, placed: readonly Placed[], isRead: boolean): Staff {
  return staffOf(placed, { zone: settings.routing.timezone, version: settings.apiVersion, isRead });
}

function lintsOfDeclared({ desired, settings }: Declared, now: number, placeOf: PlaceOf): readonly LintFinding[] {
  const { name, webhooksOf, routing } = settings;
  const { rules, open } = desiredRules(desired, null);
  const program = programOf(rules, routing.assumptions);
  return [
    ...greetingLints(desired.resources, { program, open, now }, placeOf),
    ...webhookLints(desired.resources, (client) => (webhooksOf.get(client) ?? name) === name, placeOf),
  ];
}

function lintsOfBots(
  { desired, settings }: Declared,
  staff: Staff,
  now: number,
  groupOf: (group: Reference) => Reference,
  placeOf: PlaceOf,
): readonly LintFinding[] {
  const bots = desired.resources.filter(({ handsOver }) => handsOver !== undefined);
  if (bots.length === 0) return [];
  return handOvers(bots, staff, coverageOf(staff, weekAt(settings.routing.timezone, now)), groupOf, placeOf);
}

function lintsOf(
  rules: readonly RoutingRule[],
  staff: Staff,
  { settings, routes }: Declared,
  placeOf: PlaceOf,
): readonly LintFinding[] {
  return [
    ...ruleLints(rules, settings.routing.assumptions, placeOf, { domain: settings.routing.domain, tests: routes }),
    ...nobodyThere(rules, staff, placeOf),
    ...unroutedGroups(rules, staff, placeOf),
    ...idleAgents(staff, placeOf),
    ...withoutSlots(staff, placeOf),
    ...overnightShifts(staff, placeOf),
  ];
}

/**
 * The findings at their places, without those that the project excepts. What no file declares cannot be mended in a file, so it is left out.
 * `isJudged`: whether a lint saw all that it looks at, so that an exception without a finding is not needed.
 */
function placed(
  { settings, desired, markOf, shiftMarkOf }: Declared,
  find: (placeOf: PlaceOf) => readonly LintFinding[],
  isJudged: (lint: LintId) => boolean,
): readonly Diagnostic[] {
  const marks = new Map<Place, PlaceMark>();
  // Most plans have no finding.
  let addresses: ReadonlyMap<string, Address> | null = null;
  const placeOf: PlaceOf = (reference, shift) => {
    addresses ??= new Map<string, Address>(desired.resources.map(({ address }) => [address, address]));
    const address = addresses.get(reference);
    const written = address === undefined || shift === undefined ? null : shiftMarkOf(address, shift);
    const mark = written ?? (address === undefined ? null : markOf(address));
    if (mark === null) return null;
    marks.set(mark.place, mark);
    return mark.place;
  };
  const found = find(placeOf);
  const isExcepted = excepts(settings);
  const left = overnightJoined(unroutedJoined(behindJoined(found.filter(({ id, about }) => !isExcepted(id, about)))));
  const lints = levelled(left, settings.routing.lint).flatMap(({ id, level, place, message, remedy }) => {
    const mark = place === null ? undefined : marks.get(place);
    return mark === undefined ? [] : [diagnose(mark, { code: id, severity: level, message, remedy })];
  });
  return [...lints, ...unusedExceptions(settings, desired, found, isJudged)];
}
