// `chatform coverage`: who can get chats in a week, group by group, by the files, on the license, or before and after an apply. Changes nothing.

import { Option } from '@commander-js/extra-typings';
import { CSV, given, REPORT, TIMEOUT, targetsCommand } from '../../command/flags.ts';
import { operationCommand } from '../../command/several.ts';

export const coverageCommand = operationCommand(
  (program) =>
    targetsCommand(
      program,
      'coverage',
      'show when how many people and bots can get chats, group by group, over a week; changes nothing',
    )
      .argument('[group...]', 'only these groups, by key, id or name')
      .option('-q, --quiet', 'only the result, and no progress')
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
      .option('--details', 'also the hours of the week of each group')
      .addOption(CSV)
      .addOption(REPORT)
      .addOption(TIMEOUT),
  async ({ on, week, timezone, against }, groups) => {
    const { covering } = await import('./operation.ts');
    return { operation: covering, options: { groups, on, ...given({ week, timezone, against }) } };
  },
);
