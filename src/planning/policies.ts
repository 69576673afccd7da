// Policies of a project, asked about a plan. A project without any loads nothing for them.

import { contentOf } from '../base/content.ts';
import type { Diagnostic } from '../base/model.ts';
import type { Plan, Withheld } from '../plan/plan.ts';
import type { TargetSettings } from '../project/settings.ts';

/** Whether a policy reads the impact of a plan. */
export async function readsImpact({ policies }: Pick<TargetSettings, 'policies'>): Promise<boolean> {
  if (policies.length === 0) return false;
  const { anyReadsImpact } = await import('../project/policies/judge.ts');
  return anyReadsImpact(policies);
}

/** The plan with the result of each policy. A policy sees the very document that `plan --json` prints, without policies. */
export async function heldToPolicies(
  plan: Plan,
  { policies }: Pick<TargetSettings, 'policies'>,
  diagnostics: readonly Diagnostic[],
): Promise<Plan> {
  if (policies.length === 0) return plan;
  const { judge, WITHOUT_IMPACT } = await import('../project/policies/judge.ts');
  const judged = await judge(policies, JSON.stringify(contentOf({ ...plan, errored: false, diagnostics })));
  const denials = judged
    .filter(({ level, passed }) => level === 'deny' && !passed)
    .map(
      ({ name, message, failure, addresses }): Withheld => ({
        guard: 'policy',
        addresses,
        message: `${name}: ${message}${failure === null ? '' : ` (${failure})`}`,
        remedy:
          failure === WITHOUT_IMPACT
            ? 'run it again with --demand 28d, which asks the reports what the plan carries'
            : 'change what the plan does, or agree on another rule with the authors of the policy; no flag overrides it',
      }),
    );
  return {
    ...plan,
    policies: judged.map(({ addresses: _, ...result }) => result),
    withheld: [...plan.withheld, ...denials],
  };
}
