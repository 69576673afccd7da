// Runs of these tests: three waves, the first with a gate.

import type { FleetSpec } from '../../../src/many/log/events.ts';
import { spec, wave } from '../names.ts';

const named = (letter: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${letter}${index}`);

/** `c0`, `c1`; six of `t`; as many of `r` as are wanted. */
export function threeWaves(rest = 12): FleetSpec {
  return spec([
    wave('canary', named('c', 2), { gates: ['customers'] }),
    wave('some', named('t', 6), { parallel: 4 }),
    wave('rest', named('r', rest), { parallel: rest }),
  ]);
}
