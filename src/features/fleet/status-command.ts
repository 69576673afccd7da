// `chatform fleet status`: how far a run over several targets is, as text, a document or a page.

import { UsageError } from '../../base/errors.ts';
import { command, reportOption } from '../../command/flags.ts';
import type { Terminal } from '../../command/terminal.ts';
import { WRITERS } from '../../many/formats.ts';
import type { KnownRun } from '../../many/log/fleet-runs.ts';
import type { FleetRun } from '../../many/log/stored-runs.ts';
import type { FleetReading } from './view.ts';

/** Other runs on a page. */
const OTHERS = 20;

export const fleetStatus = command(
  (fleet) =>
    fleet
      .command('status')
      .description('how far a run is: its waves, and where it failed')
      .argument('[run]', 'id of a run, or how it begins (default: the newest that workers did not begin by themselves)')
      .option('--details', 'also what is known of the run, and the targets where nothing is wrong')
      .addOption(reportOption(['html', 'json']))
      .option('--json', 'print one JSON document instead of text'),
  async (flags, terminal, id) => {
    const [files, runs, { fleetView }, { terminalText }, { htmlPage }, { commandDocument }] = await Promise.all([
      import('../../outlets/report-files.ts'),
      import('../../many/log/fleet-runs.ts'),
      import('./view.ts'),
      import('../../view/writers/terminal.ts'),
      import('../../view/writers/html.ts'),
      import('../../view/documents.ts'),
    ]);
    const reports = await files.parseReports(
      flags.report ?? [],
      { html: WRITERS.html, json: WRITERS.json },
      { choice: {}, environment: terminal },
    );
    const known = await runs.runWithResults(id, terminal);
    const { run } = known;
    const now = await nowOf(known, terminal);
    const { results, workers } = now;
    const document = () =>
      commandDocument({
        begun_at: results.run.at,
        ...runs.runMember(run, results),
        targets: runs.targetMembers(results),
        workers,
      });
    const hasPage = reports.some(({ format }) => format === 'html');
    const listed = hasPage ? (await runs.newestRuns(terminal, { most: OTHERS + 1, damaged: 'left out' })).runs : [];
    const reading = {
      ...now,
      commit: await commitOf(run),
      others: listed.filter((other) => other.run.id !== run.id).slice(0, OTHERS),
      at: new Date(terminal.clock.now()).toISOString(),
    };
    return {
      code: 0,
      document,
      text: (paint) => terminalText(fleetView({ ...reading, others: [] }), paint, { details: flags.details === true }),
      files: files.reportsWith(reports, ({ format }) =>
        format === 'html' ? htmlPage(fleetView(reading)) : document(),
      ),
    };
  },
);

/** Null for a run of a checkout, and for one whose request cannot be read: the page does without. */
function commitOf(run: FleetRun): Promise<string | null> {
  return run.request().then(
    ({ commit }) => commit,
    (error: unknown) => {
      if (error instanceof UsageError) return null;
      throw error;
    },
  );
}

/** What waits in the queue of the workers is not under way. `workers`: null for a run that is over, and for one of this machine. */
async function nowOf(
  { run, results }: KnownRun,
  terminal: Terminal,
): Promise<Pick<FleetReading, 'results' | 'workers'>> {
  const [{ isInDatabase, logKey }, { begunJobs }, { withQueued }, { isOver }, { withEngine }] = await Promise.all([
    import('../../ledger/place.ts'),
    import('../../ledger/postgres/jobs.ts'),
    import('../../many/log/log.ts'),
    import('../../many/log/fleet-runs.ts'),
    import('../../command/engine.ts'),
  ]);
  if (!isInDatabase(run.log) || isOver(run, results)) return { results, workers: null };
  const key = logKey(run.log);
  return withEngine(key.variable, terminal, async ({ stateOf, workers }) => {
    const [begun, state, live] = await Promise.all([
      begunJobs(terminal.databases.at(key.variable, terminal), key, null),
      stateOf(run.id),
      workers(),
    ]);
    const own = live.filter(({ project }) => project === key.project);
    return { results: withQueued(results, begun), workers: { state, live: own } };
  });
}
