// The view of what `drift --accept` copied into the files, and what it left.

import { groupedBy } from '../../../base/grouped.ts';
import { counted } from '../../../base/text.ts';
import type { About } from '../../../many/operation.ts';
import type { Difference } from '../../../plan/differences/difference.ts';
import type { Block, Item, Items, Section, Table, View } from '../../../view/blocks.ts';
import { nameOf } from '../../../view/words/difference.ts';
import type { Acceptance } from './write-accept.ts';

export function acceptView({ taken, left, files }: Acceptance, { target }: Pick<About, 'target'>): View {
  const copied: Items = {
    type: 'items',
    sides: [],
    items: taken.map(copiedItem),
    isOpen: true,
  };
  const stays: Section = {
    type: 'section',
    id: 'left',
    title: 'Not copied into the manifest',
    tone: 'warning',
    count: left.length,
    body: [
      {
        type: 'items',
        sides: [],
        items: left.map(({ item, reason, place }): Item => ({ label: nameOf(item), place, remarks: [reason] })),
        isOpen: true,
      },
    ],
  };
  return {
    title: ['Drift of ', { text: target, as: 'name' }],
    mark: taken.length === 0 ? { sign: '-', word: 'nothing copied', tone: 'calm' } : COPIED,
    result:
      taken.length === 0
        ? 'Nothing was copied into the manifest, and no file was written.'
        : [
            { text: 'Copied into the manifest:', tone: 'strong' },
            ` ${counted(taken.length, 'difference')}; the files now match the license there. Review and commit them: the next apply has nothing to send for these differences.`,
          ],
    about: [],
    body: [
      ...(taken.length === 0 ? [] : [copied]),
      ...(files.length === 0
        ? []
        : [{ type: 'list', texts: files.map((file) => ['written  ', { text: file, as: 'file' }] as const) } as const]),
      ...(left.length === 0 ? [] : [stays]),
      ...pasteSections(left),
    ],
  };
}

/** What to write by hand, in YAML, with its place. Differences that the same lines end are told together. */
function pasteSections(left: Acceptance['left']): readonly Section[] {
  const pastes = left.flatMap(({ item, paste }) => (paste === null ? [] : [{ item, paste }]));
  const alike = groupedBy(pastes, ({ paste }) => JSON.stringify(paste));
  const body = Array.from(alike.values(), (those): readonly Block[] => {
    const [{ paste }] = those;
    const { place, is, lines } = paste;
    const at = place === null ? [] : [{ text: `${place.file}:${place.line}`, as: 'file' } as const];
    const where = { replaced: ', in the place of ', before: ', before ', added: ', below its section' }[is];
    return [
      { type: 'text', text: [{ names: those.map(({ item }) => nameOf(item)), most: MOST_NAMES }, where, ...at, ':'] },
      { type: 'code', lines },
    ];
  }).flat();
  return body.length === 0 ? [] : [{ type: 'section', id: 'by-hand', title: 'To write by hand', body }];
}

/** Differences that a line names. */
const MOST_NAMES = 3;

/** What is new in the files is named as people know it: its address may be the id of the license. */
function copiedItem(item: Difference): Item {
  const { kind, address, name } = item;
  switch (kind) {
    case 'unmanaged':
      return { mark: ADDED, label: nameOf(item), ...(address.endsWith(`/${name}`) ? {} : { about: name }) };
    case 'missing':
      return { mark: REMOVED, label: nameOf(item) };
    default:
      return { mark: COPIED, label: nameOf(item) };
  }
}

const ADDED = { sign: '+', word: 'added', tone: 'add' } as const;
const REMOVED = { sign: '-', word: 'removed', tone: 'destroy' } as const;
const COPIED = { sign: '~', word: 'copied', tone: 'change' } as const;

/** A row for each difference. */
export function acceptTable({ taken, left }: Acceptance): Table {
  return {
    type: 'table',
    columns: ['result', 'address', 'name', 'path', 'reason'].map((title) => ({ title })),
    rows: [
      ...taken.map((item) => ({ cells: ['copied', item.address, item.name, item.path.join('.'), ''] })),
      ...left.map(({ item, reason }) => ({ cells: ['left', item.address, item.name, item.path.join('.'), reason] })),
    ],
  };
}
