// The validator of the manifest's schema.

import { compile } from '../base/compile.ts';
import { manifestSchema } from './schema.ts';

export const validator = compile(manifestSchema);
