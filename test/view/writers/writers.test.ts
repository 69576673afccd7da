// Each writer with a document that has every block: golden files, hostile texts, widths, budgets.

import { describe, expect, test } from 'vitest';
import { textOf } from '../../../src/base/pieces.ts';
import type { Item, View } from '../../../src/view/blocks.ts';
import { onTerminal, uncoloured } from '../../../src/view/paint.ts';
import { columnsOf } from '../../../src/view/terminal/narrow.ts';
import { annotations } from '../../../src/view/writers/annotations.ts';
import { codeQuality } from '../../../src/view/writers/code-quality.ts';
import { tableCsv } from '../../../src/view/writers/csv.ts';
import { htmlPage } from '../../../src/view/writers/html.ts';
import { junit } from '../../../src/view/writers/junit.ts';
import { markdownText } from '../../../src/view/writers/markdown.ts';
import { sarif } from '../../../src/view/writers/sarif.ts';
import { blocksText, terminalText } from '../../../src/view/writers/terminal.ts';
import { PAYLOADS, passed } from '../../payloads.ts';
import { unfolded } from '../../scenes/outputs.ts';
import { tries } from '../../tries.ts';
import { documentOf, findingsOf, SIDES } from '../document.ts';
import { all, parsed, shapeOf } from '../html/parsed.ts';

/** A file of the repository, and one beyond it. */
const pathOf = (file: string): string | null => (file.startsWith('/') ? null : `support/${file}`);
const lineOf = ({ file, line }: { readonly file: string; readonly line: number }): string =>
  `https://github.example/o/r/blob/main/${file}#L${line}`;

function tableOf(view: View): string {
  const tables = view.body.flatMap((block) =>
    block.type === 'section' ? block.body.filter((each) => each.type === 'table') : [],
  );
  return tables.map(tableCsv).join('\n');
}

const WRITERS: { readonly [file: string]: (text?: (usual: string) => string) => string } = {
  'terminal-60.txt': (text) => terminalText(documentOf(text), onTerminal(uncoloured, 60)),
  'terminal-80.txt': (text) => terminalText(documentOf(text), onTerminal(uncoloured, 80)),
  'terminal-120.txt': (text) => terminalText(documentOf(text), onTerminal(uncoloured, 120)),
  'terminal-details.txt': (text) => terminalText(documentOf(text), uncoloured, { details: true }),
  'page.html': (text) => unfolded(htmlPage(documentOf(text))),
  'comment.md': (text) => markdownText(documentOf(text), { lineOf }),
  'comment-tight.md': (text) => markdownText(documentOf(text), { lineOf, bytes: 2_500 }),
  'table.csv': (text) => tableOf(documentOf(text)),
  'report.sarif': (text) => textOf(sarif([findingsOf(text)], pathOf)),
  'junit.xml': (text) => textOf(junit([findingsOf(text)], pathOf)),
  'codequality.json': (text) => textOf(codeQuality([findingsOf(text)], pathOf)),
  'annotations.txt': (text) =>
    annotations([findingsOf(text)], 'chatform production', pathOf)
      .map((line) => `${line}\n`)
      .join(''),
};

test.each(Object.entries(WRITERS))('%s reads as its golden file', async (file, write) => {
  await expect(write()).toMatchFileSnapshot(`golden/${file}`);
});

test.each([
  ['a comment', (view: View) => markdownText(view, { lineOf, bytes: 900 })],
  ['a page', (view: View) => htmlPage(view, 60_000)],
])('Of sections that do not all fit, %s shows the heaviest, also in a section', (_, write) => {
  const section = (id: string, weight: number): Extract<View['body'][number], { readonly type: 'section' }> => ({
    type: 'section',
    id,
    title: id,
    weight,
    body: [{ type: 'list', texts: Array.from({ length: 400 }, (_unused, at) => `${id} ${at} ${'x'.repeat(60)}`) }],
  });
  const view: View = {
    title: 'Plan',
    mark: { sign: '~', word: 'changes', tone: 'calm' },
    result: 'Done.',
    about: [],
    body: [
      {
        type: 'section',
        id: 'all',
        title: 'All',
        body: [section('light', -5), section('heavy', 5), section('usual', 0)],
      },
    ],
  };
  const written = write(view);
  const count = (id: string): number => written.split(`${id} `).length - 1;
  expect(count('heavy')).toBeGreaterThan(count('usual'));
  expect(count('usual')).toBeGreaterThan(count('light'));
});

test('A list that does not fit is told by its brief, with as many names as fit', () => {
  const names = Array.from({ length: 40 }, (_, at) => `agent/${at + 10}@example.com`);
  const brief = [['40 people leave: ', { names }], 'No group is left without a person.'];
  const view: View = {
    title: 'Plan',
    mark: { sign: '~', word: 'changes', tone: 'calm' },
    result: 'Done.',
    about: [],
    body: [{ type: 'list', texts: names, brief }],
  };
  const told = (bytes?: number): string => markdownText(view, { lineOf, ...(bytes === undefined ? {} : { bytes }) });
  const head = '### Plan: changes\n\nDone.\n\n';
  const shown = names.map((name) => name.replace('@', '&#64;'));
  expect(told()).toBe(`${head}${shown.map((name) => `- ${name}\n`).join('')}`);
  expect(told(400)).toBe(
    `${head}- 40 people leave: ${shown.slice(0, 5).join(', ')}, and 35 more\n- No group is left without a person.\n`,
  );
});

const HOSTILE: readonly string[] = [
  ...PAYLOADS,
  ...[
    '`',
    '```\n# b',
    '| a |',
    '<script>alert(1)</script>',
    '</pre></details></code><!-- x',
    '[x](javascript:alert(1))',
    'https://example.com',
    'www.example.com',
  ],
  ...[
    '@team and @octo/cat',
    '#12',
    'GH-12',
    '!12',
    '/close\n/merge',
    '$(reboot)',
    '> [!NOTE]',
    '- a',
    '1. a',
    '**b**',
    ':smile:',
    '{0}',
    ']]>',
    '"\'',
    '%0A::error::x',
  ],
];

/** What may be the log of a job. */
const READ_BY_A_RUNNER = new Set(['terminal-details.txt', 'comment.md', 'annotations.txt']);

/** What is left when code is gone, in which hosts look for nothing. */
function withoutCode(markdown: string): string {
  return markdown
    .replaceAll(/<pre>\n[^<>]*\n<\/pre>/g, '')
    .replaceAll(/^(`{3,})\n[\s\S]*?\n\1$/gm, '')
    .replaceAll('<wbr>', '')
    .replaceAll(/<code>[^<>]*<\/code>/g, '')
    .replaceAll(/`[^`\n]+`/g, '')
    .replaceAll(/\]\(https:\/\/[^()\s|`*_~@']*\)/g, ']');
}

const USUAL = {
  markdown: withoutCode(markdownText(documentOf(), { lineOf })),
  shape: shapeOf(parsed(htmlPage(documentOf((text) => `${text}z`)))),
};

describe.each(HOSTILE.map((payload) => [JSON.stringify(payload), payload] as const))(
  'No writer lets %s through',
  (_, payload) => {
    const text = (usual: string): string => `${usual}${payload}`;
    const first = (usual: string): string => `${payload}${usual}`;

    test.each(Object.entries(WRITERS))('%s', (file, write) => {
      for (const hostile of [text, first]) {
        const output = write(hostile);
        const ours = file === 'annotations.txt' ? output.replaceAll(/^::(?:error|warning|notice) /gm, '') : output;
        expect(passed(READ_BY_A_RUNNER.has(file) ? `${file} stdout` : file, ours)).toEqual([]);
      }
    });

    test('Markdown keeps its structure', () => {
      for (const hostile of [text, first]) {
        const outside = withoutCode(markdownText(documentOf(hostile), { lineOf }));
        expect(outside).not.toMatch(/@|<!--|::|##\[|https?:|\]\(|!\[|```|\bwww\./);
        expect(outside.replaceAll(/<\/?(details|summary)>|<br>/g, '')).not.toMatch(/<|`/);
        // The callout is ours.
        const quotes = (all: string): number => all.match(/^> ?/gm)?.length ?? 0;
        expect(quotes(outside)).toBe(quotes(USUAL.markdown));
        expect(outside.replaceAll(/^> ?/gm, '')).not.toMatch(/^\s*(?:\/|::|> )/m);
        const pipes = (all: string): readonly number[] =>
          all
            .split('\n')
            .filter((line) => line.startsWith('|'))
            .map((line) => line.split('|').length);
        expect(pipes(outside)).toEqual(pipes(USUAL.markdown));
      }
    });

    test('a page has the same elements', () => {
      for (const hostile of [text, first]) expect(shapeOf(parsed(htmlPage(documentOf(hostile))))).toBe(USUAL.shape);
    });
  },
);

test.each([60, 80, 120])('No line is wider than %d columns', (width) => {
  for (const details of [false, true]) {
    const text = terminalText(documentOf(), onTerminal(uncoloured, width), { details });
    expect(text.split('\n').filter((line) => columnsOf(line) > width)).toEqual([]);
  }
});

test('Blocks alone are the beginning of the document', () => {
  const alone = blocksText(documentOf().body, uncoloured);
  expect(alone.length).toBeGreaterThan(500);
  expect(terminalText(documentOf(), uncoloured).startsWith(alone)).toBe(true);
});

test('The links of a page lead somewhere, and its ids are unique', () => {
  const elements = all(parsed(htmlPage(documentOf())));
  const ids = elements.flatMap(({ attributes }) => attributes.get('id') ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  const links = elements.filter(({ tag }) => tag === 'a').flatMap(({ attributes }) => attributes.get('href') ?? []);
  expect(links).toContain('#made');
  expect(links.filter((link) => !ids.includes(link.slice(1)))).toEqual([]);
});

/** So many changed agents, each with a value of so many characters. */
function many(count: number, long: number): View {
  const items = Array.from(
    { length: count },
    (_, nth): Item => ({
      id: `c${nth}`,
      mark: { sign: '~', word: 'changed', tone: 'change' },
      label: { text: `agent/a${nth}@example.com`, as: 'address' },
      items: [{ label: 'job_title', values: ['"a"', `"${'Ä'.repeat(long)}${nth}"`] }],
      remarks: [`remark ${nth}`],
      weight: nth === count - 1 ? 1 : 0,
    }),
  );
  const notes = {
    type: 'section',
    id: 'notes',
    title: 'Notes',
    weight: -1,
    body: [{ type: 'list', texts: ['a note'] }],
  } as const;
  return {
    ...documentOf(),
    body: [
      { type: 'section', id: 'changes', title: 'Changes', count, body: [{ type: 'items', sides: SIDES, items }] },
      notes,
    ],
  };
}

describe.each([
  [1_000, 5],
  [20_000, 5],
  [tries(20_000, 4_000), 3_000],
])('%d items with values of %d characters', (count, long) => {
  const view = many(count, long);

  test('fit into a page and a comment, are counted where they are left out, and starve no others', {
    timeout: 20_000,
  }, () => {
    const begun = performance.now();
    const page = htmlPage(view);
    const comment = markdownText(view);
    const text = terminalText(view, onTerminal(uncoloured, 80));
    expect(performance.now() - begun).toBeLessThan(15_000);
    expect(Buffer.byteLength(page)).toBeLessThan(10_000_000);
    expect(Buffer.byteLength(comment)).toBeLessThanOrEqual(60_000);
    const rows = comment.split('\n').filter((line) => line.startsWith('| changed')).length;
    expect(Number(/And (\d+) more, which/.exec(comment)?.[1] ?? 0) + rows).toBe(count);
    const shown = page.split('class="resource').length - 1;
    expect(Number(/and (\d+) more; <code>--json/.exec(page)?.[1] ?? 0) + shown).toBe(count);
    expect(text).toContain(`and ${count - 99} more`);
    for (const output of [page, comment]) {
      expect(output).toContain('a note');
      // The heaviest is the last one.
      expect(output).toContain(`a${count - 1}`);
    }
  });
});

test('A document without room names what it leaves out', () => {
  const notes = Array.from(
    { length: 60 },
    (_, nth) =>
      ({
        type: 'section',
        id: `n${nth}`,
        title: `Notes ${nth}`,
        count: 1,
        weight: nth,
        body: [{ type: 'text', text: 'x'.repeat(200) }],
      }) as const,
  );
  const text = markdownText({ ...documentOf(), body: notes }, { bytes: 4_000 });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_000);
  expect(text).toContain('#### Notes 59 (1)');
  expect(text).toContain('Left out, because there is no room: Notes 0 (1)');
});
