// One step of an edit, made in the text. A value from an alias, a merge or an anchor is changed only where the step leads. The new text is parsed,
// and its value must be the one that the step means.

import { isMap, isSeq, type Node, type YAMLSeq } from 'yaml';
import { InternalError } from '../../base/errors.ts';
import { equalJson, valueAt } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';
import type { Path } from '../../yaml/places.ts';
import {
  collectionOf,
  holderOf,
  lineage,
  type RefusedEdit,
  readDocument,
  refuse,
  startOf,
  type YamlDocument,
} from './document.ts';
import { after, type EditStep } from './edits.ts';
import { addingMembers, insertingItems, ordering, removing, unmerging } from './entries.ts';
import * as layout from './layout.ts';
import { endOf, memberIndex, type PathEnd } from './path-end.ts';
import { replacing } from './replace.ts';
import { mergedMembers, plainValue } from './values.ts';
import type { YamlStyle } from './written.ts';

type WrittenEnd = Exclude<PathEnd, { readonly at: 'merged' }>;

export function applyStep(document: YamlDocument, step: EditStep, style: YamlStyle): YamlDocument | RefusedEdit {
  const { step: written, end } = landing(document, step);
  const changing = nodeChangedBy(end);
  const shared = changing === null ? null : (sharedBy(document, changing) ?? inTheWay(document, changing, written));
  if (shared === null)
    return checked(
      document,
      splicesFor(document, { step: written, end }, style),
      after(document.value, step),
      changing,
    );
  const moved = checked(document, movingAnchor(document, shared, style), document.value, shared);
  // Moves a shared anchor away first, so that the step changes nothing else.
  return 'refused' in moved ? moved : applyStep(moved, written, style);
}

/** A step as the text can take it, and the node or the alias where its path ends. */
export interface Landing {
  readonly step: EditStep;
  readonly end: WrittenEnd;
}

/** What comes from an alias or a merge is written out where the path leaves the text; an empty collection is replaced. */
export function landing(document: YamlDocument, step: EditStep): Landing {
  const holding = step.op === 'remove' ? step.path.slice(0, -1) : step.path;
  const end = endOf(document, holding);
  const value = (path: Path): Json =>
    after(valueAt(document.value, path) ?? null, { ...step, path: step.path.slice(path.length) });
  if (end.at === 'merged') {
    const members = [[end.name, value([...end.path, end.name])]] as const;
    return landing(document, { op: 'add', path: end.path, members });
  }
  if (step.op === 'replace') {
    if (end.at === 'node' || end.path.length === step.path.length) return { step, end };
    return landing(document, { op: 'replace', path: end.path, value: value(end.path) });
  }
  if (end.at === 'alias') return landing(document, { op: 'replace', path: end.path, value: value(end.path) });
  if (!isFilled(end.node)) return landing(document, { op: 'replace', path: holding, value: value(holding) });
  return { step, end };
}

/** The node that a step changes; null for a value without text at the root. */
export function nodeChangedBy({ node, holder }: WrittenEnd): Node | null {
  return node ?? collectionOf(holder);
}

export function splicesFor(
  document: YamlDocument,
  { step, end }: Landing,
  style: YamlStyle,
): readonly layout.Splice[] | RefusedEdit {
  if (step.op === 'replace') return replacement(document, end, step.value, style);
  if (isFilled(end.node)) return splicesIn(document, end.node, step, style);
  throw new InternalError(`a step into an empty collection was not made a replacement: ${step.op}`);
}

function isFilled(node: Node | null): node is layout.CollectionNode {
  return (isMap(node) || isSeq(node)) && node.items.length > 0;
}

function inTheWay(document: YamlDocument, node: Node, step: EditStep): Node | null {
  return step.op === 'order' && isSeq(node) ? overtaken(document, node, step.order) : null;
}

function replacement(document: YamlDocument, { node, holder }: WrittenEnd, value: Json, style: YamlStyle) {
  const kept =
    node === null || layout.isBlank(node)
      ? null
      : keptByUsers(document, startOf(node), layout.valueEnd(document, holder, node));
  return kept ?? [replacing(document, holder, node, value, style)];
}

function splicesIn(
  document: YamlDocument,
  node: layout.CollectionNode,
  step: Exclude<EditStep, { readonly op: 'replace' }>,
  style: YamlStyle,
): readonly layout.Splice[] | RefusedEdit {
  if (step.op === 'remove') return removal(document, node, step.path.at(-1) ?? '', style);
  if (isMap(node) && step.op === 'add') return addingMembers(document, node, step.members, style);
  if (isSeq(node) && step.op === 'insert') return insertingItems(document, node, step.index, step.items, style);
  if (isSeq(node) && step.op === 'order') return ordering(document, node, step.order);
  throw new InternalError(`a step that does not fit its value was not refused: ${step.op}`);
}

function removal(document: YamlDocument, node: layout.CollectionNode, name: string | number, style: YamlStyle) {
  const index = isMap(node) ? memberIndex(node, String(name)) : Number(name);
  const kept =
    index < 0
      ? null
      : keptByUsers(document, layout.entryStart(document, node, index), layout.entryEnd(document, node, index));
  if (kept !== null) return kept;
  if (isMap(node) && mergedMembers(document, node).has(String(name))) {
    return unmerging(document, node, String(name), style);
  }
  return removing(document, node, index);
}

/** The document after the splices, if it reads as meant. */
function checked(
  document: YamlDocument,
  splices: readonly layout.Splice[] | RefusedEdit,
  meant: Json,
  node: Node | null,
): YamlDocument | RefusedEdit {
  if ('refused' in splices) return splices;
  const next = readDocument(document.file, layout.spliced(document.text, splices));
  if (!('refused' in next) && equalJson(next.value, meant)) return next;
  const why = 'refused' in next ? `: ${next.refused.message}` : '';
  return refuse(document, node, `an edit here would also change something else${why}`, 'make it by hand');
}

/** Of the node and the collections around it, the outermost that has aliases; null when a change of the node changes nothing else. */
export function sharedBy(document: YamlDocument, node: Node): Node | null {
  return lineage(document, node).find((held) => (document.users.get(held) ?? []).length > 0) ?? null;
}

/** A node whose alias the order would put before it; null when every anchor stays before its aliases. */
export function overtaken(document: YamlDocument, list: YAMLSeq, order: readonly number[]): Node | null {
  const itemAt = (node: Node): number =>
    list.items.findIndex(
      (_, index) =>
        layout.entryStart(document, list, index) <= startOf(node) &&
        startOf(node) <= layout.entryEnd(document, list, index),
    );
  for (const [node, aliases] of document.users) {
    const place = order.indexOf(itemAt(node));
    const isBefore = (alias: Node): boolean => itemAt(alias) >= 0 && order.indexOf(itemAt(alias)) < place;
    if (place >= 0 && aliases.some(isBefore)) return node;
  }
  return null;
}

/** Moves the anchor to its first alias, where the value is written out. */
export function movingAnchor(document: YamlDocument, node: Node, style: YamlStyle): readonly layout.Splice[] {
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
    : document.text.indexOf(`&${name}`, layout.headEnd(document, holderOf(document, node)));
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
