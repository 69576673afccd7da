// The formats of `report`, and the writer of each.

import type { ShownReport } from '../../tasks/reports/schema.ts';
import { reportPage } from '../html/report.ts';
import { reportCsv } from './report-csv.ts';

export type ReportOutput = 'html' | 'csv';

/** `at` is when the report was read, RFC 3339. */
export const reportRenderers: {
  readonly [format in ReportOutput]: (report: ShownReport, at: string) => string;
} = { html: reportPage, csv: reportCsv };

export const REPORT_FORMATS = Object.keys(reportRenderers) as readonly ReportOutput[];
