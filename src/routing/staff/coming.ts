// Who is in which group on later days, by the files: a license has the members of today.

import { grouped } from '../../base/grouped.ts';
import type { Coming, Reference } from '../../base/model.ts';
import { instantOf } from '../../base/zone.ts';
import { MEMBERSHIP } from '../../kinds/index.ts';
import { PRIORITIES } from '../../kinds/priority.ts';
import { type Member, memberOf, type Staff, type StaffPerson } from './staff.ts';

/** The staff of a license with those who join a group, or leave it, by date. References are addresses. `files`: the people that are declared. */
export function withComing(staff: Staff, files: Staff, coming: readonly Coming[] = []): Staff {
  const changes = grouped(coming.map((each) => [subjectOf(each), each] as const));
  if (changes.size === 0) return staff;
  const known = new Set(staff.people.map(({ reference }) => reference));
  const others = files.people.filter(({ reference }) => !known.has(reference));
  const declared = new Map(files.groups.map(({ reference, members }) => [reference, members]));
  const groups = staff.groups.map((group) => {
    const [live, wanted] = [group.members, declared.get(group.reference) ?? []].map(
      (members) => new Map(members.map((member) => [member.reference, member])),
    );
    const members = [...staff.people, ...others].map((person) => {
      const { reference } = person;
      const [member, own] = [live?.get(reference), changes.get(reference) ?? []];
      const membership = changes.get(membershipOf(group.reference, reference)) ?? [];
      const there = member ?? wanted?.get(reference);
      if (membership.length === 0 && (own.length === 0 || there === undefined)) return member;
      return laterMember(person, member, wanted?.get(reference), own, membership);
    });
    const rank = ({ priority }: Member): number => PRIORITIES.indexOf(priority);
    return {
      ...group,
      members: members.filter((each) => each !== undefined).sort((one, other) => rank(one) - rank(other)),
    };
  });
  const joining = new Set(groups.flatMap(({ members }) => members.map(({ reference }) => reference)));
  return { groups, people: [...staff.people, ...others.filter(({ reference }) => joining.has(reference))] };
}

/** Undefined for a person who neither is in the group nor joins it. `own`, `membership`: what begins and ends of the person, and of the membership. */
function laterMember(
  person: StaffPerson,
  live: Member | undefined,
  declared: Member | undefined,
  own: readonly Coming[],
  membership: readonly Coming[],
): Member | undefined {
  const all = [...own, ...membership];
  const [starts, ends] = (['begins', 'ends'] as const).map((change) => all.filter((each) => each.change === change));
  const timesOf = (of: readonly Coming[] = []) => of.map(({ timezone, day }) => instantOf(timezone, day));
  const end = ends?.length === 0 ? {} : { until: Math.min(...timesOf(ends)) };
  const isAccount = own.some(({ change }) => change === 'begins');
  const given = membership.find(({ change }) => change === 'begins')?.priority;
  const priority = PRIORITIES.find((each) => each === given) ?? declared?.priority;
  const isWaiting = live === undefined || (isAccount && live.bar === 'suspended');
  // Who is there today stays as the license has it: an apply that did not run yet changes nothing.
  if (starts?.length === 0 || !isWaiting || priority === undefined) return live && { ...live, ...end };
  const free = isAccount ? { ...person, bar: null } : person;
  return { ...memberOf(free, priority), ...end, from: Math.max(...timesOf(starts)) };
}

/** The address of a person, or a membership. */
function subjectOf({ address, member }: Coming): string {
  if (member === null) return address;
  const [person, group] = [MEMBERSHIP.left.kind.name, MEMBERSHIP.right.kind.name];
  return address.startsWith(`${group}/`)
    ? membershipOf(address, `${person}/${member}`)
    : membershipOf(`${group}/${member}`, address);
}

function membershipOf(group: Reference, person: Reference): string {
  return `${group} ${person}`;
}
