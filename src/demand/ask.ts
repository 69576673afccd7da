// One request to the reports of a target, and its reply. Plans, `report --since` and `report` ask in no other way.

import { UsageError } from '../base/errors.ts';
import type { ReportsVersion } from '../base/model.ts';
import { type ApiAccess, accessFor, TARGET_APIS } from '../license/apis.ts';
import type { ApiConnection } from '../license/connect.ts';
import type { TargetSettings } from '../project/settings.ts';
import { REPORTS } from '../service/reports.ts';
import type { RunContext } from '../target/context.ts';
import { type Distribution, familyOf, type ReportName } from './forms.ts';
import type { ReportQuestion } from './questions.ts';
import { type ReportRange, timesOf } from './range.ts';
import { type ReportReply, readReply } from './reply.ts';

export type ReportsAccess = ApiAccess<ReportName, ReportsVersion>;

/** @throws UsageError where there is no token */
export async function reportsAccess(settings: TargetSettings, context: RunContext): Promise<ReportsAccess> {
  return accessFor(TARGET_APIS.reports, settings.reportsApiVersion, { mayWrite: false }, settings, context);
}

type ReportsConnection = ApiConnection<ReportName, ReportsVersion>;

/** Whether a version has a report. */
export function hasReport(version: ReportsVersion, report: ReportName): boolean {
  return REPORTS.actions[report].versions.includes(version);
}

/** Reports that versions call otherwise. */
const RENAMED: { readonly [report in ReportName]?: ReportName } = {
  'chats/surveys': 'chats/forms',
  'chats/forms': 'chats/surveys',
};

/** @throws UsageError for a report that the version does not have, with what to do */
function requireReport(version: ReportsVersion, report: ReportName): void {
  if (hasReport(version, report)) return;
  const other = RENAMED[report];
  const remedy = other === undefined ? '' : `ask for ${other}, or `;
  throw new UsageError(
    `version ${version} of the Reports API has no ${report}: ${remedy}set reports_api_version in chatform.yaml to ${REPORTS.actions[report].versions.join(', ').replace(/, ([^,]*)$/, ' or $1')}`,
  );
}

/** Sends one request. @throws ApiError for a request that failed, and for a reply that is not as specified; UsageError for a report that the version lacks */
export async function askReport(
  { client, signal }: ReportsConnection,
  { report, filters }: Pick<ReportQuestion<unknown>, 'report' | 'filters'>,
  distribution: Distribution,
  range: ReportRange,
): Promise<ReportReply> {
  requireReport(client.version, report);
  const { parameters } = familyOf(report);
  const body = {
    ...(parameters.includes('distribution') ? { distribution } : {}),
    ...(parameters.includes('timezone') ? { timezone: range.zone } : {}),
    filters: { ...filters, ...timesOf(range) },
  };
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
