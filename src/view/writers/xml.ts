// XML 1.0 that is well-formed whatever the texts are.

import { entities } from '../plain.ts';

export interface XmlElement {
  readonly name: string;
  readonly attributes: { readonly [name: string]: string | number };
  readonly content: readonly XmlElement[] | string;
}

export function element(
  name: string,
  attributes: XmlElement['attributes'],
  content: XmlElement['content'] = [],
): XmlElement {
  return { name, attributes, content };
}

export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xmlLines(root, '')}`;
}

/** Characters that XML 1.0 cannot have at all, not even as a reference: section 2.2 of it. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** `special` are characters that a parser would take for markup or change. */
function xmlText(content: string, special: RegExp): string {
  const possible = content.replaceAll(
    FORBIDDEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return entities(possible, special);
}

function xmlLines({ name, attributes, content }: XmlElement, indent: string): string {
  const pairs = Object.entries(attributes).map(([key, of]) => `${key}="${xmlText(String(of), /[&<>"'\t\n\r]/g)}"`);
  const start = [name, ...pairs].join(' ');
  if (content.length === 0) return `${indent}<${start}/>\n`;
  if (typeof content === 'string') return `${indent}<${start}>${xmlText(content, /[&<>\r]/g)}</${name}>\n`;
  return `${indent}<${start}>\n${content.map((child) => xmlLines(child, `${indent}  `)).join('')}${indent}</${name}>\n`;
}
