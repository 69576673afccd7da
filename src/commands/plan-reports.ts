// Results of `chatform plan`, and its report files (`--report FORMAT=FILE`), which are also written when planning failed.

import { UsageError } from '../base/errors.ts';
import type { Diagnostic } from '../base/model.ts';
import { PLAN_REPORTS, planRenderers, type ReportContext } from '../features/plan/formats.ts';
import { diagnosticsOf, messageOf } from '../many/failure.ts';
import { parseReports, reportsWith } from '../outlets/report-files.ts';
import { pathsInRepository } from '../outlets/repository.ts';
import type { Plan } from '../plan/plan.ts';
import { planDocument, rehearsalMember } from '../render/documents.ts';
import { diagnosticEvents, failureEvent, planEvents, rehearsalEvent } from '../render/events.ts';
import { rehearsalText } from '../render/text/apply.ts';
import { savedAsLine } from '../render/text/saved.ts';
import { prepareTarget, type TargetChoice } from '../run/choice.ts';
import { originOf } from '../run/origin.ts';
import { type PlanChoice, savedPlanText } from '../run/plan.ts';
import type { Planning } from '../run/planning.ts';
import type { Declared } from '../run/prepare.ts';
import { type FailedPlan, type PlanResult, reviewed } from '../tasks/review/plan-result.ts';
import { isNothing, likeness, planAnswer, sameness } from '../tasks/targets/plans.ts';
import { targetLine } from '../view/terminal/layout.ts';
import type { Events } from './events-file.ts';
import { picturesOf } from './plan-pictures.ts';
import { planView, sharedView } from './plan-view.ts';
import { type Result, resultOf } from './result.ts';
import type { Terminal } from './terminal.ts';

/** Result of a command that plans, with what its reports show. */
export interface ReportedResult extends Result {
  readonly of: PlanResult;
  /** The license around the plan; made only for a report. */
  readonly pictures?: NonNullable<ReportContext['pictures']>;
}

export function failedPlan(message: string, diagnostics: readonly Diagnostic[]): FailedPlan {
  return { outcome: 'failed', target: null, message, diagnostics };
}

/** The result of `work`, or of its failure, with the report files. An interrupted plan has no reports. */
export async function withPlanReports(
  values: readonly string[] | undefined,
  choice: TargetChoice,
  terminal: Terminal,
  work: () => Promise<ReportedResult>,
): Promise<Result> {
  if (values === undefined) return work();
  const { settings } = await prepareTarget(choice, terminal).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    // The work meets the same error, and the reports say it.
    return { settings: null };
  });
  const reports = await parseReports(values, PLAN_REPORTS, { choice, environment: terminal });
  let isInterrupted = false;
  const { of, pictures, ...result } = await work().catch((error: unknown): ReportedResult => {
    isInterrupted = terminal.signal.aborted;
    return { ...resultOf(error, terminal), of: failedPlan(messageOf(error), diagnosticsOf(error)) };
  });
  if (isInterrupted) return result;
  const outcome = of.outcome === 'failed' ? { ...of, target: of.target ?? settings?.name ?? null } : of;
  const around = {
    at: new Date(terminal.clock.now()).toISOString(),
    pictures: pictures ?? null,
    pathOf: await pathsInRepository(terminal.env),
  };
  return { ...result, files: reportsWith(reports, (format) => planRenderers[format](outcome, around)) };
}

/** A plan, and how the command line asked for it. */
interface MadePlan {
  readonly declared: Declared;
  readonly planning: Planning & { readonly plan: Plan };
  /** Where it is saved; null where it is not. */
  readonly place: { readonly file: string; readonly path: string } | null;
  readonly flags: PlanChoice & {
    readonly quiet?: boolean;
    readonly details?: boolean;
    readonly json?: boolean;
    readonly detailedExitcode?: boolean;
  };
}

/** The result of `chatform plan`, rehearsed and saved where that was asked for. */
export async function resultOfPlan(
  { declared, planning, place, flags }: MadePlan,
  { tell }: Events,
  terminal: Terminal,
): Promise<ReportedResult> {
  const { plan, diagnostics } = planning;
  tell(() => [...diagnosticEvents(diagnostics), ...planEvents(plan)]);
  const now = terminal.clock.now();
  const saved =
    place === null
      ? null
      : { ...place, ...savedPlanText(declared, planning, flags, { now, origin: await originOf(terminal) }) };
  const rehearsal =
    flags.rehearse === true ? await (await import('../run/rehearse.ts')).rehearse(declared, planning, terminal) : null;
  const isFailed = rehearsal !== null && !rehearsal.withheld && !rehearsal.passed;
  if (rehearsal !== null) tell(() => [rehearsalEvent(rehearsal)]);
  if (isFailed) tell(() => [failureEvent('the rehearsal on a copy of the license failed')]);
  const members = rehearsal === null ? {} : { rehearsal: rehearsalMember(rehearsal) };
  const view = planView(plan, diagnostics, flags);
  const of = reviewed(plan, diagnostics, saved?.digest ?? null);
  const { message, ...answer } = planAnswer(of);
  const isWrong = diagnostics.some(({ severity }) => severity === 'error');
  const differs = flags.detailedExitcode === true && plan.steps.length > 0;
  return {
    // A rehearsal of a withheld plan tried nothing, so it is no success.
    code: rehearsal?.withheld === true ? 3 : isFailed || isWrong ? 1 : differs ? 2 : 0,
    // Where no text is printed, they are all told.
    diagnostics: flags.json === true ? diagnostics : view.findings,
    document: () => planDocument(plan, diagnostics, members),
    text: (paint) =>
      [
        ...(flags.quiet === true ? [] : [targetLine(declared.settings, paint, flags.against), view.body(paint)]),
        view.closing(paint),
        ...(rehearsal === null ? [] : ['\n', rehearsalText(rehearsal, paint)]),
      ].join(''),
    ...(saved === null
      ? {}
      : {
          saves: [{ name: saved.file, path: saved.path, text: () => saved.text }],
          note: () => (flags.quiet === true ? '' : savedAsLine(saved.file, plan, saved.digest)),
        }),
    row: {
      ...answer,
      shown: isNothing(plan) ? null : (paint) => sharedView(of, flags.details === true, paint),
      alike: sameness(plan),
      // With details, each is shown.
      ...(flags.details === true ? {} : { likeness: likeness(of) }),
      ...(message === null ? {} : { message }),
      ...(saved === null ? {} : { digest: saved.digest }),
    },
    of: {
      ...of,
      ...(flags.verifyAsCustomer === true ? { verifiesAsCustomer: true } : {}),
    },
    pictures: () => picturesOf(declared, planning.compared, now),
  };
}
