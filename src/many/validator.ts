// Validator of results for several targets. The build replaces this file by one that is compiled beforehand (scripts/precompile.ts).

import { compileReader } from '../base/compile.ts';
import { resultsSchema } from './schema.ts';

export const results = compileReader(resultsSchema);
