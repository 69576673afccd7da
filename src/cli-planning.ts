// The commands that hold a manifest against a license, and their flags. Knows nothing of what they do; each is loaded when it is called.

import type { Command } from '@commander-js/extra-typings';
import { collect, EXCEPT, ONLY, type Run, TIMEOUT, targetCommand } from './commands/flags.ts';

function planningCommand(program: Command, name: string, description: string, quiet: string) {
  return targetCommand(program, name, description)
    .option('-q, --quiet', quiet)
    .addOption(ONLY)
    .addOption(EXCEPT)
    .option(
      '--acknowledge <address>',
      'acknowledge a withheld change, `deletes` or `empty-manifest`; may be repeated',
      collect,
    )
    .option('--events <file>', 'write what happens into this file, one JSON object a line')
    .option('--secrets-file <file>', 'where secrets of new bots and templates go')
    .addOption(TIMEOUT);
}

export function addPlanningCommands(program: Command, run: Run): void {
  targetCommand(program, 'validate', 'check the files: everything wrong, at its place, in one run; asks nobody')
    .option('-q, --quiet', 'say nothing when nothing is wrong')
    .option('--report <format=file>', 'write what is wrong into a file: sarif; may be repeated', collect)
    .action((flags) =>
      run(flags, async (terminal) => (await import('./commands/validate.ts')).validate(flags, terminal)),
    );

  planningCommand(program, 'plan', 'show what would change on the license; changes nothing', 'no progress')
    .option('--detailed-exitcode', 'exit 2 when there are differences')
    .option('--out <file>', 'save the plan, for `apply FILE` and `show FILE`')
    .option('--against <file>', 'plan against what `chatform snapshot` wrote: no token, no network, no ledger')
    .option(
      '--rehearse',
      'apply it to a copy of the license in this process, and say what would be refused; with --against it needs a snapshot taken with --full',
    )
    .option(
      '--report <format=file>',
      'write a report: markdown, html, sarif, junit, terraform or codequality; may be repeated',
      collect,
    )
    .action((flags) => run(flags, async (terminal) => (await import('./commands/plan.ts')).plan(flags, terminal)));

  planningCommand(
    program,
    'apply',
    'make the license as the manifest says, and prove that it took effect',
    'no plan and no progress: only what came of it',
  )
    .argument('[plan]', 'a plan that `plan --out` saved: only what it does is done, and nothing is asked')
    .option('-y, --yes', 'apply without asking')
    .option('--no-verify', 'do not look whether it took effect: fewer requests, and no proof')
    .option('--assume-settled', 'with a new ledger, do not wait for what another run may just have created')
    .action((plan, flags) =>
      run(flags, async (terminal) =>
        (await import('./commands/apply.ts')).apply(plan === undefined ? flags : { ...flags, saved: plan }, terminal),
      ),
    );

  planningCommand(
    program,
    'undo',
    'take back what a run changed: plan it, show how far each change can be taken back, ask, do it',
    'no plan and no progress: only what came of it',
  )
    .argument('[run]', 'a run of `ledger history`, or how its id begins (default: the last that changed something)')
    .option('--plan', 'only show what it would do; changes nothing')
    .option('-y, --yes', 'undo without asking')
    .action((id, flags) =>
      run(flags, async (terminal) => (await import('./commands/undo.ts')).undo(id ?? null, flags, terminal)),
    );
}
