// Random runs: waves with small numbers, so that budgets, holds and freezes meet.

import fc from 'fast-check';
import type { FleetSpec, Wave } from '../../src/many/log/events.ts';
import type { Gate } from '../../src/project/fleet-settings.ts';
import { START } from './names.ts';

/** Of the time of these runs. */
export const UNIT = 1_000;

const limit = fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 3, arbitrary: fc.nat(2) });

const anyWave = fc.record({
  size: fc.nat(4),
  parallel: fc.integer({ min: 1, max: 3 }),
  hold: fc.oneof(fc.constant(0), fc.nat(5)),
  gates: fc.subarray<Gate>(['customers', 'tests']),
  maxFailures: limit,
  maxUnreachable: limit,
});

export const anySpec: fc.Arbitrary<FleetSpec> = fc
  .record({ made: fc.array(anyWave, { minLength: 1, maxLength: 4 }), maxFailures: limit, maxUnreachable: limit })
  .map(({ made, ...limits }) => {
    let count = 0;
    const waves = made.map(
      ({ size, ...rest }, index): Wave => ({
        ...rest,
        name: `w${index}`,
        hold: rest.hold * UNIT,
        targets: Array.from({ length: size }, () => `t${count++}`),
      }),
    );
    return { waves, ...limits };
  });

/** Units from the start, each with the units that the freeze lasts. */
export const anyFreezes = fc.array(fc.record({ from: fc.nat(30), length: fc.integer({ min: 1, max: 6 }) }), {
  maxLength: 2,
});

export type Freezes = readonly { readonly from: number; readonly length: number }[];

export function frozenAt(freezes: Freezes, now: number) {
  const unit = (now - START) / UNIT;
  const found = freezes.find(({ from, length }) => from <= unit && unit < from + length);
  return found === undefined ? null : { until: START + (found.from + found.length) * UNIT, reason: null };
}
