// The tests that a mutant of the planner must fail (stryker.config.json): those of the planner, then the golden cases. They run the sources, so
// no build comes first.

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The golden cases come last: they apply what they plan, and most mutants are dead before. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

function rank({ moduleId }: TestSpecification): number {
  return moduleId.endsWith('whole-plan.test.ts') ? 0 : moduleId.endsWith('cases.test.ts') ? 2 : 1;
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
