// Nodes for new values, and the text that the YAML library writes for nodes, in the style of an author.

import {
  type CollectionTag,
  Document,
  isCollection as isCollectionNode,
  type Node,
  Pair,
  Scalar,
  type ScalarTag,
  type Tags,
  type ToStringOptions,
  YAMLMap,
  YAMLSeq,
} from 'yaml';
import { isList } from '../base/json.ts';
import type { Json } from '../base/model.ts';
import { LEADING_COMMAND, RUNNER_COMMAND, UNSEEN } from '../base/unseen.ts';
import type { Path } from '../yaml/places.ts';
import { isCollection, isInBrackets, type YamlStyle } from './style.ts';

/** `flow`: the value is inside of brackets. */
export function nodeOf(value: Json, path: Path, style: YamlStyle, flow = false): Node {
  if (!isCollection(value)) return scalarNode(value, flow);
  const inBrackets = flow || isInBrackets(value, path, style);
  if (isList(value)) {
    const list = new YAMLSeq<Node>();
    list.flow = inBrackets;
    for (const [index, item] of value.entries()) list.items.push(nodeOf(item, [...path, index], style, inBrackets));
    return list;
  }
  const map = new YAMLMap<Node, Node>();
  map.flow = inBrackets;
  for (const [name, member] of Object.entries(value)) map.items.push(pairOf(name, member, path, style, inBrackets));
  return map;
}

/** The member of a mapping at `path`. */
export function pairOf(name: string, value: Json, path: Path, style: YamlStyle, flow = false): Pair<Node, Node> {
  return new Pair<Node, Node>(scalarNode(name, true), nodeOf(value, [...path, name], style, flow));
}

/** `isInLine`: a key, or inside of brackets. */
function scalarNode(value: Json, isInLine: boolean): Scalar {
  const scalar = new Scalar(value);
  const type = typeof value === 'string' ? typeOf(value, isInLine) : null;
  if (type !== null) scalar.type = type;
  return scalar;
}

/** How a text must be written; null for a text that the library may write as it likes. */
export function typeOf(text: string, isInLine: boolean): 'QUOTE_DOUBLE' | 'BLOCK_LITERAL' | null {
  if (!isWritten(text) || text === '=') return 'QUOTE_DOUBLE';
  if (!text.includes('\n')) return null;
  // How many empty lines the end has would depend on what follows, and a first space on the indentation.
  const isLiteral = !isInLine && !/^\s|\n\n$|^\n*$/.test(text) && !/^[ \t]+$|[ \t]$/m.test(text);
  return isLiteral ? 'BLOCK_LITERAL' : 'QUOTE_DOUBLE';
}

/** Everything else is written as an escape: a reader would not see it, or a runner that shows the file would obey it. */
function isWritten(text: string): boolean {
  const lines = text.replaceAll('\n', '');
  return [UNSEEN, RUNNER_COMMAND].every((pattern) => lines.search(pattern) < 0) && text.search(LEADING_COMMAND) < 0;
}

/** Writes nodes as the lines of an entry at the left margin, or as one line inside of brackets. */
export interface YamlWriter {
  readonly lines: (entry: Node | Pair, lineWidth?: number) => readonly string[];
  readonly inline: (node: Node) => string;
  readonly document: (document: Document) => string;
}

export function writerIn(style: YamlStyle): YamlWriter {
  const schema = { compat: 'yaml-1.1', customTags: (tags: Tags) => tagsIn(tags, style) } as const;
  const document = new Document(null, schema);
  const options: ToStringOptions = {
    indent: style.step,
    indentSeq: style.indentsDashes,
    // The shortest pair of quotes where both would do.
    singleQuote: style.isSingleQuoted ? true : null,
    lineWidth: 0,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    // An anchor may be elsewhere in the file.
    verifyAliasOrder: false,
  };
  const textOf = (contents: Node, more?: ToStringOptions): string => {
    const whole = Object.assign(document, { contents }).toString({ ...options, ...more });
    return whole.replace(/\n$/, '');
  };
  return {
    lines: (entry, lineWidth = 0) => textOf(collectionWith(entry), { lineWidth }).split('\n'),
    inline: (node) => {
      const list = collectionWith(node);
      list.flow = true;
      return textOf(list).slice(1, -1).trim();
    },
    document: (whole) => {
      whole.setSchema('1.2', schema);
      return whole.toString(options).replaceAll('\n', style.eol);
    },
  };
}

function collectionWith(entry: Node | Pair): YAMLMap | YAMLSeq {
  const collection = entry instanceof Pair ? new YAMLMap() : new YAMLSeq();
  collection.items.push(entry as Pair & Node);
  return collection;
}

/** The tags of the library, with the spaces inside of brackets that the author writes, and with escapes. */
function tagsIn(tags: Tags, { padding }: YamlStyle): Tags {
  return tags.map((tag) => {
    if (typeof tag === 'string') return tag;
    if (tag.collection !== undefined) return paddedTag(tag, padding[tag.collection === 'map' ? 'map' : 'list']);
    return tag.tag === 'tag:yaml.org,2002:str' ? escapingTag(tag) : tag;
  });
}

type Stringify = NonNullable<ScalarTag['stringify']>;

/** The library has one setting for both brackets. */
function paddedTag(tag: CollectionTag, isPadded: boolean): CollectionTag {
  const stringify = (node: Node, ctx: Parameters<Stringify>[1], ...callbacks: (() => void)[]): string => {
    const own = { ...ctx, flowCollectionPadding: isPadded ? ' ' : '' };
    return isCollectionNode(node) ? node.toString(own, ...callbacks) : '';
  };
  return Object.assign({}, tag, { stringify });
}

/** A text is never folded. What a reader would not see, or a runner would obey, is written as an escape where the author has double quotes. */
function escapingTag(tag: ScalarTag): ScalarTag {
  const stringify: Stringify = (scalar, ctx, ...callbacks) => {
    // A text that the author has without quotes needs none.
    const isAuthored = scalar.type === 'PLAIN' && scalar.source !== undefined;
    const options = ctx.options.lineWidth === 0 ? ctx.options : { ...ctx.options, lineWidth: 0 };
    const own = { ...ctx, actualString: !isAuthored, options };
    const text = tag.stringify?.(scalar, own, ...callbacks) ?? '';
    return text.startsWith('"') ? text.replaceAll(UNSEEN, escaped).replaceAll(RUNNER_COMMAND, '#\\u0023') : text;
  };
  return { ...tag, stringify };
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
