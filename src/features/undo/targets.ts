// `chatform undo` of a run over several targets: all plans are shown and agreed to first, and what can be taken back is, in the waves of chatform.yaml.

import { counted, few } from '../../base/text.ts';
import { type CommonFlags, chosenTargets, requireAbsent } from '../../command/chosen-targets.ts';
import { given, type PlanningFlags, planningOptions } from '../../command/flags.ts';
import { contextOf, type OutputFlags } from '../../command/operate.ts';
import { openManyRun, requireWorkers } from '../../command/operate-many.ts';
import { type Result, showRemark, showWarning } from '../../command/result.ts';
import type { Terminal } from '../../command/terminal.ts';
import { leaseState } from '../../ledger/lease.ts';
import { requireWithin } from '../../many/caps.ts';
import { withNewRun } from '../../many/log/fleet-runs.ts';
import type { Outcome } from '../../many/operation.ts';
import { rowOf } from '../../many/outputs.ts';
import { failedOutcome, runMany } from '../../many/run.ts';
import { reasonOf } from '../../planning/reason.ts';
import type { TargetSettings } from '../../project/settings.ts';
import type { RunContext } from '../../target/context.ts';
import { lockedError, lockOf } from '../../target/lock.ts';
import { leaseAt } from '../../target/stores.ts';
import { plain, shortId, time } from '../../view/plain.ts';
import { agreedToAll, beginRun } from '../apply/run.ts';
import { undoing } from './operation.ts';
import { type FleetRunFound, fleetRunMeant, noRun } from './read-fleet-runs.ts';
import { NO_FILES, type ShownUndo } from './view.ts';

/** The flags of `undo`. */
interface UndoFlags extends CommonFlags, PlanningFlags, Omit<OutputFlags, keyof CommonFlags> {
  readonly plan?: true;
  readonly reason?: string;
  readonly lockTimeout?: string;
  readonly events?: string;
  readonly secretsFile?: string;
}

/** @param wanted - The run as the person named it; null for the last over several targets that can be taken back. */
export async function undoTargets(wanted: string | null, flags: UndoFlags, outer: Terminal): Promise<Result> {
  const { events, secretsFile, workers, detach, report, target, label, changedSince, ...here } = flags;
  requireAbsent({ '--events': events, '--secrets-file': secretsFile });
  requireWorkers(flags);
  const choice =
    target === undefined && label === undefined && changedSince === undefined ? { all: true as const } : {};
  const chosen = await chosenTargets('undo', { flags: { ...flags, ...choice }, terminal: outer });
  if ('code' in chosen) return chosen;
  const { opened, scope, terminal } = chosen;
  const reason = (await reasonOf(flags.reason, terminal)) ?? undefined;
  const found = await fleetRunMeant(wanted, scope.targets, opened.project, terminal);
  if (found === null) throw noRun(wanted);
  tell(found, flags, terminal);
  const options = { ...planningOptions(flags), ...given({ reason }), run: found.id, isPlan: true };
  const asked = { operation: undoing, options };
  // Who names targets reads of each of them whether the run changed it.
  const among = target === undefined ? found.targets : scope.targets.map(({ name }) => name);
  const known = { opened, among };
  const isPlan = flags.plan === true;
  const reports = report === undefined ? {} : { report };
  const plans = await openManyRun(asked, { ...here, ...(isPlan ? reports : {}), all: true }, terminal, known);
  if ('code' in plans) return plans;
  if (flags.lockTimeout === undefined)
    for (const settings of plans.chosen.scope.targets) {
      const error = await lockOn(settings, terminal);
      if (error !== null) plans.record(failedOutcome('undo', settings.name, error, terminal));
    }
  const free = plans.names.filter((name) => !plans.outcomes.has(name));
  await runMany(undoing, { opened, names: free }, plans.choice, options, contextOf(terminal, flags, false), {
    ...(flags.parallel === undefined ? {} : { parallel: flags.parallel }),
    onEnded: plans.record,
  });
  const { id, at, command, gone } = found;
  const members = { undo: { run: id, at, command, gone } };
  const shown = await plans.result(members);
  if (isPlan || shown.code === 130) return shown;
  const outcomes = [...plans.outcomes.values()];
  const ready = outcomes.filter((outcome) => rowOf(asked, outcome).state === 'changes').map((each) => each.target);
  const plansMeant = outcomes.flatMap((outcome) =>
    outcome.state === 'known' && ready.includes(outcome.target) ? [outcome.value.plan] : [],
  );
  requireWithin(plansMeant, opened.project.fleet);
  if (ready.length > 0 && flags.yes !== true) {
    const question = { word: 'undo', flags, so: (targets: string) => `take it back on ${targets}` };
    const declined = await agreedToAll(plans, shown, ready, question);
    if (declined !== null) return declined;
  }
  const doing = { operation: undoing, options: { ...options, isPlan: false } };
  const all = await openManyRun(doing, { ...here, ...reports, all: true }, terminal, known);
  if ('code' in all) return all;
  for (const outcome of outcomes) if (!ready.includes(outcome.target)) all.restore(notUndone(outcome));
  const result = await withNewRun((run) => beginRun(run, all, { plans: null, digest: null }, flags));
  return { ...result, note: (paint) => `${result.note?.(paint) ?? ''}${flags.quiet === true ? '' : `${NO_FILES}\n`}` };
}

/** Which run it is, before a person reads what comes back. */
function tell({ id, at, command, targets, gone }: FleetRunFound, { quiet }: UndoFlags, terminal: Terminal): void {
  const many = counted(targets.length + gone.length, 'target');
  if (quiet !== true) showRemark(`Undo of run ${shortId(id)} (${plain(command)} of ${many}, ${time(at)}).\n`, terminal);
  const [them, rows] = gone.length === 1 ? ['it stays as it is', 'its row'] : ['they stay as they are', 'their rows'];
  if (gone.length > 0)
    showWarning(
      `chatform.yaml no longer has ${plain(few(gone))}: ${them}. Restore ${rows}, and undo the run again.`,
      terminal,
    );
}

/** Told before anything is taken back, so that the run does not stop there. Null for a target that no other run holds. */
async function lockOn(settings: TargetSettings, context: RunContext) {
  const lease = leaseAt(settings.ledger, context);
  const record = await lease.read();
  const now = context.clock.now();
  if (record === null || leaseState(record, now, lease.times) !== 'held') return null;
  return lockedError(lockOf(settings), record, now, lease.times);
}

/** What a plan that is not carried out comes to. */
function notUndone(outcome: Outcome<ShownUndo>): Outcome<ShownUndo> {
  if (outcome.state !== 'known' || outcome.value.plan.withheld.length === 0) return outcome;
  return { ...outcome, value: { ...outcome.value, end: { type: 'withheld' } } };
}
