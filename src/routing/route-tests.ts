// Results of routing tests: the groups that each visitor reaches, by which rule, and whether that was expected.

import type { Reference } from '../base/model.ts';
import { decides } from './match.ts';
import type { ParsedRule, Program } from './rules.ts';
import { type ComparedVisitor, seen, type Visitor } from './visitor.ts';

/** One expectation about a visitor, as `routes:` of a manifest states it. */
export interface RouteTest {
  readonly name: string | null;
  readonly when: Visitor;
  /** Exactly these groups, sorted; none for a visitor that no rule may match. */
  readonly expect: readonly Reference[];
  /** The rule that has to decide; null when any may. */
  readonly rule: Reference | null;
  /** Exactly the greetings that show, at once or on a condition; sorted. Left out where any may. */
  readonly greetings?: readonly Reference[];
}

/** The greetings that show to a visitor who reaches these groups, at once or on a condition; sorted. */
export type Greets = (
  described: Visitor,
  compared: ComparedVisitor,
  groups: readonly Reference[],
) => readonly Reference[];

export interface RouteResult<T extends RouteTest = RouteTest> {
  readonly test: T;
  /** Sorted; none when no rule matches. */
  readonly got: readonly Reference[];
  /** Name of the rule; null when none matches. */
  readonly decidedBy: string | null;
  /** Only where the test expects some. */
  readonly greeted?: readonly Reference[];
  /** `open`: it depends on a rule that is not fully known. */
  readonly outcome: 'passed' | 'failed' | 'open';
  /** That rule. */
  readonly dependsOn: string | null;
}

/** `open` names the rules that are not fully known: those without conditions, and those without groups. */
export function runRoutes<T extends RouteTest>(
  tests: readonly T[],
  program: Program,
  open: ReadonlySet<string> = new Set(),
  greets: Greets | null = null,
): readonly RouteResult<T>[] {
  return tests.map((test) => {
    const visitor = seen(test.when, program.assumptions);
    // An impossible visitor reaches no group; the manifest refuses such a test at its place.
    const rule = 'wrong' in visitor ? null : decides(program, visitor);
    const got = rule?.groups ?? [];
    const isGreeted = test.greetings !== undefined && greets !== null && !('wrong' in visitor);
    const greeted = isGreeted ? greets(test.when, visitor, got) : null;
    const about = { test, got, decidedBy: rule?.name ?? null, ...(greeted === null ? {} : { greeted }) };
    const dependsOn = open.size === 0 ? null : openBefore(rule, program, open);
    if (dependsOn !== null) return { ...about, outcome: 'open', dependsOn };
    const isRight =
      sameGroups(got, test.expect) &&
      (test.rule === null || test.rule === about.decidedBy) &&
      isGreetedRight(test, greeted);
    return { ...about, outcome: isRight ? 'passed' : 'failed', dependsOn };
  });
}

/** The first rule that might have decided, if it were fully known; null when the answer is certain. */
export function openBefore(decider: ParsedRule | null, { rules }: Program, open: ReadonlySet<string>): string | null {
  for (const rule of rules) {
    if (open.has(rule.name) && (rule === decider || rule.tests.length === 0)) return rule.name;
    if (rule === decider) return null;
  }
  return null;
}

function isGreetedRight({ greetings }: RouteTest, greeted: readonly Reference[] | null): boolean {
  return greetings === undefined || greeted === null || sameGroups(greetings, greeted);
}

function sameGroups(a: readonly Reference[], b: readonly Reference[]): boolean {
  return a.length === b.length && a.every((group, index) => group === b[index]);
}
