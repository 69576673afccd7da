// Routing tests and a program in; which group each visitor reaches, by which rule, and whether that is what was expected, out.

import type { Reference } from '../base/model.ts';
import { decides } from './match.ts';
import type { Program, Rule } from './rules.ts';
import { seen, type Visitor } from './visitor.ts';

/** One promise about a visitor, as a manifest makes it under `routes:`. */
export interface RouteTest {
  readonly name: string | null;
  readonly when: Visitor;
  /** Exactly these groups, sorted; none for a visitor whom no rule may match. */
  readonly expect: readonly Reference[];
  /** The rule that has to decide; null when any may. */
  readonly rule: Reference | null;
}

export interface RouteResult<T extends RouteTest = RouteTest> {
  readonly test: T;
  /** Sorted; none when no rule matches. */
  readonly got: readonly Reference[];
  /** Name of the rule; null when none matches. */
  readonly decidedBy: string | null;
  /** `open`: it depends on a rule of which not everything is known. */
  readonly outcome: 'passed' | 'failed' | 'open';
  /** That rule. */
  readonly dependsOn: string | null;
}

/** `open` names the rules of which not everything is known: those without conditions, and those without groups. */
export function runRoutes<T extends RouteTest>(
  tests: readonly T[],
  program: Program,
  open: ReadonlySet<string> = new Set(),
): readonly RouteResult<T>[] {
  return tests.map((test) => {
    const visitor = seen(test.when, program.assumptions);
    // Who cannot be is nowhere; the manifest refuses such a test at its place.
    const rule = 'wrong' in visitor ? null : decides(program, visitor);
    const got = rule?.groups ?? [];
    const about = { test, got, decidedBy: rule?.name ?? null };
    const dependsOn = open.size === 0 ? null : openBefore(rule, program, open);
    if (dependsOn !== null) return { ...about, outcome: 'open', dependsOn };
    const isRight = sameGroups(got, test.expect) && (test.rule === null || test.rule === about.decidedBy);
    return { ...about, outcome: isRight ? 'passed' : 'failed', dependsOn };
  });
}

/** The first rule that might have decided, had all of it been known; what has no tests is asked in vain. */
export function openBefore(decider: Rule | null, { rules }: Program, open: ReadonlySet<string>): string | null {
  for (const rule of rules) {
    if (open.has(rule.name) && (rule === decider || rule.tests.length === 0)) return rule.name;
    if (rule === decider) return null;
  }
  return null;
}

function sameGroups(a: readonly Reference[], b: readonly Reference[]): boolean {
  return a.length === b.length && a.every((group, index) => group === b[index]);
}
