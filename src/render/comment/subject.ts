// What a comment is about, and the one thing that a reader must know of it. Knows no format and no host.

import { assertNever } from '../../base/errors.ts';
import type { Diagnostic } from '../../base/model.ts';
import type { Caution } from '../../plan/guards/cautions.ts';
import type { Plan, SourcePlace } from '../../plan/plan.ts';

/** How far a change is: proposed, under way, or over. */
export const STATES = ['plan', 'applying', 'applied', 'failed'] as const;

export type State = (typeof STATES)[number];

/** How an apply that failed ended: it wrote nothing (withheld, locked, outdated), or it is not known to have done all. */
export type Ending = 'withheld' | 'locked' | 'outdated' | 'partial' | 'interrupted' | 'unknown';

/** Whatever ended a job that is no exit code of an apply leaves it unknown: a time limit of the runner, a ledger that could not be stored. */
export function endingOf(exitCode: number | undefined): Ending {
  switch (exitCode) {
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

/** A plan, or why there is none. */
export type Outcome =
  | {
      readonly outcome: 'planned';
      readonly plan: Plan;
      readonly cautions: readonly Caution[];
      readonly diagnostics: readonly Diagnostic[];
      /** Of the saved plan; null when none was saved. */
      readonly digest: string | null;
    }
  | {
      readonly outcome: 'failed';
      /** Null when not even that is known. */
      readonly target: string | null;
      readonly message: string;
      readonly diagnostics: readonly Diagnostic[];
    };

export type Planned = Extract<Outcome, { readonly outcome: 'planned' }>;

/** Null when not even that is known. */
export function targetOf(of: Outcome): string | null {
  return of.outcome === 'failed' ? of.target : of.plan.target;
}

/** Where it comes from, as far as whoever asks knows; every address is a URL. */
export interface Origin {
  readonly commit: string | null;
  readonly run: string | null;
  /** Of the project in its repository; empty where that is its root. */
  readonly folder: string;
  /** The address of a line in the repository; null for one beyond it. */
  readonly lineOf: ((place: SourcePlace) => string | null) | null;
}

export const NOWHERE: Origin = { commit: null, run: null, folder: '', lineOf: null };

export interface Subject {
  readonly of: Outcome;
  readonly state: State;
  /** Of an apply that failed; unknown when left out. */
  readonly ending?: Ending;
  readonly origin: Origin;
}

/** From the worst to the best. */
export type Verdict = 'failed' | 'withheld' | 'lasting' | 'destroys' | 'exposes' | 'changes' | 'nothing';

export function verdictOf(of: Outcome): Verdict {
  if (of.outcome === 'failed') return 'failed';
  const { plan, cautions } = of;
  if (plan.withheld.length > 0) return 'withheld';
  if (cautions.some(({ what }) => ['data-loss', 'irreversible', 'other-licenses'].includes(what))) return 'lasting';
  if (cautions.some(({ what }) => what === 'destroy')) return 'destroys';
  if (plan.routing !== null && plan.routing.way !== 'safe') return 'exposes';
  const { add, change, destroy, adopt } = plan.summary;
  return add + change + destroy + adopt + plan.steps.length > 0 ? 'changes' : 'nothing';
}

/** What is worst, in a few words. */
export function verdictWords(verdict: Verdict, { state }: Pick<Subject, 'state'>): string {
  switch (verdict) {
    case 'failed':
      return 'no plan could be made';
    case 'withheld':
      return 'withheld';
    case 'lasting':
      return 'not all of it can be taken back';
    case 'destroys':
      return 'something is destroyed';
    case 'exposes':
      return 'chats may go astray';
    case 'changes':
      return 'changes';
    case 'nothing':
      return state === 'plan' ? 'no changes' : 'nothing to do';
    default:
      return assertNever(verdict);
  }
}

/** The word that a label, or a program, knows it by. */
export type Effect = 'destroy' | 'add-or-update' | 'no-changes';

export const EFFECTS = ['destroy', 'add-or-update', 'no-changes'] as const satisfies readonly Effect[];

/** Null when there is no plan, so that nobody knows. */
export function effectOf(of: Outcome): Effect | null {
  if (of.outcome === 'failed') return null;
  const { summary, steps } = of.plan;
  if (summary.destroy > 0) return 'destroy';
  return summary.add + summary.change + summary.adopt + steps.length > 0 ? 'add-or-update' : 'no-changes';
}
