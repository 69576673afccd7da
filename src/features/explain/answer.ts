// What one list of rules does with a visitor, and who would get the chat. Pure, on plain data: a page computes the same.

import type { Reference } from '../../base/model.ts';
import { timestamp } from '../../base/week.ts';
import { explain } from '../../routing/explain.ts';
import { type GreetingSource, greetedBy, greetedElsewhere } from '../../routing/greetings.ts';
import { type Assumptions, programOf, type RoutingRule } from '../../routing/rules.ts';
import { isOffline, noAgentIn, recipients } from '../../routing/staff/recipients.ts';
import type { Staff } from '../../routing/staff/staff.ts';
import type { ComparedVisitor, Visitor } from '../../routing/visitor.ts';
import type { ExplainedSide } from './schema.ts';

/** Whether it is a place, whatever the list of countries says: one that a rule names is. */
export function isNamedIn(rules: readonly RoutingRule[], place: string): boolean {
  const named = JSON.stringify(rules.map(({ conditions }) => conditions)).toLowerCase();
  return named.includes(JSON.stringify(place.trim()).toLowerCase());
}

/** The rules, the staff and the greetings of the files or of a license. Plain JSON. */
export interface RoutingSide {
  readonly rules: readonly RoutingRule[];
  /** Names of the rules that are not fully known. */
  readonly open: readonly string[];
  readonly assumptions: Assumptions;
  /** IANA name of the zone in which times are told. */
  readonly timezone: string;
  readonly staff: Staff;
  /** The groups whose greetings a visitor sees whom no rule sends anywhere. */
  readonly general: readonly Reference[];
  readonly greetings: readonly GreetingSource[];
}

export interface AskedVisitor {
  readonly described: Visitor;
  /** As rules compare it. */
  readonly compared: ComparedVisitor;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export function answerOf(
  { rules, open, assumptions, timezone, staff, general, greetings }: RoutingSide,
  { described, compared, at }: AskedVisitor,
): Omit<ExplainedSide, 'on' | 'source'> {
  const explanation = explain(programOf(rules, assumptions), compared, new Set(open));
  const { decided_by: by, groups } = explanation;
  const [reached, greeted] = [by === null ? general : groups, { described, compared, assumptions }];
  return {
    ...explanation,
    greetings: [
      ...greetedBy(greetings, reached, greeted, at, (group) => isOffline(staff, group, at)),
      ...greetedElsewhere(greetings, reached, greeted, at),
    ],
    reached: reachedAt(staff, timezone, groups, at),
  };
}

/** Who would get a chat of each group at a time. */
export function reachedAt(
  staff: Staff,
  timezone: string,
  groups: readonly Reference[],
  at: number,
): ExplainedSide['reached'] {
  return recipients(staff, groups, at).map((each) => {
    const none = noAgentIn(staff, each.group, at);
    const until = none === null || none.until === null ? null : timestamp(timezone, none.until);
    return { ...each, no_agent: none === null ? null : { until } };
  });
}
