// Anchors of nodes that an edit changes or removes. Aliases keep their value: the first one gets the anchor with the value written out.

import type { Node, YAMLSeq } from 'yaml';
import { holderOf, lineage, type RefusedEdit, startOf, type YamlDocument } from './document.ts';
import { entryEnd, entryStart, headEnd, type Splice } from './layout.ts';
import { replacing } from './replace.ts';
import { plainValue } from './values.ts';
import type { YamlStyle } from './written.ts';

/** Of the node and the collections around it, the outermost that has aliases; null when a change of the node changes nothing else. */
export function sharedBy(document: YamlDocument, node: Node): Node | null {
  return lineage(document, node).find((held) => (document.users.get(held) ?? []).length > 0) ?? null;
}

/** A node whose alias the order would put before it; null when every anchor stays before its aliases. */
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

/** Moves the anchor to its first alias, where the value is written out. */
export function movingAnchor(document: YamlDocument, node: Node, style: YamlStyle): readonly Splice[] {
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

/** Before a value, the search begins after its key or dash. Before a key, there is nothing but its anchor. */
function anchorStart(document: YamlDocument, node: Node, name: string): number {
  const isKey = !document.holders.has(node);
  return isKey
    ? document.text.lastIndexOf(`&${name}`, startOf(node))
    : document.text.indexOf(`&${name}`, headEnd(document, holderOf(document, node)));
}

/** The range with the spaces on one side, so that no double space is left. */
function strippedOf(text: string, start: number, length: number): { readonly start: number; readonly end: number } {
  const end = start + length;
  const spaces = /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  const atEnd = /^[ \t]*(\r?\n|$)/.test(text.slice(end));
  return atEnd ? { start: text.slice(0, start).trimEnd().length, end } : { start, end: end + spaces };
}

/** Refuses to remove a range of the text in which an anchor is that is used outside of it. */
export function keptByUsers(document: YamlDocument, start: number, end: number): RefusedEdit | null {
  const isInside = (node: Node): boolean => startOf(node) >= start && startOf(node) < Math.max(end, start + 1);
  for (const [node, aliases] of document.users) {
    const user = aliases.find((alias) => !isInside(alias));
    if (user === undefined || !isInside(node)) continue;
    const { line } = document.mark(startOf(user), startOf(user) + 1).place;
    const message = `this would also remove \`&${user.source}\`, which line ${line} of this file uses`;
    const at = anchorStart(document, node, user.source);
    const mark = document.mark(at, at + 1 + user.source.length);
    return { refused: { mark, message, remedy: `write the value out in line ${line} first` } };
  }
  return null;
}
