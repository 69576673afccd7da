// Manifests with thousands of mistakes: a run tells the first 1,000 and how many more there are, in about the time that reading the file takes.

import { expect, test } from 'vitest';
import type { Diagnostic } from '../../src/base/model.ts';
import { textOf } from '../../src/base/pieces.ts';
import { failedView } from '../../src/features/plan/view.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import { findingsInFiles } from '../../src/view/diagnostics.ts';
import { failureDocument } from '../../src/view/documents.ts';
import { diagnosticEvents } from '../../src/view/events.ts';
import { renderDiagnostics } from '../../src/view/terminal/diagnostics.ts';
import { markdownText } from '../../src/view/writers/markdown.ts';
import { sarif } from '../../src/view/writers/sarif.ts';
import { diagnose, limitFindings } from '../../src/yaml/diagnostics.ts';
import { parseOrdinary } from '../../src/yaml/quick/parse.ts';
import { tries } from '../tries.ts';
import { memoryDisk } from './memory-disk.ts';

/** Far above what is needed, and far below what a square of the size would take. */
const SOON = 20_000;

async function diagnosticsOf(text: string) {
  const { diagnostics } = await loadManifest({
    files: ['manifest.yaml'],
    env: {},
    version: '3.6',
    io: memoryDisk({ 'manifest.yaml': text }),
  });
  return diagnostics;
}

function numbered(count: number, text: (number: number) => string): string {
  return Array.from({ length: count }, (_, number) => text(number)).join('');
}

test(
  'a manifest on one line with 5,000 mistakes fits into a document, which does not repeat the line',
  async () => {
    const text = `{ version: 1, groups: { ${numbered(5_000, (n) => `g${n}: { nam: G${n} }, `)} } }`;
    const diagnostics = await diagnosticsOf(text);
    expect(diagnostics).toHaveLength(1_001);
    expect(failureDocument('the manifest has errors', diagnostics).length).toBeLessThan(20 * text.length);
    const shown = renderDiagnostics(diagnostics);
    expect(shown).toContain('manifest.yaml:1:31: error unknown-field');
    expect(shown).toContain('error more-findings: there are 4000 more errors, which are not shown');
    expect(shown).toMatch(/\n5000 errors\n$/);
  },
  SOON,
);

test(
  'a text of 20,000 wrong references is told by the first of them',
  async () => {
    const wrong = '${a}'.repeat(20_000);
    const diagnostics = await diagnosticsOf(`version: 1\ngroups: { sales: { name: "${wrong}" } }`);
    expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(['bad-substitution']));
    expect(diagnostics.map(({ place }) => place.column).slice(0, 3)).toEqual([27, 31, 35]);
    expect(diagnostics.length).toBeLessThan(100);
  },
  SOON,
);

test(
  'references to what is not declared are told, the first of them with what may have been meant',
  async () => {
    const count = tries(10_000, 2_000);
    const agents = numbered(count, (n) => `  a${n}@example.com: { name: A, groups: { sales-${n}: normal } }\n`);
    const groups = numbered(count, (n) => `  shop-${n}: { name: G${n} }\n`);
    const diagnostics = await diagnosticsOf(`version: 1\nagents:\n${agents}groups:\n${groups}`);
    expect(diagnostics).toHaveLength(1_001);
    expect(diagnostics.at(-1)).toMatchObject({ code: 'more-findings', more: { errors: count - 1_000, warnings: 0 } });
  },
  SOON,
);

/** Merges of the wrong fields. */
const USES = tries(600, 60);

const wrongFields = numbered(300, (n) => `    wrong${n}: 1\n`);
const repeated = (uses: number, head: string) =>
  `${head}version: 1\ngroups:\n  a: &a\n    name: A\n${wrongFields}${numbered(uses, (n) => `  g${n}: { <<: *a }\n`)}`;

test.each([
  ['quick', repeated(USES, '')],
  // A directive is for the thorough parser.
  ['thorough', repeated(USES, '%YAML 1.2\n---\n')],
])(
  'wrong fields that merge keys repeat many times are told once each, as read by the %s parser',
  async (_, text) => {
    expect(text.length).toBeLessThan(41_000);
    expect(parseOrdinary(text) === null).toBe(_ === 'thorough');
    const diagnostics = await diagnosticsOf(text);
    // The 300 fields, and how many findings were not kept.
    expect(diagnostics).toHaveLength(301);
    // Of each group each wrong field, and of all but the first a name that is there more than once.
    expect(diagnostics.at(-1)).toMatchObject({ severity: 'error', more: { errors: (USES + 1) * 300 - 1_000 + USES } });
    const shown = renderDiagnostics(diagnostics);
    expect(shown.length).toBeLessThan(400_000);
    expect(shown.match(/more-findings/g)).toHaveLength(1);
  },
  SOON,
);

test('every output of findings has as many, and says how many more there are', async () => {
  const diagnostics = await diagnosticsOf(`version: 1\ngroups:\n${numbered(3_000, (n) => `  g${n}: { nam: G }\n`)}`);
  const document = JSON.parse(failureDocument('the manifest has errors', diagnostics)) as {
    readonly diagnostics: readonly Diagnostic[];
  };
  expect(document.diagnostics).toHaveLength(1_001);
  expect(document.diagnostics.at(-1)).toMatchObject({ code: 'more-findings', more: { errors: 2_000, warnings: 0 } });
  expect(diagnosticEvents(diagnostics)).toHaveLength(1_001);
  const found = findingsInFiles(
    { operation: 'validate', target: null, at: null, check: 'the files were read' },
    diagnostics,
  );
  expect(textOf(sarif([found], () => null)).match(/"ruleId"/g)).toHaveLength(1_001);
  const comment = markdownText(failedView({ outcome: 'failed', target: 'test', message: '', diagnostics }), {
    bytes: 9_000,
  });
  expect(comment).toContain('Findings (3000)');
  const shown = comment.match(/^\| \*\*error\*\* /gm)?.length ?? 0;
  expect(comment).toContain(`And ${1_000 - shown} more, which`);
  expect(comment).toContain('There are 2000 more errors, which are not shown.');
});

test('findings of the notation are counted in the same way', async () => {
  const diagnostics = await diagnosticsOf(`x-a:\n${numbered(3_000, (n) => `  a${n}: !wrong ${n}\n`)}`);
  expect(diagnostics.filter(({ code }) => code === 'yaml-tag')).toHaveLength(999);
  expect(diagnostics.at(-1)).toMatchObject({ code: 'more-findings', more: { errors: 2_001, warnings: 0 } });
});

test('warnings give way to errors', () => {
  const one = (severity: Diagnostic['severity'], line: number) =>
    diagnose(
      { place: { file: 'm.yaml', line, column: 1, length: 1 }, excerpt: null },
      { code: 'not-allowed', severity, message: `${severity} ${line}` },
    );
  const warnings = Array.from({ length: 1_500 }, (_, line) => one('warning', line));
  expect(limitFindings(warnings).at(-1)).toMatchObject({ severity: 'warning', more: { errors: 0, warnings: 500 } });
  const some = limitFindings([...limitFindings(warnings), one('error', 9_000)]);
  expect(some.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual(['error 9000']);
  expect(some).toHaveLength(1_001);
  expect(some.at(-1)).toMatchObject({ severity: 'warning', more: { errors: 0, warnings: 501 } });
});

test('a long key is refused, and a long text is cut in what is said about it', async () => {
  const key = 'k'.repeat(100_000);
  expect(await diagnosticsOf(`version: 1\n? ${key}\n: 1\n`)).toMatchObject([
    { code: 'too-long', message: 'the key has 100000 characters' },
  ]);
  const [finding] = await diagnosticsOf(`version: 1\nagents: { a@example.com: { name: A, notifications: ${key} } }`);
  expect(finding?.remedy?.length).toBe(2_000);
});

test.each([40, 60])('%i levels of merge keys count like aliases: each level repeats all members', async (levels) => {
  const members = numbered(20_000, (n) => `m${n}: 1, `);
  const text = `version: 1\nx-a: ${'{ <<: '.repeat(levels)}{ ${members} }${' }'.repeat(levels)}\n`;
  const codes = (await diagnosticsOf(text)).map(({ code }) => code);
  expect(codes).toEqual(levels === 40 ? [] : ['yaml-alias']);
});
