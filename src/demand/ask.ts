// One request to the reports of a target, and its reply. Plans, `report --since` and `report` ask in no other way.

import { UsageError } from '../base/errors.ts';
import { type ApiAccess, accessFor, TARGET_APIS } from '../license/apis.ts';
import type { ApiConnection } from '../license/connect.ts';
import type { TargetSettings } from '../project/settings.ts';
import type { RunContext } from '../target/context.ts';
import type { Distribution, ReportName } from './forms.ts';
import type { ReportQuestion } from './questions.ts';
import { type ReportRange, timesOf } from './range.ts';
import { type ReportReply, readReply } from './reply.ts';

export type ReportsAccess = ApiAccess<ReportName, '3.4'>;

/** @throws UsageError where there is no token */
export async function reportsAccess(settings: TargetSettings, context: RunContext): Promise<ReportsAccess> {
  return accessFor(TARGET_APIS.reports, '3.4', { mayWrite: false }, settings, context);
}

type ReportsConnection = ApiConnection<ReportName, '3.4'>;

/** Sends one request. @throws ApiError for a request that failed, and for a reply that is not as specified */
export async function askReport(
  { client, signal }: ReportsConnection,
  { report, filters }: Pick<ReportQuestion<unknown>, 'report' | 'filters'>,
  distribution: Distribution,
  range: ReportRange,
): Promise<ReportReply> {
  const body = { distribution, timezone: range.zone, filters: { ...filters, ...timesOf(range) } };
  return readReply(report, await client.call(report, body, { signal }), distribution);
}

/** Enough for the four questions of `report --since` about one group. */
const MOST_SINGLE_DAYS = 150;

/** What to do where each day is one request. */
export const FEWER_DAYS = `choose a range of at most ${MOST_SINGLE_DAYS} days`;

/** Requires that so many requests are not too many, where each day is one because hours have no date. @throws UsageError with the remedy */
export function requireFew(singleDays: number, remedy: string): void {
  if (singleDays <= MOST_SINGLE_DAYS) return;
  throw new UsageError(
    `the service names hours without a date, so each day is a request of its own, and more than ${MOST_SINGLE_DAYS} would be sent: ${remedy}`,
  );
}
