// Runs that `next` decides against a naive simulation: it goes from one second to the next, and looks at a table of what each target does. It shares no
// code with src/fleet.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FleetSpec } from '../../src/many/log/events.ts';
import { fleetLog } from '../../src/many/log/log.ts';
import { next } from '../../src/many/next.ts';
import { tries } from '../tries.ts';
import { ANN, ended, runOf, START, stampAt, started } from './names.ts';
import { anyFreezes, anySpec, type Freezes, frozenAt, UNIT } from './runs.ts';

interface Fate {
  /** Seconds, at least 1. */
  readonly takes: number;
  readonly state: 'done' | 'failed' | 'unreachable';
  /** Gates that do not pass on it. */
  readonly refuses: readonly string[];
}

interface World {
  readonly spec: FleetSpec;
  readonly freezes: Freezes;
  readonly fates: readonly Fate[];
  /** The second in which a person cancels the run; null for never. */
  readonly cancel: number | null;
}

const anyFate: fc.Arbitrary<Fate> = fc.record({
  takes: fc.integer({ min: 1, max: 5 }),
  state: fc.oneof(
    { weight: 6, arbitrary: fc.constant('done' as const) },
    { weight: 1, arbitrary: fc.constant('failed' as const) },
    { weight: 1, arbitrary: fc.constant('unreachable' as const) },
  ),
  refuses: fc.oneof({ weight: 12, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.constant(['tests']) }),
});

const anyWorld: fc.Arbitrary<World> = fc.record({
  spec: anySpec,
  freezes: anyFreezes,
  fates: fc.array(anyFate, { minLength: 16, maxLength: 16 }),
  cancel: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(20) }),
});

/** Target -> second of its start, and what ended the run. */
interface Played {
  readonly starts: { readonly [target: string]: number };
  readonly end: string;
}

const LONGEST = 500;

function fateOf({ fates }: World, target: string): Fate {
  const fate = fates[Number(target.slice(1)) % fates.length];
  if (fate === undefined) throw new Error('a target without a fate');
  return fate;
}

/** Second by second: who ends now, who begins now. */
function simulated(world: World): Played {
  const { spec, freezes, cancel } = world;
  const starts: { [target: string]: number } = {};
  const waves = spec.waves.filter(({ targets }) => targets.length > 0);
  const endOf = (target: string) => (starts[target] ?? Number.POSITIVE_INFINITY) + fateOf(world, target).takes;
  for (let second = 0; second < LONGEST; second += 1) {
    const isOver = (target: string) => endOf(target) <= second;
    const isBusy = (target: string) => target in starts && !isOver(target);
    const ends = (targets: readonly string[], state: Fate['state']) =>
      targets.filter((target) => isOver(target) && fateOf(world, target).state === state);
    const all = waves.flatMap(({ targets }) => targets);
    const isWaiting = (target: string) => !(target in starts);

    const exceeded = [...waves, { ...spec, targets: all }].flatMap(({ targets, maxFailures, maxUnreachable }) => [
      ...(maxFailures !== null && ends(targets, 'failed').length > maxFailures ? ['failures'] : []),
      ...(maxUnreachable !== null && ends(targets, 'unreachable').length > maxUnreachable ? ['unreachable'] : []),
    ]);
    const obstacle = cancel !== null && second >= cancel ? 'cancelled' : (exceeded[0] ?? null);

    let current = waves.findIndex(({ targets }) => !targets.every(isOver));
    if (current === -1) current = waves.length;
    // How far gates and holds let it come.
    let gate: string | null = null;
    let pause = false;
    for (const [index, wave] of waves.entries()) {
      if (index >= current) break;
      const proven = ends(wave.targets, 'done');
      const isLast = !waves.slice(index + 1).some(({ targets }) => targets.some(isWaiting));
      const lastEnd = Math.max(...wave.targets.map(endOf));
      if (proven.length === 0) {
        if (!isLast) gate = 'unproven';
      } else if (!isLast || wave.gates.length > 0) {
        // The gates of an earlier wave have passed before a later one began.
        const isPassed = waves.slice(index + 1).some(({ targets }) => targets.some((target) => target in starts));
        if (isPassed) continue;
        if (second < lastEnd + wave.hold / UNIT) pause = true;
        else if (wave.gates.some((each) => proven.some((target) => fateOf(world, target).refuses.includes(each))))
          gate = 'gate';
      }
      if (gate !== null || pause) break;
    }
    const busy = all.filter(isBusy).length;
    const isFinished = current === waves.length && gate === null && !pause;
    // Gates that were open when an obstacle came are not checked.
    const openGates = current === waves.length && (waves.at(-1)?.gates.length ?? 0) > 0;
    if (isFinished && (obstacle === null || !openGates || ends(waves.at(-1)?.targets ?? [], 'done').length === 0))
      return { starts, end: 'done' };
    if (obstacle !== null) {
      if (busy === 0) return { starts, end: obstacle };
      continue;
    }
    if (gate !== null) return { starts, end: gate };
    if (pause) continue;
    const wave = waves[current];
    if (wave === undefined) throw new Error('nothing is left');
    const isFrozen = freezes.some(({ from, length }) => from <= second && second < from + length);
    if (isFrozen) continue;
    for (const target of wave.targets)
      if (isWaiting(target) && wave.targets.filter(isBusy).length < wave.parallel) starts[target] = second;
  }
  throw new Error('the simulation does not end');
}

/** The same world, decided by `next`. */
function decided(world: World): Played {
  const { spec, freezes, cancel } = world;
  const log = fleetLog([runOf(spec)]);
  const starts: { [target: string]: number } = {};
  for (let second = 0; second < LONGEST; second += 1) {
    const now = START + second * UNIT;
    for (const [target, { state }] of log.results.targets) {
      const fate = fateOf(world, target);
      if (state === 'running' && (starts[target] ?? 0) + fate.takes <= second) log.add(ended(target, fate.state, now));
    }
    if (cancel === second) log.add({ ...stampAt(now), type: 'cancel', by: ANN });
    for (let isOpen = true; isOpen; ) {
      const step = next(spec, log.results, now, frozenAt(freezes, now));
      switch (step.type) {
        case 'start':
          for (const target of step.targets) {
            starts[target] = second;
            log.add(started(target, now));
          }
          break;
        case 'check':
          for (const { gate, target } of step.checks) {
            const passed = !fateOf(world, target).refuses.includes(gate);
            log.add({ ...stampAt(now), type: 'gate', wave: step.wave, gate, target, passed, message: null });
          }
          break;
        case 'stop':
          return { starts, end: step.because.kind };
        case 'done':
          return { starts, end: 'done' };
        default:
          isOpen = false;
      }
    }
  }
  throw new Error('the run does not end');
}

const LENGTH = tries(20_000, 1_000);

test(`${LENGTH} runs go as a naive simulation of them`, { timeout: 1_200_000 }, () => {
  const ends = new Map<string, number>();
  const property = fc.property(anyWorld, (world) => {
    const played = decided(world);
    expect(played).toEqual(simulated(world));
    ends.set(played.end, (ends.get(played.end) ?? 0) + 1);
  });
  fc.assert(property, { numRuns: LENGTH });
  for (const end of ['done', 'failures', 'unreachable', 'gate', 'unproven', 'cancelled'])
    expect(ends.get(end) ?? 0, end).toBeGreaterThan(LENGTH / 200);
});
