import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { isList, isObject } from '../../src/base/json.ts';
import type { Json } from '../../src/base/model.ts';
import type { Path } from '../../src/yaml/places.ts';
import { parseTree } from '../../src/yaml/thorough/parse.ts';
import { tries } from '../tries.ts';

type Shape = 'leaf' | { readonly list: readonly Shape[] } | { readonly map: readonly Shape[] };

const shapes = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { depthSize: 'medium' },
    fc.constant<Shape>('leaf'),
    fc.array(tie('shape'), { minLength: 1, maxLength: 4 }).map((list): Shape => ({ list })),
    fc.array(tie('shape'), { minLength: 1, maxLength: 4 }).map((map): Shape => ({ map })),
  ),
})).shape;

/** A value in which every key and every text occurs once, so that searching the file says where it stands. */
function named(shape: Shape, next: () => string): Json {
  if (shape === 'leaf') return next();
  if ('list' in shape) return shape.list.map((item) => named(item, next));
  return Object.fromEntries(shape.map.map((item) => [next(), named(item, next)]));
}

function counter(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `n${count}x`;
  };
}

/** Every path of a value, with the text of its last key or of the scalar there. */
function* landmarks(value: Json, path: Path = []): Generator<{ path: Path; part: 'key' | 'value'; text: string }> {
  if (typeof value === 'string') yield { path, part: 'value', text: value };
  else if (isList(value)) for (const [index, item] of value.entries()) yield* landmarks(item, [...path, index]);
  else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      yield { path: [...path, name], part: 'key', text: name };
      yield* landmarks(item, [...path, name]);
    }
  }
}

function expectLandmarks(text: string, value: Json): void {
  const parsed = parseTree('m.yaml', text);
  expect(parsed.diagnostics).toEqual([]);
  expect(parsed.value).toEqual(value);
  const lines = text.split('\n');
  const wrong = [...landmarks(value)].filter(({ path, part, text: word }) => {
    const { place, excerpt } = parsed.source.mark(path, part);
    const there = excerpt?.slice(place.column - 1).replace(/^(&\S+ )?"?/, '') ?? '';
    return !there.startsWith(word) || lines[place.line - 1] !== excerpt;
  });
  expect(wrong).toEqual([]);
}

const style = fc.record({
  collectionStyle: fc.constantFrom('any' as const, 'flow' as const),
  indent: fc.integer({ min: 1, max: 6 }),
  indentSeq: fc.boolean(),
  defaultStringType: fc.constantFrom('PLAIN' as const, 'QUOTE_DOUBLE' as const),
});

test('The place of every path of every value is where the value stands in the text, however it is written', () => {
  fc.assert(
    fc.property(shapes, style, fc.boolean(), (shape, { collectionStyle, ...rest }, comments) => {
      const value: Json = { top: named(shape, counter()) };
      const written = stringify(value, { ...rest, collectionStyle, lineWidth: 0 });
      expectLandmarks(comments ? `# a comment\n\n${written}# the end\n` : written, value);
    }),
    { numRuns: tries(200) },
  );
});

test('The place of what an alias stands for is where it is written', () => {
  fc.assert(
    fc.property(shapes, shapes, (first, second) => {
      const next = counter();
      const shared = named(first, next);
      const value: Json = { one: shared, other: named(second, next), again: [shared, { and: shared }] };
      expectLandmarks(stringify(value, { aliasDuplicateObjects: true }), value);
    }),
    { numRuns: tries(100) },
  );
});

test('A merge key brings members that stand where they are written; those of the mapping itself win', () => {
  const text = [
    'base: &base { a: base-a, b: base-b, deep: { x: base-x } }',
    'more: &more { b: more-b, c: more-c }',
    'one: { a: own-a, <<: *base }',
    'all:',
    '  <<: [*more, *base]',
    '  d: own-d',
    'nested: { <<: { <<: *base, e: inner-e } }',
    '',
  ].join('\n');
  const { source, value, diagnostics } = parseTree('m.yaml', text);
  expect(diagnostics).toEqual([]);
  expect(value).toMatchObject({
    one: { a: 'own-a', b: 'base-b', deep: { x: 'base-x' } },
    all: { a: 'base-a', b: 'more-b', c: 'more-c', d: 'own-d' },
    nested: { a: 'base-a', e: 'inner-e' },
  });
  const places: readonly [Path, string][] = [
    [['one', 'a'], '3:11'],
    [['one', 'b'], '1:29'],
    [['one', 'deep', 'x'], '1:48'],
    [['all', 'b'], '2:18'],
    [['all', 'a'], '1:18'],
    [['all', 'd'], '6:6'],
    [['nested', 'e'], '7:31'],
    [['nested', 'b'], '1:29'],
  ];
  for (const [path, expected] of places) {
    const { place } = source.mark(path, 'value');
    expect(`${place.line}:${place.column}`, path.join('.')).toBe(expected);
  }
});

test('An anchor that is set anew stands for its last value before the alias', () => {
  const { source, value } = parseTree('m.yaml', 'a: &x one\nb: *x\nc: &x two\nd: *x\n');
  expect(value).toEqual({ a: 'one', b: 'one', c: 'two', d: 'two' });
  expect(source.mark(['b'], 'value').place.line).toBe(1);
  expect(source.mark(['d'], 'value').place.line).toBe(3);
});

test('A path that leads to nothing has the place of its nearest ancestor, and a member without a value that of its key', () => {
  const { source } = parseTree('m.yaml', 'a:\n  b:\n  c: [d]\n');
  const at = (path: Path) => {
    const { line, column } = source.mark(path, 'value').place;
    return `${line}:${column}`;
  };
  expect([at(['a', 'b']), at(['a', 'c', 5]), at(['a', 'x', 'y']), at([])]).toEqual(['2:3', '3:6', '2:3', '1:1']);
});

test('Looking up the places of ten thousand entries costs a small part of parsing them', () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => `  agent${index}@example.com: { name: Agent ${index} }`);
  const text = `agents:\n${lines.join('\n')}\n`;
  const before = performance.now();
  const { source } = parseTree('m.yaml', text);
  const parsed = performance.now();
  const wrong = lines.filter(
    (_, index) => source.mark(['agents', `agent${index}@example.com`, 'name'], 'value').place.line !== index + 2,
  );
  expect(wrong).toEqual([]);
  expect(performance.now() - parsed).toBeLessThan(Math.max(1000, 2 * (parsed - before)));
});

test('Carriage returns and a byte order mark shift no column', () => {
  const { source } = parseTree('m.yaml', 'a: one\r\nb: { c: two }\r\n');
  expect(source.mark(['b', 'c'], 'value')).toEqual({
    place: { file: 'm.yaml', line: 2, column: 9, length: 3 },
    excerpt: 'b: { c: two }',
  });
});
