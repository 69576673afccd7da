// A document and one step in; the document after it out, or why the step cannot be taken there. What stands behind an alias, a merge or an anchor
// is changed only where the step leads. The text is parsed again, and its value has to be the one that is meant.

import { isMap, isSeq, type Node } from 'yaml';
import { InternalError } from '../../base/errors.ts';
import { equalJson } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';
import type { Path } from '../../yaml/mark.ts';
import { keptByUsers, movingAnchor, overtaken, sharedBy } from './anchors.ts';
import { collectionOf, type Refused, readDocument, refuse, startOf, type YamlDocument } from './document.ts';
import { after, type Step, valueAt } from './edits.ts';
import { addingMembers, insertingItems, removing } from './entries.ts';
import { type Collection, entryEnd, entryStart, isBlank, type Splice, spliced, valueEnd } from './layout.ts';
import { unmerging } from './merges.ts';
import { ordering } from './order.ts';
import { replacing } from './replace.ts';
import { mergedMembers } from './values.ts';
import { memberIndex, type Way, wayTo } from './way.ts';
import type { Style } from './written.ts';

type Standing = Exclude<Way, { readonly at: 'merged' }>;

export function taken(document: YamlDocument, step: Step, style: Style): YamlDocument | Refused {
  const meant = after(document.value, step);
  const holding = step.op === 'remove' ? step.path.slice(0, -1) : step.path;
  const way = wayTo(document, holding);
  const value = (path: Path): Json => valueAt(meant, path) ?? null;
  if (way.at === 'merged') {
    const members = [[way.name, value([...way.path, way.name])]] as const;
    return taken(document, { op: 'add', path: way.path, members }, style);
  }
  if (step.op === 'replace') {
    if (way.at === 'node' || way.path.length === step.path.length) {
      return safely(document, way, step, style, () => replacement(document, way, step.value, style));
    }
    return taken(document, { op: 'replace', path: way.path, value: value(way.path) }, style);
  }
  if (way.at === 'alias') return taken(document, { op: 'replace', path: way.path, value: value(way.path) }, style);
  if (!isFilled(way.node)) return taken(document, { op: 'replace', path: holding, value: value(holding) }, style);
  const { node } = way;
  return safely(document, way, step, style, () => splicesIn(document, node, step, style));
}

function isFilled(node: Node | null): node is Collection {
  return (isMap(node) || isSeq(node)) && node.items.length > 0;
}

/** Frees what others use first; checks afterwards that the value is the one that is meant. */
function safely(
  document: YamlDocument,
  { node, holder }: Standing,
  step: Step,
  style: Style,
  splices: () => readonly Splice[] | Refused,
): YamlDocument | Refused {
  const changing = node ?? collectionOf(holder);
  const shared = changing === null ? null : (sharedBy(document, changing) ?? inTheWay(document, changing, step));
  if (shared === null) return checked(document, splices(), after(document.value, step), changing);
  const moved = checked(document, movingAnchor(document, shared, style), document.value, shared);
  return 'refused' in moved ? moved : taken(moved, step, style);
}

function inTheWay(document: YamlDocument, node: Node, step: Step): Node | null {
  return step.op === 'order' && isSeq(node) ? overtaken(document, node, step.order) : null;
}

function replacement(document: YamlDocument, { node, holder }: Standing, value: Json, style: Style) {
  const kept =
    node === null || isBlank(node) ? null : keptByUsers(document, startOf(node), valueEnd(document, holder, node));
  return kept ?? [replacing(document, holder, node, value, style)];
}

function splicesIn(
  document: YamlDocument,
  node: Collection,
  step: Exclude<Step, { readonly op: 'replace' }>,
  style: Style,
): readonly Splice[] | Refused {
  if (step.op === 'remove') return removal(document, node, step.path.at(-1) ?? '', style);
  if (isMap(node) && step.op === 'add') return addingMembers(document, node, step.members, style);
  if (isSeq(node) && step.op === 'insert') return insertingItems(document, node, step.index, step.items, style);
  if (isSeq(node) && step.op === 'order') return ordering(document, node, step.order);
  throw new InternalError(`a step that does not fit its value was not refused: ${step.op}`);
}

function removal(document: YamlDocument, node: Collection, name: string | number, style: Style) {
  const index = isMap(node) ? memberIndex(node, String(name)) : Number(name);
  const kept =
    index < 0 ? null : keptByUsers(document, entryStart(document, node, index), entryEnd(document, node, index));
  if (kept !== null) return kept;
  if (isMap(node) && mergedMembers(document, node).has(String(name))) {
    return unmerging(document, node, String(name), style);
  }
  return removing(document, node, index);
}

/** What is written is only what reads as it should. */
function checked(
  document: YamlDocument,
  splices: readonly Splice[] | Refused,
  meant: Json,
  node: Node | null,
): YamlDocument | Refused {
  if ('refused' in splices) return splices;
  const next = readDocument(document.file, spliced(document.text, splices));
  if (!('refused' in next) && equalJson(next.value, meant)) return next;
  const why = 'refused' in next ? `: ${next.refused.message}` : '';
  return refuse(
    document,
    node,
    `this change cannot be made here without changing something else${why}`,
    'make it by hand',
  );
}
