// Whether `undo` can take a run back, as far as the ledger alone knows: what the run left is compared with what the ledger says now.

import { equalJson } from '../../base/json.ts';
import type { Spec } from '../../base/model.ts';
import { oncePer } from '../../base/once-per.ts';
import { few } from '../../base/text.ts';
import { referencesOf } from '../../kinds/fields.ts';
import { KINDS, kindOf, ORDERED } from '../../kinds/index.ts';
import type { LedgerEvent } from '../../ledger/events.ts';
import {
  agree,
  footprintOf,
  isOnlyMoved,
  type OrderTrace,
  parentsOf,
  type ResourceTrace,
} from '../../ledger/footprint.ts';
import { fold } from '../../ledger/ledger.ts';
import { isOpen, type RecordedRun } from '../../ledger/runs.ts';

/** `in_part`: something of it was changed again. */
export interface UndoOutlook {
  readonly possible: 'yes' | 'in_part' | 'no';
  /** Why not, or what not; null for `yes`. */
  readonly reason: string | null;
}

/** State of an object of a run now: as the run left it, as it was before, or neither; or something else needs what the run made. */
type SinceRun = 'as_left' | 'as_before' | 'changed' | 'in_use';

/** `runs`: all of the ledger, oldest first. */
export function outlookOf(events: readonly LedgerEvent[], run: RecordedRun, runs: readonly RecordedRun[]): UndoOutlook {
  if (run.undoes !== null && isOpen(run)) return no('it is an undo that did not end; `chatform undo` goes on with it');
  const { traces, order } = footprintOf(events, { run, begun: null });
  const used = usedIn(traces, events);
  const states = new Map<string, SinceRun>(
    traces
      .filter((trace) => !isOnlyMoved(trace))
      .map((trace) => [trace.address, stateOf(trace, events, used.has(trace.address))]),
  );
  const rules = order === null ? null : orderState(order, events);
  if (rules !== null) states.set('the order of the rules', rules);
  const those = (state: SinceRun): readonly string[] =>
    [...states].flatMap(([name, each]) => (each === state ? [name] : []));
  const [left, changed, needed] = [those('as_left'), those('changed'), those('in_use')];
  const kept = [
    ...(changed.length === 0 ? [] : [`changed again since: ${few(changed, MOST_NAMES)}`]),
    ...(needed.length === 0 ? [] : [`in use: ${few(needed, MOST_NAMES)}`]),
  ].join('; ');
  if (left.length > 0) return kept === '' ? { possible: 'yes', reason: null } : { possible: 'in_part', reason: kept };
  if (states.size === 0) return no('it changed nothing');
  const by = runs.findLast((other) => other.undoes === run.id && !isOpen(other));
  if (by !== undefined) return no(`run ${by.id.slice(0, 8)} took it back`);
  return no(kept === '' ? 'everything is as it was before' : kept);
}

/** Names in a reason. */
const MOST_NAMES = 2;

function no(reason: string): UndoOutlook {
  return { possible: 'no', reason };
}

const foldOf = oncePer(fold);

/** What is needed by what stays: it refers to it, or is a value of it. */
function usedIn(traces: readonly ResourceTrace[], events: readonly LedgerEvent[]): ReadonlySet<string> {
  const own = new Map(traces.map((trace) => [trace.address, trace]));
  if (!traces.some(({ before }) => before === null)) return new Set();
  const used = [...foldOf(events).applied].flatMap(([address, { spec }]): readonly string[] => {
    const before = own.get(address)?.before;
    if (before === null) return [];
    const references = referencesOf(KINDS[kindOf(address)], { ...spec, ...before });
    return before === undefined ? [...references, ...parentsOf(address)] : references;
  });
  return new Set(used);
}

function stateOf(
  { address, before, left, boundBy, madeAgainBy, deletedBy, rewritten }: ResourceTrace,
  events: readonly LedgerEvent[],
  isUsed: boolean,
): SinceRun {
  const { bound, applied } = foldOf(events);
  if (boundBy !== null) return 'changed';
  if (madeAgainBy !== null) return 'as_before';
  const isOwned = bound.has(address) || applied.has(address);
  const now = applied.get(address)?.spec;
  const isAs = (spec: Spec, names: readonly string[]): boolean =>
    names.every((name) => now?.[name] === undefined || spec[name] === undefined || equalJson(now[name], spec[name]));
  if (!isOwned) {
    if (before === null && left.state === 'unknown') return 'as_left';
    if (before === null) return left.state === 'deleted' || deletedBy !== null ? 'as_before' : 'changed';
    return left.state === 'applied' ? 'changed' : 'as_left';
  }
  if (before === null && isUsed) return 'in_use';
  if (left.state !== 'applied') return 'as_left';
  const names = Object.keys(before ?? left.spec);
  if (isAs(left.spec, names) && !names.some((name) => rewritten.has(name))) return 'as_left';
  return before !== null && isAs(before, names) ? 'as_before' : 'changed';
}

function orderState({ before, left, isRewritten }: OrderTrace, events: readonly LedgerEvent[]): SinceRun | null {
  if (left === null) return isRewritten ? 'changed' : 'as_left';
  if (agree(before.ids, left.ids)) return null;
  const now = foldOf(events).orders.get(ORDERED.name)?.ids.map(String) ?? left.ids;
  if (agree(before.ids, now)) return 'as_before';
  return isRewritten || !agree(left.ids, now) ? 'changed' : 'as_left';
}
