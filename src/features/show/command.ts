// `chatform show`: what the license has, who is in which group, or one resource in full; or a saved plan. Reads only.

import { type Command, Option } from '@commander-js/extra-typings';
import { UsageError } from '../../base/errors.ts';
import {
  CSV,
  dateOption,
  detailsOption,
  type FlagsOf,
  flagsGiven,
  given,
  QUIET,
  reportOption,
  targetsCommand,
} from '../../command/flags.ts';
import { operationsCommand } from '../../command/one-or-many.ts';
import type { Result } from '../../command/result.ts';
import type { Terminal } from '../../command/terminal.ts';
import { areDrawn, FORMATS } from '../../many/formats.ts';

const declare = (program: Command) =>
  targetsCommand(program, 'show', 'show the license, its members, one resource, or a saved plan')
    .argument(
      '[what]',
      'members; a kind, such as groups; a resource by address, id or name, such as group/sales; or the file of a saved plan',
    )
    .addOption(QUIET)
    .addOption(
      new Option('--by <list>', 'of members: lists by group or by person, in the place of a table').choices([
        'group',
        'person',
      ] as const),
    )
    .addOption(
      new Option(
        '--on <what>',
        'of members: the license as it is (live, the default); the files, which sends no request; or the license before and after an apply (both)',
      ).choices(['files', 'live', 'both'] as const),
    )
    .addOption(dateOption('of one resource: compare with'))
    .addOption(CSV)
    .addOption(reportOption(FORMATS, '; of a saved plan, as `plan --report` does'))
    .addOption(
      new Option(
        '--demand <days>',
        'of the page of a license: with the chats of so many days, such as 28d; requests to the reports for each group, each is billed',
      ),
    )
    .addOption(new Option('--without-people', 'of the page of a license: without names of people'))
    .addOption(detailsOption('every value in full; of a saved plan, every field of every change'))
    .option(
      '--results <file>',
      'of a saved plan: what `test --on customer --json` printed after its apply, for the reports',
    );

type Flags = FlagsOf<typeof declare>;

export const showCommand = operationsCommand(declare, async (flags, terminal, operate, named) => {
  const { by, on, date, results, withoutPeople, demand } = flags;
  const what = named === undefined || named === '' ? null : named;
  if (what !== null && (await isPlanFile(what))) return showPlan(what, flags, terminal);
  if (results !== undefined)
    throw new UsageError('--results is for a saved plan: name its file, as in `chatform show plan.json`');
  const [{ showing }, { questionOf }] = await Promise.all([import('./operation.ts'), import('./question.ts')]);
  const { about } = questionOf(what);
  if (by !== undefined && about !== 'members')
    throw new UsageError('--by is for the members of groups: `chatform show members`');
  if (date !== undefined && about !== 'resource')
    throw new UsageError('--date is for one resource: `chatform show agent/ann@example.com --date 2026-12-24`');
  if (withoutPeople !== undefined && what !== null)
    throw new UsageError('--without-people is for pages of licenses: `chatform show --report html=license.html`');
  const drawn = (what === null && (await areDrawn(flags.report))) || undefined;
  if (demand !== undefined && drawn === undefined)
    throw new UsageError(
      '--demand is for the page of a license: `chatform show --report html=license.html --demand 28d`',
    );
  return operate({
    operation: showing,
    options: { what, by: by ?? null, ...given({ on, date, drawn, withoutPeople, demand }) },
  });
});

/** A saved plan, as it was shown when it was made. Needs no project, no network and no token. */
async function showPlan(file: string, flags: Flags, terminal: Terminal): Promise<Result> {
  const [
    files,
    { savedPlanIn },
    { customersIn },
    { planning, savedOutcome },
    outputs,
    { filesOf, shown, writersOf },
    { savedTexts },
    { plain },
  ] = await Promise.all([
    import('../../outlets/report-files.ts'),
    import('../../planning/approved.ts'),
    import('../test/customer/read-results.ts'),
    import('../plan/operation.ts'),
    import('../../many/outputs.ts'),
    import('../../command/operate.ts'),
    import('../plan/saved.ts'),
    import('../../view/plain.ts'),
  ]);
  const ofProject = {
    '-t': flags.target,
    '-l': flags.label,
    '--all': flags.all,
    '--changed-since': flags.changedSince,
    '-f': flags.file,
    '--base-url': flags.baseUrl,
    '--api-version': flags.apiVersion,
    '--var': flags.var,
    '--var-file': flags.varFile,
  };
  const ofLicense = { '--by': flags.by, '--on': flags.on, '--csv': flags.csv, '--date': flags.date };
  const names = flagsGiven(ofProject);
  if (names.length > 0) throw new UsageError(`${file} says what it is a plan of: leave out ${names.join(', ')}`);
  const others = flagsGiven(ofLicense);
  if (others.length > 0) throw new UsageError(`${file} is a saved plan: leave out ${others.join(', ')}`);
  await files.requireDistinct([
    [file, file],
    [`--results ${flags.results}`, flags.results],
    ...files.reportFlags(flags.report),
  ]);
  const asked = { operation: planning, options: {} };
  const reports = await files.parseReports(flags.report ?? [], writersOf(asked), { choice: {}, environment: terminal });
  const saved = await savedPlanIn(file, terminal);
  const customers = flags.results === undefined ? null : await customersIn(flags.results, saved, terminal);
  const outcome = savedOutcome(file, saved, customers);
  return {
    code: 0,
    before: () =>
      flags.quiet === true
        ? ''
        : savedTexts(file, saved)
            .map((text) => `${plain(text)}\n`)
            .join(''),
    diagnostics: outputs.besidesOf(asked, outcome),
    document: () => outputs.documentOf(asked, outcome),
    text: (paint) => shown(outputs.viewOf(asked, outcome), flags, paint),
    files: await filesOf(reports, () => outputs.outputsOf(asked, outcome), terminal),
  };
}

/** A path means a file. What could be a name means one only if the file exists and no kind has that name. */
async function isPlanFile(what: string): Promise<boolean> {
  const [{ stat }, { questionOf }] = await Promise.all([import('node:fs/promises'), import('./question.ts')]);
  const question = questionOf(what);
  if (question.about === 'kind' || (question.about === 'resource' && question.kind !== null)) return false;
  return (
    /^\.{0,2}[/\\]|\.json$/.test(what) ||
    (await stat(what).then(
      (found) => found.isFile(),
      () => false,
    ))
  );
}
