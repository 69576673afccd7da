// Lines for a runner, read back as the runner reads them: what was said arrives, and nothing else happens.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { labelOf } from '../../../src/features/ci/labels.ts';
import { outputLines } from '../../../src/features/ci/send-runner.ts';
import { claimIn, isLate, keyOf, marked } from '../../../src/features/ci/sticky.ts';
import { CHANGE_STATES } from '../../../src/plan/review/plan-result.ts';
import type { Finding } from '../../../src/view/findings.ts';
import { annotations } from '../../../src/view/writers/annotations.ts';
import { asNamed } from '../../features/plan/outputs.ts';
import { hostileText } from '../../view/hostile.ts';

const FINDING: Finding = {
  rule: 'rule',
  level: 'error',
  result: 'failed',
  subject: '',
  title: 'rule',
  lines: ['said'],
  item: null,
  place: null,
  fingerprint: null,
};

function told(findings: readonly Finding[]): readonly string[] {
  const about = { operation: 'plan', scope: [], at: null, check: '', failure: null, lines: [], rules: [], notes: [] };
  return annotations([{ ...about, findings, fingerprints: null }], 'chatform', asNamed);
}

/** As the runner does: https://github.com/actions/runner, ActionCommand.TryParseV2. */
function parsed(line: string) {
  const [, command, properties = '', message = ''] = /^::(\w+)(?: (.*?))?::(.*)$/s.exec(line) ?? [];
  const unescaped = (text: string): string =>
    text
      .replaceAll('%0D', '\r')
      .replaceAll('%0A', '\n')
      .replaceAll('%3A', ':')
      .replaceAll('%2C', ',')
      .replaceAll('%25', '%');
  const pairs = properties
    .split(',')
    .map((pair) => [pair.slice(0, pair.indexOf('=')), unescaped(pair.slice(pair.indexOf('=') + 1))]);
  return { command, properties: Object.fromEntries(pairs) as Record<string, string>, message: unescaped(message) };
}

test('An annotation is one command with the properties that it was given', () => {
  fc.assert(
    fc.property(hostileText, hostileText, hostileText, (rule, said, file) => {
      const place = { file: `infra/${file}`, line: 3, column: 5 };
      const [line = ''] = told([{ ...FINDING, rule, lines: [said, 'remedy'], place }]);
      expect(line).not.toMatch(/[\r\n]/);
      const { command, properties, message } = parsed(line);
      expect(command).toBe('error');
      expect(Object.keys(properties)).toEqual(['file', 'line', 'col', 'title']);
      expect(properties).toMatchObject({ line: '3', col: '5', file: expect.stringMatching(/^infra\//) });
      expect(message).toMatch(/\nremedy$/);
    }),
  );
});

test('Of each level there are as many as GitHub shows, and the last says how many more', () => {
  const findings = Array.from({ length: 40 }, (_, line) => ({
    ...FINDING,
    place: { file: 'a.yaml', line: line + 1, column: 1 },
  }));
  const lines = told(findings);
  expect(lines).toHaveLength(10);
  expect(lines.at(-1)).toContain('and 31 more');
});

test('An output has one line, whatever its value is', () => {
  fc.assert(
    fc.property(hostileText, (value) => {
      expect(outputLines({ digest: value, late: false }).split('\n')).toHaveLength(3);
    }),
  );
});

test('A label has at most 50 characters and no comma', () => {
  fc.assert(
    fc.property(fc.oneof(hostileText, fc.string({ minLength: 60 })), (target) => {
      const label = labelOf(target, 'add-or-update');
      expect(label.length).toBeLessThanOrEqual(50);
      expect(label).toMatch(/^chatform\/[^,:\n]+\/add-or-update$/);
    }),
  );
});

test('Targets that begin alike, or differ by what a label cannot have, have labels of their own', () => {
  const targets = [
    'a'.repeat(27),
    ...['east', 'west', ''].map((end) => `production-of-europe-for-shops-${end}`),
    ...['a,b', 'a:b', 'a_b', 'ł', 'ó', ' a_b', ''],
  ];
  const labels = targets.map((target) => labelOf(target, 'add-or-update'));
  expect(new Set(labels).size).toBe(targets.length);
  expect(labels[0]).toBe(`chatform/${'a'.repeat(27)}/add-or-update`);
  expect(labelOf('support/eu', 'destroy')).toBe('chatform/support/eu/destroy');
});

const claim = fc.record({
  key: fc.constant(keyOf('page')),
  run: fc.integer({ min: 1, max: 3 }),
  attempt: fc.integer({ min: 1, max: 3 }),
  commit: fc.constantFrom('a'.repeat(40), 'b'.repeat(40)),
  state: fc.constantFrom(...CHANGE_STATES),
});

test('A marker is read back as it was written, and of two jobs at most one is late', () => {
  const heads = fc.constantFrom([], ['a'.repeat(40)], ['a'.repeat(40), 'b'.repeat(40)]);
  fc.assert(
    fc.property(claim, claim, claim, heads, (one, other, third, current) => {
      expect(claimIn(marked(one, 'text'))).toEqual(one);
      expect(isLate(one, other, current) && isLate(other, one, current)).toBe(false);
      expect(isLate(one, one, current)).toBe(false);
      // Whoever is older than the older one is older than the newer one.
      if (isLate(one, other, current) && isLate(other, third, current)) expect(isLate(one, third, current)).toBe(true);
    }),
  );
});

test('What is below the first line, or has another spelling, is no marker', () => {
  const text = marked({ key: keyOf('page'), run: 1, attempt: 1, commit: 'abc', state: 'plan' }, 'x');
  for (const other of [
    `\n${text}`,
    ` ${text}`,
    text.replace('state=plan', 'state=done'),
    text.replace('chatform:1', 'chatform:2'),
  ])
    expect(claimIn(other)).toBeNull();
});
