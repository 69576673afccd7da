// Blocks as Markdown for a comment, an issue or the summary of a job, within a budget of bytes: folds become shorter first, by weight.

import { assertNever } from '../../base/errors.ts';
import {
  type Block,
  type Code,
  cellText,
  type Entry,
  entryOf,
  type FactsBlock,
  isBars,
  type List,
  type OrderEntry,
  type Picture,
  type Section,
  spansOf,
  type Table,
  type Text,
  type TextBlock,
  type View,
} from '../blocks.ts';
import { type BudgetPart, type Fit, withinBudget } from '../budget.ts';
import { MOST_COLUMNS, USUAL_SHARE } from '../limits.ts';
import { bytes, cut, fenced, fitting, type LineUrl, prose } from '../markdown.ts';
import { barsText } from '../pictures/bars.ts';
import { insteadOf } from '../pictures/heat-map.ts';
import { plain } from '../plain.ts';
import { type ReportWriter, TITLES } from '../report.ts';
import { thinned } from '../thin.ts';
import { itemsText } from './markdown-items.ts';
import { bare, fitted, headOf, inline, LIMIT, type MarkdownMedium, moreText, rowOf } from './markdown-text.ts';

export const report: ReportWriter = {
  write: ({ comment }) => markdownText(comment()),
  begins: new RegExp(
    `^#{2,3} (?:(?:${TITLES}) (?:of|in) (?:\`|<code>)|Plan: no plan could be made|Drift: the check failed|chatform [a-z -]+: )`,
  ),
};

export interface MarkdownOptions {
  readonly bytes?: number;
  readonly lineOf?: LineUrl | null;
  /** What has all that a table has no room for. */
  readonly whole?: string;
}

export function markdownText(
  view: View,
  { bytes: budget = LIMIT.bytes, lineOf = null, whole = 'the other reports have' }: MarkdownOptions = {},
): string {
  const write = (each: View): string =>
    withinBudget<string>(budget, { sizeOf: bytes }, (fit) =>
      documentText(each, { fit, lineOf, whole, weight: 0, share: USUAL_SHARE, part: 1, level: 3 }),
    );
  return thinned(view, write, (text) => bytes(text) <= budget);
}

type Order = Extract<Picture, { readonly kind: 'order' }>;

function documentText({ title, mark, result, about, urgent = [], body }: View, medium: MarkdownMedium): string {
  const inside = { ...medium, level: medium.level + 1 };
  const paragraphs = [result, ...about].map((text) => inline(text)).filter((text) => text !== '');
  return [
    `${'#'.repeat(medium.level)} ${inline(title)}: ${prose(mark.word)}\n`,
    ...paragraphs.map((text) => `${text}\n`),
    ...bodyTexts([...urgent, ...body], inside),
  ].join('\n');
}

/** A callout, which hosts show in a frame and a colour. */
function calloutText(heading: string, body: readonly Block[], medium: MarkdownMedium): string {
  // What a piece takes of the budget includes the sign in front of its lines.
  const fit: Fit<string> = ({ parts, ...batch }, more) =>
    medium.fit({ ...batch, parts: parts.map(quotedPart) }, (left) => quoted(more(left)));
  const texts = bodyTexts(body, { ...medium, fit });
  return texts.length === 0 ? '' : quoted(`[!CAUTION]\n**${heading}**\n\n${texts.join('\n')}`);
}

function quotedPart({ weight, levels: [line, full] }: BudgetPart<string>): BudgetPart<string> {
  const within = (room: number): string => {
    const text = quoted(line(room));
    return bytes(text) <= room ? text : quoted(line(2 * room - bytes(text)));
  };
  return { weight, levels: full === undefined ? [within] : [within, () => quoted(full())] };
}

/** No line of ours begins with this sign in another sense. */
function quoted(text: string): string {
  return text.replaceAll(/^(?!> |>$)(.*)\n/gm, (_, line: string) => `${`> ${line}`.trimEnd()}\n`);
}

/** Each block ends its last line; an empty line stands between two of them. */
function bodyTexts(blocks: readonly Block[], medium: MarkdownMedium): readonly string[] {
  // Documents next to each other get equal shares.
  const documents = blocks.filter((block) => block.type === 'section' && block.isDocument === true).length;
  const inside = documents < 2 ? medium : { ...medium, part: medium.part / documents };
  return blocks.map((block) => blockText(block, inside)).filter((text) => text !== '');
}

function blockText(block: Block, medium: MarkdownMedium): string {
  const { type } = block;
  switch (type) {
    case 'text':
      return textText(block);
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
      return block.picture.kind === 'order'
        ? orderText(block.picture, medium)
        : bodyTexts(insteadOf(block), medium).join('\n');
    default:
      return assertNever(type);
  }
}

/** In a frame, where all of it warns. */
function textText({ text }: TextBlock): string {
  const written = inline(text);
  const isWarning = typeof text === 'object' && 'tone' in text && text.tone === 'warning';
  return written === '' ? '' : isWarning ? quoted(`[!WARNING]\n${written}\n`) : `${written}\n`;
}

function sectionText(section: Section, medium: MarkdownMedium): string {
  const { title, tone, body, fold, weight = 0, share = medium.share } = section;
  const inside: MarkdownMedium = {
    ...medium,
    weight: medium.weight + weight,
    share,
    isFolded: medium.isFolded === true || fold !== undefined,
    level: Math.min(6, medium.level + 1),
  };
  const isCallout =
    tone === 'error' && fold === undefined && body.every(({ type }) => type === 'text' || type === 'list');
  if (isCallout) return calloutText(headingOf(section), body, inside);
  const texts = bodyTexts(body, inside);
  if (texts.length === 0) return '';
  if (fold !== undefined) return folded(`${prose(cut(title, LIMIT.text))} · ${bare(fold.brief)}`, texts.join('\n'));
  return `${'#'.repeat(medium.level)} ${headingOf(section)}\n\n${texts.join('\n')}`;
}

function headingOf({ title, count }: Section): string {
  return `${prose(cut(title, LIMIT.text))}${count === undefined ? '' : ` (${count})`}`;
}

function folded(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>\n\n${content}\n</details>\n`;
}

function listText({ texts, isOrdered, remarks = [], brief, weight = 0 }: List, medium: MarkdownMedium): string {
  const entry = (each: Text | Entry, index: number, names: number): string => {
    const { text, below } = entryOf(each);
    const lines = below.map((line) => `  - ${inline(line, names)}\n`);
    return `${isOrdered === true ? `${index + 1}.` : '-'} ${inline(text, names)}\n${lines.join('')}`;
  };
  const own = medium.weight + weight;
  const parts =
    brief === undefined
      ? texts.map((each, index): BudgetPart<string> => {
          const within = (names: number) => () => entry(each, index, names);
          return { weight: own, levels: [within(LIMIT.names), within(LIMIT.order * LIMIT.names)] };
        })
      : [wholePart(brief, () => texts.map((each, index) => entry(each, index, ALL)).join(''), own)];
  const left = (count: number): string => `- and ${brief === undefined ? count : texts.length} more\n`;
  const list = fitted(parts, medium, left).join('');
  return [list, ...remarks.map((text) => `${inline(text)}\n`)].filter((text) => text !== '').join('\n');
}

const ALL = Number.POSITIVE_INFINITY;

/** The whole list, or its brief with as many names as fit. */
function wholePart(brief: readonly Text[], full: () => string, weight: number): BudgetPart<string> {
  const written = (namesOf: (names: readonly string[]) => string): string =>
    brief
      .map((text) => {
        const spans = spansOf(text).map((span) =>
          typeof span === 'object' && 'names' in span ? namesOf(span.names.map((each) => inline(each))) : inline(span),
        );
        return `- ${spans.join('')}\n`;
      })
      .join('');
  const more = (left: number): string => `and ${left} more`;
  const within = (room: number): string => {
    let left = room - bytes(written((names) => more(names.length)));
    return written((names) => {
      const shown = fitting(
        names.map((name) => `${name}, `),
        left,
      );
      left -= bytes(shown.text);
      return shown.left === 0 ? shown.text.slice(0, -2) : `${shown.text}${more(shown.left)}`;
    });
  };
  return { weight, levels: [within, full] };
}

function lineOf(text: string, weight: number): BudgetPart<string> {
  return { weight, levels: [() => text] };
}

function codeText({ lines, weight = 0 }: Code, medium: MarkdownMedium): string {
  const parts = lines.map((line) => lineOf(plain(line), medium.weight + weight));
  return `${fenced(fitted(parts, medium, (left) => `and ${left} more lines`))}\n`;
}

function factsText({ facts }: FactsBlock): string {
  return facts.map(([name, text]) => `${name === '' ? '  - ' : `- **${prose(name)}**: `}${inline(text)}\n`).join('');
}

/** Characters of the most bars in a cell. */
const BARS = 60;

function tableText({ columns, rows }: Table, medium: MarkdownMedium): string {
  if (rows.length === 0) return '';
  const places = shownColumns(columns);
  const head = headOf(places.map((place) => [columns[place]?.title ?? '', columns[place]?.isNumber === true] as const));
  const parts = rows.map(({ cells, remarks = [], weight = 0 }) => {
    const texts = places.map((place) => {
      const cell = cells[place] ?? '';
      return isBars(cell) ? barsText(cell, BARS) : inline(cellText(cell));
    });
    const last = [...texts.slice(-1), ...remarks.map((text) => inline(text))].join('<br>');
    return lineOf(rowOf([...texts.slice(0, -1), last]), medium.weight + weight);
  });
  return head + fitted(parts, medium, moreText(medium)).join('');
}

/** The places of all columns but the most dispensable of too many. */
function shownColumns(columns: Table['columns']): readonly number[] {
  const all = columns.map(({ dispensable = 0 }, place) => ({ dispensable, place }));
  if (all.length <= MOST_COLUMNS) return all.map(({ place }) => place);
  const kept = all.toSorted((one, other) => one.dispensable - other.dispensable).slice(0, MOST_COLUMNS);
  return kept.map(({ place }) => place).toSorted((one, other) => one - other);
}

/** The new order of an order, and what is gone. */
function orderText({ sides: [before, after] }: Order, medium: MarkdownMedium): string {
  const kept = new Set(after.entries.map(({ key }) => key));
  const gone = before.entries.filter(({ key }) => !kept.has(key));
  const entryText = ({ label, about, marks = [] }: OrderEntry): Text => [
    ...spansOf(label),
    ...(about === undefined ? [] : [' ', ...spansOf(about)]),
    ...marks.flatMap((mark) => [', ', { mark }]),
  ];
  const texts = listText({ type: 'list', isOrdered: true, texts: after.entries.map(entryText) }, medium);
  const others = listText({ type: 'list', texts: gone.map(entryText) }, medium);
  return [texts, others].filter((text) => text !== '').join('\n');
}
