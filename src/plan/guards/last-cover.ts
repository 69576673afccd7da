// Groups that stay, and lose the last agent or bot that gets their chats because it is deleted. A group without one today does not count, and a member
// that is only moved or suspended has a lint.

import type { Address, Live, Reference } from '../../base/model.ts';
import { few } from '../../base/text.ts';
import { isAddress, MEMBERSHIP, subjectOf } from '../../kinds/index.ts';
import { STAFFING } from '../../routing/staff/placed.ts';
import { type GroupStaff, staffOf } from '../../routing/staff/staff.ts';
import type { Withheld } from '../plan.ts';
import { type Placing, staffAfter, staffBefore } from '../staffing.ts';

export function lastCover(compared: Placing, acknowledged: ReadonlySet<string>): readonly Withheld[] {
  const { drafts, live } = compared;
  const going = new Set<Reference>(
    drafts.flatMap(({ verb, kind, address }) => (verb === 'delete' && kind.serving !== undefined ? [address] : [])),
  );
  if (going.size === 0) return [];
  const after = new Map(groupsOf(staffAfter(compared), live).map((group) => [group.reference, group]));
  return groupsOf(staffBefore(compared), live).flatMap((group): readonly Withheld[] => {
    const left = after.get(group.reference);
    const lost = servingIn(group).filter((reference) => going.has(reference));
    if (left === undefined || lost.length === 0 || servingIn(left).length > 0) return [];
    // An unmanaged group has no address; those that leave it do.
    const own = isAddress(group.reference) ? [group.reference] : lost.filter(isAddress);
    const addresses = own.filter((address) => !acknowledged.has(subjectOf(address)));
    return addresses.length === 0 ? [] : [withheld(group, lost, addresses, live)];
  });
}

function groupsOf(placed: ReturnType<typeof staffAfter>, { version }: Live): readonly GroupStaff[] {
  return staffOf(placed, { zone: 'UTC', isRead: true, version }).groups;
}

/** The members who can get a chat of the group. */
function servingIn({ members }: GroupStaff): readonly Reference[] {
  return members.filter(({ barred }) => barred === null).map(({ reference }) => reference);
}

function withheld(
  { reference, name }: GroupStaff,
  lost: readonly Reference[],
  addresses: readonly Address[],
  { objects }: Live,
): Withheld {
  const { noun } = MEMBERSHIP.right.kind;
  const unread = [...STAFFING].flatMap(([name, { kind }]) => (objects[name] === undefined ? [kind.noun.many] : []));
  const known = unread.length === 0 ? '' : ` (${unread.join(' and ')} were not read)`;
  const group = isAddress(reference) ? reference : `the undeclared ${noun.one} \`${name}\` (${reference})`;
  return {
    guard: 'last-cover',
    addresses,
    message: `${group} would be left without an agent or bot that gets its chats${known}; ${few(lost)} would be deleted`,
    remedy: `give the ${noun.one} another agent or bot, or ${addresses.map((address) => `--acknowledge ${address}`).join(' ')}`,
  };
}
