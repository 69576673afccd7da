// docs/how-to/github-and-gitlab.md shows each file of examples/ci as it is, and no other: what is run by the tests beside this one is what people copy.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readPage } from '../docs/page.ts';
import { WORKFLOWS } from '../docs/recipes.ts';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const page = readPage(read('docs/how-to/github-and-gitlab.md'));

test('docs/how-to/github-and-gitlab.md shows each file of examples/ci as it is', () => {
  const shown = page.steps.flatMap((step) => (step.type === 'file' && step.name !== 'chatform.yaml' ? [step] : []));
  expect(shown.map(({ name }) => name).toSorted()).toEqual([...WORKFLOWS.keys()].toSorted());
  for (const { name, text } of shown) expect(text).toBe(read(WORKFLOWS.get(name) ?? ''));
});

test('docs/how-to/github-and-gitlab.md names every input and every output of the action', () => {
  const action = parse(read('action.yml')) as { readonly inputs: object; readonly outputs: object };
  const [, section = ''] = /^## The action\n([\s\S]*?)^## /m.exec(read('docs/how-to/github-and-gitlab.md')) ?? [];
  for (const name of [...Object.keys(action.inputs), ...Object.keys(action.outputs)])
    expect(section).toContain(`\`${name}\``);
});
