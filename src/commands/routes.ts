// What the files say, and perhaps what the license has, in; the results of the routing tests, and what is to be said of them, out.

import type { Desired, Diagnostic, LedgerState, Live, Spec } from '../base/model.ts';
import { openRoutes, routeFailures } from '../manifest/route-failures.ts';
import type { Route } from '../manifest/routes.ts';
import { asAddress } from '../manifest/sections.ts';
import { identify } from '../plan/binding/identify.ts';
import { ruleLists } from '../plan/order/rule-lists.ts';
import { type RouteResult, runRoutes } from '../routing/route-tests.ts';
import { programOf } from '../routing/rules.ts';
import { type BoundLicense, desiredRules, type RoutingRules } from '../routing/sources.ts';
import type { Planning } from './planning.ts';
import type { Prepared } from './prepare.ts';
import { lintsOfPlan } from './routing-lints.ts';

/** Everything that is declared. */
export type Declared = Prepared & { readonly desired: Desired };

export interface Routed {
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

/** Runs the tests on a list of rules, wherever it comes from; nobody lists them for files without tests. */
export function runOn(
  on: 'desired' | 'live',
  listed: () => RoutingRules,
  { routes, settings, markOf }: Prepared,
): Routed {
  if (routes.length === 0) return { results: [], failures: [], open: [] };
  const { rules, open } = listed();
  const results = runRoutes(routes, programOf(rules, settings.routing.assumptions), open);
  const how = {
    on,
    ruleAt: (name: string) => {
      const address = asAddress(name);
      return address === null ? null : markOf(address);
    },
  };
  return { results, failures: routeFailures(results, how), open: openRoutes(results, how) };
}

/** The rules that the files declare; what they leave out is as the license has it, where one was read. */
export function routedByFiles(prepared: Declared, license: BoundLicense | null): Routed {
  return runOn('desired', () => desiredRules(prepared.desired, license), prepared);
}

/** Everything to say of the files when the rules that they declare fail a test; nothing when they fail none. */
export function misroutedByFiles(prepared: Declared): readonly Diagnostic[] {
  const { failures } = routedByFiles(prepared, null);
  return failures.length === 0 ? [] : [...prepared.diagnostics, ...failures];
}

/** A plan, and what is to be said of the license that it leaves behind; no plan, where that is an error. */
export function heldToRoutes(declared: Declared, planned: Planning, now: number): Planning {
  const { plan, compared, diagnostics } = planned;
  if (plan === null) return planned;
  const rules = ruleLists(compared).after;
  const { failures } = runOn('desired', () => ({ rules, open: new Set() }), declared);
  const found = [...failures, ...lintsOfPlan(declared, compared, rules, now)];
  const isWrong = found.some(({ severity }) => severity === 'error');
  return { ...planned, plan: isWrong ? null : plan, diagnostics: [...diagnostics, ...found] };
}
