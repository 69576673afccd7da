import { expect, test } from 'vitest';
import type { Diagnostic, Place } from '../../../src/base/model.ts';
import { type Paint, uncoloured } from '../../../src/view/paint.ts';
import { renderDiagnostic, renderDiagnostics, where } from '../../../src/view/terminal/diagnostics.ts';

const PLACE: Place = { file: 'manifest.yaml', line: 12, column: 9, length: 5 };

const DIAGNOSTIC: Diagnostic = {
  code: 'not-allowed',
  severity: 'error',
  place: PLACE,
  message: '"frist" is not allowed here',
  remedy: 'did you mean `first`?',
  excerpt: '  sales: frist',
  related: [{ place: { ...PLACE, line: 3, column: 1 }, message: 'the other side' }],
};

test('A diagnostic shows its place, its line with a caret under what is meant, what helps, and what else takes part', () => {
  expect(renderDiagnostic({ ...DIAGNOSTIC, place: { ...PLACE, column: 10 } })).toBe(
    [
      'manifest.yaml:12:10: error not-allowed: "frist" is not allowed here',
      '12 |   sales: frist',
      '   |          ^^^^^',
      '   = help: did you mean `first`?',
      '   = the other side: manifest.yaml:3:1',
    ].join('\n'),
  );
});

test('Without an excerpt or a remedy there is only what there is', () => {
  const text = renderDiagnostic({ ...DIAGNOSTIC, excerpt: null, remedy: null, related: [] });
  expect(text).toBe('manifest.yaml:12:9: error not-allowed: "frist" is not allowed here');
});

test('Diagnostics come by place, whatever their order was, and are counted', () => {
  const at = (file: string, line: number, severity: 'error' | 'warning'): Diagnostic => ({
    ...DIAGNOSTIC,
    severity,
    place: { ...PLACE, file, line },
  });
  const all = [at('b', 1, 'error'), at('a', 10, 'warning'), at('a', 9, 'error')];
  const text = renderDiagnostics(all);
  expect(text.match(/^\w:\d+/gm)).toEqual(['a:9', 'a:10', 'b:1']);
  expect(text.endsWith('\n\n2 errors, 1 warning\n')).toBe(true);
  expect(renderDiagnostics([...all].reverse())).toBe(text);
  expect(renderDiagnostics([at('a', 1, 'warning')])).toMatch(/\n\n1 warning\n$/);
  expect(renderDiagnostics([])).toBe('');
});

test("Colour is the caller's: every tone goes through the injected function, and nothing else colours", () => {
  const tones = new Set<string>();
  const style: Paint = (tone, text) => {
    tones.add(tone);
    return `<${tone}>${text}</>`;
  };
  const text = renderDiagnostics([DIAGNOSTIC, { ...DIAGNOSTIC, severity: 'warning' }], style);
  expect([...tones].sort()).toEqual(['error', 'faint', 'help', 'place', 'strong', 'warning']);
  expect(text.replaceAll(/<\w+>|<\/>/g, '')).toBe(
    renderDiagnostics([DIAGNOSTIC, { ...DIAGNOSTIC, severity: 'warning' }], uncoloured),
  );
});

function lines(excerpt: string, column: number, length: number): readonly string[] {
  return renderDiagnostic({ ...DIAGNOSTIC, excerpt, place: { ...PLACE, column, length }, remedy: null, related: [] })
    .split('\n')
    .slice(1)
    .map((line) => line.slice(5));
}

test('Nothing in a line can command the terminal or fake what is shown', () => {
  const shown = renderDiagnostic({
    ...DIAGNOSTIC,
    excerpt: 'a: "\u001b[31mred\u0007\u009b2J\u202Etxet\r"',
    message: 'key \u001b]0;title\u0007',
    place: { ...PLACE, file: 'a\u001b[2Jb.yaml' },
  });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is what is tested
  expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  expect(where({ ...PLACE, file: 'a\nb' })).not.toContain('\n');
});

test('A tab is one column wide, so that the caret stands under what is meant', () => {
  expect(lines('\ta: b', 5, 1)).toEqual([' a: b', '    ^']);
});

test('Wide characters take two columns, combining ones none', () => {
  expect(lines('名前: 太郎 x', 5, 2)).toEqual(['名前: 太郎 x', '      ^^^^']);
  expect(lines('x\u0301a: b', 5, 1)).toEqual(['x\u0301a: b', '   ^']);
});

test('A long line is cut around the caret, on both sides', () => {
  const line = `${'x'.repeat(5000)}HERE${'y'.repeat(5000)}`;
  const [source = '', caret = ''] = lines(line, 5001, 4);
  expect(source.length).toBeLessThan(120);
  expect(source.startsWith('…x')).toBe(true);
  expect(source.endsWith('y…')).toBe(true);
  expect(source.slice(caret.indexOf('^'), caret.lastIndexOf('^') + 1)).toBe('HERE');
});

test('The start of a long line stays, when that is where the caret is', () => {
  const [source = '', caret = ''] = lines(`HERE${'y'.repeat(5000)}`, 1, 4);
  expect(source.startsWith('HERE')).toBe(true);
  expect(caret).toBe('^^^^');
});

test('A caret for what is missing at the end of a line has one mark', () => {
  expect(lines('a: [', 5, 1)).toEqual(['a: [', '    ^']);
});

test('Warnings that say the same are shown twice, and then named by their places; errors are all shown', () => {
  const at = (line: number, severity: 'error' | 'warning'): Diagnostic => ({
    ...DIAGNOSTIC,
    severity,
    place: { ...PLACE, line },
    excerpt: null,
    remedy: null,
    related: [],
  });
  const warnings = Array.from({ length: 10 }, (_, index) => at(index + 1, 'warning'));
  const lines = renderDiagnostics([...warnings, ...Array.from({ length: 4 }, (_, index) => at(index + 20, 'error'))])
    .split('\n')
    .filter((line) => line !== '');
  expect(lines).toEqual([
    'manifest.yaml:1:9: warning not-allowed: "frist" is not allowed here',
    'manifest.yaml:2:9: warning not-allowed: "frist" is not allowed here',
    'The same at manifest.yaml:3:9, manifest.yaml:4:9, manifest.yaml:5:9, manifest.yaml:6:9, manifest.yaml:7:9, manifest.yaml:8:9, and 2 more',
    ...[20, 21, 22, 23].map((line) => `manifest.yaml:${line}:9: error not-allowed: "frist" is not allowed here`),
    '4 errors, 10 warnings',
  ]);
});
