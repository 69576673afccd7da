// `chatform drift`: which side changed since the last apply. Sends no write to the license, and takes no lease.

import { type Command, Option } from '@commander-js/extra-typings';
import { UsageError } from '../../base/errors.ts';
import { SEVERITIES } from '../../base/model.ts';
import {
  CSV,
  DETACH,
  dateOption,
  detailsOption,
  EXCEPT,
  type FlagsOf,
  flagsGiven,
  given,
  ONLY,
  PARTS,
  QUIET,
  reportOption,
  TIMEOUT,
  targetsCommand,
  WORKERS,
} from '../../command/flags.ts';
import { operationsCommand } from '../../command/one-or-many.ts';
import { isAtTerminal } from '../../command/terminal.ts';
import { FORMATS } from '../../many/formats.ts';

const declare = (program: Command) =>
  targetsCommand(program, 'drift', 'say which side changed since the last apply')
    .addOption(QUIET)
    .addOption(detailsOption('show every difference in full, also what is known and needs no action'))
    .addOption(WORKERS)
    .addOption(DETACH)
    .addOption(dateOption('compare with'))
    .addOption(CSV)
    .addOption(ONLY)
    .addOption(EXCEPT)
    .addOption(
      new Option('--fail-on <severity>', 'the least severity that counts, instead of what chatform.yaml says').choices(
        SEVERITIES,
      ),
    )
    .addOption(reportOption([...FORMATS, 'prometheus']))
    .addOption(
      new Option(
        '--notify <when>',
        'tell the channels of chatform.yaml (default: on-change; on a terminal and with --date: never)',
      ).choices(['on-change', 'always', 'never'] as const),
    )
    .option(
      '--accept [address...]',
      'edit the files so that they say what the license says: everything that changed there, or what is named',
    )
    .option(
      '--into <file>',
      'with --accept: write into this overlay of the target, or into this file of the manifest (default: the files that only this target has)',
    )
    .optionsGroup(PARTS.more)
    .option('--sightings <file>', 'remember what was seen in this file (default: next to the ledger)')
    .option('--no-sightings', 'remember nothing')
    .addOption(TIMEOUT);

type Flags = FlagsOf<typeof declare>;

export const driftCommand = operationsCommand(declare, async (flags, terminal, operate) => {
  if (flags.accept !== undefined) return operate(await accepted(flags));
  if (flags.into !== undefined) throw new UsageError('--into says where --accept writes: give both');
  const { drifting } = await import('./operation.ts');
  const { failOn, date, notify, sightings, only, except } = flags;
  // A person who leaves the run to workers does not see the result.
  const isSeen = (flags.detach !== true && isAtTerminal(terminal)) || undefined;
  return operate({
    operation: drifting,
    options: given({ failOn, date, notify, sightings, only, except, isSeen }),
  });
});

/** `--accept`: a check of its own, so it takes no flag about checks. */
async function accepted({ accept, into, only, except, ...flags }: Flags) {
  const { notify, sightings, date, workers, detach } = flags;
  const others = {
    '--notify': notify,
    '--sightings': sightings || undefined,
    '--date': date,
    '--workers': workers,
    '--detach': detach,
  };
  const names = flagsGiven(others);
  if (names.length > 0) throw new UsageError(`--accept edits the files, and does not go with ${names.join(', ')}`);
  const { accepting } = await import('./accept/operation.ts');
  return {
    operation: accepting,
    options: { addresses: Array.isArray(accept) ? accept : [], ...given({ into, only, except }) },
  };
}
