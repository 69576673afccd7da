// The commands below `chatform ledger` and their flags. Knows nothing of what they do; each is loaded when it is called.

import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import type { Run } from './commands/flags.ts';

function positive(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('write a whole number from 1 on');
  return number;
}

/** Flags that all of them take. */
function below(ledger: Command, usage: string, description: string) {
  return ledger
    .command(usage)
    .description(description)
    .option('-t, --target <name>', 'target of chatform.yaml whose ledger is meant (default: its default_target)')
    .option('--ledger <file>', 'the ledger itself, instead of a target')
    .option('--json', 'print one JSON document instead of text');
}

export function addLedgerCommands(ledger: Command, run: Run): void {
  below(ledger, 'show', 'what is ours: address, id, origin, since when, and when it was last applied').action((flags) =>
    run(flags, async (terminal) => (await import('./commands/ledger/show.ts')).show(flags, terminal)),
  );

  below(ledger, 'history', 'what happened, oldest first: time, run and event')
    .argument('[address]', 'only this address, under its earlier names too; * stands for anything')
    .option('--limit <n>', 'only the latest <n> events', positive)
    .action((address, flags) =>
      run(flags, async (terminal) => (await import('./commands/ledger/history.ts')).history(address, flags, terminal)),
    );

  below(ledger, 'forget', 'stop owning: the objects stay on the license, and are strangers from now on')
    .argument('<address...>', 'such as group/sales, agent/* or a bare kind')
    .option('-y, --yes', 'forget without asking')
    .action((addresses, flags) =>
      run(flags, async (terminal) => (await import('./commands/ledger/forget.ts')).forget(addresses, flags, terminal)),
    );

  below(ledger, 'compact', 'make the log shorter; what is ours stays the same')
    .option('--keep-days <n>', 'leave the events of so many days as they are', positive, 30)
    .action((flags) =>
      run(flags, async (terminal) => (await import('./commands/ledger/compact.ts')).compact(flags, terminal)),
    );

  below(ledger, 'repair', 'move damaged lines out of a log that cannot be read')
    .option('-y, --yes', 'repair without asking')
    .action((flags) =>
      run(flags, async (terminal) => (await import('./commands/ledger/repair.ts')).repair(flags, terminal)),
    );
}
