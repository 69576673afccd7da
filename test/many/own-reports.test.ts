// Which files chatform takes for reports of its own: all that its scenes have, and nothing that a project consists of.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DISTRIBUTIONS, REPORT_NAMES } from '../../src/demand/forms.ts';
import { tableOf } from '../../src/demand/tables.ts';
import { drifting } from '../../src/features/drift/operation.ts';
import { planning } from '../../src/features/plan/operation.ts';
import { reportView } from '../../src/features/report/view.ts';
import { plainText } from '../../src/view/blocks.ts';
import type { ReportWriter } from '../../src/view/report.ts';
import { csvText } from '../../src/view/writers/csv.ts';
import { markdownText } from '../../src/view/writers/markdown.ts';
import { NOTHING } from '../features/report/examples.ts';
import { ownFormats, writersOf } from './writers.ts';

const SCENES = join(import.meta.dirname, '../scenes');

/** Golden reports by the end of their names, and their format. */
const FORMATS: readonly (readonly [RegExp, string])[] = [
  [/(page|full|table|kinds|runs|objects|checked|stopped|under-way)\.html$/, 'html'],
  [/\.sarif$/, 'sarif'],
  [/junit\.xml$/, 'junit'],
  [/(comment|drift|verify|hidden)\.md$/, 'markdown'],
  [/codequality\.json$/, 'codequality'],
  [/terraform\.json$/, 'terraform'],
  [/metrics\.prom$/, 'prometheus'],
  [/(drift|verify|show|failure|plan)\.json$/, 'json'],
  [/\.csv$/, 'csv'],
];

const WRITERS = new Map<string, Pick<ReportWriter, 'begins'>>([
  ...(await writersOf(planning)),
  ...(await writersOf(drifting)),
]);

test('every golden report is one', () => {
  // Scenes of routing have parts of reports.
  const files = readdirSync(SCENES, { recursive: true, encoding: 'utf8' }).filter(
    (file) => !file.startsWith('routing/'),
  );
  const found = files.flatMap((file) => {
    const format = FORMATS.find(([end]) => end.test(file))?.[1];
    return format === undefined ? [] : [{ file, format }];
  });
  expect(new Set(found.map(({ format }) => format)).size).toBe(FORMATS.length);
  const missed = found.filter(({ file, format }) => {
    const text = readFileSync(join(SCENES, file), 'utf8');
    // Git keeps the ends of lines of a table, which is how a table is told.
    return !ownFormats(text, WRITERS).includes(format);
  });
  expect(missed).toEqual([]);
});

test.each(REPORT_NAMES)('what `report %s` writes is one', (report) => {
  const view = reportView({ ...NOTHING, report }, { requests: {} });
  expect(ownFormats(markdownText(view), WRITERS)).toEqual(['markdown']);
  expect(ownFormats(plainText(view.title), WRITERS)).toEqual(['text']);
  for (const distribution of DISTRIBUTIONS) {
    const { dimensions, columns } = tableOf(report, [], distribution);
    const text = csvText([[...dimensions, ...columns.map(({ name }) => name)]]);
    expect(ownFormats(text, WRITERS)).toEqual(['csv']);
  }
});

describe('no other file is one of any format', () => {
  test.each([
    ['a manifest', 'version: 1\ngroups: { sales: { name: Sales } }\n'],
    ['secrets', '{\n  "bot/triage": {\n    "id": "a",\n    "secret": "b"\n  }\n}\n'],
    ['secrets in a line', '{"bot/triage":{"id":"a","secret":"b"}}'],
    ['variables', '# chatform {"address":"bot/a","id":"b"}\nBOT_A_SECRET=x\n'],
    ['the license of an emulator', '{\n "format": 3,\n "archive": {}\n}\n'],
    ['a saved plan', '{\n  "format_version": "1.0",\n  "chatform_version": "0.1.0",\n  "created_at": "x"\n}\n'],
    ['sightings', '{\n "format_version": "1.0",\n "target": "a\\"b",\n "sightings": {}\n}\n'],
    ['a table of targets', 'name,region\r\nacme,eu\r\n'],
    ['a table of people', 'email,name,team\r\nann@example.com,Ann,Sales\r\n'],
    ['a table of people with few columns', 'agent,name\r\nann@example.com,Ann\r\n'],
    ['a table of chatform that was saved by hand', 'address,name,ownership\nagent/a,Ann,owned\n'],
    ['a page', '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Plan</title>'],
    ['notes', '# Plan of Q3\n\n## Drift of the team\n'],
    ['notes with its heading', '## Plan of Q3: changes\n'],
    ['notes with a heading of a failure', '## Plan: no meetings\n'],
    ['a plan of Terraform', '{"format_version":"1.2","terraform_version":"1.9.0","errored":false}'],
    ['a table of addresses', 'address,name,city\r\n1 Main Street,Ann,Oslo\r\n'],
    [
      'SARIF of another tool',
      '{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":{"name":"eslint"}}}]}',
    ],
    [
      'JUnit of another tool',
      '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites tests="1">\n  <testsuite name="jest">\n',
    ],
    ['code quality of another tool', '[{"description":"x","check_name":"y"}]'],
    ['other metrics', '# HELP node_load1 1m load average.\n'],
    ['a document', '{ "name": "shop" }\n'],
    ['a text', 'In sync. Checked production\n'],
    ['a report of a person', 'Report of the team\n'],
    ['a picture', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><title>x</title></svg>'],
  ])('%s', (_, text) => {
    expect(ownFormats(text, WRITERS)).toEqual([]);
  });
});
