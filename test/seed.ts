// What every property test that says nothing else is given: its seed, and an end.
// The seed is fixed, so that chance fails no run of somebody else's change.
// SEED=random looks where nobody has looked; SEED=NUMBER looks there again. A failure is made smaller in `npm test`; in `npm run test:all`, where that may
// take hours, with SHRINK=yes only.

import { configureGlobal } from 'fast-check';
import { IS_FULL, TEST_TIMEOUT } from './tries.ts';

const { SEED: given = '20261121', SHRINK: shrink = IS_FULL ? 'no' : 'yes' } = process.env;
configureGlobal({
  ...(given === 'random' ? {} : { seed: Number(given) }),
  endOnFailure: shrink === 'no',
  // Vitest does not end a test that it gives up. The smallest failure until then is reported.
  interruptAfterTimeLimit: TEST_TIMEOUT * 0.9,
  markInterruptAsFailure: true,
});
