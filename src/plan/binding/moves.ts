// Renamed keys applied to the ledger, as if every owned object had always had its new name.

import type { Address, Diagnostic, LedgerState, Live, Move } from '../../base/model.ts';
import { renameReferences } from '../../kinds/fields.ts';
import { KINDS, kindOf } from '../../kinds/index.ts';
import { problem } from './claims.ts';

export interface FollowedMoves {
  readonly ledger: LedgerState;
  /** In the order in which they were made. */
  readonly moves: readonly { readonly from: Address; readonly to: Address }[];
  readonly problems: readonly Diagnostic[];
}

/**
 * Follows a chain of renames to its end, in whatever order it is written. A rename whose old name the ledger does not have was made before, or there
 * was no such object.
 */
export function follow(known: LedgerState, moved: readonly Move[], live: Live): FollowedMoves {
  const moves: Move[] = [];
  let ledger = known;
  let open = moved;
  for (;;) {
    const next = open.find((move) => ledger.bindings.has(move.from) && !isTaken(ledger, move.to, move.from, live));
    if (next === undefined) break;
    ledger = renamed(ledger, next);
    moves.push(next);
    open = open.filter((move) => move !== next);
  }
  return {
    ledger,
    moves: moves.map(({ from, to }) => ({ from, to })),
    problems: open.filter(({ from, to }) => isTaken(ledger, from, to, live)).map((move) => collision(ledger, move)),
  };
}

/** Whether an address has an object of its own that still exists, as far as its kind was read. */
function isTaken({ bindings }: LedgerState, address: Address, other: Address, live: Live): boolean {
  const known = bindings.get(address);
  if (known === undefined || known.id === bindings.get(other)?.id) return false;
  const listed = live.objects[kindOf(address)];
  return listed === undefined || listed.some(({ id }) => id === known.id);
}

/** Two owned objects cannot become one, and releasing one of them without asking could delete it. */
function collision({ bindings }: LedgerState, { from, to, place }: Move): Diagnostic {
  const { noun } = KINDS[kindOf(from)];
  return problem(
    'contradiction',
    place,
    `\`${from}\` cannot become \`${to}\`: they are ${noun.one} ${bindings.get(from)?.id} and ${bindings.get(to)?.id}, and both are owned`,
    `remove the item, so that \`${from}\` is no longer declared; or release the other one with \`chatform ledger forget ${to}\``,
  );
}

function renamed(ledger: LedgerState, { from, to }: Move): LedgerState {
  const name = (address: Address): Address => (address === from ? to : address);
  const rename = <T>(entries: ReadonlyMap<Address, T>): ReadonlyMap<Address, T> => {
    const rest = [...entries].filter(([address]) => address !== to);
    return new Map(rest.map(([address, entry]) => [name(address), entry]));
  };
  const intents = [...ledger.intents].map(
    ([id, intent]) => [id, { ...intent, address: name(intent.address) }] as const,
  );
  const orders = [...ledger.orders].map(([kind, last]) => {
    const others = last.order.includes(from) ? last.order.filter((address) => address !== to) : last.order;
    return [kind, { ...last, order: others.map(name) }] as const;
  });
  const names = new Map([[from, to]]);
  const applied = [...rename(ledger.applied)].map(([address, known]) => {
    const spec = renameReferences(KINDS[kindOf(address)], known.spec, names);
    return [address, { ...known, spec }] as const;
  });
  return {
    bindings: rename(ledger.bindings),
    applied: new Map(applied),
    secrets: rename(ledger.secrets),
    orders: new Map(orders),
    intents: new Map(intents),
    remaking: rename(ledger.remaking),
    administrators: ledger.administrators,
  };
}
