// A plan in; everything in it that an empty plan does not have, out.

import type { Plan } from '../../src/plan/plan.ts';

/** What an empty plan may still have to say: differences that no request can close. */
export function leftOver(plan: Plan): readonly unknown[] {
  const changes = plan.resource_changes.filter(
    ({ change, adopting, fields }) =>
      adopting ||
      change.actions[0] !== 'no-op' ||
      fields.some(({ reach }) => reach !== 'unreachable' && reach !== 'unreadable'),
  );
  return [...plan.steps, ...changes, ...(plan.reorder === null ? [] : [plan.reorder]), ...plan.withheld];
}
