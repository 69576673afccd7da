// `chatform history`: who ran what and when, how it ended, and what it changed, from the ledger. Needs no network and no token.

import { MOST } from '../project/duration.ts';
import { CSV, collect, command, LEDGER, ONLY, TARGET, wholeNumber } from './flags.ts';

/** Runs of a text that does not say how many. */
const SHOWN = 20;

export const historyCommand = command(
  (program) =>
    program
      .command('history')
      .description(
        'show the runs of a target, newest first: when, who, how, what and whether it can be undone; of one run, the values before and after',
      )
      .argument('[run]', 'only this run, with everything that it changed; the beginning of its id is enough')
      .addOption(TARGET)
      .addOption(LEDGER)
      .addOption(ONLY)
      .option('--since <date>', 'runs that ended from then on: a day in UTC such as 2026-11-01, or a time')
      .option('--last <n>', `at most so many runs (default: all; in text ${SHOWN})`, wholeNumber(1, MOST))
      .addOption(CSV)
      .option('--report <format=file>', 'write a report: html or csv; may be repeated', collect)
      .option('--json', 'print one JSON document instead of text'),
  async (flags, terminal, id) => {
    const [{ historyOfLedger, momentMeant }, { chosenLedger }, files, { wordedObjects }] = await Promise.all([
      import('../run/history.ts'),
      import('../run/ledger.ts'),
      import('../outlets/report-files.ts'),
      import('../tasks/history/outline.ts'),
    ]);
    const [formats, { historyBlocks }, { blocksText }, { commandDocument }, { ledgerLine }] = await Promise.all([
      import('../render/reports/history.ts'),
      import('../render/views/history.ts'),
      import('../view/writers/terminal.ts'),
      import('../render/documents.ts'),
      import('../view/terminal/layout.ts'),
    ]);
    const ledger = await chosenLedger(flags, terminal);
    const kept = { choice: {}, environment: terminal, read: [ledger.path] };
    const reports = await files.parseReports(flags.report ?? [], formats.HISTORY_REPORTS, kept);
    const isText = flags.json !== true && flags.csv !== true && reports.length === 0;
    const { history, named } = await historyOfLedger(
      ledger,
      {
        run: id ?? null,
        only: flags.only ?? [],
        since: flags.since === undefined ? null : momentMeant('--since', flags.since),
        last: flags.last ?? (isText ? SHOWN : null),
      },
      terminal,
    );
    const reading = {
      history,
      at: new Date(terminal.clock.now()).toISOString(),
      worded: ({ objects = [] }: (typeof history)['runs'][number]) => wordedObjects(objects, named),
      isOneRun: id !== undefined,
    };
    return {
      code: 0,
      document: () => commandDocument({ ...history }),
      text: (paint) =>
        flags.csv === true
          ? formats.historyRenderers.csv(reading)
          : ledgerLine(ledger.path, ledger.settings, paint) + blocksText(historyBlocks(reading), paint),
      files: files.reportsWith(reports, (format) => formats.historyRenderers[format](reading)),
    };
  },
);
