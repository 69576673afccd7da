// What a page is made of: the reviewed plan, and what its pictures need of the license.

import type { KindName, Reference } from '../../base/model.ts';
import type { Grid, Strip } from '../../tasks/coverage/grid.ts';
import type { CoverageReport } from '../../tasks/coverage/report.ts';
import type { ReviewedPlan } from '../../tasks/review/plan-result.ts';

export interface ListedRule {
  readonly reference: Reference;
  /** What a person calls it. */
  readonly name: string;
  readonly groups: readonly Reference[];
}

/** The rules in the order in which they are asked. */
export interface RuleOrder {
  readonly before: readonly ListedRule[];
  readonly after: readonly ListedRule[];
}

/** Who can get chats in a week, before and after. */
export interface WeeklyCover {
  readonly report: CoverageReport;
  readonly before: readonly Grid[];
  readonly after: readonly Grid[];
  /** Times that the clock skips. */
  readonly missing: readonly Strip[];
}

/** What was read of the license around a plan. */
export interface PlanPictures {
  readonly rules: RuleOrder;
  readonly cover: WeeklyCover;
  /** The plural noun of each kind. */
  readonly nouns: { readonly [kind in KindName]: string };
}

export interface PageInput extends ReviewedPlan {
  /** When the plan was made, RFC 3339. */
  readonly at: string;
  /** Null for a plan from a file, without the license. */
  readonly pictures: PlanPictures | null;
}
