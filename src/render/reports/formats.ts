// The report formats of `plan` and `drift`, and the writer of each: a whole document, whatever the result.

import type { DriftCheck } from '../../tasks/drift/report.ts';
import type { PlanResult } from '../../tasks/review/plan-result.ts';
import { uncoloured } from '../../view/paint.ts';
import { plain } from '../../view/plain.ts';
import { tableCsv } from '../../view/writers/csv.ts';
import { htmlPage } from '../../view/writers/html.ts';
import { junit } from '../../view/writers/junit.ts';
import { markdownText } from '../../view/writers/markdown.ts';
import { sarif } from '../../view/writers/sarif.ts';
import { terminalText } from '../../view/writers/terminal.ts';
import { commentMarkdown, NOWHERE } from '../comment/comment.ts';
import { driftDocument, failureDocument } from '../documents.ts';
import type { PlanPictures } from '../html/input.ts';
import { failurePage, planPage } from '../html/page.ts';
import { driftTable, driftView } from '../views/drift.ts';
import { driftFindings } from '../views/drift-findings.ts';
import { asNamed, type PathInRepository } from './findings.ts';
import { codeQuality, terraformReport } from './gitlab.ts';
import { planJunit } from './junit.ts';
import { driftPrometheus } from './prometheus.ts';
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

export type ReportFormat = 'text' | 'json' | 'markdown' | 'html' | 'csv' | 'junit' | 'sarif' | 'prometheus';

export const driftRenderers: {
  readonly [format in ReportFormat]: (look: DriftCheck, pathOf?: PathInRepository) => string;
} = {
  text: (look) => terminalText(driftView(look), uncoloured, { details: true }),
  json: (look) => (look.outcome === 'seen' ? driftDocument(look.report, []) : failureDocument(plain(look.message), [])),
  markdown: (look) => markdownText(driftView(look)),
  html: (look) => htmlPage(driftView(look)),
  csv: (look) => tableCsv(driftTable(look)),
  junit: (look, pathOf = asNamed) => junit([driftFindings(look)], pathOf),
  sarif: (look, pathOf = asNamed) => sarif([driftFindings(look)], pathOf),
  prometheus: driftPrometheus,
};

export const DRIFT_REPORTS = Object.keys(driftRenderers) as readonly ReportFormat[];
