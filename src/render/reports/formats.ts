// The report formats of `plan` and `drift`, and the writer of each: a whole document, whatever the result.

import type { DriftCheck } from '../../tasks/drift/report.ts';
import type { PlanResult } from '../../tasks/review/plan-result.ts';
import { plain } from '../../view/plain.ts';
import { commentMarkdown, NOWHERE } from '../comment/comment.ts';
import { driftMarkdown } from '../comment/drift.ts';
import { driftDocument, failureDocument } from '../documents.ts';
import { driftPage } from '../html/drift.ts';
import type { PlanPictures } from '../html/input.ts';
import { failurePage, planPage } from '../html/page.ts';
import { lookText } from '../text/drift.ts';
import { driftCsv } from './drift-csv.ts';
import type { PathInRepository } from './findings.ts';
import { codeQuality, terraformReport } from './gitlab.ts';
import { driftJunit, planJunit } from './junit.ts';
import { driftPrometheus } from './prometheus.ts';
import { driftSarif, planSarif } from './sarif.ts';

export type PlanReport = 'markdown' | 'html' | 'sarif' | 'junit' | 'terraform' | 'codequality';

/** What a report of a plan can show in addition to the plan. */
export interface ReportContext {
  /** When the plan was made, RFC 3339. */
  readonly at: string;
  /** Null without a license to look at. */
  readonly pictures: (() => PlanPictures) | null;
  readonly pathOf: PathInRepository;
}

export const planRenderers = {
  markdown: (of: PlanResult) => commentMarkdown({ of, state: 'plan', origin: NOWHERE }),
  html: (of: PlanResult, { at, pictures }: ReportContext) =>
    of.outcome === 'failed' ? failurePage(of, at) : planPage({ ...of, at, pictures: pictures?.() ?? null }),
  sarif: (of: PlanResult, { pathOf }: ReportContext) => planSarif(of, pathOf),
  junit: (of: PlanResult, { pathOf }: ReportContext) => planJunit(of, pathOf),
  terraform: terraformReport,
  codequality: (of: PlanResult, { pathOf }: ReportContext) => codeQuality(of, pathOf),
} as const satisfies { readonly [format in PlanReport]: (of: PlanResult, context: ReportContext) => string };

export const PLAN_REPORTS = Object.keys(planRenderers) as readonly PlanReport[];

export type ReportFormat = 'text' | 'json' | 'markdown' | 'html' | 'csv' | 'junit' | 'sarif' | 'prometheus';

export const driftRenderers: {
  readonly [format in ReportFormat]: (look: DriftCheck, pathOf?: PathInRepository) => string;
} = {
  text: lookText,
  json: (look) => (look.outcome === 'seen' ? driftDocument(look.report, []) : failureDocument(plain(look.message), [])),
  markdown: driftMarkdown,
  html: driftPage,
  csv: driftCsv,
  junit: driftJunit,
  sarif: driftSarif,
  prometheus: driftPrometheus,
};

export const DRIFT_REPORTS = Object.keys(driftRenderers) as readonly ReportFormat[];
