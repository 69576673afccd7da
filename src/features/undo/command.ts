// `chatform undo`: takes back what a run changed, by an ordinary plan. Reads no manifest, and changes none.

import type { Command } from '@commander-js/extra-typings';
import { UsageError } from '../../base/errors.ts';
import {
  command,
  DETACH,
  given,
  LOCK_TIMEOUT,
  planningOptions,
  planningTargetsCommand,
  REASON,
  REPORT,
  WORKERS,
} from '../../command/flags.ts';
import { isForMany, ofOne } from '../../command/one-or-many.ts';

const declare = (program: Command) =>
  planningTargetsCommand(program, 'undo', 'take back what a run changed: show it, ask, do it')
    .argument(
      '[run]',
      'a run of `history` or of `fleet list`, or how its id begins (default: the last that changed something and was not taken back)',
    )
    .option('--list', 'only list the runs that can be undone, and why others cannot; sends nothing')
    .option('--plan', 'only show what it would do; changes nothing')
    .option('-y, --yes', 'undo without asking')
    .addOption(REPORT)
    .addOption(LOCK_TIMEOUT)
    .addOption(REASON)
    .addOption(WORKERS)
    .addOption(DETACH);

export const undoCommand = command(declare, async (flags, terminal, id) => {
  if (flags.list === true) {
    const { recalling } = await import('../history/operation.ts');
    const options = { run: id ?? null, only: flags.only ?? [], find: null, since: null, last: null, isUndoList: true };
    const asked = { operation: recalling, options };
    if (isForMany(flags)) return (await import('../../command/operate-many.ts')).operateOnMany(asked, flags, terminal);
    return (await import('../../command/operate.ts')).operateOn(asked, ofOne(flags), terminal);
  }
  if (flags.var !== undefined || flags.varFile !== undefined)
    throw new UsageError('undo reads no manifest, so it does not take --var or --var-file');
  const { fleetRunNamed } = await import('./read-fleet-runs.ts');
  const fleetRun = isForMany(flags) ? null : await fleetRunNamed(id, flags, terminal);
  if (isForMany(flags) || fleetRun !== null) {
    const { undoTargets } = await import('./targets.ts');
    return undoTargets(id ?? null, flags, terminal);
  }
  const [{ undoing }, { operateOn }, { watched }] = await Promise.all([
    import('./operation.ts'),
    import('../../command/operate.ts'),
    import('../apply/watching.ts'),
  ]);
  const own = ofOne(flags);
  const { reason } = own;
  const options = { ...planningOptions(own), ...given({ reason }), run: id ?? null, isPlan: own.plan === true };
  const asked = { operation: undoing, options };
  const asks = own.yes !== true && own.plan !== true;
  return watched('undo', { flags: own, asks }, terminal, (adds) => operateOn(asked, own, terminal, adds));
});
