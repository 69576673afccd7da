// An ordered list of keyed items and JSON Patch operations (RFC 6902) in; the changed list, with the origin of every item, out.
// The first segment of a path may be the `key` of an item: it stands for the index that the item has at that moment.

import jsonpatch from 'fast-json-patch';
import { isList, isObject } from '../kinds/wire.ts';
import type { Diagnostic, Json } from '../model.ts';
import { diagnose, type Path, type Source } from './mark.ts';
import { rightNames } from './nearest.ts';
import { memberOrigin, type Origin, originAt } from './origin.ts';
import type { Sourced } from './overlay.ts';

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

interface Operation {
  readonly op: Op;
  readonly path: readonly string[];
  readonly from: readonly string[];
  readonly value: Json;
}

/** Why an operation cannot be done, and which of its members says so. */
interface Failure {
  readonly member: string | null;
  readonly message: string;
  readonly remedy: string | null;
}

/** An operation that fails is reported, and leaves the list as it was; the others are still done. */
export function patchList(
  list: Sourced,
  operations: readonly Json[],
  source: Source,
  path: Path,
  found: Diagnostic[],
): Sourced {
  let current = list;
  for (const [index, item] of operations.entries()) {
    const outcome = isList(current.value) ? applied(current, item, source, [...path, index]) : notAList();
    if ('origin' in outcome) {
      current = outcome;
      continue;
    }
    const { member, message, remedy } = outcome;
    const at = source.mark([...path, index, ...(member === null ? [] : [member])], 'value');
    found.push(diagnose(at, { code: 'overlay-patch', message, remedy }));
  }
  return current;
}

function notAList(): Failure {
  return { member: null, message: 'there is no list that could be changed here', remedy: 'correct the section below' };
}

function applied(list: Sourced, item: Json, source: Source, path: Path): Sourced | Failure {
  const read = operationOf(item);
  if ('message' in read) return read;
  const operation = withIndexes(read, isList(list.value) ? list.value : []);
  if ('message' in operation) return operation;
  const value = changedValue(list.value, operation);
  if (typeof value === 'string') return { member: null, message: value, remedy: null };
  return { value: value.after, origin: changedOrigin(list, operation, originAt(source, [...path, 'value'])) };
}

function operationOf(item: Json): Operation | Failure {
  if (!isObject(item)) return { member: null, message: 'an operation is a mapping with `op` and `path`', remedy: null };
  const name = item['op'];
  const op = Object.keys(MEMBERS).find((known): known is Op => known === name);
  if (op === undefined) {
    const message =
      name === undefined ? 'a list has either rules or operations' : `there is no operation ${JSON.stringify(name)}`;
    return {
      member: name === undefined ? null : 'op',
      message,
      remedy: rightNames(String(name ?? ''), Object.keys(MEMBERS)),
    };
  }
  for (const member of MEMBERS[op]) {
    if (item[member] === undefined) return { member: null, message: `\`${op}\` needs \`${member}\``, remedy: null };
  }
  const path = segments(item['path']);
  const from = op === 'move' || op === 'copy' ? segments(item['from']) : [];
  if (path === null || from === null) {
    const message = 'a path begins with `/`, and says the key or the index of a rule';
    return { member: path === null ? 'path' : 'from', message, remedy: 'for example `/pricing`, or `/-` for the end' };
  }
  return { op, path, from, value: item['value'] ?? null };
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

/** The operation with indexes for keys. What is moved before a rule still comes before it when its own place has closed. */
function withIndexes(operation: Operation, items: readonly Json[]): Operation | Failure {
  const { op, path, from } = operation;
  const fromIndex = op === 'move' || op === 'copy' ? indexOf(from[0] ?? '', items) : '';
  if (fromIndex === null) return noSuchItem('from', from[0] ?? '', items);
  const pathIndex = indexOf(path[0] ?? '', items);
  if (pathIndex === null) return noSuchItem('path', path[0] ?? '', items);
  const closes = op === 'move' && from.length === 1 && !isIndex(path[0]) && Number(fromIndex) < Number(pathIndex);
  return {
    ...operation,
    from: from.length === 0 ? from : [fromIndex, ...from.slice(1)],
    path: [closes ? String(Number(pathIndex) - 1) : pathIndex, ...path.slice(1)],
  };
}

function indexOf(segment: string, items: readonly Json[]): string | null {
  if (isIndex(segment)) return segment;
  const index = items.findIndex((item) => isObject(item) && item['key'] === segment);
  return index < 0 ? null : String(index);
}

function noSuchItem(member: string, key: string, items: readonly Json[]): Failure {
  const keys = items.flatMap((item) => (isObject(item) && typeof item['key'] === 'string' ? [item['key']] : []));
  return { member, message: `there is no rule \`${key}\``, remedy: rightNames(key, keys) };
}

function pointerOf(path: readonly string[]): string {
  return path.map((segment) => `/${jsonpatch.escapePathComponent(segment)}`).join('');
}

const NO_SOURCE = '`from` leads to nothing';

const FAILURES: { readonly [name: string]: string } = {
  TEST_OPERATION_FAILED: 'the test fails: another value stands there',
  OPERATION_PATH_UNRESOLVABLE: 'the path leads to nothing',
  OPERATION_FROM_UNRESOLVABLE: NO_SOURCE,
  OPERATION_PATH_CANNOT_ADD: 'nothing can be added there: what should hold it does not exist',
  OPERATION_PATH_ILLEGAL_ARRAY_INDEX: 'a member of a list is named by its index',
  OPERATION_VALUE_OUT_OF_BOUNDS: 'the index is beyond the end of the list; `-` means the end',
};

/** The list after the operation, or why it cannot be done. */
function changedValue(list: Json, { op, path, from, value }: Operation): { readonly after: Json } | string {
  if (op === 'move') return movedValue(list, from, path);
  const operation = { op, path: pointerOf(path), from: pointerOf(from), value: structuredClone(value) };
  try {
    const { newDocument } = jsonpatch.applyOperation<Json>(structuredClone(list), operation, true, true);
    return { after: newDocument };
  } catch (error) {
    if (!(error instanceof jsonpatch.JsonPatchError)) throw error;
    return FAILURES[error.name] ?? `the operation cannot be done: ${error.name}`;
  }
}

/** RFC 6902, section 4.4: a removal, then an addition; nothing can be moved into itself. */
function movedValue(list: Json, from: readonly string[], path: readonly string[]): { readonly after: Json } | string {
  if (from.length < path.length && from.every((segment, depth) => segment === path[depth])) {
    return 'nothing can be moved into itself';
  }
  const rest = changedValue(list, { op: 'remove', path: from, from: [], value: null });
  if (typeof rest === 'string') return rest === FAILURES['OPERATION_PATH_UNRESOLVABLE'] ? NO_SOURCE : rest;
  return changedValue(rest.after, { op: 'add', path, from: [], value: from.reduce(memberOf, list) });
}

/** The same operation on the origins. */
function changedOrigin(list: Sourced, { op, path, from }: Operation, given: Origin): Origin {
  switch (op) {
    case 'test':
      return list.origin;
    case 'remove':
      return removed(list, path);
    case 'add':
    case 'replace':
      return placed(list, path, given, op === 'add');
    case 'copy':
      return placed(list, path, originOf(list.origin, list.value, from), true);
    case 'move': {
      const moving = originOf(list.origin, list.value, from);
      const rest = changedValue(list.value, { op: 'remove', path: from, from: [], value: null });
      const value = typeof rest === 'string' ? list.value : rest.after;
      return placed({ value, origin: removed(list, from) }, path, moving, true);
    }
  }
}

function memberOf(value: Json, step: string): Json {
  if (isList(value)) return value[Number(step)] ?? null;
  return isObject(value) ? (value[step] ?? null) : null;
}

function originOf(origin: Origin, value: Json, path: readonly string[]): Origin {
  const [step, ...rest] = path;
  if (step === undefined) return origin;
  return originOf(memberOrigin(origin, isList(value) ? Number(step) : step), memberOf(value, step), rest);
}

/** Rewrites the origin of what holds the last segment of the path. */
function inHolder(list: Sourced, path: readonly string[], change: (holder: Sourced, step: string) => Origin): Origin {
  const [step = '', ...rest] = path;
  if (rest.length === 0) return change(list, step);
  const name = isList(list.value) ? Number(step) : step;
  const inner: Sourced = { value: memberOf(list.value, step), origin: memberOrigin(list.origin, name) };
  const members = new Map(list.origin.members).set(name, inHolder(inner, rest, change));
  return originAt(list.origin.source, list.origin.path, members);
}

function itemOrigins({ value, origin }: Sourced): Origin[] {
  return isList(value) ? value.map((_, index) => memberOrigin(origin, index)) : [];
}

function listOrigin({ source, path }: Origin, items: readonly Origin[]): Origin {
  return originAt(source, path, new Map(items.map((item, index) => [index, item])));
}

function placed(list: Sourced, path: readonly string[], given: Origin, inserting: boolean): Origin {
  return inHolder(list, path, (holder, step) => {
    if (isList(holder.value)) {
      const items = itemOrigins(holder);
      items.splice(step === '-' ? items.length : Number(step), inserting ? 0 : 1, given);
      return listOrigin(holder.origin, items);
    }
    return originAt(holder.origin.source, holder.origin.path, new Map(holder.origin.members).set(step, given));
  });
}

function removed(list: Sourced, path: readonly string[]): Origin {
  return inHolder(list, path, (holder, step) => {
    if (!isList(holder.value)) return holder.origin;
    const items = itemOrigins(holder);
    items.splice(Number(step), 1);
    return listOrigin(holder.origin, items);
  });
}
