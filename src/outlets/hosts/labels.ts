// A target and what its plan does in, the label that says so out, and those that may not stand beside it. Pure.

import { createHash } from 'node:crypto';
import { EFFECTS, type Effect } from '../../render/comment/subject.ts';

/** GitHub takes 50 characters, and does not tell great letters from small ones. */
const LONGEST = 50;

const PREFIX = 'chatform/';

const LONGEST_NAME = LONGEST - PREFIX.length - Math.max(...EFFECTS.map((effect) => `/${effect}`.length));

/** In hexadecimal digits: enough to tell the targets of one repository apart. */
const DIGEST = 8;

/** One target is as often planned as there are licenses in a repository, so each has labels of its own. */
export function labelOf(target: string, effect: Effect): string {
  return `${PREFIX}${nameOf(target)}/${effect}`;
}

export function labelsOf(target: string): readonly string[] {
  return EFFECTS.map((effect) => labelOf(target, effect));
}

/** As it is where it fits; otherwise its beginning, and what tells it from every other target. */
function nameOf(target: string): string {
  // In a list of GitLab a comma parts two labels, and `::` in one makes others go.
  const name = target.replaceAll(/[^\w .@/-]/gu, '_').trim();
  if (name === target && name !== '' && name.length <= LONGEST_NAME) return name;
  const digest = createHash('sha256').update(target).digest('hex').slice(0, DIGEST);
  return `${name.slice(0, LONGEST_NAME - DIGEST - 1)}-${digest}`;
}
