// Words for who works in which group: the side that is looked at, and a priority that changes.

import type { ViewName } from '../../features/coverage/report.ts';
import type { Mark } from '../blocks.ts';

export const STAFF_VIEWS: { readonly [view in ViewName]: string } = {
  files: 'as the files declare it',
  live: 'on the license',
  both: 'on the license, and after an apply',
};

/** A priority in a group before and after; without a sign where it stays. */
export function priorityMark(before: string | null, after: string | null): Mark {
  if (before === after) return { sign: '', word: after ?? '', tone: 'calm' };
  if (before === null) return { sign: '+', word: after ?? '', tone: 'add' };
  if (after === null) return { sign: '-', word: before, tone: 'destroy' };
  return { sign: '~', word: `${before} -> ${after}`, tone: 'change' };
}
