// Edits at different places of a text, made in one parse. An edit that touches another one, or needs a parse of its own, waits.

import { isMap, type YAMLMap } from 'yaml';
import { grouped } from '../../base/grouped.ts';
import { equalJson, valueAt } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';
import type { Path } from '../../yaml/places.ts';
import { type Landing, landing, nodeChangedBy, sharedBy, splicesFor } from './apply-step.ts';
import { isFlow, readDocument, startOf, type YamlDocument } from './document.ts';
import { afterAll, type Edit, type EditStep, impossible, reach } from './edits.ts';
import { addingMembers, removing } from './entries.ts';
import * as layout from './layout.ts';
import { memberIndex } from './path-end.ts';
import { pathIndex, pathText } from './path-index.ts';
import { stepsOf } from './steps.ts';
import { mergeIndexes } from './values.ts';
import type { YamlStyle } from './written.ts';

/** `unlike`: the text would not read as meant after so many edits, and nothing was changed. */
export type Round =
  | { readonly type: 'made'; readonly document: YamlDocument; readonly waiting: readonly Edit[] }
  | { readonly type: 'unlike'; readonly count: number };

/** Makes up to `most` of the edits at once; null when fewer than two can be made so. */
export function madeTogether(
  document: YamlDocument,
  edits: readonly Edit[],
  style: YamlStyle,
  most: number,
): Round | null {
  const chosen = withoutOverlaps(placed(document, edits, style, most));
  if (chosen.length < 2) return null;
  const steps = chosen.flatMap((each) => each.steps);
  const text = layout.spliced(document.text, splicesOf(document, chosen, style));
  const next = readDocument(document.file, text);
  if ('refused' in next || !equalJson(next.value, afterAll(document.value, steps)))
    return { type: 'unlike', count: chosen.length };
  const made = new Set(chosen.map(({ edit }) => edit));
  return { type: 'made', document: next, waiting: edits.filter((edit) => !made.has(edit)) };
}

/** An edit that depends on no other one, and what it touches. */
interface Placed {
  readonly edit: Edit;
  readonly steps: readonly EditStep[];
  readonly touches: readonly Touch[];
}

/** The part of the text that a step reads and writes. */
interface Touch {
  readonly from: number;
  readonly to: number;
  readonly landing: Landing;
  readonly splices: readonly layout.Splice[];
}

function placed(document: YamlDocument, edits: readonly Edit[], style: YamlStyle, most: number): readonly Placed[] {
  const found: Placed[] = [];
  const paths = pathIndex();
  // Members are added to a mapping in the order of the edits, and an edit that waits may add one.
  const late = new Set<string>();
  for (const edit of edits) {
    if (found.length >= most) break;
    const steps =
      impossible(document.value, edit) === null ? writtenOut(document, stepsOf(document.value, [edit])) : null;
    const path = changedPath(document.value, edit);
    const isApart = paths.isApart(path);
    paths.add(path);
    const [first] = steps ?? [];
    const addsTo = first?.op === 'add' ? pathText(first.path) : null;
    const touches =
      steps === null || !isApart || !isSimple(steps) || (addsTo !== null && late.has(addsTo))
        ? null
        : touchesOf(document, steps, style);
    if (steps !== null && touches !== null) found.push({ edit, steps, touches });
    else for (const depth of [...path.keys()]) late.add(pathText(path.slice(0, depth)));
  }
  return found;
}

/** Steps into a value that comes from an alias or a merge, as the one step that writes the value out. */
function writtenOut(document: YamlDocument, steps: readonly EditStep[]): readonly EditStep[] {
  const [first] = steps;
  const path = first === undefined || steps.length < 2 ? null : sharedPath(first, landing(document, first).step);
  if (path === null || !steps.every((step) => path.every((name, depth) => step.path[depth] === name))) return steps;
  const inside = steps.map((step) => ({ ...step, path: step.path.slice(path.length) }));
  return [{ op: 'replace', path, value: afterAll(valueAt(document.value, path) ?? null, inside) }];
}

/** Path of the value that a step has to write out; null when it leads to a value of its own. */
function sharedPath(step: EditStep, written: EditStep): Path | null {
  if (written === step) return null;
  if (written.op === 'replace') return written.path;
  const [[name] = []] = written.op === 'add' ? written.members : [];
  return name === undefined ? null : [...written.path, name];
}

/** One step, or several that each replace a value of their own. */
function isSimple(steps: readonly EditStep[]): boolean {
  return steps.length < 2 || steps.every(({ op }) => op === 'replace');
}

/** The value that an edit decides about; where items of a list move, the list. */
function changedPath(value: Json, edit: Edit): Path {
  const decided = (path: Path): Path => path.slice(0, reach(value, path) + 1);
  switch (edit.op) {
    case 'set':
      return decided(edit.path);
    case 'add':
      return decided([...edit.path, edit.name]);
    case 'insert':
    case 'order':
      return edit.path;
    case 'remove':
      return typeof edit.path.at(-1) === 'number' ? edit.path.slice(0, -1) : edit.path;
  }
}

/** Null when one of the steps cannot be made, or would change what an anchor shares. */
function touchesOf(document: YamlDocument, steps: readonly EditStep[], style: YamlStyle): readonly Touch[] | null {
  const touches: Touch[] = [];
  for (const step of steps) {
    const own = landing(document, step);
    const node = nodeChangedBy(own.end);
    if (own.step.op === 'order' || node === null || sharedBy(document, node) !== null) return null;
    if (own.step.op === 'remove' && isMap(own.end.node) && mergeIndexes(own.end.node).length > 0) return null;
    const splices = splicesFor(document, own, style);
    if ('refused' in splices) return null;
    touches.push({ ...rangeOf(document, own, splices), landing: own, splices });
  }
  return touches;
}

function rangeOf(
  document: YamlDocument,
  { step, end }: Landing,
  splices: readonly layout.Splice[],
): Pick<Touch, 'from' | 'to'> {
  const { text } = document;
  const from = Math.min(...splices.map(({ start }) => start));
  const to = Math.max(...splices.map((splice) => splice.end));
  const { node } = end;
  if (step.op === 'replace' || node === null) {
    const isInLine = !text.slice(from, to).includes('\n') && splices.every((splice) => !splice.text.includes('\n'));
    return isInLine ? { from, to } : lines(text, from, to, linesBelow(step));
  }
  if (!isMap(node) || isFlow(node)) return lines(text, startOf(node), layout.valueEnd(document, end.holder, node), 0);
  if (step.op === 'remove') {
    const { top, end: last } = layout.extentOf(document, node, memberIndex(node, String(step.path.at(-1))));
    return lines(text, Math.max(0, layout.lineStart(text, top) - 1), last, 1);
  }
  // A new member looks at the last two.
  const { top } = layout.extentOf(document, node, Math.max(0, node.items.length - 2));
  return lines(text, top, to, 0);
}

/** Whole lines, and so many below them. */
function lines(text: string, from: number, to: number, below: number): Pick<Touch, 'from' | 'to'> {
  const end = layout.nextLine(text, to);
  return { from: layout.lineStart(text, from), to: below === 0 ? end : layout.nextLine(text, end) };
}

/** A literal block looks at the line below it. */
function linesBelow(step: EditStep): number {
  return step.op === 'replace' && typeof step.value === 'string' && step.value.includes('\n') ? 1 : 0;
}

/** Of edits that touch the same text, those that come first in it. New members of one mapping go together, and so do removed neighbours. */
function withoutOverlaps(all: readonly Placed[]): readonly Placed[] {
  const left = new Set<Placed>();
  const touches = all.flatMap((owner) => owner.touches.map((touch) => ({ touch, owner })));
  let last: Touch | null = null;
  let run = 1;
  for (const { touch, owner } of touches.sort((a, b) => a.touch.from - b.touch.from || a.touch.to - b.touch.to)) {
    if (left.has(owner)) continue;
    const joins: boolean = last !== null && isNextRemoved(last, touch) && run < itemsIn(touch) - 1;
    if (last !== null && touch.from < last.to && !joins && !areAdded(last, touch)) {
      left.add(owner);
      continue;
    }
    run = joins ? run + 1 : 1;
    last = last === null || joins || touch.to >= last.to ? touch : { ...touch, to: last.to };
  }
  return all.filter((each) => !left.has(each));
}

function areAdded({ landing: one }: Touch, { landing: other }: Touch): boolean {
  return one.step.op === 'add' && other.step.op === 'add' && one.end.node === other.end.node;
}

function itemsIn({ landing: { end } }: Touch): number {
  return isMap(end.node) ? end.node.items.length : 0;
}

function isNextRemoved(one: Touch, other: Touch): boolean {
  const [before, after] = [removedFrom(one), removedFrom(other)];
  return before !== null && after !== null && before.map === after.map && before.index + 1 === after.index;
}

/** The member that a step removes from a mapping in lines of its own; null for any other step. */
function removedFrom({ landing: { step, end } }: Touch): { readonly map: YAMLMap; readonly index: number } | null {
  const { node } = end;
  if (step.op !== 'remove' || !isMap(node) || isFlow(node)) return null;
  return { map: node, index: memberIndex(node, String(step.path.at(-1))) };
}

function splicesOf(document: YamlDocument, chosen: readonly Placed[], style: YamlStyle): readonly layout.Splice[] {
  const splices: layout.Splice[] = [];
  const added: [to: YAMLMap, member: readonly [name: string, value: Json]][] = [];
  const removed: [from: YAMLMap, index: number][] = [];
  for (const touch of chosen.flatMap(({ touches }) => touches)) {
    const { step, end } = touch.landing;
    const gone = removedFrom(touch);
    const { node } = end;
    if (gone !== null) removed.push([gone.map, gone.index]);
    else if (step.op === 'add' && isMap(node)) for (const member of step.members) added.push([node, member]);
    else splices.push(...touch.splices);
  }
  for (const [map, members] of grouped(added)) splices.push(...addingMembers(document, map, members, style));
  for (const [map, indexes] of grouped(removed))
    for (const [first, last] of runsIn(indexes)) splices.push(...removing(document, map, first, last));
  return splices;
}

/** First and last of each row of indexes without a gap. */
function runsIn(indexes: readonly number[]): readonly (readonly [first: number, last: number])[] {
  const runs: [first: number, last: number][] = [];
  for (const index of indexes.toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] + 1 === index) run[1] = index;
    else runs.push([index, index]);
  }
  return runs;
}
