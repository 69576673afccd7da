// The four routing priorities, and the map of groups that agents and bots share. Specification: "Group priority values".

import type { Schema } from '../base/documents.ts';
import type { JsonObject, Reference } from '../base/model.ts';
import type { CallContext } from './kind.ts';

/** In the order in which chats are assigned. */
export const PRIORITIES = ['first', 'normal', 'last', 'supervisor'] as const;

export type Priority = (typeof PRIORITIES)[number];

/** A member with this priority gets no chats assigned. Specification: "Group priority values". */
export const UNASSIGNED: Priority = 'supervisor';

export const prioritySchema = {
  enum: PRIORITIES,
  description:
    '`first` gets chats before others of the group, `normal` before `last`; `supervisor` never gets chats assigned automatically.',
} as const satisfies Schema;

/** A map from group reference to priority, as the `groups` array that agent and bot actions take; no member for a map that is not written. */
export function groupsBody(
  groups: { readonly [group: Reference]: Priority } | undefined,
  { resolve }: Pick<CallContext, 'resolve'>,
): JsonObject {
  if (groups === undefined) return {};
  return { groups: Object.entries(groups).map(([group, priority]) => ({ id: Number(resolve(group)), priority })) };
}
