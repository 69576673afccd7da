// Vitest with mutated sources, which runs test files one after the other in a process of their own.

import { relative, resolve } from 'node:path';
import { createVitest } from 'vitest/node';
import type { Work } from './log.ts';

export interface Lane {
  /** Whether all tests of the files passed. They share what they import. */
  readonly run: (files: readonly string[], work: Work) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** Milliseconds. */
const TIMEOUT = 60_000;

export async function openLane(code: ReadonlyMap<string, string>): Promise<Lane> {
  const vitest = await createVitest(
    'test',
    {
      config: false,
      watch: false,
      include: ['test/**/*.test.ts'],
      setupFiles: ['test/seed.ts'],
      runner: resolve(import.meta.dirname, 'runner.ts'),
      update: 'none' as never,
      maxWorkers: 1,
      isolate: false,
      bail: 1,
      testTimeout: TIMEOUT,
      hookTimeout: TIMEOUT,
      reporters: [{}],
      onConsoleLog: () => false,
    },
    {
      plugins: [
        { name: 'mutants', enforce: 'pre', transform: (_, id) => code.get(relative(process.cwd(), id)) ?? null },
      ],
    },
  );
  const project = vitest.getRootProject();
  return {
    run: async (files, work) => {
      vitest.provide('work', work);
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
        files.map((file) => project.createSpecification(resolve(file))),
      );
      return unhandledErrors.length === 0 && testModules.every((module) => module.ok());
    },
    close: () => vitest.close(),
  };
}
