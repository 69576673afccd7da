// Figures of persons in an impact: only of those whose work the plan changes, and none under five chats. No comment and no saved plan has them.

import type { Address } from '../../base/model.ts';
import type { Impact, PersonShare } from '../../plan/impact.ts';
import { type AgentFigures, LEAST_CHATS } from '../reports/demand.ts';
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
    return changed.map(({ address, id }): PersonShare => {
      const chats = known.find(({ agent }) => agent === id)?.chats ?? 0;
      return { address, group, chats: chats < LEAST_CHATS ? null : chats, of };
    });
  });
}

/** What may be kept, and shown to others: no figure of a person. */
export function withoutPeople({ people: _, ...others }: Impact): Impact {
  return others;
}
