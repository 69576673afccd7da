// `chatform validate`: everything that is wrong with the files of a target. Sends no request.

import { QUIET, REPORT, targetsCommand } from '../../command/flags.ts';
import { operationCommand } from '../../command/one-or-many.ts';

export const validateCommand = operationCommand(
  (program) =>
    targetsCommand(program, 'validate', 'check the files: every error with its line')
      .addOption(QUIET)
      .addOption(REPORT),
  async () => {
    const { validating } = await import('./operation.ts');
    return { operation: validating, options: {} };
  },
);
