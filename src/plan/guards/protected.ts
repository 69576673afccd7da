// Protected objects that a plan would delete, replace, or lose with the object that they belong to. Only the setting ends this veto.

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

/** What may be deleted, and how `protect:` names each object. */
interface Protection {
  readonly going: readonly Draft[];
  readonly drafts: readonly Draft[];
  readonly live: Live;
  /** The addresses that the manifest and the ledger give an object. */
  readonly addresses: ReadonlyMap<LiveObject, readonly Address[]>;
  readonly covers: (object: LiveObject) => boolean;
}

export function protectedOnes(
  drafts: readonly Draft[],
  bindings: Bindings,
  live: Live,
  protects: (address: Address) => boolean,
): readonly Withheld[] {
  const going = drafts.filter(({ verb, object }) => object !== null && (verb === 'delete' || verb === 'replace'));
  if (going.length === 0) return [];
  const addresses = new Map<LiveObject, readonly Address[]>();
  const add = (address: Address, object: LiveObject | null): void => {
    if (object !== null) addresses.set(object, [...(addresses.get(object) ?? []), address]);
  };
  for (const [address, { object }] of bindings.bound) add(address, object);
  for (const [address, object] of bindings.undeclared) add(address, object);
  const covers = (object: LiveObject): boolean =>
    [...(addresses.get(object) ?? []), ...namesOf(object)].some((name) => protects(name));
  const protection = { going, drafts, live, addresses, covers };
  return [...written(protection), ...hanging(protection)];
}

/** Those that a request of the plan deletes. A draft spares what its own address protects, and an object may have other names. */
function written({ going, covers }: Protection): readonly Withheld[] {
  return going
    .filter(({ object }) => object !== null && covers(object))
    .map(({ verb, address }) =>
      veto(address, `which would be deleted${verb === 'replace' ? ' and made again' : ''}`, address),
    );
}

/** Those that the service deletes with another object, declared, owned or not. */
function hanging({ going, drafts, live, addresses, covers }: Protection): readonly Withheld[] {
  const taken = new Set([...addresses.values()].flat());
  const own = new Map(drafts.flatMap((made) => (made.object === null ? [] : [[made.object, made] as const])));
  const owners = groupedBy(going, ({ kind, object }) => `${kind.name}/${object?.id}`);
  const vetoes = Object.values(KINDS).flatMap((kind) =>
    (live.objects[kind.name] ?? []).flatMap((object): readonly Withheld[] => {
      const lost = belongsTo(kind, object).flatMap((owner) => owners.get(owner) ?? []);
      if (lost.length === 0 || !covers(object)) return [];
      const { id, name, facts } = object;
      const [known] = addresses.get(object) ?? [];
      // The service set it, or no request did.
      if (known === undefined && (facts.builtin === true || facts.possiblyUnset === true)) return [];
      const made = own.get(object);
      if (made !== undefined && leavesByItself(made)) return [];
      // A template takes its bots where the project says so, and what is declared is written again after a replace.
      const gone = lost.filter(({ verb, kind: owner, beyond }) =>
        owner.name === kind.madeBy ? beyond !== null : verb === 'delete' || made?.verb !== 'update',
      );
      if (gone.length === 0) return [];
      const byId: Address = `${kind.name}/${id}`;
      const address = known ?? (taken.has(byId) ? (`${kind.name}/id/${id}` as const) : byId);
      const said = known !== undefined || name === String(id) ? address : `${address} (${clear(name)})`;
      const names = gone.map((each) => each.address).join(' and ');
      return [veto(address, `which would be gone with ${names}`, said)];
    }),
  );
  return vetoes.toSorted((one, other) => byText(one.message, other.message));
}

function veto(address: Address, what: string, said: string): Withheld {
  return { guard: 'protected', addresses: [address], message: `\`protect:\` covers ${said}, ${what}`, remedy: REMEDY };
}
