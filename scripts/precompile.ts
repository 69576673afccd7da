// After tsc: replaces dist/{manifest,project}/validator.js, which would need ajv at run time, by validators that do not.

import { rmSync, writeFileSync } from 'node:fs';
import { VALIDATED, validatorSource } from './validators.ts';

const DIST = new URL('../dist/', import.meta.url);

for (const folder of VALIDATED) writeFileSync(new URL(`${folder}/validator.js`, DIST), await validatorSource(folder));

// Only the sources compile.
for (const file of ['compile.js', 'compile.d.ts']) rmSync(new URL(`manifest/${file}`, DIST));
