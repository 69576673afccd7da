// Items of a page: each one a fold with a table of its fields, or a line.

import { grouped } from '../../base/grouped.ts';
import { few } from '../../base/text.ts';
import {
  type Item,
  type Items,
  type Mark,
  plainText,
  type Side,
  type Span,
  spansOf,
  type Text,
  type Tone,
  type Value,
  withDetails,
} from '../blocks.ts';
import { code, type Html, html } from '../html/markup.ts';
import { LIMITS, TOGETHER } from '../limits.ts';
import { shortened } from '../plain.ts';
import { type HtmlMedium, inline, marked, partOf } from './html-text.ts';

const LIMIT = LIMITS.html;

export function itemsPart({ items, sides, isOpen = false, remarks = [] }: Items, medium: HtmlMedium): Html {
  const parts = items.map((item) => {
    const weight = medium.weight + (item.weight ?? 0);
    const id = item.id === undefined ? null : html` id="${medium.scope}${item.id}"`;
    // Details of thousands of items, most of which have no room, are not kept.
    const whole = (): Item => withDetails(item);
    const head = (): Html => headPart(item.mark === undefined ? whole() : item, medium);
    const line = (): Html => html`<p class="resource line"${id}>${head()}</p>`;
    if (!hasBody(item) && !hasBody(whole())) return partOf(weight, line);
    const open = isOpen || medium.isOpen ? html` open` : null;
    return partOf(
      weight,
      line,
      () =>
        html`<details class="resource"${open}${id}><summary>${head()}</summary><div class="body">${insideParts(whole(), sides, medium)}</div></details>`,
    );
  });
  const more = (left: number): Html => html`<p class="faint">and ${left} more; <code>--json</code> has all of them</p>`;
  const shown = medium.fit({ parts, share: medium.share }, more);
  return html`${inFolds(shown, (those) => html`${those}`)}${remarksPart([], remarks, medium)}`;
}

/** The first parts, and the others in folds that say what is in them: by default, the number of the first and the last. */
export function inFolds(
  parts: readonly Html[],
  wrap: (parts: readonly Html[]) => Html,
  called: (nth: number) => string = (nth) => String(nth + 1),
): readonly Html[] {
  return Array.from({ length: Math.ceil(parts.length / TOGETHER) }, (_, index) => {
    const from = index * TOGETHER;
    const those = parts.slice(from, from + TOGETHER);
    const content = wrap(those);
    if (index === 0) return content;
    return html`<details class="more"><summary>${called(from)} to ${called(from + those.length - 1)}</summary>${content}</details>`;
  });
}

function hasBody({ items = [], remarks = [], values = [], words = [], names = [] }: Item): boolean {
  return items.length + remarks.length + values.length + words.length + names.length > 0;
}

/** Marks, label, and what is said of it. Without a mark of its own, the distinct marks of what is in it. */
function headPart({ mark, label, about, happens, items = [], place }: Item, medium: HtmlMedium): Html {
  const own = mark === undefined ? items.flatMap((each) => each.mark ?? []) : [mark];
  const distinct = [...new Map(own.map((each) => [`${each.sign} ${each.word}`, each])).values()];
  const said = [about, happens].flatMap((text) =>
    text === undefined ? [] : [html` <span class="extra">${inline(text, medium)}</span>`],
  );
  const count =
    items.length > 1 && mark === undefined ? html` <span class="faint">${items.length} differences</span>` : null;
  return html`${distinct.map((each) => html`${marked(each)} `)}${inline(label, medium)}${said}${count}${placePart(place)}`;
}

function placePart(place: Item['place']): Html | null {
  return place === undefined || place === null
    ? null
    : html` <span class="source">${`${place.file}:${place.line}`}</span>`;
}

/** Fields as rows of a table, all else as paragraphs, then remarks. */
function insideParts(item: Item, sides: readonly Side[], medium: HtmlMedium): Html {
  const { items = [], remarks = [], values = [], words = [] } = item;
  const fields = values.length + words.length > 0 ? [{ ...item, label: 'value', remarks: [], items: [] }] : items;
  // One mark for all of them stands in the headline.
  const isMarked = new Set(fields.map(({ mark }) => mark?.word)).size > 1;
  const rows = fields.filter(hasRows).flatMap((field) => rowsOf(field, sides, medium, isMarked));
  const others = fields.filter((field) => !hasRows(field));
  const left = rows.length - LIMIT.members;
  const table =
    rows.length === 0
      ? null
      : html`<table class="fields"><thead><tr><th scope="col">Field</th>${sides.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead><tbody>${rows.slice(0, LIMIT.members)}</tbody></table>`;
  return html`
    ${others.map((each) => wholePart(each, sides, medium))}
    ${table}
    ${left <= 0 ? null : html`<p class="faint">and ${left} more; the document has all of them</p>`}
    ${namesPart(item)}
    ${remarksPart(fields.filter(hasRows), remarks, medium)}`;
}

function hasRows({ values = [], words = [], items = [] }: Item): boolean {
  return values.length + words.length > 0 || items.some(hasRows);
}

/** What is said of a whole object, and what is in it. */
function wholePart(item: Item, sides: readonly Side[], medium: HtmlMedium): Html {
  const { label, about, happens, place, names } = item;
  const said = [about, happens].flatMap((text) => (text === undefined ? [] : [html`: ${inline(text, medium)}`]));
  if (names !== undefined)
    return html`<div><p class="caption">${inline(label, medium)}${said}</p>${namesPart(item)}</div>`;
  const inside = item.items ?? [];
  const isOrder = inside.length > 0 && inside.every((each) => each.names !== undefined);
  return html`<p>${inline(label, medium)}${said}${placePart(place)}</p>${isOrder ? html`<div class="pair">${inside.map((each) => wholePart(each, sides, medium))}</div>${remarksPart([], item.remarks ?? [], medium)}` : insideParts(item, sides, medium)}`;
}

function namesPart({ names }: Item): Html | null {
  if (names === undefined) return null;
  const left = names.length - LIMIT.order;
  return html`<ol>${names.slice(0, LIMIT.order).map((each) => html`<li>${code(shortened(each, LIMIT.name))}</li>`)}</ol>${left <= 0 ? null : html`<p class="faint">and ${left} more</p>`}`;
}

/** A row for each member that differs; one for the field where words or values say it. */
function rowsOf(
  field: Item,
  sides: readonly Side[],
  medium: HtmlMedium,
  isMarked: boolean,
  mark = field.mark,
): readonly Html[] {
  const { label, words = [], values = [], items = [], place, about } = field;
  const sign = mark === undefined || !isMarked ? null : html`${marked(mark)} `;
  const said = about === undefined ? null : html`<span class="remark">${inline(about, medium)}</span>`;
  const head = (more: string): Html =>
    html`<th scope="row">${sign}${inline(label, medium)}${more === '' ? null : ` ${more}`}${said}${placePart(place)}</th>`;
  if (words.length > 0)
    return words.map(({ about: more, before, after }) => rowPart(head(more), [before, after], [], sides, mark));
  if (items.length > 0)
    return items.flatMap((each) =>
      rowsOf({ ...each, place: each.place ?? place ?? null }, sides, medium, isMarked, mark ?? each.mark),
    );
  return [rowPart(head(''), values, field.moved ?? [], sides, mark)];
}

function rowPart(
  head: Html,
  values: readonly Value[],
  moved: readonly number[],
  sides: readonly Side[],
  mark: Mark | undefined,
): Html {
  const [first, last] = [values[0], values.at(-1)];
  const isTwo = sides.length === 2;
  const tone =
    mark?.tone === 'calm'
      ? 'calm'
      : isTwo && isNothing(first)
        ? 'add'
        : isTwo && isNothing(last)
          ? 'destroy'
          : 'change';
  const base = values.findIndex((value) => value !== undefined);
  const cells = sides.map((_, side) => {
    const look = moved.includes(side) || (isTwo && side === 1) ? 'is' : side === base ? 'was' : '';
    return html`<td class="${look}">${valuePart(values[side])}</td>`;
  });
  return html`<tr class="${tone}">${head}${cells}</tr>`;
}

function isNothing(value: Value): boolean {
  return value === null || value === undefined;
}

function valuePart(value: Value): Html {
  if (isNothing(value)) return html`<span class="faint" aria-hidden="true">–</span><span class="sr">nothing</span>`;
  if (typeof value === 'string') return code(shortened(value, LIMIT.value));
  return html`<span class="faint">${(value as { readonly unknown: string }).unknown}</span>`;
}

/** Each remark once, with the fields that it is about where not all of them share it; then those of the whole. */
function remarksPart(fields: readonly Item[], own: readonly Text[], medium: HtmlMedium): Html | null {
  const about = grouped(
    fields.flatMap((field) => (field.remarks ?? []).map((text) => [JSON.stringify(text), { text, field }] as const)),
  );
  const shared = [...about.values()].map((those) => {
    const names =
      those.length === fields.length ? null : html`${few(those.map(({ field }) => plainText(field.label)))}: `;
    return remarkPart(those[0].text, names, medium);
  });
  const all = [...shared, ...own.map((text) => remarkPart(text, null, medium))];
  return all.length === 0 ? null : html`<ul class="remarks">${all}</ul>`;
}

function remarkPart(text: Text, names: Html | null, medium: HtmlMedium): Html {
  const isError = spansOf(text).some((span) => toneIn(span) === 'error');
  return html`<li class="${isError ? 'destroy' : 'calm'}">${names}${inline(text, medium)}</li>`;
}

function toneIn(span: Span): Tone | undefined {
  if (typeof span === 'string' || 'names' in span) return undefined;
  return 'mark' in span ? span.mark.tone : span.tone;
}
