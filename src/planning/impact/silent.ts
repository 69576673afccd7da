// Bots whose routing status cannot be read: the chats of the days before say whether they get any.

import type { Address } from '../../base/model.ts';
import type { Staff, StaffPerson } from '../../routing/staff/staff.ts';
import type { Touched } from './touched.ts';

/** A member of the staff as the reports name it. */
export interface DoubtedPerson {
  readonly address: Address;
  readonly id: string;
}

/** Those who may get chats of these groups, or may not, and exist on the license. */
export function doubtedIn(
  { groups, people }: Staff,
  { groupOf, personOf, idOf }: Pick<Touched, 'groupOf' | 'personOf' | 'idOf'>,
  asked: ReadonlySet<Address>,
): readonly DoubtedPerson[] {
  const hasOpen = groups.some(({ builtin, reference }) => builtin && asked.has(groupOf(reference)));
  return people.flatMap((person): readonly DoubtedPerson[] => {
    const { doubt, slots } = person;
    const serves = hasOpen || person.groups.some((group) => asked.has(groupOf(group)));
    if (doubt === null || slots === 0 || !serves) return [];
    const address = personOf(person);
    const id = idOf(address);
    return id === null ? [] : [{ address, id: String(id) }];
  });
}

/** The staff where those who took no chat get none. */
export function withoutSilent(
  { groups, people }: Staff,
  { personOf }: Pick<Touched, 'personOf'>,
  silent: ReadonlySet<Address>,
): Staff {
  const bar = 'offline';
  const isSilent = (person: StaffPerson): boolean => silent.has(personOf(person));
  return {
    people: people.map((person) => (isSilent(person) ? { ...person, bar, doubt: null } : person)),
    groups: groups.map((group) => ({
      ...group,
      members: group.members.map((member) =>
        isSilent(member) ? { ...member, bar, barred: member.barred ?? bar, doubt: null } : member,
      ),
    })),
  };
}
