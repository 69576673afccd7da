// `chatform history`: who ran what and when, how it ended, and what it changed, from the ledger. Needs no network and no token.

import { MOST } from '../../base/duration.ts';
import { UsageError } from '../../base/errors.ts';
import { CSV, LEDGER, ONLY, REPORT, targetsCommand, wholeNumber } from '../../command/flags.ts';
import { operationCommand } from '../../command/several.ts';

/** Runs of a text that does not say how many. */
const SHOWN = 20;

export const historyCommand = operationCommand(
  (program) =>
    targetsCommand(
      program,
      'history',
      'show the runs of a target, newest first: when, who, how, what and whether it can be undone; of one run, the values before and after',
    )
      .argument('[run]', 'only this run, with everything that it changed; the beginning of its id is enough')
      .addOption(LEDGER)
      .addOption(ONLY)
      .option('--since <date>', 'runs that ended from then on: a day in UTC such as 2026-11-01, or a time')
      .option('--last <n>', `at most so many runs (default: all; in text ${SHOWN})`, wholeNumber(1, MOST))
      .addOption(CSV)
      .addOption(REPORT)
      .option('--details', 'every object and value in full, also where many are one line')
      .option('-q, --quiet', 'only the result'),
  async ({ only = [], since, last, json, csv, report }, run) => {
    const [{ recalling }, { dayOf, timeIn }] = await Promise.all([
      import('./operation.ts'),
      import('../../base/week.ts'),
    ]);
    const moment = since === undefined ? null : (dayOf(since) ?? timeIn('UTC', since));
    if (since !== undefined && moment === null)
      throw new UsageError(
        `--since ${since}: write a day in UTC such as 2026-11-01, or a time such as 2026-11-01T08:00:00Z`,
      );
    const isText = [json, csv, report].every((given) => given === undefined);
    const options = { run: run ?? null, only, since: moment, last: last ?? (isText ? SHOWN : null), isUndoList: false };
    return { operation: recalling, options };
  },
);
