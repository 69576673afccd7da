// Drafts and the rules of the license in; what would be deleted although a rule that stays still sends chats there, out. What the service does with
// such a rule is not stated: at best it stops matching, and its chats go where nobody meant them to go.

import type { Live, ObjectId, Spec } from '../../base/model.ts';
import { few } from '../../base/text.ts';
import { mapReferences } from '../../kinds/fields.ts';
import { ORDERED } from '../../kinds/index.ts';
import { aftermath } from '../aftermath.ts';
import type { Bindings } from '../binding/bind.ts';
import { liveSpec } from '../diff.ts';
import type { Draft } from '../draft.ts';
import type { Withheld } from '../plan.ts';

/** A rule that is there afterwards. */
interface Staying {
  readonly name: string;
  readonly spec: Spec;
}

function stayingRules(drafts: readonly Draft[], bindings: Bindings, live: Live): readonly Staying[] {
  const drafted = new Set(drafts.map(({ object }) => object));
  const declared = drafts.flatMap((made): readonly Staying[] => {
    const spec = made.kind === ORDERED ? aftermath(made) : null;
    return spec === null ? [] : [{ name: made.address, spec }];
  });
  const others = (live.objects[ORDERED.name] ?? [])
    .filter((object) => !drafted.has(object))
    .map((object): Staying => {
      const reference = bindings.referenceTo(ORDERED.name, object.id);
      const name = reference.includes('/')
        ? reference
        : `the undeclared ${ORDERED.noun.one} \`${object.name}\` (${object.id})`;
      return { name, spec: liveSpec(ORDERED, object, bindings) };
    });
  return [...declared, ...others];
}

function keyOf(kind: string, id: ObjectId): string {
  return `${kind} ${id}`;
}

/** Kind and id of everything that a rule sends chats to. */
function destinations({ spec }: Staying, bindings: Bindings): ReadonlySet<string> {
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
  const going = drafts.filter(({ verb, address }) => verb === 'delete' && !acknowledged.has(address));
  if (going.length === 0) return [];
  const rules = stayingRules(drafts, bindings, live).map((rule) => ({ ...rule, to: destinations(rule, bindings) }));
  return going.flatMap(({ address, kind, object }): readonly Withheld[] => {
    const names = rules
      .filter(({ to }) => object !== null && to.has(keyOf(kind.name, object.id)))
      .map(({ name }) => name);
    if (names.length === 0) return [];
    return [
      {
        guard: 'still-routed',
        addresses: [address],
        message: `${address} would be deleted, and ${few(names)} still ${names.length === 1 ? 'routes' : 'route'} to it`,
        remedy: `change or remove ${names.length === 1 ? 'that rule' : 'those rules'} too, or --acknowledge ${address}`,
      },
    ];
  });
}
