import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadManifest } from '../../src/manifest/load.ts';
import { uncoloured } from '../../src/view/paint.ts';
import { renderDiagnostics } from '../../src/view/terminal/diagnostics.ts';
import { memoryDisk } from './memory-disk.ts';

const FILE = 'fifteen-mistakes.yaml';
const text = readFileSync(new URL(`fixtures/${FILE}`, import.meta.url), 'utf8');

test('A manifest with fifteen different mistakes gets all fifteen in one run, each with its place and a remedy', async () => {
  const io = memoryDisk({ [FILE]: text });
  const { diagnostics, desired } = await loadManifest({ files: [FILE], env: {}, version: '3.6', io });
  expect(desired).toBeNull();
  expect(diagnostics.map(({ place, code }) => `${place.line}:${place.column} ${code}`)).toEqual([
    '7:5 unknown-field',
    '8:22 out-of-range',
    '10:36 not-allowed',
    '12:17 bad-timezone',
    '15:44 bad-time',
    '17:15 contradiction',
    '21:49 dangling-reference',
    '22:3 missing-field',
    '24:3 bad-format',
    '25:11 duplicate-name',
    '29:16 missing-variable',
    '36:9 exclusive-fields',
    '37:10 duplicate-key',
    '38:23 wrong-type',
    '45:22 bad-default',
  ]);
  for (const { remedy, excerpt } of diagnostics) {
    expect(remedy).toBeTruthy();
    expect(excerpt).toBeTruthy();
  }
  const shown = renderDiagnostics(diagnostics, uncoloured);
  expect(shown.match(/^\S+:\d+:\d+: error /gm)).toHaveLength(15);
  expect(shown).toContain('15 errors');
});
