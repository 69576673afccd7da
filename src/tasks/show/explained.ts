// The explanation of one visitor, as `explain --json` prints it except for the findings.

import type { Reference } from '../../base/model.ts';
import { type ComparedVisitor, type Visitor, visitorText } from '../../routing/visitor.ts';
import type { Explained, ExplainedSide } from './explained-schema.ts';
import type { Side } from './tested-schema.ts';

export const SIDES = ['desired', 'live'] as const satisfies readonly Side[];

export function explained(
  about: { readonly target: string; readonly visitor: Visitor; readonly seen: ComparedVisitor; readonly at: string },
  sides: readonly ExplainedSide[],
): Explained {
  const { target, visitor, seen, at } = about;
  const [one, other] = sides;
  return {
    target,
    visitor,
    visitor_text: visitorText(visitor),
    compared: { url: seen.url, domain: seen.domain, country_code: seen.place.code ?? null },
    at,
    differs:
      one === undefined || other === undefined
        ? null
        : { groups: !sameGroups(one.groups, other.groups), rule: one.decided_by !== other.decided_by },
    sides,
  };
}

/** Both sorted. */
function sameGroups(a: readonly Reference[], b: readonly Reference[]): boolean {
  return a.length === b.length && a.every((group, index) => group === b[index]);
}
