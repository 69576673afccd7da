// Appendix A of RFC 6902, and what section 4 and RFC 6901 say about places and members. The patched list has the document of a case as its only item,
// because a manifest patches lists only.

import { expect, test } from 'vitest';
import type { Diagnostic, Json } from '../../src/base/model.ts';
import { originAt } from '../../src/manifest/origin.ts';
import { patchList } from '../../src/manifest/patch.ts';
import type { Source } from '../../src/yaml/places.ts';

const SOURCE: Source = {
  file: 'patch',
  mark: () => ({ place: { file: 'patch', line: 1, column: 1, length: 1 }, excerpt: null }),
};

const PATCHABLE = { name: 'items', noun: { one: 'item', many: 'items' }, called: 'key' } as const;

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: Json;
}

/** The document afterwards, or null and what is wrong. */
function patched(document: Json, ...operations: readonly Operation[]): readonly [Json, ...string[]] {
  const found: Diagnostic[] = [];
  const inItem = operations.map(
    ({ from, ...operation }): Json => ({
      ...operation,
      path: `/0${operation.path}`,
      ...(from !== undefined && { from: `/0${from}` }),
    }),
  );
  const { value } = patchList({ value: [document], origin: originAt(SOURCE, []) }, inItem, PATCHABLE, SOURCE, found);
  return [(value as readonly Json[])[0] ?? null, ...found.map(({ message }) => message)];
}

const BAZ = { baz: 'qux', foo: 'bar' };
const WALDO = { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } };

test.each<readonly [string, Json, Operation, Json]>([
  ['A.1 adding an object member', { foo: 'bar' }, { op: 'add', path: '/baz', value: 'qux' }, BAZ],
  [
    'A.2 adding an array element',
    { foo: ['bar', 'baz'] },
    { op: 'add', path: '/foo/1', value: 'qux' },
    { foo: ['bar', 'qux', 'baz'] },
  ],
  ['A.3 removing an object member', BAZ, { op: 'remove', path: '/baz' }, { foo: 'bar' }],
  [
    'A.4 removing an array element',
    { foo: ['bar', 'qux', 'baz'] },
    { op: 'remove', path: '/foo/1' },
    { foo: ['bar', 'baz'] },
  ],
  ['A.5 replacing a value', BAZ, { op: 'replace', path: '/baz', value: 'boo' }, { baz: 'boo', foo: 'bar' }],
  [
    'A.6 moving a value',
    WALDO,
    { op: 'move', from: '/foo/waldo', path: '/qux/thud' },
    { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
  ],
  [
    'A.7 moving an array element',
    { foo: ['all', 'grass', 'cows', 'eat'] },
    { op: 'move', from: '/foo/1', path: '/foo/3' },
    { foo: ['all', 'cows', 'eat', 'grass'] },
  ],
  [
    'A.10 adding a nested member object',
    { foo: 'bar' },
    { op: 'add', path: '/child', value: { grandchild: {} } },
    { foo: 'bar', child: { grandchild: {} } },
  ],
  [
    'A.16 adding an array value',
    { foo: ['bar'] },
    { op: 'add', path: '/foo/-', value: ['abc', 'def'] },
    { foo: ['bar', ['abc', 'def']] },
  ],
  ['4.1 adding a member that exists replaces it', { foo: null }, { op: 'add', path: '/foo', value: 1 }, { foo: 1 }],
  ['4.1 adding after the last element', { foo: [1] }, { op: 'add', path: '/foo/1', value: 2 }, { foo: [1, 2] }],
  ['4.4 moving a value to its own place', { foo: 1 }, { op: 'move', from: '/foo', path: '/foo' }, { foo: 1 }],
  [
    '4.5 copying a value',
    { baz: [{ qux: 1 }] },
    { op: 'copy', from: '/baz/0', path: '/boo' },
    { baz: [{ qux: 1 }], boo: { qux: 1 } },
  ],
  ['RFC 6901 an empty name', { foo: {} }, { op: 'add', path: '/foo/', value: 1 }, { foo: { '': 1 } }],
  ['RFC 6901 a number as a name', { foo: 1 }, { op: 'add', path: '/0', value: 2 }, { foo: 1, '0': 2 }],
])('%s', (_, document, operation, expected) => {
  expect(patched(document, operation)).toEqual([expected]);
});

test('A.8, A.14: tests that hold change nothing', () => {
  const array = { baz: 'qux', foo: ['a', 2, 'c'] };
  const tests = [
    { op: 'test', path: '/baz', value: 'qux' },
    { op: 'test', path: '/foo/1', value: 2 },
  ];
  expect(patched(array, ...tests)).toEqual([array]);
  const escaped = { '/': 9, '~1': 10 };
  expect(patched(escaped, { op: 'test', path: '/~01', value: 10 }, { op: 'test', path: '/~1', value: 9 })).toEqual([
    escaped,
  ]);
  const nested = { foo: { a: 1, b: [{ c: null }] } };
  expect(patched(nested, { op: 'test', path: '/foo', value: { b: [{ c: null }], a: 1 } })).toEqual([nested]);
});

test('A.11: members that are not defined are ignored', () => {
  const operation = { op: 'add', path: '/baz', value: 'qux', xyz: 123 };
  expect(patched({ foo: 'bar' }, operation)).toEqual([BAZ]);
});

test.each<readonly [string, Json, Operation, RegExp]>([
  ['A.9 a test that does not hold', BAZ, { op: 'test', path: '/baz', value: 'bar' }, /the test fails/],
  ['A.12 adding to a target that does not exist', BAZ, { op: 'add', path: '/a/b', value: 1 }, /does not exist/],
  ['A.15 a text and a number', { '~1': 10 }, { op: 'test', path: '/~01', value: '10' }, /the test fails/],
  ['4 an unknown operation', BAZ, { op: 'spam', path: '/baz' }, /no operation "spam"/],
  ['4.1 no value', BAZ, { op: 'add', path: '/a' }, /needs `value`/],
  ['4.1 after the end', { foo: [1] }, { op: 'add', path: '/foo/2', value: 1 }, /after the end/],
  ['4.2 removing what is not there', BAZ, { op: 'remove', path: '/a' }, /leads to nothing/],
  ['4.3 replacing what is not there', BAZ, { op: 'replace', path: '/a', value: 1 }, /leads to nothing/],
  ['4.3 replacing the end of an array', { foo: [1] }, { op: 'replace', path: '/foo/-', value: 1 }, /leads to nothing/],
  ['4.4 into itself', WALDO, { op: 'move', from: '/foo', path: '/foo/bar' }, /into itself/],
  ['4.4 no from', BAZ, { op: 'move', path: '/a' }, /needs `from`/],
  ['4.5 from nothing', BAZ, { op: 'copy', from: '/a', path: '/b' }, /leads to nothing/],
  ['RFC 6901 a leading zero: add', { foo: [1, 2] }, { op: 'add', path: '/foo/01', value: 3 }, /named by its index/],
  ['RFC 6901 a leading zero: remove', { foo: [1, 2] }, { op: 'remove', path: '/foo/01' }, /leads to nothing/],
  ['RFC 6901 another number', { foo: [1, 2] }, { op: 'add', path: '/foo/1e0', value: 3 }, /named by its index/],
  ['RFC 6901 below zero', { foo: [1, 2] }, { op: 'add', path: '/foo/-1', value: 3 }, /named by its index/],
  ['RFC 6901 an escape that is none', { 'a~2': 1 }, { op: 'remove', path: '/a~2' }, /is written `~0`/],
  ['Names of every object', BAZ, { op: 'test', path: '/constructor', value: 1 }, /leads to nothing/],
  ['Names of every array', { foo: [1] }, { op: 'remove', path: '/foo/length' }, /leads to nothing/],
])('Refused, and nothing changes: %s', (_, document, operation, message) => {
  expect(patched(document, operation)).toEqual([document, expect.stringMatching(message)]);
});
