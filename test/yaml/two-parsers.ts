// A text in; what the two readings of it differ in out. The law: where there is a quick one, nothing can tell it from the thorough one.

import { inspect, isDeepStrictEqual } from 'node:util';
import { isList, isObject } from '../../src/base/json.ts';
import type { Json } from '../../src/base/model.ts';
import type { Path } from '../../src/yaml/mark.ts';
import { readOrdinary } from '../../src/yaml/ordinary.ts';
import { ordinarySource } from '../../src/yaml/ordinary-places.ts';
import { parseTree } from '../../src/yaml/parse-tree.ts';

export interface Comparison {
  readonly ordinary: boolean;
  readonly difference: string | null;
}

export function compareParsers(text: string): Comparison {
  const quick = readOrdinary(text);
  if (quick === null) return { ordinary: false, difference: null };
  const thorough = parseTree('m.yaml', text);
  const differ = (difference: string): Comparison => ({ ordinary: true, difference });
  const [found] = thorough.diagnostics;
  if (found !== undefined) return differ(`${found.place.line}:${found.place.column} ${found.message}`);
  if (!same(quick.value, thorough.value)) {
    return differ(`${inspect(quick.value)} instead of ${inspect(thorough.value)}`);
  }
  if (!quick.templated && hasVariable(thorough.value)) return differ('a variable where none was seen');
  const source = ordinarySource('m.yaml', text, quick.nodes);
  for (const path of pathsOf(thorough.value)) {
    for (const part of ['key', 'value'] as const) {
      const [one, other] = [source.mark(path, part), thorough.source.mark(path, part)];
      if (isDeepStrictEqual(one, other)) continue;
      return differ(`${part} of ${JSON.stringify(path)} at ${JSON.stringify(one)} instead of ${JSON.stringify(other)}`);
    }
  }
  return { ordinary: true, difference: null };
}

function hasVariable(value: Json, entered: Set<Json> = new Set()): boolean {
  if (typeof value === 'string') return value.includes('${');
  if (entered.has(value) || !(isList(value) || isObject(value))) return false;
  entered.add(value);
  return [...Object.keys(value), ...Object.values(value)].some((inner) => hasVariable(inner, entered));
}

/** With the order of members, which people are shown, and the sign of zero; also where the aliases of a file stand for a million values. */
function same(one: Json, other: Json): boolean {
  return isDeepStrictEqual(ordered(one), ordered(other));
}

function ordered(value: Json, known: Map<Json, unknown> = new Map()): unknown {
  if (!isList(value) && !isObject(value)) return value;
  const before = known.get(value);
  if (before !== undefined) return before;
  const after = isList(value)
    ? value.map((item) => ordered(item, known))
    : { members: Object.entries(value).map(([name, member]) => [name, ordered(member, known)]) };
  known.set(value, after);
  return after;
}

/** A path to every value, and beside it one that leads to nothing. What aliases stand for several times is entered once. */
function* pathsOf(value: Json, path: Path = [], entered: Set<Json> = new Set()): Generator<Path> {
  yield path;
  yield [...path, 'no such member'];
  if (entered.has(value)) return;
  if (isList(value)) {
    entered.add(value);
    yield [...path, value.length];
    for (const [index, item] of value.entries()) yield* pathsOf(item, [...path, index], entered);
  } else if (isObject(value)) {
    entered.add(value);
    for (const [name, member] of Object.entries(value)) yield* pathsOf(member, [...path, name], entered);
  }
}
