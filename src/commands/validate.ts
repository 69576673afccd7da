// `chatform validate`: everything that is wrong with the files of a target. Sends no request.

import { collect, targetsCommand } from './flags.ts';
import { commandForTargets } from './several.ts';

export const validateCommand = commandForTargets(
  'validate',
  (program) =>
    targetsCommand(program, 'validate', 'check the files: everything wrong, at its place, in one run; sends no request')
      .option('-q, --quiet', 'say nothing when nothing is wrong')
      .option('--report <format=file>', 'write what is wrong into a file: sarif; may be repeated', collect),
  async (flags, terminal) => {
    const [
      { prepare },
      { routedByFiles },
      { lintsOfFiles },
      { parseReports, reportsWith },
      { commandDocument },
      { refused },
      { counted },
      { told },
    ] = await Promise.all([
      import('../run/prepare.ts'),
      import('../run/routes.ts'),
      import('../run/routing-lints.ts'),
      import('../outlets/report-files.ts'),
      import('../render/documents.ts'),
      import('./result.ts'),
      import('../base/text.ts'),
      import('../yaml/diagnostics.ts'),
    ]);
    const prepared = await prepare(flags, terminal);
    const { settings, desired } = prepared;
    const reports = await parseReports(flags.report ?? [], ['sarif'], { choice: flags, environment: terminal });
    const declared = settings === null || desired === null ? null : { ...prepared, settings, desired };
    const { failures, open } = declared === null ? { failures: [], open: [] } : routedByFiles(declared, null);
    const lints = declared === null ? [] : lintsOfFiles(declared);
    const diagnostics = told([...prepared.diagnostics, ...failures, ...open, ...lints]);
    const files = await (async () => {
      if (reports.length === 0) return [];
      const [{ diagnosticsSarif }, { pathsInRepository }] = await Promise.all([
        import('../render/reports/sarif.ts'),
        import('../outlets/repository.ts'),
      ]);
      const pathOf = await pathsInRepository(terminal.env);
      const category = `chatform-validate/${settings?.name ?? 'project'}`;
      return reportsWith(reports, () => diagnosticsSarif(diagnostics, category, pathOf));
    })();
    if (declared === null || diagnostics.some(({ severity }) => severity === 'error'))
      return { ...refused(diagnostics), files };
    const count = declared.desired.resources.length;
    return {
      code: 0,
      diagnostics,
      document: () => commandDocument({ resources: count }, diagnostics),
      text: (paint) =>
        flags.quiet === true
          ? ''
          : `${paint('add', 'Valid:')} ${counted(count, 'resource')} for target ${declared.settings.name}.\n`,
      files,
      row: { state: 'valid', figures: { resources: count }, requests: null, shown: null },
    };
  },
);
