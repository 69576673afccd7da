// A command for several targets: it runs once for each, some at a time, and answers once. A target that fails stops no other.

import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import { EndedBefore, NotBegun, UsageError } from '../base/errors.ts';
import { keepHeapSmall } from '../base/heap.ts';
import { inTurns } from '../fleet/turns.ts';
import { noticeText } from '../render/text/notice.ts';
import { USUAL_PARALLEL } from '../run/selected.ts';
import { plain } from '../view/plain.ts';
import { type CommonFlags, chosenTargets, type KnownTargets, requireAbsent } from './chosen-targets.ts';
import { type FlagsOfOne, ON_POSTGRES, type Several, type SeveralFlags } from './flags.ts';
import { type Result, resultOf, saved } from './result.ts';
import { type DigestOfTargets, type Gathering, type Performed, targetResults } from './target-results.ts';
import type { Terminal } from './terminal.ts';

/** How a command runs for several targets. */
export interface Together<Flags extends SeveralFlags> extends KnownTargets {
  /** Flags of the run for one target, in place of those of the command. */
  readonly own?: (target: string) => Partial<FlagsOfOne<Flags>>;
  /** The command writes files that targets share: it runs for one target at a time, and each run reads what the last one wrote. */
  readonly writesFiles?: true;
  /** A run that was begun is finished also after a signal. */
  readonly isFinished?: true;
  /** The digest of all saved plans, from those of each. */
  readonly digestOf?: DigestOfTargets;
}

/** Runs a command once for each target that its flags choose. */
export async function forEachTarget<Flags extends CommonFlags, Args extends unknown[]>(
  command: string,
  several: Several<Flags, Args>,
  together: Together<Flags> = {},
): Promise<Result> {
  const gathered = await gathering(command, several, together);
  if ('code' in gathered) return gathered;
  const { flags, terminal } = several;
  const own = together.writesFiles === true ? { ...flags, parallel: 1 } : flags;
  return runAll(command, gathered, { flags: own, terminal });
}

/** From so many targets on, less memory is worth more than processor time. */
const MANY = 100;

/** Runs the command for all targets, some at a time: in this process, or by workers. */
export async function runAll(
  command: string,
  gathered: Gathering,
  { flags, terminal }: { readonly flags: CommonFlags; readonly terminal: Terminal },
): Promise<Result> {
  const { run, skip, result } = gathered;
  const { targets: known } = gathered.opened.project;
  const targets = inTurns(gathered.targets.flatMap((name) => known.get(name) ?? [])).map(({ name }) => name);
  if (flags.detach === true && flags.on !== ON_POSTGRES)
    throw new UsageError('--detach leaves a run to workers: give it with `--on postgres`');
  if (flags.on === ON_POSTGRES) {
    const { onWorkers, everyTarget, recorderOf, requestedFlags } = await import('./on-workers.ts');
    const finish = async (): Promise<Result> => {
      for (const target of targets) if (!gathered.answers.has(target)) skip(target);
      return result();
    };
    const asked = {
      command,
      project: gathered.opened.project,
      request: requestedFlags(flags),
      recorder: recorderOf(gathered),
      spec: everyTarget(targets, flags),
      digest: null,
      plans: null,
      finish,
    };
    return onWorkers(asked, { flags, terminal });
  }
  if (targets.length > MANY) keepHeapSmall();
  const limited = pLimit(flags.parallel ?? USUAL_PARALLEL);
  await Promise.all(
    targets.map((target) => limited(async () => (terminal.signal.aborted ? skip(target) : run(target)))),
  );
  return result();
}

/** Chooses the targets of a command, and makes what runs it for each of them. A project with errors is the result. */
export async function gathering<Flags extends CommonFlags, Args extends unknown[]>(
  command: string,
  { flags, terminal: asked, one }: Pick<Several<Flags, Args>, 'flags' | 'terminal' | 'one'>,
  { own = () => ({}), digestOf, isFinished, writesFiles, ...known }: Together<Flags>,
): Promise<Gathering | Result> {
  requireAbsent({ '--csv': flags.csv });
  const chosen = await chosenTargets(command, { flags, terminal: asked }, known);
  if ('code' in chosen) return chosen;
  const { opened, scope, terminal } = chosen;
  const results = await targetResults(command, flags, chosen, digestOf);
  // As many listen as there are targets.
  setMaxListeners(0, NEVER);
  return {
    ...results,
    opened,
    terminal,
    targets: scope.targets.map(({ name }) => name),
    perform,
    run: async (target, around) => results.record(target, await perform(target, around)),
  };

  async function perform(target: string, around: Pick<Terminal, 'job'> = {}): Promise<Performed> {
    const begun = terminal.clock.now();
    const { target: _, label, all, changedSince, parallel, report: __, ...others } = flags;
    const shared = writesFiles === true ? {} : { opened };
    const flagsOfOne = { ...others, target, ...shared, ...own(target) } as unknown as FlagsOfOne<Flags>;
    const signal = isFinished === true ? NEVER : terminal.signal;
    const seat = { ...seatOf(target, terminal), ...around, signal };
    const result = await one(flagsOfOne, seat)
      .then(saved)
      .catch((error: unknown) => {
        if (error instanceof NotBegun || error instanceof EndedBefore) throw error;
        return resultOf(error, terminal);
      });
    return { result, seconds: (terminal.clock.now() - begun) / 1000 };
  }
}

const NEVER = new AbortController().signal;

/** The terminal of one of several targets: notices name the target, and progress and questions are not shown. */
function seatOf(target: string, terminal: Terminal): Terminal {
  const { err, log, notice, paintErr } = terminal;
  const mute = (): void => {};
  return {
    ...terminal,
    out: mute,
    err: mute,
    tellRunner: mute,
    ask: async () => null,
    log: (level, message, fields = {}) => log(level, message, { target, ...fields }),
    notice: (what) => {
      if (what.type === 'working' || what.type === 'retry') return;
      if (what.type === 'certificates-checked') notice(what);
      else err(`${plain(target)}: ${noticeText(what, paintErr)}\n`);
    },
  };
}
