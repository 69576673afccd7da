// Validator of the options of `plan`.

import { compile } from '../../base/compile.ts';
import { optionsSchema } from './options.ts';

export const options = compile(optionsSchema);
