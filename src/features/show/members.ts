// The view of who is in which group: a matrix of people and groups, or lists by group or by person.

import { countedBy } from '../../base/grouped.ts';
import { counted } from '../../base/text.ts';
import type { Block, Mark, Row, Section, Table, Text, View } from '../../view/blocks.ts';
import { priorityMark, STAFF_VIEWS } from '../../view/words/staff.ts';
import type { ShownMember, ShownMembers } from './schema.ts';

/** What the lists of members are of; null for a table of people and groups. */
export type MembersBy = 'group' | 'person' | null;

type Membership = ShownMember['groups'][number];

/** In the order in which chats are assigned. */
const PRIORITIES: readonly Membership['priority'][] = ['first', 'normal', 'last', 'supervisor'];

/** What the other sides would say. */
const HINTS: { readonly [view in ShownMembers['view']]: Text } = {
  live: [code('--on files'), ' shows what the files declare, ', code('--on both'), ' what an apply changes.'],
  files: ['The license may differ: ', code('--on live'), ' shows it, ', code('--on both'), ' what an apply changes.'],
  both: 'An apply adds what is marked +, removes what is marked -, and changes a -> b.',
};

function code(text: string) {
  return { text, as: 'code' } as const;
}

export function membersView(members: ShownMembers, by: MembersBy): Pick<View, 'body'> {
  const { people, groups, view } = members;
  if (people.length + groups.length === 0) return { body: [] };
  const counts = Object.entries(memberCounts(members));
  const tones: readonly Mark['tone'][] = ['calm', 'calm', 'calm', 'destroy', 'change', 'change'];
  const open = groups.filter(({ complete }) => !complete).map(({ address }) => address);
  return {
    body: [
      { type: 'counts', counts: counts.map(([what, count], at) => [what, count, tones[at] ?? 'calm']) },
      ...bodyOf(members, by),
      ...(open.length === 0
        ? []
        : [{ type: 'text', text: `The files do not say who else is in ${open.join(', ')}.` } as const]),
      {
        type: 'text',
        text: ['Chats go to first, then normal, then last; a supervisor gets none. ', HINTS[view]].flat(),
      },
    ],
  };
}

function bodyOf(members: ShownMembers, by: MembersBy): readonly Block[] {
  if (by === 'person') return [peopleTable(members)];
  const lists = [...groupSections(members), ...nowhereSections(members)];
  return by === null ? [matrixOf(members, lists)] : lists;
}

/** A row for each person, a column for each group. */
function matrixOf(members: ShownMembers, instead: readonly Block[]): Block {
  const { groups, people, view } = members;
  const names = groupNames(members);
  const hasNotes = people.some((member) => memberNote(member) !== '');
  return {
    type: 'picture',
    picture: {
      kind: 'matrix',
      name: 'People and groups',
      labels: ['Address', 'Name', ...(hasNotes ? ['Note'] : [])],
      columns: groups.map(({ address, name }) => names.get(address) ?? name),
      rows: people.map((member) => {
        const own = new Map(member.groups.map((each) => [each.group, markOf(each, view)]));
        return {
          labels: [...whoOf(member), ...(hasNotes ? [memberNote(member)] : [])],
          cells: groups.map(({ address }) => own.get(address) ?? null),
        };
      }),
    },
    instead,
  };
}

function whoOf(member: ShownMember): readonly [Text, Text] {
  return [{ text: member.address, as: 'address' }, nameBeyondAddress(member)];
}

/** Where nothing is compared, nothing changes. */
function markOf({ before, priority }: Membership, view: ShownMembers['view']): Mark {
  return priorityMark(view === 'both' ? before : priority, priority);
}

/** Of a comparison: `+ first`, `- last`, `~ first -> last`, or what stays. */
function priorityText(membership: Membership, view: ShownMembers['view']): string {
  const { sign, word } = markOf(membership, view);
  return `${sign} ${word}`.trim();
}

/** A list for each group, first who gets chats first. */
function groupSections(members: ShownMembers): readonly Section[] {
  const lists = membersByGroup(members);
  return members.groups.map((group, index): Section => {
    const list = lists.get(group.address) ?? [];
    const called = nameBeyondAddress(group);
    const rows = list.map(
      ({ member, membership }): Row => ({
        cells: [priorityText(membership, members.view), ...whoOf(member), memberState(member)],
      }),
    );
    return {
      type: 'section',
      id: `group-${index + 1}`,
      title: [group.address, ...(called === '' ? [] : [called]), sizeText(list)].join(', '),
      body:
        rows.length === 0
          ? [{ type: 'text', text: 'Nothing is in it.' }]
          : [whoTable(group.address, rows, ['Priority'])],
    };
  });
}

function whoTable(name: string, rows: readonly Row[], first: readonly string[]): Table {
  const columns = [
    ...first.map((title) => ({ title, isWhole: true })),
    ...['Address', 'Name', 'Note'].map((title) => ({ title })),
  ];
  return { type: 'table', name, columns, rows, isList: true };
}

/** Headings of those who are in no group, and of those whose groups the files do not say. */
const NOWHERE = { known: 'In no group', open: 'Groups not declared' } as const;

function nowhereSections({ people }: ShownMembers): readonly Section[] {
  const nowhere = people.filter(isNowhere);
  const parts = [
    ['nowhere', NOWHERE.known, nowhere.filter(({ complete }) => complete)],
    ['open', NOWHERE.open, nowhere.filter(({ complete }) => !complete)],
  ] as const;
  return parts.flatMap(([id, title, those]): readonly Section[] => {
    const rows = those.map((member): Row => ({ cells: [...whoOf(member), memberState(member)] }));
    return rows.length === 0
      ? []
      : [{ type: 'section', id, title, count: rows.length, body: [whoTable(title, rows, [])] }];
  });
}

function peopleTable(members: ShownMembers): Table {
  const names = groupNames(members);
  return {
    type: 'table',
    name: 'People',
    columns: ['Address', 'Name', 'Note', 'Groups'].map((title) => ({ title })),
    rows: members.people.map((member) => ({
      cells: [
        ...whoOf(member),
        memberNote(member),
        member.groups
          .map((each) => `${names.get(each.group) ?? each.group} ${priorityText(each, members.view)}`)
          .join(', '),
      ],
    })),
  };
}

function isNowhere({ groups }: ShownMember): boolean {
  return groups.every(({ priority }) => priority === null);
}

/** What has to be known of an agent or bot: a bot, suspended; empty for most. */
function memberState({ bot, barred }: ShownMember): string {
  return [...(bot ? ['bot'] : []), ...(barred === null ? [] : [barred])].join(', ');
}

/** The same, and that it is in no group. */
export function memberNote(member: ShownMember): string {
  const where = isNowhere(member) ? [NOWHERE[member.complete ? 'known' : 'open'].toLowerCase()] : [];
  return [memberState(member), ...where].filter((text) => text !== '').join(', ');
}

/** The name, unless the address has it. */
function nameBeyondAddress({ address, name }: { readonly address: string; readonly name: string }): string {
  return address.endsWith(`/${name}`) ? '' : name;
}

/** Names of the groups by address; with the key where two share a name. */
export function groupNames({ groups }: ShownMembers): ReadonlyMap<string, string> {
  const counts = countedBy(groups, ({ name }) => name);
  return new Map(
    groups.map(({ address, name }) => [
      address,
      counts.get(name) === 1 ? name : `${name} (${address.slice(address.indexOf('/') + 1)})`,
    ]),
  );
}

interface ListedMember {
  readonly member: ShownMember;
  readonly membership: Membership;
}

/** Members by the address of their group, first who gets chats first; every group has its list. */
function membersByGroup({ groups, people }: ShownMembers): ReadonlyMap<string, readonly ListedMember[]> {
  const lists = new Map<string, ListedMember[]>(groups.map(({ address }) => [address, []]));
  for (const member of people)
    for (const membership of member.groups) lists.get(membership.group)?.push({ member, membership });
  const rank = ({ membership: { priority, before } }: ListedMember): number => PRIORITIES.indexOf(priority ?? before);
  for (const list of lists.values()) list.sort((one, other) => rank(one) - rank(other));
  return lists;
}

/** `2 agents, 1 bot`, without those who leave. */
function sizeText(list: readonly ListedMember[]): string {
  const staying = list.filter(({ membership }) => membership.priority !== null);
  const bots = staying.filter(({ member }) => member.bot).length;
  return staffText(staying.length - bots, bots);
}

function staffText(agents: number, bots: number): string {
  return [counted(agents, 'agent'), ...(bots === 0 ? [] : [counted(bots, 'bot')])].join(', ');
}

export function memberCounts({ groups, people }: ShownMembers) {
  const having = (isMeant: (member: ShownMember) => boolean): number => people.filter(isMeant).length;
  return {
    groups: groups.length,
    agents: having(({ bot }) => !bot),
    bots: having(({ bot }) => bot),
    suspended: having(({ barred }) => barred === 'suspended'),
    'waiting for approval': having(({ barred }) => barred === 'waiting for approval'),
    'in no group': having((member) => isNowhere(member) && member.complete),
  };
}

/** `On the license: 2 groups, 3 agents, 1 bot; 1 suspended, 1 in no group.` */
export function membersResult(members: ShownMembers): string {
  const { groups, agents, bots, ...others } = memberCounts(members);
  if (groups + agents + bots === 0) return 'There are no groups and no agents.';
  const odd = Object.entries(others).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]));
  const counts = `${counted(groups, 'group')}, ${staffText(agents, bots)}${odd.length === 0 ? '' : `; ${odd.join(', ')}`}`;
  return `Who is in which group, ${STAFF_VIEWS[members.view]}: ${counts}.`;
}

const ABOUT = ['address', 'name', 'ownership', 'note'];

/** A row for each person and a column for each group; with lists a row for each membership, and one for each person in no group. */
export function membersTable({ groups, people, view }: ShownMembers, by: MembersBy): Table {
  const about = (member: ShownMember): readonly string[] => [
    member.address,
    member.name,
    member.ownership,
    memberNote(member),
  ];
  const titled = (titles: readonly string[], rows: readonly (readonly string[])[]): Table => ({
    type: 'table',
    columns: titles.map((title) => ({ title })),
    rows: rows.map((cells) => ({ cells })),
  });
  if (by === null)
    return titled(
      [...ABOUT, ...groups.map(({ address }) => address)],
      people.map((member) => {
        const own = new Map(member.groups.map((each) => [each.group, changeText(each, view)]));
        return [...about(member), ...groups.map(({ address }) => own.get(address) ?? '')];
      }),
    );
  const names = new Map(groups.map(({ address, name }) => [address, name]));
  const sides = (before: string | null, priority: string | null): readonly string[] =>
    view === 'both' ? [before ?? '', priority ?? ''] : [priority ?? ''];
  return titled(
    [...ABOUT, 'group', 'group_name', ...(view === 'both' ? ['before'] : []), 'priority'],
    people.flatMap((member) =>
      member.groups.length === 0
        ? [[...about(member), '', '', ...sides(null, null)]]
        : member.groups.map(({ group, before, priority }) => [
            ...about(member),
            group,
            names.get(group) ?? '',
            ...sides(before, priority),
          ]),
    ),
  );
}

/** Without the signs that a spreadsheet takes for formulas. */
function changeText({ before, priority }: Membership, view: ShownMembers['view']): string {
  if (view !== 'both' || before === priority) return priority ?? '';
  if (before === null) return `joins: ${priority}`;
  return priority === null ? `leaves: ${before}` : `${before} -> ${priority}`;
}
