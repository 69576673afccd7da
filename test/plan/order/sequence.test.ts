// The reorder against a breadth-first search over the service's own moves, and its writes played on a true linked list.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InternalError } from '../../../src/base/errors.ts';
import { planSequence, type Sequence, type SequenceItem } from '../../../src/plan/order/sequence.ts';
import { tries } from '../../tries.ts';
import { fewestWrites, link, put, remove, walk } from './rule-list.ts';

/** What becomes of a rule; `stranger` is not desired: unmanaged, or deleted once everything else is written. */
const FATES = ['unchanged', 'changed', 'created', 'stranger'] as const;
type Fate = (typeof FATES)[number];

interface Scene {
  readonly live: readonly string[];
  readonly desired: readonly SequenceItem[];
}

/** Lengths of lists of which every case is tried. */
const SIZES = [0, 1, 2, 3, 4, 5, 6, 7];

const LETTERS = [...'ABCDEFG'];

/** Rules A, B, C, ... with these fates, live in alphabetical order: every scene is one of these, under other names. */
function rulesWith(fates: readonly Fate[]): {
  live: string[];
  writable: string[];
  itemOf: (key: string) => SequenceItem;
} {
  const fateOf = new Map(fates.map((fate, index) => [LETTERS[index] ?? '', fate]));
  const keysExcept = (excluded: Fate) => [...fateOf.keys()].filter((key) => fateOf.get(key) !== excluded);
  return {
    live: keysExcept('created'),
    writable: keysExcept('stranger'),
    itemOf: (key) => ({ key, live: fateOf.get(key) !== 'created', changed: fateOf.get(key) === 'changed' }),
  };
}

function permutations(keys: readonly string[]): string[][] {
  if (keys.length === 0) return [[]];
  return keys.flatMap((key) => permutations(keys.filter((other) => other !== key)).map((rest) => [key, ...rest]));
}

function allFates(count: number): Fate[][] {
  if (count === 0) return [[]];
  return allFates(count - 1).flatMap((fates) => FATES.map((fate) => [...fates, fate]));
}

const keysOf = (items: readonly { readonly key: string }[]) => items.map(({ key }) => key);
const only = (keys: readonly string[], chosen: readonly string[]) => keys.filter((key) => chosen.includes(key));
const without = (keys: readonly string[], excluded: readonly string[]) => keys.filter((key) => !excluded.includes(key));
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `rule ${index}`);
const unchanged = (keys: readonly string[]) => keys.map((key) => ({ key, live: true, changed: false }));

/** Plays the writes on the linked list, checking each of them, and returns the final order. */
function play({ live, desired }: Scene, { kept, writes }: Sequence): string[] {
  const order = keysOf(desired);
  const pointers = link(live);
  for (const { key, op, position } of writes) {
    assert.equal(pointers.has(key), op === 'update');
    assert.equal(kept.includes(key), position === null);
    if (position === null) continue;
    const successors = order.slice(order.indexOf(key) + 1);
    assert.deepEqual(position, successors[0] === undefined ? { last: true } : { before: successors[0] });
    assert.deepEqual(only(walk(pointers), successors), successors);
    put(pointers, key, 'before' in position ? position.before : '');
  }
  return walk(pointers);
}

/** Plans, and checks everything but the number of writes; node's assert, because `expect` is slow when called a million times. */
function soundPlan(scene: Scene): Sequence {
  const { live, desired } = scene;
  const plan = planSequence(live, desired);
  const order = keysOf(desired);
  const final = play(scene, plan);

  assert.deepEqual(only(final, order), order);
  assert.deepEqual(only(order, plan.kept), plan.kept);
  const unmoved = without(live, without(order, plan.kept));
  assert.deepEqual(only(final, unmoved), unmoved);
  const toWrite = desired.filter((item) => item.changed || !item.live || !plan.kept.includes(item.key));
  assert.deepEqual(keysOf(plan.writes), keysOf(toWrite).reverse());
  assert.deepEqual(planSequence(final, unchanged(order)), { kept: order, writes: [] });
  return plan;
}

/** Checks every desired order of rules with these fates against the search. */
function expectFewestForAllOrders(fates: readonly Fate[]): void {
  const { live, writable, itemOf } = rulesWith(fates);
  const pending = writable.filter((key) => itemOf(key).changed || !itemOf(key).live);
  const fewest = fewestWrites({ live: live.join(''), writable: writable.join(''), pending: pending.join('') });
  for (const order of permutations(writable)) {
    const { writes } = soundPlan({ live, desired: order.map(itemOf) });
    const route = `${fates.join(' ')}: ${live.join('')} to ${order.join('')}`;
    assert.equal(writes.length, fewest.get(order.join('')), route);
  }
}

/** A shuffled live list and a shuffled desired order, every fate mixed in. */
function scenes(maxLength: number): fc.Arbitrary<Scene> {
  return fc.array(fc.constantFrom(...FATES), { maxLength, size: 'max' }).chain((fates) => {
    const keys = numbered(fates.length);
    const shuffledExcept = (fate: Fate) => {
      const chosen = keys.filter((_, index) => fates[index] !== fate);
      return fc.shuffledSubarray(chosen, { minLength: chosen.length });
    };
    const itemOf = (key: string) => {
      const fate = fates[keys.indexOf(key)];
      return { key, live: fate !== 'created', changed: fate === 'changed' };
    };
    const desired = shuffledExcept('stranger').map((order) => order.map(itemOf));
    return fc.record({ live: shuffledExcept('created'), desired });
  });
}

describe('planSequence', () => {
  it.each(SIZES.slice(0, tries(8, 6)))('needs the fewest writes for every permutation of %d rules', (count) => {
    expectFewestForAllOrders(Array<Fate>(count).fill('unchanged'));
  });

  it.each(SIZES.slice(0, tries(6, 4)))(
    'needs the fewest writes for every mixture of fates and every order of %d rules',
    (count) => {
      for (const fates of allFates(count)) expectFewestForAllOrders(fates);
    },
  );

  it.each([6])('needs the fewest writes for random mixtures of fates in every order of %d rules', (count) => {
    const fates = fc.array(fc.constantFrom(...FATES), { minLength: count, maxLength: count });
    fc.assert(fc.property(fates, expectFewestForAllOrders), { numRuns: tries(150, 25) });
  });

  it('leads to the desired order in long lists, one sound write after the other', () => {
    fc.assert(
      fc.property(scenes(40), (drawn) => void soundPlan(drawn)),
      { numRuns: tries(1000, 25) },
    );
  });

  it('leads to the same order when strangers are deleted afterwards', () => {
    fc.assert(
      fc.property(scenes(40), (drawn) => {
        const pointers = link(play(drawn, planSequence(drawn.live, drawn.desired)));
        for (const stranger of without(drawn.live, keysOf(drawn.desired))) remove(pointers, stranger);
        expect(walk(pointers)).toEqual(keysOf(drawn.desired));
      }),
    );
  });
});

describe('the kept subsequence', () => {
  /** Every choice of live items that stand in the desired order already, as indices into `desired`. */
  function increasingChoices({ live, desired }: Scene): number[][] {
    let choices: number[][] = [[]];
    for (const [index, { key }] of desired.entries()) {
      if (!live.includes(key)) continue;
      const extended = choices.filter((chosen) =>
        chosen.every((at) => live.indexOf(desired[at]?.key ?? '') < live.indexOf(key)),
      );
      choices = [...choices, ...extended.map((chosen) => [...chosen, index])];
    }
    return choices;
  }

  it('is the heaviest, then the longest, then the earliest of all that may stand still', () => {
    fc.assert(
      fc.property(scenes(10), (drawn) => {
        const rank = (chosen: readonly number[]) => {
          const heavy = chosen.filter((index) => drawn.desired[index]?.changed === false).length;
          return [heavy, chosen.length, ...chosen.map((index) => -index)];
        };
        const compare = (a: readonly number[], b: readonly number[]) => {
          const other = rank(b);
          return rank(a).reduce((sign, value, index) => sign || value - (other[index] ?? 0), 0);
        };
        const [best = []] = increasingChoices(drawn).sort((a, b) => compare(b, a));
        expect(planSequence(drawn.live, drawn.desired).kept).toEqual(best.map((index) => drawn.desired[index]?.key));
      }),
      { numRuns: tries(500, 25) },
    );
  });
});

describe('a list of 40 rules', () => {
  const live = numbered(40);

  it('is reversed by 39 writes', () => {
    expect(soundPlan({ live, desired: unchanged(live.toReversed()) }).writes).toHaveLength(39);
  });

  it('gets its last rule to the front by one write', () => {
    const order = [...live.slice(-1), ...live.slice(0, -1)];
    expect(soundPlan({ live, desired: unchanged(order) }).writes).toEqual([
      { key: 'rule 39', op: 'update', position: { before: 'rule 0' } },
    ]);
  });

  it('gets its first rule to the end by one write, past a stranger at the end', () => {
    const order = [...live.slice(1), ...live.slice(0, 1)];
    expect(soundPlan({ live: [...live, 'stranger'], desired: unchanged(order) }).writes).toEqual([
      { key: 'rule 0', op: 'update', position: { last: true } },
    ]);
  });
});

describe('the writes', () => {
  it('move a changed rule for free instead of an unchanged one', () => {
    const desired = [...unchanged(['B', 'C']), { key: 'A', live: true, changed: true }];
    expect(planSequence(['A', 'B', 'C'], desired)).toEqual({
      kept: ['B', 'C'],
      writes: [{ key: 'A', op: 'update', position: { last: true } }],
    });
  });

  it('leave the order alone for a changed rule that stands right', () => {
    const desired = [{ key: 'A', live: true, changed: true }, ...unchanged(['B'])];
    expect(planSequence(['A', 'B'], desired).writes).toEqual([{ key: 'A', op: 'update', position: null }]);
  });

  it('create a whole list from its end', () => {
    const desired = ['A', 'B', 'C'].map((key) => ({ key, live: false, changed: false }));
    expect(planSequence([], desired)).toEqual({
      kept: [],
      writes: [
        { key: 'C', op: 'create', position: { last: true } },
        { key: 'B', op: 'create', position: { before: 'C' } },
        { key: 'A', op: 'create', position: { before: 'B' } },
      ],
    });
  });

  it('are none for a list of strangers', () => {
    expect(planSequence(['A', 'B'], [])).toEqual({ kept: [], writes: [] });
  });

  it('are planned for 100,000 reversed rules without a quadratic step', { timeout: 20_000 }, () => {
    const live = numbered(tries(100_000, 20_000));
    expect(planSequence(live, unchanged(live.toReversed())).writes).toHaveLength(live.length - 1);
  });
});

describe('contradictory input', () => {
  const item = { key: 'A', live: true, changed: false };

  it.each([
    ['a key twice in the live list', ['A', 'A'], [item], 'A is listed twice'],
    ['a key twice in the desired list', ['A'], [item, item], 'A is listed twice'],
    [
      'an item that is said to be live and is not',
      ['B'],
      [item],
      'A is said to be live, and the live list says otherwise',
    ],
    [
      'an item that is said to be new and is live',
      ['A'],
      [{ ...item, live: false }],
      'A is said to be new, and the live list says otherwise',
    ],
  ])('is refused: %s', (_, live, desired, message) => {
    expect(() => planSequence(live, desired)).toThrow(new InternalError(message));
  });
});

describe('the list the writes are played on', () => {
  it('follows the example of the specification', () => {
    const pointers = link(['A', 'B', 'C', 'D']);
    put(pointers, 'C', 'B');
    expect(walk(pointers)).toEqual(['A', 'C', 'B', 'D']);
    put(pointers, 'A', '');
    expect(walk(pointers)).toEqual(['C', 'B', 'D', 'A']);
  });
});
