// The recipes of docs/drift.md: the files of other tools that the page shows, by name, and the commands in each. Must not know what a look finds.

import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import { readPage } from './page.ts';

const PAGE = new URL('../../docs/drift.md', import.meta.url);

/** Not files of ours, so nothing of ours checks them but recipes.test.ts. */
export const RECIPES = [
  '.github/workflows/drift.yml',
  '.gitlab-ci.yml',
  'chatform-drift.service',
  'chatform-drift.timer',
  'kubernetes/drift.yaml',
] as const;

export type Recipe = (typeof RECIPES)[number];

export async function recipe(name: Recipe): Promise<string> {
  const { steps } = readPage(await readFile(PAGE, 'utf8'));
  const found = steps.find((step) => step.type === 'file' && step.name === name);
  if (found?.type !== 'file') throw new Error(`docs/drift.md has no ${name}`);
  return found.text;
}

/** The documents of a YAML recipe, of which nothing may be doubtful. */
export async function yamlOf(name: Recipe): Promise<readonly unknown[]> {
  return parseAllDocuments(await recipe(name)).map((document) => {
    if ('errors' in document && document.errors.length + document.warnings.length > 0)
      throw new Error(`${name}: ${[...document.errors, ...document.warnings].join('; ')}`);
    return 'toJS' in document ? document.toJS() : null;
  });
}

/** A unit file as `section.name` -> values, in the order of the file. */
export async function unitOf(name: Recipe): Promise<ReadonlyMap<string, readonly string[]>> {
  const settings = new Map<string, readonly string[]>();
  let section = '';
  for (const line of (await recipe(name)).split('\n')) {
    if (/^(#|$)/.test(line)) continue;
    const head = /^\[(\w+)\]$/.exec(line)?.[1];
    const [, key, value] = /^(\w+)=(.+)$/.exec(line) ?? [];
    if (head !== undefined) section = head;
    else if (key === undefined || value === undefined || section === '') throw new Error(`${name}: ${line}`);
    else settings.set(`${section}.${key}`, [...(settings.get(`${section}.${key}`) ?? []), value]);
  }
  return settings;
}
