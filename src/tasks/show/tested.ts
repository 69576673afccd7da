// The results of routing tests, as `test --json` prints them except for the findings.

import type { Route } from '../../manifest/routes.ts';
import { sourceOf } from '../../plan/reference.ts';
import type { RouteResult } from '../../routing/route-tests.ts';
import { visitorText } from '../../routing/visitor.ts';
import type { Side, Tested } from './tested-schema.ts';

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
