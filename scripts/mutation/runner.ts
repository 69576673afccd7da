// Vitest's runner of tests, which says what each test reaches, or repeats it with one mutant after the other.

import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { inject, type RunnerTask, type RunnerTestCase, type RunnerTestFile } from 'vitest';
import { VitestTestRunner } from 'vitest/runners';
import { append, type Work } from './log.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly work: Work;
  }
}

/** What the switches of Stryker's instrumenter read and count. */
interface Switches {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage?: { static: { [mutant: string]: number }; perTest: { [test: string]: { [mutant: string]: number } } };
}

/** A mutant that is reached this many times as often as its original is in a loop that does not end. */
const HITS = 100;
/** A test with a mutant may take so many times as long as without, and so many milliseconds more. */
const LIMIT = { times: 30, more: 20_000 };
/** Milliseconds for a whole file. */
const WHOLE_LIMIT = 180_000;

/** Milliseconds of processor time: other times on a shared machine say little. */
function used(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Vitest calls it with `new`. */
export default function mutantRunner(config: ConstructorParameters<typeof VitestTestRunner>[0]): VitestTestRunner {
  const work = inject('work');
  const switches: Switches = {};
  Object.assign(globalThis, { __stryker__: switches });
  const runner = new VitestTestRunner(config);
  switch (work.is) {
    case 'reach':
      return reaching(runner, work.log, switches);
    case 'repeat':
      return repeating(runner, work, switches);
    case 'whole':
      switches.activeMutant = work.mutant;
      watchdog(work.log)(work.mutant, WHOLE_LIMIT);
      return runner;
  }
}

/** Returns how to say with which mutant the process may run for how many milliseconds. */
function watchdog(log: string): (mutant: string, limit: number) => void {
  const running = new Float64Array(new SharedArrayBuffer(16));
  const thread = new Worker(join(import.meta.dirname, 'watchdog.js'), { workerData: { log, running } });
  thread.unref();
  return (mutant, limit) => running.set([Date.now() + limit, Number(mutant)]);
}

/** Tests share their switches, so no two of them run at once. */
function oneAfterTheOther(files: readonly RunnerTestFile[], each: (test: RunnerTestCase) => void): void {
  const tasks: RunnerTask[] = [...files];
  for (const task of tasks) {
    task.concurrent = false;
    if (task.type === 'suite') tasks.push(...task.tasks);
    else each(task);
  }
}

function hasFailed(test: RunnerTestCase): boolean {
  return (test.result?.state === 'fail') !== (test.fails === true);
}

function reaching(runner: VitestTestRunner, log: string, switches: Switches): VitestTestRunner {
  const { onBeforeTryTask, onAfterRunFiles } = runner;
  let began = 0;
  return Object.assign(runner, {
    onCollected: (files: readonly RunnerTestFile[]): void => oneAfterTheOther(files, () => undefined),
    onBeforeTryTask: (test: RunnerTestCase): void => {
      onBeforeTryTask.call(runner, test);
      switches.currentTestId = test.id;
      began = used();
    },
    onAfterRetryTask: (test: RunnerTestCase): void => {
      const hits = switches.mutantCoverage?.perTest[test.id];
      const file = test.file.name;
      switches.currentTestId = undefined;
      if (test.result?.state === 'skip') return;
      if (hasFailed(test)) append(log, { is: 'broken', file, name: test.fullTestName });
      else if (hits !== undefined) append(log, { is: 'reached', test: test.id, file, ms: used() - began, hits });
    },
    onAfterRunFiles: (files: readonly RunnerTestFile[]): void => {
      const mutants = Object.keys(switches.mutantCoverage?.static ?? {});
      for (const { name } of files) append(log, { is: 'outside', mutants, file: name });
      onAfterRunFiles.call(runner);
    },
  });
}

function repeating(
  runner: VitestTestRunner,
  { log, tests }: Work & { readonly is: 'repeat' },
  switches: Switches,
): VitestTestRunner {
  const { onBeforeTryTask } = runner;
  const watch = watchdog(log);
  const killed = new Set<string>();
  /** What is left for the running test; it begins with the running mutant, or with one that the test has just killed. */
  let queue: [mutant: string, hits: number][] = [];
  let isProof = false;

  const skipKilled = (): void => {
    while (queue[0] !== undefined && killed.has(queue[0][0])) queue.shift();
  };

  return Object.assign(runner, {
    onCollected: (files: readonly RunnerTestFile[]): void =>
      oneAfterTheOther(files, (test) => {
        if (tests[test.id] === undefined) test.mode = 'skip';
        else Object.assign(test, { retry: 0, repeats: Number.MAX_SAFE_INTEGER });
      }),
    onBeforeTryTask: (test: RunnerTestCase): void => {
      onBeforeTryTask.call(runner, test);
      const { mutants, ms } = tests[test.id] ?? { mutants: {}, ms: 0 };
      if (test.result?.repeatCount === undefined) queue = Object.entries(mutants);
      skipKilled();
      const [mutant = '', hits = 0] = queue[0] ?? [];
      watch(mutant, ms * LIMIT.times + LIMIT.more);
      Object.assign(switches, { activeMutant: isProof ? undefined : mutant, hitCount: 0, hitLimit: hits * HITS });
    },
    /** A test that fails runs once more without its mutant: that it passes then proves that the mutant was the cause. */
    onAfterRetryTask: (test: RunnerTestCase): void => {
      const { result } = test;
      if (result === undefined) return;
      const mutant = queue[0]?.[0];
      if (mutant !== undefined) {
        const file = test.file.name;
        const failed = hasFailed(test);
        if (!isProof && !failed)
          append(log, { is: 'passed', mutant, test: test.id, file, hit: switches.hitCount !== 0 });
        if (isProof)
          append(log, failed ? { is: 'spoilt', mutant, file } : { is: 'killed', mutant, by: test.fullTestName });
        // Vitest takes process.exit for a mistake, and goes on.
        if (isProof && failed) process.kill(process.pid, 'SIGKILL');
        if (isProof) killed.add(mutant);
        isProof = !isProof && failed;
        if (!isProof) queue.shift();
        skipKilled();
      }
      // Vitest repeats a test until it says that it is skipped.
      result.state = queue.length === 0 ? 'skip' : 'run';
      if (queue.length === 0) watch('', Number.POSITIVE_INFINITY);
      delete result.errors;
    },
  });
}
