// Renamed keys applied to the ledger, as if every owned object had always had its new name.

import { grouped } from '../../base/grouped.ts';
import type { Address, Diagnostic, KindName, LedgerState, Live, Move, ObjectId } from '../../base/model.ts';
import { lastNames, renamedEntries, renamedOrder } from '../../base/renames.ts';
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
  if (moved.length === 0) return { ledger: known, moves: [], problems: [] };
  const bindings = new Map(known.bindings);
  const isTaken = takenIn(bindings, live);
  const waiting = byAddress(moved);
  const open = new Set(moved.keys());
  const moves: Move[] = [];
  // Of those that can be made, the first one is next. A rename lets only those go ahead that have one of its names.
  const again: number[] = [];
  for (let next = 0; next < moved.length || again.length > 0; ) {
    const index = again.shift() ?? next++;
    const move = moved[index];
    const binding = move === undefined ? undefined : bindings.get(move.from);
    if (move === undefined || binding === undefined || !open.has(index) || isTaken(move.to, move.from)) continue;
    bindings.delete(move.from);
    bindings.set(move.to, binding);
    moves.push(move);
    open.delete(index);
    const touched = [move.from, move.to].flatMap((address) => waiting.get(address) ?? []);
    const earlier = touched.filter((other) => other < next && open.has(other));
    if (earlier.length > 0) again.splice(0, again.length, ...new Set([...again, ...earlier].sort((a, b) => a - b)));
  }
  const left = moved.filter((_, index) => open.has(index));
  return {
    ledger: renamed(known, moves),
    moves: moves.map(({ from, to }) => ({ from, to })),
    problems: left.filter(({ from, to }) => isTaken(from, to)).map((move) => collision(bindings, move)),
  };
}

/** The renames of what is selected, by either name, and of what is in their way: a name must be free before another object has it. */
export function movesOf(moves: FollowedMoves['moves'], selects: (address: Address) => boolean): FollowedMoves['moves'] {
  const next = grouped(moves.flatMap(({ from, to }) => [[from, to] as const, [to, from] as const]));
  const open = new Set([...next.keys()].filter(selects));
  // A set also visits what is added to it meanwhile.
  for (const address of open) for (const other of next.get(address) ?? []) open.add(other);
  return moves.filter(({ from }) => open.has(from));
}

/** By each of the two names of a rename, the renames that have it. */
function byAddress(moved: readonly Move[]): ReadonlyMap<Address, readonly number[]> {
  return grouped(moved.flatMap(({ from, to }, index) => [from, to].map((address) => [address, index] as const)));
}

/** Whether an address has an object of its own that still exists, as far as its kind was read. */
function takenIn(bindings: LedgerState['bindings'], { objects }: Live): (address: Address, other: Address) => boolean {
  const read = new Map<KindName, ReadonlySet<ObjectId>>();
  return (address, other) => {
    const known = bindings.get(address);
    if (known === undefined || known.id === bindings.get(other)?.id) return false;
    const kind = kindOf(address);
    const listed = objects[kind];
    if (listed === undefined) return true;
    const ids = read.get(kind) ?? new Set(listed.map(({ id }) => id));
    read.set(kind, ids);
    return ids.has(known.id);
  };
}

/** Two owned objects cannot become one, and releasing one of them without asking could delete it. */
function collision(bindings: LedgerState['bindings'], { from, to, place }: Move): Diagnostic {
  const { noun } = KINDS[kindOf(from)];
  return problem(
    'contradiction',
    place,
    `\`${from}\` cannot become \`${to}\`: they are ${noun.one} ${bindings.get(from)?.id} and ${bindings.get(to)?.id}, and both are owned`,
    `remove the item, so that \`${from}\` is no longer declared; or release the other one with \`chatform ledger forget ${to}\``,
  );
}

function renamed(ledger: LedgerState, moves: readonly Move[]): LedgerState {
  if (moves.length === 0) return ledger;
  const names = lastNames(moves);
  const rename = <T>(entries: ReadonlyMap<Address, T>): ReadonlyMap<Address, T> =>
    new Map(renamedEntries(entries, moves, 'always'));
  const intents = [...ledger.intents].map(
    ([id, intent]) => [id, { ...intent, address: names.get(intent.address) ?? intent.address }] as const,
  );
  const orders = [...ledger.orders].map(
    ([kind, last]) => [kind, { ...last, order: renamedOrder(last.order, moves) }] as const,
  );
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
