// Which tests a mutant of the planner has to get past (stryker.config.json): the planner's own, with fewer random examples, and the golden cases.
// No build comes first, because they run the sources.

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
    include: ['test/plan/*.test.ts', 'test/cases.test.ts'],
    env: { BRIEF: '1' },
    isolate: false,
    sequence: { sequencer: QuickFirst },
    testTimeout: 60_000,
  },
});
