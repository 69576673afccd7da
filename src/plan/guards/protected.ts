// Protected objects that a plan would replace, or that would go with the object that they belong to. Only the setting ends this veto; `draft.ts` never
// deletes a protected object by itself.

import { groupedBy } from '../../base/grouped.ts';
import { byText } from '../../base/json.ts';
import type { Address, Live, LiveObject } from '../../base/model.ts';
import { clear } from '../../base/text.ts';
import { KINDS } from '../../kinds/index.ts';
import type { Bindings } from '../binding/bind.ts';
import type { Draft } from '../draft.ts';
import type { Withheld } from '../plan.ts';
import { namesOf } from '../pruning.ts';
import { belongsTo, leavesByItself } from './goes-with.ts';

const REMEDY = 'leave it as it is, or take the address out of `protect:` in chatform.yaml';

export function protectedOnes(
  drafts: readonly Draft[],
  bindings: Bindings,
  live: Live,
  protects: (address: Address) => boolean,
): readonly Withheld[] {
  const going = drafts.filter(({ verb, object }) => object !== null && (verb === 'delete' || verb === 'replace'));
  if (going.length === 0) return [];
  const remade = going
    .filter(({ verb, address }) => verb === 'replace' && protects(address))
    .map(({ address }) => veto(address, `\`protect:\` covers ${address}, which would be deleted and made again`));
  return [...remade, ...hanging(going, drafts, bindings, live, protects)];
}

/** Those that the service deletes with another object, declared, owned or not. */
function hanging(
  going: readonly Draft[],
  drafts: readonly Draft[],
  bindings: Bindings,
  live: Live,
  protects: (address: Address) => boolean,
): readonly Withheld[] {
  const addresses = new Map<LiveObject, Address>();
  for (const [address, { object }] of bindings.bound) if (object !== null) addresses.set(object, address);
  for (const [address, object] of bindings.undeclared) addresses.set(object, address);
  const own = new Map(drafts.flatMap((made) => (made.object === null ? [] : [[made.object, made] as const])));
  const owners = groupedBy(going, ({ kind, object }) => `${kind.name}/${object?.id}`);
  const vetoes = Object.values(KINDS).flatMap((kind) =>
    (live.objects[kind.name] ?? []).flatMap((object): readonly (readonly [Address, string])[] => {
      const lost = belongsTo(kind, object).flatMap((owner) => owners.get(owner) ?? []);
      if (lost.length === 0) return [];
      const { id, name } = object;
      const known = addresses.get(object);
      const address = known ?? (`${kind.name}/${id}` as const);
      const made = own.get(object);
      if (![address, ...namesOf(object)].some(protects) || (made !== undefined && leavesByItself(made))) return [];
      // What is declared is written again after a replace.
      const gone = lost.filter(({ verb }) => verb === 'delete' || made?.verb !== 'update');
      if (gone.length === 0) return [];
      const said = known !== undefined || name === String(id) ? address : `${address} (${clear(name)})`;
      return [[address, `\`protect:\` covers ${said}, which would be gone with ${addressesOf(gone)}`]];
    }),
  );
  return vetoes.toSorted(([one], [other]) => byText(one, other)).map(([address, message]) => veto(address, message));
}

function addressesOf(drafts: readonly Draft[]): string {
  return drafts.map(({ address }) => address).join(' and ');
}

function veto(address: Address, message: string): Withheld {
  return { guard: 'protected', addresses: [address], message, remedy: REMEDY };
}
