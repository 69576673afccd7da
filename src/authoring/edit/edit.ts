// Edits of the value of a YAML file, made in its text. Every other byte stays: comments, quotes, blank lines, indentation, line breaks. Touches no
// disk.

import { equalJson } from '../../base/json.ts';
import { type ParsedTree, parseTree } from '../../yaml/thorough/parse.ts';
import { applyStep } from './apply-step.ts';
import { type Obstacle, type RefusedEdit, readDocument, type YamlDocument } from './document.ts';
import { type Edit, impossible } from './edits.ts';
import { pathText } from './path-index.ts';
import { stepsOf } from './steps.ts';
import { styleOf } from './style.ts';
import { madeTogether } from './together.ts';

/** All edits, or none of them. */
export type Edited =
  | { readonly text: string; readonly parsed: ParsedTree }
  | {
      readonly refused: Obstacle;
      /** The edit that could not be made; null when the text could not be read. */
      readonly edit: Edit | null;
    };

const BYTE_ORDER_MARK = '\ufeff';

/** `parsed`: the text, where it was parsed before. A byte order mark stays, and is no part of the first line. */
export function editYaml(file: string, text: string, edits: readonly Edit[], parsed?: ParsedTree): Edited {
  if (!text.startsWith(BYTE_ORDER_MARK)) return editText(file, text, edits, parsed);
  const edited = editText(file, text.slice(BYTE_ORDER_MARK.length), edits);
  if ('refused' in edited) return edited;
  const marked = BYTE_ORDER_MARK + edited.text;
  return { text: marked, parsed: parseTree(file, marked) };
}

function editText(file: string, text: string, edits: readonly Edit[], parsed?: ParsedTree): Edited {
  const read = readDocument(file, text, parsed);
  if ('refused' in read) return { ...read, edit: null };
  let document: YamlDocument = read;
  let pending = edits;
  let most = edits.length;
  while (pending.length > 0) {
    const round = pending.length < 2 || most < 2 ? null : madeTogether(document, pending, styleOf(document), most);
    if (round?.type === 'unlike') {
      // One of them cannot be made: half as many at once find it sooner than one after the other.
      most = round.count >> 1;
      continue;
    }
    most = Math.max(2, most * 2);
    if (round !== null) {
      document = round.document;
      pending = round.waiting;
      continue;
    }
    const first = firstRun(pending);
    const next = withRun(document, first);
    if ('refused' in next) return next;
    document = next;
    pending = pending.slice(first.length);
  }
  return { text: document.text, parsed: document.parsed };
}

/** The document after edits that are made together. */
function withRun(before: YamlDocument, together: readonly Edit[]): YamlDocument | Extract<Edited, RefusedEdit> {
  for (const [nth, edit] of together.entries()) {
    // Before the items that those in front of it insert.
    const wrong = impossible(before.value, edit.op === 'insert' ? { ...edit, index: edit.index - nth } : edit);
    if (wrong === null) continue;
    const mark = before.markOf(edit.path.slice(0, wrong.depth));
    return { refused: { mark, message: wrong.message, remedy: null }, edit };
  }
  const [edit] = together;
  let document = before;
  for (const step of stepsOf(document.value, together)) {
    const next = applyStep(document, step, styleOf(document));
    if ('refused' in next) return { ...next, edit: edit ?? null };
    document = next;
  }
  return document;
}

/** The first edits that follow each other and add different members to one mapping, or items of a list behind each other. */
function firstRun(edits: readonly Edit[]): readonly Edit[] {
  const [first] = edits;
  if (first?.op === 'insert') {
    const stop = edits.findIndex(
      (edit, nth) =>
        edit.op !== 'insert' || edit.index !== first.index + nth || pathText(edit.path) !== pathText(first.path),
    );
    return stop < 0 ? edits : edits.slice(0, stop);
  }
  if (first?.op !== 'add') return edits.slice(0, 1);
  const names = new Set<string>();
  const end = edits.findIndex((edit) => {
    if (edit.op !== 'add' || !equalJson(first.path, edit.path) || names.has(edit.name)) return true;
    names.add(edit.name);
    return false;
  });
  return end < 0 ? edits : edits.slice(0, end);
}
