// `apply` and `destroy`: plan, ask, carry it out, prove that it took effect. What they apply is what the files say, or an approved plan, and nothing more than that.

import { type ApplyResult, applyTarget, hasChanges } from '../../apply/target.ts';
import { OutdatedError, UsageError } from '../../base/errors.ts';
import type { Diagnostic } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import { messageOf } from '../../many/failure.ts';
import type { Context, Operation, OperationResult } from '../../many/operation.ts';
import { declinedBy, stopError } from '../../many/stopped.ts';
import type { Plan } from '../../plan/plan.ts';
import { reviewed } from '../../plan/review/plan-result.ts';
import { type Approved, narrowedTo } from '../../planning/approved.ts';
import { approvalIn, approvedHere } from '../../planning/origin.ts';
import { reasonOf } from '../../planning/reason.ts';
import { requireRouted } from '../../planning/routes.ts';
import type { Declined } from '../../target/lock.ts';
import { declaredIn, prepare } from '../../target/prepare.ts';
import type { Block, View } from '../../view/blocks.ts';
import { hoursLine } from '../../view/words/plan.ts';
import { savedTexts } from '../plan/saved.ts';
import { planView } from '../plan/view.ts';
import type { SeenApply } from './customer-operation.ts';
import type { ApplyOptions } from './options.ts';
import { applyFindings, applyMembers, applyRow, applyTable, newsIn } from './outputs.ts';
import { type AppliedTarget, type ApplyEnd, endedApply } from './report.ts';
import { type ApplyCommand, applyPage, applyView } from './view.ts';

/** The approved plan of a target; null applies what the files say now. */
export type ApprovedPlans = (target: string | undefined) => Promise<Approved | null>;

/** An apply, or with `destroys` a destroy, of the files or of approved plans. */
export function applying(command: 'apply' | 'destroy', planFor: ApprovedPlans): Operation<ApplyOptions, AppliedTarget> {
  return {
    name: command,
    changes: 'license',
    findsErrors: true,
    run: async (target, options, context) => {
      const {
        verify = true,
        testOnCustomer = false,
        visitor = false,
        assumeSettled = false,
        approved = [],
        reason,
        ...given
      } = options;
      const why = await reasonOf(reason, context);
      const meant = await planFor(target.target);
      const own = { ...target, ...given };
      const choice = meant === null ? own : narrowedTo(meant, own);
      const prepared = await prepare(choice, context);
      if (prepared.settings === null) throw declaredIn(prepared);
      const about = { approval: approvalIn(approved), given };
      const here = meant === null ? null : await approvedHere(meant, prepared.settings, about, context);
      if (here !== null && 'foreign' in here) throw new OutdatedError(here.foreign);
      const declared = declaredIn(prepared);
      requireRouted(declared);
      const agree = async (plan: Plan, diagnostics: readonly Diagnostic[]): Promise<Declined | null> => {
        const view = () => previewOf(plan, diagnostics, meant);
        context.report({ type: 'planned', plan, diagnostics, view });
        // An approved plan was agreed to before.
        return meant === null ? agreed(command, plan, view, context) : null;
      };
      const because = why === null ? {} : { reason: why };
      const how = { verify, assumeSettled, agree, onEvent: context.report, ...because };
      if (!testOnCustomer && here?.saved.test_on_customer !== true) {
        const applied = await applyTarget(declared, here, choice, how, context);
        return resultOf({ applied, customers: null });
      }
      const { applyAndSee } = await import('./customer-operation.ts');
      return resultOf(await applyAndSee(declared, here, choice, { ...how, visitor }, context));
    },
    row: applyRow,
    view: (applied) => applyView(command, applied),
    page: (applied, about, reader) => applyPage(command, applied, about, reader),
    among: (applied) => {
      const { urgent = [], body, result } = applyView(command, applied);
      const read = [...urgent, ...body];
      return read.length > 0 ? read : [{ type: 'text', text: result }];
    },
    document: applyMembers,
    findings: (applied, about) => applyFindings(command, applied, about),
    news: { about: 'apply', says: newsIn },
    table: applyTable,
  };
}

/** Who applies an approved plan again, and finds all of it done, need not read the rest of it. */
function previewOf(plan: Plan, diagnostics: readonly Diagnostic[], approved: Approved | null): View {
  const view = planView(reviewed(plan, diagnostics, null));
  if (approved === null) return view;
  const isDone = !hasChanges(plan) && plan.withheld.length === 0;
  const { file, saved } = approved;
  return { ...view, body: isDone ? [] : [{ type: 'list', texts: savedTexts(file, saved) }, ...view.body] };
}

/** Null to go ahead. A plan that does nothing, or that is withheld, is not asked about. */
export async function agreed(
  word: ApplyCommand,
  plan: Plan,
  preview: () => View,
  { ask }: Pick<Context, 'ask'>,
): Promise<Declined | null> {
  if (plan.withheld.length > 0 || !hasChanges(plan)) return null;
  const about = (): readonly Block[] => {
    const { urgent = [], result } = preview();
    return [...urgent, { type: 'text', text: result }];
  };
  const answer = await ask({ word, so: doneBy(word, plan), about });
  return declinedBy(answer, word);
}

function doneBy(word: ApplyCommand, { target, summary }: Plan): string {
  switch (word) {
    case 'apply':
      return `change ${target}`;
    case 'destroy':
      return `remove ${counted(summary.destroy, 'object')} of ${target}`;
    case 'undo':
      return `take it back on ${target}`;
  }
}

/** @throws LeaseLost and UsageError where nothing was changed and no plan says why, OutdatedError for a plan of another target */
function resultOf({ applied, customers }: SeenApply): OperationResult<AppliedTarget> {
  if (applied.outcome === 'refused') throw new UsageError('the files have errors', applied.diagnostics);
  const { plan, diagnostics } = applied;
  const seen = customers !== null && 'failure' in customers ? { failure: messageOf(customers.failure) } : customers;
  const requests = applied.outcome === 'applied' ? applied.requests : null;
  return { value: { plan, end: endOf(applied), customers: seen }, diagnostics, requests };
}

function endOf(applied: Exclude<ApplyResult, { readonly outcome: 'refused' }>): ApplyEnd {
  switch (applied.outcome) {
    case 'stopped':
      if (applied.stop.reason === 'withheld') return { type: 'withheld' };
      throw stopError(applied.stop);
    case 'mismatch': {
      const { file, saved } = applied.approved;
      const { digest, created_at } = saved;
      return { type: 'mismatch', file, digest, created_at, dated: hoursLine(saved.plan), mismatch: applied.mismatch };
    }
    case 'applied': {
      const { runId, report, sent } = applied;
      return { type: 'ended', run: runId, report: endedApply(report), sent };
    }
  }
}
