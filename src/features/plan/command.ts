// `chatform plan`: shows what would change on the license. Writes nothing but the files that it is asked for.

import type { Command } from '@commander-js/extra-typings';
import {
  command,
  DETACH,
  dateOption,
  type FlagsOf,
  type FlagsOfOne,
  given,
  outOption,
  PARTS,
  planningOptions,
  planningTargetsCommand,
  reportOption,
  WORKERS,
} from '../../command/flags.ts';
import { isForMany, ofOne } from '../../command/one-or-many.ts';
import type { Result } from '../../command/result.ts';
import type { Terminal } from '../../command/terminal.ts';
import { areDrawn, FORMATS } from '../../many/formats.ts';
import type { PlanOptions } from './options.ts';

const declare = (program: Command) =>
  planningTargetsCommand(program, 'plan', 'show what would change on the license')
    .addOption(outOption('apply'))
    .addOption(reportOption([...FORMATS, 'terraform']))
    .option('--against <file>', 'plan against what `ci snapshot` wrote: no token, no network, no ledger')
    .addOption(dateOption('plan'))
    .option('--detailed-exitcode', 'exit 2 when there are differences')
    .optionsGroup(PARTS.more)
    .option('--test-on-customer', 'with --out: an apply of the plan also tests the license as customers see it')
    .addOption(WORKERS)
    .addOption(DETACH);

type Flags = FlagsOf<typeof declare>;

export const planCommand = command(declare, async (flags, terminal) => {
  const { out } = flags;
  if (isForMany(flags)) {
    const [{ requireAbsent }, { prepareFolder }] = await Promise.all([
      import('../../command/chosen-targets.ts'),
      import('../../many/plans/folder.ts'),
    ]);
    const { against, events, secretsFile, workers } = flags;
    requireAbsent({ '--against': against, '--events': events, '--secrets-file': secretsFile });
    if (workers !== undefined) requireAbsent({ '--out': out });
    const save = out === undefined ? undefined : { folder: out };
    const [{ wavesNote }, { operateOnMany }, { overOf }, { planning }] = await Promise.all([
      import('../../command/waves.ts'),
      import('../../command/operate-many.ts'),
      import('../../many/caps.ts'),
      import('./operation.ts'),
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
        warning: (outcomes, { opened }) => {
          const values = [...outcomes].flatMap((outcome) => (outcome.state === 'known' ? [outcome.value.plan] : []));
          const over = overOf(
            values.filter(({ withheld }) => withheld.length === 0),
            opened.project.fleet,
          );
          return over === null ? null : `an apply of these plans is refused: ${over}`;
        },
      },
    );
  }
  return planOne(ofOne(flags), optionsOf(flags), terminal);
});

/** A plan of one target, saved with `--out`. */
export async function planOne(
  flags: FlagsOfOne<Partial<Flags>>,
  options: PlanOptions,
  terminal: Terminal,
): Promise<Result> {
  const { out } = flags;
  const [files, { eventsOfPlan, withEvents }, { operateOn }, { planning }, { savedAsLine }] = await Promise.all([
    import('../../outlets/report-files.ts'),
    import('../../command/events-file.ts'),
    import('../../command/operate.ts'),
    import('./operation.ts'),
    import('./saved.ts'),
  ]);
  await files.requireDistinct([
    [`--out ${out}`, out],
    [`--events ${flags.events}`, flags.events],
    [`--secrets-file ${flags.secretsFile}`, flags.secretsFile],
    ...files.reportFlags(flags.report),
  ]);
  const save = out === undefined ? undefined : { file: out };
  const pictures = (await areDrawn(flags.report)) || undefined;
  return withEvents('plan', flags, terminal, (events) =>
    operateOn({ operation: planning, options: { ...options, ...given({ save, pictures }) } }, flags, terminal, {
      ...eventsOfPlan(events),
      note: ({ saved, plan }) =>
        saved === null || flags.quiet === true ? '' : savedAsLine(saved.file, plan, saved.digest),
    }),
  );
}

function optionsOf(flags: Flags): PlanOptions {
  const { date, against, testOnCustomer, detailedExitcode } = flags;
  return { ...planningOptions(flags), ...given({ date, against, testOnCustomer, detailedExitcode }) };
}
