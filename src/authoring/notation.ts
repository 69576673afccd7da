// How the values of a text are written, whichever parser read it.

import { isMap, isPair, isScalar, isSeq, type Node } from 'yaml';
import { isList, isObject } from '../base/json.ts';
import type { Json } from '../base/model.ts';
import { itemsIn, KIND, keysIn, type Nodes } from '../yaml/quick/nodes.ts';
import type { Ordinary } from '../yaml/quick/parse.ts';
import { asNode, keyText, type Tree } from '../yaml/thorough/places.ts';

/** A value in a text. */
export interface Notation {
  readonly value: Json;
  /** Offset of its first character. */
  readonly start: number;
  /** A collection in brackets. */
  readonly isFlow: boolean;
  /** Null for what is not in quotes. */
  readonly isSingleQuoted: boolean | null;
  /** The members of a mapping, or the items of a list. */
  readonly parts: () => readonly (readonly [string | number, Notation])[];
}

/** Null for a text without a value. An alias has no parts, and no value of its own. */
export function treeNotation({ root, values }: Tree): Notation | null {
  const of = (node: Node): Notation => {
    const isCollection = isMap(node) || isSeq(node);
    return {
      value: values.get(node) ?? null,
      start: node.range?.[0] ?? 0,
      isFlow: isCollection && node.flow === true,
      isSingleQuoted: isScalar(node) && node.type?.startsWith('QUOTE') === true ? node.type === 'QUOTE_SINGLE' : null,
      parts: () =>
        (isCollection ? node.items : []).flatMap((item, index) => {
          const part = asNode(isPair(item) ? item.value : item);
          return part === null ? [] : [[isPair(item) ? (keyText(item.key) ?? '') : index, of(part)] as const];
        }),
    };
  };
  return root === null ? null : of(root);
}

/** The same of an ordinary text without aliases and merge keys. */
export function ordinaryNotation(text: string, { nodes, value: root }: Ordinary): Notation {
  const of = (node: number, value: Json): Notation => {
    const start = nodes.starts[node] ?? 0;
    const isScalar = nodes.kinds[node] === KIND.scalar;
    return {
      value,
      start,
      isFlow: !isScalar && isBracket(text[start]),
      isSingleQuoted: isScalar && (text[start] === "'" || text[start] === '"') ? text[start] === "'" : null,
      parts: () => {
        if (isList(value)) return itemsIn(nodes, node).map((item, index) => [index, of(item, value[index] ?? null)]);
        if (!isObject(value)) return [];
        return keysIn(nodes, node).map((key) => {
          const name = nameOf(text, nodes, key);
          return [name, of(key + 1, value[name] ?? null)];
        });
      },
    };
  };
  return of(0, root);
}

export function isBracket(character: string | undefined): boolean {
  return character === '{' || character === '[';
}

/** The name of a key. */
export function nameOf(text: string, nodes: Nodes, key: number): string {
  return nodes.names.get(key) ?? text.slice(nodes.starts[key], nodes.ends[key]);
}
