// What needs a person, as a section of a page.

import { few } from '../../base/text.ts';
import type { Block, Row, Section, Table } from '../../view/blocks.ts';
import type { ShownObject } from '../show/schema.ts';
import { messageSpan, placeText } from './message.ts';
import type { Actor, OpenNeed } from './needs.ts';
import type { LicensePage } from './page.ts';

/** Names of people in a cell. */
export const MOST_NAMES = 6;

const ACTORS: { readonly [who in Actor]: string } = {
  application: 'an administrator, in the application',
  files: 'the people who edit the files',
  either: 'an administrator, in the application; the people who edit the files can keep it',
  run: 'the people who run chatform',
  apply: 'the next apply puts it right; the people who edit the files can keep it',
};

/** What the reader may ask for, to be cut down to the one that is meant. */
export const WISHES: { readonly [about in OpenNeed['about']]: string } = {
  unread: 'make it readable.',
  files: 'correct the files.',
  test: 'correct the rules, or the test.',
  run: 'bring the run to its end.',
  unapplied: 'apply the files.',
  approval: 'approve the person, or take the person out of the files.',
  suspended: 'let the person work again, or take the person out of the groups in the files.',
  withheld: 'apply it, or take it out of the files.',
  drift: 'keep it and change the files, or put it back.',
  ignore: 'set a later last day, or write into the files what is so by now.',
};

const WISHES_FOR_SEVERAL: Partial<typeof WISHES> = {
  approval: 'approve these people, or take them out of the files.',
  suspended: 'let these people work again, or take them out of the groups in the files.',
};

/** Names may be counted already: `2 people`. */
function wishOf({ about, names }: OpenNeed): string {
  const isPlural = names.length > 1 || / people$/.test(names[0] ?? '');
  return (isPlural ? WISHES_FOR_SEVERAL[about] : undefined) ?? WISHES[about];
}

export function needsSection({ target, needs, unread, people }: LicensePage): Section {
  const administrators = people.filter(isAdministrator).map(({ name }) => name);
  const asked = needs.some(({ who }) => who === 'application') && administrators.length > 0;
  const empty = unread.length === 0 ? 'Nothing.' : 'Nothing of what could be read.';
  return {
    type: 'section',
    id: 'needs',
    title: 'Needs a person',
    count: needs.length,
    body: [
      needs.length === 0 ? { type: 'text', text: empty } : withoutEmpty(needsTable(needs, target)),
      ...(asked ? [administratorsText(administrators)] : []),
    ],
  };
}

function isAdministrator({ spec }: ShownObject): boolean {
  const isAtWork = spec['suspended'] !== true && spec['awaiting_approval'] !== true;
  return isAtWork && typeof spec['role'] === 'string' && spec['role'] !== 'normal';
}

/** Once for all needs, as they are the same for each. */
function administratorsText(names: readonly string[]): Block {
  return { type: 'text', text: ['Administrators of this license: ', { names, most: MOST_NAMES }, '.'] };
}

export function needsTable(needs: readonly OpenNeed[], target: string): Table {
  const rows = needs.map((need): Row => {
    const { names, says, who, place, severity, since } = need;
    return {
      cells: [
        { text: severity, tone: severity },
        [
          ...(names.length > MOST_NAMES ? [`${names.length}: `] : []),
          ...(names.length === 0 ? [says] : [{ names, most: MOST_NAMES }, `: ${says}`]),
          messageSpan(
            target,
            [few(names, MOST_NAMES), says].filter((part) => part !== '').join(': '),
            place,
            wishOf(need),
          ),
        ],
        since === null ? '' : { text: since, as: 'time' },
        ACTORS[who],
        place === null ? '' : { text: placeText(place), as: 'file' },
      ],
    };
  });
  const columns = ['Severity', 'What', 'Since', 'Who can', 'Where'].map((title) => ({ title }));
  return { type: 'table', name: 'Needs a person', columns, rows };
}

/** Without columns in which nothing stands. */
export function withoutEmpty({ columns, rows, ...table }: Table): Table {
  const kept = columns.map((_, at) => rows.some(({ cells }) => cells[at] !== ''));
  const keptOf = <T>(all: readonly T[]): readonly T[] => all.filter((_, at) => kept[at]);
  return { ...table, columns: keptOf(columns), rows: rows.map((row) => ({ ...row, cells: keptOf(row.cells) })) };
}
