// `chatform apply --resume`: goes on with a run over several targets, by its own plans and flags.

import { UsageError } from '../base/errors.ts';
import { resultsOf } from '../fleet/log.ts';
import { isInDatabase } from '../ledger/place.ts';
import { commandDocument } from '../render/documents.ts';
import { shortRun } from '../render/text/fleet.ts';
import { resumeFleet } from '../run/fleet.ts';
import { runMember } from '../run/fleet-runs.ts';
import { deadLeaseEnds } from '../run/lock.ts';
import { readFolder } from '../run/plan-folder.ts';
import type { FleetRun } from '../run/stored-runs.ts';
import { type ApplyFlags, divided } from './apply-flags.ts';
import { type Asked, applying, ending, workOf } from './apply-run.ts';
import type { Result } from './result.ts';

/** @throws UsageError for other flags, and for a run that cannot go on */
export async function resumeRun(run: FleetRun, { flags, args, terminal, bodies }: Asked): Promise<Result> {
  const { ofProcess, ofRun } = divided(flags);
  // Without --no-verify, `verify` is true although it was not given.
  const { verify: _, ...given } = ofRun;
  if (Object.keys(given).length > 0 || args[0] !== undefined)
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
      text: () => `Run ${shortRun(run.id)} is done: no target is left.\n`,
    };
  const among = first.spec.waves.flatMap(({ targets }) => targets);
  if (isInDatabase(run.log)) {
    const { recorderOf, resumeOnWorkers } = await import('./on-workers.ts');
    const choice = { flags: { ...flags, all: true } as ApplyFlags, terminal, bodies };
    const gathered = await applying(null, choice, { among });
    return 'code' in gathered
      ? gathered
      : resumeOnWorkers(
          run,
          { recorder: recorderOf(gathered), finish: (of, end) => ending(of, gathered, end) },
          { flags, terminal },
        );
  }
  if (request.plans !== null) {
    const { digest } = await readFolder(request.plans);
    if (digest !== first.digest)
      throw new UsageError(`the plans in ${request.plans} are not those that the run began with: plan and apply again`);
  }
  const { target, label, changedSince, ...asked } = { ...request.flags, ...ofProcess, all: true } as ApplyFlags;
  const gathered = await applying(request.plans, { flags: asked, terminal, bodies }, { among });
  if ('code' in gathered) return gathered;
  const { does, options } = workOf(
    gathered,
    { since: Date.parse(first.at), isResumed: true },
    { flags: asked, terminal },
  );
  await deadLeaseEnds(run.log, terminal);
  return ending(run, gathered, await resumeFleet(run.log, does, options, terminal));
}
