// The validator of the manifest's schema, compiled once. The build replaces this file by one that is compiled beforehand (scripts/precompile.ts).

import { compile } from '../base/compile.ts';
import { manifestSchema } from './schema.ts';

export const validator = compile(manifestSchema());
