// A document in; how its author writes: indentation, line breaks, quotes, brackets. What the text does not show is as in a new file.

import { isMap, isPair, isScalar, isSeq, type Node, visit } from 'yaml';
import { collectionOf, holderOf, isFlow, startOf, type YamlDocument } from './document.ts';
import { columnOfEntries, headColumn } from './layout.ts';
import { PLAIN_STYLE, type Style } from './written.ts';

export function styleOf(document: YamlDocument): Style {
  const { text, root } = document;
  const steps: number[] = [];
  const dashes: number[] = [];
  const quotes: string[] = [];
  const padding = { map: [] as string[], list: [] as string[] };
  const flat = { map: [] as ('flow' | 'block')[], list: [] as ('flow' | 'block')[] };
  const note = (node: Node): void => {
    if (isScalar(node) && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE')) {
      quotes.push(node.type === 'QUOTE_DOUBLE' ? '"' : "'");
    }
    if ((!isMap(node) && !isSeq(node)) || node.items.length === 0) return;
    const sort = isMap(node) ? 'map' : 'list';
    const values = node.items.map((item) => (isPair(item) ? item.value : item));
    if (values.every((value) => !isMap(value) && !isSeq(value))) flat[sort].push(isFlow(node) ? 'flow' : 'block');
    if (isFlow(node)) {
      padding[sort].push(paddingOf(text, node));
      return;
    }
    const holder = holderOf(document, node);
    if (!isMap(collectionOf(holder)) || isFlow(collectionOf(holder))) return;
    const columns = columnOfEntries(document, node) - headColumn(document, node);
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
    flat: { map: mostly(flat.map) ?? 'block', list: mostly(flat.list) ?? 'block' },
  };
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
