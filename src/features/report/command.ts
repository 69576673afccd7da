// `chatform report`: one report of the service as a table with bars, or what changed in the chats since an apply. Changes nothing.

import type { Command } from '@commander-js/extra-typings';
import { UsageError } from '../../base/errors.ts';
import {
  CSV,
  collect,
  detailsOption,
  type FlagsOf,
  flagsGiven,
  given,
  PARTS,
  QUIET,
  REPORT,
  TIMEOUT,
  targetsCommand,
} from '../../command/flags.ts';
import { operationsCommand } from '../../command/one-or-many.ts';
import { SHORT_NAMES } from '../../demand/forms.ts';

const declare = (program: Command) =>
  targetsCommand(program, 'report', 'show a report of the service, or the chats since an apply')
    // Without a name, the error has more to say than that there is none.
    .argument('[name]', `one of ${SHORT_NAMES.join(', ')}`)
    .optionsGroup(PARTS.objects)
    .option('--group <group>', 'only this group, by key, address, id or name; may be repeated', collect)
    .option(
      '--agent <agent>',
      'only this agent or bot; needs --people; may be repeated where each agent has a row',
      collect,
    )
    .option('--tag <tag>', 'only chats with this tag; may be repeated', collect)
    .optionsGroup(PARTS.how)
    .option('--last <time>', 'the last whole days, weeks or hours: 28d, 4w or 24h (default: 7d)')
    .option('--from <time>', 'a day or a time, in the place of --last')
    .option('--to <time>', 'a day, which counts as a whole, or a time (default: now)')
    .option('--distribution <unit>', 'one row for each hour, day, day-hours, month or year (default: day)')
    .option('--timezone <zone>', 'the zone of days and hours (default: routing.timezone, or UTC)')
    .option('--people', 'also show figures of persons, where they stand on five chats or more')
    .option(
      '--since [run]',
      'compare the chats since this run of `history` with the same hours of the four weeks before (default: the last that changed something)',
    )
    .option(
      '--for <time>',
      'with --since: wait until the reports show so many whole hours, such as 4h (default: compare what they show now)',
    )
    .addOption(CSV)
    .addOption(REPORT)
    .addOption(detailsOption('every row, also where many are one line'))
    .addOption(QUIET)
    .addOption(TIMEOUT);

type Flags = FlagsOf<typeof declare>;

export const reportCommand = operationsCommand(declare, async (flags, _terminal, operate, name) => {
  const { group, agent, tag, last, from, to, distribution, timezone, people } = flags;
  if (flags.since !== undefined) return operate(await since(flags.since, flags, name));
  if (flags.for !== undefined) throw new UsageError('--for waits for the chats since an apply: add --since');
  const { reporting } = await import('./operation.ts');
  const options = {
    name: name ?? null,
    ...given({ group, agent, tag, last, from, to, distribution, timezone, people }),
  };
  return operate({ operation: reporting, options });
});

/** What changed since a run; `true` for the last one. */
async function since(run: string | true, { group, for: time, ...flags }: Flags, name: string | undefined) {
  const { agent, tag, last, from, to, distribution, timezone, people, csv } = flags;
  const ofReports = { '--agent': agent, '--tag': tag, '--last': last, '--from': from, '--to': to };
  const others = {
    ...ofReports,
    '--distribution': distribution,
    '--timezone': timezone,
    '--people': people,
    '--csv': csv,
  };
  const names = [...(name === undefined ? [] : [name]), ...flagsGiven(others)];
  if (names.length > 0)
    throw new UsageError(`--since compares the chats of the groups that a run touched: leave out ${names.join(', ')}`);
  const [{ following }, { hoursMeant }] = await Promise.all([
    import('./since/operation.ts'),
    import('./since/read-follow.ts'),
  ]);
  const hours = time === undefined ? null : hoursMeant('--for', time);
  return { operation: following, options: { run: run === true ? null : run, groups: group ?? [], hours } };
}
