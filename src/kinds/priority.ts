// The four routing priorities, and the map of groups that agents and bots share. Specification: "Group priority values".

import type { Schema } from '../base/documents.ts';
import { isObject } from '../base/json.ts';
import type { Json, JsonObject, Reference } from '../base/model.ts';
import type { CallContext } from './kind.ts';
import { date } from './scheduler-schemas.ts';

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

/** The days on which an entry or a membership counts. */
export const periodSchemas: { readonly [name in 'from' | 'until']: Schema } = {
  from: date('The first day', '2026-12-01'),
  until: date('The last day', '2026-12-24'),
};

/** A membership in a manifest: a priority, or a priority and its days. */
function memberSchema(choice: readonly string[], about: string): Schema {
  return {
    description: `${prioritySchema.description} ${about}With days: \`{ priority: first, until: 2026-12-24 }\`.`,
    if: { type: 'object' },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {
      type: 'object',
      additionalProperties: false,
      required: ['priority'],
      properties: { priority: prioritySchema, ...periodSchemas },
    },
    else: { enum: choice },
  };
}

/** The groups of an agent or a bot as a manifest has them. */
export const membershipSchema: Schema = { type: 'object', additionalProperties: memberSchema(PRIORITIES, '') };

/** A map from group reference to priority, as the `groups` array that agent and bot actions take; no member for a map that is not written. */
export function groupsBody(
  groups: { readonly [group: Reference]: Priority } | undefined,
  { resolve }: Pick<CallContext, 'resolve'>,
): JsonObject {
  if (groups === undefined) return {};
  return { groups: Object.entries(groups).map(([group, priority]) => ({ id: Number(resolve(group)), priority })) };
}

/** The key of a map of members that says what becomes of the members whom it does not name. No address of a person is written so. */
export const OTHERS = 'others';

/** Who is not named stays. Without it a map is complete. */
const KEEP = 'keep';

/** Of a member of a map that keeps the others: not in the group. */
export const NOT_IN = 'none';

/** The members of a group as a manifest has them. */
export const membersSchema: Schema = {
  type: 'object',
  properties: {
    [OTHERS]: {
      enum: [KEEP],
      description:
        '`keep`: agents who are not named here stay in the group. Without it, they are removed from the group.',
    },
  },
  additionalProperties: memberSchema(
    [...PRIORITIES, NOT_IN],
    `\`${NOT_IN}\`, with \`${OTHERS}: ${KEEP}\`: the agent is not in the group. `,
  ),
};

/** Whether a map of members names only some of them, and the others stay. */
export function keepsOthers(members: Json | undefined): boolean {
  return isObject(members) && members[OTHERS] === KEEP;
}

/** The members that a map names: with their priority, or null for one that is not in the group. */
export function namedMembers(members: JsonObject): ReadonlyMap<Reference, string | null> {
  return new Map(
    Object.entries(members)
      .filter(([reference]) => reference !== OTHERS)
      .map(([reference, priority]) => [reference, priority === NOT_IN ? null : String(priority)]),
  );
}

/** The members of a map with their priority, without what only says who stays or is not in the group. */
export function membersIn(members: JsonObject): JsonObject {
  const entries = Object.entries(members);
  const isMember = ([reference, priority]: readonly [string, Json]): boolean =>
    reference !== OTHERS && priority !== NOT_IN;
  return entries.every(isMember) ? members : Object.fromEntries(entries.filter(isMember));
}

/** A complete map, as far as one that keeps the others speaks of it. */
export function membersNamed(complete: Json, named: Json): Json {
  if (!isObject(complete) || !isObject(named) || !keepsOthers(named)) return complete;
  return Object.fromEntries(
    Object.keys(named).map((reference) => [
      reference,
      reference === OTHERS ? KEEP : (membersIn(complete)[reference] ?? NOT_IN),
    ]),
  );
}
