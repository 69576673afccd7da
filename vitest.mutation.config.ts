// Which tests a mutant of the planner has to get past (stryker.config.json): the planner's own, with fewer random examples, and the golden cases.
// No build comes first, because they run the sources.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/plan/*.test.ts', 'test/cases.test.ts'],
    env: { BRIEF: '1' },
    isolate: false,
    testTimeout: 60_000,
  },
});
