// `chatform apply --resume`: goes on with a run over several targets, by its own plans and options.

import { UsageError } from '../../base/errors.ts';
import { isForMany } from '../../command/one-or-many.ts';
import { choiceIn } from '../../command/operate.ts';
import { openManyRun } from '../../command/operate-many.ts';
import type { Result } from '../../command/result.ts';
import type { Terminal } from '../../command/terminal.ts';
import { isInDatabase } from '../../ledger/place.ts';
import { resumeFleet } from '../../many/local.ts';
import { runMember } from '../../many/log/fleet-runs.ts';
import { resultsOf } from '../../many/log/log.ts';
import type { FleetRun } from '../../many/log/stored-runs.ts';
import { readFolder } from '../../many/plans/folder.ts';
import { outcomeIn } from '../../many/stored.ts';
import { deadLeaseEnds } from '../../target/lock.ts';
import { commandDocument } from '../../view/documents.ts';
import { shortId } from '../../view/plain.ts';
import { type ApplyFlags, applyOptions } from './flags.ts';
import { applyAsked, ending, workOf } from './run.ts';
import { options as isKnown } from './validator.ts';

/** @throws UsageError for other flags, and for a run that cannot go on */
export async function resumeRun(
  run: FleetRun,
  flags: ApplyFlags,
  terminal: Terminal,
  file: string | undefined,
): Promise<Result> {
  const { target, workers, detach, ...others } = flags;
  const given = { ...choiceIn(others), ...applyOptions(flags) };
  const isChosen = isForMany(others) || target !== undefined || flags.parallel !== undefined;
  if (Object.keys(given).length > 0 || isChosen || file !== undefined)
    throw new UsageError(
      '--resume goes on with the plans and the flags of its run: give none but --retry and what is shown',
    );
  const [request, events] = await Promise.all([run.request(), run.store.read()]);
  const [first] = events;
  if (first?.type !== 'run') throw new UsageError(`the run ${run.id} was never begun: apply again`);
  if (request.plans === null && first.digest !== null)
    throw new UsageError(
      `the run ${run.id} has approved plans, and its request.json no longer names them: plan and apply again`,
    );
  const results = resultsOf(events);
  const { finished, waves } = results;
  if (finished && waves.every(({ failed, unreachable }) => failed.size + unreachable.size === 0))
    return {
      code: 0,
      document: () => commandDocument({ run: runMember(run, results) }),
      text: () => `Run ${shortId(run.id)} is done: no target is left.\n`,
    };
  const among = first.spec.waves.flatMap(({ targets }) => targets);
  const { options, yes: _, ...choice } = request.flags;
  if (!isKnown(options)) throw new UsageError(`the request of the run ${run.id} is damaged: plan and apply again`);
  const asked = applyAsked(request.plans, options);
  const { target: __, ...ofEach } = choiceIn(choice);
  const all = await openManyRun(asked, { ...others, ...ofEach, all: true }, terminal, { among });
  if ('code' in all) return all;
  if (isInDatabase(run.log)) {
    const { resumeOnWorkers } = await import('../../command/on-workers.ts');
    return resumeOnWorkers(
      run,
      {
        recorder: (_, summary) => all.record(outcomeIn(summary)),
        finish: (of, end) => ending(of, all, end),
      },
      { flags, terminal },
    );
  }
  if (request.plans !== null) {
    const { digest } = await readFolder(request.plans);
    if (digest !== first.digest)
      throw new UsageError(`the plans in ${request.plans} are not those that the run began with: plan and apply again`);
  }
  const { does, options: how } = workOf(all, { since: Date.parse(first.at), isResumed: true }, flags);
  await deadLeaseEnds(run.log, terminal);
  return ending(run, all, await resumeFleet(run.log, does, how, terminal));
}
