// The text of a YAML file and what its value shall become in; the text with exactly these changes out, or why they cannot be made there.
// Every other byte stays: comments, quotes, blank lines, indentation, line breaks. Touches no disk.

import { equalJson, isList } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';
import type { Path } from '../../yaml/mark.ts';
import { differing } from './differing.ts';
import { type Obstacle, readDocument, type YamlDocument } from './document.ts';
import { type Edit, impossible, reach, type Step, valueAt } from './edits.ts';
import { styleOf } from './style.ts';
import { taken } from './take.ts';

/** All edits, or none of them. */
export type Edited =
  | { readonly text: string }
  | {
      readonly refused: Obstacle;
      /** The one that could not be made; null when the text could not be read in the first place. */
      readonly edit: Edit | null;
    };

export function editYaml(file: string, text: string, edits: readonly Edit[]): Edited {
  const read = readDocument(file, text);
  if ('refused' in read) return { ...read, edit: null };
  let document: YamlDocument = read;
  for (const together of runsOf(edits)) {
    for (const edit of together) {
      const wrong = impossible(document.value, edit);
      if (wrong === null) continue;
      const mark = document.markOf(edit.path.slice(0, wrong.depth));
      return { refused: { mark, message: wrong.message, remedy: null }, edit };
    }
    const [edit] = together;
    for (const step of stepsOf(document.value, together)) {
      const next = taken(document, step, styleOf(document));
      if ('refused' in next) return { ...next, edit: edit ?? null };
      document = next;
    }
  }
  return { text: document.text };
}

/** What is added to one mapping by edits that follow each other is added at once, because the text is parsed again after each step. */
function runsOf(edits: readonly Edit[]): readonly (readonly Edit[])[] {
  const runs: Edit[][] = [];
  for (const edit of edits) {
    const run = runs.at(-1);
    const before = run?.[0];
    const joins =
      edit.op === 'add' &&
      before?.op === 'add' &&
      equalJson(before.path, edit.path) &&
      !run?.some((other) => other.op === 'add' && other.name === edit.name);
    if (joins) run?.push(edit);
    else runs.push([edit]);
  }
  return runs;
}

function stepsOf(value: Json, together: readonly Edit[]): readonly Step[] {
  const [edit] = together;
  if (edit === undefined) return [];
  switch (edit.op) {
    case 'set':
      return setting(value, edit.path, edit.value);
    case 'add': {
      const members = together.flatMap((other) => (other.op === 'add' ? [[other.name, other.value] as const] : []));
      if (valueAt(value, edit.path) === undefined) return setting(value, edit.path, Object.fromEntries(members));
      return [{ op: 'add', path: edit.path, members }];
    }
    case 'insert':
      return [{ op: 'insert', path: edit.path, index: edit.index, items: [edit.value] }];
    case 'remove':
      return [edit];
    case 'order':
      return movesNothing(valueAt(value, edit.path) ?? null, edit.order) ? [] : [edit];
  }
}

/** Items that say the same may be written differently, and stand right wherever they do. */
function movesNothing(list: Json, order: readonly number[]): boolean {
  return isList(list) && order.every((from, to) => equalJson(list[from], list[to]));
}

function setting(value: Json, path: Path, meant: Json): readonly Step[] {
  const depth = reach(value, path);
  const at = path.slice(0, depth);
  const [name, ...inner] = path.slice(depth);
  if (name === undefined) return differing(valueAt(value, at) ?? null, meant, at);
  const member = inner.reduceRight<Json>((held, step) => ({ [step]: held }), meant);
  return [{ op: 'add', path: at, members: [[String(name), member]] }];
}
