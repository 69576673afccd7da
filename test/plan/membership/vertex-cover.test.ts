// The minimum vertex cover against brute force over all covers, and against graphs whose minimum is known by construction.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InternalError } from '../../../src/base/errors.ts';
import {
  type BipartiteEdge,
  type BipartiteGraph,
  minimumVertexCover,
} from '../../../src/plan/membership/vertex-cover.ts';
import { tries } from '../../tries.ts';

/** Graphs up to 6 x 6 in which every vertex may be free (written anyway) or undecided, or costs what its side does. */
function graphs(left: readonly number[], right: readonly number[]): fc.Arbitrary<BipartiteGraph> {
  const weights = (costs: readonly number[]) =>
    fc.array(fc.constantFrom(0, Infinity, ...costs), { minLength: 1, maxLength: 6, size: 'max' });
  return fc.record({ left: weights(left), right: weights(right) }).chain((sides) => {
    const edge = fc.tuple(fc.nat(sides.left.length - 1), fc.nat(sides.right.length - 1));
    return fc.record({
      left: fc.constant(sides.left),
      right: fc.constant(sides.right),
      edges: fc.array(edge, { maxLength: 36, size: 'max' }),
    });
  });
}

/** In 3.3 an agent is a request like a group; in 3.6 it is one slot of a batch of 100. */
const GRAPHS = {
  '3.3': graphs([1], [1]),
  '3.6': graphs([1], [100]),
  'no version': graphs([1, 100], [1, 100]),
};
const graph = GRAPHS['no version'];

interface Choice {
  readonly left: ReadonlySet<number>;
  readonly right: ReadonlySet<number>;
}

const isUncoverable = ({ left, right }: BipartiteGraph, [from, to]: BipartiteEdge) =>
  left[from] === Infinity && right[to] === Infinity;

const isCovered = ({ left, right }: Choice, [from, to]: BipartiteEdge) => left.has(from) || right.has(to);

function weigh(graph: BipartiteGraph, { left, right }: Choice): number {
  const chosen = [...[...left].map((index) => graph.left[index]), ...[...right].map((index) => graph.right[index])];
  return chosen.reduce<number>((sum, weight = Number.NaN) => sum + weight, 0);
}

function subsets(size: number): ReadonlySet<number>[] {
  const indices = [...Array(size).keys()];
  return Array.from({ length: 2 ** size }, (_, mask) => new Set(indices.filter((index) => mask & (1 << index))));
}

/** Every choice of vertices that covers the coverable edges at the least weight. */
function minimumCoversByBruteForce(graph: BipartiteGraph): { covers: Choice[]; weight: number } {
  const edges = graph.edges.filter((edge) => !isUncoverable(graph, edge));
  let covers: Choice[] = [];
  let least = Infinity;
  const rights = subsets(graph.right.length);
  for (const left of subsets(graph.left.length)) {
    for (const right of rights) {
      const choice = { left, right };
      if (!edges.every((edge) => isCovered(choice, edge))) continue;
      const total = weigh(graph, choice);
      if (total > least) continue;
      if (total < least) covers = [];
      least = total;
      covers.push(choice);
    }
  }
  return { covers, weight: least };
}

function coverOf(graph: BipartiteGraph) {
  const { cover, uncoverable } = minimumVertexCover(graph);
  return { ...cover, uncoverable, choice: { left: new Set(cover.left), right: new Set(cover.right) } };
}

const ascending = (indices: readonly number[]) => [...indices].sort((a, b) => a - b);

/** A random graph with a known answer: each planted vertex costs as much as its private neighbours together, so no cover is cheaper. */
function planted(random: () => number, edgeCount: number) {
  const below = (limit: number) => Math.floor(random() * limit);
  const weights = { left: [] as number[], right: [] as number[] };
  const plantedIn = { left: [] as number[], right: [] as number[] };
  const edges: BipartiteEdge[] = [];
  const join = (side: 'left' | 'right', from: number, to: number) =>
    edges.push(side === 'left' ? [from, to] : [to, from]);
  let minimum = 0;
  while (weights.left.length + weights.right.length < 10_000) {
    const side = random() < 0.5 ? 'left' : 'right';
    const other = side === 'left' ? 'right' : 'left';
    const neighbours = [1 + below(50), 1 + below(50)];
    const total = neighbours.reduce((sum, each) => sum + each, 0);
    minimum += total;
    const index = weights[side].push(total) - 1;
    plantedIn[side].push(index);
    for (const each of neighbours) join(side, index, weights[other].push(each) - 1);
  }
  while (edges.length < edgeCount) {
    const side = random() < 0.5 ? 'left' : 'right';
    const from = plantedIn[side][below(plantedIn[side].length)] ?? 0;
    join(side, from, below(weights[side === 'left' ? 'right' : 'left'].length));
  }
  return { graph: { ...weights, edges }, minimum };
}

/** Lehmer's generator: the same numbers on every run. */
function lehmer(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

describe('minimumVertexCover', () => {
  it.each(Object.entries(GRAPHS))(
    'weighs what the cheapest of all covers weighs, with the weights of %s, covers what can be covered and chooses no infinite vertex',
    (_, drawing) => {
      fc.assert(
        fc.property(drawing, (drawn) => {
          const { choice, weight, uncoverable } = coverOf(drawn);
          const oracle = minimumCoversByBruteForce(drawn);
          expect(weight).toBe(oracle.weight);
          expect(weigh(drawn, choice)).toBe(weight);
          for (const edge of drawn.edges) expect(isCovered(choice, edge)).toBe(!isUncoverable(drawn, edge));
          const unmet = drawn.edges
            .filter((edge) => isUncoverable(drawn, edge))
            .map(([left, right]) => `${left}-${right}`);
          expect(uncoverable.map(([left, right]) => `${left}-${right}`)).toEqual([...new Set(unmet)].sort());
        }),
        { numRuns: tries(2000, 25) },
      );
    },
  );

  it('has no redundant vertex, and a left side contained in that of every other minimum cover', () => {
    fc.assert(
      fc.property(graph, (drawn) => {
        const { left, right, choice } = coverOf(drawn);
        for (const from of left)
          expect(drawn.edges.some((edge) => edge[0] === from && !choice.right.has(edge[1]))).toBe(true);
        for (const to of right)
          expect(drawn.edges.some((edge) => edge[1] === to && !choice.left.has(edge[0]))).toBe(true);
        const { covers } = minimumCoversByBruteForce(drawn);
        const inEvery = [...drawn.left.keys()].filter((index) => covers.every((cover) => cover.left.has(index)));
        expect(left).toEqual(inEvery);
      }),
      { numRuns: tries(2000, 25) },
    );
  });

  it('does not depend on the order of the edges, on their repetition or on the numbering of the vertices', () => {
    const shuffled = graph.chain((drawn) =>
      fc.record({
        drawn: fc.constant(drawn),
        left: fc.shuffledSubarray([...drawn.left.keys()], { minLength: drawn.left.length }),
        right: fc.shuffledSubarray([...drawn.right.keys()], { minLength: drawn.right.length }),
        edges: fc.shuffledSubarray([...drawn.edges, ...drawn.edges], { minLength: drawn.edges.length * 2 }),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ drawn, left, right, edges }) => {
        const renumbered = {
          left: left.map((old) => drawn.left[old] ?? Number.NaN),
          right: right.map((old) => drawn.right[old] ?? Number.NaN),
          edges: edges.map(([from, to]): BipartiteEdge => [left.indexOf(from), right.indexOf(to)]),
        };
        const result = coverOf(renumbered);
        const expected = coverOf(drawn);
        expect(ascending(result.left.map((index) => left[index] ?? Number.NaN))).toEqual(expected.left);
        expect(ascending(result.right.map((index) => right[index] ?? Number.NaN))).toEqual(expected.right);
        expect(result.uncoverable.length).toBe(expected.uncoverable.length);
        expect(minimumVertexCover({ ...drawn, edges })).toEqual(minimumVertexCover(drawn));
      }),
      { numRuns: tries(1000, 25) },
    );
  });

  it('lists its vertices in ascending order', () => {
    const ends = [...Array(12).keys()].reverse();
    const star = { left: Array(12).fill(1), right: [100], edges: ends.map((end): BipartiteEdge => [end, 0]) };
    expect(minimumVertexCover(star).cover).toEqual({ left: [...ends].reverse(), right: [], weight: 12 });
    const turned = { left: star.right, right: star.left, edges: ends.map((end): BipartiteEdge => [0, end]) };
    expect(minimumVertexCover(turned).cover).toEqual({ left: [], right: [...ends].reverse(), weight: 12 });
  });

  it('writes one group for 300 agents who join it, and three agents of a batch for 40 groups', () => {
    const one = {
      left: Array(300).fill(1),
      right: [100],
      edges: [...Array(300).keys()].map((agent): BipartiteEdge => [agent, 0]),
    };
    expect(minimumVertexCover(one).cover).toEqual({ left: [], right: [0], weight: 100 });
    const pairs = [0, 1, 2].flatMap((agent) => [...Array(40).keys()].map((group): BipartiteEdge => [agent, group]));
    const many = { left: [1, 1, 1], right: Array(40).fill(100), edges: pairs };
    expect(minimumVertexCover(many).cover).toEqual({ left: [0, 1, 2], right: [], weight: 3 });
  });

  it('prefers the right end where both ends cost the same, free ones included', () => {
    expect(minimumVertexCover({ left: [0], right: [0], edges: [[0, 0]] }).cover).toEqual({
      left: [],
      right: [0],
      weight: 0,
    });
    expect(minimumVertexCover({ left: [7], right: [7], edges: [[0, 0]] }).cover).toEqual({
      left: [],
      right: [0],
      weight: 7,
    });
  });

  it('reports an edge between two infinite vertices and still covers the others', () => {
    const edges: BipartiteEdge[] = [
      [1, 0],
      [0, 0],
      [0, 1],
      [1, 0],
    ];
    expect(minimumVertexCover({ left: [Infinity, Infinity], right: [Infinity, 5], edges })).toEqual({
      cover: { left: [], right: [1], weight: 5 },
      uncoverable: [
        [0, 0],
        [1, 0],
      ],
    });
  });

  it('finds the planted minimum of 10,000 vertices and 50,000 edges', { timeout: 20_000 }, () => {
    for (const seed of [1, 2, 3]) {
      const { graph, minimum } = planted(lehmer(seed), tries(50_000, 10_000));
      const { choice, weight } = coverOf(graph);
      expect(weight).toBe(minimum);
      expect(graph.edges.every((edge) => isCovered(choice, edge))).toBe(true);
    }
  });

  it('follows a path of 100,000 edges without running out of stack', { timeout: 20_000 }, () => {
    const half = tries(50_000, 10_000);
    const steps = [...Array(half).keys()];
    const edges = steps.flatMap((step): BipartiteEdge[] =>
      step + 1 < half
        ? [
            [step, step],
            [step + 1, step],
          ]
        : [[step, step]],
    );
    expect(minimumVertexCover({ left: Array(half).fill(1), right: Array(half).fill(1), edges }).cover.weight).toBe(
      half,
    );
  });

  it.each([-1, 0.01, Number.NaN, -Infinity, 2 ** 53])('refuses the weight %d', (wrong) => {
    const refused = new InternalError(`a vertex weighs ${wrong}: neither a non-negative integer nor Infinity`);
    expect(() => minimumVertexCover({ left: [wrong], right: [1], edges: [[0, 0]] })).toThrow(refused);
    expect(() => minimumVertexCover({ left: [1], right: [wrong], edges: [[0, 0]] })).toThrow(refused);
  });

  it('refuses weights that do not add up exactly, and edges without their vertex', () => {
    const heavy = 2 ** 52;
    expect(() => minimumVertexCover({ left: [heavy, heavy], right: [], edges: [] })).toThrow(
      new InternalError(`the vertices weigh ${2 ** 53}: too much to add up exactly`),
    );
    expect(() => minimumVertexCover({ left: [1], right: [1], edges: [[0, 1]] })).toThrow(
      new InternalError('an edge names vertex 1, which is not in the graph'),
    );
    expect(() => minimumVertexCover({ left: [1], right: [1], edges: [[-1, 0]] })).toThrow(
      new InternalError('an edge names vertex -1, which is not in the graph'),
    );
  });
});
