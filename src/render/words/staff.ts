// Words for who is in which group and who gets chats there, shared by text, CSV and pages.

import { countedBy } from '../../base/grouped.ts';
import { counted } from '../../base/text.ts';
import type { ViewName } from '../../tasks/coverage/report.ts';
import type { ShownMember, ShownMembers } from '../../tasks/show/schema.ts';

/** The side that is looked at. */
export const STAFF_VIEWS: { readonly [view in ViewName]: string } = {
  desired: 'as the files declare it',
  live: 'on the license',
  both: 'on the license, and after an apply',
};

export type ShownMembership = ShownMember['groups'][number];

/** In the order in which chats are assigned. */
const PRIORITIES: readonly ShownMembership['priority'][] = ['first', 'normal', 'last', 'supervisor'];

function isNowhere({ groups }: ShownMember): boolean {
  return groups.every(({ priority }) => priority === null);
}

/** What has to be known of an agent or bot: a bot, suspended; empty for most. */
export function memberState({ bot, barred }: ShownMember): string {
  return [...(bot ? ['bot'] : []), ...(barred === null ? [] : [barred])].join(', ');
}

/** The same, and that it is in no group. */
export function memberNote(member: ShownMember): string {
  const where = isNowhere(member) ? [NOWHERE[member.complete ? 'known' : 'open'].toLowerCase()] : [];
  return [memberState(member), ...where].filter((text) => text !== '').join(', ');
}

/** Headings of those who are in no group, and of those whose groups the files do not say. */
const NOWHERE = { known: 'In no group', open: 'Groups not declared' } as const;

/** Those without a group, under their headings. */
export function membersNowhere({ people }: ShownMembers): ReadonlyMap<string, readonly ShownMember[]> {
  const nowhere = people.filter(isNowhere);
  const parts = [
    [NOWHERE.known, nowhere.filter(({ complete }) => complete)],
    [NOWHERE.open, nowhere.filter(({ complete }) => !complete)],
  ] as const;
  return new Map(parts.filter(([, those]) => those.length > 0));
}

/** The name, unless the address has it. */
export function nameBeyondAddress({ address, name }: { readonly address: string; readonly name: string }): string {
  return address.endsWith(`/${name}`) ? '' : name;
}

/** Names of the groups by address; the key where two share a name. */
export function groupNames({ groups }: ShownMembers): ReadonlyMap<string, string> {
  const counts = countedBy(groups, ({ name }) => name);
  return new Map(
    groups.map(({ address, name }) => [
      address,
      counts.get(name) === 1 ? name : `${name} (${address.slice(address.indexOf('/') + 1)})`,
    ]),
  );
}

export interface ListedMember {
  readonly member: ShownMember;
  readonly membership: ShownMembership;
}

/** Members by the address of their group, first who gets chats first; every group has its list. */
export function membersByGroup({ groups, people }: ShownMembers): ReadonlyMap<string, readonly ListedMember[]> {
  const lists = new Map<string, ListedMember[]>(groups.map(({ address }) => [address, []]));
  for (const member of people)
    for (const membership of member.groups) lists.get(membership.group)?.push({ member, membership });
  const rank = ({ membership: { priority, before } }: ListedMember): number => PRIORITIES.indexOf(priority ?? before);
  for (const list of lists.values()) list.sort((one, other) => rank(one) - rank(other));
  return lists;
}

/** `2 agents, 1 bot`, without those who leave. */
export function sizeText(list: readonly ListedMember[]): string {
  const staying = list.filter(({ membership }) => membership.priority !== null);
  const bots = staying.filter(({ member }) => member.bot).length;
  return staffText(staying.length - bots, bots);
}

function staffText(agents: number, bots: number): string {
  return [counted(agents, 'agent'), ...(bots === 0 ? [] : [counted(bots, 'bot')])].join(', ');
}

export type MembersCount = 'groups' | 'agents' | 'bots' | 'suspended' | 'awaiting approval' | 'in no group';

export function memberCounts({ groups, people }: ShownMembers): { readonly [what in MembersCount]: number } {
  const having = (isMeant: (member: ShownMember) => boolean): number => people.filter(isMeant).length;
  return {
    groups: groups.length,
    agents: having(({ bot }) => !bot),
    bots: having(({ bot }) => bot),
    suspended: having(({ barred }) => barred === 'suspended'),
    'awaiting approval': having(({ barred }) => barred === 'awaiting approval'),
    'in no group': having((member) => isNowhere(member) && member.complete),
  };
}

/** `2 groups, 3 agents, 1 bot; 1 suspended, 1 in no group`. */
export function countsText(members: ShownMembers): string {
  const { groups, agents, bots, ...others } = memberCounts(members);
  const odd = Object.entries(others).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]));
  return `${counted(groups, 'group')}, ${staffText(agents, bots)}${odd.length === 0 ? '' : `; ${odd.join(', ')}`}`;
}
