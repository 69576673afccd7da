// Items as lines of a terminal: a resource, its fields, their members. Alike items are one.

import { grouped } from '../../base/grouped.ts';
import { counted, few } from '../../base/text.ts';
import {
  type Item,
  type Items,
  plainText,
  type Side,
  spansOf,
  type Text,
  type WordedChange,
  withDetails,
} from '../blocks.ts';
import { LIMITS, type Limits, MOST_ALONE } from '../limits.ts';
import { plain } from '../plain.ts';
import { columnsOf, cutTo, ELLIPSIS, fewWithin, within } from '../terminal/narrow.ts';
import {
  limited,
  lineOf,
  STEP,
  spanText,
  type TerminalMedium,
  toned,
  valueText,
  wrapped,
  written,
} from './terminal-text.ts';

/** One item in full, in the form of a terminal without colours: what a finding says. */
export function itemText(item: Item, sides: readonly Side[], limits: Limits = LIMITS.finding): readonly string[] {
  const medium: TerminalMedium = { paint: (_tone, text) => text, limits, isDetailed: true };
  return itemLines(withDetails(item), { type: 'items', sides, items: [] }, '', 0, medium);
}

export function itemsLines(block: Items, indent: string, medium: TerminalMedium): readonly string[] {
  const { isDetailed, limits } = medium;
  const entries = isDetailed
    ? block.items.map(withDetails)
    : groupsOf(block.items).flatMap(([first, ...others]) => {
        if (first === undefined) return [];
        if (others.length === 0) return [first];
        const isOwned = others.length < MOST_ALONE.without && !hasInside(first);
        return [isOwned ? ownedItem(first, others) : groupedItem(first, others)];
      });
  const short =
    isDetailed || block.isAddressed === true ? asIs : shortIds(entries, within(medium.paint.width, indent + STEP));
  const lines = limited(entries, limits.items, indent, (item) => [
    ...itemLines(short(item), block, indent, 0, medium),
    ...(block.isSpaced === true ? [''] : []),
  ]);
  const all = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  const below = block.remarks ?? [];
  return [...all, ...below.flatMap((text) => lineOf(written(text, medium), indent + STEP, medium))];
}

function asIs(item: Item): Item {
  return item;
}

/** Alike items where the first of them stands; few of them stay alone, but for values of one owner. */
function groupsOf(items: readonly Item[]): readonly (readonly Item[])[] {
  const keys = items.map((item) => (item.alike === undefined ? null : likenessOf(item, item.alike.one)));
  const groups = grouped(items.map((item, index) => [keys[index], item]));
  return items.flatMap((item, index): readonly (readonly Item[])[] => {
    const key = keys[index] ?? null;
    const same = key === null ? [item] : (groups.get(key) ?? [item]);
    const isWhole = !hasInside(item);
    if (same.length > (isWhole ? MOST_ALONE.without : MOST_ALONE.withFields)) return same[0] === item ? [same] : [];
    const owner = isWhole ? item.alike?.owner : undefined;
    const values = owner === undefined ? [item] : same.filter(({ alike }) => alike?.owner === owner);
    return values[0] === item ? [values] : [];
  });
}

function hasInside({ items = [], words = [], values = [] }: Item): boolean {
  return items.length + words.length + values.length > 0;
}

/** Equal for items that differ in nothing but what distinguishes objects. */
function likenessOf({ mark, happens, values, words, names, items = [], remarks }: Item, noun: string): string {
  const inside = items.map((field) => ({ ...field, place: null }));
  return JSON.stringify([noun, mark, happens, values, words, names, inside, remarks]);
}

/** One item for several: their number, and as many names as fit. */
function groupedItem(first: Item, others: readonly Item[]): Item {
  const { alike, happens, about: _, shorter: __, place: ___, ...rest } = first;
  const all = [first, ...others];
  const count = counted(all.length, alike?.one ?? '', alike?.many);
  const facts = [
    hasInside(first) ? `${count} with the same ${first.mark?.tone === 'warning' ? 'difference' : 'change'}` : count,
    ...(happens === undefined ? [] : [plainText(happens)]),
  ];
  const names = all.map((each) => each.alike?.called ?? plainText(each.label));
  return { ...rest, label: `${facts.join(', ')}:`, about: { names } };
}

/** Phrases in a line of several values, or of one: as many as fit. */
export const MOST_PHRASES = [5, 4, 3, 2, 1] as const;

/** `group_property/sales/app  first_reply_target 20, support_tier priority`. */
function ownedItem(first: Item, others: readonly Item[]): Item {
  const all = [first, ...others];
  const names = all.map((each) => each.alike?.called ?? '');
  const values = all.map((each, nth) => `${names[nth]} ${plainText(each.about ?? '')}`);
  const [about = '', ...shorter] = [
    ...[values, names].flatMap((each) => MOST_PHRASES.map((most) => few(each, most))),
    counted(all.length, 'value'),
  ];
  const { place: _, ...rest } = first;
  return { ...rest, label: { text: first.alike?.owner ?? '', as: 'address' }, about, shorter: () => shorter };
}

/** Long ids by their beginnings, where the line of an item is too wide with them. Ids that begin alike stay whole. */
function shortIds(items: readonly Item[], width: number | undefined): (item: Item) => Item {
  if (width === undefined) return asIs;
  const lines = items.map(({ label, about = '' }) => plainText(label) + STEP + plainText(about));
  if (!lines.some((line) => columnsOf(line) > width && LONG_ID.test(line))) return asIs;
  const ids = new Set(lines.flatMap((line) => line.match(LONG_IDS) ?? []));
  if (new Set([...ids].map(shortId)).size < ids.size) return asIs;
  const short = (text: string): string => text.replaceAll(LONG_IDS, shortId);
  const inText = (text: Text): Text =>
    spansOf(text).map((span) => {
      if (typeof span === 'string') return short(span);
      return 'text' in span ? { ...span, text: short(span.text) } : span;
    });
  return (item) => ({
    ...item,
    label: inText(item.label),
    ...(item.about === undefined ? {} : { about: inText(item.about) }),
    shorter: () => (item.shorter?.() ?? []).map(short),
  });
}

const LONG_ID = /\b[0-9a-f]{8}[0-9a-f-]{16,}\b/;
const LONG_IDS = new RegExp(LONG_ID, 'g');

function shortId(id: string): string {
  return `${id.slice(0, 8)}${ELLIPSIS}`;
}

/** `depth` 0 is a resource, more is something in it. */
function itemLines(item: Item, block: Items, indent: string, depth: number, medium: TerminalMedium): readonly string[] {
  const { paint, isDetailed } = medium;
  const { mark, items = [], remarks = [] } = item;
  const sign = mark === undefined ? '' : `${toned(mark.tone, plain(mark.sign), medium)} `;
  // The longest sign is `-/+`: its last character stands where the others stand.
  const before = mark === undefined ? indent : indent.slice(0, Math.max(0, indent.length - mark.sign.length + 1));
  const label = columnsOf(before) + columnsOf(sign);
  const inner = ' '.repeat(label + (depth === 0 || mark === undefined ? STEP.length : 0));
  const place =
    item.place === undefined || item.place === null || (block.isPlaceDetail === true && !isDetailed)
      ? ''
      : paint('faint', `  ${plain(item.place.file)}:${item.place.line}`);
  const isResource = depth === 0 && item.values === undefined && item.words === undefined;
  const head = isResource ? resourceText(item, label, medium) : fieldText(item, block.sides, medium);
  const isWorded = item.words !== undefined && item.words.length > 0;
  const inside = !isDetailed && isWorded ? [] : items;
  const most = depth === 0 ? Number.POSITIVE_INFINITY : medium.limits.members;
  // Members have the name of the field in front of theirs.
  if (isDetailed && isWorded && inside.length > 0 && remarks.length === 0)
    return inside.flatMap((each) => itemLines(each, block, indent, depth, medium));
  return [
    ...wrapped(`${before}${sign}${head}${place}`, ' '.repeat(label + STEP.length), medium),
    ...limited(inside, most, inner, (each) => itemLines(each, block, inner, depth + 1, medium)),
    ...remarks.flatMap((text) => lineOf(written(text, medium), inner, medium)),
  ];
}

/** `group/sales  Sales, English, adopted`: what it is is cut where it does not fit, what happens to it is not. */
function resourceText({ label, about, shorter, happens }: Item, from: number, medium: TerminalMedium): string {
  const { paint, isDetailed } = medium;
  const name = paint('strong', written(label, medium));
  const glue = plainText(label).endsWith(':') ? ' ' : STEP;
  const consequence = happens === undefined ? [] : [written(happens, medium)];
  const width = isDetailed ? Number.POSITIVE_INFINITY : (paint.width ?? Number.POSITIVE_INFINITY);
  const room = width - from - columnsOf([name + glue, ...consequence].join(', '));
  const summary =
    about === undefined
      ? ''
      : typeof about === 'object' && 'names' in about
        ? fewWithin(
            about.names.map((each) => spanText(each, medium)),
            medium.limits.names,
            room,
          )
        : shownIn(room, written(about, medium), () => (shorter?.() ?? []).map(plain));
  const text = [...(summary === '' ? [] : [summary]), ...consequence].join(', ');
  return text === '' ? name : name + glue + text;
}

/** Columns of a summary without which it goes on the next line. */
const LEAST_SUMMARY = 12;

/** The first of the texts that fits; else the last one, cut. */
function shownIn(room: number, text: string, shorter: () => readonly string[]): string {
  if (columnsOf(text) <= room) return text;
  const texts = shorter();
  const fitting = texts.find((each) => columnsOf(each) <= room);
  if (fitting !== undefined) return fitting;
  return room < LEAST_SUMMARY ? text : cutAtWord(texts.at(-1) ?? text, room);
}

/** After a whole word, and not in a count of what is left out. */
function cutAtWord(text: string, room: number): string {
  const cut = cutTo(text, room);
  const words = cut.slice(0, Math.max(0, cut.lastIndexOf(' '))).replace(/(?:,| and(?: \d+)?)$/, '');
  return words === '' ? cut : `${words}${ELLIPSIS}`;
}

/** `language_code "en" -> "de"`, `~ language_code: applied "en" -> live "pl" -> declared "en"`. */
function fieldText(item: Item, sides: readonly Side[], medium: TerminalMedium): string {
  const { label, about, happens, names, words = [], values, mark } = item;
  const remarks = [about, happens].flatMap((text) => (text === undefined ? [] : [written(text, medium)]));
  const differing = valuesText(item, sides, medium);
  const isWorded = !medium.isDetailed && words.length > 0;
  const glue = isWorded || (sides.length < 3 && mark === undefined && values !== undefined) ? ' ' : ': ';
  const all = [
    ...(differing === '' ? [] : [differing]),
    ...remarks,
    ...(names === undefined ? [] : [listed(names, medium)]),
  ];
  const name = written(label, medium);
  return all.length === 0 ? name : `${name}${names !== undefined && differing === '' ? STEP : glue}${all.join(' ')}`;
}

function listed(names: readonly string[], { limits }: TerminalMedium): string {
  return few(names.map(plain), limits.order);
}

function valuesText(
  { words = [], values = [], moved = [], items = [] }: Item,
  sides: readonly Side[],
  medium: TerminalMedium,
): string {
  if (!medium.isDetailed && words.length > 0) return words.map((each) => wordsText(each, medium)).join(', ');
  if (items.length > 0) return '';
  const { paint } = medium;
  const arrow = ` ${paint('faint', '->')} `;
  const shown = values.map((value, side) => {
    const text = valueText(value, medium);
    return moved.includes(side) && value !== undefined && sides.length > 2 ? paint('change', text) : text;
  });
  if (sides.length > 2)
    return shown
      .flatMap((text, side) => (values[side] === undefined ? [] : [`${sides[side]?.short} ${text}`]))
      .join(arrow);
  const [before, after] = values;
  if (values.length === 1 || before === null || before === undefined) return shown.at(-1) ?? '';
  return after === null || after === undefined ? (shown[0] ?? '') : shown.join(arrow);
}

/** `Mon-Fri 13:00-20:00 -> 13:00-21:00`, `+Sat 10:00-14:00`. */
function wordsText({ about, before, after }: WordedChange, { paint }: TerminalMedium): string {
  const phrase = (...parts: readonly string[]): string =>
    parts
      .filter((part) => part !== '')
      .map(plain)
      .join(' ');
  if (before === null) return paint('add', `+${phrase(about, after ?? '')}`);
  if (after === null) return paint('destroy', `-${phrase(about, before)}`);
  return `${phrase(about, before)} ${paint('faint', '->')} ${plain(after)}`;
}
