import { defineConfig } from 'vitest/config';
import { closingLine } from './test/closing-line-reporter.ts';
import { TEST_TIMEOUT } from './test/tries.ts';

/** Files that replace modules, or the network with nock, or need the flags of V8 as they began, and so share nothing with other files. They begin first, so the slowest one is here as well. */
const ALONE = [
  'test/checks.test.ts',
  'test/target/secrets/conformance.test.ts',
  'test/cli/compiled.test.ts',
  'test/service/client.test.ts',
  'test/service/customer-on-nock.test.ts',
  'test/service/patient-on-nock.test.ts',
  'test/service/reply.test.ts',
  'test/windows.test.ts',
];

const shared = { setupFiles: ['test/seed.ts'], testTimeout: TEST_TIMEOUT, hookTimeout: TEST_TIMEOUT };

export default defineConfig({
  test: {
    globalSetup: ['test/build.ts'],
    reporters: ['default', closingLine],
    // One more than two cores: many tests wait for processes, timers and disks.
    maxWorkers: 3,
    projects: [
      // Importing the sources once for each file would take longer than many tests.
      { test: { name: 'shared', ...shared, include: ['test/**/*.test.ts'], exclude: ALONE, isolate: false } },
      { test: { name: 'alone', ...shared, include: ALONE } },
    ],
  },
});
