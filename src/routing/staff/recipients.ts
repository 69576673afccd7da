// The members of groups who would get a chat at an instant, in the order in which they get it.

import type { KindName, Reference } from '../../base/model.ts';
import type { Priority } from '../../kinds/priority.ts';
import { isMemberAt, isThereAt, nextThere } from './coverage.ts';
import type { Member, Staff } from './staff.ts';

export interface Recipient {
  readonly reference: Reference;
  readonly type: KindName;
  readonly name: string;
  readonly priority: Priority;
  /** Why no chat is assigned to the member; null when chats are. */
  readonly barred: Member['barred'];
  /** What may keep it from chats, which nothing tells; null where nothing does. */
  readonly may_be_barred: Member['doubt'];
  /** By its hours; null when they are not set or not known. */
  readonly at_work: boolean | null;
  /** Chats at the same time; null when it is not known. */
  readonly slots: number | null;
}

/** One group that a chat reaches. */
export interface Reached {
  readonly group: Reference;
  /** Null when it is not known. */
  readonly name: string | null;
  /** False: there may be members who are not known. */
  readonly complete: boolean;
  readonly members: readonly Recipient[];
}

export function recipients({ groups }: Staff, reached: readonly Reference[], at: number): readonly Reached[] {
  return reached.map((reference) => {
    const group = groups.find((each) => each.reference === reference);
    if (group === undefined) return { group: reference, name: null, complete: false, members: [] };
    return {
      group: reference,
      name: group.name,
      complete: group.isWhole,
      members: group.members
        .filter((member) => isMemberAt(member, at))
        .map((member) => ({
          reference: member.reference,
          type: member.kind,
          name: member.name,
          priority: member.priority,
          barred: member.barred,
          may_be_barred: member.barred === null ? member.doubt : null,
          at_work: isThereAt(member, at),
          slots: member.slots,
        })),
    };
  });
}

/** Whether all members of a group are known, and none of them is there: a supervisor also counts as there. */
export function isOffline({ groups }: Staff, group: Reference, at: number): boolean {
  const found = groups.find(({ reference }) => reference === group);
  return (
    found?.isWhole === true && found.members.every((member) => member.bar !== null || isThereAt(member, at) === false)
  );
}

/** Null where an agent who gets chats of the group is at work, or may be. `until`: when the next one is; null for none in the coming week. */
export function noAgentIn({ groups }: Staff, group: Reference, at: number): { readonly until: number | null } | null {
  const { members = [] } = groups.find(({ reference }) => reference === group) ?? {};
  const agents = members.filter(
    ({ barred, tireless, until }) => barred === null && !tireless && (until === undefined || until > at),
  );
  if (agents.length === 0 || agents.some((agent) => isThereAt(agent, at) !== false)) return null;
  const until = Math.min(...agents.map((agent) => nextThere(agent, at) ?? Number.POSITIVE_INFINITY));
  return { until: Number.isFinite(until) ? until : null };
}
