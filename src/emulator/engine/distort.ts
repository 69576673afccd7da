// What an action answers comes in, and goes out as the faults let it be seen: in another order, or contradicting itself. Changes nothing of the
// license.

import { shuffled } from './random.ts';
import type { Fault } from './scenario.ts';
import { isObject } from './shape.ts';

type Item = { readonly [name: string]: unknown };

export function distort(value: object, hits: readonly Fault[], random: () => number): object {
  if (hits.length === 0 || !Array.isArray(value)) return value;
  let seen: readonly Item[] = value.filter(isObject);
  for (const hit of hits) {
    if (hit.type === 'shuffle') seen = shuffled(seen, random);
    if (hit.type === 'broken_chain') seen = unchained(seen, hit.as);
  }
  return seen;
}

/** `next_id` as it must never be; a list that is too short to be broken in this way stays whole. */
function unchained(rules: readonly Item[], how: Extract<Fault, { type: 'broken_chain' }>['as']): readonly Item[] {
  const after = (rule: Item | undefined) => rules.find(({ id }) => id === rule?.['next_id']);
  const pointing = (which: Item | undefined, next: unknown) =>
    rules.map((rule) => (rule === which ? { ...rule, next_id: next } : rule));
  const last = rules.find((rule) => after(rule) === undefined);
  switch (how) {
    case 'two_heads': {
      // Whoever came second has nobody before it any more.
      const bypassing = rules.find((rule) => after(rule) !== undefined);
      return pointing(bypassing, after(after(bypassing))?.['id'] ?? '');
    }
    case 'cycle':
      return pointing(last, rules[0]?.['id']);
    case 'unknown_next':
      return pointing(last, 'no-such-rule');
  }
}
