// Routing tests of a manifest, run on the rules of the files, of a license, or of a license after a plan.

import { UsageError } from '../base/errors.ts';
import { byText, equalJson } from '../base/json.ts';
import type { Diagnostic, LedgerState, Live, Spec } from '../base/model.ts';
import { few } from '../base/text.ts';
import { openRoutes, routeFailures } from '../manifest/route-failures.ts';
import type { Route } from '../manifest/routes.ts';
import { asAddress } from '../manifest/sections.ts';
import { identify } from '../plan/binding/identify.ts';
import type { Withheld } from '../plan/plan.ts';
import { sourceOf } from '../plan/reference.ts';
import { ruleLists } from '../plan/rerouting/rule-lists.ts';
import { greetedBy } from '../routing/greetings.ts';
import { type Greets, type RouteResult, runRoutes } from '../routing/route-tests.ts';
import { programOf } from '../routing/rules.ts';
import {
  type BoundLicense,
  desiredGreetings,
  desiredRules,
  generalGroups,
  liveRules,
  type RoutingRules,
} from '../routing/sources.ts';
import { visitorText } from '../routing/visitor.ts';
import type { Declared, Prepared } from '../target/prepare.ts';
import { limitFindings } from '../yaml/diagnostics.ts';
import { withKnown } from './known-lints.ts';
import type { Planning } from './planning.ts';
import type { RuleSide, Tested } from './routes-schema.ts';
import { lintsOfFiles, lintsOfLicense, lintsOfPlan } from './routing-lints.ts';

export interface RouteTestResults {
  readonly results: readonly RouteResult<Route>[];
  /** Of the tests that failed. */
  readonly failures: readonly Diagnostic[];
  /** Of those that only the license can decide. */
  readonly open: readonly Diagnostic[];
}

/** Which objects of a license are the declared ones. */
export function licenseOf({ desired, moved }: Declared, live: Live, known: LedgerState): BoundLicense {
  const { bindings } = identify({ desired: { ...desired, complete: [] }, live, known, moved, stays: () => null });
  const specs = new Map<string, Spec>(desired.resources.map(({ address, spec }) => [address, spec]));
  return {
    live,
    declaredAs: (reference) => specs.get(reference) ?? null,
    objectOf: (address) => bindings.bound.get(address)?.object ?? null,
    referenceTo: bindings.referenceTo,
  };
}

/** Runs the tests on a list of rules. The list is made only where the files have tests. */
function runOn(
  on: 'desired' | 'live',
  listed: () => RoutingRules,
  { routes, settings, desired, others, markOf }: Prepared,
  before: RoutingRules | null = null,
): RouteTestResults {
  if (routes.length === 0) return { results: [], failures: [], open: [] };
  const { assumptions } = settings.routing;
  const sources = desired === null ? [] : desiredGreetings(desired);
  const general = desired === null ? [] : generalGroups(desired);
  const greets: Greets = (described, compared, groups) =>
    greetedBy(sources, groups.length === 0 ? general : groups, { described, compared, assumptions }, null)
      .flatMap(({ greeting, shows }) => (shows === 'no' ? [] : [greeting]))
      .sort(byText);
  const resultsOn = ({ rules, open }: RoutingRules) =>
    runRoutes(routes, programOf(rules, settings.routing.assumptions), open, greets);
  const asked = listed();
  const results = resultsOn(asked);
  const past = before === null ? [] : resultsOn(before);
  const titles = new Map(asked.rules.flatMap(({ name, title }) => (title === undefined ? [] : [[name, title]])));
  const standing = new Set(
    results.flatMap(({ test, got }, index) => {
      const was = past[index];
      return was?.outcome === 'failed' && equalJson(was.got, got) ? [test] : [];
    }),
  );
  const how = {
    on,
    target: others().length === 0 ? null : settings.name,
    ruleAt: (name: string) => {
      const address = asAddress(name);
      return address === null ? null : markOf(address);
    },
    unmanaged: (name: string) => titles.get(name) ?? null,
    ...(before === null ? {} : { isStanding: (test: Route) => standing.has(test) }),
  };
  return { results, failures: routeFailures(results, how), open: openRoutes(results, how) };
}

/** Tests on the rules that the files declare; what they leave out is as the license has it, where one was read. */
export function routedByFiles(prepared: Declared, license: BoundLicense | null): RouteTestResults {
  return runOn('desired', () => desiredRules(prepared.desired, license), prepared);
}

/** Tests on the rules of a license. */
export function routedByLicense(prepared: Prepared, license: BoundLicense): RouteTestResults {
  return runOn('live', () => liveRules(license), prepared);
}

/** @throws UsageError with every finding about the files when the rules that they declare fail a test */
export function requireRouted(prepared: Declared): void {
  const { failures } = routedByFiles(prepared, null);
  if (failures.length > 0)
    throw new UsageError('the files have errors', limitFindings([...prepared.diagnostics, ...failures]));
}

/** A plan, and what it was made from. */
export type PlanMade = Pick<Planning, 'plan' | 'compared' | 'diagnostics' | 'events' | 'options'>;

/**
 * The plan with the findings about the license that it leaves behind. An error that is there before the plan as well is a warning: a plan of something
 * else need not mend it. One that the plan brings, or changes, withholds the plan.
 */
export function heldToRoutes<Made extends PlanMade>(declared: Declared, planned: Made, now: number): Made {
  const { plan, compared, diagnostics } = planned;
  if (plan === null) return planned;
  const lists = ruleLists(compared);
  const whole = (rules: RoutingRules['rules']): RoutingRules => ({ rules, open: new Set() });
  const { failures } = runOn('live', () => whole(lists.after), declared, whole(lists.before));
  const lints = lintsOfPlan(declared, planned, lists.after, now);
  // What the files alone are wrong in, no license excuses.
  const own = lints.some(isError) ? new Set(lintsOfFiles(declared, now).map(gist)) : new Set<string>();
  const past = lints.some(isError) ? lintsOfLicense(declared, compared, lists.before).map(gist) : [];
  const isStanding = (each: Diagnostic): boolean => past.includes(gist(each)) && !own.has(gist(each));
  const found = [
    ...failures,
    ...lints.map((each) => (isStanding(each) ? { ...each, severity: 'warning' as const } : each)),
  ];
  const broken = found.filter(isError);
  const all = withKnown(limitFindings([...diagnostics, ...found]), planned.events, () => [
    ...declared.diagnostics,
    ...lintsOfFiles(declared, now),
  ]);
  const withheld = broken.length === 0 ? plan.withheld : [...plan.withheld, vetoOf(broken)];
  return { ...planned, plan: { ...plan, withheld }, diagnostics: all };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

/** A finding without its place and its severity. */
function gist({ code, message }: Diagnostic): string {
  return `${code} ${message}`;
}

function vetoOf(broken: readonly Diagnostic[]): Withheld {
  const places = broken.map(({ code, place }) => `${code} at ${place.file}:${place.line}`);
  const [is, them] = broken.length === 1 ? ['is an error', 'it'] : ['are errors', 'them'];
  return {
    guard: 'routing',
    addresses: [],
    message: `${few(places)} ${is} after this plan`,
    remedy: `change what the plan does to the rules and groups, or the files that ask for ${them}; no flag overrides it`,
  };
}

export function tested(target: string, on: RuleSide, results: readonly RouteResult<Route>[]): Tested {
  const count = (outcome: RouteResult['outcome']): number => results.filter((each) => each.outcome === outcome).length;
  return {
    target,
    on,
    summary: { passed: count('passed'), failed: count('failed'), open: count('open') },
    tests: results.map(({ test, got, decidedBy, outcome, dependsOn }) => ({
      name: test.name,
      when: test.when,
      visitor: visitorText(test.when),
      source: sourceOf(test.place),
      expected: test.expect,
      expected_rule: test.rule,
      got,
      decided_by: decidedBy,
      outcome,
      depends_on: dependsOn,
    })),
  };
}
