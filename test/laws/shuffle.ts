// The input of a plan in; the same input, listed in another order, out.

import type { KindName } from '../../src/base/model.ts';
import type { PlanInput } from '../../src/plan/input.ts';

function shuffled<T>(items: Iterable<T>, random: () => number): readonly T[] {
  return [...items]
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** Everything but the order of the rules, which means something. */
export function reordered(input: PlanInput, random: () => number): PlanInput {
  const { desired, live, ledger } = input;
  const names = Object.keys(live.objects) as readonly KindName[];
  const objects = names.map((name) => [name, shuffled(live.objects[name] ?? [], random)] as const);
  return {
    ...input,
    desired: {
      ...desired,
      resources: shuffled(desired.resources, random),
      externals: shuffled(desired.externals, random),
      namespaces: shuffled(desired.namespaces, random),
    },
    live: { ...live, objects: Object.fromEntries(shuffled(objects, random)) },
    ledger: { ...ledger, bindings: new Map(shuffled(ledger.bindings, random)) },
  };
}
