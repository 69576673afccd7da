// A document and a node that is to change or to go in; how those who use its anchor keep what they have out: the first of them takes the anchor
// over, and what would go is kept. Knows nothing of what the change is.

import type { Node, YAMLSeq } from 'yaml';
import { holderOf, lineage, type Refused, startOf, type YamlDocument } from './document.ts';
import { entryEnd, entryStart, headEnd, type Splice } from './layout.ts';
import { replacing } from './replace.ts';
import { plainValue } from './values.ts';
import type { Style } from './written.ts';

/** The outermost of the node and what it stands in that others use by its anchor; null when a change of the node changes nobody else. */
export function sharedBy(document: YamlDocument, node: Node): Node | null {
  return lineage(document, node).find((held) => (document.users.get(held) ?? []).length > 0) ?? null;
}

/** What is used in an item that would come to stand before it: an anchor has to stand before its aliases. */
export function overtaken(document: YamlDocument, list: YAMLSeq, order: readonly number[]): Node | null {
  const itemAt = (node: Node): number =>
    list.items.findIndex(
      (_, index) =>
        entryStart(document, list, index) <= startOf(node) && startOf(node) <= entryEnd(document, list, index),
    );
  for (const [node, aliases] of document.users) {
    const place = order.indexOf(itemAt(node));
    const isBefore = (alias: Node): boolean => itemAt(alias) >= 0 && order.indexOf(itemAt(alias)) < place;
    if (place >= 0 && aliases.some(isBefore)) return node;
  }
  return null;
}

/** The anchor moves to the first alias that stands for it, with the value written out there. */
export function movingAnchor(document: YamlDocument, node: Node, style: Style): readonly Splice[] {
  const first = document.users.get(node)?.[0];
  const name = first?.source ?? '';
  if (first === undefined) return [];
  const start = anchorStart(document, node, name);
  const value = plainValue(document, node);
  return [
    { ...strippedOf(document.text, start, name.length + 1), text: '' },
    replacing(document, holderOf(document, first), first, value, style, `&${name}`),
  ];
}

/** Before the node, behind what it belongs to; a key has nothing before it but its anchor. */
function anchorStart(document: YamlDocument, node: Node, name: string): number {
  const isKey = !document.holders.has(node);
  return isKey
    ? document.text.lastIndexOf(`&${name}`, startOf(node))
    : document.text.indexOf(`&${name}`, headEnd(document, holderOf(document, node)));
}

/** With one space on the side where one would be left over. */
function strippedOf(text: string, start: number, length: number): { readonly start: number; readonly end: number } {
  const end = start + length;
  const spaces = /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  const atEnd = /^[ \t]*(\r?\n|$)/.test(text.slice(end));
  return atEnd ? { start: text.slice(0, start).trimEnd().length, end } : { start, end: end + spaces };
}

/** What stands in a range of the text and is used outside of it by its anchor keeps the range from being cut out. */
export function keptByUsers(document: YamlDocument, start: number, end: number): Refused | null {
  const isInside = (node: Node): boolean => startOf(node) >= start && startOf(node) < Math.max(end, start + 1);
  for (const [node, aliases] of document.users) {
    const user = aliases.find((alias) => !isInside(alias));
    if (user === undefined || !isInside(node)) continue;
    const { line } = document.mark(startOf(user), startOf(user) + 1).place;
    const message = `\`&${user.source}\` would go with it, and line ${line} of this file uses it`;
    const at = anchorStart(document, node, user.source);
    const mark = document.mark(at, at + 1 + user.source.length);
    return { refused: { mark, message, remedy: `write the value out in line ${line} first` } };
  }
  return null;
}
