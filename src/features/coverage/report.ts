// Weekly cover of each group as a report, with the assumptions about its staff.

import type { ContentOf } from '../../base/documents.ts';
import type { Desired, KindName, LintId, Place, Reference } from '../../base/model.ts';
import { spanText, timestampIn, type Week } from '../../base/week.ts';
import { HOUR, type Interval } from '../../base/zone.ts';
import { MEMBERSHIP } from '../../kinds/index.ts';
import type { Bar } from '../../kinds/kind.ts';
import { addressOf, sourceOf } from '../../plan/reference.ts';
import { excepts } from '../../project/lint-exceptions.ts';
import type { TargetSettings } from '../../project/settings.ts';
import { levelled } from '../../routing/finding.ts';
import type { RoutingSettings } from '../../routing/settings.ts';
import {
  type Coverage,
  type CoverChange,
  coverageOf,
  coverChanges,
  type GroupCover,
} from '../../routing/staff/coverage.ts';
import { isWorked } from '../../routing/staff/shifts.ts';
import type { Member, Staff, StaffPerson } from '../../routing/staff/staff.ts';
import { handOvers, lostCover, overnightShifts } from '../../routing/staff-lint.ts';
import type { coverage } from './schema.ts';

export type CoverageReport = ContentOf<typeof coverage>;
/** What is asked about: the files alone, the license alone, or the license before and after an apply. */
export type ViewName = CoverageReport['view'];
export type GroupReport = CoverageReport['groups'][number];
export type CoverReport = NonNullable<GroupReport['cover']>;
export type MemberReport = CoverReport['members'][number];
/** Demand next to the staff. */
export type DemandReport = NonNullable<CoverageReport['demand']>;
export type StaffedDemand = DemandReport['groups'][number];
/** A week in which hours are not the usual ones. */
export type DatedReport = NonNullable<CoverageReport['dated']>[number];
export type NamedSpan = GroupReport['lost'][number];

export interface CoverageInput {
  readonly target: string;
  readonly view: ViewName;
  readonly week: Week;
  /** Null where nothing is compared. */
  readonly before: Staff | null;
  readonly staff: Staff;
  /** Whether a group is asked about; default all. */
  readonly wants?: (group: { readonly reference: string; readonly name: string }) => boolean;
  readonly lint: RoutingSettings['lint'];
  /** Whether the settings except an object from a lint; default none. */
  readonly isExcepted?: (lint: LintId, about: readonly Reference[]) => boolean;
  readonly placeOf: (reference: string) => Place | null;
  /** With the times of each person. */
  readonly names?: boolean;
  /** Declared bots, for the groups to which they hand chats over; default none. */
  readonly bots?: Parameters<typeof handOvers>[0];
  /** What the staff calls a group that the files name; default the same. */
  readonly groupOf?: (group: Reference) => Reference;
}

/** What a report takes from the files: names, levels and places. */
export function coverageSubject({
  settings,
  desired,
}: {
  readonly settings: TargetSettings;
  readonly desired: Pick<Desired, 'resources'>;
}): Pick<CoverageInput, 'target' | 'lint' | 'isExcepted' | 'placeOf'> {
  const places = new Map<string, Place>(desired.resources.map(({ address, place }) => [address, place]));
  return {
    target: settings.name,
    lint: settings.routing.lint,
    isExcepted: excepts(settings),
    placeOf: (reference) => places.get(reference) ?? null,
  };
}

export function coverageReport({
  target,
  view,
  week,
  before,
  staff,
  wants = () => true,
  lint,
  isExcepted = () => false,
  placeOf,
  names = false,
  bots = [],
  groupOf = (group) => group,
}: CoverageInput): CoverageReport {
  const [now, then] = [wantedStaff(staff, wants), before === null ? null : wantedStaff(before, wants)];
  const cover = coverageOf(now, week);
  const earlier = then === null ? null : coverageOf(then, week);
  const changes = new Map((earlier === null ? [] : coverChanges(earlier, cover)).map((each) => [each.group, each]));
  const were = new Map((earlier?.groups ?? []).map((was) => [was.group.reference, was]));
  const staying = new Set(cover.groups.map(({ group }) => group.reference));
  const gone = [...were.values()].filter(({ group }) => !staying.has(group.reference));
  const asked = new Set([...now.groups, ...now.people].map(({ reference }) => reference));
  const handing = bots.filter(({ address, handsOver = [] }) =>
    [address, ...handsOver.map(groupOf)].some((one) => asked.has(one)),
  );
  const found = [
    ...(earlier === null ? [] : lostCover(earlier, cover, placeOf)),
    ...overnightShifts(now, placeOf),
    // Also to groups that are not asked about.
    ...(handing.length === 0 ? [] : handOvers(handing, staff, coverageOf(staff, week), groupOf, placeOf)),
  ];
  const groups = [
    ...cover.groups.map((each) => {
      const was = were.get(each.group.reference);
      return groupReport({ each, cover, was, earlier, change: changes.get(each.group.reference), names });
    }),
    ...gone.map((was) => groupReport({ each: was, cover: null, was, earlier, change: undefined, names })),
  ];
  const [day] = week.days;
  return {
    ...(week.days.length === 1 && day !== undefined ? { day: day.date } : {}),
    target,
    view,
    timezone: week.zone,
    from: timestampIn(week, week.from),
    to: timestampIn(week, week.to),
    groups,
    findings: levelled(
      found.filter(({ id, about }) => !isExcepted(id, about)),
      lint,
    ).map(({ place, about: _, ...finding }) => ({
      ...finding,
      source: place === null ? null : sourceOf(place),
    })),
    notes: notesOf(now, week.zone),
  };
}

/** The groups that are asked about, and their members. */
export function wantedStaff({ groups, people }: Staff, wants: NonNullable<CoverageInput['wants']>): Staff {
  const chosen = groups.filter(wants);
  const names = new Set(chosen.map(({ reference }) => reference));
  return { groups: chosen, people: people.filter((person) => person.groups.some((group) => names.has(group))) };
}

interface ComparedGroup {
  /** The group as it is reported. */
  readonly each: GroupCover;
  readonly cover: Coverage | null;
  readonly was: GroupCover | undefined;
  readonly earlier: Coverage | null;
  readonly change: CoverChange | undefined;
  readonly names: boolean;
}

function groupReport({ each, cover, was, earlier, change, names }: ComparedGroup): GroupReport {
  const week = (cover ?? earlier)?.week;
  const named = (times: readonly Interval[] = []): readonly NamedSpan[] =>
    week === undefined ? [] : times.map((time) => namedSpan(week, time));
  const { reference, name } = each.group;
  return {
    address: addressOf(MEMBERSHIP.right.kind.name, reference),
    name,
    cover: cover === null ? null : coverReport(each, cover, names),
    before: was === undefined || earlier === null ? null : coverReport(was, earlier, names),
    lost: named(change?.lost),
    gained: named(change?.gained),
  };
}

function coverReport({ group, ...cover }: GroupCover, coverage: Coverage, names: boolean): CoverReport {
  const { week } = coverage;
  const { people, agents, bots, slots, anytime, unsized, uncovered, botsOnly, pieces } = cover;
  return {
    complete: group.isWhole,
    people,
    agents,
    bots,
    slots,
    anytime,
    unsized,
    uncovered_hours: hours(uncovered),
    uncovered: uncovered.map((time) => namedSpan(week, time)),
    bots_only_hours: hours(botsOnly),
    bots_only: botsOnly.map((time) => namedSpan(week, time)),
    pieces: pieces.map((piece) => ({
      ...span(week, piece),
      people: piece.people,
      bots: piece.bots,
      slots: piece.slots,
    })),
    members: group.members.map((member) => memberReport(member, coverage, names)),
  };
}

function hours(times: readonly Interval[]): number {
  return times.reduce((sum, { from, to }) => sum + to - from, 0) / HOUR;
}

function span(week: Week, { from, to }: Interval): { readonly from: string; readonly to: string } {
  return { from: timestampIn(week, from), to: timestampIn(week, to) };
}

export function namedSpan(week: Week, time: Interval): NamedSpan {
  return { ...span(week, time), text: spanText(week, time) };
}

function memberReport(member: Member, { week, worked, presence }: Coverage, names: boolean): MemberReport {
  const { kind, reference, name, tireless, priority, barred, slots, areSlotsAssumed, hours: kept } = member;
  const times = names ? presence(member) : null;
  return {
    ...(times === null ? {} : { times: times.map((time) => namedSpan(week, time)) }),
    address: addressOf(kind, reference),
    name,
    bot: tireless,
    priority,
    barred,
    slots,
    slots_assumed: areSlotsAssumed,
    hours: kept.status,
    weekly_hours: worked(member),
    timezone: kept.status === 'shifts' ? kept.zone : null,
    timezone_assumed: kept.status === 'shifts' && kept.isZoneAssumed,
  };
}

const MOST = 3;

const WHILE: { readonly [bar in Bar]: string } = {
  suspended: 'while suspended',
  'waiting for approval': 'while waiting for approval',
  offline: 'while offline',
  'not accepting chats': 'while they accept none',
};

/** About those who can get chats; `zone` is assumed where none is known. */
export function notesOf({ groups, people }: Staff, zone: string): readonly string[] {
  const serving = new Set(groups.flatMap(({ members }) => members.filter(({ barred }) => barred === null).map(nameOf)));
  const free = people.filter((person) => serving.has(nameOf(person)));
  const zoneless = free.filter(({ hours }) => hours.status === 'shifts' && hours.isZoneAssumed);
  const isElsewhere = ({ hours }: StaffPerson): boolean => hours.status === 'shifts' && hours.zone !== zone;
  return [
    ...Object.entries(WHILE).map(([bar, when]) =>
      note(
        people.filter((person) => person.bar === bar),
        (who) => `no chats are assigned ${when}: ${who}`,
      ),
    ),
    note(
      free.filter(({ doubt }) => doubt !== null),
      (who) => `the routing status of ${who} cannot be read: counted as if it were set`,
    ),
    note(
      groups
        .filter(({ isWhole }) => !isWhole)
        .map(({ reference }) => ({ kind: MEMBERSHIP.right.kind.name, reference })),
      (who) => `nothing says who else is in ${who}`,
    ),
    note(
      zoneless.filter((person) => !isElsewhere(person)),
      (who) => `the hours of ${who} name no time zone: they are counted in ${zone}`,
    ),
    note(
      zoneless.filter(isElsewhere),
      (who) => `the service keeps no time zone for ${who}: the hours are counted in the one declared`,
    ),
    note(
      free.filter(({ hours, tireless }) => hours.status === 'unknown' && !tireless),
      (who) => `the hours of ${who} are not known, so they count as without hours`,
    ),
    // For declared shifts there is a lint.
    note(
      free.filter(({ hours, isDeclared }) => hours.status === 'shifts' && !isDeclared && !hours.shifts.every(isWorked)),
      (who) => `${who} has shifts that do not end after they begin: those count as nothing`,
    ),
    note(
      free.filter(({ areSlotsAssumed }) => areSlotsAssumed),
      (who) => `no file says how many chats ${who} can have: counted with what the service gives a new one`,
    ),
    note(
      free.filter(({ slots }) => slots === null),
      (who) => `how many chats ${who} can have is not known: the slots are at least those counted`,
    ),
  ].flat();
}

function nameOf({ kind, reference }: StaffPerson): string {
  return `${kind} ${reference}`;
}

function note(
  those: readonly { readonly kind: KindName; readonly reference: string }[],
  sentence: (who: string) => string,
): readonly string[] {
  if (those.length === 0) return [];
  const named = those.slice(0, MOST).map(({ kind, reference }) => addressOf(kind, reference));
  const more = those.length - named.length;
  return [sentence(`${named.join(', ')}${more === 0 ? '' : ` and ${more} more`}`)];
}
