// Desired, live and ledger in; which resource is which object, and the ledger under the names of today, out.

import type { Address, Desired, Diagnostic, LedgerState, Live, LiveObject } from '../../base/model.ts';
import { kindOf } from '../../kinds/index.ts';
import { type Bindings, bind, undeclaredIn } from './bind.ts';
import { follow, type Move, type Moved } from './moves.ts';

export interface Identified {
  readonly bindings: Bindings;
  readonly ledger: LedgerState;
  readonly moves: Moved['moves'];
  readonly problems: readonly Diagnostic[];
}

export interface Sources {
  readonly desired: Desired;
  readonly live: Live;
  readonly known: LedgerState;
  readonly moved: readonly Move[];
  /** Why an undeclared object stays; null when it goes. */
  readonly stays: (object: LiveObject, address: Address) => string | null;
}

/** A key that is new to an object of ours is a move that nobody had to declare: what is known of the object stays known. */
export function identify({ desired, live, known, moved, stays }: Sources): Identified {
  const declared = follow(known, moved, live);
  const found = bind(desired, live, declared.ledger.bindings, stays);
  const implied = follow(declared.ledger, impliedMoves(desired, found, declared.ledger), live);
  const { ledger } = implied;
  const bindings = implied.moves.length === 0 ? found : bind(desired, live, ledger.bindings, stays);
  const moves = [...declared.moves, ...implied.moves];
  return { bindings, ledger, moves, problems: [...declared.problems, ...bindings.problems] };
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
