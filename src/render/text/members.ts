// The terminal text of `show members`: a table of people by groups, or lists by group or by person.

import type { ShownMember, ShownMembers } from '../../tasks/show/schema.ts';
import type { Paint } from '../../view/paint.ts';
import { plain } from '../../view/plain.ts';
import {
  columnWidths,
  fits,
  headedTable,
  INDENT,
  linesByRow,
  narrowed,
  type Rows,
  table,
} from '../../view/terminal/layout.ts';
import { within, wrapped } from '../../view/terminal/narrow.ts';
import {
  countsText,
  groupNames,
  memberNote,
  memberState,
  membersByGroup,
  membersNowhere,
  nameBeyondAddress,
  type ShownMembership,
  STAFF_VIEWS,
  sizeText,
} from '../words/staff.ts';

/** What the lists are of; null for a table of people by groups, which a narrow terminal shows as lists by group. */
export type MembersBy = 'group' | 'person' | null;

export function membersText(members: ShownMembers, by: MembersBy, paint: Paint): string {
  const { width } = paint;
  const { view } = members;
  const title = paint('strong', `Who is in which group, ${STAFF_VIEWS[view]}`);
  if (members.groups.length + members.people.length === 0) return `${title}\n\nThere are no groups and no agents.\n`;
  return [
    title,
    '',
    ...bodyLines(members, by, paint),
    '',
    `${countsText(members)}.`,
    ...openLines(members, paint),
    ...wrapped(HINTS[view].split(' '), width, ' ').map((line) => paint('faint', line)),
    '',
  ].join('\n');
}

/** What the other sides would say. */
const HINTS: { readonly [view in ShownMembers['view']]: string } = {
  live: '`--on desired` shows what the files declare, `--on both` what an apply changes.',
  desired: 'The license may differ: `--on live` shows it, `--on both` what an apply changes.',
  both: 'An apply adds what is marked +, removes what is marked -, and changes a -> b.',
};

/** The groups of which the files do not say all members. */
function openLines({ groups }: ShownMembers, { width }: Paint): readonly string[] {
  const open = groups.filter(({ complete }) => !complete).map(({ address }) => plain(address));
  return open.length === 0 ? [] : ['The files do not say who else is in:', ...wrapped(open, width, ', ', INDENT)];
}

function bodyLines(members: ShownMembers, by: MembersBy, paint: Paint): readonly string[] {
  if (by === 'person') return personLines(members, paint);
  const matrix = matrixRows(members, paint.width);
  return by === null && fits(matrix, paint.width) ? headedTable(matrix, paint) : groupLines(members, paint);
}

function memberCells(member: ShownMember): readonly [address: string, name: string, note: string] {
  return [plain(member.address), plain(nameBeyondAddress(member)), memberNote(member)];
}

/** Characters that an address, a name and a note keep in a list. */
const LEAST = [24, 14, 20];

/** The same of a table, which is a list where they do not fit. */
const LEAST_OF_TABLE = [40, 8];

/** A row for each person, a column for each group: as narrow as its longest priority, where the terminal is narrow. */
function matrixRows(members: ShownMembers, width: number | undefined): Rows {
  const { groups, people, view } = members;
  const names = groupNames(members);
  const hasNotes = people.some((member) => memberNote(member) !== '');
  const first = hasNotes ? 3 : 2;
  const rows = people.map((member) => {
    const own = new Map(member.groups.map((each) => [each.group, priorityText(each, view)]));
    return [...memberCells(member).slice(0, first), ...groups.map(({ address }) => own.get(address) ?? '')];
  });
  const head = ['ADDRESS', 'NAME', 'NOTE'].slice(0, first);
  const heads = groups.map(({ address, name }) => plain(names.get(address) ?? name));
  const longest = columnWidths(rows);
  return narrowed([[...head, ...heads], ...rows], width, (column) => LEAST_OF_TABLE[column] ?? longest[column] ?? 0);
}

/** Of a comparison: `+ first`, `- last`, `first -> last`, or what stays. */
function priorityText({ before, priority }: ShownMembership, view: ShownMembers['view']): string {
  if (view !== 'both' || before === priority) return priority ?? '';
  if (before === null) return `+ ${priority}`;
  return priority === null ? `- ${before}` : `${before} -> ${priority}`;
}

function groupLines(members: ShownMembers, paint: Paint): readonly string[] {
  const { width } = paint;
  const inGroups = membersByGroup(members);
  const nowhere = membersNowhere(members);
  const cells = (member: ShownMember, priority: string): readonly string[] => {
    const [address, name] = memberCells(member);
    return [priority, address, name, memberState(member)];
  };
  const lists = [
    ...members.groups.map((group) => {
      const list = inGroups.get(group.address) ?? [];
      const called = nameBeyondAddress(group);
      const title = [plain(group.address), ...(called === '' ? [] : [plain(called)]), sizeText(list)];
      const rows = list.map(({ member, membership }) => cells(member, priorityText(membership, members.view)));
      return {
        title: table(
          narrowed([title], width, (column) => LEAST[column] ?? Number.POSITIVE_INFINITY),
          undefined,
        ).join(''),
        rows,
      };
    }),
    ...[...nowhere].map(([title, those]) => ({ title, rows: those.map((member) => cells(member, '')) })),
  ];
  const all = lists.flatMap(({ rows }) => rows);
  const lines = linesByRow(
    narrowed(all, within(width, INDENT), (column) => LEAST[column - 1] ?? Number.POSITIVE_INFINITY),
    width,
    INDENT,
  );
  let used = 0;
  return lists.flatMap(({ title, rows }, index) => {
    used += rows.length;
    return [...(index === 0 ? [] : ['']), paint('strong', title), ...lines.slice(used - rows.length, used).flat()];
  });
}

function personLines(members: ShownMembers, paint: Paint): readonly string[] {
  const { width } = paint;
  const names = groupNames(members);
  const groupsOf = (member: ShownMember): readonly string[] =>
    member.groups.map((each) => `${plain(names.get(each.group) ?? each.group)} ${priorityText(each, members.view)}`);
  const head = ['ADDRESS', 'NAME', 'NOTE', 'GROUPS'];
  const whole = [head, ...members.people.map((member) => [...memberCells(member), groupsOf(member).join(', ')])];
  if (fits(whole, width)) return headedTable(whole, paint);
  const [first = [], ...lines] = linesByRow(
    narrowed(
      [head.slice(0, -1), ...members.people.map(memberCells)],
      width,
      (column) => LEAST[column] ?? Number.POSITIVE_INFINITY,
    ),
    width,
  );
  return [
    ...first.map((line) => paint('strong', line)),
    ...members.people.flatMap((member, index) => [
      ...(lines[index] ?? []),
      ...wrapped(groupsOf(member), width, ', ', `${INDENT}${INDENT}`),
    ]),
  ];
}
