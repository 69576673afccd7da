// The formats of reports of a plan, and who writes each. What came of planning in, a whole document out, whatever that was.

import { commentMarkdown } from '../comment/comment.ts';
import { NOWHERE, type Outcome } from '../comment/subject.ts';
import { codeQuality, terraformReport } from './gitlab.ts';
import { planJunit } from './junit.ts';
import { planSarif } from './sarif.ts';

export type PlanReport = 'markdown' | 'sarif' | 'junit' | 'terraform' | 'codequality';

export const planRenderers: { readonly [format in PlanReport]: (of: Outcome) => string } = {
  markdown: (of) => commentMarkdown({ of, state: 'plan', origin: NOWHERE }),
  sarif: planSarif,
  junit: planJunit,
  terraform: terraformReport,
  codequality: codeQuality,
};

export const PLAN_REPORTS = Object.keys(planRenderers) as readonly PlanReport[];
