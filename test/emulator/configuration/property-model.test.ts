import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../../tries.ts';
import { createCaller } from '../caller.ts';

const NAMES = ['a', 'a.b', 'c'] as const;
const HOLDERS = ['license', 'group 0', 'group 1'] as const;

type Step =
  | { readonly kind: 'register'; readonly name: string; readonly defaulted: boolean }
  | { readonly kind: 'unregister'; readonly name: string }
  | { readonly kind: 'publish'; readonly name: string }
  | { readonly kind: 'set'; readonly name: string; readonly holder: string; readonly value: number }
  | { readonly kind: 'unset'; readonly name: string; readonly holder: string };

const name = fc.constantFrom(...NAMES);
const holder = fc.constantFrom(...HOLDERS);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('register' as const), name, defaulted: fc.boolean() }),
  fc.record({ kind: fc.constant('unregister' as const), name }),
  fc.record({ kind: fc.constant('publish' as const), name }),
  fc.record({ kind: fc.constant('set' as const), name, holder, value: fc.integer({ min: -1, max: 4 }) }),
  fc.record({ kind: fc.constant('unset' as const), name, holder }),
);

/** Properties of one namespace, all ints from 0 to 3 whose default, if any, is 2. */
interface Model {
  readonly properties: ReadonlyMap<string, { readonly defaulted: boolean; readonly published: boolean }>;
  /** Keyed by `holder/name`. */
  readonly values: ReadonlyMap<string, number>;
}

/** What the model becomes; undefined when the service must refuse. */
function after({ properties, values }: Model, step: Step): Model | undefined {
  const known = properties.get(step.name);
  const without = (...keys: readonly string[]) => new Map(Array.from(values).filter(([key]) => !keys.includes(key)));
  if (step.kind === 'register')
    return known === undefined
      ? { properties: new Map([...properties, [step.name, { defaulted: step.defaulted, published: false }]]), values }
      : undefined;
  if (known === undefined) return undefined;
  switch (step.kind) {
    case 'unregister': {
      if (known.published) return undefined;
      const left = Array.from(properties).filter(([name]) => name !== step.name);
      return { properties: new Map(left), values: without(...HOLDERS.map((holder) => `${holder}/${step.name}`)) };
    }
    case 'publish':
      return { properties: new Map([...properties, [step.name, { ...known, published: true }]]), values };
    case 'set':
      if (step.value < 0 || step.value > 3) return undefined;
      return { properties, values: new Map([...values, [`${step.holder}/${step.name}`, step.value]]) };
    case 'unset':
      return { properties, values: without(`${step.holder}/${step.name}`) };
  }
}

const RIGHTS = { agent: ['read', 'write'] };
const PRIVATE = { type: 'int', access: { license: RIGHTS, group: RIGHTS }, range: { from: 0, to: 3 } };

function requestOf(step: Step): readonly [string, object] {
  const own = { owner_client_id: 'app', name: step.name };
  switch (step.kind) {
    case 'register':
      return ['register_property', { ...own, ...PRIVATE, ...(step.defaulted ? { default_value: 2 } : {}) }];
    case 'unregister':
      return ['unregister_property', own];
    case 'publish':
      return ['publish_property', { ...own, access_type: ['read'] }];
    case 'set':
      return onHolder('update', 'group_id', step.holder, { app: { [step.name]: step.value } });
    case 'unset':
      return onHolder('delete', 'id', step.holder, { app: [step.name] });
  }
}

function onHolder(verb: string, idMember: string, holder: string, properties: object): readonly [string, object] {
  if (holder === 'license') return [`${verb}_license_properties`, { properties }];
  return [`${verb}_group_properties`, { [idMember]: Number(holder.slice('group '.length)), properties }];
}

function read({ properties, values }: Model, holder: string): object {
  const found: Record<string, number> = {};
  for (const [name, { defaulted }] of properties) {
    const value = values.get(`${holder}/${name}`) ?? (defaulted ? 2 : undefined);
    if (value !== undefined) found[name] = value;
  }
  return Object.keys(found).length === 0 ? {} : { app: found };
}

test('Any sequence of registering, publishing, setting and deleting agrees with a model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const { call, send } = createCaller({ seed: { groups: [{ id: 1, name: 'One' }] } });
      let model: Model = { properties: new Map(), values: new Map() };
      for (const step of steps) {
        const next = after(model, step);
        const { status } = await send(...requestOf(step));
        expect(status === 200).toBe(next !== undefined);
        model = next ?? model;
      }
      const listed = await call('list_properties', { owner_client_id: 'app' });
      expect(Object.keys(listed).sort()).toEqual(Array.from(model.properties.keys()).sort());
      for (const [name, { published }] of model.properties)
        expect(listed[name].public_access).toEqual(published ? ['read'] : []);
      expect(await call('list_license_properties', { namespace: 'app' })).toEqual(read(model, 'license'));
      expect(await call('list_groups_properties', { group_ids: [], namespace: 'app' })).toEqual([
        { id: 0, properties: read(model, 'group 0') },
        { id: 1, properties: read(model, 'group 1') },
      ]);
    }),
    { numRuns: tries(500) },
  );
});
