// Law 10 of the design: there is one spelling, and normalising it again changes nothing.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/base/json.ts';
import type { Json, KindName, Spec } from '../../src/base/model.ts';
import { normalise } from '../../src/kinds/fields.ts';
import { KIND_NAMES, KINDS } from '../../src/kinds/index.ts';
import { tries } from '../tries.ts';
import { DRAWINGS, type WovenKind } from './kinds/index.ts';
import { agentSpec, botSpec, definitionSpec, groupSpec, ruleSpec, templateSpec } from './wish.ts';

const reference = fc.constantFrom('group/sales', 'group/vip', '7', '0', 'agent/ann@example.com');
const memberships = fc.dictionary(reference, fc.constantFrom('first', 'normal'));
const value = fc.oneof(fc.string(), fc.integer(), fc.boolean());

/** What a manifest may say. */
const WOVEN: { readonly [kind in WovenKind]: fc.Arbitrary<Spec> } = {
  agent: fc.tuple(agentSpec, memberships).map(([spec, groups]) => ({ name: 'Ann', ...spec, groups })),
  group: fc.tuple(groupSpec, memberships).map(([spec, members]) => ({ ...spec, agent_priorities: members })),
  bot: fc.tuple(botSpec, memberships).map(([spec, groups]) => ({ ...spec, groups })),
  bot_template: templateSpec,
  auto_access: fc
    .tuple(ruleSpec('any'), fc.array(reference, { maxLength: 4 }))
    .map(([spec, groups]) => ({ ...spec, access: { groups } })),
  property: fc.nat(4).chain(definitionSpec),
  license_property: value.map((given) => ({ value: given })),
  group_property: value.map((given) => ({ value: given })),
};

const SPECS = new Map<KindName, fc.Arbitrary<Spec>>([
  ...(Object.entries(WOVEN) as [WovenKind, fc.Arbitrary<Spec>][]),
  ...DRAWINGS.map(({ kind, spec }) => [kind, spec] as const),
]);
const specOf = (kind: KindName): fc.Arbitrary<Spec> => SPECS.get(kind) ?? fc.constant({});

/** What a service may answer, as long as it is JSON. */
function anySpec(kind: KindName): fc.Arbitrary<Spec> {
  const members = Object.keys(KINDS[kind].fields).map((field) => [field, fc.jsonValue({ maxDepth: 4 })] as const);
  return fc.record(Object.fromEntries(members), { requiredKeys: [] }).map((spec) => {
    const copy: Spec = JSON.parse(JSON.stringify(spec));
    return copy;
  });
}

/** The same value, its sets and maps in another order. */
function turned(spec: Spec, kind: KindName): Spec {
  const turn = (field: string, given: Json): Json => {
    if (Array.isArray(given) && KINDS[kind].fields[field]?.shape === 'set') return given.toReversed();
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
    return Object.fromEntries(Object.entries(given).reverse());
  };
  return Object.fromEntries(
    Object.entries(spec)
      .map(([field, given]): [string, Json] => [field, turn(field, given)])
      .reverse(),
  );
}

describe.each(KIND_NAMES)('normalise of %s', (kind) => {
  it('changes nothing the second time, whatever it is given', () => {
    fc.assert(
      fc.property(fc.oneof(specOf(kind), anySpec(kind)), (spec) => {
        const once = normalise(KINDS[kind], spec);
        expect(JSON.stringify(normalise(KINDS[kind], once))).toBe(JSON.stringify(once));
      }),
      { numRuns: tries(200) },
    );
  });

  it('gives one text for all orders of the same set or map', () => {
    fc.assert(
      fc.property(specOf(kind), (spec) => {
        const text = JSON.stringify(normalise(KINDS[kind], spec));
        const other = normalise(KINDS[kind], turned(spec, kind));
        expect(canonicalJson(other)).toBe(canonicalJson(JSON.parse(text)));
      }),
      { numRuns: tries(200) },
    );
  });
});
