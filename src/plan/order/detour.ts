// A list and the writes to what it becomes in, of which every order exposes somebody; a longer way that exposes nobody, out.

import type { Position } from '../../kinds/kind.ts';
import { chart, isSafe, placedInTurn, type Search, searchOf, type Work } from './course.ts';
import type { ListWrite } from './sequence.ts';

export interface Detour {
  readonly writes: readonly ListWrite[];
  /** Rules that it makes anew and then deletes, instead of changing them: only who writes the manifest can decide that. */
  readonly anew: readonly string[];
}

/** @returns null when none was found */
export function detour(search: Search): Detour | null {
  const writes = frontFirst(search.work, search.end);
  if (writes !== null && isSafe(writes, search)) return { writes, anew: [] };
  const anew = changed(search.work);
  const course = chart(searchOf(madeAnew(search.work, new Set(anew))));
  return course.verdict === 'safe' ? { writes: course.writes, anew } : null;
}

/** A rule whose conditions change cannot be in its old place and in its new one at a time, as two rules can. */
function changed({ writes, before, after }: Work): readonly string[] {
  return writes.flatMap(({ key, op }) =>
    op === 'update' && before.get(key)?.key !== after.get(key)?.key ? [key] : [],
  );
}

/** The same work, as if some rules had new keys in the manifest. */
function madeAnew(work: Work, anew: ReadonlySet<string>): Work {
  const renamed = (key: string): string => (anew.has(key) ? `${key} anew` : key);
  const after = new Map([...work.after].map(([key, rule]) => [renamed(key), rule]));
  const writes = work.writes.map(
    (write): ListWrite =>
      anew.has(write.key) ? { key: renamed(write.key), op: 'create', position: { last: true } } : write,
  );
  const placed = work.placed.map(renamed);
  const kept = new Set([...work.kept].filter((key) => !anew.has(key)));
  // Creates where they belong among the others: the last place first.
  const rank = ({ key, op }: ListWrite): number => (op === 'delete' ? placed.length : -placed.indexOf(key));
  const deletes = work.live.toReversed().flatMap((key) => (anew.has(key) ? [{ key, op: 'delete' as const }] : []));
  const made: Work = { ...work, placed, kept, after, writes: [] };
  return { ...made, writes: placedInTurn([...writes.toSorted((a, b) => rank(a) - rank(b)), ...deletes], made) };
}

/**
 * Begins at the front: whoever a rule at the front decides for has arrived, and for everybody else nothing has changed. `end` is the list that the
 * writes are to lead to. Null when a rule would have to be written twice.
 */

function frontFirst({ live, placed, fixed, writes }: Work, end: readonly string[]): readonly ListWrite[] | null {
  const given = new Map(writes.map((write) => [write.key, write]));
  const mayMove = new Set(placed.filter((name) => !fixed.has(name)));
  const sent = new Map<string, ListWrite>();
  let names = live;
  const put = (key: string, before: string | undefined): boolean => {
    if (sent.has(key)) return false;
    const position: Position = before === undefined ? { last: true } : { before };
    sent.set(key, { key, op: given.get(key)?.op === 'create' ? 'create' : 'update', position });
    const others = names.filter((name) => name !== key);
    names = others.toSpliced(before === undefined ? others.length : others.indexOf(before), 0, key);
    return true;
  };

  for (const [place, key] of end.entries()) {
    // What nobody may move is reached by moving away whatever stands before it.
    while (names[place] !== key && !mayMove.has(key)) {
      const away = names[place];
      if (away === undefined) return null;
      if (given.get(away)?.op === 'delete' && !sent.has(away)) {
        sent.set(away, { key: away, op: 'delete' });
        names = names.filter((name) => name !== away);
      } else if (!mayMove.has(away) || !put(away, names[names.indexOf(key) + 1])) return null;
    }
    if (names[place] === key) {
      const write = given.get(key);
      if (write?.op === 'update' && !sent.has(key)) sent.set(key, { key, op: 'update', position: null });
    } else if (!put(key, names[place])) return null;
  }
  const left = names.filter((name) => given.get(name)?.op === 'delete' && !sent.has(name));
  return [...sent.values(), ...left.toReversed().map((key): ListWrite => ({ key, op: 'delete' }))];
}
