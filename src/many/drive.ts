// The local driver of a fleet run: one process asks `next`, and does it. Knows nothing of the work.

import pLimit from 'p-limit';
import { assertNever, NotBegun } from '../base/errors.ts';
import type { Clock } from '../base/model.ts';
import type { Gate } from '../project/fleet-settings.ts';
import type { EndedEvent, FleetEvent, RunMaker, StopReason } from './log/events.ts';
import { type FleetResults, fleetLog, isOverOnWorkers } from './log/log.ts';
import type { FleetStore } from './log/store.ts';
import { type Frozen, type GateCheck, type NextStep, next, stopReason } from './next.ts';

/** How a target ended. */
export type TargetEnd = Pick<EndedEvent, 'state' | 'code' | 'message' | 'requests' | 'summary' | 'unchanged' | 'over'>;

/** What a gate found. `message`: why it did not pass. */
export interface GateEnd {
  readonly passed: boolean;
  readonly message: string | null;
}

/** To be asked right before the first step that can change a target. Rejects with NotBegun once the run is cancelled or has stopped. */
export type MayBegin = () => Promise<void>;

/**
 * A target that fails, and a gate that does not pass, are results; what is not begun rejects with NotBegun. Any other rejection ends the run once
 * everything under way has ended.
 */
export interface FleetWork {
  /** May be asked twice for one attempt, if the first process was killed: it must come to the same end. */
  readonly work: (target: string, attempt: number, mayBegin: MayBegin) => Promise<TargetEnd>;
  readonly check: (gate: Gate, target: string, wave: string) => Promise<GateEnd>;
  /** Called again and again from when the run stops on: work that only waits for its turn is not begun then. */
  readonly halt?: () => void;
}

export interface DriveOptions {
  readonly clock: Clock;
  /** The time that the run goes by, which all of its drivers share, in milliseconds since the epoch; that of `clock` by default. */
  readonly now?: () => Promise<number>;
  /** Aborting it begins nothing any more, and lets what is under way end. */
  readonly signal: AbortSignal;
  readonly by: RunMaker;
  /**
   * An engine goes on after the process that drove the run died: a request to cancel the run stays, and a run that had stopped or was done stays as it is.
   */
  readonly isRecovered?: boolean;
  /** The targets of an earlier process of the run that get another attempt. */
  readonly retry?: readonly ('failed' | 'unreachable')[];
  /** Names of waves that the person who resumes the run approves. */
  readonly approved?: readonly string[];
  /** Asks a person whether a wave may begin; without it, the run stops there. */
  readonly approve?: (wave: string) => Promise<boolean>;
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

/** The flags of a command that goes on with a run. */
export interface ResumeFlags {
  readonly retry?: readonly string[];
  readonly approveWave?: readonly string[];
}

export function resumedBy({ retry, approveWave }: ResumeFlags): Pick<DriveOptions, 'retry' | 'approved'> {
  return {
    ...(retry === undefined ? {} : { retry: retry as NonNullable<DriveOptions['retry']> }),
    ...(approveWave === undefined ? {} : { approved: approveWave }),
  };
}

/** What a run that goes on begins with. */
export function resumeEvents(
  { targets }: FleetResults,
  { by, retry, approved = [] }: Pick<DriveOptions, 'by' | 'retry' | 'approved'>,
  stamp: Pick<FleetEvent, 'v' | 'at'>,
): readonly FleetEvent[] {
  const chosen = new Set<string>(retry);
  const again = [...targets].flatMap(([name, { state }]) => (chosen.has(state) ? [name] : []));
  return [
    { ...stamp, type: 'resumed', by },
    ...(again.length === 0 ? [] : [{ ...stamp, type: 'retry' as const, targets: again }]),
    ...approved.map((wave) => ({ ...stamp, type: 'approved' as const, wave, by })),
  ];
}

/** Milliseconds between two questions whether the run is cancelled, so also after which it notices at the latest. */
const POLL = 1_000;

/**
 * Carries out the run in `store`, whose first event is there; goes on where an earlier process stopped.
 * @throws what `work`, `check` and the store throw, after everything under way has ended
 */
export async function driveFleet(store: FleetStore, does: FleetWork, options: DriveOptions): Promise<FleetEnd> {
  const { clock, signal, frozen = () => null, now: timeNow = async () => clock.now() } = options;
  const before = await store.read();
  const log = fleetLog(before);
  const { results } = log;
  const { spec } = results.run;
  let underWay = 0;
  let trouble: { readonly error: unknown } | null = null;
  let nap = new AbortController();
  let asked = Number.NEGATIVE_INFINITY;
  /** When work was not begun, for a reason that is not known here yet. */
  let refused = Number.NEGATIVE_INFINITY;
  const wake = (): void => nap.abort();

  /** What `next` sees may be ahead of the disk: later events cannot be there without it. */
  async function record(event: FleetEvent): Promise<void> {
    log.add(event);
    await store.append([event]);
    options.onEvent?.(event, results);
  }

  async function resume(): Promise<void> {
    if (options.isRecovered !== true) await store.cancel(null);
    for (const event of resumeEvents(results, options, stampOf(await timeNow()))) await record(event);
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

  /** @param began - The time of the step that begins it. */
  async function begin(target: string, began: number): Promise<void> {
    const { attempt = 1, state } = results.targets.get(target) ?? {};
    await record({ ...stampOf(began), type: 'started', target, attempt });
    const end = await does.work(target, attempt, mayBegin).catch((error: unknown) => {
      if (error instanceof NotBegun) return error;
      if (!signal.aborted) does.halt?.();
      throw error;
    });
    const now = await timeNow();
    refused = end instanceof NotBegun ? clock.now() : Number.NEGATIVE_INFINITY;
    if (end instanceof NotBegun) asked = Number.NEGATIVE_INFINITY;
    const recorded = record(
      end instanceof NotBegun
        ? { ...stampOf(now), type: 'unbegun', target, attempt, cut: end.wasBegun ?? state === 'unknown' }
        : { ...stampOf(now), type: 'ended', target, attempt, seconds: Math.max(0, now - began) / 1000, ...end },
    );
    // The next start shares the write.
    wake();
    await recorded;
  }

  const isHalted = (): boolean => trouble !== null || signal.aborted || results.cancelled !== null;

  async function heedCancel(): Promise<void> {
    if (isHalted()) return;
    asked = clock.now();
    const request = await store.cancelled();
    if (request !== null && results.cancelled === null) await record(request);
  }

  /** Whether it is less than a second ago, also by a clock that was set back since. */
  const isRecent = (at: number): boolean => Math.abs(clock.now() - at) < POLL;

  async function heedCancelAtTimes(): Promise<void> {
    if (!isRecent(asked)) await heedCancel();
  }

  async function mayBegin(): Promise<void> {
    await heedCancel();
    if (isHalted() || stopReason(spec, results) !== null) throw new NotBegun();
  }

  /** Gates are checked to the end, unless one of them does not pass. */
  async function checkAll(wave: string, parallel: number, checks: readonly GateCheck[]): Promise<void> {
    const limit = pLimit(parallel);
    let isClosed = false;
    const checkOne = async ({ gate, target }: GateCheck): Promise<void> => {
      await heedCancelAtTimes();
      if (isClosed || isHalted()) return;
      const end = await does.check(gate, target, wave).catch((error: unknown) => {
        if (error instanceof NotBegun) return null;
        throw error;
      });
      if (end === null) return;
      isClosed ||= !end.passed;
      await record({ ...stampOf(await timeNow()), type: 'gate', wave, gate, target, ...end });
    };
    for (const check of checks) launch(limit(() => checkOne(check)));
    while (underWay > 0) {
      await pause(POLL);
      await heedCancelAtTimes();
      if (isClosed || results.cancelled !== null) does.halt?.();
    }
  }

  async function pause(milliseconds: number): Promise<void> {
    await clock.sleep(Math.min(POLL, milliseconds), nap.signal);
    nap = new AbortController();
  }

  /** Everything under way has ended, and is on disk. */
  async function settled(): Promise<void> {
    while (underWay > 0) await pause(POLL);
  }

  async function finish(because: StopReason | null, now: number): Promise<FleetEnd> {
    const stamp = stampOf(now);
    await record(because === null ? { ...stamp, type: 'done' } : { ...stamp, type: 'stopped', because });
    return { stopped: because, results };
  }

  function nextStep(now: number): NextStep {
    const step = next(spec, results, now, frozen(now));
    if (step.type === 'done' || step.type === 'stop') return step;
    if (trouble === null && !signal.aborted)
      return step.type === 'start' && isRecent(refused) ? { type: 'wait', stopping: null } : step;
    const because: StopReason = { kind: 'interrupted' };
    return underWay > 0 ? { type: 'wait', stopping: because } : { type: 'stop', because };
  }

  async function drive(): Promise<FleetEnd> {
    for (;;) {
      await heedCancelAtTimes();
      const now = await timeNow();
      const step = nextStep(now);
      options.onStep?.(step);
      if (isStopping(step)) does.halt?.();
      switch (step.type) {
        case 'start':
          for (const target of step.targets) launch(begin(target, now));
          break;
        case 'approve': {
          const isApproved = options.approve !== undefined && (await options.approve(step.wave));
          const at = await timeNow();
          if (!isApproved) return finish({ kind: 'approval', wave: step.wave }, at);
          await record({ ...stampOf(at), type: 'approved', wave: step.wave, by: options.by });
          break;
        }
        case 'check':
          await checkAll(step.wave, step.parallel, step.checks);
          break;
        case 'hold':
          await pause(step.until - now);
          break;
        case 'wait':
          await pause(POLL);
          break;
        case 'stop':
        case 'done':
          await settled();
          if (trouble !== null) throw trouble.error;
          return finish(step.type === 'stop' ? step.because : null, now);
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

function stampOf(now: number): Pick<FleetEvent, 'v' | 'at'> {
  return { v: 1, at: new Date(now).toISOString() };
}

/** Whether what waits for its turn is not begun any more. After an interruption, another driver goes on with it. */
function isStopping(step: NextStep): boolean {
  const because = step.type === 'wait' ? step.stopping : step.type === 'stop' ? step.because : null;
  return because !== null && because.kind !== 'interrupted';
}
