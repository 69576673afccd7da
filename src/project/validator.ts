// The validator of the project's schema.

import { compile } from '../base/compile.ts';
import { projectSchema } from './schema/project.ts';

export const validator = compile(projectSchema);
