// The order of effects on visitors: the less a visitor must have to be touched, the earlier. Pages that are made up come last.

import type { Need } from './need.ts';

/** How broad an effect is: two numbers, both smaller for what touches more visitors. */
export interface Breadth {
  /**
   * What a visitor must have. A domain counts 1. A text in the URL counts 2, in its query 3; several texts count 5; a whole URL counts 7. A
   * country counts 3, and a region and a city 1 more each. Nothing counts 0, as does a text that is in every URL: every visitor has it.
   */
  readonly needs: number;
  /** Characters of the texts in the URL: a longer text is on fewer pages. */
  readonly length: number;
  /** Only pages that are made up show it. */
  readonly isMadeUp: boolean;
}

export function breadthOf(need: Need, isMadeUp: boolean): Breadth {
  const length = need.url.reduce((sum, text) => sum + text.length, 0);
  return { needs: pageNeeds(need) + placeNeeds(need), length, isMadeUp };
}

function pageNeeds({ url, wholeUrl, domain, wholeDomain }: Need): number {
  if (wholeUrl !== null) return 7;
  const [text, ...others] = url.filter((each) => !'https://'.includes(each));
  const texts = text === undefined ? 0 : others.length > 0 ? 5 : /[?&=#]/.test(text) ? 3 : 2;
  return texts + (wholeDomain !== null || domain.length > 0 ? 1 : 0);
}

function placeNeeds({ place }: Need): number {
  const members = new Set(
    Object.keys(place).map((member) => (member === 'code' || member === 'name' ? 'country' : member)),
  );
  return members.size === 0 ? 0 : 2 + members.size;
}

/** Below zero where the first one comes first. */
export function byBreadth(one: Breadth, other: Breadth): number {
  return Number(one.isMadeUp) - Number(other.isMadeUp) || one.needs - other.needs || one.length - other.length;
}
