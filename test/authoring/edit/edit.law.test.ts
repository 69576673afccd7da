// The law of editing: the value becomes the one that is meant, and no line changes on which no changed value stands.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editYaml } from '../../../src/authoring/edit/edit.ts';
import type { Edit } from '../../../src/authoring/edit/edits.ts';
import { canonicalJson } from '../../../src/base/json.ts';
import type { Json, JsonObject } from '../../../src/base/model.ts';
import type { Path } from '../../../src/yaml/places.ts';
import { parseTree } from '../../../src/yaml/thorough/parse.ts';
import { tries } from '../../tries.ts';
import { authored, type Choose, pathsIn } from './authored.ts';
import { lostLines } from './touched.ts';

const RUNS = tries(400, 50);

const TEXTS = [
  'on',
  '1e3',
  '00123',
  '2026-01-01',
  '~',
  '&a',
  '*b',
  '!c',
  '|',
  '>',
  '%d',
  '@e',
  'a: b',
  'a #b',
  '',
  'one\ntwo\n',
  'no\nend',
  ' x ',
  '09:00',
  '<<',
  '- a',
  '? b',
  'é ☕ 😀',
  '\ttab',
  'q"uo\'te',
  '[x]',
  '{y}',
  'a,b',
  '#c',
  'back\\slash',
  'bare',
  'sales',
  'Ann Lee',
  'null',
  'True',
  '0x1F',
  '1_000',
  '12:30:45',
  '.5',
  '-',
  '=',
  '\u2028',
  '\u0085',
  '---',
  '${var.x}',
  'a:',
  ':a',
  '\n',
  '\n\n',
  'x\n\n',
  ' lead\nx',
  'x \ny',
  '\r\n',
  '\u0000',
];
const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('Ann', 'Bob', 'first', 'normal', 'some words here', 'one\ntwo\n') },
  { weight: 2, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string() },
);
const scalar: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: text },
  fc.integer({ min: -1000, max: 100000 }),
  fc.boolean(),
  fc.constant(null),
  fc.constant(0.5),
);
const name = fc
  .oneof(
    { weight: 5, arbitrary: fc.constantFrom('a', 'b', 'c', 'name', 'groups', 'ann@example.com', 'x-y') },
    { weight: 1, arbitrary: fc.constantFrom(...TEXTS, '7') },
  )
  .filter((key) => key !== '__proto__');
const SHARED: readonly Json[] = [
  { a: 1, b: 'x' },
  { timezone: 'UTC', schedule: [{ day: 'monday', start: '09:00' }] },
  ['x', 'y'],
  { c: 2 },
];
const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    scalar,
    fc.constantFrom(...SHARED),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .tuple(fc.constantFrom(...SHARED), fc.dictionary(name, tie('value'), { maxKeys: 2, noNullPrototype: true }))
      .map(([shared, more]): Json => (Array.isArray(shared) ? shared : { ...(shared as JsonObject), ...more })),
  ),
}));
const root = fc.dictionary(name, anyValue, { minKeys: 1, maxKeys: 6, noNullPrototype: true });

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
const isMap = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !isList(value);

function at(value: Json, path: Path): Json {
  return path.reduce<Json>((held, step) => (held as { [name: string]: Json })[step] ?? null, value);
}

function put(value: Json, path: Path, change: (old: Json) => Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (isList(value)) return value.map((item, index) => (index === step ? put(item, rest, change) : item));
  const map = value as JsonObject;
  return Object.fromEntries(
    Object.entries(map).map(([key, item]) => [key, key === step ? put(item, rest, change) : item]),
  );
}

/** An edit that can be made, and what it means. */
function anEdit(
  value: JsonObject,
  choose: Choose,
  fresh: Json,
): { readonly edit: Edit; readonly meant: Json; readonly touched: Path } {
  const paths = pathsIn(value, []);
  const path = paths[choose(paths.length)] ?? [];
  const here = at(value, path);
  const kind = choose(6);
  if (kind === 0 && path.length > 0) {
    const parent = path.slice(0, -1);
    const last = path.at(-1);
    const meant = put(value, parent, (old) =>
      isList(old)
        ? old.filter((_, index) => index !== last)
        : Object.fromEntries(Object.entries(old as JsonObject).filter(([key]) => key !== last)),
    );
    return { edit: { op: 'remove', path }, meant, touched: path };
  }
  if (kind === 1 && (isMap(here) || here === null)) {
    const added = ['new', 'on', 'a b', 'k: v'][choose(4)] ?? 'new';
    if (!Object.hasOwn(here ?? {}, added))
      return {
        edit: { op: 'set', path: [...path, added], value: fresh },
        meant: put(value, path, (old) => ({ ...(old as JsonObject), [added]: fresh })),
        touched: [...path, added],
      };
  }
  if (kind === 2 && isList(here)) {
    const index = choose(here.length + 1);
    return {
      edit: { op: 'insert', path, index, items: [fresh] },
      meant: put(value, path, (old) => (old as Json[]).toSpliced(index, 0, fresh)),
      touched: [...path, index],
    };
  }
  if (kind === 3 && isList(here)) {
    const order = [...here.keys()];
    for (let index = order.length - 1; index > 0; index -= 1) {
      const other = choose(index + 1);
      [order[index], order[other]] = [order[other] ?? 0, order[index] ?? 0];
    }
    return {
      edit: { op: 'order', path, order },
      meant: put(value, path, (old) => order.map((from) => (old as Json[])[from] ?? null)),
      touched: path,
    };
  }
  if (kind === 4 && isList(here) && here.length > 0) {
    const changed = here.toSpliced(choose(here.length), choose(2), fresh);
    return { edit: { op: 'set', path, value: changed }, meant: put(value, path, () => changed), touched: path };
  }
  if (path.length === 0)
    return {
      edit: { op: 'set', path: ['made', 'deep'], value: fresh },
      meant: { ...value, ...(Object.hasOwn(value, 'made') ? {} : { made: { deep: fresh } }) },
      touched: ['made'],
    };
  return { edit: { op: 'set', path, value: fresh }, meant: put(value, path, () => fresh), touched: path };
}

const choices = fc.infiniteStream(fc.nat(1_000_000));

function choosing(stream: IterableIterator<number>): Choose {
  return (below) => (stream.next().value ?? 0) % below;
}

test.each([
  ['plain collections', false],
  ['anchors, aliases and merges', true],
])('an edit of any file changes what is meant and no other line: %s', (_, anchors) => {
  fc.assert(
    fc.property(root, choices, anyValue, (value, stream, fresh) => {
      const choose = choosing(stream);
      const { text: before, lines, eol } = authored(value, choose, anchors);
      const read = parseTree('a.yaml', before);
      expect(read.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(canonicalJson(read.value)).toBe(canonicalJson(value));
      const { edit, meant, touched } = anEdit(value, choose, fresh);
      const edited = editYaml('a.yaml', before, [edit]);
      const show = `${JSON.stringify(edit)}\n${before}\n--- becomes\n${'text' in edited ? edited.text : JSON.stringify(edited)}`;
      if (!('text' in edited)) throw new Error(`refused: ${show}`);
      if (canonicalJson(parseTree('a.yaml', edited.text).value) !== canonicalJson(meant))
        throw new Error(`wrong: ${show}`);
      if (canonicalJson(value) === canonicalJson(meant)) {
        if (edited.text !== before) throw new Error(`touched: ${show}`);
        return;
      }
      // A tab in a comment is read by the thorough parser alone, which makes nodes of the whole text.
      const end = before.includes(eol) ? eol : '\n';
      const remark = `#\t${end}${end}`;
      const whole = editYaml('a.yaml', remark + before, [edit]);
      if (!('text' in whole) || whole.text !== remark + edited.text)
        throw new Error(`other nodes: ${show}\n--- and becomes\n${'text' in whole ? whole.text : ''}`);
      if (eol === '\r\n' && before.includes('\n') && /[^\r]\n/.test(edited.text))
        throw new Error(`line break: ${show}`);
      if (!before.includes('\r') && before.includes('\n') && edited.text.includes('\r'))
        throw new Error(`line break: ${show}`);
      if (/\n$/.test(before) !== /\n$/.test(edited.text)) throw new Error(`last line break: ${show}`);
      const wrong = lostLines(before, edited.text, lines, [touched]);
      if (wrong.length > 0) throw new Error(`lost ${wrong.join('|')}: ${show}`);
      const comments = (from: string): readonly string[] => from.match(/# (note|above|tail) \d+/g) ?? [];
      if (edit.op === 'order' || edit.op === 'insert' || touched.length > edit.path.length) {
        if ([...comments(before)].sort().join() !== [...comments(edited.text)].sort().join())
          throw new Error(`comments: ${show}`);
      }
    }),
    { numRuns: RUNS },
  );
});
