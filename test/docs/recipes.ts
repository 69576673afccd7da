// Files of other tools: the recipes of the guides with their commands, and the workflows of examples/ci.

import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import { readPage } from './page.ts';

const PAGES = ['accept-drift', 'many-licenses'].map((name) => new URL(`../../docs/how-to/${name}.md`, import.meta.url));

/** Files of other tools, which only recipes.test.ts checks. */
export const RECIPES = ['chatform-drift.service', 'chatform-drift.timer', 'kubernetes/drift.yaml'] as const;

/** Paths of the workflows in the repository. test/ci runs them. */
export const WORKFLOWS: readonly string[] = ['github', 'gitlab'].flatMap((host) =>
  readdirSync(new URL(`../../examples/ci/${host}`, import.meta.url)).map((name) => `examples/ci/${host}/${name}`),
);

export type Recipe = (typeof RECIPES)[number];

export async function recipe(name: Recipe): Promise<string> {
  const pages = await Promise.all(PAGES.map((page) => readFile(page, 'utf8')));
  const found = pages
    .flatMap((page) => readPage(page).steps)
    .find((step) => step.type === 'file' && step.name === name);
  if (found?.type !== 'file') throw new Error(`no guide has ${name}`);
  return found.text;
}

/** The documents of a YAML recipe. @throws Error for any YAML error or warning */
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
