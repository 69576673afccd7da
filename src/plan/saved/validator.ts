// Validators of saved plans.

import { compileReader } from '../../base/compile.ts';
import * as shapes from './saved-plan.ts';

export const savedPlan = compileReader(shapes.savedPlanSchema);
export const failure = compileReader(shapes.failure);
