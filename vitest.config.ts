import { defineConfig } from 'vitest/config';
import { closingLine } from './test/closing-line-reporter.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/build.ts'],
    setupFiles: ['test/seed.ts'],
    reporters: ['default', closingLine],
    testTimeout: 240_000,
    maxWorkers: 2,
  },
});
