// The commands about routing, and who gets chats by it, and their flags. Knows nothing of what they do; each is loaded when it is called.

import { type Command, Option } from '@commander-js/extra-typings';
import { collect, type Run, TIMEOUT, targetCommand } from './commands/flags.ts';

export function addRoutingCommands(program: Command, run: Run): void {
  targetCommand(program, 'test', 'run the routing tests of the manifest; changes nothing')
    .option('-q, --quiet', 'no list and no progress: only what failed')
    .option('--live', 'on the rules that the license has, instead of those that the files declare')
    .option('--report <format=file>', 'write a report: junit, sarif or json; may be repeated', collect)
    .action((flags) => run(flags, async (terminal) => (await import('./commands/test.ts')).test(flags, terminal)));

  targetCommand(program, 'explain', 'say which rule decides for a visitor and why, and who would get the chat')
    .requiredOption('--url <url>', 'URL of the page the visitor is on')
    .option('--country <name>', 'where the visitor is: name of the country in English')
    .option('--country-code <code>', 'or its code, of two letters')
    .option('--region <name>', 'region in the country')
    .option('--city <name>', 'city in it')
    .addOption(
      new Option('--on <side>', 'the rules that the files declare, those that the license has, or both')
        .choices(['desired', 'live', 'both'] as const)
        .default('desired' as const),
    )
    .option('--at <time>', 'for which time to say who is at work, such as 2026-11-23T10:00 (default: now)')
    .option('-q, --quiet', 'no progress')
    .action((flags) =>
      run(flags, async (terminal) => (await import('./commands/explain.ts')).explain(flags, terminal)),
    );

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
