// The report formats of `show`, and its CSV. Nothing in them is cut.

import type { Shown, ShownMembers } from '../../tasks/show/schema.ts';
import { csvText } from '../../view/writers/csv.ts';
import { showPage } from '../html/show.ts';
import type { MembersBy } from '../text/members.ts';
import { kindRows, resourceRows } from '../words/show.ts';
import { memberNote, type ShownMembership } from '../words/staff.ts';

/** What is shown of a license, and how. */
export interface ShownReading {
  readonly shown: Shown;
  /** Fields that a table has. */
  readonly columns: readonly string[];
  readonly by: MembersBy;
  /** When the license was read, RFC 3339. */
  readonly at: string;
}

export const showRenderers = {
  html: ({ shown, columns, at }: ShownReading) => showPage(shown, columns, at),
  csv: showCsv,
} as const;

export const SHOW_REPORTS = Object.keys(showRenderers) as readonly (keyof typeof showRenderers)[];

function showCsv({ shown, columns, by }: ShownReading): string {
  const { members, resources, kinds } = shown;
  if (members !== undefined) return csvText(by === null ? matrixRows(members) : membershipRows(members));
  const [head = [], ...rows] = resources === null ? kindRows(kinds) : resourceRows(resources, columns, 'not read');
  return csvText([head.map((title) => title.toLowerCase().replaceAll(' ', '_')), ...rows]);
}

const ABOUT = ['address', 'name', 'ownership', 'note'];

/** A line for each person, a column for each group. */
function matrixRows({ groups, people, view }: ShownMembers): readonly (readonly string[])[] {
  return [
    [...ABOUT, ...groups.map(({ address }) => address)],
    ...people.map((member) => {
      const own = new Map(member.groups.map((each) => [each.group, changeText(each, view)]));
      const { address, name, ownership } = member;
      return [address, name, ownership, memberNote(member), ...groups.map((group) => own.get(group.address) ?? '')];
    }),
  ];
}

/** Without the signs that a spreadsheet takes for formulas. */
function changeText({ before, priority }: ShownMembership, view: ShownMembers['view']): string {
  if (view !== 'both' || before === priority) return priority ?? '';
  if (before === null) return `joins: ${priority}`;
  return priority === null ? `leaves: ${before}` : `${before} -> ${priority}`;
}

/** A line for each membership, and one for each person in no group. */
function membershipRows({ groups, people, view }: ShownMembers): readonly (readonly string[])[] {
  const names = new Map(groups.map(({ address, name }) => [address, name]));
  const before = view === 'both' ? ['before'] : [];
  const rows = people.flatMap((member) => {
    const { address, name, ownership } = member;
    const about = [address, name, ownership, memberNote(member)];
    if (member.groups.length === 0) return [[...about, '', '', ...before.map(() => ''), '']];
    return member.groups.map((each) => [
      ...about,
      each.group,
      names.get(each.group) ?? '',
      ...before.map(() => each.before ?? ''),
      each.priority ?? '',
    ]);
  });
  return [[...ABOUT, 'group', 'group_name', ...before, 'priority'], ...rows];
}
