// What an HTML report is made of: the plan, and what a picture of it needs besides. Nouns only.

import type { KindName, Reference } from '../../base/model.ts';
import type { Grid, Strip } from '../../tasks/coverage/grid.ts';
import type { CoverageReport } from '../../tasks/coverage/report.ts';
import type { Planned } from '../comment/subject.ts';

/** One rule of a list. */
export interface ListedRule {
  readonly reference: Reference;
  /** What a person calls it. */
  readonly name: string;
  readonly groups: readonly Reference[];
}

/** In the orders in which they are asked. */
export interface RuleOrder {
  readonly before: readonly ListedRule[];
  readonly after: readonly ListedRule[];
}

/** Who can get chats in a week, before and after. */
export interface Cover {
  readonly report: CoverageReport;
  readonly before: readonly Grid[];
  readonly after: readonly Grid[];
  /** Times that the clock jumps over. */
  readonly missing: readonly Strip[];
}

/** The license around a plan, as far as it was read. */
export interface Scene {
  readonly rules: RuleOrder;
  readonly cover: Cover;
  /** What many objects of a kind are called. */
  readonly nouns: { readonly [kind in KindName]: string };
}

export interface Told extends Planned {
  /** When it was made, RFC 3339. */
  readonly at: string;
  /** Null for a plan that comes from a file, without the license. */
  readonly scene: Scene | null;
}
