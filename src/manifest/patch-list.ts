// An ordered list of keyed items and JSON Patch operations (RFC 6902) in; the changed list, with the origin of every item, out.

import jsonpatch from 'fast-json-patch';
import { isList, isObject } from '../base/json.ts';
import type { Diagnostic, Json } from '../base/model.ts';
import { diagnose, type Path, type Source } from '../yaml/mark.ts';
import { memberOrigin, type Origin, originAt } from '../yaml/origin.ts';
import type { Sourced } from './overlay.ts';
import { type Failure, type Operation, operationIn } from './patch-operation.ts';
import type { Patchable } from './sections.ts';

/** An operation that fails is reported, and leaves the list as it was; the others are still done. */
export function patchList(
  list: Sourced,
  operations: readonly Json[],
  patchable: Patchable,
  source: Source,
  found: Diagnostic[],
): Sourced {
  let current = list;
  for (const [index, item] of operations.entries()) {
    const path: Path = [patchable.name, index];
    const outcome = isList(current.value) ? applied(current, item, patchable, source, path) : notAList();
    if ('origin' in outcome) {
      current = outcome;
      continue;
    }
    const { member, message, remedy } = outcome;
    const at = source.mark([...path, ...(member === null ? [] : [member])], 'value');
    found.push(diagnose(at, { code: 'overlay-patch', message, remedy }));
  }
  return current;
}

function notAList(): Failure {
  return { member: null, message: 'there is no list that could be changed here', remedy: 'correct the section below' };
}

function applied(list: Sourced, item: Json, patchable: Patchable, source: Source, path: Path): Sourced | Failure {
  const operation = operationIn(item, isList(list.value) ? list.value : [], patchable);
  if ('message' in operation) return operation;
  const value = changedValue(list.value, operation);
  if (typeof value === 'string') return { member: null, message: value, remedy: null };
  return { value: value.after, origin: changedOrigin(list, operation, originAt(source, [...path, 'value'])) };
}

function pointerOf(path: readonly string[]): string {
  return path.map((segment) => `/${jsonpatch.escapePathComponent(segment)}`).join('');
}

const NO_SOURCE = '`from` leads to nothing';
const NO_TARGET = 'the path leads to nothing';
const NO_HOLDER = 'nothing can be added there: what should hold it does not exist';

const FAILURES: { readonly [name: string]: string } = {
  TEST_OPERATION_FAILED: 'the test fails: another value stands there',
  OPERATION_PATH_CANNOT_ADD: NO_HOLDER,
  OPERATION_PATH_ILLEGAL_ARRAY_INDEX: 'a member of a list is named by its index',
  OPERATION_VALUE_OUT_OF_BOUNDS: 'the index is beyond the end of the list; `-` means the end',
};

/** The list after the operation, or why it cannot be done. */
function changedValue(list: Json, { op, path, from, value }: Operation): { readonly after: Json } | string {
  if (op === 'move') return movedValue(list, from, path);
  const reason = unreachable(list, op, path, from);
  if (reason !== null) return reason;
  const operation = { op, path: pointerOf(path), from: pointerOf(from), value: structuredClone(value) };
  try {
    const { newDocument } = jsonpatch.applyOperation<Json>(structuredClone(list), operation, true, true, false);
    return { after: newDocument };
  } catch (error) {
    if (!(error instanceof jsonpatch.JsonPatchError)) throw error;
    return FAILURES[error.name] ?? `the operation cannot be done: ${error.name}`;
  }
}

/** Looked at here, because the library takes what every object inherits for members. */
function unreachable(list: Json, op: Operation['op'], path: readonly string[], from: readonly string[]): string | null {
  if (path.includes('__proto__')) return 'the key `__proto__` is not allowed';
  if (op === 'copy' && !stands(list, from)) return NO_SOURCE;
  if (op === 'add' || op === 'copy') return stands(list, path.slice(0, -1)) ? null : NO_HOLDER;
  return stands(list, path) ? null : NO_TARGET;
}

function stands(value: Json, path: readonly string[]): boolean {
  const [step, ...rest] = path;
  if (step === undefined) return true;
  const has = isList(value)
    ? /^(0|[1-9]\d*)$/.test(step) && Number(step) < value.length
    : isObject(value) && Object.hasOwn(value, step);
  return has && stands(memberOf(value, step), rest);
}

/** RFC 6902, section 4.4: a removal, then an addition; nothing can be moved into itself. */
function movedValue(list: Json, from: readonly string[], path: readonly string[]): { readonly after: Json } | string {
  if (from.length < path.length && from.every((segment, depth) => segment === path[depth])) {
    return 'nothing can be moved into itself';
  }
  const rest = changedValue(list, { op: 'remove', path: from, from: [], value: null });
  if (typeof rest === 'string') return rest === NO_TARGET ? NO_SOURCE : rest;
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
