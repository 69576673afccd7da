// Whatever anybody writes into a name of the license, each report stays what it is: XML well-formed, a table with its columns, lines of metrics,
// a link-free message, a harmless word of a shell.

import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plain } from '../../../src/view/plain.ts';
import { quoted } from '../../../src/view/words/commands.ts';
import { driftRenderers } from '../../features/drift/outputs.ts';
import { hostileLook, hostileText } from '../hostile.ts';

/** Elements, attributes and references of XML 1.0, in the right order and all of them closed; no character that it forbids. */
function xmlMistake(document: string): string | null {
  if (/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(document)) return 'a forbidden character';
  const [declaration = '', root = ''] = document.split(/(?<=\?>)\n/);
  if (declaration !== '<?xml version="1.0" encoding="UTF-8"?>') return 'no declaration';
  const open: string[] = [];
  const token =
    /<(\/?)([\w-]+)((?: [\w-]+="(?:[^<&"]|&(?:amp|lt|gt|quot|apos|#\d+);)*")*)(\/?)>|((?:[^<&]|&(?:amp|lt|gt|#\d+);)+)/y;
  while (token.lastIndex < root.length) {
    const from = token.lastIndex;
    const match = token.exec(root);
    if (match === null) return `not XML: ${root.slice(from, from + 80)}`;
    const [, closing, name = '', attributes = '', empty, text] = match;
    if (text !== undefined) {
      if (text.includes(']]>') || (open.length === 0 && text.trim() !== '')) return `text: ${text}`;
      continue;
    }
    const names = Array.from(attributes.matchAll(/([\w-]+)="/g), ([, each]) => each);
    if (new Set(names).size !== names.length) return 'an attribute twice';
    if (closing === '/') {
      if (open.pop() !== name) return `closes ${name}`;
    } else if (empty === '') open.push(name);
  }
  return open.length === 0 ? null : `open: ${open.join(' ')}`;
}

test('The check of XML sees what is wrong', () => {
  const of = (root: string): string | null => xmlMistake(`<?xml version="1.0" encoding="UTF-8"?>\n${root}`);
  expect(of('<a b="&lt;&#10;">x<c/></a>\n')).toBeNull();
  for (const wrong of [
    '<a>',
    '<a></b>',
    '<a b="<"/>',
    '<a b="1" b="2"/>',
    '<a>&nbsp;</a>',
    '<a>\u0001</a>',
    '<a>]]></a>',
  ])
    expect([wrong, of(wrong)]).toEqual([wrong, expect.any(String)]);
});

test('JUnit is well-formed XML, and counts what it has', () => {
  fc.assert(
    fc.property(hostileLook, (look) => {
      const xml = driftRenderers.junit(look);
      expect(xmlMistake(xml)).toBeNull();
      const count = (element: string): number => xml.split(`<${element} `).length - 1;
      const [, tests, failures, errors, skipped] =
        /<testsuites tests="(\d+)" failures="(\d+)" errors="(\d+)" skipped="(\d+)">/.exec(xml) ?? [];
      expect([tests, failures, errors, skipped].map(Number)).toEqual(
        ['testcase', 'failure', 'error', 'skipped'].map(count),
      );
    }),
  );
});

/** Cells of a row as GitHub's tables split them: at each pipe that no backslash stands before. */
function cells(row: string): number {
  return row.replace(/^\| /, '').replace(/ \|$/, '').replaceAll(/\\./g, '').split('|').length;
}

/** The text without what stands in code, where nothing is looked for. */
function withoutCode(markdown: string): string {
  return markdown
    .replaceAll(/<pre>\n[\s\S]*?\n<\/pre>/g, '')
    .replaceAll('<wbr>', '')
    .replaceAll(/<code>[^<]*<\/code>/g, '')
    .replaceAll(/`[^`\n]+`/g, '');
}

test('Markdown has tables with as many cells as columns, and no name becomes a mention, a reference, a link or an element', () => {
  fc.assert(
    fc.property(hostileLook, (look) => {
      const markdown = driftRenderers.markdown(look);
      const unfolded = markdown.replaceAll(/<pre>\n[\s\S]*?\n<\/pre>/g, '');
      const rows = unfolded.split('\n').filter((line) => line.startsWith('|'));
      const heads = rows.flatMap((row, at) => (/^(?:\| -+:? )+\|$/.test(row) ? [at - 1] : []));
      for (const [nth, head] of heads.entries())
        for (const row of rows.slice(head, heads[nth + 1])) expect(cells(row)).toBe(cells(rows[head] ?? ''));
      const outside = withoutCode(markdown);
      expect(outside.replaceAll(/&#\d+;/g, '')).not.toMatch(/@|#\d|GH-\d|www\.|\[/);
      expect(outside.replaceAll(/<\/?(details|summary)>/g, '')).not.toMatch(/[<>`]/);
    }),
  );
});

test('Every line of the metrics is a comment or a sample, each series once', () => {
  const label = String.raw`[a-z]+="(?:[^"\\\n]|\\["\\n])*"`;
  const sample = new RegExp(`^(chatform_drift_[a-z_]+\\{${label}(?:,${label})*\\}) \\d+(?:\\.\\d+)?$`, 'u');
  fc.assert(
    fc.property(hostileLook, (look) => {
      const lines = driftRenderers.prometheus(look).split('\n');
      expect(lines.pop()).toBe('');
      const samples = lines.filter((line) => !/^# (HELP|TYPE) chatform_drift_/.test(line));
      const series = samples.map((line) => sample.exec(line)?.[1] ?? `no sample: ${JSON.stringify(line)}`);
      expect(series.filter((line) => line.startsWith('no sample'))).toEqual([]);
      expect(new Set(series).size).toBe(series.length);
    }),
  );
});

test('A terminal gets no control character', () => {
  fc.assert(
    fc.property(hostileLook, (look) => {
      const text = driftRenderers.text(look).replaceAll('\n', '');
      expect(plain(text)).toBe(text);
    }),
  );
});

test('JSON and SARIF are JSON, and no message of SARIF has a link or a placeholder', () => {
  fc.assert(
    fc.property(hostileLook, (look) => {
      JSON.parse(driftRenderers.json(look));
      const [run] = JSON.parse(driftRenderers.sarif(look)).runs;
      for (const { message } of run.results ?? [])
        expect(message.text.replaceAll(/\\[[\]\\]|\{\{|\}\}/g, '')).not.toMatch(/[[\]{}]/);
    }),
  );
});

test('A shell takes a quoted text for one word that is that text', () => {
  const texts = fc
    .sample(hostileText, 500)
    .map(plain)
    .filter((text) => !/[\ud800-\udfff]/u.test(text));
  const printed = execFileSync('sh', ['-c', `printf '%s\\0' ${texts.map(quoted).join(' ')}`], { encoding: 'utf8' });
  expect(printed.split('\0').slice(0, -1)).toEqual(texts);
});
