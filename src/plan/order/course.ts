// The rules as they are, what they become and the writes between the two in; an order of these writes in which nobody's chats go astray on the
// way, out. Where there is none: who is exposed. Knows no requests, and asks src/routing what a list means.

import type { Position } from '../../kinds/kind.ts';
import { type Ends, type Exposure, exposureOf } from '../../routing/exposure.ts';
import type { List } from '../../routing/list.ts';
import { listOf } from '../../routing/list.ts';
import { type Assumptions, asked, type Rule } from '../../routing/rules.ts';
import { type Speller, spellerOf } from '../../routing/spelling.ts';
import type { Effort } from '../../routing/witness.ts';
import { type ListWrite, written } from './sequence.ts';

/** What is to be done to a list, in whatever order. Rules are called by their names in the plan. */
export interface Work {
  readonly live: readonly string[];
  /** What is to stand in an order, in that order: whatever is moved finds its place before the next of these that stands. */
  readonly placed: readonly string[];
  /** Those of them that are not moved, and those that may not be. */
  readonly kept: ReadonlySet<string>;
  readonly fixed: ReadonlySet<string>;
  /** In the order in which they go out when nobody minds. */
  readonly writes: readonly ListWrite[];
  readonly before: ReadonlyMap<string, Rule>;
  readonly after: ReadonlyMap<string, Rule>;
  readonly assumptions: Assumptions;
}

/** Somebody whose chats go astray after some of the writes. */
export interface Exposed extends Exposure {
  /** How many of the writes have been sent. */
  readonly writes: number;
}

export interface Course {
  readonly writes: readonly ListWrite[];
  /** `unknown` when the search for a visitor or for an order was given up. */
  readonly verdict: 'safe' | 'exposed' | 'unknown';
  /** One for each list on the way that exposes somebody. */
  readonly exposed: readonly Exposed[];
}

/** Visitors that one search may try. */
const VISITORS = 100_000;

/** Lists that it may look at: fewer of long ones, which take longer. */
function listsFor({ live, writes }: Work): number {
  return Math.min(500, Math.ceil(30_000 / (live.length + writes.length)));
}

/** Lists on the way of which it is said whom they expose, at most: more than anybody reads, so that it can be said how many more there are. */
const TOLD = 100;

/** A list on the way. */
interface Standing {
  readonly names: readonly string[];
  readonly done: ReadonlySet<string>;
}

/** One piece of work, and what is needed to ask about its lists. */
export interface Search {
  readonly work: Work;
  readonly ends: Ends;
  /** The names of the list that it leads to. */
  readonly end: readonly string[];
  readonly speller: Speller;
  readonly effort: Effort;
}

/**
 * The given order, if it is safe; else the one that begins at the front, which often is; else a safe one of the same writes, if there is one; else
 * the given one, with whom it exposes.
 */
export function chart(search: Search): Course {
  const { work } = search;
  const places = new Map(work.placed.map((name, place) => [name, place]));
  const place = ({ key }: ListWrite): number => places.get(key) ?? places.size;
  const fromTheFront = placedInTurn(
    work.writes.toSorted((one, other) => place(one) - place(other)),
    work,
  );
  for (const writes of [work.writes, fromTheFront]) {
    const { done } = walk(writes, search, 1);
    if (done === 'safe') return { writes, verdict: 'safe', exposed: [] };
  }
  const found = safeOrder(fromTheFront, search);
  if (found !== null && found !== 'unknown') return { writes: found, verdict: 'safe', exposed: [] };
  const { exposed } = walk(work.writes, search, TOLD);
  return { writes: work.writes, verdict: found === null ? 'exposed' : 'unknown', exposed };
}

/** Whether a course exposes nobody, for certain. */
export function isSafe(writes: readonly ListWrite[], search: Search): boolean {
  return walk(writes, search, 1).done === 'safe';
}

/** What a course exposes, list by list, until there is enough to tell. */
export function walk(
  writes: readonly ListWrite[],
  { work, ends, speller, effort }: Search,
  enough: number,
): { readonly done: Course['verdict']; readonly exposed: readonly Exposed[] } {
  const exposed: Exposed[] = [];
  let isCertain = true;
  let standing = start(work);
  for (const [sent, write] of writes.slice(0, -1).entries()) {
    standing = send(standing, write);
    const found = exposureOf(ends, listAt(standing, work), speller, effort);
    if (found === 'unknown') isCertain = false;
    else if (found !== null) exposed.push({ ...found, writes: sent + 1 });
    if (exposed.length === enough) break;
  }
  return { done: exposed.length > 0 ? 'exposed' : isCertain ? 'safe' : 'unknown', exposed };
}

export function searchOf(work: Work): Search {
  const end = work.writes.reduce(send, start(work));
  return {
    work,
    ends: { before: listAt(start(work), work), after: listAt(end, work) },
    end: end.names,
    speller: spellerOf([...work.before.values(), ...work.after.values()], work.assumptions),
    effort: { left: VISITORS },
  };
}

function start({ live }: Work): Standing {
  return { names: live, done: new Set() };
}

function listAt({ names, done }: Standing, { before, after, assumptions }: Work): List {
  const rules = names.flatMap((name) => (done.has(name) ? after.get(name) : before.get(name)) ?? []);
  return listOf(asked(rules, assumptions));
}

function send({ names, done }: Standing, write: ListWrite): Standing {
  return { names: written(names, write), done: new Set([...done, write.key]) };
}

/** Writes in an order, each with the place that leads to the end from where the list then is. */
export function placedInTurn(writes: readonly ListWrite[], work: Work): readonly ListWrite[] {
  const done = new Set<string>();
  return writes.map((write) => {
    const placed = placedNow(write, done, work);
    done.add(write.key);
    return placed;
  });
}

/** A write with the place that it has to name when these others have been sent. */
function placedNow(write: ListWrite, done: ReadonlySet<string>, work: Work): ListWrite {
  if (write.op === 'delete' || write.position === null) return write;
  return { ...write, position: landing(write.key, done, work) };
}

/** Before the next rule that stands right already. */
function landing(key: string, done: ReadonlySet<string>, { placed, kept }: Work): Position {
  const next = placed.slice(placed.indexOf(key) + 1).find((name) => kept.has(name) || done.has(name));
  return next === undefined ? { last: true } : { before: next };
}

/**
 * Depth first, in the preferred order where there is a choice. Which writes have been sent decides which list there is, whatever their order was,
 * so no list is looked at twice.
 */
function safeOrder(preferred: readonly ListWrite[], search: Search): readonly ListWrite[] | 'unknown' | null {
  const { work, ends, speller, effort } = search;
  const seen = new Set<string>();
  let isCertain = true;
  const from = (standing: Standing): readonly ListWrite[] | null => {
    const open = preferred.filter(({ key }) => !standing.done.has(key));
    for (const each of open) {
      const write = placedNow(each, standing.done, work);
      if (open.length === 1) return [write];
      const next = send(standing, write);
      const name = work.writes.map(({ key }) => (next.done.has(key) ? '1' : '0')).join('');
      if (seen.has(name)) continue;
      seen.add(name);
      if (seen.size > listsFor(work)) {
        isCertain = false;
        return null;
      }
      const found = exposureOf(ends, listAt(next, work), speller, effort);
      if (found === 'unknown') isCertain = false;
      if (found !== null) continue;
      const rest = from(next);
      if (rest !== null) return [write, ...rest];
    }
    return null;
  };
  return from(start(work)) ?? (isCertain ? null : 'unknown');
}
