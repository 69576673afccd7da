// Whether `undo` can take a run back, as far as the ledger alone knows: what the run left is compared with what the ledger says now.

import { equalJson } from '../../base/json.ts';
import type { Address, Spec } from '../../base/model.ts';
import { oncePer } from '../../base/once-per.ts';
import { few } from '../../base/text.ts';
import { ORDERED } from '../../kinds/index.ts';
import type { LedgerEvent } from '../../ledger/events.ts';
import { fold } from '../../ledger/ledger.ts';
import { isOpen, type RecordedRun } from '../../ledger/runs.ts';
import { footprintOf, type OrderTrace, type ResourceTrace } from './footprint.ts';

/** `in_part`: something of it was changed again. */
export interface UndoOutlook {
  readonly possible: 'yes' | 'in_part' | 'no';
  /** Why not, or what not; null for `yes`. */
  readonly reason: string | null;
}

/** State of an object of a run now: as the run left it, as it was before, or neither. */
type SinceRun = 'as_left' | 'as_before' | 'changed';

/** `runs`: all of the ledger, oldest first. */
export function outlookOf(events: readonly LedgerEvent[], run: RecordedRun, runs: readonly RecordedRun[]): UndoOutlook {
  if (run.undoes !== null && isOpen(run)) return no('it is an undo that did not end; `chatform undo` goes on with it');
  const { traces, order } = footprintOf(events, { run, begun: null });
  const states = new Map<string, SinceRun>(traces.map((trace) => [trace.address, stateOf(trace, events)]));
  const rules = order === null ? null : orderState(order, events);
  if (rules !== null) states.set('the order of the rules', rules);
  const those = (state: SinceRun): readonly string[] =>
    [...states].flatMap(([name, each]) => (each === state ? [name] : []));
  const [left, changed] = [those('as_left'), those('changed')];
  if (left.length > 0)
    return changed.length === 0
      ? { possible: 'yes', reason: null }
      : { possible: 'in_part', reason: `changed again since: ${few(changed, MOST_NAMES)}` };
  if (states.size === 0) return no('it changed nothing');
  const by = runs.findLast((other) => other.undoes === run.id && !isOpen(other));
  if (by !== undefined) return no(`run ${by.id.slice(0, 8)} took it back`);
  return no(changed.length > 0 ? `changed again since: ${few(changed, MOST_NAMES)}` : 'everything is as it was before');
}

/** Names in a reason. */
const MOST_NAMES = 2;

function no(reason: string): UndoOutlook {
  return { possible: 'no', reason };
}

const foldOf = oncePer(fold);

function stateOf(
  { address, before, left, boundBy, rewritten }: ResourceTrace,
  events: readonly LedgerEvent[],
): SinceRun {
  const { bound, applied } = foldOf(events);
  if (boundBy !== null) return 'changed';
  const isOwned = bound.has(address) || applied.has(address);
  const now = applied.get(address)?.spec;
  const isAs = (spec: Spec, names: readonly string[]): boolean =>
    names.every((name) => now?.[name] === undefined || spec[name] === undefined || equalJson(now[name], spec[name]));
  if (!isOwned) {
    if (before === null) return left.state === 'unknown' ? 'as_left' : 'as_before';
    return left.state === 'applied' ? 'changed' : 'as_left';
  }
  if (left.state !== 'applied') return 'as_left';
  const names = Object.keys(before ?? left.spec);
  if (isAs(left.spec, names) && !names.some((name) => rewritten.has(name))) return 'as_left';
  return before !== null && isAs(before, names) ? 'as_before' : 'changed';
}

function orderState({ before, left, isRewritten }: OrderTrace, events: readonly LedgerEvent[]): SinceRun | null {
  const now = foldOf(events).orders.get(ORDERED.name)?.order;
  if (now === undefined || (left === null ? !isRewritten : equalJson(before.owned, left.owned))) return null;
  const isNow = (order: readonly Address[]): boolean => equalJson(order, now);
  return left !== null && isNow(left.owned) && !isRewritten ? 'as_left' : isNow(before.owned) ? 'as_before' : 'changed';
}
