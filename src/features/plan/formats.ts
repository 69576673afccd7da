// The report formats of `plan`, and the writer of each: a whole document, whatever the result.

import type { PathInRepository } from '../../render/reports/findings.ts';
import { codeQuality, terraformReport } from '../../render/reports/gitlab.ts';
import { planJunit } from '../../render/reports/junit.ts';
import { planSarif } from '../../render/reports/sarif.ts';
import type { PlanResult } from '../../tasks/review/plan-result.ts';
import { htmlPage } from '../../view/writers/html.ts';
import { commentMarkdown, NOWHERE } from './comment.ts';
import type { PlanPictures } from './pictures.ts';
import { failedView, reportView } from './view.ts';

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
    htmlPage(of.outcome === 'failed' ? failedView(of, at) : reportView(of, { at, pictures: pictures?.() ?? null })),
  sarif: (of: PlanResult, { pathOf }: ReportContext) => planSarif(of, pathOf),
  junit: (of: PlanResult, { pathOf }: ReportContext) => planJunit(of, pathOf),
  terraform: terraformReport,
  codequality: (of: PlanResult, { pathOf }: ReportContext) => codeQuality(of, pathOf),
} as const satisfies { readonly [format in PlanReport]: (of: PlanResult, context: ReportContext) => string };

export const PLAN_REPORTS = Object.keys(planRenderers) as readonly PlanReport[];
