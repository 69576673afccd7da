// Elements in, XML 1.0 out, well-formed whatever the texts are: the control characters that XML forbids are written out.

import { entities } from '../entities.ts';

/** What XML 1.0 cannot have at all, not even as a reference: section 2.2 of it. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

function possible(text: string): string {
  return text.replaceAll(FORBIDDEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A parser would make a line break of it. */
function text(content: string): string {
  return entities(possible(content), /[&<>\r]/g);
}

/** And in an attribute a space of each of these. */
function attribute(content: string): string {
  return entities(possible(content), /[&<>"'\t\n\r]/g);
}

export type Attributes = { readonly [name: string]: string | number };

export interface Element {
  readonly name: string;
  readonly attributes: Attributes;
  readonly content: readonly Element[] | string;
}

export function element(name: string, attributes: Attributes, content: Element['content'] = []): Element {
  return { name, attributes, content };
}

function lines({ name, attributes, content }: Element, indent: string): string {
  const start = [name, ...Object.entries(attributes).map(([key, of]) => `${key}="${attribute(String(of))}"`)].join(' ');
  if (content.length === 0) return `${indent}<${start}/>\n`;
  if (typeof content === 'string') return `${indent}<${start}>${text(content)}</${name}>\n`;
  return `${indent}<${start}>\n${content.map((child) => lines(child, `${indent}  `)).join('')}${indent}</${name}>\n`;
}

export function xmlDocument(root: Element): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${lines(root, '')}`;
}
