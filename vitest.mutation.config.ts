// Which tests a mutant of the planner has to get past (stryker.config.json): the planner's own, the golden cases, and the laws on a few random licenses
// (RUNS). No build comes first, because they run the sources.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/plan/*.test.ts', 'test/cases.test.ts', 'test/laws/apply.test.ts', 'test/laws/rules.test.ts'],
    testTimeout: 60_000,
  },
});
