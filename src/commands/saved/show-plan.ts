// `chatform show FILE`: a saved plan in, as it was shown when it was made, out. Needs no project, no network and no token.

import { UsageError } from '../../base/errors.ts';
import { planDocument } from '../../render/documents.ts';
import { PLAN_REPORTS, planRenderers } from '../../render/reports/formats.ts';
import { planText } from '../../render/text/plan.ts';
import { savedLine } from '../../render/text/saved.ts';
import { reviewed } from '../../tasks/review/plan-result.ts';
import type { TargetFlags } from '../prepare.ts';
import { showDiagnostics } from '../report.ts';
import { parseReports, reportFlags, requireDistinct, writeReports } from '../report-files.ts';
import { pathsInRepository } from '../repository.ts';
import type { ExitCode, Terminal } from '../terminal.ts';
import { planIn } from './plan-file.ts';

export interface ShowFlags extends TargetFlags {
  /** `FORMAT=FILE`: the reports that `plan` writes. */
  readonly report?: readonly string[];
}

export async function showPlan(file: string, flags: ShowFlags, terminal: Terminal): Promise<ExitCode> {
  const given = {
    '-t': flags.target,
    '-f': flags.file,
    '--base-url': flags.baseUrl,
    '--api-version': flags.apiVersion,
  };
  const names = Object.entries({ ...given, '--var': flags.var }).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  if (names.length > 0) throw new UsageError(`${file} says itself what it is a plan of: leave out ${names.join(', ')}`);
  await requireDistinct([[file, file], ...reportFlags(flags.report)]);
  const reports = await parseReports(flags.report ?? [], PLAN_REPORTS);
  const saved = await planIn(file);
  if (flags.quiet !== true) terminal.err(savedLine(file, saved));
  showDiagnostics(saved.diagnostics, terminal);
  const { plan, diagnostics } = saved;
  terminal.out(flags.json === true ? planDocument(plan, diagnostics) : planText(plan, terminal.paintOut));
  // The license around the plan is not in the file.
  const around = { at: saved.created_at, pictures: null, pathOf: await pathsInRepository(terminal.env) };
  const of = reviewed(plan, diagnostics, saved.digest);
  await writeReports(reports, (format) => planRenderers[format](of, around));
  return 0;
}
