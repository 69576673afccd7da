// An ordinary text in which most of what stays is masked, with the same offsets: the thorough parser makes few nodes of it.

import { isList, isObject } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';
import { isWritten, itemsIn, KIND, keysIn } from '../../yaml/quick/nodes.ts';
import type { Ordinary } from '../../yaml/quick/parse.ts';
import { isBracket, nameOf } from '../notation.ts';
import type { EditedValue } from './edits.ts';

/** Characters of a collection that is worth a mask. */
const LEAST = 8;

/**
 * A mask is a text of one word: in brackets for a collection in brackets, and with a dash for a list. Of what changes, only mappings and lists over
 * several lines are looked into. `ordinary` has no aliases.
 */
export function maskedText(text: string, { nodes, value: before }: Ordinary, { value, origins }: EditedValue): string {
  const pieces: string[] = [];
  let done = 0;
  /** After the last character of a value; null where the last value in it is a block of text, or is not written. */
  const endOf = (node: number): number | null => {
    const start = nodes.starts[node] ?? 0;
    if (nodes.kinds[node] !== KIND.scalar && !isBracket(text[start])) {
      let last = node;
      for (let at = node + 1; at < (nodes.nexts[node] ?? 0); at = nodes.nexts[at] ?? 0) last = at;
      return last === node ? null : endOf(last);
    }
    return isWritten(nodes, node) && !/[|>]/.test(text[start] ?? '') ? (nodes.ends[node] ?? null) : null;
  };
  const mask = (node: number): void => {
    const start = nodes.starts[node] ?? 0;
    const end = nodes.kinds[node] === KIND.scalar ? null : endOf(node);
    if (end === null || end - start < LEAST) return;
    const word = (length: number): string => 'x'.repeat(length);
    const isDashed = nodes.kinds[node] === KIND.list && !isBracket(text[start]);
    if (isDashed && text[start + 1] !== ' ') return;
    pieces.push(text.slice(done, start));
    if (isBracket(text[start])) pieces.push(`[${word(end - start - 2)}]`);
    else pieces.push(isDashed ? `- ${word(end - start - 2)}` : word(end - start));
    done = end;
  };
  const look = (node: number, old: Json, now: Json): void => {
    if (isBracket(text[nodes.starts[node] ?? 0])) return;
    if (isObject(old) && isObject(now)) {
      for (const key of keysIn(nodes, node)) {
        const name = nameOf(text, nodes, key);
        const [was, is] = [old[name] ?? null, Object.hasOwn(now, name) ? (now[name] ?? null) : undefined];
        if (is === undefined || is === was) mask(key + 1);
        else look(key + 1, was, is);
      }
    } else if (isList(old) && isList(now) && new Set(old).size === old.length) {
      const staying = new Set(now);
      const changed = new Map(now.map((item) => [origins.get(item) ?? null, item]));
      for (const [index, item] of itemsIn(nodes, node).entries()) {
        const was = old[index] ?? null;
        if (staying.has(was)) mask(item);
        else if (was !== null && changed.has(was)) look(item, was, changed.get(was) ?? null);
      }
    }
  };
  look(0, before, value);
  return pieces.join('') + text.slice(done);
}
