// `chatform show`: what the license has, who is in which group, or one resource in full; or a saved plan. Reads only.

import { type Command, Option } from '@commander-js/extra-typings';
import { UsageError } from '../base/errors.ts';
import { CSV, collect, dateOption, type FlagsOf, type FlagsOfOne, targetsCommand } from './flags.ts';
import type { Result } from './result.ts';
import { commandForTargets } from './several.ts';
import type { Terminal } from './terminal.ts';

const declare = (program: Command) =>
  targetsCommand(
    program,
    'show',
    'show what the license has: all of it by kind, one kind, who is in which group, or one resource in full; or a saved plan; changes nothing',
  )
    .argument(
      '[what]',
      'members; a kind, such as groups; a resource by address, id or name, such as group/sales; or the file of a saved plan',
    )
    .option('-q, --quiet', 'no progress')
    .addOption(
      new Option('--only <address>', 'the same as the argument: one resource, such as agent/ann@example.com').argParser(
        collect,
      ),
    )
    .addOption(
      new Option('--by <list>', 'of members: lists by group or by person, in the place of a table').choices([
        'group',
        'person',
      ] as const),
    )
    .addOption(
      new Option(
        '--on <what>',
        'of members: the license (live, the default), the files (desired, which sends no request), or the license before and after an apply (both)',
      ).choices(['desired', 'live', 'both'] as const),
    )
    .addOption(dateOption('of one resource: compare with'))
    .addOption(CSV)
    .option(
      '--report <format=file>',
      'write a report: html or csv; of a saved plan, as `plan --report` does; may be repeated',
      collect,
    )
    .option('--details', 'of a saved plan: every field of every change')
    .option('--verify <file>', 'of a saved plan: what `verify --json` printed after its apply, for the reports');

type Flags = Omit<FlagsOfOne<FlagsOf<typeof declare>>, 'only'>;

export const showCommand = commandForTargets('show', declare, async ({ only = [], ...flags }, terminal, named) => {
  const [what = '', ...others] = [...(named === undefined ? [] : [named]), ...only];
  if (others.length > 0) throw new UsageError(`${[what, ...others].join(', ')}: show shows one of them at a time`);
  if (what !== '' && (await isPlanFile(what))) return showPlan(what, flags, terminal);
  for (const flag of ['verify', 'details'] as const)
    if (flags[flag] !== undefined)
      throw new UsageError(`--${flag} is for a saved plan: name its file, as in \`chatform show plan.json\``);
  const [files, { prepare }, { showTarget }, { questionOf }, { readingDocument }, { sumOf }] = await Promise.all([
    import('../outlets/report-files.ts'),
    import('../run/prepare.ts'),
    import('../run/show.ts'),
    import('../tasks/show/question.ts'),
    import('../render/documents.ts'),
    import('../base/grouped.ts'),
  ]);
  const [{ SHOW_REPORTS, showRenderers }, { targetLine }, { showText }, { warningLine }, { plain }] = await Promise.all(
    [
      import('../render/reports/show.ts'),
      import('../view/terminal/layout.ts'),
      import('../render/text/show.ts'),
      import('./result.ts'),
      import('../view/plain.ts'),
    ],
  );
  const asked = what === '' ? null : what;
  if (flags.by !== undefined && questionOf(asked).about !== 'members')
    throw new UsageError('--by is for the members of groups: `chatform show members`');
  if (flags.date !== undefined && questionOf(asked).about !== 'resource')
    throw new UsageError('--date is for one resource: `chatform show agent/ann@example.com --date 2026-12-24`');
  const prepared = await prepare(flags, terminal);
  const kept = { choice: flags, environment: terminal };
  const reports = await files.parseReports(flags.report ?? [], SHOW_REPORTS, kept);
  const seen = await showTarget(asked, prepared, flags, terminal);
  const { shown, columns, isWhole, warnings, requests, diagnostics } = seen;
  const by = flags.by ?? null;
  const of = { shown, columns, by, at: new Date(terminal.clock.now()).toISOString() };
  return {
    code: isWhole ? 0 : 1,
    row: {
      state: isWhole ? 'done' : 'in part',
      figures: {},
      requests: sumOf(requests),
      shown: (paint) => showText(shown, columns, by, paint),
    },
    note: (paint) => warnings.map((warning) => warningLine(plain(warning), paint)).join(''),
    document: () => readingDocument(shown, !isWhole, requests, diagnostics),
    text: (paint) =>
      flags.csv === true
        ? showRenderers.csv(of)
        : targetLine(seen.settings, paint) + showText(shown, columns, by, paint),
    files: files.reportsWith(reports, (format) => showRenderers[format](of)),
  };
});

/** A saved plan, as it was shown when it was made. Needs no project, no network and no token. */
async function showPlan(file: string, flags: Flags, terminal: Terminal): Promise<Result> {
  const [files, { pathsInRepository }, { customersIn, savedPlanIn }, { reviewedSaved }] = await Promise.all([
    import('../outlets/report-files.ts'),
    import('../outlets/repository.ts'),
    import('../run/approved.ts'),
    import('../tasks/review/plan-result.ts'),
  ]);
  const [{ PLAN_REPORTS, planRenderers }, { planDocument }, { planView }, { savedLine }] = await Promise.all([
    import('../render/reports/formats.ts'),
    import('../render/documents.ts'),
    import('./plan-view.ts'),
    import('../render/text/saved.ts'),
  ]);
  const given = {
    '-t': flags.target,
    '-f': flags.file,
    '--base-url': flags.baseUrl,
    '--api-version': flags.apiVersion,
    '--var': flags.var,
    '--var-file': flags.varFile,
  };
  const ofLicense = { '--by': flags.by, '--on': flags.on, '--csv': flags.csv, '--date': flags.date };
  const namesOf = (all: { readonly [name: string]: unknown }): readonly string[] =>
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const names = namesOf(given);
  if (names.length > 0) throw new UsageError(`${file} says what it is a plan of: leave out ${names.join(', ')}`);
  const others = namesOf(ofLicense);
  if (others.length > 0) throw new UsageError(`${file} is a saved plan: leave out ${others.join(', ')}`);
  await files.requireDistinct([
    [file, file],
    [`--verify ${flags.verify}`, flags.verify],
    ...files.reportFlags(flags.report),
  ]);
  const reports = await files.parseReports(flags.report ?? [], PLAN_REPORTS, { choice: flags, environment: terminal });
  const saved = await savedPlanIn(file, terminal);
  const { plan, diagnostics } = saved;
  // The license around the plan is not in the file.
  const around = { at: saved.created_at, pictures: null, pathOf: await pathsInRepository(terminal.env) };
  const view = planView(plan, diagnostics, flags);
  const of = reviewedSaved(saved, flags.verify === undefined ? null : await customersIn(flags.verify, saved, terminal));
  return {
    code: 0,
    before: () => (flags.quiet === true ? '' : savedLine(file, saved)),
    diagnostics,
    document: () => planDocument(plan, diagnostics),
    text: (paint) => view.body(paint) + view.closing(paint),
    files: files.reportsWith(reports, (format) => planRenderers[format](of, around)),
  };
}

/** A path means a file. What could be a name means one only if the file exists and no kind has that name. */
async function isPlanFile(what: string): Promise<boolean> {
  const [{ stat }, { questionOf }] = await Promise.all([
    import('node:fs/promises'),
    import('../tasks/show/question.ts'),
  ]);
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
