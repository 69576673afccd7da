// What needs a person, as a section of a page.

import type { Row, Section, Table } from '../../view/blocks.ts';
import type { Actor, OpenNeed } from './needs.ts';

/** Names of people in a cell. */
export const MOST_NAMES = 6;

const ACTORS: { readonly [who in Actor]: string } = {
  application: 'an administrator, in the application',
  files: 'whoever edits the files',
  run: 'whoever runs chatform',
};

export function needsSection(needs: readonly OpenNeed[], unread: readonly string[]): Section {
  const empty = unread.length === 0 ? 'Nothing.' : 'Nothing of what could be read.';
  return {
    type: 'section',
    id: 'needs',
    title: 'Needs a person',
    count: needs.length,
    body: [needs.length === 0 ? { type: 'text', text: empty } : needsTable(needs)],
  };
}

export function needsTable(needs: readonly OpenNeed[]): Table {
  const rows = needs.map(
    ({ names, says, who, place, severity, since }): Row => ({
      cells: [
        { text: severity, tone: severity },
        names.length === 0
          ? says
          : [...(names.length > MOST_NAMES ? [`${names.length}: `] : []), { names, most: MOST_NAMES }, `: ${says}`],
        since === null ? '' : { text: since, as: 'time' },
        ACTORS[who],
        place === null ? '' : { text: `${place.file}:${place.line}`, as: 'file' },
      ],
    }),
  );
  const columns = ['', 'What', 'Since', 'Who can', 'Where'].map((title) => ({ title }));
  return { type: 'table', name: 'Needs a person', columns, rows };
}
