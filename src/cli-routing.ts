// The commands about routing and their flags. Knows nothing of what they do; each is loaded when it is called.

import type { Command } from '@commander-js/extra-typings';
import { collect, type Run, targetCommand } from './cli-flags.ts';

export function addRoutingCommands(program: Command, run: Run): void {
  targetCommand(program, 'test', 'run the routing tests of the manifest; changes nothing')
    .option('-q, --quiet', 'no list and no progress: only what failed')
    .option('--live', 'on the rules that the license has, instead of those that the files declare')
    .option('--report <format=file>', 'write a report: junit, sarif or json; may be repeated', collect)
    .action((flags) => run(flags, async (terminal) => (await import('./commands/test.ts')).test(flags, terminal)));
}
