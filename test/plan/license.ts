// Live objects and bindings as a test writes them in; what the planner takes out.

import type {
  Address,
  Applied,
  Binding,
  Desired,
  Facts,
  KindName,
  LedgerState,
  Live,
  LiveObject,
  ObjectId,
  Spec,
} from '../../src/base/model.ts';
import { normalise } from '../../src/kinds/fields.ts';
import { KINDS } from '../../src/kinds/index.ts';
import { makePlan } from '../../src/plan/assemble.ts';
import type { PlannerOptions } from '../../src/plan/input.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { EVERYTHING } from '../world.ts';

export function object(kind: KindName, id: ObjectId, spec: Spec, facts: Facts = {}): LiveObject {
  return { kind, id, name: String(spec['name'] ?? id), spec: normalise(KINDS[kind], spec), facts };
}

/** Every kind was looked at; rules stand in the order in which they are given. */
export function liveOf(...objects: readonly LiveObject[]): Live {
  const of = (kind: KindName): readonly LiveObject[] => objects.filter((each) => each.kind === kind);
  return {
    version: '3.6',
    objects: {
      agent: of('agent'),
      group: of('group'),
      bot: of('bot'),
      bot_template: of('bot_template'),
      auto_access: of('auto_access'),
      property: of('property'),
      license_property: of('license_property'),
      group_property: of('group_property'),
    },
    ruleOrder: of('auto_access').map(({ id }) => String(id)),
    scopes: [],
  };
}

export function ledgerOf(
  bindings: { readonly [address: Address]: ObjectId },
  applied: { readonly [address: Address]: Partial<Applied> } = {},
): LedgerState {
  const known = Object.entries(bindings) as readonly (readonly [Address, ObjectId])[];
  const specs = Object.entries(applied) as readonly (readonly [Address, Partial<Applied>])[];
  return {
    bindings: new Map(known.map(([address, id]): [Address, Binding] => [address, { id, origin: 'created' }])),
    applied: new Map(
      specs.map(([address, part]): [Address, Applied] => [address, { spec: {}, digests: {}, at: '', ...part }]),
    ),
    secrets: new Map(),
    orders: new Map(),
    intents: new Map(),
    remaking: new Map(),
    administrators: null,
  };
}

/** The plan; a test that expects problems calls makePlan itself. */
export function planOf(
  desired: Desired,
  live: Live,
  ledger: LedgerState = ledgerOf({}),
  options: Partial<PlannerOptions> = {},
): Plan {
  const { plan, problems } = makePlan({ desired, live, ledger, options: { ...EVERYTHING, ...options } });
  if (plan === null) throw new Error(problems.map(({ message }) => message).join('; '));
  return plan;
}

/** Steps by what they do: `create agent/ann` and the fields it sends. */
export function stepsOf(plan: Plan): { readonly [id: string]: Spec } {
  return Object.fromEntries(plan.steps.map(({ id, fields }) => [id, fields]));
}
