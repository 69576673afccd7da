// `chatform history`: who ran what and when, how it ended, and what it changed, from the ledger. Needs no network and no token.

import { Option } from '@commander-js/extra-typings';
import { MOST } from '../../base/duration.ts';
import { UsageError } from '../../base/errors.ts';
import {
  CSV,
  command,
  detailsOption,
  LEDGER,
  ONLY,
  PARTS,
  QUIET,
  REPORT,
  targetsCommand,
  wholeNumber,
} from '../../command/flags.ts';
import { isForMany, ofOne } from '../../command/one-or-many.ts';

/** Runs of a text that does not say how many. */
const SHOWN = 20;

export const historyCommand = command(
  (program) =>
    targetsCommand(program, 'history', 'show the runs of a target, or what one of them changed')
      .argument(
        '[run]',
        'only this run, also one over several targets, with everything that it changed; the beginning of its id is enough',
      )
      .addOption(LEDGER)
      .addOption(ONLY)
      .addOption(
        new Option(
          '--find <text>',
          'runs with this text in an address, a name, a reason, or in who ran them; capitals do not matter',
        ).helpGroup(PARTS.objects),
      )
      .option('--from <date>', 'runs that ended from then on: a day in UTC such as 2026-11-01, or a time')
      .option('--limit <n>', `at most so many runs (default: all; in text ${SHOWN})`, wholeNumber(1, MOST))
      .addOption(CSV)
      .addOption(REPORT)
      .addOption(detailsOption('every object and value in full, also where many are one line'))
      .addOption(QUIET),
  async (flags, terminal, run) => {
    const { only = [], find, from, limit, json, csv, report } = flags;
    const [{ recalling }, { dayOf, timeIn }] = await Promise.all([
      import('./operation.ts'),
      import('../../base/week.ts'),
    ]);
    const moment = from === undefined ? null : (dayOf(from) ?? timeIn('UTC', from));
    if (from !== undefined && moment === null)
      throw new UsageError(
        `--from ${from}: write a day in UTC such as 2026-11-01, or a time such as 2026-11-01T08:00:00Z`,
      );
    if (find?.trim() === '') throw new UsageError('--find is empty: write a part of a name, an address or a reason');
    const isText = [json, csv, report].every((given) => given === undefined);
    const options = {
      run: run ?? null,
      only,
      find: find?.trim() ?? null,
      since: moment,
      last: limit ?? (isText ? SHOWN : null),
      isUndoList: false,
    };
    const asked = { operation: recalling, options };
    const { fleetRunNamed } = await import('../undo/read-fleet-runs.ts');
    const fleetRun = isForMany(flags) ? null : await fleetRunNamed(run, flags, terminal);
    if (fleetRun === null && !isForMany(flags))
      return (await import('../../command/operate.ts')).operateOn(asked, ofOne(flags), terminal);
    const of = fleetRun === null ? {} : { target: fleetRun.targets };
    return (await import('../../command/operate-many.ts')).operateOnMany(asked, { ...flags, ...of }, terminal);
  },
);
