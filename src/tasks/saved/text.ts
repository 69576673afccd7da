// Text of saved plans.

import type { ValueOf } from '../../base/documents.ts';
import { isObject, jsonIn } from '../../base/json.ts';
import { withoutPeople } from '../impact/people.ts';
import type { SavedPlan, failure as shape } from './saved-plan.ts';
import { type Digested, readSealed, type Sealed, sealedText } from './sealed.ts';
import { failure, savedPlan } from './validator.ts';

/** Without the impact and the days of its hours: they are no effects of the plan, and a plan with other ones is the same plan. */
const withoutContext: Digested = ({ plan, ...others }) => {
  if (plan === undefined || !isObject(plan)) return plan === undefined ? others : { ...others, plan };
  const { impact: _, hours: __, ...rest } = plan;
  return { ...others, plan: rest };
};

const SAVED_PLAN: Sealed<SavedPlan> = {
  what: 'saved plan',
  by: 'plan --out FILE',
  remedy: 'plan again',
  mark: 'plan',
  mistaken: (found, file) =>
    'resource_changes' in found && 'api_version' in found
      ? `${file} is what \`plan --json\` printed; a plan that can be applied is saved by \`plan --out FILE\``
      : null,
  validator: savedPlan,
  digested: withoutContext,
};

/** The same plan gives the same bytes, except for when and by which version it was made, and for its impact. Keeps no figure of a person. */
export function savedText(content: Omit<SavedPlan, 'digest'>): { readonly text: string; readonly digest: string } {
  const { plan } = content;
  return sealedText(
    plan.impact === undefined ? content : { ...content, plan: { ...plan, impact: withoutPeople(plan.impact) } },
    withoutContext,
  );
}

/** Accepts members that a newer minor version adds. @throws UsageError that says what is wrong with `file` */
export function readSavedPlan(text: string, file: string): SavedPlan {
  return readSealed(text, file, SAVED_PLAN);
}

/** What `plan --json` prints when no plan can be made; null for anything else. */
export function readFailure(text: string): ValueOf<typeof shape> | null {
  const found = jsonIn(text);
  if (!isObject(found) || 'plan' in found || 'resource_changes' in found) return null;
  return failure(found) ? found : null;
}
