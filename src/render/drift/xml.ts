// Elements in, XML 1.0 out, well-formed whatever the texts are: the control characters that XML forbids are written out.

/** What XML 1.0 cannot have at all, not even as a reference: section 2.2 of it. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const ENTITIES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

function possible(text: string): string {
  return text.replaceAll(FORBIDDEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function text(content: string): string {
  return possible(content).replaceAll(/[&<>\r]/g, (character) => ENTITIES[character] ?? '');
}

function attribute(content: string): string {
  return possible(content).replaceAll(/[&<>"'\t\n\r]/g, (character) => ENTITIES[character] ?? '');
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
