// The seed of every property test that names none: fixed, so that chance fails no run of somebody else's change.
// SEED=random looks where nobody has looked; SEED=NUMBER looks there again.

import { configureGlobal } from 'fast-check';

const given = process.env['SEED'] ?? '20261121';
if (given !== 'random') configureGlobal({ seed: Number(given) });
