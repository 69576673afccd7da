// Words of runs over several targets: their waves and gates, what a run waits for, why it stopped, how to go on, and who works on it.

import { assertNever } from '../base/errors.ts';
import { capital, counted, few } from '../base/text.ts';
import type { Span } from '../view/blocks.ts';
import { shortId, time } from '../view/plain.ts';
import { amount } from '../view/words/amounts.ts';
import { quoted } from '../view/words/commands.ts';
import type { Cap, FleetSpec, GateEvent, StopReason, Wave } from './log/events.ts';
import type { FleetResults, WaveResults } from './log/log.ts';
import type { Frozen } from './next.ts';
import type { RunState } from './workers/client.ts';
import type { LiveWorker } from './workers/workers.ts';

/** `canary 2, held 10 min, gates customers, tests; rest 28, 8 at a time. Stops after the first failure.` */
export function wavesText({ waves, ...run }: FleetSpec): string {
  const each = waves.map(({ name, targets, parallel, hold, gates, approve, ...limits }) =>
    [
      `${name} ${targets.length}`,
      ...(targets.length > parallel ? [`${parallel} at a time`] : []),
      ...(approve === true ? ['once a person approves it'] : []),
      ...(hold > 0 ? [`held ${amount(hold / 1000, 'seconds')}`] : []),
      ...(gates.length > 0 ? [`${gates.length === 1 ? 'gate' : 'gates'} ${gates.join(', ')}`] : []),
      ...limitsText(limits),
    ].join(', '),
  );
  return [each.join('; '), ...limitsText(run).map(capital)].map((sentence) => `${sentence}.`).join(' ');
}

/** Nothing without a limit. */
function limitsText({ maxFailures, maxUnreachable }: Pick<Wave, 'maxFailures' | 'maxUnreachable'>): readonly string[] {
  const limits = [[maxFailures, 'failure'] as const, [maxUnreachable, 'unreachable target'] as const].flatMap(
    ([limit, noun]) => {
      if (limit === null) return [];
      return limit === 0 ? `the first ${noun}` : `more than ${counted(limit, noun)}`;
    },
  );
  return limits.length === 0 ? [] : [`stops after ${limits.join(' or ')}`];
}

/** The first target of a wave is begun. */
export function waveText({ name, targets }: Wave): string {
  return `Wave ${name}: ${counted(targets.length, 'target')}.`;
}

/** All targets of a wave have ended, and none had anything to change. @param heir - The wave that its gates go to. */
export function idleText({ name }: Pick<Wave, 'name'>, heir: string | null): string {
  return `Wave ${name}: no license of wave ${name} changes${heir === null ? '' : `; its gates are checked on wave ${heir}`}.`;
}

/** On how many of the targets of its wave that are done a gate passed. */
export function passedText({ gate, wave }: Pick<GateEvent, 'gate' | 'wave'>, passed: number, done: number): string {
  return `Wave ${wave}: gate ${gate} passed on ${passed === done ? '' : `${passed} of `}${counted(done, 'target')}.`;
}

/** Of a gate that passed although it did not compare. */
export function uncomparedText({ gate, wave, target, message }: GateEvent): string {
  return `Wave ${wave}: gate ${gate} on ${target}: ${message}.`;
}

export function refusedText({ gate, wave, target, message }: Omit<GateEvent, 'v' | 'type' | 'at' | 'passed'>): string {
  return `gate ${gate} of wave ${wave} did not pass on ${target}${message === null ? '' : `: ${message}`}`;
}

/** What a run waits for before it begins more. */
export function holdText(
  wave: string,
  until: number,
  because: { readonly type: 'hold' } | { readonly type: 'freeze'; readonly reason: string | null },
): string {
  if (because.type === 'hold') return `Wave ${wave} is held until ${time(new Date(until).toISOString())}.`;
  return frozenText({ until, reason: because.reason });
}

/** `Waiting until 2026-11-30T07:00:00Z: weekend. Nothing is begun before.` */
export function frozenText({ until, reason }: Frozen): string {
  const at = time(new Date(until).toISOString());
  return `Waiting until ${at}${reason === null ? '' : `: ${reason}`}. Nothing is begun before.`;
}

/** `1 target failed (max_failures 0)`. */
function stopText(because: StopReason): string {
  switch (because.kind) {
    case 'failures':
    case 'unreachable': {
      const where = because.wave === null ? '' : ` in wave ${because.wave}`;
      const [said, setting] =
        because.kind === 'failures' ? ['failed', 'max_failures'] : ['could not be reached', 'max_unreachable'];
      return `${counted(because.count, 'target')} ${said}${where} (${setting} ${because.limit})`;
    }
    case 'gate':
      return refusedText(because);
    case 'unproven':
      return `no target of wave ${because.wave} was done, so the next wave has no proof`;
    case 'cap':
      return overText(because.cap, because.target);
    case 'approval':
      return `wave ${because.wave} begins once a person approves it`;
    case 'cancelled':
      return `cancelled by ${because.by.user}@${because.by.host}`;
    case 'interrupted':
      return 'interrupted';
    default:
      return assertNever(because);
  }
}

/** What a limit for all targets does not allow, and what to do. @param target - The one that was not changed; null for plans that are all known. */
export function overText({ setting, count, limit }: Cap, target: string | null): string {
  const what = counted(
    count,
    setting === 'max_deletes' ? 'delete' : 'kind of visitor',
    setting === 'max_deletes' ? 'deletes' : 'kinds of visitors',
  );
  const would = setting === 'max_deletes' ? what : `${what} who go elsewhere`;
  const whose = target === null ? 'this run has' : `with ${target}, this run would have`;
  return `${whose} ${would}, and \`fleet: ${setting}\` allows ${limit}: take fewer targets at once, or raise it in chatform.yaml`;
}

/** Targets of all waves. */
export function countOf(
  { waves }: Pick<FleetResults, 'waves'>,
  state: 'open' | 'queued' | 'running' | 'done' | 'failed' | 'unreachable',
): number {
  return waves.reduce((sum, wave) => sum + wave[state].size, 0);
}

/** How far a run is, and of one that is over how to go on. */
export function resultText(
  results: FleetResults,
  onWorkers = false,
  workers: RunWorkers | null = null,
): readonly Span[] {
  const { run, stopped, finished, targets, waves } = results;
  const open = countOf(results, 'open');
  const done = `${countOf(results, 'done')} of ${counted(targets.size, 'target')}`;
  const [word, rest] =
    stopped !== null
      ? ['stopped', `${stopText(stopped)}. ${counted(open, 'target')} not begun.`]
      : [stateWord(results, onWorkers, workers), `${done}${finished ? '' : ' done'}.`];
  const head: Span = { text: `${capital(word)}:`, tone: stopped === null ? 'strong' : 'warning' };
  if (stopped === null && !finished) return [head, ` ${rest}`];
  const approves = stopped?.kind === 'approval' ? ` --approve-wave ${quoted(stopped.wave)}` : '';
  const resume = `chatform apply --resume ${shortId(run.id)}${approves}`;
  const retries = (['failed', 'unreachable'] as const).flatMap((state) =>
    countOf(results, state) > 0 ? [`--retry ${state}`] : [],
  );
  const canGoOn = open > 0 && !waves.some(isStuck);
  const again = canGoOn ? ' Try again also where it failed: ' : ' Try again: ';
  return [
    ...[head, ` ${rest}`],
    ...(canGoOn ? [' Go on: ', commandSpan(resume), '.'] : []),
    ...(retries.length > 0 ? [again, commandSpan([resume, ...retries].join(' ')), '.'] : []),
  ];
}

function commandSpan(text: string): Span {
  return { text, as: 'code' };
}

/** Whether all of a wave failed, so that no later wave begins until some of it was tried again. */
function isStuck({ done, open, running, failed, unreachable }: WaveResults): boolean {
  return done.size + open.size + running.size === 0 && failed.size + unreachable.size > 0;
}

/** Where a run on workers is, and the workers that are there. */
export interface RunWorkers {
  readonly state: RunState;
  readonly live: readonly LiveWorker[];
}

export function workersText({ state, live }: RunWorkers): readonly Span[] {
  const names = live.map(
    ({ holder, parallel }) => `${holder.user}@${holder.host} (pid ${holder.pid}, ${parallel} at a time)`,
  );
  const there: readonly Span[] =
    live.length === 0
      ? [' No worker is there: start ', commandSpan('chatform fleet worker'), ' in a clone of this repository.']
      : [` ${counted(live.length, 'worker')}: ${few(names)}.`];
  const isGone = state.state === 'driven' && live.length === 0;
  return [...(isGone ? ['The worker that drove the run is gone.'] : drivenText(state)), ...there];
}

function drivenText(state: RunState): readonly Span[] {
  const resume = commandSpan('chatform apply --resume');
  switch (state.state) {
    case 'driven':
      return ['A worker drives the run.'];
    case 'waiting':
      return [`The run waits for a worker${state.refused === null ? '' : `: ${state.refused}`}.`];
    case 'broken':
      return [`The run stopped: ${state.message}; go on with `, resume, '.'];
    case 'absent':
      return ['No worker was asked to drive the run: go on with ', resume, '.'];
    case 'ended':
      return ['The run is about to end.'];
    default:
      return assertNever(state);
  }
}

/** `onWorkers`: they go on for one that died. Whether a process of this machine lives is not known. `workers`: null where it was not asked which there are. */
export function stateWord(results: FleetResults, onWorkers: boolean, workers: RunWorkers | null = null): string {
  const { finished, stopped, cancelled } = results;
  if (finished) return hasFailed(results) ? 'done, with failures' : 'done';
  if (stopped !== null) return `stopped: ${stopText(stopped)}`;
  if (cancelled !== null && workers?.live.length === 0) return 'cancelled; the next worker ends it';
  if (workers?.live.length === 0) return 'waits for a worker';
  return `${cancelled === null ? 'under way' : 'being cancelled'}${onWorkers ? '' : ', or killed'}`;
}

export function hasFailed(results: FleetResults): boolean {
  return countOf(results, 'failed') + countOf(results, 'unreachable') > 0;
}
