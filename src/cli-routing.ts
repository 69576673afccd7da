// The commands about who gets chats, and their flags. Knows nothing of what they do; each is loaded when it is called.

import { type Command, Option } from '@commander-js/extra-typings';
import { type Run, TIMEOUT, targetCommand } from './cli-flags.ts';

export function addRoutingCommands(program: Command, run: Run): void {
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
        'the files (desired, which asks nobody), the license (live), or the license before and after an apply (both)',
      )
        .choices(['desired', 'live', 'both'] as const)
        .default('desired' as const),
    )
    .option('--week <day>', 'the week that this day is in, such as 2026-10-25 (default: the current week)')
    .option('--timezone <zone>', 'the zone in which the week is told (default: routing.timezone, or UTC)')
    .option('--svg <file>', 'draw it as well, into this file')
    .addOption(TIMEOUT)
    .action((groups, flags) =>
      run(flags, async (terminal) => (await import('./commands/coverage.ts')).coverage(groups, flags, terminal)),
    );
}
