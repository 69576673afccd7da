// Runs of a ledger for people who audit it: who ran what, when, how it ended, and the values before and after.

import { AbsentError } from '../../base/errors.ts';
import { equalJson, isObject } from '../../base/json.ts';
import type { Address, Json, JsonObject, KindName, Reference } from '../../base/model.ts';
import { lastNames } from '../../base/renames.ts';
import { caseless } from '../../base/text.ts';
import { pointing } from '../../kinds/fields.ts';
import { isAddress, KINDS, kindOf, ORDERED } from '../../kinds/index.ts';
import { covers, requireHits, type Selects } from '../../kinds/selection.ts';
import {
  changesIn,
  orderChangeIn,
  type RunChange,
  type RunEvents,
  runsIn,
  tallyOf,
  underNamesOfToday,
} from '../../ledger/changes.ts';
import type { LedgerEvent } from '../../ledger/events.ts';
import { runNamed, unknownRun, whyNoValues } from '../../ledger/named-run.ts';
import {
  atOf,
  compactedRun,
  fleetRunOf,
  idsOf,
  isAside,
  isImage,
  lastReduction,
  type RecordedRun,
  recordedRuns,
} from '../../ledger/runs.ts';
import { outlookOf } from '../undo/outlook.ts';
import { namesInLedger } from './outline.ts';
import type { FieldOfRun, ObjectOfRun, RunEntry, RunHistory } from './schema.ts';

export interface HistoryQuestion {
  /** A run, also one over several targets, or how its id begins; null for all of them. */
  readonly run: string | null;
  /** Addresses, also former ones; empty for all of them. */
  readonly only: readonly string[];
  /** Text of an address, a name, a reason, or of who ran it; null for any. */
  readonly find: string | null;
  /** Milliseconds since the epoch: runs that ended from then on; null for all of them. */
  readonly since: number | null;
  /** At most so many runs, the newest; null for all of them. */
  readonly last: number | null;
  /** With what each run did to its objects, also where nothing else asks for that. */
  readonly inFull?: boolean;
}

/** Whether it asks what runs did to their objects. */
export function asksObjects({
  run,
  only,
  find,
  inFull = false,
}: Pick<HistoryQuestion, 'run' | 'only' | 'find' | 'inFull'>): boolean {
  return run !== null || only.length > 0 || find !== null || inFull;
}

/** @throws UsageError for a run that is not there or is several, and for `only` that covers nothing */
export function runHistory(
  log: readonly LedgerEvent[],
  about: Pick<RunHistory, 'ledger' | 'target'>,
  question: HistoryQuestion,
): RunHistory {
  const { run: wanted, only, find, since, last, inFull = false } = question;
  const isInFull = asksObjects(question);
  const events = underNamesOfToday(log);
  const runs = runsIn(events).map((run): RunOfLog => ({ ...run, changes: changesIn(run.events) }));
  const recorded = recordedRuns(events);
  const recordedAs = new Map(recorded.flatMap((run) => idsOf(run).map((id) => [id, run] as const)));
  const endedBy = new Map(
    log.flatMap((event) => (event.type === 'run' ? (event.ends ?? []).map((id) => [id, event.run] as const) : [])),
  );
  const undoOf = (run: RecordedRun) => outlookOf(log, run, recorded);
  const meant = wanted === null ? runs : runsMeant(runs, wanted);
  const selects = only.length === 0 ? null : selected(only, log, runs);
  const finds = find === null ? null : finding(find, log);
  const digests = digestsIn(events);
  let hiddenRuns = 0;
  const found = meant.toReversed().flatMap((run): readonly RunEntry[] => {
    const entry = entryOf(run, recordedAs.get(run.id) ?? null, { endedBy, undoOf });
    if (since !== null && Date.parse(entry.ended_at ?? entry.at) < since) return [];
    if (!isInFull) return [entry];
    const hidden = digests(run);
    const selected = run.changes.flatMap((change): readonly ObjectOfRun[] => {
      const object = objectOf(change, hidden.get(change.address) ?? new Set());
      const own = selects === null || selects(change.address) ? object : withMembers(object, selects);
      return own === null ? [] : [own];
    });
    // Of a run that was found by itself, all that `only` selects.
    const isFound = finds?.run(entry) === true && (selects === null || selected.length > 0);
    const isWhole = finds === null || (isFound && selects !== null);
    const objects = isWhole ? selected : selected.flatMap((object) => finds.object(object) ?? []);
    if (objects.length === 0 && wanted === null && !isFound && !inFull) {
      if (entry.values === 'reduced') hiddenRuns += 1;
      return [];
    }
    const order = objects.some(({ type }) => type === ORDERED.name) ? orderChangeIn(run.events) : null;
    return [{ ...entry, objects, ...(order === null ? {} : { order }) }];
  });
  const shown = last === null ? found : found.slice(0, last);
  return { ...about, runs: shown, older: found.length - shown.length, compacted: compactedIn(log, hiddenRuns) };
}

interface RunOfLog extends RunEvents {
  readonly changes: readonly RunChange[];
}

interface LogNow {
  /** By the id of a run that was cut short. */
  readonly endedBy: ReadonlyMap<string, string>;
  readonly undoOf: (run: RecordedRun) => RunEntry['undo'];
}

interface Finding {
  readonly run: (entry: RunEntry) => boolean;
  /** The object, or its memberships of what is found; null where it has neither. */
  readonly object: (object: ObjectOfRun) => ObjectOfRun | null;
}

/** Capitals and small letters are the same. */
function finding(text: string, log: readonly LedgerEvent[]): Finding {
  const wanted = caseless(text);
  const says = (found: Json | undefined): boolean => typeof found === 'string' && caseless(found).includes(wanted);
  const named = namesInLedger(log);
  const former = [...lastNames(log.filter((event) => event.type === 'moved'))];
  const earlier = new Set(former.flatMap(([from, to]) => (says(from) ? [to] : [])));
  const selects: Selects = (address) => says(address) || says(named(address)) || earlier.has(address);
  const isNamed = ({ fields }: ObjectOfRun): boolean =>
    fields.some(({ field, before, after }) => field === 'name' && (says(before) || says(after)));
  return {
    run: ({ reason, by }) => [reason ?? '', ...Object.values(by ?? {})].some(says),
    object: (object) => (selects(object.address as Address) || isNamed(object) ? object : withMembers(object, selects)),
  };
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

/** The run, or of a run over several targets its runs here: where it was tried again there are several. */
function runsMeant(runs: readonly RunOfLog[], wanted: string): readonly RunOfLog[] {
  const run = runNamed(runs, ({ id }) => [id], wanted);
  if (run !== null) return [run];
  if (wanted === '') throw unknownRun(wanted);
  const fleetRuns = new Set(runs.flatMap(({ events }) => fleetRunOf(events) ?? []));
  const fleetRun = runNamed([...fleetRuns], (id) => [id], wanted);
  if (fleetRun !== null) return runs.filter(({ events }) => fleetRunOf(events) === fleetRun);
  throw new AbsentError(
    `${unknownRun(wanted).message}, and \`chatform history --find ${wanted}\` looks for it in names and reasons`,
  );
}

function entryOf({ id, events, changes }: RunOfLog, recorded: RecordedRun | null, now: LogNow): RunEntry {
  const end = events.findLast((event) => event.type === 'run') ?? null;
  const own = events.filter((event): event is LedgerEvent => event.type !== 'killed');
  const first = own.find((event) => !isAside(event));
  const isRecorded = own.some(isImage);
  const begun = own.find((event) => event.type === 'begun');
  const compacted = compactedRun(own);
  const began = compacted?.began ?? (first === undefined ? '' : atOf(first));
  const entry = {
    id,
    at: timeOf(began) ?? timeOf(end?.at ?? '') ?? '',
    ended_at: timeOf(end?.at ?? ''),
    command: end?.command ?? (begun?.command || null),
    target: end?.target ?? null,
    by: end?.by ?? begun?.by ?? null,
    fleet_run: fleetRunOf(own),
    reason: end?.reason ?? begun?.reason ?? null,
    outcome: end?.outcome ?? 'killed',
    changes: compacted?.changes ?? tallyOf(changes),
    values: isRecorded ? 'recorded' : compacted?.values === true ? 'reduced' : 'none',
    undoes: begun?.undoes ?? compacted?.undoes ?? null,
    finished_by: now.endedBy.get(id) ?? null,
  } as const;
  return {
    ...entry,
    undo: recorded === null ? { possible: 'no', reason: whyNoValues(events) } : now.undoOf(recorded),
  };
}

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
      const isAfterUnknown = action === 'unknown' || (action === 'replaced' && after === null) || hidden.has(field);
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

function compactedIn(log: readonly LedgerEvent[], hidden: number): RunHistory['compacted'] {
  const last = lastReduction(log);
  if (last === null) return null;
  return { at: timeOf(last.at), by: last.by ?? null, before: timeOf(last.reduced ?? ''), hidden };
}

/** The object with no more than its memberships of what is meant, and their keys; null when the run changed none of them. */
function withMembers(object: ObjectOfRun, meant: Selects): ObjectOfRun | null {
  const members = new Set<Reference>();
  const fields = pointersOf(object).flatMap(({ name, kind }): readonly FieldOfRun[] => {
    const field = object.fields.find((each) => each.field === name);
    if (field === undefined) return [];
    const [before, after] = [mapIn(field.before), mapIn(field.after)];
    const own = Object.keys({ ...before, ...after }).filter((reference) => {
      const address = addressOf(kind, reference);
      const isSame = field.unknown.length === 0 && equalJson(before[reference] ?? null, after[reference] ?? null);
      return address !== null && meant(address) && !isSame;
    });
    // Whom a killed run took in is not known.
    if (own.length === 0 && !field.unknown.includes('after')) return [];
    for (const reference of own) members.add(reference);
    const narrow = (value: Json, of: JsonObject): Json =>
      value === null ? null : Object.fromEntries(own.flatMap((key) => (key in of ? [[key, of[key] ?? null]] : [])));
    return [{ ...field, before: narrow(field.before, before), after: narrow(field.after, after) }];
  });
  return fields.length === 0 ? null : { ...object, fields, members: [...members] };
}

/** Addresses of the members that the run knew of. */
function membersOf({ address, before, after }: RunChange): readonly Address[] {
  return pointersOf({ type: kindOf(address) }).flatMap(({ name, kind, besides }) =>
    Object.keys({ ...mapIn(before?.[name] ?? null), ...mapIn(after?.spec[name] ?? null) })
      .filter((reference) => reference !== besides)
      .flatMap((reference) => addressOf(kind, reference) ?? []),
  );
}

/** Fields that are maps by what they point at. */
function pointersOf({ type }: Pick<ObjectOfRun, 'type'>) {
  return pointing(KINDS[type]).flatMap(({ name, pointer: { kind, at, besides } }) =>
    at === 'keys' ? [{ name, kind, besides }] : [],
  );
}

/** Null for an unmanaged object whose id does not name it. */
function addressOf(kind: KindName, reference: Reference): Address | null {
  if (isAddress(reference)) return reference;
  return KINDS[kind].choosesId === true ? `${kind}/${reference}` : null;
}

function mapIn(value: Json): JsonObject {
  return isObject(value) ? value : {};
}
