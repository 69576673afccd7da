// The commands below `chatform secrets` and their flags. Knows nothing of what they do; each is loaded when it is called.

import type { Command } from '@commander-js/extra-typings';
import { type Run, TIMEOUT } from './commands/flags.ts';

export function addSecretsCommands(secrets: Command, run: Run): void {
  const secretsCommand = (usage: string, description: string) =>
    secrets
      .command(usage)
      .description(description)
      .option('-t, --target <name>', 'target of chatform.yaml (default: its default_target)')
      .option('--secrets-file <file>', 'where secrets go, instead of what chatform.yaml says')
      .option('--json', 'print one JSON document instead of text; no secret is in it');

  secretsCommand('rotate', 'get another secret from the service and keep it; the old one ends')
    .argument('<address...>', 'such as bot/triage, or bot/* for all that are ours')
    .option(
      '--existing-installations',
      'of a template: bots that were made from it get the secret too, on every license',
    )
    .addOption(TIMEOUT)
    .option('-y, --yes', 'rotate without asking')
    .action((addresses, flags) =>
      run(flags, async (terminal) => (await import('./commands/secrets/rotate.ts')).rotate(addresses, flags, terminal)),
    );

  secretsCommand('rescue', 'keep the secrets that wait in a file because they could not be kept').action((flags) =>
    run(flags, async (terminal) => (await import('./commands/secrets/rescue.ts')).rescue(flags, terminal)),
  );
}
