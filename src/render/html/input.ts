// What a page is made of: the reviewed plan, and what its pictures need of the license.

import type { KindName, Reference } from '../../base/model.ts';
import type { CoverageReport } from '../../tasks/coverage/report.ts';
import type { ReviewedPlan } from '../../tasks/review/plan-result.ts';
import type { Section } from '../../view/blocks.ts';

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

/** What was read of the license around a plan. */
export interface PlanPictures {
  readonly rules: RuleOrder;
  /** Who can get chats in a week, before and after. */
  readonly cover: CoverageReport;
  /** The same as a part of the page; null without groups. */
  readonly weeks: Section | null;
  /** The plural noun of each kind. */
  readonly nouns: { readonly [kind in KindName]: string };
}

export interface PageInput extends ReviewedPlan {
  /** When the plan was made, RFC 3339. */
  readonly at: string;
  /** Null for a plan from a file, without the license. */
  readonly pictures: PlanPictures | null;
}
