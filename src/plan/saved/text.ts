// Text of saved plans.

import { digest } from '../../base/digest.ts';
import type { ValueOf } from '../../base/documents.ts';
import { UsageError } from '../../base/errors.ts';
import { isObject, jsonIn } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';
import { type Digested, readSealed, type Sealed, sealedText } from '../../base/sealed.ts';
import type { Impact } from '../impact.ts';
import { withoutPeople } from '../impact.ts';
import type { SavedPlan, failure as shape } from './saved-plan.ts';
import { failure, savedPlan } from './validator.ts';

/** Without the impact, its own digest and the days of its hours: they are no effects, and a plan with other ones is the same plan. */
const withoutContext: Digested = ({ plan, impact_digest: _, ...others }) => {
  if (plan === undefined || !isObject(plan)) return plan === undefined ? others : { ...others, plan };
  const { impact: __, hours: ___, ...rest } = plan;
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
  if (plan.impact === undefined) return sealedText(content, withoutContext);
  const impact = withoutPeople(plan.impact);
  return sealedText({ ...content, plan: { ...plan, impact }, impact_digest: impactDigest(impact) }, withoutContext);
}

/** Members that JSON leaves out are not part of it. */
function impactDigest(impact: Impact): string {
  return digest(JSON.parse(JSON.stringify(impact)) as Json);
}

/** Accepts members that a newer minor version adds. @throws UsageError that says what is wrong with `file` */
export function readSavedPlan(text: string, file: string): SavedPlan {
  const saved = readSealed(text, file, SAVED_PLAN);
  const { plan, impact_digest: seal } = saved;
  if ((plan.impact && impactDigest(plan.impact)) === seal) return saved;
  throw new UsageError(
    `${file} was changed after it was written: the digest of its impact is not that of its figures; plan again`,
  );
}

/** What `plan --json` prints when no plan can be made; null for anything else. */
export function readFailure(text: string): ValueOf<typeof shape> | null {
  const found = jsonIn(text);
  if (!isObject(found) || 'plan' in found || 'resource_changes' in found) return null;
  return failure(found) ? found : null;
}
