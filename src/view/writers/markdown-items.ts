// Items as the rows of a table, and below it what the table has no room for.

import { few } from '../../base/text.ts';
import type { Item, Items, Mark, Value, WordedChange } from '../blocks.ts';
import type { BudgetPart } from '../budget.ts';
import { LIMITS } from '../limits.ts';
import { code, cut, placeLink, prose } from '../markdown.ts';
import { entities } from '../plain.ts';
import {
  fitted,
  headOf,
  inline,
  LIMIT,
  type MarkdownMedium,
  markText,
  moreText,
  rowOf,
  textsOf,
} from './markdown-text.ts';
import { itemText } from './terminal-items.ts';

/** A row for each item, or each field of it, the heaviest item first; below the table what a row has no room for, folded. */
export function itemsText(block: Items, medium: MarkdownMedium): string {
  const { sides, isRemarked = false } = block;
  if (block.items.length === 0) return '';
  const items = block.items
    .map((item) => shownItem(item, isRemarked))
    .toSorted((one, other) => (other.weight ?? 0) - (one.weight ?? 0));
  const has = {
    marks: items.some(({ mark, items: inside = [] }) =>
      [mark, ...inside.map((each) => each.mark)].some((each) => each !== undefined),
    ),
    what: items.some(
      ({ about, happens, remarks = [], items: inside = [] }) =>
        about !== undefined || happens !== undefined || inside.length + remarks.length > 0,
    ),
    values: items.some(hasValues),
    places: items.some(({ place, items: inside = [] }) =>
      [place, ...inside.map((each) => each.place)].some((each) => each !== undefined && each !== null),
    ),
  };
  const titles = [
    ...(has.marks ? ['Change'] : []),
    'Resource',
    ...(has.what ? ['What'] : []),
    ...(has.values ? sides.map(({ title }) => title) : []),
    ...(has.places ? ['Declared at'] : []),
  ];
  const row = ({ marks, resource, what, values, place }: ItemRow): string =>
    rowOf([
      ...(has.marks ? [marks.map(markText).join(', ')] : []),
      resource,
      ...(has.what ? [what] : []),
      ...(has.values ? sides.map((_, side) => values[side] ?? '') : []),
      ...(has.places ? [placeLink(place, medium.lineOf)] : []),
    ]);
  const parts = items.map((item): BudgetPart<string> => {
    const weight = medium.weight + (item.weight ?? 0);
    const line = (): string => row(lineRow(item));
    const inside = item.items ?? [];
    return inside.length === 0
      ? { weight, levels: [line] }
      : { weight, levels: [line, () => fullRows(item).map(row).join('')] };
  });
  const head = headOf(titles.map((title) => [title, false]));
  const table = head + fitted(parts, medium, moreText(medium)).join('');
  const remarks = (block.remarks ?? []).map((text) => `${inline(text)}\n`);
  return [table, detailsText(block, medium), ...remarks].filter((text) => text !== '').join('\n');
}

/** An item as its rows show it. */
function shownItem(item: Item, isRemarked: boolean): Item {
  const { remarks, ...own } = item;
  return isRemarked ? item : own;
}

function hasValues({ values, words, items = [] }: Item): boolean {
  return values !== undefined || words !== undefined || items.some(hasValues);
}

interface ItemRow {
  readonly marks: readonly Mark[];
  readonly resource: string;
  readonly what: string;
  readonly values: readonly string[];
  readonly place: NonNullable<Item['place']> | null;
}

function lineRow(item: Item): ItemRow {
  const { mark, label, items = [], place } = item;
  const own = mark === undefined ? items.flatMap((each) => each.mark ?? []) : [mark];
  const names = items.map((each) => inline(each.label));
  return {
    marks: [...new Map(own.map((each) => [each.word, each])).values()],
    resource: inline(label),
    what: saidOf(item, names.length === 0 ? [] : [few(names, LIMIT.names)]),
    values: items.length === 0 ? valuesOf(item) : [],
    place: place ?? items.find((each) => each.place)?.place ?? null,
  };
}

/** What is said of it, with its remarks below. */
function saidOf({ about, happens, remarks = [] }: Item, more: readonly string[] = []): string {
  const said = [...textsOf(about, happens), ...more].join(', ');
  return [...(said === '' ? [] : [said]), ...textsOf(...remarks)].join('<br>');
}

/** A row for each field. The resource stands in the first one, or in a row of its own where there are remarks. */
function fullRows(item: Item): readonly ItemRow[] {
  const { mark, label, remarks = [], items = [], place } = item;
  const rows = items.flatMap((field) =>
    leavesOf(field).map((leaf): ItemRow => {
      const { remarks: _, ...own } = leaf;
      const signs = [leaf.mark ?? field.mark].flatMap((each) => (each === undefined ? [] : [each]));
      return {
        marks:
          mark === undefined ? [field.mark ?? signs[0]].flatMap((each) => (each === undefined ? [] : [each])) : [mark],
        resource: '',
        what: [inline(own.label), ...textsOf(own.about, own.happens)].join(', '),
        values: valuesOf(own),
        place: leaf.place ?? field.place ?? null,
      };
    }),
  );
  const [first, ...others] = rows;
  if (first === undefined) return [];
  const resource = inline(label);
  const said = saidOf(item);
  const all =
    remarks.length > 0
      ? [{ ...lineRow({ ...item, items: [] }), marks: first.marks }, ...rows]
      : [
          {
            ...first,
            resource,
            what: [...(said === '' ? [] : [said]), first.what].join(', '),
            place: first.place ?? place ?? null,
          },
          ...others,
        ];
  const shown = all.slice(0, LIMIT.members);
  const left = all.length - shown.length;
  return left <= 0 ? shown : [...shown, { marks: [], resource: '', what: `and ${left} more`, values: [], place: null }];
}

/** The members that differ; the field itself where there are none, or where words say what differs. */
function leavesOf(field: Item): readonly Item[] {
  const { items = [], words = [] } = field;
  return words.length > 0 || !items.some(hasValues) ? [field] : items.flatMap(leavesOf);
}

function valuesOf({ values = [], words = [] }: Item): readonly string[] {
  if (words.length === 0) return values.map(valueText);
  const side = (of: 'before' | 'after'): string => words.flatMap((each) => sideText(each, of)).join(', ');
  return [side('before'), side('after')];
}

function sideText(change: WordedChange, side: 'before' | 'after'): readonly string[] {
  const text = change[side];
  return text === null ? [] : [code(cut([change.about, text].filter((part) => part !== '').join(' '), LIMIT.value))];
}

function valueText(value: Value): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? code(cut(value, LIMIT.value)) : prose(value.unknown);
}

/** What the table has no room for, in the form of a terminal. */
function detailsText({ items, sides, isRemarked = false }: Items, medium: MarkdownMedium): string {
  const detailed = items.filter((item) => hasMore(isRemarked ? { ...item, remarks: [] } : item));
  if (detailed.length === 0) return '';
  const parts = detailed.map((item): BudgetPart<string> => {
    const lines = (): readonly string[] => itemText(item, sides, LIMITS.unfolded).map((line) => entities(line));
    return { weight: medium.weight + (item.weight ?? 0), levels: [() => `${lines().join('\n')}\n\n`] };
  });
  const texts = fitted(parts, { ...medium, isFolded: true }, (left) => `and ${left} more\n`);
  return `<details><summary>Details</summary>\n\n<pre>\n${texts.join('').trimEnd()}\n</pre>\n\n</details>\n`;
}

function hasMore({ remarks = [], names = [], values = [], items = [], details }: Item): boolean {
  if (details !== undefined || remarks.length + names.length > 0) return true;
  return values.some((value) => typeof value === 'string' && value.length > LIMIT.value) || items.some(hasMore);
}
