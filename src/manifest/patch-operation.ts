// One item of an overlay's patch in; the JSON Patch operation (RFC 6902) that it is, or why it is none, out.
// The first segment of a path may be what an item is called: it stands for the index that the item has at that moment.

import { isObject } from '../base/json.ts';
import type { Json } from '../base/model.ts';
import { rightNames } from '../base/nearest.ts';
import type { Patchable } from './sections.ts';

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

export interface Operation {
  readonly op: Op;
  readonly path: readonly string[];
  readonly from: readonly string[];
  readonly value: Json;
}

/** Why an operation cannot be done, and which of its members says so. */
export interface Failure {
  readonly member: string | null;
  readonly message: string;
  readonly remedy: string | null;
}

/** The operation that an item of an overlay's list is, with indexes for keys. */
export function operationIn(item: Json, items: readonly Json[], patchable: Patchable): Operation | Failure {
  const operation = operationOf(item, patchable);
  return 'message' in operation ? operation : withIndexes(operation, items, patchable);
}

function operationOf(item: Json, { noun, called }: Patchable): Operation | Failure {
  if (!isObject(item)) return { member: null, message: 'an operation is a mapping with `op` and `path`', remedy: null };
  const name = item['op'];
  const op = Object.keys(MEMBERS).find((known): known is Op => known === name);
  if (op === undefined) {
    const message =
      name === undefined
        ? `a list has either ${noun.many} or operations`
        : `there is no operation ${JSON.stringify(name)}`;
    return {
      member: name === undefined ? null : 'op',
      message,
      remedy: rightNames(typeof name === 'string' ? name : '', Object.keys(MEMBERS)),
    };
  }
  for (const member of MEMBERS[op]) {
    if (item[member] === undefined) return { member: null, message: `\`${op}\` needs \`${member}\``, remedy: null };
  }
  const path = segments(item['path']);
  const from = op === 'move' || op === 'copy' ? segments(item['from']) : [];
  if (path === null || from === null) {
    const message = `a path begins with \`/\`, and says the ${called} or the index of a ${noun.one}`;
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
function withIndexes(operation: Operation, items: readonly Json[], patchable: Patchable): Operation | Failure {
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

function noSuchItem(member: string, name: string, items: readonly Json[], { called, noun }: Patchable): Failure {
  const names = items.flatMap((item) => {
    const its = isObject(item) ? item[called] : undefined;
    return typeof its === 'string' ? [its] : [];
  });
  return {
    member,
    message: `there is no ${noun.one} \`${name}\``,
    remedy: names.length === 0 ? `there are no ${noun.many} to patch` : rightNames(name, names),
  };
}
