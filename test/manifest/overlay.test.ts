import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isList, isObject } from '../../src/base/json.ts';
import type { Json, JsonObject } from '../../src/base/model.ts';
import { type Composed, markOf, originAt } from '../../src/manifest/origin.ts';
import { overlay } from '../../src/manifest/overlay.ts';
import type { Parsed, Path, Source } from '../../src/yaml/places.ts';
import { tries } from '../tries.ts';

/** A source whose marks say the path they were asked for, so that a test can look there. */
function sourceOf(file: string): Source {
  return {
    file,
    mark: (path) => ({ place: { file, line: 1, column: 1, length: 1 }, excerpt: JSON.stringify(path) }),
  };
}

function parsed(file: string, value: Json): Parsed {
  return { source: sourceOf(file), value, templated: false, plain: false, whole: true, diagnostics: [] };
}

function composed(value: JsonObject): Composed {
  return { value, origin: originAt(sourceOf('base'), []) };
}

function memberAt(value: Json | undefined, path: readonly Json[]): Json | undefined {
  return path.reduce<Json | undefined>((at, step) => {
    if (isList(at)) return at[Number(step)];
    return isObject(at) ? at[String(step)] : undefined;
  }, value);
}

function* leaves(value: Json, path: Path = []): Generator<readonly [Path, Json]> {
  if (isList(value)) for (const [index, item] of value.entries()) yield* leaves(item, [...path, index]);
  else if (isObject(value)) for (const [name, item] of Object.entries(value)) yield* leaves(item, [...path, name]);
  else yield [path, value];
}

/** Every scalar stands, in the file that it is said to come from, at the path that it is said to have there. */
function expectTrueOrigins(result: Composed, files: { readonly [file: string]: Json }, depth = 0): void {
  const wrong = [...leaves(result.value)].filter(([path, value]) => {
    if (path.length < depth) return false;
    const { place, excerpt } = markOf(result.origin, path, 'value');
    return memberAt(files[place.file], JSON.parse(excerpt ?? '[]')) !== value;
  });
  expect(wrong).toEqual([]);
}

/** RFC 7396, section 2, word by word. */
function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result = new Map<string, Json>(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name);
    else result.set(name, mergePatch(result.get(name), value));
  }
  return Object.fromEntries(result);
}

const names = fc.constantFrom('a', 'b', 'c', 'd');
const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.integer(),
    fc.string(),
    fc.boolean(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value')),
  ),
})).value;
const patches = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.integer(),
    fc.array(json, { maxLength: 3 }),
    fc.dictionary(names, tie('value')),
  ),
})).value;

test('An overlay is a JSON Merge Patch, as RFC 7396 defines it, and every value keeps its place', () => {
  fc.assert(
    fc.property(
      fc.dictionary(names, json),
      fc.dictionary(names, patches),
      fc.dictionary(names, patches),
      (base, one, two) => {
        const files = [parsed('one', { groups: one }), parsed('two', { groups: two })];
        const result = overlay(composed({ groups: base }), files);
        expect(result.value).toEqual(mergePatch(mergePatch({ groups: base }, { groups: one }), { groups: two }));
        expectTrueOrigins(result, { base: { groups: base }, one: { groups: one }, two: { groups: two } });
        expect(
          result.diagnostics.every(({ severity, code }) => severity === 'warning' && code === 'overlay-patch'),
        ).toBe(true);
      },
    ),
    { numRuns: tries(200) },
  );
});

const rule = (key: string): Json => ({ key, access: { groups: [`${key}-group`, 'shared'] }, description: `of ${key}` });

const target = fc.oneof(
  fc.constantFrom('/r0', '/r1', '/r2', '/r3', '/new', '/0', '/2', '/-', '/9'),
  fc.constantFrom(
    '/r1/constructor',
    '/r2/__proto__',
    '/0/access/toString/x',
    '/r3/constructor/prototype',
    '/r1/description',
    '/0/access/groups/-',
    '/r2/access/groups/0',
    '/r0/access',
    '/1/key',
    '/r3/none',
  ),
);
const operation = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'replace'), path: target, value: fc.oneof(fc.constant(rule('new')), json) }),
  fc.record({ op: fc.constant('remove'), path: target }),
  fc.record({ op: fc.constantFrom('move', 'copy'), from: target, path: target }),
  fc.record({ op: fc.constant('test'), path: target, value: json }),
);

test('Whatever operations do to the list of rules, every value keeps its place, and those that fail change nothing', () => {
  fc.assert(
    fc.property(fc.array(operation, { minLength: 1, maxLength: 6 }), (operations) => {
      const base = { auto_access: ['r0', 'r1', 'r2', 'r3'].map(rule) };
      const patch = { auto_access: operations };
      const result = overlay(composed(base), [parsed('patch', patch)]);
      expectTrueOrigins(result, { base, patch }, 2);
      const rest = operations.filter(
        (_, index) => !result.diagnostics.some(({ excerpt }) => JSON.parse(excerpt ?? '[]')[1] === index),
      );
      if (rest.length === 0) expect(result.value).toEqual(base);
      else expect(overlay(composed(base), [parsed('patch', { auto_access: rest })]).value).toEqual(result.value);
    }),
    { numRuns: tries(500) },
  );
});

function keysAfter(operations: readonly Json[]): readonly Json[] {
  const base = { auto_access: ['a', 'b', 'c', 'd'].map(rule) };
  const { value, diagnostics } = overlay(composed(base), [parsed('patch', { auto_access: operations })]);
  expect(diagnostics).toEqual([]);
  const rules = value['auto_access'];
  return isList(rules) ? rules.map((item) => (isObject(item) ? (item['key'] ?? null) : item)) : [];
}

test.each([
  [
    'a rule is added before the one that is named',
    [{ op: 'add', path: '/b', value: rule('x') }],
    ['a', 'x', 'b', 'c', 'd'],
  ],
  ['a rule is added at the end', [{ op: 'add', path: '/-', value: rule('x') }], ['a', 'b', 'c', 'd', 'x']],
  [
    'a rule that is moved down stands before the one that is named',
    [{ op: 'move', from: '/a', path: '/d' }],
    ['b', 'c', 'a', 'd'],
  ],
  [
    'a rule that is moved up stands before the one that is named',
    [{ op: 'move', from: '/d', path: '/b' }],
    ['a', 'd', 'b', 'c'],
  ],
  ['a rule that is moved to an index stands there', [{ op: 'move', from: '/a', path: '/2' }], ['b', 'c', 'a', 'd']],
  ['a rule that is moved to the end stands last', [{ op: 'move', from: '/a', path: '/-' }], ['b', 'c', 'd', 'a']],
  ['a rule that is moved before itself stays', [{ op: 'move', from: '/b', path: '/b' }], ['a', 'b', 'c', 'd']],
  ['a rule is removed by its key', [{ op: 'remove', path: '/c' }], ['a', 'b', 'd']],
  [
    'keys mean the list as it is when the operation runs',
    [
      { op: 'remove', path: '/a' },
      { op: 'add', path: '/b', value: rule('x') },
    ],
    ['x', 'b', 'c', 'd'],
  ],
  [
    'a rule is renamed and found by the new key',
    [
      { op: 'replace', path: '/a/key', value: 'z' },
      { op: 'move', from: '/z', path: '/-' },
    ],
    ['b', 'c', 'd', 'z'],
  ],
])('Of a list of rules, %s', (_, operations, expected) => {
  expect(keysAfter(operations)).toEqual(expected);
});

test('A key with a slash or a tilde is written as in a JSON Pointer', () => {
  const base = { auto_access: [rule('a'), { key: 'x/y~z' }] };
  const { value } = overlay(composed(base), [parsed('patch', { auto_access: [{ op: 'remove', path: '/x~1y~0z' }] })]);
  expect(value).toEqual({ auto_access: [rule('a')] });
});
