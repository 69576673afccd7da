// The trial of mutants: what tests reach, the tests that try each mutant, and what became of it.

import { type Lane, openLane } from './lane.ts';
import { append, follow, type Hits, type Line, type Repeats } from './log.ts';
import type { Mutant, Mutated } from './mutants.ts';

/** What became of a mutant. */
export interface Result {
  readonly end: 'killed' | 'survived';
  /** What failed; null where the mutant survived. */
  readonly by: string | null;
  /** How many tests reached it and passed. */
  readonly passed: number;
}

interface Test {
  readonly id: string;
  readonly file: string;
  /** Processor time. */
  readonly ms: number;
  readonly hits: Hits;
}

interface State {
  readonly mutant: Mutant;
  by: string | null;
  readonly passed: Set<string>;
  /** Test files that reach it while they are imported. */
  readonly outside: Set<string>;
  /** Test files that must run as a whole, with the mutant on from the beginning. */
  readonly whole: Set<string>;
  isSpoilt: boolean;
}

export interface Trial {
  /** Tries the mutants, and returns what became of each, by its number. `nearest`: how many test files try a mutant, and then how many where it survives them. */
  readonly tryMutants: (mutants: readonly Mutant[], nearest: readonly number[]) => Promise<ReadonlyMap<string, Result>>;
  readonly close: () => Promise<void>;
}

/** How many tests try a mutant: most are killed by the first ones. */
const TESTS = [4, 120] as const;
/** Milliseconds of processor time for the tests of a mutant. */
const BUDGET = 3_000;
/** Tests that take longer come last. */
const QUICK = 100;
/** How many test files share a process: importing the sources takes longer than many of them. */
const TOGETHER = 12;
/** How many test files run as a whole for a mutant. */
const WHOLE = 3;
/** How many lines around a mutant say which of its tests differ. */
const AROUND = 4;

export async function openTrial(
  { code, mutants }: Mutated,
  testsOf: (source: string) => readonly string[],
  log: string,
  count: number,
): Promise<Trial> {
  const states = new Map(
    mutants.map((mutant): [string, State] => [
      mutant.id,
      { mutant, by: null, passed: new Set(), outside: new Set(), whole: new Set(), isSpoilt: false },
    ]),
  );
  const tests = new Map<string, Test>();
  const broken = new Set<string>();
  const known = new Set<string>();
  const readNews = reader(log, states, tests, { broken, known });
  const lanes = await Promise.all(Array.from({ length: count }, () => openLane(code)));

  const sharing = (files: readonly string[]): (readonly string[])[] => {
    const most = Math.min(TOGETHER, Math.ceil(files.length / count));
    return Array.from({ length: Math.ceil(files.length / most) }, (_, at) => files.slice(at * most, (at + 1) * most));
  };

  const inLanes = async <Job>(jobs: Job[], work: (lane: Lane, job: Job) => Promise<unknown>): Promise<void> => {
    const inLane = async (lane: Lane): Promise<void> => {
      for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await work(lane, job);
    };
    await Promise.all(lanes.map(inLane));
    readNews();
  };

  /** Learns what the nearest test files reach. */
  const reach = async (wanted: readonly State[], nearest: number): Promise<void> => {
    const sources = new Set(wanted.map(({ mutant }) => mutant.file));
    const files = new Set([...sources].flatMap((source) => testsOf(source).slice(0, nearest)));
    const unknown = [...files].filter((file) => !known.has(file));
    await inLanes(sharing(unknown), (lane, together) => lane.run(together, { is: 'reach', log }));
    // Those of a process that ended early run alone.
    const left = unknown.filter((file) => !known.has(file));
    for (const file of left) known.add(file);
    await inLanes([...left], (lane, file) => lane.run([file], { is: 'reach', log }));
  };

  /** Repeats tests with the mutants that they are to try; again without those at which their process ended. */
  const repeat = async (wanted: readonly State[], chosen: ReadonlyMap<State, readonly Test[]>, upTo: number) => {
    const leftOf = (state: State): readonly Test[] => {
      const isOver = state.by !== null || state.isSpoilt;
      return isOver
        ? []
        : (chosen
            .get(state)
            ?.slice(0, upTo)
            .filter(({ id }) => !state.passed.has(id)) ?? []);
    };
    const run = async (lane: Lane, files: readonly string[]): Promise<void> => {
      const repeats: { [test: string]: Repeats & { readonly mutants: { [mutant: string]: number } } } = {};
      readNews();
      for (const state of wanted)
        for (const { id, ms, hits } of leftOf(state).filter((test) => files.includes(test.file))) {
          repeats[id] ??= { ms, mutants: {} };
          repeats[id].mutants[state.mutant.id] = hits[state.mutant.id] ?? 0;
        }
      if (Object.keys(repeats).length > 0) await lane.run(files, { is: 'repeat', log, tests: repeats });
    };
    for (let before = Number.POSITIVE_INFINITY; ; ) {
      const left = wanted.flatMap(leftOf);
      if (left.length === 0 || left.length === before) return;
      before = left.length;
      await inLanes(sharing([...new Set(left.map(({ file }) => file))]), run);
    }
  };

  const runWhole = async (lane: Lane, { mutant: { id, file }, passed, whole, outside }: State): Promise<void> => {
    const wanted = new Set([...whole, ...(passed.size === 0 ? outside : [])]);
    const files = testsOf(file).filter((each) => wanted.has(each) && !broken.has(each));
    for (const each of files.slice(0, WHOLE)) {
      if (await lane.run([each], { is: 'whole', log, mutant: id })) continue;
      append(log, { is: 'killed', mutant: id, by: each });
      return;
    }
  };

  return {
    tryMutants: async (group, nearest) => {
      const wanted = group.flatMap(({ id }) => states.get(id) ?? []);
      for (const files of nearest) {
        const living = wanted.filter(({ by }) => by === null);
        await reach(living, files);
        const chosen = new Map(living.map((state) => [state, choose(state.mutant, mutants, [...tests.values()])]));
        for (const upTo of TESTS) await repeat(living, chosen, upTo);
      }
      await inLanes(
        wanted.filter(({ by }) => by === null),
        runWhole,
      );
      return new Map(
        wanted.map(({ mutant, by, passed }) => [
          mutant.id,
          { end: by === null ? 'survived' : 'killed', by, passed: passed.size },
        ]),
      );
    },
    close: async () => {
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}

/** The tests that try a mutant: first those that reach most of the mutants around it, and of those that reach the same first the quickest. */
function choose({ id, file, line }: Mutant, mutants: readonly Mutant[], tests: readonly Test[]): readonly Test[] {
  const around = mutants.filter((each) => each.file === file && Math.abs(each.line - line) <= AROUND);
  const alike = new Map<string, { readonly size: number; readonly tests: Test[] }>();
  for (const test of tests.filter(({ hits }) => id in hits)) {
    const reached = around.filter((each) => each.id in test.hits).map((each) => each.id);
    const group = alike.get(reached.join()) ?? { size: reached.length, tests: [] };
    alike.set(reached.join(), { ...group, tests: [...group.tests, test] });
  }
  const groups = [...alike.values()]
    .toSorted((a, b) => b.size - a.size)
    .map((group) => group.tests.toSorted((a, b) => a.ms - b.ms));
  const inTurn = Array.from({ length: TESTS[1] }, (_, turn) => groups.flatMap((group) => group[turn] ?? [])).flat();
  const chosen: Test[] = [];
  let left = BUDGET;
  for (const test of [...inTurn.filter(({ ms }) => ms <= QUICK), ...inTurn.filter(({ ms }) => ms > QUICK)]) {
    if (chosen.length === TESTS[1] || (chosen.length > 0 && test.ms > left)) break;
    chosen.push(test);
    left -= test.ms;
  }
  return chosen;
}

/** Returns how to read what processes appended. */
function reader(
  log: string,
  states: ReadonlyMap<string, State>,
  tests: Map<string, Test>,
  { broken, known }: { readonly broken: Set<string>; readonly known: Set<string> },
): () => void {
  const news = follow(log);
  const read = (line: Line): void => {
    const state = 'mutant' in line ? states.get(line.mutant) : undefined;
    switch (line.is) {
      case 'reached':
        tests.set(line.test, { ...line, id: line.test });
        return;
      case 'outside':
        known.add(line.file);
        for (const mutant of line.mutants) states.get(mutant)?.outside.add(line.file);
        return;
      case 'broken':
        broken.add(line.file);
        console.error(`Fails without a mutant: ${line.file} > ${line.name}`);
        return;
      case 'passed':
        state?.passed.add(line.test);
        if (!line.hit) state?.whole.add(line.file);
        return;
      case 'killed':
        if (state !== undefined) state.by = line.by;
        return;
      case 'spoilt':
        state?.whole.add(line.file);
        if (state !== undefined) state.isSpoilt = true;
        return;
    }
  };
  return () => {
    for (const line of news()) read(line);
  };
}
