// Edits of the value of a YAML file, made in its text. What does not change stays byte for byte. Touches no disk.

import { equalJson } from '../../base/json.ts';
import type { PlaceMark } from '../../yaml/places.ts';
import { type ParsedTree, parseTree } from '../../yaml/thorough/parse.ts';
import { writerIn } from '../nodes.ts';
import { styleOf } from '../style.ts';
import { afterAll, type Edit, type EditedValue } from './edits.ts';
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

/** All edits, or none of them. */
export type Edited =
  | { readonly text: string; readonly parsed: ParsedTree }
  | {
      readonly refused: Obstacle;
      /** The edit that cannot be made; null when it is not one alone. */
      readonly edit: Edit | null;
    };

const BYTE_ORDER_MARK = '\ufeff';

/** A byte order mark stays, and is no part of the first line. */
export function editYaml(file: string, text: string, edits: readonly Edit[]): Edited {
  if (!text.startsWith(BYTE_ORDER_MARK)) return editText(file, text, edits);
  const edited = editText(file, text.slice(BYTE_ORDER_MARK.length), edits);
  if ('refused' in edited) return edited;
  const marked = BYTE_ORDER_MARK + edited.text;
  return { text: marked, parsed: parseTree(file, marked) };
}

function editText(file: string, text: string, edits: readonly Edit[]): Edited {
  const parsed = parseTree(file, text);
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
  for (const changed of changedTexts(text, parsed, meant)) {
    const next = parseTree(file, changed);
    const isRight = next.diagnostics.every(({ severity }) => severity !== 'error') && equalJson(next.value, value);
    if (isRight) return { text: changed, parsed: next };
  }
  const message = 'no edit of this file changes only what is meant';
  return { refused: { mark: parsed.mark(0, 1), message, remedy: 'make the change by hand' }, edit: null };
}

/** How deep the entries are that are written whole, when those inside of them cannot be written alone. */
const FEWER_ENTRIES = [8, 7, 6, 5, 4, 3, 2, 1];

/** Texts that should have the value: first the one in which the smallest entries change, last one that is written as a whole. */
function* changedTexts(text: string, { tree, document }: ParsedTree, meant: EditedValue): Generator<string> {
  const before = tree.root;
  const style = styleOf(text, before, tree.values);
  const writer = writerIn(style);
  const { root, changes } = reconcile(tree, meant, style);
  for (const deepest of [Number.POSITIVE_INFINITY, ...FEWER_ENTRIES]) {
    const changed = before === null ? null : spliced({ ...changes, text, style, writer, deepest }, before, root);
    if (changed !== null) yield changed;
  }
  document.contents = root;
  const written = writer.document(document);
  yield text === '' || text.endsWith('\n') ? written : written.replace(/\r?\n$/, '');
}
