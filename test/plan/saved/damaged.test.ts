// A saved plan that is damaged anywhere is refused where ajv finds that it does not fit its schema, and nowhere else.

import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../../src/base/model.ts';
import { savedPlanSchema } from '../../../src/plan/saved/saved-plan.ts';
import { savedPlan } from '../../../src/plan/saved/validator.ts';
import { tries } from '../../tries.ts';
import { AFTER, begun, saved } from './example.ts';

const fits = new Ajv2020({ strict: false }).compile(savedPlanSchema);

/** Everything that can be reached, by path. */
function pathsIn(value: Json, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, member]) => pathsIn(member, [...path, name]))];
}

type Damage = { readonly value: Json } | 'removed';

function damaged(value: Json, [first, ...rest]: readonly string[], damage: Damage): Json {
  if (first === undefined) return damage === 'removed' ? null : damage.value;
  const entries = Object.entries(value as { readonly [name: string]: Json });
  const kept = entries.flatMap(([name, member]): readonly (readonly [string, Json])[] => {
    if (name !== first) return [[name, member]];
    return rest.length === 0 && damage === 'removed' ? [] : [[name, damaged(member, rest, damage)]];
  });
  return Array.isArray(value) ? kept.map(([, member]) => member) : Object.fromEntries(kept);
}

test('a damage is found where ajv finds one, and nowhere else', async () => {
  const whole = JSON.parse((await saved(await begun('3.6'), AFTER)).text) as Json;
  expect(savedPlan(whole)).toBe(true);
  const paths = pathsIn(whole);
  const values = [null, true, 0, -1, 1.5, '', 'x', 'group/x', [], {}, ['create'], [{}]] as const;
  fc.assert(
    fc.property(
      fc.constantFrom(...paths),
      fc.oneof(
        fc.constant('removed' as const),
        fc.constantFrom(...values).map((value) => ({ value })),
      ),
      (path, damage) => {
        const broken = damaged(whole, path, damage);
        expect(savedPlan(broken)).toBe(fits(broken));
      },
    ),
    { numRuns: tries(400) },
  );
});
