// One step of an edit, made in the text. A value from an alias, a merge or an anchor is changed only where the step leads. The new text is parsed,
// and its value must be the one that the step means.

import { isMap, isSeq, type Node } from 'yaml';
import { InternalError } from '../../base/errors.ts';
import { equalJson } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';
import type { Path } from '../../yaml/places.ts';
import { keptByUsers, movingAnchor, overtaken, sharedBy } from './anchors.ts';
import { collectionOf, type RefusedEdit, readDocument, refuse, startOf, type YamlDocument } from './document.ts';
import { after, type EditStep, valueAt } from './edits.ts';
import { addingMembers, insertingItems, ordering, removing, unmerging } from './entries.ts';
import { type CollectionNode, entryEnd, entryStart, isBlank, type Splice, spliced, valueEnd } from './layout.ts';
import { endOf, memberIndex, type PathEnd } from './path-end.ts';
import { replacing } from './replace.ts';
import { mergedMembers } from './values.ts';
import type { YamlStyle } from './written.ts';

type WrittenEnd = Exclude<PathEnd, { readonly at: 'merged' }>;

export function applyStep(document: YamlDocument, step: EditStep, style: YamlStyle): YamlDocument | RefusedEdit {
  const meant = after(document.value, step);
  const holding = step.op === 'remove' ? step.path.slice(0, -1) : step.path;
  const end = endOf(document, holding);
  const value = (path: Path): Json => valueAt(meant, path) ?? null;
  if (end.at === 'merged') {
    const members = [[end.name, value([...end.path, end.name])]] as const;
    return applyStep(document, { op: 'add', path: end.path, members }, style);
  }
  if (step.op === 'replace') {
    if (end.at === 'node' || end.path.length === step.path.length) {
      return safely(document, end, step, style, () => replacement(document, end, step.value, style));
    }
    return applyStep(document, { op: 'replace', path: end.path, value: value(end.path) }, style);
  }
  if (end.at === 'alias') return applyStep(document, { op: 'replace', path: end.path, value: value(end.path) }, style);
  if (!isFilled(end.node)) return applyStep(document, { op: 'replace', path: holding, value: value(holding) }, style);
  const { node } = end;
  return safely(document, end, step, style, () => splicesIn(document, node, step, style));
}

function isFilled(node: Node | null): node is CollectionNode {
  return (isMap(node) || isSeq(node)) && node.items.length > 0;
}

/** Moves a shared anchor away first, so that the step changes nothing else. */
function safely(
  document: YamlDocument,
  { node, holder }: WrittenEnd,
  step: EditStep,
  style: YamlStyle,
  splices: () => readonly Splice[] | RefusedEdit,
): YamlDocument | RefusedEdit {
  const changing = node ?? collectionOf(holder);
  const shared = changing === null ? null : (sharedBy(document, changing) ?? inTheWay(document, changing, step));
  if (shared === null) return checked(document, splices(), after(document.value, step), changing);
  const moved = checked(document, movingAnchor(document, shared, style), document.value, shared);
  return 'refused' in moved ? moved : applyStep(moved, step, style);
}

function inTheWay(document: YamlDocument, node: Node, step: EditStep): Node | null {
  return step.op === 'order' && isSeq(node) ? overtaken(document, node, step.order) : null;
}

function replacement(document: YamlDocument, { node, holder }: WrittenEnd, value: Json, style: YamlStyle) {
  const kept =
    node === null || isBlank(node) ? null : keptByUsers(document, startOf(node), valueEnd(document, holder, node));
  return kept ?? [replacing(document, holder, node, value, style)];
}

function splicesIn(
  document: YamlDocument,
  node: CollectionNode,
  step: Exclude<EditStep, { readonly op: 'replace' }>,
  style: YamlStyle,
): readonly Splice[] | RefusedEdit {
  if (step.op === 'remove') return removal(document, node, step.path.at(-1) ?? '', style);
  if (isMap(node) && step.op === 'add') return addingMembers(document, node, step.members, style);
  if (isSeq(node) && step.op === 'insert') return insertingItems(document, node, step.index, step.items, style);
  if (isSeq(node) && step.op === 'order') return ordering(document, node, step.order);
  throw new InternalError(`a step that does not fit its value was not refused: ${step.op}`);
}

function removal(document: YamlDocument, node: CollectionNode, name: string | number, style: YamlStyle) {
  const index = isMap(node) ? memberIndex(node, String(name)) : Number(name);
  const kept =
    index < 0 ? null : keptByUsers(document, entryStart(document, node, index), entryEnd(document, node, index));
  if (kept !== null) return kept;
  if (isMap(node) && mergedMembers(document, node).has(String(name))) {
    return unmerging(document, node, String(name), style);
  }
  return removing(document, node, index);
}

/** The document after the splices, if it reads as meant. */
function checked(
  document: YamlDocument,
  splices: readonly Splice[] | RefusedEdit,
  meant: Json,
  node: Node | null,
): YamlDocument | RefusedEdit {
  if ('refused' in splices) return splices;
  const next = readDocument(document.file, spliced(document.text, splices));
  if (!('refused' in next) && equalJson(next.value, meant)) return next;
  const why = 'refused' in next ? `: ${next.refused.message}` : '';
  return refuse(document, node, `an edit here would also change something else${why}`, 'make it by hand');
}
