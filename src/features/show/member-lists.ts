// Who is in which group, as `show members` has it: on the license, by the files, or before and after an apply.

import { byText } from '../../base/json.ts';
import { KIND_NAMES, MEMBERSHIP } from '../../kinds/index.ts';
import type { Priority } from '../../kinds/priority.ts';
import { addressOf } from '../../plan/reference.ts';
import { STAFFING } from '../../routing/staff/placed.ts';
import { type Staff, type StaffPerson, staffOf } from '../../routing/staff/staff.ts';
import type { ViewName } from '../coverage/report.ts';
import type { Shown, ShownMember, ShownMembers, ShownObject } from './schema.ts';

export interface MembersInput {
  readonly view: ViewName;
  /** Null where nothing is compared. */
  readonly before: Staff | null;
  readonly staff: Staff;
  readonly ownershipOf: (address: string) => ShownObject['ownership'];
}

export function membersOf({ view, before, staff, ownershipOf }: MembersInput): ShownMembers {
  const sides = before === null ? [staff] : [staff, before];
  const priorities = prioritiesOf(staff);
  const earlier = before === null ? null : prioritiesOf(before);
  const areGroupsWhole = sides.every(({ groups }) => groups.every(({ isWhole }) => isWhole));
  const people = distinct(sides.flatMap((side) => side.people)).map((person): ShownMember => {
    const address = addressOf(person.kind, person.reference);
    const [after, was] = [priorities.get(address), earlier?.get(address)];
    const groups = [...new Set([...(after?.keys() ?? []), ...(was?.keys() ?? [])])].sort(byText);
    return {
      address,
      type: person.kind,
      name: person.name,
      bot: person.tireless,
      ownership: ownershipOf(address),
      barred: person.bar ?? (person.slots === 0 ? 'no slots' : null),
      complete: person.isWhole || areGroupsWhole,
      groups: groups.map((group) => ({
        group,
        before: was?.get(group) ?? null,
        priority: after?.get(group) ?? null,
      })),
    };
  });
  const groups = new Map(sides.toReversed().flatMap((side) => side.groups.map((group) => [addressed(group), group])));
  return {
    view,
    groups: [...groups.values()]
      .map((group) => ({ address: addressed(group), name: group.name, complete: group.isWhole }))
      .sort((one, other) => byText(one.address, other.address)),
    people: people.sort((one, other) => rank(one) - rank(other) || byText(one.address, other.address)),
  };
}

function addressed({ reference }: Staff['groups'][number]): string {
  return addressOf(MEMBERSHIP.right.kind.name, reference);
}

/** Agents before bots. */
function rank({ type }: ShownMember): number {
  return KIND_NAMES.indexOf(type);
}

/** Each person once, as the first side that has it says. */
function distinct(people: readonly StaffPerson[]): readonly StaffPerson[] {
  const known = new Map<string, StaffPerson>();
  for (const person of people) {
    const address = addressOf(person.kind, person.reference);
    if (!known.has(address)) known.set(address, person);
  }
  return [...known.values()];
}

/** Address of a person -> address of a group -> priority. */
function prioritiesOf({ groups }: Staff): ReadonlyMap<string, ReadonlyMap<string, Priority>> {
  const all = new Map<string, Map<string, Priority>>();
  for (const group of groups)
    for (const { kind, reference, priority } of group.members) {
      const address = addressOf(kind, reference);
      const known = all.get(address) ?? new Map<string, Priority>();
      all.set(address, known.set(addressed(group), priority));
    }
  return all;
}

/** The members of what was read. */
export function membersIn(entries: readonly ShownObject[], version: Shown['api_version']): ShownMembers {
  const staffed = entries.filter(({ type }) => STAFFING.has(type));
  const ownerships = new Map(staffed.map(({ address, ownership }) => [address, ownership]));
  const placed = staffed.map(({ address, type, name, spec }) => ({
    reference: address,
    kind: type,
    name,
    spec,
    decides: [],
  }));
  // Hours are not read, so their zone is not asked for.
  const staff = staffOf(placed, { zone: 'UTC', isRead: true, version });
  return membersOf({
    view: 'live',
    before: null,
    staff,
    ownershipOf: (address) => ownerships.get(address) ?? 'unmanaged',
  });
}
