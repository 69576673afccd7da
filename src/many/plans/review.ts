// Saved plans of several targets for reviewers: each different plan once, the worst first, and a row for each target.

import { byText } from '../../base/json.ts';
import {
  factsOf,
  PLAN_EFFECTS,
  PLAN_RISKS,
  type PlanFacts,
  type ReviewedPlan,
  reviewedSaved,
} from '../../plan/review/plan-result.ts';
import type { SavedPlan } from '../../plan/saved/saved-plan.ts';
import { grouping, inOrder, summaryOf } from '../report.ts';
import { TARGET_STATES, type TargetAnswer, type TargetsReport, type TargetsResults } from '../schema.ts';
import { digestOfPlans, planAnswer, sameness } from './plans.ts';

export interface ReviewedPlans {
  /** The worst plan first, then what stands for most targets. */
  readonly groups: readonly { readonly targets: readonly string[]; readonly of: ReviewedPlan }[];
  /** Rows of all targets, the worst first, and findings of those without a plan. */
  readonly report: Pick<TargetsReport, 'targets' | 'since' | 'orphaned' | 'summary'> &
    Pick<TargetsResults, 'diagnostics'>;
  /** Targets without a plan. */
  readonly unplanned: readonly string[];
  readonly facts: PlanFacts;
}

/** Keeps one of plans that are the same. */
export interface PlansReview {
  readonly add: (saved: SavedPlan) => void;
  /** `results`: of the command that made the plans, or applied them; null when they are not known. */
  readonly reviewed: (results: TargetsResults | null) => ReviewedPlans;
}

export function reviewOfPlans(): PlansReview {
  const plans = grouping<ReviewedPlan>();
  const planned = new Map<string, TargetAnswer>();
  const digests = new Map<string, string>();
  return {
    add: (saved) => {
      const { target, digest, selection, origin, acknowledged } = saved;
      const of = reviewedSaved(saved);
      const key = JSON.stringify([sameness(saved.plan), selection, origin, acknowledged]);
      plans.put(target, key, () => of);
      planned.set(target, { target, exit_code: 0, seconds: 0, alike: null, ...planAnswer(of) });
      digests.set(target, digest);
    },
    reviewed: (results) => {
      const answers = new Map(planned);
      for (const answer of results?.targets ?? []) answers.set(answer.target, { ...answer, alike: null });
      const digest = digests.size === 0 ? null : digestOfPlans(digests);
      const targets = [...answers.values()].sort(byState);
      const unplanned = targets.flatMap(({ target }) => (planned.has(target) ? [] : [target])).sort(byText);
      const groups = inOrder(plans)
        .groups.map((group) => ({ targets: group.targets, of: group.shown }))
        .sort((a, b) => PLAN_RISKS.indexOf(a.of.risk) - PLAN_RISKS.indexOf(b.of.risk));
      const { since = null, orphaned = [], diagnostics = [] } = results ?? {};
      const report = { targets, since, orphaned, diagnostics, summary: summaryOf(targets, digest) };
      return { groups, report, unplanned, facts: factsOfPlans(groups, unplanned, digest) };
    },
  };
}

function byState(a: TargetAnswer, b: TargetAnswer): number {
  const rank = ({ state, figures }: TargetAnswer): number =>
    TARGET_STATES.indexOf(state) * 2 + ((figures['dangers'] ?? 0) > 0 ? 1 : 0);
  return rank(b) - rank(a) || byText(a.target, b.target);
}

function factsOfPlans(groups: ReviewedPlans['groups'], unplanned: readonly string[], digest: string | null): PlanFacts {
  const facts = groups.map(({ targets, of }) => ({ ...factsOf(of), times: targets.length }));
  const sum = (name: 'add' | 'change' | 'destroy' | 'adopt'): number =>
    facts.reduce((total, { counts, times }) => total + (counts?.[name] ?? 0) * times, 0);
  const worst = PLAN_RISKS.find((risk) => facts.some(({ outcome }) => outcome === risk)) ?? 'nothing';
  const effect = PLAN_EFFECTS.find((each) => facts.some((one) => one.effect === each)) ?? 'no-changes';
  const isNone = groups.length === 0 && unplanned.length > 0;
  return {
    outcome: unplanned.length > 0 ? 'failed' : worst,
    effect: isNone ? null : effect,
    counts: isNone ? null : { add: sum('add'), change: sum('change'), destroy: sum('destroy'), adopt: sum('adopt') },
    digest,
  };
}
