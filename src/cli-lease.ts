// The commands below `chatform lease` and their flags. Knows nothing of what they do; each is loaded when it is called.

import type { Command } from '@commander-js/extra-typings';
import type { Run } from './commands/flags.ts';

export function addLeaseCommands(lease: Command, run: Run): void {
  const leaseCommand = (name: string, description: string) =>
    lease
      .command(name)
      .description(description)
      .option('-t, --target <name>', 'target of chatform.yaml (default: its default_target)')
      .option('--ledger <file>', 'the ledger that the lease is beside, instead of a target')
      .option('--json', 'print one JSON document instead of text');

  leaseCommand('status', 'show who holds the target, since when and until when').action((flags) =>
    run(flags, async (terminal) => (await import('./commands/lease.ts')).leaseStatus(flags, terminal)),
  );

  leaseCommand('release', 'end the lease of a run that is dead; one that lives sends nothing more')
    .option('-y, --yes', 'release without asking')
    .action((flags) =>
      run(flags, async (terminal) => (await import('./commands/lease.ts')).leaseRelease(flags, terminal)),
    );
}
