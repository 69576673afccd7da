// HTML templates in which everything that is not markup is text, and the small parts of a page: no name can write an element or an attribute.

import { oncePer } from '../../base/once-per.ts';
import { entities, plain } from '../plain.ts';

const MARKUP: unique symbol = Symbol('markup');

/** Markup that `html` made: no document that is read can hold the symbol. */
export interface Html {
  readonly [MARKUP]: string;
}

/** What a template takes: null is nothing, and a list is its items one after the other. */
export type HtmlPart = Html | string | number | null | readonly HtmlPart[];

/** Line breaks and indentation of a template are for the reader of the source. */
const tight = oncePer((strings: TemplateStringsArray): readonly string[] =>
  strings.map((text) => text.replaceAll(/\n\s*/g, '')),
);

function written(part: HtmlPart | undefined): string {
  if (part === null || part === undefined) return '';
  if (typeof part === 'string') return entities(plain(part));
  if (typeof part === 'number') return String(part);
  return MARKUP in part ? part[MARKUP] : part.map(written).join('');
}

/** Parts stand between elements, or inside double quotes: nowhere else is text harmless. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  const text = tight(strings).map((each, index) => each + written(parts[index]));
  return { [MARKUP]: text.join('') };
}

/** Our own text that is not markup, such as a stylesheet. */
export function raw(text: string): Html {
  return { [MARKUP]: text };
}

export function textOf(markup: Html): string {
  return markup[MARKUP];
}

/** Bytes of the file. */
export function sizeOf(markup: Html): number {
  return Buffer.byteLength(markup[MARKUP]);
}

/** How something is marked; each tone has a word and a sign in addition to its colour. */
export type MarkTone = 'add' | 'change' | 'destroy' | 'move' | 'calm';

export function mark(tone: MarkTone, sign: string, word: string): Html {
  return html`<span class="mark ${tone}"><span aria-hidden="true">${sign} </span>${word}</span>`;
}

/** A name keeps its direction of writing to itself. */
export function name(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

export function code(text: string): Html {
  return html`<code>${text}</code>`;
}

/** Counts next to each other; zero has no colour. */
export function numbers(counts: readonly (readonly [label: string, count: number, tone: MarkTone])[]): Html {
  return html`<dl class="numbers">${counts.map(([label, count, tone]) => html`<div class="${count === 0 ? 'calm' : tone}"><dt>${label}</dt><dd>${count}</dd></div>`)}</dl>`;
}

/** Many items, the first ones in sight and the others folded. */
export function folded(items: readonly Html[], shown: number, wrap: (items: readonly Html[]) => Html): Html {
  const rest = items.slice(shown);
  if (rest.length === 0) return wrap(items);
  return html`${wrap(items.slice(0, shown))}<details class="more"><summary>${rest.length} more</summary>${wrap(rest)}</details>`;
}
