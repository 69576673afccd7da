// Findings of the routing lints, and the level that a project gives each lint.

import type { LintId, Place, Reference } from '../base/model.ts';
import type { LintLevel, RoutingSettings } from './settings.ts';
import type { Shift } from './staff/staff.ts';

/** Where something is declared, or a shift of its hours as far as that is known; null for what no file declares. */
export type PlaceOf = (reference: Reference, shift?: Shift) => Place | null;

/** One finding, without its level. */
export interface LintFinding {
  readonly id: LintId;
  /** The objects that it is about: an exception for any of them holds for it. */
  readonly about: readonly Reference[];
  /** Null where no file declares it. */
  readonly place: Place | null;
  /** What is wrong: one sentence without a full stop. */
  readonly message: string;
  /** What would be right; null when the message already says it. */
  readonly remedy: string | null;
  /** Of a rule that one rule hides which no file has: its name and title, and the site on which it hides it, null for all. */
  readonly behind?: { readonly name: Reference; readonly title: string; readonly site: string | null };
}

export interface RoutingFinding extends LintFinding {
  readonly level: Exclude<LintLevel, 'off'>;
}

export function levelled(found: readonly LintFinding[], levels: RoutingSettings['lint']): readonly RoutingFinding[] {
  return found.flatMap((each): readonly RoutingFinding[] => {
    const level = levels[each.id];
    return level === 'off' ? [] : [{ ...each, level }];
  });
}
