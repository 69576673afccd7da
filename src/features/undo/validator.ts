// Validator of the options of `undo`. The build replaces this file by one that is compiled beforehand (scripts/precompile.ts).

import { compile } from '../../base/compile.ts';
import { optionsSchema } from './options.ts';

export const options = compile(optionsSchema);
