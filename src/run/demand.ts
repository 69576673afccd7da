// Demand of a target, read from its reports: hour by hour, with as few requests as possible, and whole past days only once.

import type { TargetSettings } from '../project/settings.ts';
import type {
  AgentFigures,
  ChatSelection,
  Hour,
  Measure,
  Measures,
  Presence,
  StaffSelection,
} from '../tasks/reports/demand.ts';
import type { ReportRange } from '../tasks/reports/range.ts';
import type { Requests } from './apply.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * Reads what reports measure. One call is one request for all of its days that are not cached, and none when all are; where the keys of hours turn
 * out to have no date, it is one request for each such day. Pure types and sums: src/tasks/reports/demand.ts; ranges, such as `28d`: range.ts there.
 * Every function throws ApiError for a request that failed (`authorization`: the token lacks the scope reports_read), and UsageError when `most`
 * requests are not enough.
 */
export interface DemandReader {
  /** Every hour of the range in order, also those without a chat. */
  readonly chats: <M extends Measure>(
    measure: M,
    of: ChatSelection,
    range: ReportRange,
  ) => Promise<readonly Hour<Measures[M]>[]>;
  /** Minutes of every hour in which at least one of these agents, or of the agents of these groups, accepted chats. */
  readonly presence: (of: StaffSelection, range: ReportRange) => Promise<readonly Hour<Presence>[]>;
  /** Figures of persons; one request for the whole range, kept where all of its days are whole and past. */
  readonly performance: (of: StaffSelection, range: ReportRange) => Promise<readonly AgentFigures[]>;
  /** Requests that were sent so far, by report: each one is billed. */
  readonly requests: () => Requests;
}

export interface DemandOptions {
  /** The reader sends no more requests than this. */
  readonly most?: number;
}

/**
 * Runs `work` with a reader of the target's demand, and closes its connections.
 * @throws UsageError where there is no token; and as `work` does
 */
export type WithDemand = <T>(
  settings: TargetSettings,
  surroundings: Surroundings,
  work: (reader: DemandReader) => Promise<T>,
  options?: DemandOptions,
) => Promise<T>;
