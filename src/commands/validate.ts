// `chatform validate`: everything that is wrong with the files of a target, without asking anybody.

import type { Diagnostic } from '../base/model.ts';
import { counted } from '../base/text.ts';
import { commandDocument } from '../render/documents.ts';
import { diagnosticsSarif } from '../render/reports/sarif.ts';
import { prepare, type TargetFlags } from './prepare.ts';
import { refuse, showDiagnostics } from './report.ts';
import { filesOf, parseReports, writeReports } from './report-files.ts';
import { pathsInRepository } from './repository.ts';
import { routedByFiles } from './routes.ts';
import { lintsOfFiles } from './routing-lints.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export interface ValidateFlags extends TargetFlags {
  /** `sarif=FILE`. */
  readonly report?: readonly string[];
}

export async function validate(flags: ValidateFlags, terminal: Terminal): Promise<ExitCode> {
  const prepared = await prepare(flags, terminal);
  const { settings, desired } = prepared;
  const kept = settings === null ? [] : filesOf(settings, {});
  const reports = await parseReports(flags.report ?? [], ['sarif'], kept);
  const category = `chatform-validate/${settings?.name ?? 'project'}`;
  const report = async (diagnostics: readonly Diagnostic[]): Promise<void> => {
    if (reports.length === 0) return;
    const pathOf = await pathsInRepository(terminal.env);
    await writeReports(reports, () => diagnosticsSarif(diagnostics, category, pathOf));
  };
  if (settings === null || desired === null) {
    await report(prepared.diagnostics);
    return refuse(prepared.diagnostics, terminal, flags.json === true);
  }
  const declared = { ...prepared, settings, desired };
  const { failures, open } = routedByFiles(declared, null);
  const diagnostics = [...prepared.diagnostics, ...failures, ...open, ...lintsOfFiles(declared)];
  await report(diagnostics);
  if (diagnostics.some(({ severity }) => severity === 'error'))
    return refuse(diagnostics, terminal, flags.json === true);
  showDiagnostics(diagnostics, terminal);
  const { resources } = desired;
  if (flags.json === true) terminal.out(commandDocument({ resources: resources.length }, diagnostics));
  else if (flags.quiet !== true)
    terminal.out(
      `${terminal.paintOut('add', 'Valid:')} ${counted(resources.length, 'resource')} for target ${settings.name}.\n`,
    );
  return 0;
}
