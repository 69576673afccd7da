// docs/how-to/github-and-gitlab.md links every workflow of examples/ci, and explains every input and output of the action.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { WORKFLOWS } from '../docs/recipes.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const PAGE = read('docs/how-to/github-and-gitlab.md');

test('The page links every workflow', () => {
  const linked = Array.from(PAGE.matchAll(/\]\(\.\.\/\.\.\/(examples\/ci\/[^)]+)\)/g), ([, path = '']) => path);
  expect([...new Set(linked)].toSorted()).toEqual(WORKFLOWS.toSorted());
});

test('The page names every input and every output of the action', () => {
  const action = parse(read('ci/action/action.yml')) as { readonly inputs: object; readonly outputs: object };
  const [, section = ''] = /^## The action\n([\s\S]*?)^## /m.exec(PAGE) ?? [];
  for (const name of [...Object.keys(action.inputs), ...Object.keys(action.outputs)])
    expect(section).toContain(`\`${name}\``);
});
