// `chatform follow`: what changed in the chats of the groups that an apply touched, since that apply. Changes nothing.

import { REPORT, TIMEOUT, targetsCommand } from '../../../command/flags.ts';
import { operationCommand } from '../../../command/several.ts';

export const followCommand = operationCommand(
  (program) =>
    targetsCommand(
      program,
      'follow',
      'compare the chats since an apply with the same hours of the four weeks before; changes nothing',
    )
      .argument('[group...]', 'only these of the groups that it touched, by key, id or name')
      .option('-q, --quiet', 'only the result, and no progress')
      .option('--run <id>', 'a run of `history`, or how its id begins (default: the last that changed something)')
      .option(
        '--for <time>',
        'wait until the reports show so many whole hours since, such as 4h (default: compare what they show now)',
      )
      .addOption(TIMEOUT)
      .addOption(REPORT),
  async ({ run = null, for: time }, groups) => {
    const [{ following }, { hoursMeant }] = await Promise.all([import('./operation.ts'), import('./read-follow.ts')]);
    const hours = time === undefined ? null : hoursMeant('--for', time);
    return { operation: following, options: { run, groups, hours } };
  },
);
