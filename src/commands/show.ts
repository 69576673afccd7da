// `chatform show`: what the license has, or one resource in full; or a saved plan. Reads only.

import type { Command } from '@commander-js/extra-typings';
import { collect, command, type FlagsOf, targetCommand } from './flags.ts';
import type { Result } from './result.ts';
import type { Terminal } from './terminal.ts';

const declare = (program: Command) =>
  targetCommand(
    program,
    'show',
    'show what the license has: all of it by kind, one kind, or one resource in full; or a saved plan; changes nothing',
  )
    .argument(
      '[what]',
      'a kind, such as group; a resource by address, id or name, such as group/sales; or the file of a saved plan',
    )
    .option('-q, --quiet', 'no progress')
    .option(
      '--report <format=file>',
      'of a saved plan: write a report, as `plan --report` does; may be repeated',
      collect,
    );

type Flags = FlagsOf<typeof declare>;

export const showCommand = command(declare, async (flags, terminal, what = '') => {
  const [{ isPlanFile }, { UsageError }] = await Promise.all([import('./plan-file.ts'), import('../base/errors.ts')]);
  if (what !== '' && (await isPlanFile(what))) return showPlan(what, flags, terminal);
  if (flags.report !== undefined)
    throw new UsageError('--report is for a saved plan: name its file, as in `chatform show plan.json`');
  const [{ showTarget }, { showDocument }, { showText }, { warningLine }, { plain }] = await Promise.all([
    import('../run/show.ts'),
    import('../render/documents.ts'),
    import('../render/show-text.ts'),
    import('./result.ts'),
    import('../render/plain.ts'),
  ]);
  const view = await showTarget(what === '' ? null : what, flags, terminal);
  return {
    code: view.isWhole ? 0 : 1,
    note: (paint) => view.warnings.map((warning) => warningLine(plain(warning), paint)).join(''),
    document: () => showDocument(view.shown, view.isWhole, view.requests, view.diagnostics),
    text: (paint) => showText(view.shown, view.columns, paint),
  };
});

/** A saved plan, as it was shown when it was made. Needs no project, no network and no token. */
async function showPlan(file: string, flags: Flags, terminal: Terminal): Promise<Result> {
  const [{ UsageError }, files, { pathsInRepository }, { savedPlanIn }, { plannedOutcome }] = await Promise.all([
    import('../base/errors.ts'),
    import('../outlets/report-files.ts'),
    import('../outlets/repository.ts'),
    import('../run/approved.ts'),
    import('../outlets/hosts/outcome.ts'),
  ]);
  const [{ PLAN_REPORTS, planRenderers }, { planDocument }, { planText }, { savedLine }] = await Promise.all([
    import('../render/plan-reports/renderers.ts'),
    import('../render/documents.ts'),
    import('../render/plan-text.ts'),
    import('../render/saved-text.ts'),
  ]);
  const given = {
    '-t': flags.target,
    '-f': flags.file,
    '--base-url': flags.baseUrl,
    '--api-version': flags.apiVersion,
    '--var': flags.var,
  };
  const names = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (names.length > 0) throw new UsageError(`${file} says what it is a plan of: leave out ${names.join(', ')}`);
  await files.requireDistinct([[file, file], ...files.reportFlags(flags.report)]);
  const reports = await files.parseReports(flags.report ?? [], PLAN_REPORTS);
  const saved = await savedPlanIn(file);
  const { plan, diagnostics } = saved;
  // The license around the plan is not in the file.
  const around = { at: saved.created_at, scene: null, pathOf: await pathsInRepository(terminal.env) };
  const of = plannedOutcome(plan, diagnostics, saved.digest);
  return {
    code: 0,
    before: () => (flags.quiet === true ? '' : savedLine(file, saved)),
    diagnostics,
    document: () => planDocument(plan, diagnostics),
    text: (paint) => planText(plan, paint),
    files: files.reportsWith(reports, (format) => planRenderers[format](of, around)),
  };
}
