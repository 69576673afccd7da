// What needs a person, as a section of a page.

import { few } from '../../base/text.ts';
import type { Row, Section, Table } from '../../view/blocks.ts';
import type { ShownObject } from '../show/schema.ts';
import { messageSpan, placeText } from './message.ts';
import type { Actor, OpenNeed } from './needs.ts';
import type { LicensePage } from './page.ts';

/** Names of people in a cell. */
export const MOST_NAMES = 6;

const ACTORS: { readonly [who in Actor]: string } = {
  application: 'an administrator, in the application',
  files: 'whoever edits the files',
  run: 'whoever runs chatform',
};

/** What the reader may want, to be cut down to the one that is meant. */
export const WISHES: { readonly [about in OpenNeed['about']]: string } = {
  unread: 'it can be read',
  files: 'the files have no such error',
  test: 'the test passes again, or says what is right now',
  run: 'it is carried to its end',
  approval: 'approved, or not let in and taken out of the files',
  suspended: 'back at work, or taken out of the groups in the files',
  withheld: 'it is applied, or taken out of the files',
  drift: 'it stays as it is now and the files say so, or it is put back',
  ignore: 'a later last day, or the files say what is so by now',
};

export function needsSection({ needs, unread, people }: LicensePage): Section {
  const administrators = people.filter(isAdministrator).map(({ name }) => name);
  const empty = unread.length === 0 ? 'Nothing.' : 'Nothing of what could be read.';
  return {
    type: 'section',
    id: 'needs',
    title: 'Needs a person',
    count: needs.length,
    body: [needs.length === 0 ? { type: 'text', text: empty } : needsTable(needs, administrators)],
  };
}

function isAdministrator({ spec }: ShownObject): boolean {
  return typeof spec['role'] === 'string' && spec['role'] !== 'normal' && spec['suspended'] !== true;
}

/** `administrators`: names of those who can do what is done in the application, where they are known. */
export function needsTable(needs: readonly OpenNeed[], administrators: readonly string[] = []): Table {
  const rows = needs.map(
    ({ about, names, says, who, place, severity, since }): Row => ({
      cells: [
        { text: severity, tone: severity },
        [
          ...(names.length > MOST_NAMES ? [`${names.length}: `] : []),
          ...(names.length === 0 ? [says] : [{ names, most: MOST_NAMES }, `: ${says}`]),
          messageSpan([few(names, MOST_NAMES), says].filter((part) => part !== '').join(': '), place, WISHES[about]),
        ],
        since === null ? '' : { text: since, as: 'time' },
        who === 'application' && administrators.length > 0
          ? [`${ACTORS[who]}: `, { names: administrators, most: MOST_NAMES }]
          : ACTORS[who],
        place === null ? '' : { text: placeText(place), as: 'file' },
      ],
    }),
  );
  const columns = ['Severity', 'What', 'Since', 'Who can', 'Where'].map((title) => ({ title }));
  return { type: 'table', name: 'Needs a person', columns, rows };
}
