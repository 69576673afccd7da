// What a person is shown of a plan: all of it, or what must be seen before saying yes.

import type { Diagnostic } from '../base/model.ts';
import type { Plan } from '../plan/plan.ts';
import type { Paint } from '../render/paint.ts';
import { planBody, planClosing } from '../render/text/plan.ts';
import { outlineOf } from '../tasks/review/outline.ts';
import { reviewed } from '../tasks/review/plan-result.ts';

/** Two parts of a text, the second directly above a question. */
export interface PlanView {
  readonly body: (paint: Paint) => string;
  readonly closing: (paint: Paint) => string;
}

export function planView(
  plan: Plan,
  diagnostics: readonly Diagnostic[],
  { details = false }: { readonly details?: boolean },
): PlanView {
  const of = reviewed(plan, diagnostics, null);
  return {
    body: (paint) => planBody({ of, outline: details ? null : outlineOf(plan) }, paint),
    closing: (paint) => planClosing(of, paint),
  };
}
