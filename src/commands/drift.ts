// `chatform drift`: which side changed since the last apply. Sends no write to the license, and takes no lease.

import { type Command, Option } from '@commander-js/extra-typings';
import { UsageError } from '../base/errors.ts';
import { SEVERITIES } from '../base/model.ts';
import type { DriftCheck } from '../tasks/drift/report.ts';
import { inSync } from '../tasks/targets/plans.ts';
import type { Paint } from '../view/paint.ts';
import type { SeenCheck, WatchedAmong } from './drift-watch.ts';
import {
  CSV,
  collect,
  DETACH,
  dateOption,
  duration,
  EXCEPT,
  type FlagsOf,
  type FlagsOfOne,
  ON,
  ONLY,
  targetsCommand,
} from './flags.ts';
import type { Result, ResultRow } from './result.ts';
import { commandForTargets } from './several.ts';
import type { Terminal } from './terminal.ts';

const declare = (program: Command) =>
  targetsCommand(
    program,
    'drift',
    'say which side changed since the last apply, the license or the manifest; changes nothing on the license',
  )
    .option('-q, --quiet', 'no progress')
    .option('--details', 'show every difference in full, also what is known and needs no action')
    .addOption(ON)
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
    .option(
      '--report <format=file>',
      'write a report: text, json, markdown, html, csv, junit, sarif or prometheus; may be repeated',
      collect,
    )
    .addOption(
      new Option(
        '--notify <when>',
        'tell the channels of chatform.yaml (default: on-change; on a terminal and with --date: never)',
      ).choices(['on-change', 'always', 'never'] as const),
    )
    .option('--sightings <file>', 'remember what was seen in this file (default: next to the ledger)')
    .option('--no-sightings', 'remember nothing')
    .option(
      '--accept [address...]',
      'edit the files so that they say what the license says: everything that changed there, or what is named',
    )
    .option(
      '--into <file>',
      'with --accept: write into this overlay of the target, or into this file of the manifest (default: the files that only this target has)',
    )
    .option('--watch', 'check again and again, until a signal')
    .option('--every <time>', 'with --watch: how often, such as 15m', duration)
    .option('--cron <expression>', 'with --watch: when, such as "*/15 * * * *"')
    .option('--timeout <time>', 'how long one check may take, such as 10m (default: run_timeout)', duration);

type Flags = FlagsOfOne<FlagsOf<typeof declare>>;

export const driftCommand = commandForTargets('drift', declare, drift, async (several) => {
  const { driftTargets } = await import('./drift-targets.ts');
  return driftTargets(several, drift);
});

export async function drift(flags: Flags, terminal: Terminal, among?: WatchedAmong): Promise<Result> {
  if (flags.accept !== undefined) return accept(flags, terminal);
  if (flags.into !== undefined) throw new UsageError('--into says where --accept writes: give both');
  const [{ beatsOf, keepChecking }, { prepareTarget }, { driftDocument, failureDocument }] = await Promise.all([
    import('./drift-watch.ts'),
    import('../run/choice.ts'),
    import('../render/documents.ts'),
  ]);
  const beats = await beatsOf(flags, terminal.clock.now());
  if (beats !== null && (flags.json === true || flags.csv === true))
    throw new UsageError('--watch prints what has changed, as text; `--report json=FILE` has each check as a document');
  if (beats !== null && flags.date !== undefined)
    throw new UsageError('--watch checks again and again, each time for the day that it is then: leave out --date');
  const { checkAndNotify, isAtTerminal, reportsOf } = await import('./drift-check.ts');
  const reports = await reportsOf(flags, terminal);
  const [{ driftView, sinceView }, { terminalText }, { targetLine }, { showText }, { driftRenderers }, { plain }] =
    await Promise.all([
      import('../render/views/drift.ts'),
      import('../view/writers/terminal.ts'),
      import('../view/terminal/layout.ts'),
      import('./result.ts'),
      import('../render/reports/formats.ts'),
      import('../view/plain.ts'),
    ]);
  const textOf = (look: DriftCheck, paint: Paint): string =>
    terminalText(driftView(look), paint, { details: flags.details });
  if (beats !== null) {
    // A wrong flag would fail every check; a mistake in a file can be mended meanwhile.
    const { settings } = await prepareTarget(flags, terminal);
    if (settings !== null)
      (await import('../outlets/notify/remember.ts')).notifyMode(flags, settings, isAtTerminal(terminal));
    if (settings !== null) showText(targetLine(settings, terminal.paintOut), terminal);
    const lookNow = async (watched: Terminal): Promise<DriftCheck> => {
      const now = among === undefined ? flags : { ...flags, opened: await among.project() };
      return (await checkAndNotify(now, reports, watched)).look;
    };
    const look = (watched: Terminal): Promise<DriftCheck> =>
      among === undefined ? lookNow(watched) : among.limit(() => lookNow(watched));
    const { sinceCheck } = await import('../tasks/drift/since.ts');
    const show = ({ report }: SeenCheck, before: SeenCheck | null): void => {
      const { paintOut } = terminal;
      const text =
        before === null
          ? textOf({ outcome: 'seen', report }, paintOut)
          : terminalText(sinceView(report, sinceCheck(before.report, report)), paintOut);
      const title = among === undefined ? '' : `${terminal.paintOut('strong', `Target ${plain(report.target)}`)}\n`;
      showText(title + text, terminal);
    };
    await keepChecking(beats, { look, show }, flags, terminal);
    return { code: 0, document: null, text: null };
  }
  const { look, settings, diagnostics, isUnreached, code } = await checkAndNotify(flags, reports, terminal);
  return {
    code,
    ...(flags.csv === true ? { verbatim: true as const } : {}),
    document: () =>
      look.outcome === 'seen' ? driftDocument(look.report, diagnostics) : failureDocument(look.message, diagnostics),
    row: driftRow(look, { isUnreached, details: flags.details === true }, (paint) =>
      look.outcome === 'seen' ? textOf(look, paint) : '',
    ),
    text: (paint) => {
      if (flags.csv === true) return driftRenderers.csv(look);
      if (look.outcome === 'failed' || settings === null) return '';
      return targetLine(settings, paint) + textOf(look, paint);
    },
  };
}

/** A check among those of other targets. */
function driftRow(
  look: DriftCheck,
  { isUnreached, details }: { readonly isUnreached: boolean; readonly details: boolean },
  shown: ResultRow['shown'],
): ResultRow {
  if (look.outcome === 'failed')
    return {
      state: isUnreached ? 'unreachable' : 'failed',
      figures: {},
      requests: null,
      shown: null,
      message: look.message,
    };
  const { items, in_sync: isInSync, requests } = look.report;
  return {
    ...(items.length === 0 ? inSync(look.report) : { state: isInSync ? 'in sync' : 'drift' }),
    figures: { differences: items.length },
    requests,
    shown: items.length === 0 || (isInSync && !details) ? null : shown,
  };
}

/** `--accept`: a check of its own, so it takes no flag about checks. */
async function accept(flags: Flags, terminal: Terminal): Promise<Result> {
  const [{ acceptDrift }, { acceptDocument }, { acceptText }] = await Promise.all([
    import('../run/accept.ts'),
    import('../render/documents.ts'),
    import('../render/text/accept.ts'),
  ]);
  const { watch, report, notify, sightings, date, csv } = flags;
  const others = {
    '--watch': watch,
    '--report': report,
    '--notify': notify,
    '--sightings': sightings || undefined,
    '--date': date,
    '--csv': csv,
  };
  const given = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (given.length > 0) throw new UsageError(`--accept edits the files, and does not go with ${given.join(', ')}`);
  const addresses = Array.isArray(flags.accept) ? flags.accept : [];
  const { acceptance, diagnostics } = await acceptDrift(addresses, flags, terminal);
  return {
    code: acceptance.left.length === 0 ? 0 : 2,
    diagnostics,
    document: () => acceptDocument(acceptance, diagnostics),
    text: (paint) => acceptText(acceptance, paint),
  };
}
