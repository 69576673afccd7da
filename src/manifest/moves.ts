// The `moved:` list of a manifest: keys that were renamed, and the mistakes in it.

import { isList, isObject } from '../base/json.ts';
import type { Address, Json, Move, Place } from '../base/model.ts';
import { nearest } from '../base/nearest.ts';
import { KINDS, kindOf, subjectOf } from '../kinds/index.ts';
import { splitName } from '../kinds/namespaced.ts';
import { at, type Emit, repeated } from '../yaml/diagnostics.ts';
import type { Path } from '../yaml/places.ts';
import { asAddress, type DeclaredEntry, refusedPerson } from './sections.ts';

interface MoveAt extends Omit<Move, 'place'> {
  readonly path: Path;
}

export function movesOf(moves: Json | undefined, placeAt: (path: Path) => Place): readonly Move[] {
  return wellFormed(moves).map(({ from, to, path }) => ({ from, to, place: placeAt(path) }));
}

/** By the old address. */
export function newAddresses(moves: Json | undefined): ReadonlyMap<Address, Address> {
  return new Map(wellFormed(moves).map(({ from, to }) => [from, to]));
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

export function checkMoves(moves: Json | undefined, entries: readonly DeclaredEntry[], emit: Emit): void {
  const declared = new Map(entries.map((entry) => [subjectOf(entry.address), entry]));
  const each = wellFormed(moves);
  for (const member of ['from', 'to'] as const) {
    for (const { item, first } of repeated(each, (move) => subjectOf(move[member]))) {
      const message = `\`${item[member]}\` is ${member === 'from' ? 'moved' : 'moved to'} twice`;
      emit({
        ...at([...item.path, member], 'value', 'contradiction', message, 'keep one of the two'),
        related: [{ path: [...first.path, member], part: 'value', message: 'the first one' }],
      });
    }
  }
  for (const { from, to, path } of each) {
    for (const [member, address] of Object.entries({ from, to })) {
      const refused = refusedPerson(kindOf(address), splitName(address)[1]);
      if (refused !== null) emit({ path: [...path, member], part: 'value', ...refused });
    }
    const still = subjectOf(from) === subjectOf(to) && from !== to ? undefined : declared.get(subjectOf(from));
    const { soleSpelling, noun } = KINDS[kindOf(from)];
    if (kindOf(from) !== kindOf(to)) {
      const message = `\`${from}\` cannot become \`${to}\`: only keys change`;
      emit(at([...path, 'to'], 'value', 'not-allowed', message, 'name an address of the same kind'));
    } else if (soleSpelling !== undefined) {
      const message = `\`${from}\` cannot become \`${to}\`: the service renames no ${noun.one}, ${soleSpelling.loses}`;
      const remedy = 'remove the item: the old one is deleted, and the new one is made';
      emit(at([...path, 'to'], 'value', 'not-allowed', message, remedy));
    } else if (still !== undefined) {
      const message = `\`${from}\` is moved and still declared`;
      emit({
        ...at([...path, 'from'], 'value', 'contradiction', message, 'remove one of the two'),
        related: [{ path: still.path, part: 'key', message: 'its declaration' }],
      });
    } else if (!declared.has(subjectOf(to)) && !each.some((next) => subjectOf(next.from) === subjectOf(to))) {
      const message = `\`${to}\` is not declared, so no entry gets the object`;
      const addresses = entries.flatMap(({ kind, address }) => (kind.name === kindOf(to) ? [address] : []));
      const meant = nearest(to, addresses);
      const remedy = meant === null ? 'remove the item once the object is gone' : `did you mean \`${meant}\`?`;
      emit({ ...at([...path, 'to'], 'value', 'unknown-address', message, remedy), severity: 'warning' });
    }
  }
}
