// The report formats of `plan`, and the writer of each: a whole document, whatever the result.

import type { PlanResult } from '../../tasks/review/plan-result.ts';
import { commentMarkdown, NOWHERE } from '../comment/comment.ts';
import type { PlanPictures } from '../html/input.ts';
import { failurePage, planPage } from '../html/page.ts';
import type { PathInRepository } from './findings.ts';
import { codeQuality, terraformReport } from './gitlab.ts';
import { planJunit } from './junit.ts';
import { planSarif } from './sarif.ts';

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
