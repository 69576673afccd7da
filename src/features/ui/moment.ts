// Times of a page in words.

import { timestamp } from '../../base/week.ts';
import { dayText } from '../../view/words/plan.ts';

/** `Sun 29 November 2026 05:10`, in the zone; `at` is RFC 3339. */
export function momentText(zone: string, at: string): string {
  const local = timestamp(zone, Date.parse(at));
  return `${dayText(local.slice(0, 'YYYY-MM-DD'.length))} ${local.slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDTHH:MM'.length)}`;
}
