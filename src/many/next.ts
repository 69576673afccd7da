// The next step of a fleet run: a pure function of what was decided and what has happened. It is the same for every driver.

import { GATES, type Gate } from '../project/fleet-settings.ts';
import type { FleetSpec, StopReason, Wave } from './log/events.ts';
import type { FleetResults, WaveResults } from './log/log.ts';

/** A window in which no target is begun. */
export interface Frozen {
  /** Milliseconds since the epoch. */
  readonly until: number;
  readonly reason: string | null;
}

export interface GateCheck {
  readonly gate: Gate;
  readonly target: string;
}

export type NextStep =
  | { readonly type: 'start'; readonly targets: readonly string[] }
  /** The gates that are open, of which all must pass. */
  | { readonly type: 'check'; readonly wave: string; readonly parallel: number; readonly checks: readonly GateCheck[] }
  /** Nothing can be begun until then, in milliseconds since the epoch; targets may be under way. */
  | {
      readonly type: 'hold';
      readonly wave: string;
      readonly until: number;
      readonly because: { readonly type: 'hold' } | { readonly type: 'freeze'; readonly reason: string | null };
    }
  /** A person has to approve a wave before its first target is begun. */
  | { readonly type: 'approve'; readonly wave: string }
  /** Until a target that is under way ends. `stopping`: why no other is begun then; null when others are. */
  | { readonly type: 'wait'; readonly stopping: StopReason | null }
  | { readonly type: 'stop'; readonly because: StopReason }
  | { readonly type: 'done' };

/** @param frozen - The window at `now`; null outside of all. */
export function next(spec: FleetSpec, results: FleetResults, now: number, frozen: Frozen | null): NextStep {
  const step = forward(spec, results, now, frozen);
  const because = stopReason(spec, results) ?? (step.type === 'stop' ? step.because : null);
  if (step.type === 'done' || because === null) return step;
  return results.waves.some(({ running }) => running.size > 0)
    ? { type: 'wait', stopping: because }
    : { type: 'stop', because };
}

/** The next step of a run that neither a person nor a budget stops. */
function forward(spec: FleetSpec, results: FleetResults, now: number, frozen: Frozen | null): NextStep {
  // What an earlier wave without a change could not show.
  let unproven: Pick<Wave, 'gates' | 'hold'> = { gates: [], hold: 0 };
  for (const [planned, found, following] of wavesOf(spec, results)) {
    const gates = GATES.filter((gate) => planned.gates.includes(gate) || unproven.gates.includes(gate));
    const wave = { ...planned, gates, hold: Math.max(planned.hold, unproven.hold) };
    const { open, running } = found;
    if (open.size > 0) {
      if (wave.approve === true && open.size === wave.targets.length && !results.approved.has(wave.name))
        return { type: 'approve', wave: wave.name };
      const free = wave.parallel - running.size;
      if (free <= 0) return WAIT;
      if (frozen !== null)
        return {
          type: 'hold',
          wave: wave.name,
          until: frozen.until,
          because: { type: 'freeze', reason: frozen.reason },
        };
      return { type: 'start', targets: first(open, free) };
    }
    if (running.size > 0) return WAIT;
    unproven = isIdle(wave, found) ? wave : { gates: [], hold: 0 };
    if (unproven === wave) continue;
    const step = afterWave(wave, found, following, now);
    if (step !== null) return step;
  }
  return { type: 'done' };
}

/** Whether no target of the wave had anything to change: its gates and its hold go to the first later wave that has. */
export function isIdle({ targets }: Pick<Wave, 'targets'>, { unchanged }: Pick<WaveResults, 'unchanged'>): boolean {
  return targets.length > 0 && unchanged.size === targets.length;
}

/** The wave that the gates of an idle one go to, so far as it is known; null without gates, and where no other wave follows. */
export function heirOf({ waves }: FleetSpec, results: FleetResults, nth: number): string | null {
  const isOver = (wave: Wave, at: number): boolean => {
    const found = results.waves[at];
    return wave.targets.length === 0 || (found !== undefined && isIdle(wave, found));
  };
  const before = waves.slice(0, nth + 1);
  const since = before.slice(before.findLastIndex((wave, at) => !isOver(wave, at)) + 1);
  if (since.every(({ targets, gates }) => targets.length === 0 || gates.length === 0)) return null;
  return waves.find((wave, at) => at > nth && !isOver(wave, at))?.name ?? null;
}

const WAIT: NextStep = { type: 'wait', stopping: null };

/** The waves that have targets, each with whether a target of a later one is open. */
function wavesOf(
  { waves }: FleetSpec,
  results: FleetResults,
): readonly (readonly [wave: Wave, found: WaveResults, following: boolean])[] {
  const pairs = waves.flatMap((wave, index) => {
    const found = results.waves[index];
    return found === undefined || wave.targets.length === 0 ? [] : [[wave, found] as const];
  });
  const last = pairs.findLastIndex(([, { open }]) => open.size > 0);
  return pairs.map(([wave, found], index) => [wave, found, index < last]);
}

function first(targets: Iterable<string>, count: number): readonly string[] {
  const found: string[] = [];
  for (const target of targets) {
    if (found.length === count) break;
    found.push(target);
  }
  return found;
}

/** What comes between a wave whose targets have all ended and the next one; null when nothing does. */
function afterWave(wave: Wave, found: WaveResults, following: boolean, now: number): NextStep | null {
  const { done, closed, lastEnd } = found;
  if (closed !== null) {
    const { gate, target, message } = closed;
    return { type: 'stop', because: { kind: 'gate', wave: wave.name, gate, target, message } };
  }
  if (done.size === 0) return following ? { type: 'stop', because: { kind: 'unproven', wave: wave.name } } : null;
  const checks = wave.gates.flatMap((gate) =>
    [...done].flatMap((target) => (found.gate(gate, target) === null ? [{ gate, target }] : [])),
  );
  if (checks.length === 0 && !following) return null;
  const until = (lastEnd ?? now) + wave.hold;
  if (now < until) return { type: 'hold', wave: wave.name, until, because: { type: 'hold' } };
  return checks.length === 0 ? null : { type: 'check', wave: wave.name, parallel: wave.parallel, checks };
}

/** Why a person or a budget stops the run, from the moment of the request or the failure on; null when neither does. */
export function stopReason(spec: FleetSpec, results: FleetResults): StopReason | null {
  if (results.cancelled !== null) return { kind: 'cancelled', by: results.cancelled };
  if (results.over !== null) return { kind: 'cap', ...results.over };
  const counted = (found: readonly WaveResults[], state: 'failed' | 'unreachable'): number => {
    let count = 0;
    for (const wave of found) for (const target of wave[state]) if (!results.acknowledged.has(target)) count += 1;
    return count;
  };
  const over = (
    { maxFailures, maxUnreachable }: Pick<Wave, 'maxFailures' | 'maxUnreachable'>,
    found: readonly WaveResults[],
    wave: string | null,
  ): StopReason | null => {
    const failed = counted(found, 'failed');
    if (maxFailures !== null && failed > maxFailures)
      return { kind: 'failures', wave, count: failed, limit: maxFailures };
    const unreachable = counted(found, 'unreachable');
    if (maxUnreachable !== null && unreachable > maxUnreachable)
      return { kind: 'unreachable', wave, count: unreachable, limit: maxUnreachable };
    return null;
  };
  for (const [wave, found] of wavesOf(spec, results)) {
    const because = over(wave, [found], wave.name);
    if (because !== null) return because;
  }
  return over(spec, results.waves, null);
}
