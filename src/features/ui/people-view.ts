// The people of a license on its page: a search, a row for each with groups, hours and what is not as usual, and the matrix.

import { counted } from '../../base/text.ts';
import type { Row, Section, Table } from '../../view/blocks.ts';
import { groupNames, memberCounts, memberNote, membersResult, membersTable, membersView } from '../show/members.ts';
import type { ShownMember } from '../show/schema.ts';
import type { LicensePage } from './page.ts';

export function peopleSection({ members, working, isOfFiles }: LicensePage, script: string): Section {
  const { agents: people, bots } = memberCounts(members);
  return {
    type: 'section',
    id: 'people',
    title: 'People',
    count: people,
    body: [
      ...(bots === 0
        ? []
        : [{ type: 'text', text: `${counted(people, 'person', 'people')}, ${counted(bots, 'bot')}.` } as const]),
      {
        type: 'picture',
        picture: {
          kind: 'form',
          id: 'find',
          name: 'Find a person',
          fields: [{ name: 'person', label: 'Name, address or group', example: 'Ann', type: 'text' }],
          button: 'Show all',
          data: null,
          script,
        },
        instead: [],
      },
      peopleTable(members, working, isOfFiles),
      {
        type: 'section',
        id: 'members',
        title: 'Who is in which group',
        fold: { brief: membersResult(members) },
        body: [
          ...membersView(members, null).body.slice(0, -1),
          { type: 'text', text: 'Chats go to first, then normal, then last; a supervisor gets none.' },
          {
            type: 'picture',
            picture: {
              kind: 'file',
              name: 'members.csv',
              label: 'The same as a table for a spreadsheet (CSV)',
              table: membersTable(members, null),
            },
            instead: [],
          },
        ],
      },
    ],
  };
}

/** Place of the column that a license without other hours has no use for. */
const AHEAD = 4;

/** What the script reads: a row is shown while it has the text. */
function peopleTable(members: LicensePage['members'], working: LicensePage['working'], isOfFiles: boolean): Table {
  const names = groupNames(members);
  const rows = members.people.map((member): Row => {
    const { slots = null, hours = [], ahead = [] } = working[member.address] ?? {};
    return {
      cells: [
        [`${member.name} `, ...(member.address.endsWith(`/${member.name}`) ? [] : [addressSpan(member)])],
        slots ?? '-',
        { names: member.groups.map(({ group, priority }) => `${names.get(group) ?? group} (${priority})`) },
        { names: hours },
        { names: ahead.map((text) => withNames(text, names)) },
        noteText(member, isOfFiles),
      ],
    };
  });
  const columns = ['Name', 'Chats', 'Groups', 'Hours', 'Not as usual', 'Note'].map((title) =>
    title === 'Chats' ? { title, isNumber: true } : { title },
  );
  const isUsual = members.people.every(({ address }) => working[address]?.ahead.length === 0);
  const without = <T>(all: readonly T[]): readonly T[] => (isUsual ? all.filter((_, at) => at !== AHEAD) : all);
  return {
    type: 'table',
    name: 'All people',
    columns: without(columns),
    rows: rows.map(({ cells }) => ({ cells: without(cells) })),
  };
}

function addressSpan({ address }: ShownMember) {
  return { text: address.slice(address.indexOf('/') + 1), tone: 'faint' } as const;
}

/** A group is called by its name. */
function withNames(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(/group\/\S+/, (address) => names.get(address) ?? address);
}

const OWNERSHIP = { declared: '', owned: 'no longer in the files', unmanaged: 'in no file' } as const;

/** Files that could not be read say nothing of a person. */
function noteText(member: ShownMember, isOfFiles: boolean): string {
  return [memberNote(member), isOfFiles ? OWNERSHIP[member.ownership] : ''].filter((text) => text !== '').join(', ');
}
