// Runs of a ledger for people who audit it: who ran what, when, how it ended, and the values before and after.

import { equalJson } from '../../base/json.ts';
import type { Address, Json } from '../../base/model.ts';
import { lastNames } from '../../base/renames.ts';
import { KINDS, kindOf, ORDERED } from '../../kinds/index.ts';
import { changesIn, orderChangeIn, type RunChange, type RunEvents, runsIn, tallyOf } from '../../ledger/changes.ts';
import type { LedgerEvent } from '../../ledger/events.ts';
import { fold } from '../../ledger/ledger.ts';
import { atOf, finishersIn, idsOf, isImage, lastReduction, recordedRuns, remainsOf } from '../../ledger/runs.ts';
import { covers, requireHits, type Selects } from '../../plan/select.ts';
import { renamed } from '../undo/footprint.ts';
import { runNamed, unknownRun } from '../undo/runs.ts';
import { membersOf, withMembers } from './memberships.ts';
import { type LedgerNow, outlookOf, type RecordedChange } from './outlook.ts';
import type { FieldOfRun, ObjectOfRun, RunEntry, RunHistory } from './schema.ts';

export interface HistoryQuestion {
  /** A run, or how its id begins; null for all of them. */
  readonly run: string | null;
  /** Addresses, also former ones; empty for all of them. */
  readonly only: readonly string[];
  /** Milliseconds since the epoch: runs that ended from then on; null for all of them. */
  readonly since: number | null;
  /** At most so many runs, the newest; null for all of them. */
  readonly last: number | null;
}

/** @throws UsageError for a run that is not there or is several, and for `only` that covers nothing */
export function runHistory(
  log: readonly LedgerEvent[],
  about: Pick<RunHistory, 'ledger' | 'target'>,
  { run: wanted, only, since, last }: HistoryQuestion,
): RunHistory {
  const events = underNamesOfToday(log);
  const runs = runsIn(events).map((run): RunOfLog => ({ ...run, changes: changesIn(run.events) }));
  const recorded = recordedRuns(events);
  const byId = new Map(runs.map((run) => [run.id, run]));
  const changeOf = new Map<string, RecordedChange>();
  for (const run of recorded) {
    const parts = idsOf(run).flatMap((id) => byId.get(id) ?? []);
    const own = parts.flatMap((part) => part.events);
    const [only, other] = parts;
    const changes = only !== undefined && other === undefined ? only.changes : changesIn(own);
    for (const id of idsOf(run)) changeOf.set(id, { run, events: own, changes });
  }
  const reduction = lastReduction(log);
  const now: Now = {
    folded: fold(log),
    runs: recorded,
    finishers: finishersIn(recorded),
    reducedBefore: reduction?.reduced === undefined ? Number.NEGATIVE_INFINITY : Date.parse(reduction.reduced),
  };
  const meant = wanted === null ? runs : [runOf(runs, wanted)];
  const selects = only.length === 0 ? null : selected(only, log, runs);
  const digests = digestsIn(events);
  const found = meant.toReversed().flatMap((run): readonly RunEntry[] => {
    const entry = entryOf(run, changeOf.get(run.id) ?? null, now);
    if (since !== null && Date.parse(entry.ended_at ?? entry.at) < since) return [];
    if (selects === null && wanted === null) return [entry];
    const hidden = digests(run);
    const objects = run.changes.flatMap((change): readonly ObjectOfRun[] => {
      const object = objectOf(change, hidden.get(change.address) ?? new Set());
      const told = selects === null || selects(change.address) ? object : withMembers(object, selects);
      return told === null ? [] : [told];
    });
    if (objects.length === 0 && wanted === null) return [];
    const order = objects.some(({ type }) => type === ORDERED.name) ? orderChangeIn(run.events) : null;
    return [{ ...entry, objects, ...(order === null ? {} : { order }) }];
  });
  const shown = last === null ? found : found.slice(0, last);
  return { ...about, runs: shown, older: found.length - shown.length, compacted: compactedIn(log) };
}

interface RunOfLog extends RunEvents {
  readonly changes: readonly RunChange[];
}

interface Now extends LedgerNow {
  readonly finishers: ReadonlyMap<string, string>;
  /** Milliseconds since the epoch: a compaction has reduced the runs before. */
  readonly reducedBefore: number;
}

/** The events under the names of today, with the renames at their places. */
function underNamesOfToday(log: readonly LedgerEvent[]): readonly LedgerEvent[] {
  if (!log.some(({ type }) => type === 'moved')) return log;
  const told = renamed(log);
  let next = 0;
  return log.map((event) => {
    if (event.type === 'moved') return event;
    next += 1;
    return told[next - 1] ?? event;
  });
}

/** Looks for the addresses, and for those that were called so before. */
function selected(only: readonly string[], log: readonly LedgerEvent[], runs: readonly RunOfLog[]): Selects {
  const meant = covers(only);
  const today = lastNames(log.filter((event) => event.type === 'moved'));
  const earlier = new Set([...today].flatMap(([from, to]) => (meant(from) ? [to] : [])));
  const known = runs.flatMap(({ changes }) => changes.flatMap((change) => [change.address, ...membersOf(change)]));
  requireHits('--only', only, [...new Set([...known, ...today.keys()])]);
  return (address) => meant(address) || earlier.has(address);
}

function runOf(runs: readonly RunOfLog[], wanted: string): RunOfLog {
  const run = runNamed(runs, ({ id }) => [id], wanted);
  if (run === null) throw unknownRun(wanted);
  return run;
}

function entryOf({ id, events, changes }: RunOfLog, recorded: RecordedChange | null, now: Now): RunEntry {
  const last = events.at(-1);
  const end = last?.type === 'run' ? last : null;
  const own = events.filter((event): event is LedgerEvent => event.type !== 'killed');
  const first = own.find(({ type }) => !BEFORE_A_RUN.has(type));
  const image = own.find(isImage);
  const token = own.find((event) => event.type === 'token');
  const at = timeOf(first === undefined ? '' : atOf(first)) ?? timeOf(end?.at ?? '') ?? '';
  const tally = tallyOf(changes);
  const isReduced = end?.changes !== undefined || Date.parse(at) < now.reducedBefore;
  const entry = {
    id,
    at,
    ended_at: timeOf(end?.at ?? ''),
    command: end?.command ?? (image?.undoes !== undefined ? 'undo' : token === undefined ? null : 'secrets token'),
    target: end?.target ?? null,
    by: end?.by ?? image?.by ?? token?.by ?? null,
    outcome: end?.outcome ?? 'killed',
    changes: Object.keys(tally).length === 0 ? (end?.changes ?? {}) : tally,
    values: image !== undefined ? 'recorded' : isReduced ? 'reduced' : 'none',
    undoes: image?.undoes ?? null,
    finished_by: now.finishers.get(id) ?? null,
  } as const;
  return { ...entry, undo: outlookOf(entry, recorded, now) };
}

/** Events that stand in front of the run although they may be much older. */
const BEFORE_A_RUN: ReadonlySet<string> = new Set(['license', 'customer', 'warned', 'unknown']);

function timeOf(text: string): string | null {
  return Number.isNaN(Date.parse(text)) ? null : text;
}

function objectOf(change: RunChange, hidden: ReadonlySet<string>): ObjectOfRun {
  const { address, action, from } = change;
  return { address, type: kindOf(address), action, from, fields: fieldsOf(change, hidden) };
}

/** `hidden`: fields of which only digests are known, and that the run changed. */
function fieldsOf(change: RunChange, hidden: ReadonlySet<string>): readonly FieldOfRun[] {
  const { address, action, before, after } = change;
  const spec = after?.spec ?? {};
  const names = ((): readonly string[] => {
    switch (action) {
      case 'changed':
        // A difference that no request can close is in the image, and was not written.
        return [...Object.keys(before ?? {}).filter((name) => spec[name] !== undefined), ...hidden];
      case 'added':
      case 'applied':
        return [...Object.keys(spec), ...hidden];
      case 'replaced':
        return [...Object.keys({ ...before, ...spec }), ...hidden];
      case 'destroyed':
      case 'unknown':
        return Object.keys(before ?? {});
      default:
        return [];
    }
  })();
  const order = Object.keys(KINDS[kindOf(address)].fields);
  return [...new Set(names)]
    .map((field): FieldOfRun => {
      const [was, is] = [valueAt(before, field), valueAt(spec, field)];
      const isNew = action === 'added';
      const isBeforeUnknown =
        !isNew && was === null && (action === 'applied' || before?.[field] === null || hidden.has(field));
      const isAfterUnknown = action === 'unknown' || hidden.has(field);
      const unknown = [
        ...(isBeforeUnknown ? (['before'] as const) : []),
        ...(isAfterUnknown ? (['after'] as const) : []),
      ];
      return { field, before: was, after: is, unknown };
    })
    .filter(({ before: was, after: is, unknown }) => unknown.length > 0 || !equalJson(was, is))
    .sort((one, other) => order.indexOf(one.field) - order.indexOf(other.field));
}

function valueAt(spec: RunChange['before'], field: string): Json {
  return spec?.[field] ?? null;
}

/** By run and address: fields whose digests differ from those that were applied before the run. */
function digestsIn(events: readonly LedgerEvent[]): (run: RunEvents) => ReadonlyMap<Address, ReadonlySet<string>> {
  const before = new Map<LedgerEvent, { readonly [field: string]: string }>();
  const known = new Map<Address, { readonly [field: string]: string }>();
  for (const event of events) {
    if (event.type !== 'applied') continue;
    before.set(event, known.get(event.address) ?? {});
    known.set(event.address, event.digests);
  }
  return (run) => {
    const hidden = new Map<Address, ReadonlySet<string>>();
    for (const event of run.events) {
      if (event.type !== 'applied') continue;
      const earlier = before.get(event) ?? {};
      const fields = Object.keys(event.digests).filter((field) => event.digests[field] !== earlier[field]);
      hidden.set(event.address, new Set(fields));
    }
    return hidden;
  };
}

function compactedIn(log: readonly LedgerEvent[]): RunHistory['compacted'] {
  const last = lastReduction(log);
  if (last !== null) return { at: timeOf(last.at), by: last.by ?? null, before: timeOf(last.reduced ?? '') };
  return remainsOf(log) === 0 ? null : { at: null, by: null, before: null };
}
