// What is told of routing by a rule of ours: its name, how much it matters, and where; and what a project says instead of how much. Finds nothing itself.

import type { LintId, Place } from '../base/model.ts';
import type { LintLevel, RoutingSettings } from './settings.ts';

/** Something that was found, before anybody said how much it matters. */
export interface Found {
  readonly id: LintId;
  /** Null for what no file declares. */
  readonly place: Place | null;
  /** What is wrong: one sentence without a full stop. */
  readonly message: string;
  /** What would be right; null when the message already says it. */
  readonly remedy: string | null;
}

export interface RoutingFinding extends Found {
  readonly level: Exclude<LintLevel, 'off'>;
}

export function levelled(found: readonly Found[], levels: RoutingSettings['lint']): readonly RoutingFinding[] {
  return found.flatMap((each): readonly RoutingFinding[] => {
    const level = levels[each.id];
    return level === 'off' ? [] : [{ ...each, level }];
  });
}
