// The splice that replaces one value of a text. Comments next to it stay.

import { isMap, isScalar, type Node } from 'yaml';
import type { Json } from '../../base/model.ts';
import { inFlow, isFilledFlow, isFlow, type NodeHolder, pathOf, startOf, type YamlDocument } from './document.ts';
import { columnOf, columnOfHead, headEnd, isBlank, lineEnd, propertiesEnd, type Splice, valueEnd } from './layout.ts';
import { paddingOf } from './style.ts';
import { type ValueNotation, writtenBlock, writtenFlow, writtenTail, type YamlStyle } from './written.ts';

/** `properties` replace the anchor and the tag that the value had. */
export function replacing(
  document: YamlDocument,
  holder: NodeHolder,
  node: Node | null,
  value: Json,
  style: YamlStyle,
  properties?: string,
): Splice {
  if (holder.in === 'root') return replacingRoot(document, node, value, style);
  const { text } = document;
  const head =
    properties !== undefined || isTagged(node) ? headEnd(document, holder) : propertiesEnd(document, holder, node);
  const keeps = head > headEnd(document, holder);
  const end = valueEnd(document, holder, node);
  const flow = inFlow(document, holder);
  const own = flow || isFlow(node) ? styleLike(document, node, style) : style;
  const notation: ValueNotation = {
    ...(flow || isFilledFlow(node) ? { flow: 'always' as const } : {}),
    ...quotedLike(document, holder, node, value),
    // A placeholder that is cut off below: after an anchor that stays, the value is laid out as after a new one.
    ...(properties !== undefined ? { properties } : keeps ? { properties: '' } : {}),
  };
  const tail = writtenTail(
    value,
    { path: pathOf(document, holder), column: columnOfHead(document, holder), start: columnOf(text, head) + 1 },
    own,
    notation,
  );
  const written = keeps ? tail.slice(1) : tail;
  const space = needsColon(document, holder) ? `:${written}` : written;
  if (flow && holder.in === 'list' && head === headEnd(document, holder))
    return { start: head, end, text: space.trimStart() };
  return placed(text, space, head, node === null || isBlank(node) ? null : startOf(node), end, style.eol);
}

/** `written` begins with a space or a line break. A comment after the old value stays on the line of the head. */
function placed(text: string, written: string, head: number, start: number | null, end: number, eol: string): Splice {
  const at = written.indexOf(eol);
  const first = at < 0 ? written : written.slice(0, at);
  const rest = at < 0 ? '' : written.slice(at);
  if (start !== null && text.slice(head, start).includes('\n')) {
    return { start: head, end: lineEnd(text, end), text: first + text.slice(head, lineEnd(text, head)) + rest };
  }
  const begin = start === null || first === '' ? head : start;
  const shown = begin === head ? first : first.slice(1);
  if (rest === '') return { start: begin, end, text: shown };
  return { start: begin, end: lineEnd(text, end), text: shown + text.slice(end, lineEnd(text, end)) + rest };
}

function replacingRoot({ text, root }: YamlDocument, node: Node | null, value: Json, style: YamlStyle): Splice {
  const body =
    typeof value === 'object' && value !== null && Object.keys(value).length > 0
      ? writtenBlock(value, [], 0, style)
      : writtenFlow(value, style);
  if (node !== null && !isBlank(node)) return { start: startOf(node), end: node.range?.[1] ?? text.length, text: body };
  const end = /^\.\.\.\s*$/m.exec(text)?.index ?? text.length;
  const open = end > 0 && text[end - 1] !== '\n' ? style.eol : '';
  return { start: end, end, text: `${open}${body}${root === null ? style.eol : ''}` };
}

/** A member such as `{ name }` has no colon yet. */
function needsColon(document: YamlDocument, holder: NodeHolder): boolean {
  return holder.in === 'map' && document.text[headEnd(document, holder) - 1] !== ':';
}

function isTagged(node: Node | null): boolean {
  return node !== null && 'tag' in node && node.tag !== undefined;
}

function quotedLike(
  document: YamlDocument,
  holder: NodeHolder,
  node: Node | null,
  value: Json,
): Pick<ValueNotation, 'quoted'> {
  if (isScalar(node) && node.type === 'QUOTE_SINGLE') return { quoted: "'" };
  if (isScalar(node) && node.type === 'QUOTE_DOUBLE') return { quoted: '"' };
  // A literal block would make a comment below it, if indented further, a part of its text.
  const below = document.text.slice(lineEnd(document.text, valueEnd(document, holder, node)));
  const isLiteral = typeof value === 'string' && value.includes('\n');
  return isLiteral && /^\s*\n +#/.test(below) ? { quoted: '"' } : {};
}

function styleLike({ text }: YamlDocument, node: Node | null, style: YamlStyle): YamlStyle {
  if (node === null || !isFilledFlow(node)) return style;
  const padding = paddingOf(text, node);
  return { ...style, padding: isMap(node) ? { ...style.padding, map: padding } : { ...style.padding, list: padding } };
}
