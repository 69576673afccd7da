// Validators of saved plans. The build replaces this file by one that is compiled beforehand (scripts/precompile.ts).

import { compileReader } from '../../base/compile.ts';
import * as shapes from './saved-plan.ts';

export const savedPlan = compileReader(shapes.savedPlanSchema);
export const failure = compileReader(shapes.failure);
