// `chatform import`: what the license has and no file declares becomes entries of the manifest, and owned. Changes nothing on the license.

import { type Command, Option } from '@commander-js/extra-typings';
import { UsageError } from '../../base/errors.ts';
import { given, LOCK_TIMEOUT, NEW_LICENSE, ONLY, QUIET, REPORT, TIMEOUT, targetsCommand } from '../../command/flags.ts';
import { isForMany, operationCommand } from '../../command/one-or-many.ts';

const declare = (program: Command) =>
  targetsCommand(program, 'import', 'write files for what is on the license')
    .addOption(QUIET)
    .addOption(ONLY)
    .addOption(
      new Option(
        '--split <how>',
        'new sections: a file for each kind, or none of them (default: as `manifest:` names a folder, or a file)',
      ).choices(['kind', 'none'] as const),
    )
    .option('--externals', 'also make entries of what the files only look up as `external`')
    .option('--with-ids', 'write `id:` into the files, and leave the ledger unchanged')
    .option('--plan', 'only print what would be written; writes nothing')
    .addOption(NEW_LICENSE)
    .addOption(REPORT)
    .addOption(TIMEOUT)
    .addOption(LOCK_TIMEOUT);

export const importCommand = operationCommand(declare, async (flags) => {
  const { only, split, externals, withIds, plan, newLicense } = flags;
  // All targets share the manifest, and what one license has is not what the others should have.
  if (isForMany(flags) && plan !== true)
    throw new UsageError(
      'import writes into the files that all targets share: name one target with -t, or add --plan to see what each of them has',
    );
  const { importing } = await import('./operation.ts');
  return { operation: importing, options: given({ only, split, externals, withIds, plan, newLicense }) };
});
