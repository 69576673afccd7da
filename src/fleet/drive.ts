// The local driver of a fleet run: one process asks `next`, and does it. Knows nothing of the work.

import pLimit from 'p-limit';
import { assertNever } from '../base/errors.ts';
import type { Clock } from '../base/model.ts';
import type { Gate } from '../project/fleet-settings.ts';
import type { EndedEvent, FleetEvent, Maker, StopReason } from './events.ts';
import { type FleetResults, fleetLog, isOverOnWorkers } from './log.ts';
import { type Frozen, type GateCheck, type NextStep, next } from './next.ts';
import type { FleetStore } from './store.ts';

/** How a target ended. */
export type TargetEnd = Pick<EndedEvent, 'state' | 'code' | 'message' | 'requests' | 'summary'>;

/** What a gate found. `message`: why it did not pass. */
export interface GateEnd {
  readonly passed: boolean;
  readonly message: string | null;
}

/** A target that fails, and a gate that does not pass, are results. A rejection ends the run once everything under way has ended. */
export interface FleetWork {
  /** May be asked twice for one attempt, if the first process was killed: it must come to the same end. */
  readonly work: (target: string, attempt: number) => Promise<TargetEnd>;
  readonly check: (gate: Gate, target: string) => Promise<GateEnd>;
}

export interface DriveOptions {
  readonly clock: Clock;
  /** Aborting it begins nothing any more, and lets what is under way end. */
  readonly signal: AbortSignal;
  readonly by: Maker;
  /**
   * An engine goes on after the process that drove the run died: a request to cancel the run stays, and a run that had stopped or was done stays as it is.
   */
  readonly isRecovered?: boolean;
  /** The targets of an earlier process of the run that get another attempt. */
  readonly retry?: readonly ('failed' | 'unreachable')[];
  /** The window at a time; null outside of all. */
  readonly frozen?: (now: number) => Frozen | null;
  /** Called with each event that is on disk. */
  readonly onEvent?: (event: FleetEvent, results: FleetResults) => void;
  /** Called before each step, and about each second while there is none. */
  readonly onStep?: (step: NextStep) => void;
}

export interface FleetEnd {
  /** Null when all targets have ended and all gates have passed. */
  readonly stopped: StopReason | null;
  readonly results: FleetResults;
}

/** What a run that goes on begins with. */
export function resumeEvents(
  { targets }: FleetResults,
  { by, retry }: Pick<DriveOptions, 'by' | 'retry'>,
  stamp: Pick<FleetEvent, 'v' | 'at'>,
): readonly FleetEvent[] {
  const chosen = new Set<string>(retry);
  const again = [...targets].flatMap(([name, { state }]) => (chosen.has(state) ? [name] : []));
  return [
    { ...stamp, type: 'resumed', by },
    ...(again.length === 0 ? [] : [{ ...stamp, type: 'retry' as const, targets: again }]),
  ];
}

/** Milliseconds between two questions whether the run is cancelled, so also after which it notices at the latest. */
const POLL = 1_000;

/**
 * Carries out the run in `store`, whose first event is there; goes on where an earlier process stopped.
 * @throws what `work`, `check` and the store throw, after everything under way has ended
 */
export async function driveFleet(store: FleetStore, does: FleetWork, options: DriveOptions): Promise<FleetEnd> {
  const { clock, signal, frozen = () => null } = options;
  const before = await store.read();
  const log = fleetLog(before);
  const { results } = log;
  const { spec } = results.run;
  let underWay = 0;
  let trouble: { readonly error: unknown } | null = null;
  let nap = new AbortController();
  let asked = Number.NEGATIVE_INFINITY;
  const wake = (): void => nap.abort();
  const stamp = () => ({ v: 1, at: new Date(clock.now()).toISOString() }) as const;

  /** What `next` sees may be ahead of the disk: later events cannot be there without it. */
  async function record(event: FleetEvent): Promise<void> {
    log.add(event);
    await store.append([event]);
    options.onEvent?.(event, results);
  }

  async function resume(): Promise<void> {
    if (options.isRecovered !== true) await store.cancel(null);
    for (const event of resumeEvents(results, options, stamp())) await record(event);
  }

  function launch(task: Promise<void>): void {
    underWay += 1;
    void task
      .catch((error: unknown) => {
        trouble ??= { error };
      })
      .then(() => {
        underWay -= 1;
        wake();
      });
  }

  async function begin(target: string): Promise<void> {
    const attempt = results.targets.get(target)?.attempt ?? 1;
    const began = clock.now();
    await record({ ...stamp(), type: 'started', target, attempt });
    const end = await does.work(target, attempt);
    const seconds = (clock.now() - began) / 1000;
    const recorded = record({ ...stamp(), type: 'ended', target, attempt, seconds, ...end });
    // The next start shares the write.
    wake();
    await recorded;
  }

  const isHalted = (): boolean => trouble !== null || signal.aborted || results.cancelled !== null;

  async function heedCancel(): Promise<void> {
    if (isHalted() || clock.now() - asked < POLL) return;
    asked = clock.now();
    const request = await store.cancelled();
    if (request !== null && results.cancelled === null) await record(request);
  }

  /** Gates are checked to the end, unless one of them does not pass. */
  async function checkAll(wave: string, parallel: number, checks: readonly GateCheck[]): Promise<void> {
    const limit = pLimit(parallel);
    let isClosed = false;
    const checkOne = async ({ gate, target }: GateCheck): Promise<void> => {
      await heedCancel();
      if (isClosed || isHalted()) return;
      const end = await does.check(gate, target);
      isClosed ||= !end.passed;
      await record({ ...stamp(), type: 'gate', wave, gate, target, ...end });
    };
    for (const check of checks) launch(limit(() => checkOne(check)));
    await settled();
  }

  async function pause(milliseconds: number): Promise<void> {
    await clock.sleep(Math.min(POLL, milliseconds), nap.signal);
    nap = new AbortController();
  }

  /** Everything under way has ended, and is on disk. */
  async function settled(): Promise<void> {
    while (underWay > 0) await pause(POLL);
  }

  async function finish(because: StopReason | null): Promise<FleetEnd> {
    await record(because === null ? { ...stamp(), type: 'done' } : { ...stamp(), type: 'stopped', because });
    return { stopped: because, results };
  }

  function nextStep(): NextStep {
    const now = clock.now();
    const step = next(spec, results, now, frozen(now));
    if (step.type === 'done' || step.type === 'stop' || !(trouble !== null || signal.aborted)) return step;
    const because: StopReason = { kind: 'interrupted' };
    return underWay > 0 ? { type: 'wait', stopping: because } : { type: 'stop', because };
  }

  async function drive(): Promise<FleetEnd> {
    for (;;) {
      await heedCancel();
      const step = nextStep();
      options.onStep?.(step);
      switch (step.type) {
        case 'start':
          for (const target of step.targets) launch(begin(target));
          break;
        case 'check':
          await checkAll(step.wave, step.parallel, step.checks);
          break;
        case 'hold':
          await pause(step.until - clock.now());
          break;
        case 'wait':
          await pause(POLL);
          break;
        case 'stop':
        case 'done':
          await settled();
          if (trouble !== null) throw trouble.error;
          return finish(step.type === 'stop' ? step.because : null);
        default:
          assertNever(step);
      }
    }
  }

  if (options.isRecovered === true && isOverOnWorkers(results)) return { stopped: results.stopped, results };
  signal.addEventListener('abort', wake);
  try {
    if (before.length > 1) await resume();
    return await drive();
  } finally {
    await settled();
    signal.removeEventListener('abort', wake);
  }
}
