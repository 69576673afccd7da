// `chatform coverage`: who can get chats in a week, group by group, by the files, on the license, or before and after an apply. Changes nothing.

import { Option } from '@commander-js/extra-typings';
import { CSV, collect, TIMEOUT, targetsCommand } from './flags.ts';
import { commandForTargets } from './several.ts';

export const coverageCommand = commandForTargets(
  'coverage',
  (program) =>
    targetsCommand(
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
      .addOption(CSV)
      .option('--report <format=file>', 'write a report: html, svg or csv; may be repeated', collect)
      .addOption(TIMEOUT),
  async (flags, terminal, groups) => {
    const [{ prepareDeclared }, { coverageOfTarget }, { dayOf }, files, formats, documents, text] = await Promise.all([
      import('../run/prepare.ts'),
      import('../run/coverage.ts'),
      import('../staff/week.ts'),
      import('../outlets/report-files.ts'),
      import('../render/reports/coverage.ts'),
      import('../render/documents.ts'),
      import('../render/text/coverage.ts'),
    ]);
    // The hours of the files are those of the week that is shown; an apply would make those of today.
    const day = flags.on === 'desired' && dayOf(flags.week ?? '') !== null ? flags.week : undefined;
    const declared = await prepareDeclared(day === undefined ? flags : { ...flags, date: day }, terminal);
    const { diagnostics } = declared;
    const kept = { choice: flags, environment: terminal };
    const reports = await files.parseReports(flags.report ?? [], formats.COVERAGE_REPORTS, kept);
    const { requests, ...cover } = await coverageOfTarget(groups, declared, flags, terminal);
    const { report } = cover;
    const errored = report.findings.some(({ level }) => level === 'error');
    return {
      code: errored ? 1 : 0,
      diagnostics,
      document: () => documents.readingDocument(report, errored, requests, diagnostics),
      text: (paint) =>
        flags.csv === true ? formats.coverageRenderers.csv(cover) : text.coverageText(report, requests, paint),
      files: files.reportsWith(reports, (format) => formats.coverageRenderers[format](cover)),
    };
  },
);
