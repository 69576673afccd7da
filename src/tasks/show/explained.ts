// Explanations of one visitor in; what `explain --json` prints but for the findings, as data, out.

import type { Reference } from '../../base/model.ts';
import type { Explanation } from '../../routing/explain.ts';
import type { Seen, Visitor } from '../../routing/visitor.ts';
import { visitorText } from '../../routing/visitor.ts';
import type { Reached } from '../../staff/recipients.ts';
import type { Side } from './tested.ts';

export interface Source {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What the rules of one side do with the visitor. */
export interface ExplainedSide extends Explanation {
  readonly on: Side;
  /** Where the rule that decides is declared; null when it is not, or none decides. */
  readonly source: Source | null;
  /** The groups, with those who would get the chat. */
  readonly reached: readonly Reached[];
}

export interface Explained {
  readonly target: string;
  readonly visitor: Visitor;
  /** The visitor in words. */
  readonly visitor_text: string;
  /** As it is compared with the texts of rules. */
  readonly compared: { readonly url: string; readonly domain: string; readonly country_code: string | null };
  /** For which time it is said who is at work. */
  readonly at: string;
  /** Whether the two sides send the visitor elsewhere, or by another rule; null when one was asked. */
  readonly differs: { readonly groups: boolean; readonly rule: boolean } | null;
  readonly sides: readonly ExplainedSide[];
}

export function explained(
  about: { readonly target: string; readonly visitor: Visitor; readonly seen: Seen; readonly at: string },
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
