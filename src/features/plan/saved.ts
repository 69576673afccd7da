// The terminal text of saved plans and snapshots: what is in a file, and what to do with it.

import type { Plan } from '../../plan/plan.ts';
import type { SavedPlan } from '../../plan/saved/saved-plan.ts';
import { plain } from '../../view/plain.ts';
import { approvalLines } from '../../view/words/plan.ts';

const TESTS_ON_CUSTOMER = 'An apply of it tests the license as customers see it.';

/** What a saved plan is: a line, and one each for where it was made, what it was narrowed to and what was acknowledged. */
export function savedTexts(file: string, saved: SavedPlan): readonly string[] {
  const { created_at, chatform_version, target, digest, test_on_customer: isTested } = saved;
  const made = `made ${created_at} by chatform ${chatform_version}; digest ${digest.slice(0, 8)}`;
  return [
    `${file}: a plan of ${target}, ${made}.`,
    ...approvalLines(saved),
    ...(isTested === true ? [TESTS_ON_CUSTOMER] : []),
  ];
}

/** Where a new plan was saved, and what to do with it. */
export function savedAsLine(file: string, plan: Plan, digest: string): string {
  const verb = plan.against === undefined && plan.withheld.length === 0 ? 'apply' : 'show';
  return `Saved as ${plain(file)}; digest ${digest.slice(0, 8)}. To ${verb} it: chatform ${verb} ${plain(file)}\n`;
}

/** What a snapshot holds, and how to plan against it. `objects` are counts of kinds, in words. */
export function snapshotLine(
  file: string,
  {
    target,
    digest,
    objects,
  }: { readonly target: string; readonly digest: string; readonly objects: readonly string[] },
): string {
  const what = objects.length === 0 ? 'no object that these files manage' : objects.join(', ');
  return `Snapshot of ${plain(target)}: ${what}; digest ${digest.slice(0, 8)}. To plan against it: chatform plan --against ${plain(file)}\n`;
}
