// `chatform destroy`: removes what chatform made on a license, as an apply of a manifest that declares nothing. Reads no manifest, and changes none.

import type { Command } from '@commander-js/extra-typings';
import { UsageError } from '../../base/errors.ts';
import {
  ADOPTED,
  command,
  LOCK_TIMEOUT,
  NOT_BEFORE,
  outOption,
  planningCommand,
  planningOptions,
  REASON,
  reportOption,
  THROUGH_FREEZE,
} from '../../command/flags.ts';
import { FORMATS } from '../../many/formats.ts';

export const destroyCommand = command(
  (program: Command) =>
    planningCommand(program, 'destroy', 'remove from the license what chatform made there')
      .argument('[plan]', 'a plan that `destroy --plan --out` saved: only what it does is done, and nothing is asked')
      .addOption(ADOPTED)
      .option('--plan', 'only show what it would do')
      .option('-y, --yes', 'destroy without asking')
      .addOption(LOCK_TIMEOUT)
      .addOption(REASON)
      .addOption(THROUGH_FREEZE)
      .addOption(NOT_BEFORE)
      .option('--no-verify', 'do not check that it took effect: fewer requests, and no proof')
      .addOption(outOption('destroy'))
      .addOption(reportOption([...FORMATS, 'terraform'])),
  async (flags, terminal, file) => {
    const destroys = { adopted: flags.adopted === true };
    if (flags.plan === true) {
      const { planOne } = await import('../plan/command.ts');
      return planOne(flags, { ...planningOptions(flags), destroys }, terminal);
    }
    if (flags.out !== undefined) throw new UsageError('--out saves a plan: add --plan');
    const { applyOne } = await import('./command.ts');
    return applyOne({ ...flags, destroys }, terminal, file);
  },
);
