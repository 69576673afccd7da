// Report of a drift check, from its items.

import { FORMAT_VERSION, isAsSevere, SEVERITIES, type Severity, type Version } from '../../base/model.ts';
import { STATUSES, type Status } from '../../project/drift-settings.ts';
import type { DriftItem, DriftNote, DriftReport } from './report.ts';

/** What a check found, and how it is judged. */
export interface DriftFindings {
  readonly version: Version;
  readonly target: string;
  readonly at: string;
  readonly failOn: Severity;
  readonly items: readonly DriftItem[];
  readonly notes: readonly DriftNote[];
  readonly requests: number;
}

export function reportOf({ version, target, at, failOn, items, notes, requests }: DriftFindings): DriftReport {
  const bySeverity = items.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  const counted = bySeverity.filter(({ ignored }) => ignored === null);
  const hidden = bySeverity.filter(({ ignored }) => ignored !== null);
  const counts = Object.fromEntries(
    STATUSES.map((status) => [status, counted.filter((item) => item.status === status).length]),
  ) as { readonly [status in Status]: number };
  const as = (severity: Severity): number => counted.filter((item) => item.severity === severity).length;
  return {
    format_version: FORMAT_VERSION,
    api_version: version,
    target,
    at,
    in_sync: !counted.some(({ severity }) => isAsSevere(severity, failOn)),
    fail_on: failOn,
    items: counted,
    ignored: hidden,
    notes,
    summary: {
      ...counts,
      total: counted.length,
      ignored: hidden.length,
      fights: counted.filter(({ fight }) => fight).length,
      by_severity: { error: as('error'), warning: as('warning'), info: as('info') },
    },
    requests,
  };
}
