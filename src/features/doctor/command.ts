// `chatform doctor`: checks everything that an apply will need of a target, before it is needed. Writes nothing, anywhere.

import { ACCOUNTS_URL, QUIET, REPORT, targetsCommand } from '../../command/flags.ts';
import { operationCommand } from '../../command/one-or-many.ts';

export const doctorCommand = operationCommand(
  (program) =>
    targetsCommand(program, 'doctor', 'check files, connection, token and limits of a target')
      .addOption(QUIET)
      .addOption(ACCOUNTS_URL)
      .option('--secrets-file <file>', 'where secrets of new bots and templates go')
      .option('--reports', 'also ask one report, to see whether the token may read reports')
      .addOption(REPORT),
  async ({ reports }) => {
    const { doctoring } = await import('./operation.ts');
    return { operation: doctoring, options: { reports: reports === true } };
  },
);
