// docs/reference/outputs.md against the reports: its samples are lines of them, and its tables of formats and gauges are complete.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { planning } from '../../src/features/plan/operation.ts';
import { SEEN } from '../features/drift/example.ts';
import { driftRenderers } from '../features/drift/outputs.ts';

const PAGE = await readFile(new URL('../../docs/reference/outputs.md', import.meta.url), 'utf8');

const firstCells = Array.from(PAGE.matchAll(/^\| `(\S+)` \|/gm), ([, cell]) => cell);

test('The samples are what the reports say', () => {
  const samples = Array.from(PAGE.matchAll(/^```text\n([\s\S]*?)^```$/gm), ([, sample = '']) => sample);
  const reports = Object.values(driftRenderers).map((render) => render(SEEN));
  expect(samples).toHaveLength(3);
  expect(samples.slice(0, 2).filter((sample) => !reports.some((report) => report.includes(sample)))).toEqual([]);
});

test('Every format has its row', () => {
  const formats = [...Object.keys(driftRenderers), ...Object.keys(planning.formats ?? {})];
  expect(formats.filter((format) => !firstCells.includes(format))).toEqual([]);
});

test('Every gauge has its row', () => {
  const gauges = Array.from(driftRenderers.prometheus(SEEN).matchAll(/^# TYPE (\w+) gauge$/gm), ([, name]) => name);
  expect(firstCells.filter((cell) => cell?.startsWith('chatform_'))).toEqual(gauges);
  const named = Array.from(PAGE.matchAll(/chatform_drift_\w+/g), ([name]) => name);
  expect(named.filter((name) => !gauges.includes(name))).toEqual([]);
});
