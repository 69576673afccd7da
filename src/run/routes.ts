// Routing tests of a manifest, run on the rules of the files, of a license, or of a license after a plan.

import type { Diagnostic, LedgerState, Live, Spec } from '../base/model.ts';
import { openRoutes, routeFailures } from '../manifest/route-failures.ts';
import type { Route } from '../manifest/routes.ts';
import { asAddress } from '../manifest/sections.ts';
import { identify } from '../plan/binding/identify.ts';
import { ruleLists } from '../plan/order/rule-lists.ts';
import { sourceOf } from '../plan/reference.ts';
import { type RouteResult, runRoutes } from '../routing/route-tests.ts';
import { programOf } from '../routing/rules.ts';
import { type BoundLicense, desiredRules, liveRules, type RoutingRules } from '../routing/sources.ts';
import { visitorText } from '../routing/visitor.ts';
import type { RuleSide, Tested } from '../tasks/show/routing-schema.ts';
import { told } from '../yaml/diagnostics.ts';
import { withKnown } from './known-lints.ts';
import type { Planning } from './planning.ts';
import type { Declared, Prepared } from './prepare.ts';
import { lintsOfFiles, lintsOfPlan } from './routing-lints.ts';

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
  { routes, settings, others, markOf }: Prepared,
): RouteTestResults {
  if (routes.length === 0) return { results: [], failures: [], open: [] };
  const { rules, open } = listed();
  const results = runRoutes(routes, programOf(rules, settings.routing.assumptions), open);
  const how = {
    on,
    target: others().length === 0 ? null : settings.name,
    ruleAt: (name: string) => {
      const address = asAddress(name);
      return address === null ? null : markOf(address);
    },
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

/** Every finding about the files when the rules that they declare fail a test; none when they pass. */
export function misroutedByFiles(prepared: Declared): readonly Diagnostic[] {
  const { failures } = routedByFiles(prepared, null);
  return failures.length === 0 ? [] : told([...prepared.diagnostics, ...failures]);
}

/** The plan with the findings about the license that it leaves behind; no plan where one of them is an error. */
export function heldToRoutes(declared: Declared, planned: Planning, now: number): Planning {
  const { plan, compared, diagnostics } = planned;
  if (plan === null) return planned;
  const rules = ruleLists(compared).after;
  const { failures } = runOn('desired', () => ({ rules, open: new Set() }), declared);
  const found = [...failures, ...lintsOfPlan(declared, planned, rules, now)];
  const isWrong = found.some(({ severity }) => severity === 'error');
  const whole = withKnown(told([...diagnostics, ...found]), planned.events, () => [
    ...declared.diagnostics,
    ...lintsOfFiles(declared),
  ]);
  return { ...planned, plan: isWrong ? null : plan, diagnostics: whole };
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
