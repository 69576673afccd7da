// Agents whose address changes: an account of the new address takes the place of the old one, because the service changes the address of none.

import type {
  Address,
  Desired,
  DesiredResource,
  Diagnostic,
  LedgerState,
  Live,
  Move,
  ObjectId,
} from '../../base/model.ts';
import { FORMER, identityOfId, KINDS, kindOf, subjectOf } from '../../kinds/index.ts';
import { splitName } from '../../kinds/namespaced.ts';
import { problem } from './claims.ts';
import { inOneSpelling } from './people.ts';

/** A change of address: `from` is the account that is no longer used. */
export interface AccountMove extends Move {
  /** Id of the old account; null where only its key is known. */
  readonly former: ObjectId | null;
}

export interface SortedMoves {
  /** Renames of keys, whose objects are kept. */
  readonly renames: readonly Move[];
  readonly accounts: readonly AccountMove[];
}

/** Tells renamed keys from changed addresses. A move to what nothing declares is a rename. */
export function sortedMoves(moved: readonly Move[], desired: Desired, ledger: LedgerState): SortedMoves {
  const moves = inOneSpelling(moved, desired, ledger);
  if (!moves.some(({ from }) => KINDS[kindOf(from)].choosesId === true)) return { renames: moves, accounts: [] };
  const ids = new Map<string, ObjectId>([
    ...desired.externals.flatMap(({ address, id }) => (id === null ? [] : [[subjectOf(address), id] as const])),
    ...desired.resources.map(({ address, id, key }) => [subjectOf(address), id ?? key] as const),
  ]);
  const next = new Map(moves.map(({ from, to }) => [subjectOf(from), to]));
  const renames: Move[] = [];
  const accounts: AccountMove[] = [];
  for (const move of moves) {
    const kind = kindOf(move.from);
    const to = endOf(move.to, next);
    const [former, id] = [ledger.bindings.get(move.from)?.id ?? null, ids.get(subjectOf(to))];
    const isSame =
      KINDS[kind].choosesId !== true ||
      id === undefined ||
      identityOfId(kind, former ?? splitName(move.from)[1]) === identityOfId(kind, id);
    if (isSame) renames.push(move);
    else accounts.push({ ...move, to, former });
  }
  return { renames, accounts };
}

/** The last address of a chain. */
function endOf(address: Address, next: ReadonlyMap<string, Address>): Address {
  let end = address;
  const passed = new Set<string>();
  for (let to = next.get(subjectOf(end)); to !== undefined && !passed.has(to); to = next.get(subjectOf(end))) {
    passed.add(to);
    end = to;
  }
  return end;
}

/** `desired` with the old accounts: they are suspended, and in no group. */
export function withFormerAccounts(desired: Desired, accounts: readonly AccountMove[]): Desired {
  if (accounts.length === 0) return desired;
  const declared = new Set(desired.resources.map(({ address }) => subjectOf(address)));
  const formers = accounts
    .filter(({ from }) => !declared.has(subjectOf(from)))
    .map(
      ({ from, to, former, place }): DesiredResource => ({
        address: from,
        kind: kindOf(from),
        key: splitName(from)[1],
        id: former,
        spec: FORMER,
        place,
        leaves: { by: 'moved', file: place.file, to },
      }),
    );
  return { ...desired, resources: [...desired.resources, ...formers] };
}

/** Moves of an owner, who cannot be suspended. */
export function ownersMoved(accounts: readonly AccountMove[], { objects }: Live): readonly Diagnostic[] {
  return accounts.flatMap(({ from, to, former, place }): readonly Diagnostic[] => {
    const kind = kindOf(from);
    const id = identityOfId(kind, former ?? splitName(from)[1]);
    const isOwner = objects[kind]?.some(
      (object) => object.facts.owner === true && identityOfId(kind, object.id) === id,
    );
    if (isOwner !== true) return [];
    const message = `\`${from}\` cannot become \`${to}\`: it is the owner of the license, who cannot be suspended`;
    return [
      problem('not-allowed', place, message, 'change the address in the application of the service, then the key here'),
    ];
  });
}
