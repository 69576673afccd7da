// Edits of the value of a YAML file, made in its text. What does not change stays byte for byte. Touches no disk.

import type { Node } from 'yaml';
import { equalJson } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';
import { marker, type Parsed, type PlaceMark } from '../../yaml/places.ts';
import { KIND, type Nodes } from '../../yaml/quick/nodes.ts';
import { type Ordinary, parseOrdinary } from '../../yaml/quick/parse.ts';
import { parsedOrdinary } from '../../yaml/quick/places.ts';
import { parseTree } from '../../yaml/thorough/parse.ts';
import type { Tree } from '../../yaml/thorough/places.ts';
import { writerIn } from '../nodes.ts';
import { ordinaryNotation, treeNotation } from '../notation.ts';
import { styleOf, type YamlStyle } from '../style.ts';
import { afterAll, type Edit, type EditedValue } from './edits.ts';
import { maskedText } from './masked.ts';
import { reconcile } from './reconcile.ts';
import { spliced } from './splice.ts';

/** Why edits cannot be made, and the place that prevents it. */
export interface Obstacle {
  readonly mark: PlaceMark;
  /** One sentence without a full stop. */
  readonly message: string;
  /** What a person can do instead; null when the message says it. */
  readonly remedy: string | null;
}

/** A text with its value and its places. */
export interface EditableText extends Parsed {
  /** Null for a text that only the thorough parser reads. */
  readonly ordinary: Ordinary | null;
}

/** All edits, or none of them. */
export type Edited =
  | { readonly text: string; readonly parsed: EditableText }
  | {
      readonly refused: Obstacle;
      /** The edit that cannot be made; null when it is not one alone. */
      readonly edit: Edit | null;
    };

export function readText(file: string, text: string): EditableText {
  const ordinary = parseOrdinary(text);
  return { ...(ordinary === null ? parseTree(file, text) : parsedOrdinary(file, text, ordinary)), ordinary };
}

const BYTE_ORDER_MARK = '\ufeff';

/** A byte order mark stays, and is no part of the first line. `parsed`: the text, where it was read before. */
export function editYaml(file: string, text: string, edits: readonly Edit[], parsed?: EditableText): Edited {
  if (!text.startsWith(BYTE_ORDER_MARK)) return editText(file, text, edits, parsed ?? readText(file, text));
  const own = text.slice(BYTE_ORDER_MARK.length);
  const edited = editText(file, own, edits, readText(file, own));
  if ('refused' in edited) return edited;
  const marked = BYTE_ORDER_MARK + edited.text;
  return { text: marked, parsed: readText(file, marked) };
}

function editText(file: string, text: string, edits: readonly Edit[], parsed: EditableText): Edited {
  const error = parsed.diagnostics.find(({ severity }) => severity === 'error');
  if (error !== undefined) {
    const { place, excerpt, message, remedy } = error;
    return { refused: { mark: { place, excerpt }, message, remedy }, edit: null };
  }
  const meant = afterAll(parsed.value, edits);
  const { value, impossible } = meant;
  if (impossible !== null) {
    const { edit, depth, message } = impossible;
    return { refused: { mark: parsed.source.mark(edit.path.slice(0, depth), 'value'), message, remedy: null }, edit };
  }
  if (equalJson(value, parsed.value)) return { text, parsed };
  for (const changed of changedTexts(file, text, parsed, meant)) {
    const next = readText(file, changed);
    const isRight = next.diagnostics.every(({ severity }) => severity !== 'error') && equalJson(next.value, value);
    if (isRight) return { text: changed, parsed: next };
  }
  const message = 'no edit of this file changes only what is meant';
  return { refused: { mark: marker(file, text)(0, 1), message, remedy: 'make the change by hand' }, edit: null };
}

/** How deep the entries are that are written whole, when those inside of them cannot be written alone. */
const FEWER_ENTRIES = [8, 7, 6, 5, 4, 3, 2, 1];

/** Texts that should have the value: first the one in which the smallest entries change, last one that is written as a whole. */
function* changedTexts(
  file: string,
  text: string,
  { value, ordinary }: EditableText,
  meant: EditedValue,
): Generator<string> {
  if (ordinary !== null && !hasAliases(ordinary.nodes)) {
    // Far fewer nodes, from which the same text comes as from all of them.
    const { tree, diagnostics } = parseTree(file, maskedText(text, ordinary, meant));
    const style = styleOf(text, ordinaryNotation(text, ordinary));
    if (diagnostics.length === 0) yield* splicedTexts(text, { tree, value, style }, meant, [Number.POSITIVE_INFINITY]);
  }
  const { tree, document } = parseTree(file, text);
  const style = styleOf(text, treeNotation(tree));
  const root = yield* splicedTexts(text, { tree, value, style }, meant, [Number.POSITIVE_INFINITY, ...FEWER_ENTRIES]);
  document.contents = root;
  const written = writerIn(style).document(document);
  yield text === '' || text.endsWith('\n') ? written : written.replace(/\r?\n$/, '');
}

function hasAliases({ count, kinds, targets }: Nodes): boolean {
  return targets.size > 0 || kinds.subarray(0, count).includes(KIND.merge);
}

/** Returns the root with the value. */
function* splicedTexts(
  text: string,
  { tree, value, style }: { readonly tree: Tree; readonly value: Json; readonly style: YamlStyle },
  meant: EditedValue,
  depths: readonly number[],
): Generator<string, Node> {
  const before = tree.root;
  const writer = writerIn(style);
  const { root, changes } = reconcile(tree, value, meant, style);
  for (const deepest of depths) {
    const changed = before === null ? null : spliced({ ...changes, text, style, writer, deepest }, before, root);
    if (changed !== null) yield changed;
  }
  return root;
}
