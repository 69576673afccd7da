// Result of a rehearsal: a plan that was applied to a copy of the license.

import type { Diagnostic } from '../../base/model.ts';

/** What a rehearsal showed. */
export interface Rehearsal {
  readonly passed: boolean;
  /** Nothing was tried, because the plan is withheld. */
  readonly withheld: boolean;
  /** Writes that were refused, or that were not sent because of that. */
  readonly failed: readonly { readonly step: string; readonly reason: string }[];
  /** Steps of the plan after it; null when none could be made. */
  readonly left: readonly string[] | null;
  /** What would be wrong afterwards: tests of routing, lints that are errors, what cannot be planned. */
  readonly diagnostics: readonly Diagnostic[];
  readonly requests: { readonly [action: string]: number };
}

export const NOT_REHEARSED: Rehearsal = {
  passed: false,
  withheld: true,
  failed: [],
  left: null,
  diagnostics: [],
  requests: {},
};
