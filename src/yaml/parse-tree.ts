// The text of one YAML file in; its value as plain JSON, a source of places, every error of the notation, and the nodes of the text out.
// What this says of a file is what the file says: ordinary.ts only says it sooner.

import { parseDocument } from 'yaml';
import { marker } from './lines.ts';
import { diagnose, type Mark } from './mark.ts';
import type { Parsed } from './parse.ts';
import { nestedTooDeeply, notationErrors, unclosedAt } from './tree-errors.ts';
import { locator, type Tree } from './tree-places.ts';
import { jsonOf } from './tree-values.ts';

/** A parsed file with the nodes of its text, for whoever changes the text. */
export interface ParsedTree extends Parsed {
  readonly tree: Tree;
  /** Of a range of offsets. */
  readonly mark: (start: number, end: number) => Mark;
}

/** YAML 1.2, core schema, and the merge key `<<`. */
export function parseTree(file: string, text: string): ParsedTree {
  const mark = marker(file, text);
  const tooDeep = unclosedAt(text);
  if (tooDeep !== null) return unparsed(file, mark, tooDeep);
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, merge: false });
  const tree: Tree = { root: document.contents, targets: new Map() };
  const diagnostics = notationErrors(document, mark);
  const whole = diagnostics.every(({ code }) => code !== 'yaml-syntax');
  const value = jsonOf(tree, mark, diagnostics);
  return { source: { file, mark: locator(tree, mark) }, value, templated: true, whole, diagnostics, tree, mark };
}

function unparsed(file: string, mark: ParsedTree['mark'], offset: number): ParsedTree {
  const diagnostics = [diagnose(mark(offset, offset + 1), nestedTooDeeply())];
  const tree: Tree = { root: null, targets: new Map() };
  const source = { file, mark: () => mark(0, 1) };
  return { source, value: null, templated: false, whole: false, diagnostics, tree, mark };
}
