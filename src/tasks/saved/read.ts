// The text of a file in; the saved plan in it, or why it is none, out. Knows no file.

import type { SavedPlan } from './saved-plan.ts';
import { savedPlanSchema } from './schema.ts';
import { readSealed, type Sealed } from './sealed.ts';

const SAVED_PLAN: Sealed = {
  what: 'saved plan',
  by: 'plan --out FILE',
  anew: 'plan again',
  mark: 'plan',
  mistaken: (found, file) =>
    'resource_changes' in found && 'api_version' in found
      ? `${file} is what \`plan --json\` printed; a plan that can be applied is saved by \`plan --out FILE\``
      : null,
  schema: savedPlanSchema,
};

/** Of any age: a higher minor version only adds members, which mean nothing here. @throws UsageError that says what is wrong with `file` */
export function readSavedPlan(text: string, file: string): SavedPlan {
  return readSealed(text, file, SAVED_PLAN) as unknown as SavedPlan;
}
