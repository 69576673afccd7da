// A snapshot, or a plan that was made from one, in; the line that says so out. Decides nothing.

import { counted } from '../base/text.ts';
import type { Against, Plan } from '../plan/plan.ts';
import { plain } from './plain.ts';

/** What a snapshot came to, and what it is for. `objects` are counts of kinds, in words. */
export function snapshotLine(
  file: string,
  {
    target,
    digest,
    objects,
  }: { readonly target: string; readonly digest: string; readonly objects: readonly string[] },
): string {
  const what = objects.length === 0 ? 'nothing that these files manage' : objects.join(', ');
  return `Snapshot of ${plain(target)}: ${what}; digest ${digest.slice(0, 8)}. To plan against it: chatform plan --against ${plain(file)}\n`;
}

/** What a reader of such a plan must know; null of a plan that was made from the license itself. `named` writes the target, which may be hostile. */
export function againstLine(
  { against, target }: Pick<Plan, 'against' | 'target'>,
  named: (target: string) => string = plain,
): string | null {
  if (against === undefined) return null;
  const { taken_at, digest } = against;
  return `This plan is against a snapshot of ${named(target)}, taken ${taken_at}, ${ageOf(against)} (digest ${digest.slice(0, 8)}), and not against the license: it cannot be applied.`;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function ageOf({ age_seconds: age }: Against): string {
  if (age === null) return 'which is later than the clock said when the plan was made: one of the two clocks is wrong';
  return `${spanOf(age)} before the plan was made`;
}

/** In the largest unit of which there are two. */
function spanOf(age: number): string {
  if (age >= 2 * DAY) return counted(Math.floor(age / DAY), 'day');
  if (age >= 2 * HOUR) return counted(Math.floor(age / HOUR), 'hour');
  if (age >= 2 * MINUTE) return counted(Math.floor(age / MINUTE), 'minute');
  return 'a moment';
}
