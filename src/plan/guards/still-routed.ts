// Objects that would be deleted although a remaining rule routes to them. The effect of such a rule is not specified: at best it stops matching, and
// its chats go elsewhere.

import type { Address, Live, ObjectId, Spec } from '../../base/model.ts';
import { few } from '../../base/text.ts';
import { mapReferences } from '../../kinds/fields.ts';
import { isAddress, ORDERED, subjectOf } from '../../kinds/index.ts';
import type { Bindings } from '../binding/bind.ts';
import { liveSpec } from '../diff.ts';
import type { Draft } from '../draft.ts';
import type { Withheld } from '../plan.ts';
import { aftermath } from '../sent.ts';

interface RemainingRule {
  readonly address: Address;
  readonly name: string;
  readonly spec: Spec;
}

function remainingRules(drafts: readonly Draft[], bindings: Bindings, live: Live): readonly RemainingRule[] {
  const drafted = new Set(drafts.map(({ object }) => object));
  const declared = drafts.flatMap((made): readonly RemainingRule[] => {
    const spec = made.kind === ORDERED ? aftermath(made) : null;
    return spec === null ? [] : [{ address: made.address, name: made.address, spec }];
  });
  const others = (live.objects[ORDERED.name] ?? [])
    .filter((object) => !drafted.has(object))
    .map((object): RemainingRule => {
      const reference = bindings.referenceTo(ORDERED.name, object.id);
      const [address, name] = isAddress(reference)
        ? [reference, reference]
        : [
            `${ORDERED.name}/id/${object.id}` as const,
            `the undeclared ${ORDERED.noun.one} \`${object.name}\` (${object.id})`,
          ];
      return { address, name, spec: liveSpec(ORDERED, object, bindings) };
    });
  return [...declared, ...others];
}

function keyOf(kind: string, id: ObjectId): string {
  return `${kind} ${id}`;
}

/** Returns kind and id of everything that a rule routes to. */
function destinations({ spec }: RemainingRule, bindings: Bindings): ReadonlySet<string> {
  const found = new Set<string>();
  mapReferences(ORDERED, spec, (reference, kind) => {
    const id = bindings.idOf(reference);
    if (id !== null) found.add(keyOf(kind, id));
    return reference;
  });
  return found;
}

export function stillRouted(
  drafts: readonly Draft[],
  bindings: Bindings,
  live: Live,
  acknowledged: ReadonlySet<string>,
): readonly Withheld[] {
  const going = drafts.filter(({ verb, address }) => verb === 'delete' && !acknowledged.has(subjectOf(address)));
  if (going.length === 0) return [];
  const rules = remainingRules(drafts, bindings, live).map((rule) => ({ ...rule, to: destinations(rule, bindings) }));
  return going.flatMap(({ address, kind, object }): readonly Withheld[] => {
    const routing = rules.filter(({ to }) => object !== null && to.has(keyOf(kind.name, object.id)));
    if (routing.length === 0) return [];
    const names = routing.map(({ name }) => name);
    return [
      {
        guard: 'still-routed',
        // Consent is to each of the rules: a saved plan approves none that came later.
        addresses: [address, ...routing.map((rule) => rule.address)],
        message: `${address} would be deleted, and ${few(names)} still ${names.length === 1 ? 'routes' : 'route'} to it`,
        remedy: `change or remove ${names.length === 1 ? 'that rule' : 'those rules'} too, or --acknowledge ${address}`,
      },
    ];
  });
}
