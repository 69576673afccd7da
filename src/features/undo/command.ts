// `chatform undo`: takes back what a run changed, by an ordinary plan. Reads no manifest, and changes none.

import type { Command } from '@commander-js/extra-typings';
import { UsageError } from '../../base/errors.ts';
import { command, given, LOCK_TIMEOUT, planningCommand, planningOptions, REASON } from '../../command/flags.ts';

const declare = (program: Command) =>
  planningCommand(program, 'undo', 'take back what a run changed: show it, ask, do it')
    .argument(
      '[run]',
      'a run of `history`, or how its id begins (default: the last that changed something and was not taken back)',
    )
    .option('--list', 'only list the runs that can be undone, and why others cannot; sends nothing')
    .option('--plan', 'only show what it would do; changes nothing')
    .option('-y, --yes', 'undo without asking')
    .addOption(LOCK_TIMEOUT)
    .addOption(REASON);

export const undoCommand = command(declare, async (flags, terminal, id) => {
  if (flags.list === true) {
    const [{ recalling }, { operateOn }] = await Promise.all([
      import('../history/operation.ts'),
      import('../../command/operate.ts'),
    ]);
    const options = { run: id ?? null, only: flags.only ?? [], find: null, since: null, last: null, isUndoList: true };
    return operateOn({ operation: recalling, options }, flags, terminal);
  }
  if (flags.var !== undefined || flags.varFile !== undefined)
    throw new UsageError('undo reads no manifest, so it does not take --var or --var-file');
  const [{ undoing }, { operateOn }, { watched }] = await Promise.all([
    import('./operation.ts'),
    import('../../command/operate.ts'),
    import('../apply/watching.ts'),
  ]);
  const { reason } = flags;
  const options = { ...planningOptions(flags), ...given({ reason }), run: id ?? null, isPlan: flags.plan === true };
  const asked = { operation: undoing, options };
  const asks = flags.yes !== true && flags.plan !== true;
  return watched('undo', { flags, asks }, terminal, (adds) => operateOn(asked, flags, terminal, adds));
});
