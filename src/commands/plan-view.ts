// What a person is shown of a plan: all of it, or what must be seen before saying yes.

import type { Diagnostic } from '../base/model.ts';
import { isDanger } from '../features/plan/dangers.ts';
import { sharedBlocks, planView as viewOf } from '../features/plan/view.ts';
import type { Plan } from '../plan/plan.ts';
import { unfolded } from '../render/text/diagnostics.ts';
import { type ReviewedPlan, reviewed } from '../tasks/review/plan-result.ts';
import type { Paint } from '../view/paint.ts';
import { blocksText } from '../view/writers/terminal.ts';

/** Two parts of a text, the second directly above a question; and the findings to show: with details all, otherwise those that are no danger. */
export interface PlanView {
  readonly body: (paint: Paint) => string;
  readonly closing: (paint: Paint) => string;
  readonly findings: readonly Diagnostic[];
}

export function planView(
  plan: Plan,
  diagnostics: readonly Diagnostic[],
  options: { readonly details?: boolean },
): PlanView {
  const of = reviewed(plan, diagnostics, null);
  const { body, urgent = [], result } = viewOf(of);
  const dangers = new Set(of.gaps.filter(isDanger));
  return {
    body: (paint) => {
      const text = blocksText(body, paint, options);
      return text === '' ? '' : `${text}\n`;
    },
    closing: (paint) => blocksText([...urgent, { type: 'text', text: result }], paint, options),
    findings: options.details === true ? unfolded(diagnostics) : diagnostics.filter((each) => !dangers.has(each)),
  };
}

/** The same of a plan that stands for those of several targets. */
export function sharedView(of: ReviewedPlan, details: boolean, paint: Paint): string {
  return `${blocksText(sharedBlocks(of), paint, { details })}\n`;
}
