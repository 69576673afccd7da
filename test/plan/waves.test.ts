// The waves of a dependency graph against the longest path to each node, every way a graph can be wrong, and steps that no request can carry.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InternalError } from '../../src/base/errors.ts';
import type { Step } from '../../src/plan/plan.ts';
import { callOf, plannedCalls, planRequests, waves } from '../../src/plan/requests.ts';
import { tries } from '../tries.ts';

type Graph = ReadonlyMap<string, readonly string[]>;

/** Up to twelve nodes in random order, with those of the drawn dependencies that are allowed. */
function graphs(mayDepend: (node: number, dependency: number) => boolean): fc.Arbitrary<Graph> {
  return fc.integer({ min: 1, max: 12 }).chain((size) => {
    const order = fc.shuffledSubarray([...Array(size).keys()], { minLength: size });
    const pairs = fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 20 });
    return fc.record({ order, pairs }).map(({ order, pairs }) => {
      const allowed = pairs.filter(([node, dependency]) => mayDepend(node, dependency));
      const dependenciesOf = (node: number) => allowed.filter(([from]) => from === node).map(([, to]) => `n${to}`);
      return new Map(order.map((node) => [`n${node}`, dependenciesOf(node)]));
    });
  });
}

const acyclic = graphs((node, dependency) => dependency < node);
const anyGraph = graphs(() => true);

/** Edges on the longest chain of dependencies below a node. */
function depth(graph: Graph, node: string): number {
  return Math.max(0, ...(graph.get(node) ?? []).map((dependency) => 1 + depth(graph, dependency)));
}

/** Whether a walk along dependencies can return to where it started. */
function hasCycle(graph: Graph): boolean {
  return [...graph.keys()].some((start) => {
    const reached = new Set(graph.get(start));
    for (const node of reached) for (const dependency of graph.get(node) ?? []) reached.add(dependency);
    return reached.has(start);
  });
}

/** The wave of every node, or the members of the cycle that was named. */
function outcome(graph: Graph): { waves: readonly (readonly string[])[] } | { cycle: string[] } {
  try {
    return { waves: waves(graph) };
  } catch (error) {
    if (!(error instanceof InternalError)) throw error;
    return { cycle: error.message.match(/\S+(?: -> \S+)+/)?.[0].split(' -> ') ?? [] };
  }
}

describe('waves', () => {
  it('puts each node as far back as its longest chain of dependencies, in the order of the input', () => {
    fc.assert(
      fc.property(acyclic, (graph) => {
        const nodes = [...graph.keys()];
        const depths = nodes.map((node) => depth(graph, node));
        const expected = [...Array(Math.max(...depths) + 1).keys()];
        expect(waves(graph)).toEqual(expected.map((wave) => nodes.filter((_, index) => depths[index] === wave)));
      }),
      { numRuns: tries(500, 25) },
    );
  });

  it('names a true cycle exactly when there is one', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const result = outcome(graph);
        expect('cycle' in result).toBe(hasCycle(graph));
        if (!('cycle' in result)) return;
        const members = result.cycle.slice(1);
        expect(members.at(-1)).toBe(result.cycle[0]);
        expect(new Set(members).size).toBe(members.length);
        for (const [index, member] of members.entries()) expect(graph.get(result.cycle[index] ?? '')).toContain(member);
      }),
      { numRuns: tries(1000, 25) },
    );
  });

  it('has no waves for no nodes', () => {
    expect(waves(new Map())).toEqual([]);
  });

  it('counts a dependency that is listed twice once', () => {
    expect(
      waves(
        new Map([
          ['b', ['a', 'a']],
          ['a', []],
        ]),
      ),
    ).toEqual([['a'], ['b']]);
  });

  it('leaves the nodes on the way to a cycle out of it', () => {
    const graph = new Map([
      ['start', ['a']],
      ['a', ['root', 'b']],
      ['b', ['c']],
      ['c', ['a']],
      ['root', []],
    ]);
    expect(() => waves(graph)).toThrow(/: a -> b -> c -> a$/);
  });

  it('calls a node that depends on itself a cycle', () => {
    expect(() => waves(new Map([['a', ['a']]]))).toThrow(/: a -> a$/);
  });

  it('refuses a dependency that is not a node, naming both', () => {
    const graph = new Map([['group/sales', ['agent/ann']]]);
    expect(() => waves(graph)).toThrow(InternalError);
    expect(() => waves(graph)).toThrow(/group\/sales.*agent\/ann/);
  });

  it('peels a chain of 100,000 nodes, listed from either end', { timeout: 20_000 }, () => {
    const chain = Array.from({ length: tries(100_000, 20_000) }, (_, n): [string, string[]] => [
      `n${n}`,
      n === 0 ? [] : [`n${n - 1}`],
    ]);
    const expected = chain.map(([node]) => node).join(' | ');
    for (const listed of [chain, chain.toReversed()]) {
      const peeled = waves(new Map(listed)).map((wave) => wave.join());
      expect(peeled.join(' | ') === expected).toBe(true);
    }
  });

  it('spells out a cycle of 100,000 nodes', { timeout: 20_000 }, () => {
    const size = tries(100_000, 20_000);
    const ring = Array.from({ length: size }, (_, n): [string, string[]] => [`n${n}`, [`n${(n + 1) % size}`]]);
    const result = outcome(new Map(ring));
    expect('cycle' in result && result.cycle.join() === [...ring.map(([node]) => node), 'n0'].join()).toBe(true);
  });
});

const STEP: Step = {
  id: 'the step',
  operation: 'update',
  type: 'webhook',
  address: 'webhook/ended',
  object: 'w',
  chosen_id: null,
  fields: {},
  position: null,
  serves: [],
  after: [],
};

describe('a step that no request can carry is refused', () => {
  const transition = { operation: 'transition', fields: { name: 'x' } } as const;

  it.each<readonly [string, Partial<Step>, string]>([
    ['an update of what is only replaced', {}, 'step the step: a webhook has no update'],
    [
      'a write of nothing',
      { type: 'group', address: null, object: null },
      'step the step has neither object nor address',
    ],
    ['a field without a transition', { type: 'agent', ...transition }, 'step the step has no transition'],
    ['a kind without transitions', { type: 'group', ...transition }, 'step the step has no transition'],
  ])('%s', (_, step, message) => {
    expect(() => callOf({ ...STEP, ...step }, '3.6', () => 1)).toThrow(new InternalError(message));
  });
});

describe('requests', () => {
  /** Steps such as `update a after update b, create c`, on agents; on groups where `group` stands before the key. */
  const requestsFor = (lines: readonly string[], batchSize: number) => {
    const steps = lines.map((line): Step => {
      const [id = '', after = ''] = line.split(' after ');
      const [operation, ...subject] = id.split(' ');
      const type = subject.length === 1 ? 'agent' : 'group';
      const address = `${type}/${subject.at(-1)}` as const;
      const object = operation === 'create' ? null : 7;
      const named = after === '' ? [] : after.split(', ');
      return { ...STEP, id, operation: operation as Step['operation'], type, address, object, after: named };
    });
    return planRequests(steps, plannedCalls(steps, '3.6'), '3.6', batchSize).map(
      ({ wave, action, steps: carried }) => `${wave} ${action}: ${carried.join(', ')}`,
    );
  };

  it.each<readonly [string, number, readonly string[], readonly string[]]>([
    [
      'wait for what another step of the same batch waits for',
      100,
      ['update a', 'update b after create group g', 'create group g'],
      ['0 create_group: create group g', '1 batch_update_agents: update a, update b'],
    ],
    [
      'do not wait where a batch has one step',
      1,
      ['update a', 'update b after create group g', 'create group g'],
      ['0 batch_update_agents: update a', '0 create_group: create group g', '1 batch_update_agents: update b'],
    ],
    [
      'do not wait when they create, because other steps wait for them',
      100,
      ['create a', 'create b after create group g', 'create group g'],
      ['0 batch_create_agents: create a', '0 create_group: create group g', '1 batch_create_agents: create b'],
    ],
    [
      'do not wait for each other',
      100,
      ['update a', 'update b after update a, create group g', 'create group g'],
      ['0 batch_update_agents: update a', '0 create_group: create group g', '1 batch_update_agents: update b'],
    ],
    [
      'carry no more steps than a batch takes',
      2,
      ['update a', 'update b', 'update c'],
      ['0 batch_update_agents: update a, update b', '0 batch_update_agents: update c'],
    ],
    [
      'carry one step where the service has no batch',
      100,
      ['update group a', 'update group b'],
      ['0 update_group: update group a', '0 update_group: update group b'],
    ],
  ])('%s', (_, batchSize, steps, requests) => {
    expect(requestsFor(steps, batchSize)).toEqual(requests);
  });
});
