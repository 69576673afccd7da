// How the author of a text writes: indentation, line breaks, quotes, brackets. What the text does not show is as in a new file.

import { isMap, isScalar, isSeq, type Node, visit, type YAMLMap, type YAMLSeq } from 'yaml';
import { countedBy } from '../../base/grouped.ts';
import { isCollection, type Sort, sortOf } from './brackets.ts';
import { collectionOf, holderOf, inFlow, isFlow, pathOf, startOf, type YamlDocument } from './document.ts';
import { columnOf, columnOfEntries, columnOfHead, headEnd } from './layout.ts';
import { roleOf } from './role.ts';
import { plainValue } from './values.ts';
import { isWrittenFlow, type Notation, PLAIN_STYLE, type YamlStyle } from './written.ts';

export function styleOf(document: YamlDocument): YamlStyle {
  const { text, root } = document;
  const steps: number[] = [];
  const dashes: number[] = [];
  const quotes: string[] = [];
  const padding = { map: [] as string[], list: [] as string[] };
  const notations: { readonly sort: Sort; readonly notation: Notation }[] = [];
  const note = (node: Node): void => {
    if (isScalar(node) && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE')) {
      quotes.push(node.type === 'QUOTE_DOUBLE' ? '"' : "'");
    }
    if ((!isMap(node) && !isSeq(node)) || node.items.length === 0) return;
    const sort = sortIn(document, node);
    if (sort !== null) notations.push({ sort, notation: isFlow(node) ? 'flow' : 'block' });
    if (isFlow(node)) {
      padding[isMap(node) ? 'map' : 'list'].push(paddingOf(text, node));
      return;
    }
    const holder = holderOf(document, node);
    if (!isMap(collectionOf(holder)) || isFlow(collectionOf(holder))) return;
    const columns = columnOfEntries(document, node) - columnOfHead(document, holder);
    if (isMap(node)) steps.push(columns);
    else dashes.push(columns);
  };
  if (root !== null) visit(root, { Collection: (_, node) => note(node), Scalar: (_, node) => note(node) });
  const step = mostly(steps) ?? PLAIN_STYLE.step;
  return {
    step,
    dash: mostly(dashes) ?? step,
    eol: /\r?\n/.exec(text)?.[0] ?? PLAIN_STYLE.eol,
    quote: mostly(quotes) === "'" ? "'" : '"',
    padding: {
      map: mostly(padding.map) ?? PLAIN_STYLE.padding.map,
      list: mostly(padding.list) ?? PLAIN_STYLE.padding.list,
    },
    brackets: bracketsOf(notations),
  };
}

/** The sort of a collection that could be in brackets on one line; null for one that could not, or that is inside of such brackets. */
function sortIn(document: YamlDocument, node: YAMLMap | YAMLSeq): Sort | null {
  const holder = holderOf(document, node);
  if (holder.in === 'root' || inFlow(document, holder)) return null;
  const path = pathOf(document, holder);
  const role = roleOf(path);
  if (role === 'section') return null;
  const value = plainValue(document, node);
  if (!isCollection(value)) return null;
  const start = columnOf(document.text, headEnd(document, holder)) + 1;
  return isWrittenFlow(value, role, start, PLAIN_STYLE) ? sortOf(value, role) : null;
}

/** A sort that the text does not show is written as most collections inside of entries are. */
function bracketsOf(shown: readonly { readonly sort: Sort; readonly notation: Notation }[]): YamlStyle['brackets'] {
  const of = (...sorts: readonly Sort[]): Notation | undefined =>
    mostly(shown.filter(({ sort }) => sorts.includes(sort)).map(({ notation }) => notation));
  const inner = of('item', 'map', 'list', 'nested');
  const all = (sort: Sort): Notation => of(sort) ?? inner ?? PLAIN_STYLE.brackets[sort];
  return { entry: all('entry'), item: all('item'), map: all('map'), list: all('list'), nested: all('nested') };
}

/** The white space after the opening bracket, unless the line ends there. */
export function paddingOf(text: string, node: Node): string {
  return /^[{[]( *)(?=\S)/.exec(text.slice(startOf(node), startOf(node) + 100))?.[1] ?? '';
}

/** The most frequent value; of several, the first. */
function mostly<T>(values: readonly T[]): T | undefined {
  return [...countedBy(values, (value) => value)].sort(([, a], [, b]) => b - a)[0]?.[0];
}
