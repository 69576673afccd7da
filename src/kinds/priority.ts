// The four routing priorities and the map of groups that agents and bots share. Specification: "Group priority values".

import type { Schema } from '../base/documents.ts';
import { isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import type { Target } from './kind.ts';

/** In the order in which chats are assigned. */
export const PRIORITIES = ['first', 'normal', 'last', 'supervisor'] as const;

export type Priority = (typeof PRIORITIES)[number];

/** Who has it gets no chats assigned. Specification: "Group priority values". */
export const UNASSIGNED: Priority = 'supervisor';

export const prioritySchema: Schema = {
  enum: PRIORITIES,
  description:
    '`first` gets chats before others of the group, `normal` before `last`; `supervisor` never gets chats assigned automatically.',
};

/** A map from group reference to priority, as the `groups` array that agent and bot actions take. */
export function groupItems(groups: Json, target: Target): readonly JsonObject[] {
  if (!isObject(groups)) return [];
  return Object.entries(groups).map(([reference, priority]) => ({ id: Number(target.resolve(reference)), priority }));
}
