// The `moved:` list of a composed manifest in; renamed keys out, and those that cannot be meant: of a kind that changes, of an entry that
// is still there, of one that was never written, or twice.

import { isList, isObject } from '../base/json.ts';
import type { Address, Json, Place } from '../base/model.ts';
import { nearest } from '../base/nearest.ts';
import { kindOf } from '../kinds/index.ts';
import type { Emit } from '../yaml/collector.ts';
import type { Path } from '../yaml/mark.ts';
import { at } from '../yaml/wording.ts';
import { asAddress, type Declared } from './sections.ts';

/** A renamed key: the object of `from` is that of `to`. */
export interface Move {
  readonly from: Address;
  readonly to: Address;
  readonly place: Place;
}

interface MoveAt extends Omit<Move, 'place'> {
  readonly path: Path;
}

export function movesOf(moves: Json | undefined, placeAt: (path: Path) => Place): readonly Move[] {
  return wellFormed(moves).map(({ from, to, path }) => ({ from, to, place: placeAt(path) }));
}

/** Items that fit the schema. */
function wellFormed(moves: Json | undefined): readonly MoveAt[] {
  if (!isList(moves)) return [];
  return moves.flatMap((move, index) => {
    const from = isObject(move) ? asAddress(move['from']) : null;
    const to = isObject(move) ? asAddress(move['to']) : null;
    return from === null || to === null ? [] : [{ from, to, path: ['moved', index] }];
  });
}

export function checkMoves(moves: Json | undefined, entries: readonly Declared[], emit: Emit): void {
  const declared = new Map<Address, Declared>(entries.map((entry) => [entry.address, entry]));
  const each = wellFormed(moves);
  for (const member of ['from', 'to'] as const) checkOnce(each, member, emit);
  for (const move of each) {
    const { from, to, path } = move;
    const still = declared.get(from);
    if (kindOf(from) !== kindOf(to)) {
      emit(
        at([...path, 'to'], 'value', 'not-allowed', `\`${from}\` cannot become \`${to}\`: only keys change`, KEEP_KIND),
      );
    } else if (still !== undefined) {
      emit({
        ...at(
          [...path, 'from'],
          'value',
          'contradiction',
          `\`${from}\` is moved and still declared`,
          'remove one of the two',
        ),
        related: [{ path: still.path, part: 'key', message: 'its declaration' }],
      });
    } else if (!declared.has(to) && !each.some((next) => next.from === to)) {
      const { code, message, remedy } = toNowhere(to, declared);
      const { path: where, part, finding } = at([...path, 'to'], 'value', code, message, remedy);
      emit({ path: where, part, finding: { ...finding, severity: 'warning' } });
    }
  }
}

const KEEP_KIND = 'name an address of the same kind';

function checkOnce(moves: readonly MoveAt[], member: 'from' | 'to', emit: Emit): void {
  const firsts = new Map<Address, MoveAt>();
  for (const move of moves) {
    const first = firsts.get(move[member]);
    if (first === undefined) {
      firsts.set(move[member], move);
      continue;
    }
    const message = `\`${move[member]}\` is ${member === 'from' ? 'moved' : 'moved to'} twice`;
    emit({
      ...at([...move.path, member], 'value', 'contradiction', message, 'keep one of the two'),
      related: [{ path: [...first.path, member], part: 'value', message: 'the first one' }],
    });
  }
}

function toNowhere(to: Address, declared: ReadonlyMap<Address, Declared>) {
  const meant = nearest(
    to,
    [...declared.keys()].filter((address) => kindOf(address) === kindOf(to)),
  );
  const remedy = meant === null ? 'remove the item once the object is gone' : `did you mean \`${meant}\`?`;
  return {
    code: 'unknown-address',
    message: `\`${to}\` is not declared, so nothing takes the object over`,
    remedy,
  } as const;
}
