// `chatform test`: runs the routing tests of the manifest on the rules that the files declare, or on those of the license. Changes nothing.

import { REPORT, targetsCommand } from '../../command/flags.ts';
import { operationCommand } from '../../command/several.ts';

export const testCommand = operationCommand(
  (program) =>
    targetsCommand(program, 'test', 'run the routing tests of the manifest; changes nothing')
      .option('-q, --quiet', 'only the result')
      .option('--live', 'on the rules that the license has, instead of those that the files declare')
      .addOption(REPORT),
  async ({ live }) => {
    const { testing } = await import('./operation.ts');
    return { operation: testing, options: { on: live === true ? ('live' as const) : ('desired' as const) } };
  },
);
