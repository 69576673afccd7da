// A document in; how its author writes: indentation, line breaks, quotes, brackets. What the text does not show is as in a new file.

import { isMap, isScalar, isSeq, type Node, visit, type YAMLMap, type YAMLSeq } from 'yaml';
import { isCollection, type Sort, sortOf } from './brackets.ts';
import { collectionOf, holderOf, inFlow, isFlow, pathOf, startOf, type YamlDocument } from './document.ts';
import { columnOf, columnOfEntries, columnOfHead, headEnd } from './layout.ts';
import { roleOf } from './role.ts';
import { plainValue } from './values.ts';
import { isWrittenFlow, type Notation, PLAIN_STYLE, type Style } from './written.ts';

export function styleOf(document: YamlDocument): Style {
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

/** Of what could be in brackets on one line; null for what says nothing: it could not, or it stands in such brackets. */
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

/** What is not shown is as most of what is; an entry says nothing of what stands in entries. */
function bracketsOf(shown: readonly { readonly sort: Sort; readonly notation: Notation }[]): Style['brackets'] {
  const of = (...sorts: readonly Sort[]): Notation | undefined =>
    mostly(shown.filter(({ sort }) => sorts.includes(sort)).map(({ notation }) => notation));
  const inner = of('item', 'map', 'list', 'nested');
  const all = (sort: Sort): Notation => of(sort) ?? inner ?? PLAIN_STYLE.brackets[sort];
  return { entry: all('entry'), item: all('item'), map: all('map'), list: all('list'), nested: all('nested') };
}

/** The white space behind the bracket, unless the line ends there. */
export function paddingOf(text: string, node: Node): string {
  return /^[{[]( *)(?=\S)/.exec(text.slice(startOf(node), startOf(node) + 100))?.[1] ?? '';
}

/** The most frequent one; of equals the first. */
function mostly<T>(values: readonly T[]): T | undefined {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}
