// Staff, groups and an instant in; who would get a chat there, first who gets it first, out.

import type { KindName, Reference } from '../base/model.ts';
import type { Priority } from '../kinds/priority.ts';
import { isThereAt } from './coverage.ts';
import type { Member, Staff } from './staff.ts';

export interface Recipient {
  readonly reference: Reference;
  readonly type: KindName;
  readonly name: string;
  readonly priority: Priority;
  /** Why no chat is assigned to this one; null when chats are. */
  readonly barred: Member['barred'];
  /** By its hours; null when it has none, or nobody knows them. */
  readonly at_work: boolean | null;
  /** Chats at the same time; null when nobody knows. */
  readonly slots: number | null;
}

/** One group that a chat reaches. */
export interface Reached {
  readonly group: Reference;
  /** What a person calls it; null when it is not known. */
  readonly name: string | null;
  /** False: there may be members whom nobody here knows. */
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
      members: group.members.map((member) => ({
        reference: member.reference,
        type: member.kind,
        name: member.name,
        priority: member.priority,
        barred: member.barred,
        at_work: isThereAt(member, at),
        slots: member.slots,
      })),
    };
  });
}
