// Templates and what goes into them in, markup out. Whatever is not markup already is text: nobody who names a group can write an element, an
// attribute or a character that is not seen.

import { oncePer } from '../../base/once-per.ts';
import { entities } from '../entities.ts';
import { plain, wellFormed } from '../plain.ts';

const MARKUP: unique symbol = Symbol('markup');

/** Markup, made by `html` and by nothing else: no document that is read can hold the symbol. */
export interface Html {
  readonly [MARKUP]: string;
}

/** What a template takes: null is nothing, and a list is its items one after the other. */
export type Part = Html | string | number | null | readonly Part[];

/** Not seen by the reader of a page, beyond what a terminal must not get. */
const UNSEEN = /[\u17b4-\u17b5]|[\ufe00-\ufe0d]|[\ufff0-\ufff8\ufffe\uffff]/gu;

function escaped(text: string): string {
  const seen = wellFormed(plain(text)).replaceAll(
    UNSEEN,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
  return entities(seen);
}

/** Line breaks and indentation of a template are for whoever reads the source. */
const tight = oncePer((strings: TemplateStringsArray): readonly string[] =>
  strings.map((text) => text.replaceAll(/\n\s*/g, '')),
);

function written(part: Part | undefined): string {
  if (part === null || part === undefined) return '';
  if (typeof part === 'string') return escaped(part);
  if (typeof part === 'number') return String(part);
  return MARKUP in part ? part[MARKUP] : part.map(written).join('');
}

/** Parts stand between elements, or inside double quotes: nowhere else is text harmless. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const text = tight(strings).map((each, index) => each + written(parts[index]));
  return { [MARKUP]: text.join('') };
}

/** Text of ours that is not markup, such as a stylesheet. */
export function raw(text: string): Html {
  return { [MARKUP]: text };
}

export function textOf(markup: Html): string {
  return markup[MARKUP];
}

/** In the bytes of the file. */
export function sizeOf(markup: Html): number {
  return Buffer.byteLength(markup[MARKUP]);
}
