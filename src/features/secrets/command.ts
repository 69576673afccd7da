// `chatform secrets`: another secret for bots and bot templates, tokens of bots, and secrets that wait in a file.

import type { Command } from '@commander-js/extra-typings';
import { type AddCommand, command, TARGET, TIMEOUT } from '../../command/flags.ts';

function below(secrets: Command, usage: string, description: string) {
  return secrets
    .command(usage)
    .description(description)
    .addOption(TARGET)
    .option('--secrets-file <file>', 'where secrets go, instead of what chatform.yaml says')
    .option('--json', 'print one JSON document instead of text; no secret is in it');
}

const rotate = command(
  (secrets) =>
    below(secrets, 'rotate', 'get another secret from the service and keep it; the old one ends')
      .argument('<address...>', 'such as bot/triage, or bot/* for all that are owned')
      .option(
        '--existing-installations',
        'of a template: bots that were made from it get the secret as well, on every license',
      )
      .addOption(TIMEOUT)
      .option('-y, --yes', 'rotate without asking'),
  async (flags, terminal, addresses) => {
    const [{ placeName, rotateSecrets, secretsTarget }, text, results, { rotateDocument }, { RUN_CODES }] =
      await Promise.all([
        import('./operation.ts'),
        import('./view.ts'),
        import('../../command/result.ts'),
        import('../../view/documents.ts'),
        import('../apply/report.ts'),
      ]);
    const target = await secretsTarget(flags, terminal);
    const about = { target: target.settings.name, sink: placeName(target.place) };
    const installations = flags.existingInstallations === true;
    const result = await rotateSecrets(
      target,
      addresses,
      {
        installations,
        agree: (rotations) => {
          const question = text.rotateQuestion(rotations, { ...about, installations }, terminal.paintErr);
          return results.confirm({ question, word: 'rotate', yes: flags.yes === true }, terminal);
        },
        onPause: (address, milliseconds) =>
          terminal.err(`${text.pauseLine(address, milliseconds, terminal.paintErr)}\n`),
      },
      terminal,
    );
    if ('stopped' in result) return results.notDone(result.stopped, terminal);
    const { report, requests, isUntouched } = result;
    return {
      // A run that lost the lease before its first request was locked out.
      code: isUntouched ? 4 : RUN_CODES[report.outcome],
      document: () => rotateDocument(report, { ...about, requests }),
      text: (paint) => text.rotatedText(report, about.sink, paint),
    };
  },
);

const rescue = command(
  (secrets) => below(secrets, 'rescue', 'keep the secrets that wait in a file because they could not be kept'),
  async (flags, terminal) => {
    const [{ placeName, rescueSecrets, secretsTarget }, text, results, { rescueDocument }] = await Promise.all([
      import('./operation.ts'),
      import('./view.ts'),
      import('../../command/result.ts'),
      import('../../view/documents.ts'),
    ]);
    const target = await secretsTarget(flags, terminal);
    const result = await rescueSecrets(target, terminal);
    if ('stopped' in result) return results.notDone(result.stopped, terminal);
    const done = { target: target.settings.name, sink: placeName(target.place), ...result };
    return {
      code: 0,
      document: () => rescueDocument(done),
      text: (paint) => text.rescuedText(done, paint),
    };
  },
);

const token = command(
  (secrets) =>
    below(
      secrets,
      'token',
      'issue a token of a bot and keep it; it ends after 24 hours, and nothing takes it back before',
    )
      .argument('<address>', 'such as bot/triage')
      .option('--secret-env <name>', 'variable with the secret of the bot, where the place of secrets cannot be read')
      .addOption(TIMEOUT),
  async (flags, terminal, address) => {
    const [{ issueToken }, { placeName, secretsTarget }, text, results, { tokenDocument }] = await Promise.all([
      import('./token-operation.ts'),
      import('./operation.ts'),
      import('./view.ts'),
      import('../../command/result.ts'),
      import('../../view/documents.ts'),
    ]);
    const target = await secretsTarget(flags, terminal);
    const issued = await issueToken(target, address, flags.secretEnv ?? null, terminal);
    if ('stopped' in issued) return results.notDone(issued.stopped, terminal);
    const sink = placeName(target.place);
    return {
      code: issued.state === 'kept' ? 0 : 6,
      document: () => tokenDocument(issued, { target: target.settings.name, sink }),
      text: (paint) => text.issuedText(issued, sink, paint),
    };
  },
);

const list = command(
  (secrets) =>
    secrets
      .command('list')
      .description('list the secrets and tokens that the ledger knows, and where they are; shows none of them')
      .addOption(TARGET)
      .option('--json', 'print one JSON document instead of text; no secret is in it'),
  async (flags, terminal) => {
    const [{ heldSecrets }, { prepareBare }, text, { commandDocument }] = await Promise.all([
      import('./token-operation.ts'),
      import('../../target/choice.ts'),
      import('./view.ts'),
      import('../../view/documents.ts'),
    ]);
    const { settings } = await prepareBare(flags, terminal);
    const secrets = await heldSecrets(settings, terminal);
    return {
      code: 0,
      document: () => commandDocument({ target: settings.name, ledger: settings.ledger, secrets }),
      text: (paint) => text.heldText(settings.ledger, secrets, terminal.clock.now(), paint),
    };
  },
);

export const secretsCommand: AddCommand = (program, run) => {
  const secrets = program.command('secrets').description('the secrets of bots and bot templates');
  for (const add of [list, rotate, rescue, token]) add(secrets, run);
};
