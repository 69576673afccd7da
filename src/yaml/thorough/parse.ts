// The thorough parser: any text, with its nodes and every error of its notation. What it says of a text is right; the quick parser only agrees.

import { Document, parseDocument } from 'yaml';
import { unclosedAt } from '../depth.ts';
import { diagnose, limitFindings, moreFindings } from '../diagnostics.ts';
import { marker, type Parsed, type PlaceMark } from '../places.ts';
import { nestedTooDeeply, notationErrors } from './errors.ts';
import { locator, type Tree } from './places.ts';
import { jsonOf } from './values.ts';

/** A parsed text with its nodes, which an edit of the text needs. */
export interface ParsedTree extends Parsed {
  readonly tree: Tree;
  /** What the nodes are part of: an edit changes it in place. */
  readonly document: Document;
  /** Of a range of offsets. */
  readonly mark: (start: number, end: number) => PlaceMark;
}

/** YAML 1.2, core schema, and the merge key `<<`. */
export function parseTree(file: string, text: string): ParsedTree {
  const mark = marker(file, text);
  const tooDeep = unclosedAt(text);
  if (tooDeep !== null) return unparsed(file, mark, tooDeep);
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, merge: false });
  const tree: Tree = { root: document.contents, targets: new Map(), values: new Map() };
  const notation = notationErrors(document, text, mark);
  const { value, diagnostics: found, left, isCut } = jsonOf(tree, mark, notation);
  const whole = !isCut && notation.every(({ code }) => code !== 'yaml-syntax');
  const diagnostics = limitFindings([...found, ...moreFindings(found, { errors: left, warnings: 0 })]);
  return {
    source: { file, mark: locator(tree, mark) },
    value,
    templated: true,
    plain: false,
    whole,
    diagnostics,
    tree,
    document,
    mark,
  };
}

function unparsed(file: string, mark: ParsedTree['mark'], offset: number): ParsedTree {
  const diagnostics = [diagnose(mark(offset, offset + 1), nestedTooDeeply())];
  const tree: Tree = { root: null, targets: new Map(), values: new Map() };
  const source = { file, mark: () => mark(0, 1) };
  const nothing = { value: null, templated: false, plain: false, whole: false };
  return { source, ...nothing, diagnostics, tree, document: new Document(), mark };
}
