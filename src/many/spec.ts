// The waves of a run in numbers, from settings and the targets that the run takes.

import { type Amount, type FleetSettings, REST, type WaveSettings, type WaveShare } from '../project/fleet-settings.ts';
import { type Labelled, labelled } from '../project/selection.ts';
import type { FleetSpec, Wave } from './log/events.ts';
import { inTurns } from './turns.ts';

/** A target that waves are made of. */
type Member = Labelled & Parameters<typeof inTurns>[0][number];

/** Name of the only wave where the settings have none. */
const ALL = 'all';

const PLAIN: Omit<WaveSettings, 'name'> = {
  takes: { by: 'rest' },
  parallel: null,
  hold: 0,
  gates: [],
  gatePlaces: {},
  approve: false,
  maxFailures: null,
  maxUnreachable: null,
};

/**
 * Each target is in the first wave that takes it; targets that no wave takes are in a last one, `rest`. A wave without targets stays, so that the
 * plan shows it. The targets of a wave begin in the turns of their tokens. Of shares, those of waves and of `parallel` are at least 1, those of budgets may be 0; all are rounded down.
 * @param unchanged - Targets of the choice with nothing to apply. A wave with gates or a hold has those of its labels as well: its gates check them too.
 */
export function fleetSpec(
  settings: FleetSettings,
  targets: readonly Member[],
  unchanged: readonly Member[] = [],
): FleetSpec {
  const waves: Wave[] = [];
  let left = targets;
  let leftUnchanged = unchanged;
  const add = (wave: WaveSettings): void => {
    const taken = new Set(takenBy(wave.takes, left, targets.length));
    const proving = new Set(wave.takes.by === 'labels' ? takenBy(wave.takes, leftUnchanged, 0) : []);
    waves.push(inNumbers(wave, [...taken, ...(wave.gates.length === 0 && wave.hold === 0 ? [] : proving)], settings));
    left = left.filter((target) => !taken.has(target));
    leftUnchanged = leftUnchanged.filter((target) => !proving.has(target));
  };
  for (const wave of settings.waves) add(wave);
  if (left.length > 0) add({ ...PLAIN, name: settings.waves.length === 0 ? ALL : REST });
  return {
    waves,
    maxFailures: limitOf(settings.maxFailures, targets.length),
    maxUnreachable: limitOf(settings.maxUnreachable, targets.length),
  };
}

function takenBy(takes: WaveShare, left: readonly Member[], all: number): readonly Member[] {
  switch (takes.by) {
    case 'labels':
      return left.filter((target) => labelled(target, takes.conditions));
    case 'amount':
      return left.slice(0, Math.max(1, resolved(takes.amount, all)));
    case 'rest':
      return left;
  }
}

function inNumbers(wave: WaveSettings, targets: readonly Member[], settings: FleetSettings): Wave {
  const { length } = targets;
  return {
    name: wave.name,
    targets: inTurns(targets).map(({ name }) => name),
    parallel: Math.max(1, resolved(wave.parallel ?? settings.parallel, length)),
    hold: wave.hold,
    gates: wave.gates,
    maxFailures: limitOf(wave.maxFailures, length),
    maxUnreachable: limitOf(wave.maxUnreachable, length),
    ...(wave.approve ? { approve: true as const } : {}),
  };
}

function limitOf(amount: Amount | null, all: number): number | null {
  return amount === null ? null : resolved(amount, all);
}

/** Rounded down. A product that misses a whole number by an error of its last digit is that number. */
function resolved(amount: Amount, all: number): number {
  return 'count' in amount ? amount.count : Math.floor((amount.percent * all) / 100 + 1e-9);
}
