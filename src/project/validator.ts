// The validator of the project's schema, compiled once. The build replaces this file by one that is compiled beforehand (scripts/precompile.ts).

import { compile } from '../base/compile.ts';
import { projectSchema } from './schema/project.ts';

export const validator = compile(projectSchema());
