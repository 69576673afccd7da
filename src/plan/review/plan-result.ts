// Result of planning for reviewers: the plan with its dangers, or why there is none; and how an apply of it ended.

import type { Diagnostic, DiagnosticCode } from '../../base/model.ts';
import { type Caution, cautionsOf } from '../guards/cautions.ts';
import type { Plan, PlannedRouting } from '../plan.ts';
import type { SavedPlan } from '../saved/saved-plan.ts';

/** A plan, and what a reviewer must not overlook in it. */
export interface ReviewedPlan {
  readonly outcome: 'planned';
  readonly plan: Plan;
  readonly cautions: readonly Caution[];
  readonly risk: PlanRisk;
  /** Those of the diagnostics that leave visitors without an agent, and that the last apply did not give. */
  readonly gaps: readonly Diagnostic[];
  /** Reroutes of visitors who reached groups before that many of them feel: ordinary visitors, or many kinds of them. */
  readonly felt: PlannedRouting['rerouted'];
  readonly diagnostics: readonly Diagnostic[];
  /** Of the saved plan; null when none was saved. */
  readonly digest: string | null;
  /** Of the saved plan, what a person must know before approving it; left out when none was saved. */
  readonly approval?: Pick<SavedPlan, 'acknowledged' | 'origin' | 'selection'>;
  /** An apply of the saved plan tests it as customers see it. */
  readonly testsOnCustomer?: boolean;
}

/** Why no plan could be made. */
export interface FailedPlan {
  readonly outcome: 'failed';
  /** Null when the target is not known. */
  readonly target: string | null;
  readonly message: string;
  readonly diagnostics: readonly Diagnostic[];
}

export type PlanResult = ReviewedPlan | FailedPlan;

/** Null when the target is not known. */
export function targetOf(result: PlanResult): string | null {
  return result.outcome === 'failed' ? result.target : result.plan.target;
}

/** From the worst to none. */
export const PLAN_RISKS = ['withheld', 'lasting', 'destroys', 'exposes', 'changes', 'nothing'] as const;

/** The greatest danger of a plan. */
export type PlanRisk = (typeof PLAN_RISKS)[number];

const GAPS: ReadonlySet<DiagnosticCode> = new Set(['nobody-there', 'lost-cover']);

export function reviewed(plan: Plan, diagnostics: readonly Diagnostic[], digest: string | null): ReviewedPlan {
  const cautions = cautionsOf(plan);
  const gaps = diagnostics.filter(({ code, known, severity }) => {
    // Of a plan, a failed test that is only a warning failed before it as well.
    if (code === 'route-failed') return severity === 'error';
    return GAPS.has(code) && known === undefined;
  });
  return {
    outcome: 'planned',
    plan,
    cautions,
    risk: riskOf(plan, cautions),
    gaps,
    felt: feltIn(plan),
    diagnostics,
    digest,
  };
}

/** Cautions that no veto says already, in the same words. */
export function ownCautions({ cautions, plan: { withheld } }: ReviewedPlan): readonly Caution[] {
  const isWithheld = ({ address, message }: Caution): boolean =>
    message !== '' && withheld.some((each) => each.message === `${address}: ${message}`);
  return cautions.filter((caution) => !isWithheld(caution));
}

/** Whether a gap is a danger, so that it need not be told as a finding. */
export function isDanger({ code }: Pick<Diagnostic, 'code'>): boolean {
  return code === 'lost-cover';
}

/** Whether visitors are misrouted while the rules are written, or that is not known. */
export function isExposed({ routing }: Plan): boolean {
  return routing !== null && routing.way !== 'safe';
}

/** How many dangers a plan has, in every report. */
export function dangersIn(of: ReviewedPlan): number {
  return ownCautions(of).length + of.gaps.filter(isDanger).length + of.felt.length + (isExposed(of.plan) ? 1 : 0);
}

/** So many kinds of visitors are many, whatever their pages are. */
const MANY = 3;

function feltIn({ routing }: Plan): ReviewedPlan['felt'] {
  const reaching = (routing?.rerouted ?? []).filter(({ before }) => before.groups.length > 0);
  return reaching.length < MANY ? reaching.filter(isOrdinary) : reaching;
}

/** Whether the page and the place of one of these visitors do not matter, so that an ordinary visitor is one of them. */
function isOrdinary({ examples }: PlannedRouting['rerouted'][number]): boolean {
  return examples.some(
    ({ visitor, on }) => Object.keys(visitor).length === 1 && on.every((text) => text === ON_EVERY_PAGE),
  );
}

/** A text that the URL of every page has. */
const ON_EVERY_PAGE = '/';

export function reviewedSaved(saved: SavedPlan): ReviewedPlan {
  const { plan, diagnostics, digest, test_on_customer: testsOnCustomer } = saved;
  return {
    ...reviewed(plan, diagnostics, digest),
    approval: saved,
    ...(testsOnCustomer === true ? { testsOnCustomer: true } : {}),
  };
}

function riskOf(plan: Plan, cautions: readonly Caution[]): PlanRisk {
  if (plan.withheld.length > 0) return 'withheld';
  if (cautions.some(({ what }) => ['data-loss', 'irreversible', 'other-licenses'].includes(what))) return 'lasting';
  if (cautions.some(({ what }) => what === 'destroy')) return 'destroys';
  if (isExposed(plan)) return 'exposes';
  const { add, change, destroy, adopt } = plan.summary;
  return add + change + destroy + adopt + plan.steps.length > 0 ? 'changes' : 'nothing';
}

/** What a plan does, in the word that a label or a program knows. */
export type PlanEffect = 'destroy' | 'add-or-update' | 'no-changes';

export const PLAN_EFFECTS = ['destroy', 'add-or-update', 'no-changes'] as const satisfies readonly PlanEffect[];

/** Null when there is no plan. */
export function effectOf(result: PlanResult): PlanEffect | null {
  if (result.outcome === 'failed') return null;
  const { summary, steps } = result.plan;
  if (summary.destroy > 0) return 'destroy';
  return summary.add + summary.change + summary.adopt + steps.length > 0 ? 'add-or-update' : 'no-changes';
}

/** What a program needs to know of one plan, or of several. */
export interface PlanFacts {
  /** The worst; `failed` where no plan could be made. */
  readonly outcome: PlanRisk | 'failed';
  /** Null when there is no plan, as are counts. */
  readonly effect: PlanEffect | null;
  readonly counts: Pick<Plan['summary'], 'add' | 'change' | 'destroy' | 'adopt'> | null;
  readonly digest: string | null;
}

export function factsOf(result: PlanResult): PlanFacts {
  if (result.outcome === 'failed') return { outcome: 'failed', effect: null, counts: null, digest: null };
  return { outcome: result.risk, effect: effectOf(result), counts: result.plan.summary, digest: result.digest };
}

/** How far a change is: proposed, under way, or over. */
export const CHANGE_STATES = ['plan', 'applying', 'applied', 'failed'] as const;

export type ChangeState = (typeof CHANGE_STATES)[number];

/** How an apply that failed ended: with all of it, but customers see something else (differing); without a write (withheld, locked, outdated); or perhaps not with all of them. */
export type ApplyEnding = 'differing' | 'withheld' | 'locked' | 'outdated' | 'partial' | 'interrupted' | 'unknown';

/** Unknown for an exit code that no apply has: a time limit of the runner, or a ledger that could not be stored. */
export function endingOf(exitCode: number | undefined): ApplyEnding {
  switch (exitCode) {
    case 2:
      return 'differing';
    case 3:
      return 'withheld';
    case 4:
      return 'locked';
    case 5:
      return 'outdated';
    case 6:
      return 'partial';
    case 130:
      return 'interrupted';
    default:
      return 'unknown';
  }
}
