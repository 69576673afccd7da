// Golden scenes: each situation is built once and rendered once in every output that it has. The folders next to this file are what people and programs
// get: a person reads a golden file that changes before it is committed. `vitest run test/scenes -u` writes them.

import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ACTIONS } from './actions.ts';
import { CUSTOMERS } from './customers.ts';
import { DRIFT } from './drift.ts';
import { IMPACTS } from './impact.ts';
import { PLANS } from './plans.ts';
import { RUNS } from './runs.ts';

const SITUATIONS = {
  ...PLANS,
  ...IMPACTS,
  ...CUSTOMERS,
  ...RUNS,
  ...DRIFT,
  ...ACTIONS,
};

/** Those whose pages and documents for programs are kept whole: writers and views have golden files of their own, and the others show what is said. */
const WHOLE: ReadonlySet<string> = new Set(['first-plan', 'plan-with-findings', 'drift-seen']);

const OF_WHOLE =
  /^(?:page\.html|plan\.json|report\.sarif|junit\.xml|codequality\.json|terraform\.json|metrics\.prom|drift\.(?:csv|json|md)|plan-narrow\.txt|(?:plan|plan-details|drift|apply)\.tones\.txt|(?:.*\.)?(?:notification|request)\.json)$/;

describe.each(Object.entries(SITUATIONS))('%s', (situation, outputs) => {
  test('reads as its golden files', async () => {
    const folder = fileURLToPath(new URL(`${situation}/`, import.meta.url));
    const files = Object.entries(outputs()).filter(([name]) => WHOLE.has(situation) || !OF_WHOLE.test(name));
    for (const [file, text] of files) await expect.soft(text).toMatchFileSnapshot(`${folder}${file}`);
    const stale = (existsSync(folder) ? readdirSync(folder) : []).filter(
      (file) => !files.some(([name]) => name === file),
    );
    expect(stale).toEqual([]);
  });
});

test('Every folder is a situation', () => {
  const folders = readdirSync(fileURLToPath(new URL('.', import.meta.url)), { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ name }) => name);
  expect(folders.filter((name) => !(name in SITUATIONS))).toEqual([]);
});
