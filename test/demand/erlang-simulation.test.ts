// Erlang A against a simulation that shares no code with it: visitors come, wait in order, lose patience and leave.

import { expect, test } from 'vitest';
import { atOnce, waitingFor } from '../../src/demand/erlang.ts';
import { queueFigures } from '../../src/demand/queues.ts';
import { IS_FULL, tries } from '../tries.ts';
import { seededRandom } from '../world.ts';

/** Times in seconds. */
interface Desk {
  readonly slots: number;
  readonly perHour: number;
  readonly length: number;
  readonly patience: number;
}

interface Outcome {
  readonly share: number;
  readonly seconds: number;
  readonly leaves: number;
  readonly patience: number | null;
}

/** Exponential times; the first come is the first served. Each slot knows only when it is free again. */
function simulate({ slots, perHour, length, patience }: Desk, visitors: number, seed: number): Outcome {
  const random = seededRandom(seed);
  const drawn = (mean: number): number => -mean * Math.log(1 - random());
  const free = new Float64Array(slots);
  let [now, waiters, served_seconds, left, left_seconds] = [0, 0, 0, 0, 0];
  for (let visitor = 0; visitor < visitors; visitor += 1) {
    now += drawn(3600 / perHour);
    let first = 0;
    for (let slot = 1; slot < slots; slot += 1) if ((free[slot] ?? 0) < (free[first] ?? 0)) first = slot;
    // All who came earlier and stay have a slot already, so the slot that is free first is the visitor's.
    const served = Math.max(now, free[first] ?? 0);
    const patientUntil = now + drawn(patience);
    if (served > now) waiters += 1;
    if (patientUntil < served) {
      left += 1;
      left_seconds += patientUntil - now;
    } else {
      served_seconds += served - now;
      free[first] = served + drawn(length);
    }
  }
  return {
    share: waiters / visitors,
    seconds: (served_seconds + left_seconds) / visitors,
    leaves: left / visitors,
    patience: queueFigures({ served: waiters - left, served_seconds, left, left_seconds }).patience,
  };
}

const PLACES = [1, 2, 3, 5, 8, 12, 20, 40, 80, 150];

/** Twenty desks, from quiet to overrun. */
const DESKS: readonly Desk[] = Array.from({ length: 20 }, (_, index) => {
  const random = seededRandom(100 + index);
  const slots = PLACES[index % PLACES.length] ?? 1;
  const length = 120 + Math.floor(random() * 900);
  const busy = 0.75 + random() * 0.6;
  return { slots, perHour: (busy * slots * 3600) / length, length, patience: 20 + Math.floor(random() * 600) };
});

const VISITORS = tries(4_000_000, 200_000);
/** Chance alone decides more of a sample. */
const WITHIN = IS_FULL ? 0.05 : 0.15;

const differences = (desk: Desk, seed: number): readonly number[] => {
  const { slots, perHour, length, patience } = desk;
  const simulated = simulate(desk, VISITORS, seed);
  const calculated = waitingFor(atOnce(perHour, length), slots, length, patience);
  return [
    calculated.share / simulated.share,
    calculated.seconds / simulated.seconds,
    (calculated.leaves ?? Number.NaN) / simulated.leaves,
    patience / (simulated.patience ?? Number.NaN),
  ].map((ratio) => Math.abs(ratio - 1));
};

test.each(DESKS.map((desk, index) => ({ ...desk, index })))(
  '$slots slots of $length s, patience $patience s: share that waits, wait, share that leaves and patience are those of the formula',
  ({ index, ...desk }) => {
    const off = differences(desk, index + 1);
    expect(off.map((each) => each < WITHIN)).toEqual([true, true, true, true]);
  },
);
