// Whether `undo` can take a run back, as far as the ledger alone knows: what the run left is compared with what the ledger says now.

import { equalJson } from '../../base/json.ts';
import type { Address } from '../../base/model.ts';
import { few } from '../../base/text.ts';
import { ORDERED } from '../../kinds/index.ts';
import { orderChangeIn, type RunChange, type RunEvents } from '../../ledger/changes.ts';
import type { Folded } from '../../ledger/ledger.ts';
import { isCutShort, type RecordedRun } from '../../ledger/runs.ts';
import type { RunEntry, UndoOutlook } from './schema.ts';

/** State of an object of a run now: as the run left it, as it was before, or neither. */
type SinceRun = 'as_left' | 'as_before' | 'changed';

/** The run as `undo` means it: with what it finished. */
export interface RecordedChange {
  readonly run: RecordedRun;
  readonly events: RunEvents['events'];
  readonly changes: readonly RunChange[];
}

/** What the ledger says now. */
export interface LedgerNow {
  readonly folded: Folded;
  /** Oldest first. */
  readonly runs: readonly RecordedRun[];
}

/** `recorded` is null for a run without earlier values. */
export function outlookOf(
  entry: Pick<RunEntry, 'command' | 'values' | 'changes'>,
  recorded: RecordedChange | null,
  { folded, runs }: LedgerNow,
): UndoOutlook {
  if (recorded === null) return no(withoutValues(entry));
  const { run, events, changes } = recorded;
  if (run.undoes !== null && isCutShort(run))
    return no('it is an undo that did not end; `chatform undo` goes on with it');
  const states = new Map<string, SinceRun>();
  for (const change of changes) {
    const state = stateOf(change, folded);
    if (state !== null) states.set(change.address, state);
  }
  const order = orderState(events, folded);
  if (order !== null) states.set('the order of the rules', order);
  const those = (state: SinceRun): readonly string[] =>
    [...states].flatMap(([name, each]) => (each === state ? [name] : []));
  const [left, changed] = [those('as_left'), those('changed')];
  if (left.length > 0)
    return changed.length === 0
      ? { possible: 'yes', reason: null }
      : { possible: 'in_part', reason: `changed again since: ${few(changed, MOST_NAMES)}` };
  if (changed.length > 0) return no(`changed again since: ${few(changed, MOST_NAMES)}`);
  const by = runs.findLast((other) => other.undoes === run.id && !isCutShort(other));
  return no(
    states.size === 0
      ? 'it changed nothing'
      : by === undefined
        ? 'everything is as it was before'
        : `run ${by.id.slice(0, 8)} took it back`,
  );
}

/** Names in a reason. */
const MOST_NAMES = 2;

function no(reason: string): UndoOutlook {
  return { possible: 'no', reason };
}

function withoutValues({ command, values, changes }: Pick<RunEntry, 'command' | 'values' | 'changes'>): string {
  if (values === 'reduced') return 'a compaction removed its values';
  if (command?.startsWith('api ') === true) return 'a single action records no values';
  if (changes['token'] !== undefined || changes['token_unanswered'] !== undefined)
    return 'nothing takes a token back before it ends';
  if (command?.startsWith('secrets ') === true) return 'a former secret cannot come back';
  const isChange = ['added', 'changed', 'replaced', 'destroyed', 'applied'].some(
    (action) => changes[action] !== undefined,
  );
  return isChange ? 'an older chatform made it, and recorded no values' : 'it changed nothing on the license';
}

/** Null for what no undo takes back. */
function stateOf({ address, action, before, after }: RunChange, { bound, applied }: Folded): SinceRun | null {
  const isOwned = bound.has(address) || applied.has(address);
  const now = applied.get(address)?.spec;
  const holds = (spec: RunChange['before'], field: string): boolean =>
    now?.[field] === undefined || spec?.[field] === undefined || equalJson(now[field], spec[field]);
  const isAs = (spec: RunChange['before'], fields: readonly string[]): boolean =>
    fields.every((field) => holds(spec, field));
  switch (action) {
    case 'added':
      if (!isOwned) return 'as_before';
      return after === null || isAs(after.spec, Object.keys(after.spec)) ? 'as_left' : 'changed';
    case 'destroyed':
      if (!isOwned) return 'as_left';
      return isAs(before, Object.keys(before ?? {})) ? 'as_before' : 'changed';
    case 'changed':
    case 'replaced': {
      const fields = Object.keys(before ?? {});
      if (!isOwned) return 'changed';
      if (isAs(after?.spec ?? null, fields)) return 'as_left';
      return isAs(before, fields) ? 'as_before' : 'changed';
    }
    case 'unknown':
      return 'as_left';
    default:
      return null;
  }
}

function orderState(events: RunEvents['events'], { orders }: Folded): SinceRun | null {
  const change = orderChangeIn(events);
  const now = orders.get(ORDERED.name)?.order;
  if (change === null || now === undefined || change.after === null) return null;
  const isNow = (order: readonly Address[]): boolean => equalJson(order, now);
  if (equalJson(change.before, change.after)) return null;
  return isNow(change.after) ? 'as_left' : isNow(change.before) ? 'as_before' : 'changed';
}
