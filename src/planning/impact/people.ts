// Figures of persons in an impact: only of those whose work the plan changes, and none under five chats, or from which such a one could be computed. No comment and no saved plan has them.

import type { Address } from '../../base/model.ts';
import type { AgentFigures } from '../../demand/hourly.ts';
import { hiddenAmong } from '../../demand/privacy.ts';
import type { PersonShare } from '../../plan/impact.ts';
import type { Demands } from './carried.ts';
import type { TouchedGroup } from './touched.ts';

/** `figures` by group. */
export function sharesOf(
  groups: readonly TouchedGroup[],
  figures: ReadonlyMap<Address, readonly AgentFigures[]>,
  demands: Demands,
): readonly PersonShare[] {
  return groups.flatMap(({ address: group, changed }) => {
    const known = figures.get(group);
    const of = demands.get(group)?.chats;
    if (known === undefined || of === undefined) return [];
    const counts = changed.map(({ id }) => known.find(({ agent }) => agent === id)?.chats ?? 0);
    const others = known.filter(({ agent }) => changed.every(({ id }) => id !== agent));
    // Those of the group, less the shares, are the chats of all who have none.
    const hidden = hiddenAmong(
      counts,
      others.reduce((sum, { chats }) => sum + chats, 0),
    );
    return changed.map(({ address }, place): PersonShare => {
      return { address, group, chats: hidden.has(place) ? null : (counts[place] ?? null), of };
    });
  });
}
