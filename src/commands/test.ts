// `chatform test`: run the routing tests of the manifest on the rules that the files declare, or on those of the license. Changes nothing.

import type { Diagnostic } from '../base/model.ts';
import { fileLedger } from '../ledger/file.ts';
import { foldLedger } from '../ledger/ledger.ts';
import { readingDocument } from '../render/documents.ts';
import type { PathInRepository } from '../render/reports/findings.ts';
import { testedJunit } from '../render/reports/junit.ts';
import { diagnosticsSarif } from '../render/reports/sarif.ts';
import { testedText } from '../render/text/routing.ts';
import { liveRules } from '../routing/sources.ts';
import { type Tested, tested } from '../tasks/show/tested.ts';
import { prepare, type TargetFlags } from './prepare.ts';
import { refuse, showDiagnostics } from './report.ts';
import { filesOf, parseReports, writeReports } from './report-files.ts';
import { pathsInRepository } from './repository.ts';
import { type Declared, licenseOf, type Routed, routedByFiles, runOn } from './routes.ts';
import { readRules } from './routing-license.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export interface TestFlags extends TargetFlags {
  readonly live?: boolean;
  /** `FORMAT=FILE`. */
  readonly report?: readonly string[];
}

const FORMATS = ['junit', 'sarif', 'json'] as const;

interface Ran extends Routed {
  readonly requests: { readonly [action: string]: number };
}

export async function test(flags: TestFlags, terminal: Terminal): Promise<ExitCode> {
  const prepared = await prepare(flags, terminal);
  const kept = prepared.settings === null ? [] : filesOf(prepared.settings, {});
  const reports = await parseReports(flags.report ?? [], FORMATS, kept);
  const json = flags.json === true;
  if (prepared.settings === null || prepared.desired === null) return refuse(prepared.diagnostics, terminal, json);
  const declared = { ...prepared, desired: prepared.desired };
  const on = flags.live === true ? 'live' : 'desired';
  const ran =
    on === 'live' ? await runOnLicense(declared, flags, terminal) : { ...routedByFiles(declared, null), requests: {} };
  const outcome = tested(prepared.settings.name, on, ran.results);
  const isPassed = outcome.summary.failed + outcome.summary.open === 0;
  const diagnostics = [...prepared.diagnostics, ...ran.failures, ...ran.open];
  const document = readingDocument(outcome, !isPassed, ran.requests, diagnostics);
  showDiagnostics(diagnostics, terminal);
  if (json) terminal.out(document);
  else if (flags.quiet !== true) terminal.out(testedText(outcome, terminal.paintOut));
  const pathOf = await pathsInRepository(terminal.env);
  await writeReports(reports, (format) =>
    format === 'json' ? document : reportOf(format, outcome, ran.failures, pathOf),
  );
  return isPassed ? 0 : 1;
}

function reportOf(
  format: 'junit' | 'sarif',
  outcome: Tested,
  failures: readonly Diagnostic[],
  pathOf: PathInRepository,
): string {
  switch (format) {
    case 'junit':
      return testedJunit(outcome, failures, pathOf);
    case 'sarif':
      return diagnosticsSarif(failures, `chatform-test/${outcome.target}/${outcome.on}`, pathOf);
  }
}

async function runOnLicense(declared: Declared, flags: TestFlags, terminal: Terminal): Promise<Ran> {
  const known = foldLedger(await fileLedger(declared.settings.ledger).read());
  const { live, requests } = await readRules(declared, known, flags, terminal);
  return { ...runOn('live', () => liveRules(licenseOf(declared, live, known)), declared), requests };
}
