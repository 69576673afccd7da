// JSON Patch (RFC 6902) on a list of a manifest. The first segment of a path may be the key of an item: it means the index that the item has then.

import { equalJson, isList, isObject } from '../base/json.ts';
import type { Diagnostic, Json } from '../base/model.ts';
import { rightNames } from '../base/nearest.ts';
import { oneOf } from '../base/text.ts';
import { diagnose } from '../yaml/diagnostics.ts';
import type { Source } from '../yaml/places.ts';
import { type Composed, itemsOf, memberOrigin, originAt, type ValueOrigin, withItems } from './origin.ts';
import type { Patchable } from './sections.ts';

type Value = Composed<Json>;

/** Why an operation cannot be done, and which of its members says so: null for the operation itself. */
interface PatchFailure {
  readonly failure: string;
  readonly member?: string | null;
  readonly remedy?: string | null;
}

/** The list with the changes, and where each item is written. An operation that fails is reported and changes nothing; the others are done. */
export function patchList(
  list: Value,
  operations: readonly Json[],
  patchable: Patchable,
  source: Source,
  found: Diagnostic[],
): Value {
  let current = list;
  for (const [index, item] of operations.entries()) {
    const path = [patchable.name, index];
    const outcome = patched(current, item, patchable, originAt(source, [...path, 'value']));
    if ('value' in outcome) {
      current = outcome;
      continue;
    }
    const { member = null, failure: message, remedy = null } = outcome;
    const mark = source.mark(member === null ? path : [...path, member], 'value');
    found.push(diagnose(mark, { code: 'overlay-patch', message, remedy }));
  }
  return current;
}

/** `origin`: of the value that the operation brings. */
function patched(list: Value, item: Json, patchable: Patchable, origin: ValueOrigin): Value | PatchFailure {
  if (!isList(list.value)) return { failure: 'there is no list to patch', remedy: 'correct the section below' };
  const named = operationOf(item, patchable);
  const operation = 'failure' in named ? named : withIndexes(named, list.value, patchable);
  if ('failure' in operation) return operation;
  const { op, path, from, value } = operation;
  const own: Value = { value, origin };
  switch (op) {
    case 'add':
      return added(list, path, own);
    case 'remove':
      return removed(list, path);
    case 'replace':
      return memberAt(list, path) === null
        ? {
            ...NO_TARGET,
            remedy: `if \`${path.at(-1) ?? ''}\` is not there yet, use \`op: add\`; otherwise correct the path`,
          }
        : changed(list, path, (holder, step) => withMember(holder, step, own));
    case 'test': {
      const there = memberAt(list, path);
      if (there === null) return NO_TARGET;
      return equalJson(there.value, value) ? list : { failure: 'the test fails: the value is another one' };
    }
    case 'copy': {
      const copy = memberAt(list, from);
      return copy === null ? NO_SOURCE : added(list, path, copy);
    }
    case 'move': {
      // RFC 6902, section 4.4: a removal, then an addition.
      const moving = memberAt(list, from);
      if (moving === null) return NO_SOURCE;
      const isInside = from.length < path.length && from.every((segment, depth) => segment === path[depth]);
      if (isInside) return { failure: 'a value cannot be moved into itself' };
      const rest = removed(list, from);
      return 'failure' in rest ? rest : added(rest, path, moving);
    }
  }
}

const NO_SOURCE: PatchFailure = { failure: '`from` leads to nothing' };
const NO_TARGET: PatchFailure = { failure: 'the path leads to nothing' };
const NO_HOLDER: PatchFailure = { failure: 'the path leads into something that does not exist' };

/** Null where the path leads to nothing. */
function memberAt(value: Value, path: readonly string[]): Value | null {
  return path.reduce<Value | null>((at, step) => (at === null ? null : memberOf(at, step)), value);
}

function memberOf({ value, origin }: Value, step: string): Value | null {
  if (isList(value)) {
    const item = /^(0|[1-9]\d*)$/.test(step) ? value[Number(step)] : undefined;
    return item === undefined ? null : { value: item, origin: memberOrigin(origin, Number(step)) };
  }
  const member = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  return member === undefined ? null : { value: member, origin: memberOrigin(origin, step) };
}

/** The value with one change in what holds the last segment of the path. */
function changed(
  value: Value,
  path: readonly string[],
  change: (holder: Value, step: string) => Value | PatchFailure,
): Value | PatchFailure {
  const [step = '', ...rest] = path;
  if (step === '__proto__') return { failure: 'the key `__proto__` is not allowed' };
  if (rest.length === 0) return change(value, step);
  const member = memberOf(value, step);
  if (member === null) return NO_HOLDER;
  const after = changed(member, rest, change);
  return 'failure' in after ? after : withMember(value, step, after);
}

function withMember({ value, origin }: Value, step: string, member: Value): Value {
  const name = isList(value) ? Number(step) : step;
  return {
    value: isList(value)
      ? value.with(Number(step), member.value)
      : { ...(isObject(value) ? value : {}), [step]: member.value },
    origin: originAt(origin.source, origin.path, new Map(origin.members).set(name, member.origin)),
  };
}

function added(list: Value, path: readonly string[], member: Value): Value | PatchFailure {
  return changed(list, path, (holder, step) => {
    if (isObject(holder.value)) return withMember(holder, step, member);
    if (!isList(holder.value)) return NO_HOLDER;
    const { length } = holder.value;
    if (!isIndex(step)) return { failure: 'an item of a list is named by its index' };
    const index = step === '-' ? length : Number(step);
    if (index > length) return { failure: 'the index is after the end of the list; write `-` for the end' };
    return withItems(holder.origin, itemsOf(holder).toSpliced(index, 0, member));
  });
}

function removed(list: Value, path: readonly string[]): Value | PatchFailure {
  if (memberAt(list, path) === null) return NO_TARGET;
  return changed(list, path, (holder, step) => {
    if (isList(holder.value)) return withItems(holder.origin, itemsOf(holder).toSpliced(Number(step), 1));
    const members = Object.entries(holder.value ?? {}).filter(([name]) => name !== step);
    return { value: Object.fromEntries(members), origin: holder.origin };
  });
}

/** Which members an operation needs. RFC 6902, section 4. */
const MEMBERS = {
  add: ['path', 'value'],
  remove: ['path'],
  replace: ['path', 'value'],
  move: ['from', 'path'],
  copy: ['from', 'path'],
  test: ['path', 'value'],
} as const satisfies { readonly [op: string]: readonly ('path' | 'from' | 'value')[] };

type Op = keyof typeof MEMBERS;

interface PatchOperation {
  readonly op: Op;
  readonly path: readonly string[];
  readonly from: readonly string[];
  readonly value: Json;
}

function operationOf(item: Json, { noun, called }: Patchable): PatchOperation | PatchFailure {
  if (!isObject(item)) return { failure: 'an operation is a mapping with `op` and `path`' };
  const name = item['op'];
  const op = Object.keys(MEMBERS).find((known): known is Op => known === name);
  if (op === undefined) {
    const remedy = rightNames(typeof name === 'string' ? name : '', Object.keys(MEMBERS));
    if (name === undefined) return { failure: `a list has either ${noun.many} or operations`, remedy };
    return { member: 'op', failure: `there is no operation ${JSON.stringify(name)}`, remedy };
  }
  for (const member of MEMBERS[op]) {
    if (item[member] === undefined) return { failure: `\`${op}\` needs \`${member}\`` };
  }
  const path = segments(item['path']);
  const from = op === 'move' || op === 'copy' ? segments(item['from']) : [];
  const unescaped = MEMBERS[op].find((member) => member !== 'value' && isUnescaped(item[member]));
  if (unescaped !== undefined)
    return { member: unescaped, failure: 'a `~` of a name is written `~0` in a path, and a `/` is written `~1`' };
  if (path === null || from === null) {
    const failure = `a path begins with \`/\` and the ${called} or the index of ${oneOf(noun.one)}`;
    const remedy = 'write for example `/pricing`, or `/-` for the end';
    return { member: path === null ? 'path' : 'from', failure, remedy };
  }
  return { op, path, from, value: item['value'] ?? null };
}

function isUnescaped(pointer: Json | undefined): boolean {
  return typeof pointer === 'string' && /~(?![01])/.test(pointer);
}

/** JSON Pointer (RFC 6901); null when it is not one, or means the whole list. */
function segments(pointer: Json | undefined): readonly string[] | null {
  if (typeof pointer !== 'string' || !pointer.startsWith('/')) return null;
  return pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function isIndex(segment: string | undefined): boolean {
  return segment !== undefined && /^(0|[1-9]\d*|-)$/.test(segment);
}

/** The operation with indexes for keys. An item that is moved before another one is still before it when its own place has closed. */
function withIndexes(
  operation: PatchOperation,
  items: readonly Json[],
  patchable: Patchable,
): PatchOperation | PatchFailure {
  const { op, path, from } = operation;
  const fromIndex = op === 'move' || op === 'copy' ? indexOf(from[0] ?? '', items, patchable) : '';
  if (fromIndex === null) return noSuchItem('from', from[0] ?? '', items, patchable);
  const pathIndex = indexOf(path[0] ?? '', items, patchable);
  if (pathIndex === null) return noSuchItem('path', path[0] ?? '', items, patchable);
  const closes = op === 'move' && from.length === 1 && !isIndex(path[0]) && Number(fromIndex) < Number(pathIndex);
  return {
    ...operation,
    from: from.length === 0 ? from : [fromIndex, ...from.slice(1)],
    path: [closes ? String(Number(pathIndex) - 1) : pathIndex, ...path.slice(1)],
  };
}

function indexOf(segment: string, items: readonly Json[], { called }: Patchable): string | null {
  if (isIndex(segment)) return segment;
  const index = items.findIndex((item) => isObject(item) && item[called] === segment);
  return index < 0 ? null : String(index);
}

function noSuchItem(member: string, name: string, items: readonly Json[], { called, noun }: Patchable): PatchFailure {
  const names = items.flatMap((item) => {
    const its = isObject(item) ? item[called] : undefined;
    return typeof its === 'string' ? [its] : [];
  });
  const remedy = names.length === 0 ? `there are no ${noun.many} to patch` : rightNames(name, names);
  return { member, failure: `there is no ${noun.one} \`${name}\``, remedy };
}
