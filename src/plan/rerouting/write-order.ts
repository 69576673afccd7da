// An order for the writes of rules in which no chat goes to a wrong group meanwhile. Where there is none: which visitors are exposed. src/routing
// says what a list of rules means.

import type { Position } from '../../kinds/kind.ts';
import { type Exposure, exposureOf } from '../../routing/exposure.ts';
import { type ListChange, listOf, type RuleList } from '../../routing/list.ts';
import type { ProjectPages } from '../../routing/pages.ts';
import { type Assumptions, asked, type ParsedRule } from '../../routing/rules.ts';
import { type Speller, spellerOf } from '../../routing/spelling.ts';
import type { Effort } from '../../routing/witness.ts';
import { type ListWrite, written } from '../order/sequence.ts';

/** The live list of rules and the writes to make to it. Rules have their names in the plan. */
export interface ListTransition {
  readonly live: readonly string[];
  /** The rules that must stand in this order. A moved rule goes before the next of these that stands. */
  readonly placed: readonly string[];
  /** Those that are not moved, and those that may not be. */
  readonly kept: ReadonlySet<string>;
  readonly fixed: ReadonlySet<string>;
  /** In the order of the plan with the fewest requests. */
  readonly writes: readonly ListWrite[];
  readonly before: ReadonlyMap<string, ParsedRule>;
  readonly after: ReadonlyMap<string, ParsedRule>;
  readonly assumptions: Assumptions;
  /** The pages of examples. */
  readonly pages?: ProjectPages;
}

/** A visitor whose chats go to wrong groups after some of the writes. */
export interface Exposed extends Exposure {
  /** How many of the writes have been sent. */
  readonly writes: number;
}

export interface WriteOrder {
  readonly writes: readonly ListWrite[];
  /** `unknown` when the search for a visitor or for an order was given up. */
  readonly verdict: 'safe' | 'exposed' | 'unknown';
  /** One for each intermediate list that exposes a visitor. */
  readonly exposed: readonly Exposed[];
}

/** Visitors that one search may try. */
const VISITORS = 100_000;

/** Lists that one search may examine: fewer of long ones, which take longer. */
function listsFor({ live, writes }: ListTransition): number {
  return Math.min(500, Math.ceil(30_000 / (live.length + writes.length)));
}

/** Intermediate lists that are reported at most. */
const MOST_EXPOSED = 100;

/** An intermediate list, and the rules that are written already. */
interface ListState {
  readonly names: readonly string[];
  readonly done: ReadonlySet<string>;
}

/** A transition, and what is needed to examine its lists. */
export interface OrderSearch {
  readonly transition: ListTransition;
  readonly ends: ListChange;
  readonly end: readonly string[];
  readonly speller: Speller;
  readonly effort: Effort;
}

/**
 * Returns the given order if it is safe; otherwise the one that begins at the front, which often is; otherwise a safe one of the same writes, if
 * there is one; otherwise the given one, with the visitors that it exposes.
 */
export function findOrder(search: OrderSearch): WriteOrder {
  const { transition } = search;
  const places = new Map(transition.placed.map((name, place) => [name, place]));
  const place = ({ key }: ListWrite): number => places.get(key) ?? places.size;
  const fromTheFront = placedInTurn(
    transition.writes.toSorted((one, other) => place(one) - place(other)),
    transition,
  );
  for (const writes of [transition.writes, fromTheFront]) {
    const { verdict } = walk(writes, search, 1);
    if (verdict === 'safe') return { writes, verdict: 'safe', exposed: [] };
  }
  const found = safeOrder(fromTheFront, search);
  if (found !== null && found !== 'unknown') return { writes: found, verdict: 'safe', exposed: [] };
  const { exposed } = walk(transition.writes, search, MOST_EXPOSED);
  return { writes: transition.writes, verdict: found === null ? 'exposed' : 'unknown', exposed };
}

/** Whether the writes certainly expose no visitor. */
export function isSafe(writes: readonly ListWrite[], search: OrderSearch): boolean {
  return walk(writes, search, 1).verdict === 'safe';
}

/** Returns what the writes expose, list by list, until `enough` lists are found. */
export function walk(
  writes: readonly ListWrite[],
  { transition, ends, speller, effort }: OrderSearch,
  enough: number,
): { readonly verdict: WriteOrder['verdict']; readonly exposed: readonly Exposed[] } {
  const exposed: Exposed[] = [];
  let isCertain = true;
  let state = start(transition);
  for (const [sent, write] of writes.slice(0, -1).entries()) {
    state = send(state, write);
    const found = exposureOf(ends, listAt(state, transition), speller, effort);
    if (found === 'unknown') isCertain = false;
    else if (found !== null) exposed.push({ ...found, writes: sent + 1 });
    if (exposed.length === enough) break;
  }
  return { verdict: exposed.length > 0 ? 'exposed' : isCertain ? 'safe' : 'unknown', exposed };
}

export function searchOf(transition: ListTransition): OrderSearch {
  const end = transition.writes.reduce(send, start(transition));
  return {
    transition,
    ends: { before: listAt(start(transition), transition), after: listAt(end, transition) },
    end: end.names,
    speller: spellerOf(
      [...transition.before.values(), ...transition.after.values()],
      transition.assumptions,
      transition.pages,
    ),
    effort: { left: VISITORS },
  };
}

function start({ live }: ListTransition): ListState {
  return { names: live, done: new Set() };
}

function listAt({ names, done }: ListState, { before, after, assumptions }: ListTransition): RuleList {
  const rules = names.flatMap((name) => (done.has(name) ? after.get(name) : before.get(name)) ?? []);
  return listOf(asked(rules, assumptions));
}

function send({ names, done }: ListState, write: ListWrite): ListState {
  return { names: written(names, write), done: new Set([...done, write.key]) };
}

/** Gives each write the place that leads to the final list from the list at its time. */
export function placedInTurn(writes: readonly ListWrite[], transition: ListTransition): readonly ListWrite[] {
  const done = new Set<string>();
  return writes.map((write) => {
    const placed = placedNow(write, done, transition);
    done.add(write.key);
    return placed;
  });
}

/** Gives a write its place, when `done` have been sent. */
function placedNow(write: ListWrite, done: ReadonlySet<string>, transition: ListTransition): ListWrite {
  if (write.op === 'delete' || write.position === null) return write;
  return { ...write, position: landing(write.key, done, transition) };
}

/** Before the next rule that stands right already. */
function landing(key: string, done: ReadonlySet<string>, { placed, kept }: ListTransition): Position {
  const next = placed.slice(placed.indexOf(key) + 1).find((name) => kept.has(name) || done.has(name));
  return next === undefined ? { last: true } : { before: next };
}

/**
 * Searches depth first, in the preferred order where there is a choice. The set of sent writes decides which list there is, whatever their order was,
 * so no list is examined twice.
 */
function safeOrder(preferred: readonly ListWrite[], search: OrderSearch): readonly ListWrite[] | 'unknown' | null {
  const { transition, ends, speller, effort } = search;
  const seen = new Set<string>();
  let isCertain = true;
  const from = (state: ListState): readonly ListWrite[] | null => {
    const open = preferred.filter(({ key }) => !state.done.has(key));
    for (const each of open) {
      const write = placedNow(each, state.done, transition);
      if (open.length === 1) return [write];
      const next = send(state, write);
      const name = transition.writes.map(({ key }) => (next.done.has(key) ? '1' : '0')).join('');
      if (seen.has(name)) continue;
      seen.add(name);
      if (seen.size > listsFor(transition)) {
        isCertain = false;
        return null;
      }
      const found = exposureOf(ends, listAt(next, transition), speller, effort);
      if (found === 'unknown') isCertain = false;
      if (found !== null) continue;
      const rest = from(next);
      if (rest !== null) return [write, ...rest];
    }
    return null;
  };
  return from(start(transition)) ?? (isCertain ? null : 'unknown');
}
