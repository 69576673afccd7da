// The view of a comparison: what only one license has, and what differs, in the words of a plan.

import { counted } from '../../base/text.ts';
import { KINDS } from '../../kinds/index.ts';
import { soleNames, summaryOf } from '../../kinds/words.ts';
import type { Item, Mark, Table, View } from '../../view/blocks.ts';
import { MOST_PHRASES } from '../../view/writers/terminal-items.ts';
import { differingItems } from '../plan/changes.ts';
import { cellOf } from '../plan/table.ts';
import type { DifferentObject, LicenseDiff } from './schema.ts';

const ALIKE: Mark = { sign: '✓', word: 'alike', tone: 'add' };
const DIFFERENT: Mark = { sign: '~', word: 'different', tone: 'change' };

export function diffView(diff: LicenseDiff): View {
  const { target, other, on, items } = diff;
  const marks = marksOf(diff);
  const named = namesIn(items);
  return {
    title: ['Difference of ', { text: target, as: 'name' }, ' and ', { text: other, as: 'name' }],
    mark: items.length === 0 ? ALIKE : DIFFERENT,
    result: resultText(diff),
    about: [on === 'files' ? 'What the files declare.' : 'What the licenses have.'],
    body:
      items.length === 0
        ? []
        : [
            {
              type: 'items',
              sides: [
                { short: target, title: target },
                { short: other, title: other },
              ],
              items: items.map((item) => itemOf(item, marks, named)),
              isPlaceDetail: true,
            },
          ],
  };
}

function marksOf({ target, other }: LicenseDiff): { readonly [is in DifferentObject['is']]: Mark } {
  return {
    only_in_target: { sign: '-', word: `only in ${target}`, tone: 'destroy' },
    only_in_other: { sign: '+', word: `only in ${other}`, tone: 'add' },
    different: DIFFERENT,
  };
}

function itemOf(
  { is, type, address, name, fields, spec, moved, source, other_source: otherSource }: DifferentObject,
  marks: ReturnType<typeof marksOf>,
  named: (reference: string) => string,
): Item {
  const mark = marks[is];
  const about = spec === undefined ? name : summaryOf(KINDS[type], spec, named, MOST_PHRASES[0]) || name;
  const happens = [
    ...(spec === undefined ? [] : [mark.word]),
    ...(moved === undefined ? [] : [`position ${moved.target} -> ${moved.other}`]),
  ];
  return {
    mark,
    label: { text: address, as: 'address' },
    ...(address.endsWith(`/${about}`) ? {} : { about }),
    ...(happens.length === 0 ? {} : { happens: happens.join(', ') }),
    alike: { ...KINDS[type].noun, called: named(address) },
    place: source ?? otherSource,
    items: fields.flatMap(({ field, target, other }) =>
      differingItems(type, { field, before: target, after: other }, named),
    ),
  };
}

function namesIn(items: readonly DifferentObject[]): (reference: string) => string {
  const names = soleNames(items.map(({ type: kind, address: reference, name }) => ({ kind, reference, name })));
  return (reference) => names.get(reference) ?? reference.slice(reference.indexOf('/') + 1);
}

function resultText({ target, other, on, items, alike }: LicenseDiff): string {
  const same = `${counted(alike, 'object')} ${alike === 1 ? 'is' : 'are'} alike`;
  if (items.length === 0)
    return `No differences: ${target} and ${other} ${on === 'files' ? 'declare' : 'have'} the same; ${same}.`;
  const count = (is: DifferentObject['is']): number => items.filter((item) => item.is === is).length;
  const parts = [
    [count('different'), 'different'],
    [count('only_in_target'), `only in ${target}`],
    [count('only_in_other'), `only in ${other}`],
  ] as const;
  return `${parts.flatMap(([found, what]) => (found === 0 ? [] : [`${found} ${what}`])).join(', ')}; ${same}.`;
}

const COLUMNS = ['is', 'kind', 'address', 'name', 'field', 'target', 'other', 'file', 'line'];

/** A row for each field that differs, and for each object that only one has. */
export function diffTable({ items }: LicenseDiff): Table {
  const rows = items.flatMap(({ is, type, address, name, fields, moved, source, other_source: otherSource }) => {
    const place = source ?? otherSource;
    const order = moved === undefined ? [] : [['position', moved.target, moved.other] as const];
    const values = fields.map(({ field, target, other }) => [field, cellOf(target), cellOf(other)] as const);
    const all = [...order, ...values];
    return (all.length === 0 ? [['', '', ''] as const] : all).map((cells) => ({
      cells: [is, type, address, name, ...cells, place?.file ?? '', place?.line ?? ''],
    }));
  });
  return { type: 'table', columns: COLUMNS.map((title) => ({ title })), rows };
}
