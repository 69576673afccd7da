// Validator of results for several targets.

import { compileReader } from '../base/compile.ts';
import { resultsSchema } from './schema.ts';

export const results = compileReader(resultsSchema);
