// Bindings of a manifest, and the ledger under the current names, with every rename applied.

import type { Address, Desired, Diagnostic, LedgerState, Live, Move } from '../../base/model.ts';
import { identityOfId, KINDS, kindOf } from '../../kinds/index.ts';
import { type Bindings, bind } from './bind.ts';
import { problem } from './claims.ts';
import { type FollowedMoves, follow } from './moves.ts';
import { inOneSpelling, respelled, withLiveIds } from './people.ts';
import { type Stays, undeclaredIn } from './undeclared.ts';

export interface Identified {
  readonly bindings: Bindings;
  readonly ledger: LedgerState;
  readonly moves: FollowedMoves['moves'];
  readonly problems: readonly Diagnostic[];
}

export interface IdentifyInput {
  readonly desired: Desired;
  readonly live: Live;
  readonly known: LedgerState;
  readonly moved: readonly Move[];
  readonly stays: Stays;
  /** The resources that may be made; left out where nothing is planned. */
  readonly selects?: (address: Address) => boolean;
}

/** Binds, and takes a new key of an owned object for a rename that needs no declaration. */
export function identify({ desired, live, known, moved, stays, selects }: IdentifyInput): Identified {
  const owned = withLiveIds(known, live);
  const declared = follow(owned, inOneSpelling(moved, desired, owned), live);
  const spelled = follow(declared.ledger, respelled(desired, declared.ledger), live);
  const found = bind(desired, live, spelled.ledger.bindings, stays, selects);
  const implied = follow(spelled.ledger, impliedMoves(desired, found, spelled.ledger), live);
  const { ledger } = implied;
  const bindings = implied.moves.length === 0 ? found : bind(desired, live, ledger.bindings, stays, selects);
  const moves = [...declared.moves, ...spelled.moves, ...implied.moves];
  const problems = [...declared.problems, ...otherAccounts(desired, moved, declared), ...bindings.problems];
  return { bindings, ledger, moves, problems };
}

/** Renames to the address of another account: where the key is the account, only its spelling can change. */
function otherAccounts(
  { resources }: Desired,
  moved: readonly Move[],
  { moves, ledger }: FollowedMoves,
): readonly Diagnostic[] {
  if (moves.length === 0) return [];
  const made = new Map(moves.map((move) => [move.to, move.from]));
  return resources.flatMap(({ address, kind, key, id }): readonly Diagnostic[] => {
    const from = made.get(address);
    const known = ledger.bindings.get(address);
    if (from === undefined || known === undefined || KINDS[kind].choosesId !== true) return [];
    const place = moved.find(({ to }) => to === address)?.place;
    if (place === undefined || identityOfId(kind, known.id) === identityOfId(kind, id ?? key)) return [];
    return [
      problem(
        'not-allowed',
        place,
        `\`${from}\` cannot become \`${address}\`: the address is the account, and the service changes it on none`,
        `remove the item, so that \`${address}\` is a new account; keep \`${from}\` with \`suspended: true\` to lock the old one`,
      ),
    ];
  });
}

function impliedMoves(desired: Desired, { bound }: Bindings, ledger: LedgerState): readonly Move[] {
  const undeclared = undeclaredIn(ledger.bindings, desired);
  if (undeclared.length === 0) return [];
  const former = new Map(
    undeclared.map((address) => [`${kindOf(address)} ${ledger.bindings.get(address)?.id}`, address]),
  );
  return [...bound.values()].flatMap(({ resource: { address: to, place }, object }): readonly Move[] => {
    const from = object === null ? undefined : former.get(`${object.kind} ${object.id}`);
    return from === undefined || ledger.bindings.has(to) ? [] : [{ from, to, place }];
  });
}
