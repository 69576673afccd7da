// The minimum cut against brute force over every cut of small networks, cycles, parallel arcs and loops included.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InternalError } from '../../../src/base/errors.ts';
import { type FlowNetwork, minimumCut } from '../../../src/plan/membership/vertex-cover.ts';
import { tries } from '../../tries.ts';

const SIZE = 6;
const network: fc.Arbitrary<FlowNetwork> = fc.record({
  size: fc.constant(SIZE),
  source: fc.constant(2),
  sink: fc.constant(3),
  arcs: fc.array(
    fc.record({
      tail: fc.nat(SIZE - 1),
      head: fc.nat(SIZE - 1),
      capacity: fc.oneof({ weight: 5, arbitrary: fc.nat(4) }, { weight: 1, arbitrary: fc.constant(Infinity) }),
    }),
    { maxLength: 18, size: 'max' },
  ),
});

/** Every set of vertices that holds the sink and not the source, with the capacity of the arcs that enter it. */
function allCuts({ source, sink, arcs }: FlowNetwork): { side: Set<number>; capacity: number }[] {
  const cuts = [];
  for (let mask = 0; mask < 2 ** SIZE; mask++) {
    const side = new Set([...Array(SIZE).keys()].filter((vertex) => mask & (1 << vertex)));
    if (!side.has(sink) || side.has(source)) continue;
    const entering = arcs.filter(({ tail, head }) => side.has(head) && !side.has(tail));
    cuts.push({ side, capacity: entering.reduce((sum, arc) => sum + arc.capacity, 0) });
  }
  return cuts;
}

describe('minimumCut', () => {
  it('returns the sink side that is contained in the sink side of every minimum cut', () => {
    fc.assert(
      fc.property(network, (drawn) => {
        const cuts = allCuts(drawn);
        const least = Math.min(...cuts.map(({ capacity }) => capacity));
        if (least === Infinity) {
          expect(() => minimumCut(drawn)).toThrow(InternalError);
          return;
        }
        const minimum = cuts.filter(({ capacity }) => capacity === least).map(({ side }) => side);
        const nearest = [...Array(SIZE).keys()].filter((vertex) => minimum.every((side) => side.has(vertex)));
        expect([...minimumCut(drawn)].sort()).toEqual(nearest);
      }),
      { numRuns: tries(2000, 25) },
    );
  });

  it('sends flow back where the first path went the wrong way', () => {
    // Two agents, two groups: filling 0-2 first leaves vertex 1 nothing, unless 0 is sent on to 3.
    const [source, sink] = [4, 5];
    const joined = [
      [source, 0],
      [source, 1],
      [0, 2],
      [0, 3],
      [1, 2],
      [2, sink],
      [3, sink],
    ] as const;
    const arcs = joined.map(([tail, head]) => ({ tail, head, capacity: tail < 2 ? Infinity : 1 }));
    expect([...minimumCut({ size: 6, source, sink, arcs })]).toEqual([sink]);
  });

  it('refuses an arc whose vertex is not in the network', () => {
    const arcs = [{ tail: 0, head: 2, capacity: 1 }];
    expect(() => minimumCut({ size: 2, source: 0, sink: 1, arcs })).toThrow(
      new InternalError('vertex 2 is not in the network'),
    );
  });

  it('refuses a network without a finite cut', () => {
    const arcs = [{ tail: 0, head: 1, capacity: Infinity }];
    expect(() => minimumCut({ size: 2, source: 0, sink: 1, arcs })).toThrow(
      new InternalError('every cut of the network is infinite'),
    );
  });
});
