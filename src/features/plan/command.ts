// `chatform plan`: shows what would change on the license. Writes nothing but the files that it is asked for.

import type { Command } from '@commander-js/extra-typings';
import { UsageError } from '../../base/errors.ts';
import {
  ADOPTED,
  command,
  DETACH,
  dateOption,
  type FlagsOf,
  given,
  NEW_LICENSE,
  ON,
  planningTargetsCommand,
  reportOption,
} from '../../command/flags.ts';
import { isForSeveral, ofOne } from '../../command/several.ts';
import { areDrawn, FORMATS } from '../../many/formats.ts';
import type { PlanOptions } from './options.ts';

const declare = (program: Command) =>
  planningTargetsCommand(
    program,
    'plan',
    'show what would change on the license; changes nothing',
    'only the summary and the dangers',
  )
    .option('--detailed-exitcode', 'exit 2 when there are differences')
    .option('--out <file>', 'save the plan, for `apply FILE` and `show FILE`')
    .option('--verify-as-customer', 'with --out: an apply of the plan verifies the license as customers see it')
    .option('--against <file>', 'plan against what `chatform snapshot` wrote: no token, no network, no ledger')
    .addOption(dateOption('plan'))
    .addOption(ON)
    .addOption(DETACH)
    .addOption(reportOption([...FORMATS, 'terraform']))
    .option('--destroy', 'plan the removal of what chatform made, as `destroy` would do it')
    .addOption(ADOPTED)
    .addOption(NEW_LICENSE);

type Flags = FlagsOf<typeof declare>;

export const planCommand = command(declare, async (flags, terminal) => {
  const { out } = flags;
  const [{ planning }, { savedAsLine }] = await Promise.all([import('./operation.ts'), import('./saved.ts')]);
  if (isForSeveral(flags)) {
    const [{ requireAbsent }, { prepareFolder }] = await Promise.all([
      import('../../command/chosen-targets.ts'),
      import('../../many/plans/folder.ts'),
    ]);
    const { against, events, secretsFile, on } = flags;
    requireAbsent({ '--against': against, '--events': events, '--secrets-file': secretsFile });
    if (on !== undefined) requireAbsent({ '--out': out });
    const save = out === undefined ? undefined : { folder: out };
    const [{ wavesNote }, { operateOnMany }] = await Promise.all([
      import('../../command/waves.ts'),
      import('../../command/operate-many.ts'),
    ]);
    return operateOnMany(
      { operation: planning, options: { ...optionsOf(flags), ...given({ save }) } },
      flags,
      terminal,
      {
        begin: async ({ scope }) => {
          if (out !== undefined)
            await prepareFolder(
              out,
              scope.targets.map(({ name }) => name),
            );
        },
        note: (chosen) => wavesNote(chosen, out),
      },
    );
  }
  const [{ reportFlags, requireDistinct }, { eventsOfPlan, withEvents }, { operateOn }] = await Promise.all([
    import('../../outlets/report-files.ts'),
    import('../../command/events-file.ts'),
    import('../../command/operate.ts'),
  ]);
  await requireDistinct([
    [`--out ${out}`, out],
    [`--events ${flags.events}`, flags.events],
    [`--secrets-file ${flags.secretsFile}`, flags.secretsFile],
    ...reportFlags(flags.report),
  ]);
  const save = out === undefined ? undefined : { file: out };
  const pictures = (await areDrawn(flags.report)) || undefined;
  const one = ofOne(flags);
  return withEvents('plan', one, terminal, (events) =>
    operateOn({ operation: planning, options: { ...optionsOf(flags), ...given({ save, pictures }) } }, one, terminal, {
      ...eventsOfPlan(events),
      note: ({ saved, plan }) =>
        saved === null || flags.quiet === true ? '' : savedAsLine(saved.file, plan, saved.digest),
    }),
  );
});

function optionsOf(flags: Flags): PlanOptions {
  const { only, except, acknowledge, newLicense, impact, people, date, against } = flags;
  const { verifyAsCustomer, detailedExitcode, destroy, adopted } = flags;
  if (adopted === true && destroy !== true)
    throw new UsageError('--adopted is about what a destroy removes: give --destroy also');
  const destroys = destroy === true ? { adopted: adopted === true } : undefined;
  const planned = { only, except, acknowledge, newLicense, impact, people, destroys };
  return given({ ...planned, date, against, verifyAsCustomer, detailedExitcode });
}
