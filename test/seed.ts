// What every property test that says nothing else is given: its seed, and an end.
// The seed is fixed, so that chance fails no run of somebody else's change.
// SEED=random looks where nobody has looked; SEED=NUMBER looks there again. SHRINK=yes makes a failure smaller. A law takes minutes for that, and in
// `npm run test:all` everything takes hours: there it is not the default.

import { configureGlobal, defaultReportMessage } from 'fast-check';
import { beforeAll, expect } from 'vitest';
import { IS_FULL, TEST_TIMEOUT } from './tries.ts';

const { SEED: given = '20261121', SHRINK } = process.env;

beforeAll(() => {
  const isLaw = /laws?\b/.test(expect.getState().testPath ?? '');
  const isShrunk = (SHRINK ?? (IS_FULL || isLaw ? 'no' : 'yes')) !== 'no';
  configureGlobal({
    ...(given === 'random' ? {} : { seed: Number(given) }),
    endOnFailure: !isShrunk,
    // Vitest does not end a test that it gives up. The smallest failure until then is reported.
    interruptAfterTimeLimit: TEST_TIMEOUT * 0.9,
    markInterruptAsFailure: true,
    reporter: (run) => {
      if (!run.failed) return;
      const more = isShrunk ? '' : '\n\nTo make it smaller, set SHRINK=yes.';
      throw new Error(`${defaultReportMessage(run)}${more}`, { cause: run.errorInstance });
    },
  });
});
