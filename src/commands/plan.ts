// `chatform plan`: shows what would change on the license. Writes nothing but the files that it is asked for.

import type { Command } from '@commander-js/extra-typings';
import { UsageError } from '../base/errors.ts';
import type { Diagnostic } from '../base/model.ts';
import type { FilesChoice, PreparedFiles } from '../run/prepare.ts';
import type { Events } from './events-file.ts';
import {
  ADOPTED,
  collect,
  DETACH,
  dateOption,
  type FlagsOf,
  type FlagsOfOne,
  NEW_LICENSE,
  ON,
  planningTargetsCommand,
} from './flags.ts';
import type { ReportedResult } from './plan-reports.ts';
import type { Result } from './result.ts';
import { commandForTargets } from './several.ts';
import type { Terminal } from './terminal.ts';

const declare = (program: Command) =>
  planningTargetsCommand(
    program,
    'plan',
    'show what would change on the license; changes nothing',
    'only the summary and the dangers',
  )
    .option('--detailed-exitcode', 'exit 2 when there are differences')
    .option('--out <file>', 'save the plan, for `apply FILE` and `show FILE`')
    .option('--verify-as-customer', 'with --out: an apply of the plan verifies the license as customers see it')
    .option('--against <file>', 'plan against what `chatform snapshot` wrote: no token, no network, no ledger')
    .option(
      '--rehearse',
      'apply it to a copy of the license in this process, and say what would be refused; with --against it needs a snapshot taken with --full',
    )
    .addOption(dateOption('plan'))
    .addOption(ON)
    .addOption(DETACH)
    .option(
      '--report <format=file>',
      'write a report: markdown, html, sarif, junit, terraform or codequality; may be repeated',
      collect,
    )
    .option('--destroy', 'plan the removal of what chatform made, as `destroy` would do it')
    .addOption(ADOPTED)
    .addOption(NEW_LICENSE);

type Flags = FlagsOfOne<FlagsOf<typeof declare>> & Pick<FilesChoice, 'destroys'>;

export const planCommand = commandForTargets('plan', declare, planOne, async (several) => {
  const { planTargets } = await import('./plan-targets.ts');
  return planTargets(several);
});

export async function planOne(flags: FlagsOfOne<FlagsOf<typeof declare>>, terminal: Terminal): Promise<Result> {
  return plan({ ...flags, ...destroysOf(flags) }, terminal);
}

function destroysOf({
  destroy,
  adopted,
}: Pick<FlagsOf<typeof declare>, 'destroy' | 'adopted'>): Pick<FilesChoice, 'destroys'> {
  if (destroy === true) return { destroys: { adopted: adopted === true } };
  if (adopted === true) throw new UsageError('--adopted is about what a destroy removes: give --destroy also');
  return {};
}

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
    return withEvents('plan', { settings, choice: flags }, events, terminal, (told) =>
      planFiles(prepared, flags, told, terminal),
    );
  });
}

/** The plan of the files, or why there is none. */
async function planFiles(
  prepared: PreparedFiles,
  flags: Flags,
  { tell }: Events,
  terminal: Terminal,
): Promise<ReportedResult> {
  const [{ savePlace }, { failedPlan, resultOfPlan }, { planDeclared }, { misroutedByFiles }, render, { refused }] =
    await Promise.all([
      import('../outlets/report-files.ts'),
      import('./plan-reports.ts'),
      import('../run/plan.ts'),
      import('../run/routes.ts'),
      import('../render/events.ts'),
      import('./result.ts'),
    ]);
  const stopped = (diagnostics: readonly Diagnostic[]): ReportedResult => {
    tell(() => render.diagnosticEvents(diagnostics));
    return { ...refused(diagnostics), of: failedPlan('', diagnostics) };
  };
  const { desired } = prepared;
  if (desired === null) return stopped(prepared.diagnostics);
  const declared = { ...prepared, desired };
  const { out } = flags;
  const place = out === undefined ? null : await savePlace(out, 'plan', { choice: flags, environment: terminal });
  const misrouted = misroutedByFiles(declared);
  if (misrouted.length > 0) return stopped(misrouted);
  const planning = await planDeclared(declared, flags, terminal);
  if (planning.plan === null) return stopped(planning.diagnostics);
  return resultOfPlan({ declared, planning: { ...planning, plan: planning.plan }, place, flags }, { tell }, terminal);
}
