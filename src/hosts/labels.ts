// A target and what its plan does in, the label that says so out, and those that may not stand beside it. Pure.

import { EFFECTS, type Effect } from '../render/comment/subject.ts';
import { plain } from '../render/plain.ts';

/** GitHub takes 50 characters; in a list of GitLab a comma parts two labels. */
const LONGEST_TARGET = 20;

/** One target is as often planned as there are licenses in a repository, so each has labels of its own. */
export function labelOf(target: string, effect: Effect): string {
  const name = [...plain(target).replaceAll(/[^\w .@-]/g, '_')].slice(0, LONGEST_TARGET).join('');
  return `chatform/${name}/${effect}`;
}

export function labelsOf(target: string): readonly string[] {
  return EFFECTS.map((effect) => labelOf(target, effect));
}
