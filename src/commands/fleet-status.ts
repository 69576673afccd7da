// `chatform fleet status`: how far a run over several targets is, as text, a document or a page.

import { UsageError } from '../base/errors.ts';
import type { FleetResults } from '../fleet/log.ts';
import type { RunWorkers } from '../render/text/fleet.ts';
import type { KnownRun } from '../run/fleet-runs.ts';
import type { FleetRun } from '../run/stored-runs.ts';
import { collect, command } from './flags.ts';
import type { Terminal } from './terminal.ts';

/** Other runs on a page. */
const OTHERS = 20;

export const fleetStatus = command(
  (fleet) =>
    fleet
      .command('status')
      .description('how far a run is: its waves, and where it failed')
      .argument('[run]', 'id of a run, or how it begins (default: the newest that workers did not begin by themselves)')
      .option('--report <format=file>', 'write a report: html or json; may be repeated', collect)
      .option('--json', 'print one JSON document instead of text'),
  async (flags, terminal, id) => {
    const [files, runs, { FLEET_REPORTS, fleetRenderers }, { statusText }, { commandDocument }] = await Promise.all([
      import('../outlets/report-files.ts'),
      import('../run/fleet-runs.ts'),
      import('../render/reports/fleet.ts'),
      import('../render/text/fleet.ts'),
      import('../render/documents.ts'),
    ]);
    const reports = await files.parseReports(flags.report ?? [], FLEET_REPORTS, { choice: {}, environment: terminal });
    const known = await runs.runWithResults(id, terminal);
    const { run } = known;
    const [workers, results] = await Promise.all([workersOf(known, terminal), queuedOf(known, terminal)]);
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
      results,
      commit: hasPage ? await commitOf(run) : null,
      workers,
      others: listed.filter((other) => other.run.id !== run.id).slice(0, OTHERS),
      at: new Date(terminal.clock.now()).toISOString(),
    };
    return {
      code: 0,
      document,
      text: (paint) => statusText(results, workers, paint),
      files: files.reportsWith(reports, (format) => fleetRenderers[format](reading, document)),
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

/** What waits in the queue of the workers for its turn is not under way. */
async function queuedOf({ run, results }: KnownRun, terminal: Terminal): Promise<FleetResults> {
  const [{ isInDatabase, logKey }, { begunJobs }, { withQueued }, { isOver }] = await Promise.all([
    import('../ledger/place.ts'),
    import('../postgres/jobs.ts'),
    import('../fleet/log.ts'),
    import('../run/fleet-runs.ts'),
  ]);
  if (!isInDatabase(run.log) || isOver(run, results)) return results;
  const key = logKey(run.log);
  return withQueued(results, await begunJobs(terminal.databases.at(key.variable, terminal), key, null));
}

/** Who works on a run that is not over; null for one that is, and for one of this machine. */
async function workersOf({ run, results }: KnownRun, terminal: Terminal): Promise<RunWorkers | null> {
  const [{ isInDatabase, logKey }, { isOver }, { withEngine }] = await Promise.all([
    import('../ledger/place.ts'),
    import('../run/fleet-runs.ts'),
    import('./engine.ts'),
  ]);
  if (!isInDatabase(run.log) || isOver(run, results)) return null;
  return withEngine(logKey(run.log).variable, terminal, async ({ stateOf, workers }) => {
    const [state, live] = await Promise.all([stateOf(run.id), workers()]);
    return { state, live };
  });
}
