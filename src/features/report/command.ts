// `chatform report`: one report of the service as a table with bars. Changes nothing.

import { CSV, collect, given, REPORT, TIMEOUT, targetsCommand } from '../../command/flags.ts';
import { operationCommand } from '../../command/several.ts';
import { SHORT_NAMES } from '../../demand/forms.ts';

export const reportCommand = operationCommand(
  (program) =>
    targetsCommand(
      program,
      'report',
      'show one report of the service: chats, ratings, tags, response times and others; changes nothing',
    )
      .usage('[options] <name>')
      // Without a name, the error has more to say than that there is none.
      .argument('[name]', `one of ${SHORT_NAMES.join(', ')}`)
      .option('--group <group>', 'only this group, by key, address, id or name; may be repeated', collect)
      .option(
        '--agent <agent>',
        'only this agent or bot; needs --people; may be repeated where each agent has a row',
        collect,
      )
      .option('--tag <tag>', 'only chats with this tag; may be repeated', collect)
      .option('--last <time>', 'the last whole days, weeks or hours: 28d, 4w or 24h (default: 7d)')
      .option('--from <time>', 'a day or a time, in the place of --last')
      .option('--to <time>', 'a day, which counts as a whole, or a time (default: now)')
      .option('--distribution <unit>', 'one row for each hour, day, day-hours, month or year (default: day)')
      .option('--timezone <zone>', 'the zone of days and hours (default: routing.timezone, or UTC)')
      .option('--people', 'also show figures of persons, where they stand on five chats or more')
      .addOption(CSV)
      .addOption(REPORT)
      .option('--details', 'every row, also where many are one line')
      .option('-q, --quiet', 'only the result')
      .addOption(TIMEOUT),
  async ({ group, agent, tag, last, from, to, distribution, timezone, people }, name) => {
    const { reporting } = await import('./operation.ts');
    const options = {
      name: name ?? null,
      ...given({ group, agent, tag, last, from, to, distribution, timezone, people }),
    };
    return { operation: reporting, options };
  },
);
