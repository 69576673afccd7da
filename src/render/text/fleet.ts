// The terminal text of runs over several targets: waves in numbers, what a run waits for, why it stopped, and its state.

import { assertNever } from '../../base/errors.ts';
import { counted, few } from '../../base/text.ts';
import type { RunState } from '../../engine/client.ts';
import type { LiveWorker } from '../../engine/workers.ts';
import type { FleetSpec, GateEvent, StopReason } from '../../fleet/events.ts';
import type { FleetResults } from '../../fleet/log.ts';
import type { Paint } from '../../view/paint.ts';
import { plain, time } from '../../view/plain.ts';
import { table } from '../../view/terminal/layout.ts';
import { shownState } from '../words/fleet.ts';

/** `Waves: canary 2, held 10 min, gates verified and tests; rest 28, 8 at a time. Stops after the first failure.` */
export function wavesText(spec: FleetSpec): string {
  const each = spec.waves.map(({ name, targets, parallel, hold, gates }) =>
    [
      `${plain(name)} ${targets.length}`,
      ...(targets.length > parallel ? [`${parallel} at a time`] : []),
      ...(hold > 0 ? [`held ${durationText(hold)}`] : []),
      ...(gates.length > 0 ? [`${gates.length === 1 ? 'gate' : 'gates'} ${gates.join(', ')}`] : []),
    ].join(', '),
  );
  return `${[`Waves: ${each.join('; ')}.`, ...limitsText(spec)].join(' ')}\n`;
}

/** `Stops after the first failure.`; nothing without a limit. */
export function limitsText({
  maxFailures,
  maxUnreachable,
}: Pick<FleetSpec, 'maxFailures' | 'maxUnreachable'>): readonly string[] {
  const limits = [
    ...(maxFailures === null ? [] : [limitText(maxFailures, 'failure')]),
    ...(maxUnreachable === null ? [] : [limitText(maxUnreachable, 'unreachable target')]),
  ];
  return limits.length === 0 ? [] : [`Stops after ${limits.join(' or ')}.`];
}

function limitText(limit: number, noun: string): string {
  return limit === 0 ? `the first ${noun}` : `more than ${counted(limit, noun)}`;
}

/** `10 min`, `90 s`. */
export function durationText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

/** `1 target failed (max_failures 0)`. */
export function stopText(because: StopReason): string {
  switch (because.kind) {
    case 'failures':
    case 'unreachable': {
      const where = because.wave === null ? '' : ` in wave ${plain(because.wave)}`;
      const [said, setting] =
        because.kind === 'failures' ? ['failed', 'max_failures'] : ['could not be reached', 'max_unreachable'];
      return `${counted(because.count, 'target')} ${said}${where} (${setting} ${because.limit})`;
    }
    case 'gate':
      return `gate ${because.gate} of wave ${plain(because.wave)} did not pass on ${plain(because.target)}${because.message === null ? '' : `: ${plain(because.message)}`}`;
    case 'unproven':
      return `no target of wave ${plain(because.wave)} was done, so the next wave has no proof`;
    case 'cancelled':
      return `cancelled by ${plain(because.by.user)}@${plain(because.by.host)}`;
    case 'interrupted':
      return 'interrupted';
    default:
      return assertNever(because);
  }
}

/** What is left of a run, and how to go on. `because`: why it stopped; null when all of it was tried. */
export function leftText(id: string, because: StopReason | null, results: FleetResults, paint: Paint): string {
  const count = (of: (wave: FleetResults['waves'][number]) => ReadonlySet<string>): number =>
    results.waves.reduce((sum, wave) => sum + of(wave).size, 0);
  const [open, failed, unreachable] = [
    count((wave) => wave.open),
    count((wave) => wave.failed),
    count((wave) => wave.unreachable),
  ];
  const command = `chatform apply --resume ${shortRun(id)}`;
  const retries = [...(failed > 0 ? ['failed'] : []), ...(unreachable > 0 ? ['unreachable'] : [])].map(
    (state) => `--retry ${state}`,
  );
  const canGoOn = open > 0 && !results.waves.some(isStuck);
  const parts = [
    ...(because === null
      ? []
      : [`${paint('warning', 'Stopped:')} ${stopText(because)}. ${counted(open, 'target')} not begun.`]),
    ...(canGoOn ? [`Go on: \`${command}\`.`] : []),
    ...(retries.length > 0
      ? [`${canGoOn ? 'Try again also where it failed' : 'Try again'}: \`${[command, ...retries].join(' ')}\`.`]
      : []),
  ];
  return `${parts.join(' ')}\n`;
}

/** Whether all of a wave failed, so that no later wave begins until some of it was tried again. */
function isStuck({ done, open, running, failed, unreachable }: FleetResults['waves'][number]): boolean {
  return done.size + open.size + running.size === 0 && failed.size + unreachable.size > 0;
}

/** Enough of an id to be found by it. */
export function shortRun(id: string): string {
  return id.slice(0, 8);
}

/** The first target of a wave is begun. */
export function waveText({ name, targets }: FleetSpec['waves'][number]): string {
  return `Wave ${plain(name)}: ${counted(targets.length, 'target')}.\n`;
}

/** A gate did not pass on a target. */
export function closedText({ gate, target, message }: GateEvent): string {
  return `${plain(target)}: gate ${gate} did not pass${message === null ? '' : `: ${plain(message)}`}\n`;
}

/** A gate passed on all targets of its wave. */
export function passedText({ gate, wave }: GateEvent, targets: number): string {
  return `Wave ${plain(wave)}: gate ${gate} passed on ${counted(targets, 'target')}.\n`;
}

/** What a run waits for before it begins more. */
export function holdText(
  wave: string,
  until: number,
  because: { readonly type: 'hold' } | { readonly type: 'freeze'; readonly reason: string | null },
): string {
  const at = time(new Date(until).toISOString());
  if (because.type === 'hold') return `Wave ${plain(wave)} is held until ${at}.\n`;
  return `Frozen until ${at}${because.reason === null ? '' : `: ${plain(because.reason)}`}. No target is begun before.\n`;
}

/** How far a run is: a line for each wave, what failed or differs, and who works on it. */
export function statusText(results: FleetResults, workers: RunWorkers | null, paint: Paint): string {
  const { run, waves, targets } = results;
  const hasQueue = waves.some(({ queued }) => queued.size > 0);
  const rows = run.spec.waves.flatMap(({ name, targets: own }, index) => {
    const wave = waves[index];
    if (wave === undefined) return [];
    const { done, failed, unreachable, running, queued, open } = wave;
    const waiting = hasQueue ? [queued.size] : [];
    const counts = [own.length, done.size, failed.size, unreachable.size, running.size, ...waiting, open.size];
    return [[plain(name), ...counts.map((count) => (count === 0 ? '-' : String(count)))]];
  });
  const head = [
    'WAVE',
    'TARGETS',
    'DONE',
    'FAILED',
    'UNREACHABLE',
    'UNDER WAY',
    ...(hasQueue ? ['QUEUED'] : []),
    'NOT BEGUN',
  ];
  const wrong = [...targets].flatMap(([name, result]) => {
    const state = shownState(result);
    const isWrong = state === 'failed' || state === 'unreachable' || state === 'differs';
    return isWrong ? [[plain(name), state, plain(result.end?.message ?? '')]] : [];
  });
  const lines = [
    ...table([head, ...rows], paint.width),
    ...(wrong.length === 0 ? [] : ['', ...table(wrong, paint.width)]),
  ];
  return `${paint('strong', `Run ${shortRun(run.id)}`)}  ${plain(run.command)}, begun ${time(run.at)} by ${plain(run.by.user)}@${plain(run.by.host)}: ${stateWord(results, workers !== null, workers)}\n\n${lines.map((line) => `${line}\n`).join('')}${workers === null ? '' : workersText(workers)}`;
}

/** Where a run on workers is, and the workers that are there. */
export interface RunWorkers {
  readonly state: RunState;
  readonly live: readonly LiveWorker[];
}

export function workersText({ state, live }: RunWorkers): string {
  const names = live.map(
    ({ holder, parallel }) => `${holder.user}@${holder.host} (pid ${holder.pid}, ${parallel} at a time)`,
  );
  const there = live.length === 0 ? 'No worker is there.' : `${counted(live.length, 'worker')}: ${plain(few(names))}.`;
  return `\n${drivenText(state)} ${there}\n`;
}

function drivenText(state: RunState): string {
  switch (state.state) {
    case 'driven':
      return 'A worker drives the run.';
    case 'waiting':
      return `The run waits for a worker${state.refused === null ? '' : `: ${plain(state.refused)}`}.`;
    case 'broken':
      return `The run stopped: ${plain(state.message)}; go on with \`chatform apply --resume\`.`;
    case 'absent':
      return 'No worker was asked to drive the run: go on with `chatform apply --resume`.';
    case 'ended':
      return 'The run is about to end.';
    default:
      return assertNever(state);
  }
}

/** `onWorkers`: they go on for one that died. Whether a process of this machine lives is not known. `workers`: null where it was not asked which there are. */
export function stateWord(
  { finished, stopped, cancelled, waves }: FleetResults,
  onWorkers: boolean,
  workers: Pick<RunWorkers, 'live'> | null = null,
): string {
  if (finished)
    return waves.some(({ failed, unreachable }) => failed.size + unreachable.size > 0) ? 'done, with failures' : 'done';
  if (stopped !== null) return `stopped: ${stopText(stopped)}`;
  if (cancelled !== null && workers?.live.length === 0) return 'cancelled; the next worker ends it';
  if (cancelled !== null) return onWorkers ? 'being cancelled' : 'being cancelled, or killed';
  return onWorkers ? 'under way' : 'under way, or killed';
}

/** A run in a list. */
export interface ListedRun {
  readonly results: FleetResults;
  readonly onWorkers: boolean;
}

/** A line for each run. */
export function runsText(runs: readonly ListedRun[], older: number, paint: Paint): string {
  if (runs.length === 0) return 'No run over several targets yet: `chatform apply --all` makes one.\n';
  const rows = runs.map(({ results, onWorkers }) => {
    const { run, targets } = results;
    const done = [...targets.values()].filter(({ state }) => state === 'done').length;
    return [
      shortRun(run.id),
      time(run.at),
      plain(run.command),
      `${done} of ${targets.size}`,
      stateWord(results, onWorkers),
    ];
  });
  const lines = table([['RUN', 'BEGUN', 'COMMAND', 'DONE', 'STATE'], ...rows], paint.width);
  const more = older === 0 ? [] : ['', `${counted(older, 'older run')}: \`chatform fleet list --all\` has all of them`];
  return [...lines, ...more].map((line) => `${line}\n`).join('');
}
