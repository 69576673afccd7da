// Blocks as Markdown for a comment, an issue or the summary of a job, within a budget of bytes: folds become shorter first, by weight.

import { assertNever } from '../../base/errors.ts';
import { few } from '../../base/text.ts';
import {
  type Block,
  type Code,
  cellText,
  entryOf,
  type Facts,
  type Item,
  type Items,
  isBars,
  type List,
  type Mark,
  type Section,
  type Span,
  spansOf,
  type Table,
  type Text,
  type Value,
  type View,
  type WordedChange,
} from '../blocks.ts';
import { type Fit, type Part, withinBudget } from '../budget.ts';
import { LIMITS, USUAL_SHARE } from '../limits.ts';
import { bytes, code, cut, fenced, type LineUrl, linkTarget, placeLink, prose } from '../markdown.ts';
import { barsText } from '../pictures/bars.ts';
import { insteadOf } from '../pictures/heat-map.ts';
import { entities, plain } from '../plain.ts';
import { thinned } from '../thin.ts';
import { itemText } from './terminal-items.ts';

const LIMIT = LIMITS.markdown;

export interface MarkdownOptions {
  readonly bytes?: number;
  readonly lineOf?: LineUrl | null;
}

export function markdownText(view: View, { bytes: budget = LIMIT.bytes, lineOf = null }: MarkdownOptions = {}): string {
  let last = '';
  for (const each of thinned(view)) {
    last = withinBudget<string>(budget, { sizeOf: bytes }, (fit) =>
      documentText(each, { fit, lineOf, weight: 0, share: USUAL_SHARE, level: 3 }),
    );
    if (bytes(last) <= budget) return last;
  }
  return last;
}

interface Medium {
  readonly fit: Fit<string>;
  readonly lineOf: LineUrl | null;
  /** Of the section around. */
  readonly weight: number;
  readonly share: number;
  /** Of a heading. */
  readonly level: number;
}

function documentText({ title, mark, result, about, urgent = [], body }: View, medium: Medium): string {
  const inside = { ...medium, level: medium.level + 1 };
  const paragraphs = [result, ...about].map((text) => inline(text)).filter((text) => text !== '');
  return [
    `${'#'.repeat(medium.level)} ${inline(title)}: ${prose(mark.word)}\n`,
    ...paragraphs.map((text) => `${text}\n`),
    ...urgentTexts(urgent, inside),
    ...bodyTexts(body, inside),
  ].join('\n');
}

/** A callout, which hosts show in a frame and a colour. */
function urgentTexts(blocks: readonly Block[], medium: Medium): readonly string[] {
  return blocks.flatMap((block) => {
    if (block.type !== 'section' || block.tone !== 'error') return bodyTexts([block], medium);
    // What a piece takes of the budget includes the sign in front of its lines.
    const fit: Fit<string> = ({ parts, share }, more) =>
      medium.fit({ parts: parts.map(quotedPart), share }, (left) => quoted(more(left)));
    const texts = bodyTexts(block.body, { ...medium, fit, weight: medium.weight + (block.weight ?? 0) });
    return texts.length === 0 ? [] : [quoted(`[!CAUTION]\n**${headingOf(block)}**\n\n${texts.join('\n')}`)];
  });
}

function quotedPart({ weight, levels: [line, full] }: Part<string>): Part<string> {
  return { weight, levels: full === undefined ? [() => quoted(line())] : [() => quoted(line()), () => quoted(full())] };
}

/** No line of ours begins with this sign in another sense. */
function quoted(text: string): string {
  return text.replaceAll(/^(?!> |>$)(.*)\n/gm, (_, line: string) => `${`> ${line}`.trimEnd()}\n`);
}

/** Each block ends its last line; an empty line stands between two of them. */
function bodyTexts(blocks: readonly Block[], medium: Medium): readonly string[] {
  return blocks.map((block) => blockText(block, medium)).filter((text) => text !== '');
}

function blockText(block: Block, medium: Medium): string {
  const { type } = block;
  switch (type) {
    case 'text': {
      const text = inline(block.text);
      return text === '' ? '' : `${text}\n`;
    }
    case 'list':
      return listText(block, medium);
    case 'facts':
      return factsText(block);
    case 'code':
      return codeText(block, medium);
    case 'counts':
      return '';
    case 'table':
      return tableText(block, medium);
    case 'items':
      return itemsText(block, medium);
    case 'section':
      return sectionText(block, medium);
    case 'picture':
      return bodyTexts(insteadOf(block), medium).join('\n');
    default:
      return assertNever(type);
  }
}

function sectionText(section: Section, medium: Medium): string {
  const { body, fold, weight = 0, share = medium.share } = section;
  const inside = { ...medium, weight: medium.weight + weight, share, level: Math.min(6, medium.level + 1) };
  const texts = bodyTexts(body, inside);
  if (texts.length === 0) return '';
  const heading = headingOf(section);
  if (fold !== undefined) return folded(heading, texts.join('\n'));
  return `${'#'.repeat(medium.level)} ${heading}\n\n${texts.join('\n')}`;
}

function headingOf({ title, count }: Section): string {
  return `${prose(title)}${count === undefined ? '' : ` (${count})`}`;
}

function folded(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>\n\n${content}\n</details>\n`;
}

function listText({ texts, isOrdered, remarks = [], weight = 0 }: List, medium: Medium): string {
  const parts = texts.map((each, index): Part<string> => {
    const { text, below } = entryOf(each);
    const written = (names: number) => () =>
      [
        `${isOrdered === true ? `${index + 1}.` : '-'} ${inline(text, names)}\n`,
        ...below.map((line) => `  - ${inline(line, names)}\n`),
      ].join('');
    return { weight: medium.weight + weight, levels: [written(LIMIT.names), written(LIMIT.order * LIMIT.names)] };
  });
  const list = medium.fit({ parts, share: medium.share }, (left) => `- and ${left} more\n`).join('');
  return [list, ...remarks.map((text) => `${inline(text)}\n`)].join('\n');
}

function lineOf(text: string, weight: number): Part<string> {
  return { weight, levels: [() => text] };
}

function codeText({ lines, weight = 0 }: Code, medium: Medium): string {
  const parts = lines.map((line) => lineOf(plain(line), medium.weight + weight));
  return `${fenced(
    '',
    medium.fit({ parts, share: medium.share }, (left) => `and ${left} more lines`),
  )}\n`;
}

function factsText({ facts }: Facts): string {
  return facts.map(([name, text]) => `${name === '' ? '  - ' : `- **${prose(name)}**: `}${inline(text)}\n`).join('');
}

/** Characters of the most bars in a cell. */
const BARS = 60;

function tableText({ columns, rows }: Table, medium: Medium): string {
  if (rows.length === 0) return '';
  const head = headOf(columns.map(({ title, isNumber }) => [title, isNumber === true]));
  const parts = rows.map(({ cells, remarks = [], weight = 0 }) => {
    const texts = cells.map((cell) => (isBars(cell) ? barsText(cell, BARS) : inline(cellText(cell))));
    const last = [...texts.slice(-1), ...remarks.map((text) => inline(text))].join('<br>');
    return lineOf(rowOf([...texts.slice(0, -1), last]), medium.weight + weight);
  });
  return head + medium.fit({ parts, share: medium.share }, moreText).join('');
}

function headOf(columns: readonly (readonly [title: string, isNumber: boolean])[]): string {
  return (
    rowOf(columns.map(([title]) => prose(title))) + rowOf(columns.map(([, isNumber]) => (isNumber ? '--:' : '---')))
  );
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

function moreText(left: number): string {
  return `\nAnd ${left} more, which the other reports have.\n`;
}

/** A row for each item, or each field of it; below the table what a row has no room for, folded. */
function itemsText(block: Items, medium: Medium): string {
  const { items, sides } = block;
  if (items.length === 0) return '';
  const has = {
    marks: items.some(({ mark, items: inside = [] }) =>
      [mark, ...inside.map((each) => each.mark)].some((each) => each !== undefined),
    ),
    what: items.some(
      ({ about, happens, items: inside = [] }) => about !== undefined || happens !== undefined || inside.length > 0,
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
  const parts = items.map((item): Part<string> => {
    const weight = medium.weight + (item.weight ?? 0);
    const line = (): string => row(lineRow(item));
    const inside = item.items ?? [];
    return inside.length === 0
      ? { weight, levels: [line] }
      : { weight, levels: [line, () => fullRows(item).map(row).join('')] };
  });
  const table =
    headOf(titles.map((title) => [title, false])) + medium.fit({ parts, share: medium.share }, moreText).join('');
  const remarks = (block.remarks ?? []).map((text) => `${inline(text)}\n`);
  return [table, detailsText(block, medium), ...remarks].filter((text) => text !== '').join('\n');
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
  const { mark, label, about, happens, items = [], place } = item;
  const own = mark === undefined ? items.flatMap((each) => each.mark ?? []) : [mark];
  const names = items.map((each) => inline(each.label));
  return {
    marks: [...new Map(own.map((each) => [each.word, each])).values()],
    resource: inline(label),
    what: [...textsOf(about, happens), ...(names.length === 0 ? [] : [few(names, LIMIT.names)])].join(', '),
    values: items.length === 0 ? valuesOf(item) : [],
    place: place ?? items.find((each) => each.place)?.place ?? null,
  };
}

/** A row for each field. The resource stands in the first one. */
function fullRows(item: Item): readonly ItemRow[] {
  const { mark, label, about, happens, items = [], place } = item;
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
  const said = textsOf(about, happens);
  const first = rows[0];
  if (first === undefined) return [];
  const head: ItemRow = {
    ...first,
    resource: inline(label),
    what: [...said, first.what].join(', '),
    place: first.place ?? place ?? null,
  };
  const shown = [head, ...rows.slice(1)].slice(0, LIMIT.members);
  const left = rows.length - shown.length;
  return left <= 0 ? shown : [...shown, { marks: [], resource: '', what: `and ${left} more`, values: [], place: null }];
}

/** The members that differ; the field itself where there are none, or where words say what differs. */
function leavesOf(field: Item): readonly Item[] {
  const { items = [], words = [] } = field;
  return words.length > 0 || !items.some(hasValues) ? [field] : items.flatMap(leavesOf);
}

function textsOf(...texts: readonly (Text | undefined)[]): readonly string[] {
  return texts.flatMap((text) => (text === undefined ? [] : [inline(text)])).filter((text) => text !== '');
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
function detailsText({ items, sides }: Items, medium: Medium): string {
  const told = items.filter(hasMore);
  if (told.length === 0) return '';
  const parts = told.map(
    (item): Part<string> => ({
      // Rows come first.
      weight: medium.weight + (item.weight ?? 0) - 0.5,
      levels: [
        () =>
          `${itemText(item, sides, LIMIT)
            .map((line) => entities(line))
            .join('\n')}\n\n`,
      ],
    }),
  );
  const lines = medium.fit({ parts, share: medium.share }, (left) => `and ${left} more\n`);
  return `<details><summary>Details</summary>\n\n<pre>\n${lines.join('').trimEnd()}\n</pre>\n\n</details>\n`;
}

function hasMore({ remarks = [], names = [], items = [] }: Item): boolean {
  return remarks.length + names.length > 0 || items.some(hasMore);
}

function markText({ word, tone }: Mark): string {
  return tone === 'destroy' || tone === 'error' ? `**${prose(word)}**` : prose(word);
}

/** With at most so many of several names. */
function inline(text: Text, names: number = LIMIT.names): string {
  return spansOf(text)
    .map((span) => spanText(span, names))
    .join('');
}

function spanText(span: Span, names: number): string {
  if (typeof span === 'string') return prose(cut(span, LIMIT.text));
  if ('mark' in span) return markText(span.mark);
  if ('names' in span)
    return few(
      span.names.map((each) => spanText(each, names)),
      names,
    );
  const { text, as, tone, url } = span;
  const shown =
    as === undefined || as === 'time'
      ? prose(cut(text, LIMIT.text))
      : code(cut(text, as === 'command' ? LIMIT.text : LIMIT.name));
  const linked = url === undefined ? shown : `[${shown}](${linkTarget(url)})`;
  return tone === 'strong' || tone === 'error' || tone === 'destroy' ? `**${linked}**` : linked;
}
