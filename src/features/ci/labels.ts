// The labels of a target: one for each effect of its plan. Pure.

import { sha256Hex } from '../../base/digest.ts';
import { PLAN_EFFECTS, type PlanEffect } from '../../plan/review/plan-result.ts';

/** GitHub takes 50 characters, and ignores case. */
const LONGEST = 50;

const PREFIX = 'chatform/';

const LONGEST_NAME = LONGEST - PREFIX.length - Math.max(...PLAN_EFFECTS.map((effect) => `/${effect}`.length));

/** In hexadecimal digits: enough to tell the targets of one repository apart. */
const DIGEST = 8;

/** A repository can have many targets, so each has labels of its own. */
export function labelOf(target: string, effect: PlanEffect): string {
  return `${PREFIX}${nameOf(target)}/${effect}`;
}

export function labelsOf(target: string): readonly string[] {
  return PLAN_EFFECTS.map((effect) => labelOf(target, effect));
}

/** The target's name where it fits; otherwise its beginning and a digest. */
function nameOf(target: string): string {
  // In GitLab a comma separates labels, and `::` in a label removes others.
  const name = target.replaceAll(/[^\w .@/-]/gu, '_').trim();
  if (name === target && name !== '' && name.length <= LONGEST_NAME) return name;
  const digest = sha256Hex(target).slice(0, DIGEST);
  return `${name.slice(0, LONGEST_NAME - DIGEST - 1)}-${digest}`;
}
