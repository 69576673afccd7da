// `chatform test`: runs the routing tests of the manifest on the rules that the files declare, or on those of the license. Changes nothing.

import { collect, targetsCommand } from './flags.ts';
import { commandForTargets } from './several.ts';

export const testCommand = commandForTargets(
  'test',
  (program) =>
    targetsCommand(program, 'test', 'run the routing tests of the manifest; changes nothing')
      .option('-q, --quiet', 'no list and no progress: only what failed')
      .option('--live', 'on the rules that the license has, instead of those that the files declare')
      .option('--report <format=file>', 'write a report: junit, sarif or json; may be repeated', collect),
  async (flags, terminal) => {
    const [{ prepare }, { routedByFiles, routedByLicense, tested }, { refused }] = await Promise.all([
      import('../run/prepare.ts'),
      import('../run/routes.ts'),
      import('./result.ts'),
      import('../run/routes.ts'),
    ]);
    const [files, { pathsInRepository }, { readingDocument }, { testedText }, { testedJunit }, { diagnosticsSarif }] =
      await Promise.all([
        import('../outlets/report-files.ts'),
        import('../outlets/repository.ts'),
        import('../render/documents.ts'),
        import('../render/text/routing.ts'),
        import('../render/reports/junit.ts'),
        import('../render/reports/sarif.ts'),
      ]);
    const prepared = await prepare(flags, terminal);
    const kept = { choice: flags, environment: terminal };
    const reports = await files.parseReports(flags.report ?? [], ['junit', 'sarif', 'json'] as const, kept);
    if (prepared.settings === null || prepared.desired === null) return refused(prepared.diagnostics);
    const declared = { ...prepared, desired: prepared.desired };
    const on = flags.live === true ? 'live' : 'desired';
    const { results, failures, open, requests } =
      on === 'live'
        ? await (await import('../run/routing-license.ts')).readRouting(declared, terminal).then((read) => ({
            ...routedByLicense(declared, read.license),
            requests: read.requests,
          }))
        : { ...routedByFiles(declared, null), requests: {} };
    const outcome = tested(declared.settings.name, on, results);
    const isPassed = outcome.summary.failed + outcome.summary.open === 0;
    const diagnostics = [...prepared.diagnostics, ...failures, ...open];
    const document = (): string => readingDocument(outcome, !isPassed, requests, diagnostics);
    const pathOf = await pathsInRepository(terminal.env);
    return {
      code: isPassed ? 0 : 1,
      diagnostics,
      row: {
        state: isPassed ? 'done' : 'failed',
        figures: { passed: outcome.summary.passed, failed: outcome.summary.failed, open: outcome.summary.open },
        requests: null,
        shown: isPassed ? null : (paint) => testedText(outcome, paint),
      },
      document,
      text: (paint) => (flags.quiet === true ? '' : testedText(outcome, paint)),
      files: files.reportsWith(reports, (format) => {
        switch (format) {
          case 'json':
            return document();
          case 'junit':
            return testedJunit(outcome, failures, pathOf);
          case 'sarif':
            return diagnosticsSarif(failures, `chatform-test/${outcome.target}/${outcome.on}`, pathOf);
        }
      }),
    };
  },
);
