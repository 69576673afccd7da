// The published document of an operation, as a report.

import type { ReportWriter } from '../report.ts';

export const report: ReportWriter = {
  write: ({ document }) => document(),
  /** Saved plans, snapshots and sightings, and the plans of Terraform, begin in the same way, and are no reports. */
  begins: /^\{\s*"format_version": ?"[\d.]+",\s*"(?:errored|api_version)":/,
};
