// The run's test modules in; one plain line `N passed, N failed, N skipped` out, which CI of any language can read.
import type { Reporter, TestModule } from 'vitest/node';

export const closingLine: Reporter = {
  onTestRunEnd(modules: ReadonlyArray<TestModule>) {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state] += 1;
      if (module.errors().length > 0) count.failed += 1;
    }
    console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  },
};
