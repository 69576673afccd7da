// The text of one YAML file in; its value as plain JSON, a source of places and every error of the notation out.
// The only door to the parser: another one has to give the same `Parsed`.

import { parseDocument } from 'yaml';
import type { Diagnostic, Json } from '../model.ts';
import { marker } from './lines.ts';
import { diagnose, type Mark, type Source } from './mark.ts';
import { nestedTooDeeply, notationErrors, unclosedAt } from './yaml-errors.ts';
import { jsonOf } from './yaml-json.ts';
import { locator, type Tree } from './yaml-places.ts';

/** One file as a value. */
export interface Parsed {
  readonly source: Source;
  /** Objects are shared where the file uses aliases: never change one in place. */
  readonly value: Json;
  /** Whether the value is all of what the file says: false after an error of syntax. */
  readonly whole: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** A parsed file with the nodes of its text, for whoever changes the text. */
export interface ParsedTree extends Parsed {
  readonly tree: Tree;
  /** Of a range of offsets. */
  readonly mark: (start: number, end: number) => Mark;
}

/** YAML 1.2, core schema, and the merge key `<<`. */
export function parseYaml(file: string, text: string): Parsed {
  const { source, value, whole, diagnostics } = parseTree(file, text);
  return { source, value, whole, diagnostics };
}

export function parseTree(file: string, text: string): ParsedTree {
  const mark = marker(file, text);
  const tooDeep = unclosedAt(text);
  if (tooDeep !== null) return unparsed(file, mark, tooDeep);
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, merge: false });
  const tree: Tree = { root: document.contents, targets: new Map() };
  const diagnostics = notationErrors(document, mark);
  const whole = diagnostics.every(({ code }) => code !== 'yaml-syntax');
  const value = jsonOf(tree, mark, diagnostics);
  return { source: { file, mark: locator(tree, mark) }, value, whole, diagnostics, tree, mark };
}

function unparsed(file: string, mark: ParsedTree['mark'], offset: number): ParsedTree {
  const diagnostics = [diagnose(mark(offset, offset + 1), nestedTooDeeply())];
  const tree: Tree = { root: null, targets: new Map() };
  return { source: { file, mark: () => mark(0, 1) }, value: null, whole: false, diagnostics, tree, mark };
}
