// `chatform validate`: everything that is wrong with the files of a target, without asking anybody.

import { validDocument } from '../render/documents.ts';
import { prepare, type TargetFlags } from './prepare.ts';
import { refuse, showDiagnostics } from './report.ts';
import { routedByFiles } from './routes.ts';
import { lintsOfFiles } from './routing-lints.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export async function validate(flags: TargetFlags, terminal: Terminal): Promise<ExitCode> {
  const prepared = await prepare(flags, terminal);
  if (prepared.settings === null || prepared.desired === null)
    return refuse(prepared.diagnostics, terminal, flags.json === true);
  const declared = { ...prepared, desired: prepared.desired };
  const routed = routedByFiles(declared, null);
  const diagnostics = [...prepared.diagnostics, ...routed.failures, ...routed.open, ...lintsOfFiles(declared)];
  if (diagnostics.some(({ severity }) => severity === 'error'))
    return refuse(diagnostics, terminal, flags.json === true);
  showDiagnostics(diagnostics, terminal);
  const { resources } = prepared.desired;
  if (flags.json === true) terminal.out(validDocument(resources.length, diagnostics));
  else if (flags.quiet !== true)
    terminal.out(
      `${terminal.paintOut('add', 'Valid:')} ${counted(resources.length)} for target ${prepared.settings.name}.\n`,
    );
  return 0;
}

function counted(resources: number): string {
  return `${resources} ${resources === 1 ? 'resource' : 'resources'}`;
}
