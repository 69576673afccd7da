// `chatform destroy`: removes what chatform made on a license, as an apply of a manifest that declares nothing. Reads no manifest, and changes none.

import type { Command } from '@commander-js/extra-typings';
import { ADOPTED, command, planningCommand } from '../../command/flags.ts';

export const destroyCommand = command(
  (program: Command) =>
    planningCommand(
      program,
      'destroy',
      'remove from the license what chatform made there: plan it, show it, ask, do it',
      'no plan and no progress: only the result',
    )
      .argument('[plan]', 'a plan that `plan --destroy --out` saved: only what it does is done, and nothing is asked')
      .addOption(ADOPTED)
      .option('-y, --yes', 'destroy without asking')
      .option('--no-verify', 'do not check that it took effect: fewer requests, and no proof'),
  async (flags, terminal, file) => {
    const { applyOne } = await import('./command.ts');
    return applyOne({ ...flags, destroys: { adopted: flags.adopted === true } }, terminal, file);
  },
);
