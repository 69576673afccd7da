// `npm run test:mutation`: mutants of the planner, or of the files and folders that are named.
// `npm run test:mutation -- --drawn 300 --seed 47`: mutants of lines that are drawn from all sources but the planner, or from those that are named.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { setup } from '../../test/build.ts';
import { draw } from './draw.ts';
import { isEqual, nameOf } from './equal.ts';
import { type Mutant, mutantsOf } from './mutants.ts';
import { refusedByTypes } from './refused.ts';
import { testsBySource } from './tests.ts';
import { openTrial, type Result } from './trial.ts';

type Tried = Mutant & Omit<Result, 'end'> & { readonly end: Result['end'] | 'refused' | 'equal' };

const EQUAL = { end: 'equal', by: null, passed: 0 } as const;

const PLANNER = 'src/plan/';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    drawn: { type: 'string' },
    seed: { type: 'string', default: '47' },
    lanes: { type: 'string', default: '2' },
  },
});

function sources(...folders: readonly string[]): readonly string[] {
  const files = execFileSync('git', ['ls-files', ...folders], { encoding: 'utf8' }).split('\n');
  return files.filter((file) => file.endsWith('.ts'));
}

/** Of the test files near a source file, how many try a mutant of it, and how many where it survives them. */
const NEAREST = [3, 20] as const;

/** Files that are tried at once: a folder. Mutants that are drawn from everywhere are reached from everywhere. */
function groupsOf(files: readonly string[]): readonly (readonly string[])[] {
  if (values.drawn !== undefined) return [files];
  const groups = new Map<string, string[]>();
  for (const file of files) groups.set(dirname(file), [...(groups.get(dirname(file)) ?? []), file]);
  return [...groups.values()];
}

function placeOf(mutant: Mutant): string {
  return `${mutant.file}:${mutant.line}:${mutant.column} ${nameOf(mutant)}`;
}

function partOf({ file }: Mutant): string {
  if (file.startsWith(PLANNER)) return 'planner';
  return /^src\/(?:view\/|features\/.*view\.ts$)/.test(file) ? 'views' : 'rest';
}

function numberOf(count: number): string {
  return count.toLocaleString('en');
}

const began = Date.now();
setup();
process.env['NODE_NO_WARNINGS'] = '1';
const named = positionals.length === 0 ? null : sources(...positionals);
if (named?.length === 0) throw new Error(`no file of TypeScript is at ${positionals.join(' ')}`);
const others = named ?? sources('src').filter((file) => !file.startsWith(PLANNER));
const drawn = values.drawn === undefined ? null : await draw(others, Number(values.drawn), Number(values.seed));
const files = drawn === null ? (named ?? sources(PLANNER)) : [...drawn.keys()];
const mutated = await mutantsOf(files);
const places = drawn === null ? null : new Set([...drawn.values()].flat().map(placeOf));
const tried: Tried[] = [];

/** What tests leave behind when a mutant ends them goes with it. */
const folder = mkdtempSync(join(tmpdir(), 'mutation-'));
process.env['TMPDIR'] = folder;
const log = join(folder, 'log.ndjson');
writeFileSync(log, '');
const { tryMutants, close } = await openTrial(mutated, testsBySource(), log, Number(values.lanes));

for (const group of groupsOf(files)) {
  const inGroup = mutated.mutants.filter((each) => group.includes(each.file) && places?.has(placeOf(each)) !== false);
  const nearest = drawn === null ? NEAREST : [Number.POSITIVE_INFINITY];
  const results = await tryMutants(
    inGroup.filter((mutant) => !isEqual(mutant)),
    nearest,
  );
  const refused = refusedByTypes(inGroup.filter(({ id }) => results.get(id)?.end === 'survived'));
  const done = inGroup.map((mutant): Tried => {
    const result = results.get(mutant.id) ?? EQUAL;
    return { ...mutant, ...result, ...(refused.has(mutant) ? { end: 'refused' } : {}) };
  });
  const survivors = done.filter(({ end }) => end === 'survived');
  console.log(
    `${drawn === null ? group.join(' ') : 'drawn'}: ${numberOf(survivors.length)} of ${numberOf(done.length)} mutants survived`,
  );
  for (const mutant of survivors) console.log(`  ${placeOf(mutant)}  (${numberOf(mutant.passed)} tests passed)`);
  tried.push(...done);
}
await close();
rmSync(folder, { recursive: true, force: true });

mkdirSync('reports', { recursive: true });
writeFileSync('reports/mutation.json', JSON.stringify(tried, null, 2));
for (const part of new Set(tried.map(partOf))) {
  const of = (end: Tried['end']): number =>
    tried.filter((mutant) => partOf(mutant) === part && mutant.end === end).length;
  const share = (100 * of('killed')) / (of('killed') + of('survived'));
  console.log(
    `${part}: ${share.toFixed(1)} % killed: ${numberOf(of('killed'))} killed, ${numberOf(of('survived'))} survived; in addition, ${numberOf(of('refused'))} refused by types, ${numberOf(of('equal'))} equal`,
  );
}
console.log(`Took ${((Date.now() - began) / 60_000).toFixed(1)} min`);
