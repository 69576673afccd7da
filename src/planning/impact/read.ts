// Impact of a plan, read from the reports of its target: three requests a touched group, one for each that shares its agents, who
// waited, and with `people` one more where members change.

import { ApiError, UsageError } from '../../base/errors.ts';
import { equalJson } from '../../base/json.ts';
import type { Address, Live, LiveObject } from '../../base/model.ts';
import { weekAt } from '../../base/week.ts';
import { offsetAt, wallOf } from '../../base/zone.ts';
import { type AgentFigures, totalOf } from '../../demand/hourly.ts';
import { type MeasuredQueues, measuredQueues } from '../../demand/queues.ts';
import { lastRange, type ReportRange } from '../../demand/range.ts';
import { type DemandReader, type DemandSoFar, demandSoFar } from '../../demand/read.ts';
import { KINDS, ORDERED } from '../../kinds/index.ts';
import type { CompactedRun, LedgerEvent } from '../../ledger/events.ts';
import { isActionOn } from '../../ledger/runs.ts';
import { connected } from '../../license/connect.ts';
import { fetchLive } from '../../license/reading/live.ts';
import { listsOf } from '../../license/reading/view.ts';
import type { Comparison } from '../../plan/compare.ts';
import { isAsWanted, liveSpec } from '../../plan/diff.ts';
import { orderDifferences } from '../../plan/differences/differences.ts';
import type { Draft } from '../../plan/draft.ts';
import type { Impact } from '../../plan/impact.ts';
import type { Plan } from '../../plan/plan.ts';
import type { TargetSettings } from '../../project/settings.ts';
import { STAFFING } from '../../routing/staff/placed.ts';
import type { Staff } from '../../routing/staff/staff.ts';
import type { RunContext } from '../../target/context.ts';
import { staffsOf } from '../routing-lints.ts';
import type { GroupDemand, ServedDemand } from './carried.ts';
import { demandOf, impactOf, servedDemand } from './impact.ts';
import { mayWaitLonger, type SharingGroup, type StaffSides, sharingGroups } from './sharing.ts';
import { type DoubtedPerson, doubtedIn, withoutSilent } from './silent.ts';
import { type Touched, type TouchedGroup, touchedBy } from './touched.ts';

/** What is asked about the chats of a plan. */
export interface ImpactChoice {
  /** How many days or weeks before today, such as `28d`. */
  readonly demand: string;
  /** Also with figures of the persons whose work changes. */
  readonly people?: boolean;
}

/** A plan, what it was made from, and the ledger. */
export interface ImpactSubject {
  readonly settings: TargetSettings;
  readonly plan: Plan;
  readonly compared: Comparison;
  readonly events: readonly LedgerEvent[];
  /** What the license states to tell it from every other; null when it states nothing. */
  readonly identity: string | null;
}

/** The fewest days that have every hour of the week. */
const FEWEST_DAYS = 7;

/** @throws UsageError for a text that means no days, or too few */
export function daysMeant(flag: string, text: string, zone: string, now: number): ReportRange {
  const [, count = '0', unit] = /^(\d+)([dw])$/.exec(text) ?? [];
  const range = lastRange(text, zone, now);
  if (range === null || unit === undefined || Number(count) * (unit === 'w' ? 7 : 1) < FEWEST_DAYS)
    throw new UsageError(`${flag} ${text} is no number of days: write 28d or 4w, at least 7d and at most 366d`);
  return range;
}

/** Where the reports cannot be read, the impact says so. @throws UsageError for days that are none, and when the run is interrupted */
export async function impactOfPlan(
  { settings, plan, compared, events, identity }: ImpactSubject,
  { demand, people = false }: ImpactChoice,
  context: RunContext,
): Promise<Impact> {
  const { timezone: zone } = settings.routing;
  const now = context.clock.now();
  const range = daysMeant('--demand', demand, zone, now);
  const { staff: planned, touched } = await touchedWithStaff({ settings, plan, compared }, context);
  const read = await readGroups(askedOf(touched, planned), { settings, range, people, identity }, context);
  const known = (side: Staff): Staff => withoutSilent(side, touched, read.silent);
  return impactOf({
    ...read,
    touched,
    staff: { before: known(planned.before), after: known(planned.after) },
    range,
    week: weekAt(zone, now),
    rulesChanged: rulesChangedIn(events, compared, range),
  });
}

interface TouchedStaff {
  readonly staff: ReturnType<typeof staffsOf>;
  readonly touched: Touched;
}

/** What a plan touches, next to all of the staff; a plan that carries no chats needs none. */
async function touchedWithStaff(
  { settings, plan, compared }: Pick<ImpactSubject, 'settings' | 'plan' | 'compared'>,
  context: RunContext,
): Promise<TouchedStaff> {
  const touchedIn = (known: Comparison): TouchedStaff => {
    const staff = staffsOf(settings, known);
    return { staff, touched: touchedBy({ plan, compared: known, staff }) };
  };
  const planned = touchedIn(compared);
  if (planned.touched.changes.length === 0) return planned;
  const whole = await withAllStaff(compared, settings, context);
  return whole === compared ? planned : touchedIn(whole);
}

/** With the staff that the plan had no need to read: without it, slots and hours are not known. A kind that cannot be read stays as it is. */
async function withAllStaff(compared: Comparison, settings: TargetSettings, context: RunContext): Promise<Comparison> {
  const { live } = compared;
  const kinds = [...STAFFING].flatMap(([kind, { fields }]) => {
    const isRead = live.objects[kind]?.every(({ spec }) => [...fields].every((field) => spec[field] !== undefined));
    return isRead !== true && KINDS[kind].versions.includes(live.version) ? [[kind, fields] as const] : [];
  });
  if (kinds.length === 0) return compared;
  const fields = new Map(kinds);
  const view = listsOf(fields.keys(), { fields, wanted: new Map(kinds.map(([kind]) => [kind, 'all'])) });
  try {
    const more = await connected(settings, context, ({ ask }) => fetchLive(ask, view, live.version));
    return withFields(compared, more.objects);
  } catch (error) {
    if (context.signal.aborted || !(error instanceof ApiError)) throw error;
    return compared;
  }
}

/** With the kinds that were not read, and with the fields that were not read of the others. What was read before stays. */
function withFields(compared: Comparison, found: Live['objects']): Comparison {
  const { live, drafts, bindings } = compared;
  const nameOf = ({ kind, id }: LiveObject): string => `${kind} ${id}`;
  const more = new Map(
    Object.values(found).flatMap((those) => those.map((object) => [nameOf(object), object] as const)),
  );
  const filled = new Map<LiveObject, LiveObject>();
  for (const object of Object.values(live.objects).flat()) {
    const extra = more.get(nameOf(object));
    if (extra !== undefined) filled.set(object, { ...object, spec: { ...extra.spec, ...object.spec } });
  }
  const now = (object: LiveObject): LiveObject => filled.get(object) ?? object;
  const known = Object.entries(live.objects).map(([kind, those]) => [kind, those.map(now)] as const);
  return {
    ...compared,
    live: { ...live, objects: { ...found, ...Object.fromEntries(known) } },
    drafts: drafts.map((made) => {
      if (made.object === null || made.live === null) return made;
      const object = now(made.object);
      return { ...made, object, live: { ...liveSpec(made.kind, object, bindings), ...made.live } };
    }),
  };
}

interface ReadingOptions {
  readonly settings: TargetSettings;
  readonly range: ReportRange;
  readonly people: boolean;
  readonly identity: string | null;
}

interface GroupsRead extends DemandSoFar {
  readonly demands: ReadonlyMap<Address, GroupDemand>;
  readonly sharing: ReadonlyMap<Address, ServedDemand>;
  readonly queues: MeasuredQueues;
  /** Those whose routing status cannot be read, and who took no chat. */
  readonly silent: ReadonlySet<Address>;
  readonly figures: ReadonlyMap<Address, readonly AgentFigures[]> | null;
}

interface AskedGroups {
  readonly groups: readonly TouchedGroup[];
  /** Those that share agents with them. */
  readonly others: readonly SharingGroup[];
  readonly doubted: readonly DoubtedPerson[];
  /** Chats of a group may wait longer. */
  readonly mayWait: boolean;
}

function askedOf(touched: Touched, staff: StaffSides): AskedGroups {
  const { groups } = touched;
  const others = sharingGroups(touched, staff);
  const asked = new Set([...groups, ...others].map(({ address }) => address));
  return { groups, others, doubted: doubtedIn(staff.before, touched, asked), mayWait: mayWaitLonger(touched) };
}

/** Milliseconds. A plan is worth more than its impact, so it does not wait long for a service that is overloaded. */
const PATIENCE = 10_000;

/** Stops at the first request that fails: the next one would cost as much, and fail as well. */
async function readGroups(
  { groups, others, doubted, mayWait }: AskedGroups,
  { settings, range, people, identity }: ReadingOptions,
  context: RunContext,
): Promise<GroupsRead> {
  const demands = new Map<Address, GroupDemand>();
  const sharing = new Map<Address, ServedDemand>();
  const figures = people ? new Map<Address, readonly AgentFigures[]>() : null;
  const silent = new Set<Address>();
  let queues: MeasuredQueues = { by: 'nothing' };
  if (groups.length === 0) return { demands, sharing, queues, silent, figures, missing: null, requests: {} };
  const readAll = async (reader: DemandReader): Promise<void> => {
    for (const { address, id, changed } of groups) {
      demands.set(address, await groupDemand(reader, id, range));
      if (figures === null || changed.length === 0) continue;
      figures.set(address, await reader.performance({ groups: [id] }, range));
    }
    if (!mayWait) return;
    for (const { address, id } of others) {
      const hours = await reader.chats('chats', { groups: [id], unrehearsed: true, synchronous: true }, range);
      sharing.set(address, servedDemand(hours, range.zone));
    }
    const ids = groups.map(({ id }) => id);
    queues = await measuredQueues(reader, ids, range);
    // Where no chat came, it is no sign that a bot took none.
    if ([...demands.values()].every(({ chats }) => chats === 0)) return;
    for (const { address, id } of doubted) {
      const taken = totalOf(await reader.chats('chats', { groups: [], agents: [id], unrehearsed: true }, range));
      if ((taken?.chats ?? 0) === 0) silent.add(address);
    }
  };
  const options = { identity, patience: PATIENCE };
  const read = await demandSoFar(settings, context, readAll, options);
  return { demands, sharing, queues, silent, figures, ...read };
}

/** Three requests. */
export async function groupDemand(reader: DemandReader, id: number, range: ReportRange): Promise<GroupDemand> {
  const of = { groups: [id], unrehearsed: true } as const;
  const chats = await reader.chats('chats', of, range);
  const synchronous = await reader.chats('chats', { ...of, synchronous: true }, range);
  const notTaken = await reader.chats('not_taken', of, range);
  return demandOf({ chats, synchronous, notTaken }, range.zone);
}

/** A clause such as `rules were changed on 2026-03-15, within these days`; null when neither the ledger nor the license shows a change. */
export function rulesChangedIn(
  events: readonly LedgerEvent[],
  compared: Comparison,
  range: ReportRange,
): string | null {
  const day = dayOfChange(events, range);
  if (day !== null) return `rules were changed on ${day}, within these days`;
  return isChangedByHand(events, compared) ? 'rules were changed on the license since the last apply' : null;
}

/** The day of the zone on which a run last changed rules, or may have, YYYY-MM-DD. */
function dayOfChange(events: readonly LedgerEvent[], { from, zone }: ReportRange): string | null {
  const times = events.flatMap((event) => {
    const at = mayChangeRules(event) && event.type !== 'unknown' ? Date.parse(event.at) : Number.NaN;
    return at >= from ? [at] : [];
  });
  if (times.length === 0) return null;
  const last = times.reduce((one, other) => Math.max(one, other));
  return wallOf(last + offsetAt(zone, last)).date;
}

function mayChangeRules(event: LedgerEvent): boolean {
  switch (event.type) {
    case 'before':
    case 'intent':
      return event.address.startsWith(`${ORDERED.name}/`);
    case 'order':
      return event.kind === ORDERED.name && event.moment === 'before';
    case 'begun':
      return changedSomething(event.compacted);
    case 'run':
      return changedSomething(event.compacted) || isActionOn(event, ORDERED.name);
    default:
      return false;
  }
}

/** A compaction keeps no kinds, so rules may be among what the run changed. */
function changedSomething(compacted: CompactedRun | undefined): boolean {
  const written = ['added', 'changed', 'replaced', 'destroyed', 'unknown'];
  return written.some((action) => (compacted?.changes[action] ?? 0) > 0);
}

/** Whether a rule routes otherwise than it was applied, is gone, was added or moved. */
function isChangedByHand(events: readonly LedgerEvent[], compared: Comparison): boolean {
  const { drafts, bindings, ledger } = compared;
  const routes = (made: Draft): boolean => {
    const applied = ledger.applied.get(made.address)?.spec;
    if (made.kind.name !== ORDERED.name || applied === undefined) return false;
    const { live } = made;
    if (live === null) return made.lost !== null;
    return ['access', 'conditions'].some((name) => {
      const [field, was, is] = [made.kind.fields[name], applied[name], live[name]];
      if (field === undefined || was === undefined) return false;
      return is === undefined || !isAsWanted(field, is, was, compared.live.version);
    });
  };
  const last = events.findLast((event) => event.type === 'order' && event.moment === 'applied');
  const known = last?.type === 'order' ? new Set(last.ids.map(String)) : null;
  return (
    drafts.some(routes) ||
    bindings.unmanaged.some(({ kind, id }) => kind === ORDERED.name && known?.has(String(id)) === false) ||
    orderDifferences(compared).some(({ base, live }) => base !== null && !equalJson(base, live))
  );
}
