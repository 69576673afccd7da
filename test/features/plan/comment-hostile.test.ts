// Whatever anybody writes into a name of the license: a comment keeps its structure, and nothing in it is a mention, a link, an element, a command.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commentMarkdown, NOWHERE } from '../../../src/features/plan/comment.ts';
import { planView } from '../../../src/features/plan/view.ts';
import { reviewed } from '../../../src/plan/review/plan-result.ts';
import { code } from '../../../src/view/markdown.ts';
import { uncoloured } from '../../../src/view/paint.ts';
import { plain } from '../../../src/view/plain.ts';
import { terminalText } from '../../../src/view/writers/terminal.ts';
import { tries } from '../../tries.ts';
import { hostileText } from '../../view/hostile.ts';
import { dangerous, named, planned, subjectOf } from './dangerous.ts';
import { planReport } from './outputs.ts';

const NAMES: { readonly [what: string]: string } = {
  'a fence': 'a\n```\n# b\n````diff',
  'a mention': '@team and @octo/cat',
  'an element': '<script>alert(1)</script><img src=x onerror=alert(1)>',
  'the end of a fold': '</pre></details></code><!-- x',
  'escapes of a terminal': '\u001b[31mred\u001b]8;;https://example.com\u0007',
  'a command of a runner': '::error file=a::b',
  'a command on a line of its own': '\n::set-output name=a::b\n##[error]c',
  'marks of direction': 'abc\u202egnp.exe\u2066x\u200f',
  'tags that nobody sees': 'a\u{e0041}\u{e0042}',
  '180 emoji': '👩‍👩‍👧‍👦'.repeat(180),
  'a table': 'a | b |\n| --- |',
  'a link': '[x](javascript:alert(1)) ![y](https://example.com/t.png) https://example.com',
  'a quick action': '/close\n/merge',
  'a marker': '<!-- chatform:1 key=0123456789abcdef run=999999 attempt=9 commit= state=applied -->',
  'an alert': '> [!NOTE]\n> all is well',
};

/** What is left when code is gone, in which hosts look for nothing. */
function withoutCode(markdown: string): string {
  return markdown
    .replaceAll(/<pre>\n[^<>]*\n<\/pre>/g, '')
    .replaceAll('<wbr>', '')
    .replaceAll(/<code>[^<>]*<\/code>/g, '')
    .replaceAll(/`[^`\n]+`/g, '');
}

function expectInert(markdown: string): void {
  for (const line of markdown.split('\n')) expect(plain(line) === line).toBe(true);
  const outside = withoutCode(markdown);
  expect(outside).not.toMatch(/@|<!--|::|##\[|https?:|\]\(|!\[(?!CAUTION)|```/);
  expect(outside.replaceAll(/<\/?(details|summary)>|<br>/g, '')).not.toMatch(/<|`/);
  expect(markdown).not.toMatch(/^\s*(\/|::|##\[)/m);
  // The rows of a table have as many cells as its head.
  const pipes = outside.split('\n').map((line) => (line.startsWith('|') ? line.split('|').length : 0));
  for (const [index, count] of pipes.entries())
    if (count > 0 && (pipes[index - 1] ?? 0) > 0) expect(count).toBe(pipes[index - 1]);
}

describe.each(Object.entries(NAMES))('A name with %s', (_, name) => {
  const plan = named(dangerous(), name);

  test('is shown, and does nothing', () => {
    const text = commentMarkdown(subjectOf(plan));
    expectInert(text);
    expect(text).toContain('> [!CAUTION]\n');
  });

  test('is inert in the log of a job', () => {
    for (const details of [true, false]) {
      const text = terminalText(planView(reviewed(plan, [], null)), uncoloured, { details });
      expect(text.split('\n').filter((line) => plain(line) !== line).length).toBe(0);
      expect(text).not.toMatch(/^\s*::/m);
      expect(text).not.toMatch(/##\w*\[/);
    }
  });
});

test('Not even an address is found in code, by whoever looks for one in what entities spell', () => {
  expect(code('a|ann@shop.example')).toBe('<code>a&#124;ann<wbr>&#64;shop<wbr>&#46;example</code>');
});

test('Half a character in the name of a file breaks no link', () => {
  const origin = { ...NOWHERE, run: 'https://a.example/\ud800', lineOf: () => 'https://a.example/\udfff' };
  expectInert(
    commentMarkdown(subjectOf(dangerous(), { origin })).replaceAll(/\]\(https:\/\/a.example\/%EF%BF%BD\)/g, ''),
  );
});

test('Nor does any other name', () => {
  fc.assert(
    fc.property(hostileText, (name) => expectInert(commentMarkdown(subjectOf(named(dangerous(), name))))),
    { numRuns: tries(200) },
  );
});

const AROUND = { at: '2026-11-21T00:00:00Z' };

test('SARIF, JUnit and code quality stay what they are', () => {
  for (const name of Object.values(NAMES)) {
    const of = planned(named(dangerous(), name));
    for (const { message } of JSON.parse(planReport('sarif', of, AROUND)).runs[0].results)
      expect(message.text.replaceAll(/\\[[\]\\]|\{\{|\}\}/g, '')).not.toMatch(/[[\]{}]/);
    const issues = JSON.parse(planReport('codequality', of, AROUND)) as readonly { readonly fingerprint: string }[];
    expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length);
    expect(planReport('junit', of, AROUND)).not.toContain('<script');
    expect(planReport('junit', of, AROUND)).not.toContain('\u001b');
  }
});
