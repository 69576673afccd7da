// Manifests with thousands of mistakes: all of them are found, each once, in about the time that reading the file takes.

import { expect, test } from 'vitest';
import { loadManifest } from '../../src/manifest/load.ts';
import { failureDocument } from '../../src/render/documents.ts';
import { renderDiagnostics } from '../../src/render/text/diagnostics.ts';
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
    expect(diagnostics).toHaveLength(5_000);
    expect(failureDocument('the manifest has errors', diagnostics).length).toBeLessThan(20 * text.length);
    expect(renderDiagnostics(diagnostics)).toContain('manifest.yaml:1:31: error unknown-field');
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
  '10,000 references to what is not declared are told, the first of them with what may have been meant',
  async () => {
    const agents = numbered(10_000, (n) => `  a${n}@example.com: { name: A, groups: { sales-${n}: normal } }\n`);
    const groups = numbered(10_000, (n) => `  shop-${n}: { name: G${n} }\n`);
    const diagnostics = await diagnosticsOf(`version: 1\nagents:\n${agents}groups:\n${groups}`);
    expect(diagnostics).toHaveLength(10_000);
  },
  SOON,
);
