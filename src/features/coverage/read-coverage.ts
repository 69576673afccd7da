// Weekly coverage: who can get chats, group by group, by the files, on the license, or before and after an apply. Changes nothing.

import { UsageError } from '../../base/errors.ts';
import type { Desired, Reference } from '../../base/model.ts';
import { nearest, rightNames } from '../../base/nearest.ts';
import { counted, inNfc } from '../../base/text.ts';
import { dayAt, dayMeantBy, dayOf, daysFrom, WEEKDAYS, type Week, weekAt, weekOf } from '../../base/week.ts';
import { isTimezone } from '../../base/zone.ts';
import { MEMBERSHIP } from '../../kinds/index.ts';
import { zoneRemedy } from '../../kinds/scheduler.ts';
import { foldLedger } from '../../ledger/ledger.ts';
import { connected, type Requests } from '../../license/connect.ts';
import { groupIds } from '../../license/group-ids.ts';
import { requireOwnLicense } from '../../license/identity.ts';
import { survey } from '../../license/reading/live.ts';
import { type LicenseReading, viewOf } from '../../license/reading/view.ts';
import { compare } from '../../plan/compare.ts';
import { addressOf } from '../../plan/reference.ts';
import { type Staffing, staffing } from '../../plan/staffing.ts';
import { daysMeant } from '../../planning/impact/read.ts';
import { type PlanningChoice, planOptions } from '../../planning/planning.ts';
import { groupIn } from '../../planning/routing-lints.ts';
import { coverageOf } from '../../routing/staff/coverage.ts';
import { declaredPlaces, STAFFING } from '../../routing/staff/placed.ts';
import { type GroupStaff, type Placed, type Staff, staffOf } from '../../routing/staff/staff.ts';
import type { RunContext } from '../../target/context.ts';
import type { Declared } from '../../target/prepare.ts';
import { ledgerAt } from '../../target/stores.ts';
import { datedWeeks } from './dated.ts';
import { demandReport, groupIdOf } from './demand.ts';
import { readChats } from './read-chats.ts';
import { type CoverageReport, coverageReport, coverageSubject, type ViewName, wantedStaff } from './report.ts';

export interface CoverageOptions {
  /** By key, address, id or name; none for all of them. One that no group has may be a day, such as `saturday`: then everything is about it. */
  readonly groups: readonly string[];
  /** With the times of each person. */
  readonly names?: boolean;
  /** Default `files`. */
  readonly on?: ViewName;
  /** Any day of the week, YYYY-MM-DD; default today. */
  readonly date?: string;
  /** IANA name; default the project's. */
  readonly timezone?: string;
  /** Put the demand of so many days next to it, such as `28d`. */
  readonly demand?: string;
}

/** @throws UsageError for a group that there is not */
export async function coverageOfTarget(
  declared: Declared,
  options: CoverageOptions,
  context: RunContext,
): Promise<{ readonly report: CoverageReport; readonly requests: Requests }> {
  const { settings, desired } = declared;
  const view = options.on ?? 'files';
  const zone = zoneFor(options, settings.routing.timezone);
  const range = options.demand === undefined ? null : daysMeant('--demand', options.demand, zone, context.clock.now());
  const read = view === 'files' ? null : await readStaffing(declared, {}, context);
  const about = { zone, version: settings.apiVersion, isRead: read !== null };
  const staffed = (placed: readonly Placed[]): Staff => staffOf(placed, about);
  const after = staffed(read === null ? declaredPlaces(desired) : view === 'live' ? read.before : read.after);
  const before = read !== null && view === 'both' ? staffed(read.before) : null;
  const wanted = wantedBy(
    options.groups,
    [...after.groups, ...(before?.groups ?? [])],
    dayAt(zone, context.clock.now()),
  );
  const { wants } = wanted;
  if (wanted.day !== null && (range !== null || options.date !== undefined))
    throw new UsageError('--demand and --date are about weeks: leave them out, or the day');
  const week = wanted.day === null ? weekFor(options.date, zone, context) : daysFrom(zone, wanted.day, 1);
  const report = coverageReport({
    ...coverageSubject(declared),
    view,
    week,
    before,
    staff: after,
    wants,
    names: options.names === true,
    bots: desired.resources.filter(({ handsOver }) => handsOver !== undefined),
    ...(read === null ? {} : { groupOf: read.groupOf }),
  });
  const dated = view === 'files' && wanted.day === null ? datedWeeks(wantedStaff(after, wants), week) : [];
  const whole = { ...report, ...(dated.length === 0 ? {} : { dated }) };
  if (range === null) return { report: whole, requests: read?.requests ?? {} };
  const known = read ?? (await groupIds(declared, context));
  const { groups } = coverageOf({ ...after, groups: after.groups.filter(wants) }, week);
  const covers = groups.flatMap((cover) => {
    const { reference } = cover.group;
    const id = groupIdOf(reference, known.ids);
    return id === null ? [] : [{ cover, id, address: addressOf(MEMBERSHIP.right.kind.name, reference) }];
  });
  const { chats, requests } = await readChats(covers, range, settings, context);
  const unknown = groups.length - covers.length;
  const missing =
    unknown === 0
      ? []
      : [`${counted(unknown, 'group is', 'groups are')} not on the license yet, or cannot be found there`];
  const demand = demandReport(covers, chats, week, missing);
  return { report: { ...whole, demand }, requests: { ...known.requests, ...requests } };
}

/** @throws UsageError for a zone that there is not */
function zoneFor({ timezone }: CoverageOptions, preset: string): string {
  const zone = timezone ?? preset;
  if (!isTimezone(zone)) throw new UsageError(`--timezone ${zone} is not an IANA time zone: ${zoneRemedy(zone)}`);
  return zone;
}

/** @throws UsageError for a day that there is not */
function weekFor(date: string | undefined, zone: string, { clock }: Pick<RunContext, 'clock'>): Week {
  if (date === undefined) return weekAt(zone, clock.now());
  const day = dayOf(date);
  if (day === null) throw new UsageError(`--date ${date} is not a day: write any day of the week, such as 2026-10-25`);
  return weekOf(zone, day);
}

interface Wanted {
  readonly wants: (group: Pick<GroupStaff, 'reference' | 'name'>) => boolean;
  /** Null for the whole week. */
  readonly day: number | null;
}

/** Groups by key, address, id or name, and a day. @throws UsageError for what is none of them */
function wantedBy(asked: readonly string[], groups: readonly GroupStaff[], today: number): Wanted {
  const kind = MEMBERSHIP.right.kind.name;
  const calledOf = ({ reference, name }: Pick<GroupStaff, 'reference' | 'name'>): readonly string[] => {
    const address = addressOf(kind, reference);
    return [address, address.slice(kind.length + 1), name];
  };
  const known = new Set(groups.flatMap(calledOf));
  const keys = groups.map(({ reference }) => addressOf(kind, reference).slice(kind.length + 1));
  const words = asked.map(inNfc);
  const names = words.filter((word) => known.has(word));
  const days = words.filter((word) => !known.has(word)).map((word) => ({ word, day: dayMeantBy(word, today) }));
  for (const { word, day } of days)
    if (day === null)
      throw new UsageError(
        `there is no group or day ${word}: ${rightNames(word, keys, nearest(word, [...known, ...WEEKDAYS]))}; a day is saturday, today or 2026-12-24`,
      );
  if (days.length > 1)
    throw new UsageError(`${days.map(({ word }) => word).join(', ')}: coverage shows one day, or a whole week`);
  return {
    wants: (group) => names.length === 0 || calledOf(group).some((called) => names.includes(called)),
    day: days[0]?.day ?? null,
  };
}

interface ReadStaffing extends Staffing {
  /** Of the groups that are declared and exist. */
  readonly ids: ReadonlyMap<string, number>;
  /** What the staff calls a group that the files name. */
  readonly groupOf: (group: Reference) => Reference;
  readonly requests: Requests;
}

/** @throws what the first request that failed met, or UsageError when what is declared cannot be told from what exists */
export async function readStaffing(
  prepared: Declared,
  options: PlanningChoice,
  context: RunContext,
): Promise<ReadStaffing> {
  const { settings, moved } = prepared;
  const desired = staffedPart(prepared.desired);
  const events = await ledgerAt(settings.ledger, context).read();
  const ledger = foldLedger(events);
  return connected(settings, context, async ({ client, ask }) => {
    const view = staffView(viewOf(desired, ledger, settings.apiVersion));
    const { live, failures } = await survey(ask, view, settings.apiVersion);
    if (failures.length > 0) throw failures[0];
    requireOwnLicense(events, live, settings, client.identity(), context);
    const compared = compare({ desired, live, ledger, moved, options: planOptions(settings, options) });
    if (compared.problems.length > 0)
      throw new UsageError('what is declared cannot be told from what exists: `chatform plan` shows why');
    const ids = new Map(
      [...compared.bindings.ids].flatMap(([address, id]) => (typeof id === 'number' ? [[address, id] as const] : [])),
    );
    return { ...staffing(compared), ids, groupOf: groupIn(compared), requests: client.requests() };
  });
}

/** The part that decides who gets chats: nothing else has to be read. */
function staffedPart({ resources, externals, namespaces, complete, leavers }: Desired): Desired {
  return {
    ...(leavers === undefined ? {} : { leavers }),
    resources: resources.filter(({ kind }) => STAFFING.has(kind)),
    externals: externals.filter(({ kind }) => STAFFING.has(kind)),
    ruleOrder: [],
    namespaces,
    complete: complete.filter((kind) => STAFFING.has(kind)),
  };
}

function staffView(usual: LicenseReading): LicenseReading {
  return {
    ...usual,
    kinds: new Set(STAFFING.keys()),
    fields: new Map(
      [...STAFFING].map(([kind, { fields }]) => [kind, new Set([...fields, ...(usual.fields.get(kind) ?? [])])]),
    ),
    wanted: new Map([...STAFFING.keys()].map((kind) => [kind, 'all'])),
  };
}
