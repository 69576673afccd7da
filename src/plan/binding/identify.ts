// Bindings of a manifest, and the ledger under the current names, with every rename applied.

import type { Address, Desired, Diagnostic, LedgerState, Live, Move } from '../../base/model.ts';
import { kindOf } from '../../kinds/index.ts';
import { sortedMoves } from './accounts.ts';
import { type Bindings, bind } from './bind.ts';
import { type FollowedMoves, follow } from './moves.ts';
import { respelled, withLiveIds } from './people.ts';
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
  const { renames } = sortedMoves(moved, desired, owned);
  const declared = follow(owned, renames, live);
  const spelled = follow(declared.ledger, respelled(desired, declared.ledger), live);
  const found = bind(desired, live, spelled.ledger.bindings, stays, selects);
  const implied = follow(spelled.ledger, impliedMoves(desired, found, spelled.ledger), live);
  const { ledger } = implied;
  const bindings = implied.moves.length === 0 ? found : bind(desired, live, ledger.bindings, stays, selects);
  const moves = [...declared.moves, ...spelled.moves, ...implied.moves];
  const problems = [...declared.problems, ...bindings.problems];
  return { bindings, ledger, moves, problems };
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
