// `chatform plan`: shows what would change on the license. Writes nothing but the files that it is asked for.

import type { Command } from '@commander-js/extra-typings';
import type { Diagnostic } from '../base/model.ts';
import type { Plan } from '../plan/plan.ts';
import type { Planning } from '../run/planning.ts';
import type { Declared, PreparedFiles } from '../run/prepare.ts';
import type { Events } from './events-file.ts';
import { collect, command, type FlagsOf, planningCommand } from './flags.ts';
import type { ReportedResult } from './plan-reports.ts';
import type { Result } from './result.ts';
import type { Terminal } from './terminal.ts';

const declare = (program: Command) =>
  planningCommand(program, 'plan', 'show what would change on the license; changes nothing', 'no progress')
    .option('--detailed-exitcode', 'exit 2 when there are differences')
    .option('--out <file>', 'save the plan, for `apply FILE` and `show FILE`')
    .option('--against <file>', 'plan against what `chatform snapshot` wrote: no token, no network, no ledger')
    .option(
      '--rehearse',
      'apply it to a copy of the license in this process, and say what would be refused; with --against it needs a snapshot taken with --full',
    )
    .option(
      '--report <format=file>',
      'write a report: markdown, html, sarif, junit, terraform or codequality; may be repeated',
      collect,
    );

type Flags = FlagsOf<typeof declare>;

export const planCommand = command(declare, plan);

async function plan(flags: Flags, terminal: Terminal): Promise<Result> {
  const [{ reportFlags, requireDistinct }, { failedPlan, withPlanReports }, { refused }, { prepare }] =
    await Promise.all([
      import('../outlets/report-files.ts'),
      import('./plan-reports.ts'),
      import('./result.ts'),
      import('../run/prepare.ts'),
    ]);
  const { out, events, secretsFile, report } = flags;
  await requireDistinct([
    [`--out ${out}`, out],
    [`--events ${events}`, events],
    [`--secrets-file ${secretsFile}`, secretsFile],
    ...reportFlags(report),
  ]);
  return withPlanReports(report, flags, terminal, async () => {
    const prepared = await prepare(flags, terminal);
    const { settings, diagnostics } = prepared;
    if (settings === null) return { ...refused(diagnostics), of: failedPlan('', diagnostics) };
    const { withEvents } = await import('./events-file.ts');
    return withEvents('plan', prepared, events, terminal, (told) => planFiles(prepared, flags, told, terminal));
  });
}

/** The plan of the files, or why there is none. */
async function planFiles(
  prepared: PreparedFiles,
  flags: Flags,
  { tell }: Events,
  terminal: Terminal,
): Promise<ReportedResult> {
  const [{ savePlace }, { failedPlan }, { keptFiles }, { planDeclared }, { misroutedByFiles }, render, { refused }] =
    await Promise.all([
      import('../outlets/report-files.ts'),
      import('./plan-reports.ts'),
      import('./kept-files.ts'),
      import('../run/plan.ts'),
      import('../run/routes.ts'),
      import('../render/events.ts'),
      import('./result.ts'),
    ]);
  const stopped = (diagnostics: readonly Diagnostic[]): ReportedResult => {
    tell(() => render.diagnosticEvents(diagnostics));
    return { ...refused(diagnostics), of: failedPlan('', diagnostics) };
  };
  const { settings, desired } = prepared;
  if (desired === null) return stopped(prepared.diagnostics);
  const declared = { ...prepared, desired };
  const { out, against } = flags;
  const kept = [...keptFiles(settings), ...prepared.named, ...(against === undefined ? [] : [against])];
  const place = out === undefined ? null : await savePlace('--out', out, kept);
  const misrouted = misroutedByFiles(declared);
  if (misrouted.length > 0) return stopped(misrouted);
  const planning = await planDeclared(declared, flags, terminal);
  if (planning.plan === null) return stopped(planning.diagnostics);
  return resultOfPlan({ declared, planning: { ...planning, plan: planning.plan }, place }, flags, { tell }, terminal);
}

interface MadePlan {
  readonly declared: Declared;
  readonly planning: Planning & { readonly plan: Plan };
  /** Where it is saved; null where it is not. */
  readonly place: { readonly file: string; readonly path: string } | null;
}

async function resultOfPlan(
  { declared, planning, place }: MadePlan,
  flags: Flags,
  { tell }: Events,
  terminal: Terminal,
): Promise<ReportedResult> {
  const [{ reviewed }, { picturesOf }, { savedPlanText }, events, documents, text, rehearsed, { savedAsLine }] =
    await Promise.all([
      import('../tasks/review/plan-result.ts'),
      import('./plan-pictures.ts'),
      import('../run/plan.ts'),
      import('../render/events.ts'),
      import('../render/documents.ts'),
      import('../render/text/plan.ts'),
      import('../render/text/apply.ts'),
      import('../render/text/saved.ts'),
    ]);
  const { plan, diagnostics } = planning;
  tell(() => [...events.diagnosticEvents(diagnostics), ...events.planEvents(plan)]);
  const now = terminal.clock.now();
  const saved = place === null ? null : { ...place, ...savedPlanText(declared, planning, flags, now) };
  const rehearsal =
    flags.rehearse === true ? await (await import('../run/rehearse.ts')).rehearse(declared, planning, terminal) : null;
  const isFailed = rehearsal !== null && !rehearsal.withheld && !rehearsal.passed;
  if (rehearsal !== null) tell(() => [events.rehearsalEvent(rehearsal)]);
  if (isFailed) tell(() => [events.failureEvent('the rehearsal on a copy of the license failed')]);
  const members = rehearsal === null ? {} : { rehearsal: documents.rehearsalMember(rehearsal) };
  const differs = flags.detailedExitcode === true && plan.steps.length > 0;
  return {
    // A rehearsal of a withheld plan tried nothing, so it is no success.
    code: rehearsal?.withheld === true ? 3 : isFailed ? 1 : differs ? 2 : 0,
    diagnostics,
    document: () => documents.planDocument(plan, diagnostics, members),
    text: (paint) =>
      text.planText(plan, paint) + (rehearsal === null ? '' : `\n${rehearsed.rehearsalText(rehearsal, paint)}`),
    ...(saved === null
      ? {}
      : {
          saves: [{ name: saved.file, path: saved.path, text: () => saved.text }],
          note: () => (flags.quiet === true ? '' : savedAsLine(saved.file, plan, saved.digest)),
        }),
    of: reviewed(plan, diagnostics, saved?.digest ?? null),
    pictures: () => picturesOf(declared, planning.compared, now),
  };
}
