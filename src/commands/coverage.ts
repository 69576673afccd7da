// `chatform coverage`: who can get chats in a week, group by group, by the files, on the license, or before and after an apply. Changes nothing.

import { Option } from '@commander-js/extra-typings';
import { UsageError } from '../base/errors.ts';
import { collect, command, TIMEOUT, targetCommand } from './flags.ts';

export const coverageCommand = command(
  (program) =>
    targetCommand(
      program,
      'coverage',
      'show when how many people and bots can get chats, group by group, over a week; changes nothing',
    )
      .argument('[group...]', 'only these groups, by key, id or name')
      .option('-q, --quiet', 'no progress')
      .addOption(
        new Option(
          '--on <what>',
          'the files (desired, which sends no request), the license (live), or the license before and after an apply (both)',
        )
          .choices(['desired', 'live', 'both'] as const)
          .default('desired' as const),
      )
      .option('--week <day>', 'the week that this day is in, such as 2026-10-25 (default: the current week)')
      .option('--timezone <zone>', 'the zone of the week (default: routing.timezone, or UTC)')
      .option(
        '--against <days>',
        'put the demand of so many days next to it, such as 28d: a request to the reports for each group, which is billed',
      )
      .option('--svg <file>', 'also draw it, into this file')
      .option('--report <format=file>', 'with --against: write a report: html; may be repeated', collect)
      .addOption(TIMEOUT),
  async (flags, terminal, groups) => {
    if (flags.report !== undefined && flags.against === undefined)
      throw new UsageError('--report shows the demand of the groups: it needs --against, such as --against 28d');
    const [{ prepareDeclared }, { coverageOfTarget }, { dayOf }, files, { coverageSvg }, documents, text] =
      await Promise.all([
        import('../run/prepare.ts'),
        import('../run/coverage.ts'),
        import('../staff/week.ts'),
        import('../outlets/report-files.ts'),
        import('../render/reports/coverage-svg.ts'),
        import('../render/documents.ts'),
        import('../render/text/coverage.ts'),
      ]);
    // The hours of the files are those of the week that is shown; an apply would make those of today.
    const day = flags.on === 'desired' && dayOf(flags.week ?? '') !== null ? flags.week : undefined;
    const declared = await prepareDeclared(day === undefined ? flags : { ...flags, date: day }, terminal);
    const { settings, named, diagnostics } = declared;
    const { svg } = flags;
    const { coverageRenderers, COVERAGE_REPORTS } = await import('../render/html/coverage.ts');
    const kept = [...files.keptFiles(settings), ...named];
    await files.requireDistinct([[`--svg ${svg}`, svg], ...files.reportFlags(flags.report)]);
    const place = svg === undefined ? null : await files.savePlace('--svg', svg, kept);
    const reports = await files.parseReports(flags.report ?? [], COVERAGE_REPORTS, kept);
    const { report, grids, missing, requests } = await coverageOfTarget(groups, declared, flags, terminal);
    const errored = report.findings.some(({ level }) => level === 'error');
    return {
      code: errored ? 1 : 0,
      diagnostics,
      saves:
        place === null ? [] : [{ name: place.file, path: place.path, text: () => coverageSvg(report, grids, missing) }],
      document: () => documents.readingDocument(report, errored, requests, diagnostics),
      text: (paint) => text.coverageText(report, paint),
      files: files.reportsWith(reports, (format) => coverageRenderers[format](report)),
    };
  },
);
