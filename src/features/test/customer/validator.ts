// Validators of the options of `test --on customer`, and of verifications in files.

import { compile, compileReader } from '../../../base/compile.ts';
import { optionsSchema } from './options.ts';
import { customerSchema } from './schema.ts';

export const options = compile(optionsSchema);
export const verification = compileReader(customerSchema);
