// Validator of verifications. The build replaces this file by one that is compiled beforehand (scripts/precompile.ts).

import { compileReader } from '../../base/compile.ts';
import { verifySchema } from './schema.ts';

export const verification = compileReader(verifySchema);
