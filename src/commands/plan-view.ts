// What a person is shown of a plan: all of it, or what must be seen before saying yes.

import type { Diagnostic } from '../base/model.ts';
import type { Plan } from '../plan/plan.ts';
import { isDanger } from '../render/text/dangers.ts';
import { unfolded } from '../render/text/diagnostics.ts';
import { planBody, planClosing, sharedPlanText } from '../render/text/plan.ts';
import { outlineOf } from '../tasks/review/outline.ts';
import { type ReviewedPlan, reviewed } from '../tasks/review/plan-result.ts';
import type { Paint } from '../view/paint.ts';

/** Two parts of a text, the second directly above a question; and the findings to show: with details all, otherwise those that are no danger. */
export interface PlanView {
  readonly body: (paint: Paint) => string;
  readonly closing: (paint: Paint) => string;
  readonly findings: readonly Diagnostic[];
}

export function planView(
  plan: Plan,
  diagnostics: readonly Diagnostic[],
  { details = false }: { readonly details?: boolean },
): PlanView {
  const of = reviewed(plan, diagnostics, null);
  const dangers = new Set(of.gaps.filter(isDanger));
  return {
    body: (paint) => planBody({ of, outline: details ? null : outlineOf(plan) }, paint),
    closing: (paint) => planClosing(of, paint, details),
    findings: details ? unfolded(diagnostics) : diagnostics.filter((each) => !dangers.has(each)),
  };
}

/** The same of a plan that stands for those of several targets. */
export function sharedView(of: ReviewedPlan, details: boolean, paint: Paint): string {
  return sharedPlanText({ of, outline: details ? null : outlineOf(of.plan) }, paint);
}
