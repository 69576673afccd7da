// Owned objects that a destroy keeps, in addition to those that no plan deletes: what chatform did not make, and the last administrators.

import type { Address, LedgerState, Live, LiveObject } from '../../base/model.ts';
import { KIND_NAMES, KINDS, kindOf, subjectOf } from '../../kinds/index.ts';
import { isAdopted } from '../binding/claims.ts';
import type { Stays } from '../binding/undeclared.ts';
import { administers, isOwn, type TokenOwner } from './lockout.ts';

/** A plan that removes what is owned on purpose. */
export interface Destroying {
  /** Also objects that existed before chatform managed them. */
  readonly adopted: boolean;
}

export interface DestroySubject {
  readonly live: Live;
  readonly ledger: Pick<LedgerState, 'bindings'>;
  readonly own: TokenOwner;
  readonly acknowledged: ReadonlySet<string>;
}

/** Returns why a destroy keeps an owned object; null when it goes. `stays` says what holds for every plan. */
export function keptInDestroy(
  { adopted }: Destroying,
  { live, ledger: { bindings }, own, acknowledged }: DestroySubject,
  stays: Stays,
): Stays {
  // A setting that is wrong, or an account that the version does not tell, finds no agent.
  const isKnown = KIND_NAMES.some((name) => live.objects[name]?.some((object) => isOwn(own, object)) === true);
  const predates: Stays = ({ kind }, address) => {
    const binding = bindings.get(address);
    if (binding !== undefined && !isAdopted(binding)) return null;
    if (!adopted) return 'it existed before chatform managed it; `--adopted` destroys it also';
    // The agent of the token existed before the first apply with that token.
    const isSuspect = !isKnown && KINDS[kind].standing !== undefined;
    return isSuspect ? 'it may be the agent of the token; say which that is with `own_agent` in chatform.yaml' : null;
  };
  const last = lastAdministrators(
    live,
    bindings,
    (object, address) => stays(object, address) ?? predates(object, address),
  );
  return (object, address) => {
    const reason = predates(object, address);
    if (reason !== null || !last.has(address) || acknowledged.has(subjectOf(address))) return reason;
    return `without it only the owner could administer the license; \`--acknowledge ${address}\` destroys it also`;
  };
}

/** The owned administrators, where all that the license has would go. */
function lastAdministrators(live: Live, bindings: LedgerState['bindings'], stays: Stays): ReadonlySet<Address> {
  const owned = new Map([...bindings].map(([address, { id }]) => [`${kindOf(address)} ${id}`, address]));
  const administrators = KIND_NAMES.flatMap((name) => live.objects[name] ?? []).filter(({ kind, spec, facts }) =>
    administers(KINDS[kind], spec, facts),
  );
  const going = administrators.flatMap((object: LiveObject): readonly Address[] => {
    const address = owned.get(`${object.kind} ${object.id}`);
    return address === undefined || stays(object, address) !== null ? [] : [address];
  });
  return new Set(going.length < administrators.length ? [] : going);
}
