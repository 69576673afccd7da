// `chatform coverage`: who can get chats in a week, group by group, by the files, on the license, or before and after an apply. Changes nothing.

import { Option } from '@commander-js/extra-typings';
import { CSV, detailsOption, given, QUIET, REPORT, TIMEOUT, targetsCommand } from '../../command/flags.ts';
import { operationCommand } from '../../command/one-or-many.ts';

export const coverageCommand = operationCommand(
  (program) =>
    targetsCommand(program, 'coverage', 'show who can take chats when, over a week')
      .argument(
        '[group...]',
        'only these groups, by key, id or name; a day in the place of a week: saturday, today, 2026-12-24',
      )
      .addOption(QUIET)
      .addOption(
        new Option(
          '--on <what>',
          'the files, which sends no request; the license as it is (live); or before and after an apply (both)',
        )
          .choices(['files', 'live', 'both'] as const)
          .default('files' as const),
      )
      .option('--date <day>', 'the week that this day is in, such as 2026-10-25 (default: the current week)')
      .option('--timezone <zone>', 'the zone of the week (default: routing.timezone, or UTC)')
      .option(
        '--demand <days>',
        'put the demand of so many days next to it, such as 28d: a request to the reports for each group, which is billed',
      )
      .option('--names', 'also who can get a chat, and when')
      .addOption(detailsOption('also the hours of the week of each group'))
      .addOption(CSV)
      .addOption(REPORT)
      .addOption(TIMEOUT),
  async ({ on, date, timezone, demand, names }, groups) => {
    const { covering } = await import('./operation.ts');
    return { operation: covering, options: { groups, on, ...given({ date, timezone, demand, names }) } };
  },
);
