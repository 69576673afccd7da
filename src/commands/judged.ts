// A plan and the policies of its target in, the plan with their verdicts out. Whoever has no policy waits for nothing.

import type { Diagnostic } from '../base/model.ts';
import type { Plan, Withheld } from '../plan/plan.ts';
import type { TargetSettings } from '../project/settings.ts';
import { planDocument } from '../render/documents.ts';

/** A policy is asked about the very document that `plan --json` prints, as it would be without policies. */
export async function judged(
  plan: Plan,
  { policies }: Pick<TargetSettings, 'policies'>,
  diagnostics: readonly Diagnostic[],
): Promise<Plan> {
  if (policies.length === 0) return plan;
  const { judge } = await import('../project/policies/judge.ts');
  const verdicts = await judge(policies, planDocument(plan, diagnostics));
  const denials = verdicts
    .filter(({ level, passed }) => level === 'deny' && !passed)
    .map(
      ({ name, message, failure }): Withheld => ({
        guard: 'policy',
        addresses: [],
        message: `${name}: ${message}${failure === null ? '' : ` (${failure})`}`,
        remedy:
          'change what the plan does, or agree on another rule with those who wrote it; nothing acknowledges a policy',
      }),
    );
  return { ...plan, policies: verdicts, withheld: [...plan.withheld, ...denials] };
}
