// The formats of reports of a plan, and who writes each. What came of planning in, a whole document out, whatever that was.

import { commentMarkdown } from '../comment/comment.ts';
import { NOWHERE, type Outcome } from '../comment/subject.ts';
import { failurePage, planPage } from '../html/page.ts';
import type { Scene } from '../html/told.ts';
import type { PathInRepository } from '../repository-path.ts';
import { codeQuality, terraformReport } from './gitlab.ts';
import { planJunit } from './junit.ts';
import { planSarif } from './sarif.ts';

export type PlanReport = 'markdown' | 'html' | 'sarif' | 'junit' | 'terraform' | 'codequality';

/** What a report may tell besides. */
export interface Around {
  /** RFC 3339. */
  readonly at: string;
  /** Null where there is no license to look at. */
  readonly scene: (() => Scene) | null;
  readonly pathOf: PathInRepository;
}

export const planRenderers = {
  markdown: (of: Outcome) => commentMarkdown({ of, state: 'plan', origin: NOWHERE }),
  html: (of: Outcome, { at, scene }: Around) =>
    of.outcome === 'failed' ? failurePage(of, at) : planPage({ ...of, at, scene: scene?.() ?? null }),
  sarif: (of: Outcome, { pathOf }: Around) => planSarif(of, pathOf),
  junit: (of: Outcome, { pathOf }: Around) => planJunit(of, pathOf),
  terraform: terraformReport,
  codequality: (of: Outcome, { pathOf }: Around) => codeQuality(of, pathOf),
} as const satisfies { readonly [format in PlanReport]: (of: Outcome, around: Around) => string };

export const PLAN_REPORTS = Object.keys(planRenderers) as readonly PlanReport[];
