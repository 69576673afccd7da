// Test files of a source file, nearest first, by the imports between them.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Laws are long searches, and a mutant that only they notice deserves a case. The others start processes of `dist` or a browser, or read texts. */
const LEFT_OUT =
  /\blaws?\b|^test\/(?:architecture|bench|browser|certificates|ci|crash|demo|docs|examples|faults)\/|^test\/(?:alone|checks|container|package|windows)\.|^test\/cli\/(?:.*worker|fleet-rate|handed-over|on-postgres|compiled|loads)/;

/** Tests of a room that do not lie in its folder. */
const ROOMS: { readonly [test: string]: string } = {
  'test/cases.test.ts': 'plan/cases',
  'test/scenes/scenes.test.ts': 'view/scenes',
};

const IMPORT = /(?:^|\n)(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'|\bimport\('(\.[^']+)'\)/g;

/** File -> the files that import it, types aside. */
function importers(): ReadonlyMap<string, readonly string[]> {
  const files = execFileSync('git', ['ls-files', 'src', 'test'], { encoding: 'utf8' }).split('\n');
  const found = new Map<string, string[]>();
  for (const from of files.filter((file) => file.endsWith('.ts')))
    for (const [, named, loaded = named] of readFileSync(from, 'utf8').matchAll(IMPORT)) {
      const to = normalize(join(dirname(from), loaded ?? ''));
      found.set(to, [...(found.get(to) ?? []), from]);
    }
  return found;
}

/** How many folders two paths have in common below `src/` and `test/`, and whether their names share a word. */
function kinship(source: string, test: string): number {
  const [of, at] = [source, ROOMS[test] ?? test].map((path) => path.replace(/^(?:src|test)\//, '').split('/'));
  let folders = 0;
  while (folders < (of?.length ?? 0) - 1 && of?.[folders] === at?.[folders]) folders += 1;
  const words = new Set(source.match(/[a-z]+/g));
  return 2 * folders + (test.match(/[a-z]+(?=[^/]*\.test)/g)?.some((word) => words.has(word)) ? 1 : 0);
}

/** Returns the look-up of the test files that run a source file. */
export function testsBySource(): (source: string) => readonly string[] {
  const graph = importers();
  return (source) => {
    const distances = new Map([[source, 0]]);
    for (const [file, distance] of distances)
      for (const importer of graph.get(file) ?? []) if (!distances.has(importer)) distances.set(importer, distance + 1);
    return [...distances]
      .filter(([file]) => file.endsWith('.test.ts') && !LEFT_OUT.test(file))
      .map(([test, distance]) => ({ test, rank: distance - kinship(source, test) }))
      .toSorted((a, b) => a.rank - b.rank || (a.test < b.test ? -1 : 1))
      .map(({ test }) => test);
  };
}
