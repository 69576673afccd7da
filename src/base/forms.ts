// Forms in which a service may keep a text that it was given: a closed list, and whether two values differ in nothing else. Both are in NFC.

import { domainToUnicode } from 'node:url';
import { equalJson, isList, isObject } from './json.ts';
import type { Json } from './model.ts';

/** The host of an address: at its begin, after a scheme or with a dot in it. */
const HOST = /^(?:[a-z][a-z\d+.-]*:\/\/|(?=[^/?#\s]*\.))[^/?#\s]*/i;

/** Without tags of HTML, or with escapes in their place; no blanks around it, single blanks, the host in small letters, all in small letters. */
const FORMS: readonly ((text: string) => string)[] = [
  (text) => text.replace(/<\/?[a-z!][^>]*>/gi, ''),
  (text) => text.replaceAll('&', '&amp;'),
  (text) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  (text) => text.trim(),
  (text) => text.replace(/\s+/gu, ' '),
  (text) => text.replace(HOST, (host) => host.toLowerCase()),
  (text) => text.toLowerCase(),
];

/** The one spelling of hosts that may be kept as Unicode or as Punycode. */
function withUnicodeHosts(text: string): string {
  return text.replace(/\bxn--[a-z\d-]+/gi, (label) => domainToUnicode(label) || label);
}

function isFormOf(written: string, read: string): boolean {
  const texts = new Set([written]);
  for (const form of FORMS) for (const text of [...texts]) texts.add(form(text));
  const kept = withUnicodeHosts(read);
  return [...texts].some((text) => withUnicodeHosts(text) === kept);
}

/** Whether the value that was read is the one that was written but for the forms of its texts. The items of a list have no order here: a form may change it. */
export function isSameButForm(written: Json, read: Json): boolean {
  return differingTexts(written, read) !== null;
}

/** A text as it was written, and as it is kept. */
export type KeptText = readonly [written: string, read: string];

/** The texts that differ between two values, when these differ only in the forms of texts; null when they differ in anything else. */
export function differingTexts(written: Json, read: Json): readonly KeptText[] | null {
  if (equalJson(written, read)) return [];
  if (typeof written === 'string' && typeof read === 'string')
    return isFormOf(written, read) ? [[written, read]] : null;
  if (isList(written) && isList(read)) {
    const pairs = written.map((item) => pairOf(item, read, differingTexts));
    const isCovered = read.every(
      (item) => pairOf(item, written, (kept, given) => differingTexts(given, kept)) !== null,
    );
    return isCovered ? joined(pairs) : null;
  }
  if (!isObject(written) || !isObject(read)) return null;
  const names = Object.keys(written);
  if (names.length !== Object.keys(read).length) return null;
  return joined(names.map((name) => differingTexts(written[name] ?? null, read[name] ?? null)));
}

/** The texts in which an item differs from its nearest one in a list. */
function pairOf(item: Json, others: readonly Json[], differing: typeof differingTexts): readonly KeptText[] | null {
  const found = others.flatMap((other) => {
    const texts = differing(item, other);
    return texts === null ? [] : [texts];
  });
  return found.find((texts) => texts.length === 0) ?? found[0] ?? null;
}

function joined(parts: readonly (readonly KeptText[] | null)[]): readonly KeptText[] | null {
  return parts.some((part) => part === null) ? null : parts.flatMap((part) => part ?? []);
}
