// The tests that a mutant of the planner must fail (stryker.config.mjs): those of the planner, then the golden cases. They run the sources, so
// no build comes first.

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Where a file stands: first what fails for most mutants, last the searches through every order, which take longest and are about the rules only. */
const PLACES = [/whole-plan\.test/, /^(?!.*(cases|law|sequence)\.test)/, /cases\.test/];

class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = PLACES.findIndex((of) => of.test(moduleId));
  return place === -1 ? PLACES.length : place;
}

export default defineConfig({
  test: {
    include: ['test/plan/**/*.test.ts', 'test/cases.test.ts'],
    setupFiles: ['test/seed.ts'],
    isolate: false,
    sequence: { sequencer: QuickFirst },
    testTimeout: 60_000,
  },
});
