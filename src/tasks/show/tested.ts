// Results of routing tests in; what `test --json` prints but for the findings, as data, out.

import type { Reference } from '../../base/model.ts';
import type { Route } from '../../manifest/routes.ts';
import type { RouteResult } from '../../routing/route-tests.ts';
import { type Visitor, visitorText } from '../../routing/visitor.ts';

export const SIDES = ['desired', 'live'] as const;

/** Which rules were asked: those that the files declare, or those of the license. */
export type Side = (typeof SIDES)[number];

export const OUTCOMES = ['passed', 'failed', 'open'] as const satisfies readonly RouteResult['outcome'][];

/** One test and what became of it. */
export interface TestedRoute {
  readonly name: string | null;
  readonly when: Visitor;
  /** The visitor in words. */
  readonly visitor: string;
  readonly source: { readonly file: string; readonly line: number; readonly column: number };
  readonly expected: readonly Reference[];
  readonly expected_rule: Reference | null;
  readonly got: readonly Reference[];
  readonly decided_by: string | null;
  readonly outcome: RouteResult['outcome'];
  readonly depends_on: string | null;
}

export interface Tested {
  readonly target: string;
  readonly on: Side;
  readonly summary: { readonly [outcome in RouteResult['outcome']]: number };
  /** In the order of the manifest. */
  readonly tests: readonly TestedRoute[];
}

export function tested(target: string, on: Side, results: readonly RouteResult<Route>[]): Tested {
  const count = (outcome: RouteResult['outcome']): number => results.filter((each) => each.outcome === outcome).length;
  return {
    target,
    on,
    summary: { passed: count('passed'), failed: count('failed'), open: count('open') },
    tests: results.map(({ test, got, decidedBy, outcome, dependsOn }) => ({
      name: test.name,
      when: test.when,
      visitor: visitorText(test.when),
      source: { file: test.place.file, line: test.place.line, column: test.place.column },
      expected: test.expect,
      expected_rule: test.rule,
      got,
      decided_by: decidedBy,
      outcome,
      depends_on: dependsOn,
    })),
  };
}
