// Staff, before and after, and a week in; the weekly cover of each group as it is told, in a document and to a person, out.

import type { Place } from '../../base/model.ts';
import { MEMBERSHIP } from '../../kinds/index.ts';
import { levelled, type RoutingFinding } from '../../routing/finding.ts';
import type { RoutingSettings } from '../../routing/settings.ts';
import { lostCover, overnightShifts } from '../../routing/staff-lint.ts';
import {
  type Coverage,
  type CoverChange,
  coverageOf,
  coverChanges,
  type GroupCover,
  type Range,
} from '../../staff/coverage.ts';
import type { Hours, Member, Person, Staff } from '../../staff/staff.ts';
import { spanText, timestampIn, type Week } from '../../staff/week.ts';
import { HOUR, type Interval } from '../../staff/zone.ts';
import { addressOf } from './address.ts';
import { type Grid, gridOf } from './grid.ts';
import { notesOf } from './notes.ts';

export const VIEWS = ['desired', 'live', 'both'] as const;

/** What is asked about: the files alone, the license alone, or both: the license before and after an apply. */
export type ViewName = (typeof VIEWS)[number];

export interface Span {
  /** RFC 3339, in the zone of the report. */
  readonly from: string;
  readonly to: string;
}

export interface NamedSpan extends Span {
  /** Such as `Sun 00:00-08:00`. */
  readonly text: string;
}

export interface MemberReport {
  readonly address: string;
  readonly name: string;
  readonly priority: Member['priority'];
  readonly barred: Member['barred'];
  readonly slots: number | null;
  readonly slots_assumed: boolean;
  readonly hours: Hours['status'];
  /** Of the week; null without hours. */
  readonly weekly_hours: number | null;
  readonly timezone: string | null;
  readonly timezone_assumed: boolean;
}

export interface CoverReport {
  readonly complete: boolean;
  readonly people: Range;
  readonly slots: Range;
  readonly anytime: { readonly people: number; readonly slots: number };
  readonly unsized: number;
  readonly uncovered_hours: number;
  readonly uncovered: readonly NamedSpan[];
  readonly pieces: readonly (Span & { readonly people: number; readonly slots: number })[];
  readonly members: readonly MemberReport[];
}

export interface GroupReport {
  readonly address: string;
  readonly name: string;
  /** As asked for; null for a group that is not there afterwards. */
  readonly cover: CoverReport | null;
  /** Null for a group that is new, and where nothing is compared. */
  readonly before: CoverReport | null;
  readonly lost: readonly NamedSpan[];
  readonly gained: readonly NamedSpan[];
}

export interface CoverageReport {
  readonly target: string;
  readonly view: ViewName;
  readonly timezone: string;
  readonly from: string;
  readonly to: string;
  readonly groups: readonly GroupReport[];
  readonly findings: readonly (Omit<RoutingFinding, 'place'> & { readonly source: Omit<Place, 'length'> | null })[];
  /** What was assumed, or is not known: sentences. */
  readonly notes: readonly string[];
}

export interface Asked {
  readonly target: string;
  readonly view: ViewName;
  readonly week: Week;
  /** Null where nothing is compared. */
  readonly before: Staff | null;
  readonly staff: Staff;
  /** Whether a group is one that somebody wants to know. */
  readonly wants: (group: { readonly reference: string; readonly name: string }) => boolean;
  readonly lint: RoutingSettings['lint'];
  readonly placeOf: (reference: string) => Place | null;
}

/** What is told, and how the groups that are there are drawn. */
export interface Told {
  readonly report: CoverageReport;
  readonly grids: readonly Grid[];
}

export function coverageReport({ target, view, week, before, staff, wants, lint, placeOf }: Asked): Told {
  const [now, then] = [wanted(staff, wants), before === null ? null : wanted(before, wants)];
  const cover = coverageOf(now, week);
  const earlier = then === null ? null : coverageOf(then, week);
  const changes = new Map((earlier === null ? [] : coverChanges(earlier, cover)).map((each) => [each.group, each]));
  const gone = (earlier?.groups ?? []).filter(
    ({ group }) => !cover.groups.some((each) => each.group.reference === group.reference),
  );
  const found = [...(earlier === null ? [] : lostCover(earlier, cover, placeOf)), ...overnightShifts(now, placeOf)];
  const groups = [
    ...cover.groups.map((each) => {
      const was = earlier?.groups.find(({ group }) => group.reference === each.group.reference);
      return groupReport({ each, cover, was, earlier, change: changes.get(each.group.reference) });
    }),
    ...gone.map((was) => groupReport({ each: was, cover: null, was, earlier, change: undefined })),
  ];
  const report = {
    target,
    view,
    timezone: week.zone,
    from: timestampIn(week, week.from),
    to: timestampIn(week, week.to),
    groups,
    findings: levelled(found, lint).map(({ place, ...finding }) => ({ ...finding, source: sourceOf(place) })),
    notes: notesOf(now, week.zone),
  };
  const grids = cover.groups.map((each) => {
    const { reference } = each.group;
    return gridOf(week, each, addressOf(MEMBERSHIP.right.kind.name, reference), changes.get(reference)?.lost ?? []);
  });
  return { report, grids };
}

/** The groups that are wanted, and who is in one of them. */
function wanted({ groups, people }: Staff, wants: Asked['wants']): Staff {
  const chosen = groups.filter(wants);
  const names = new Set(chosen.map(({ reference }) => reference));
  return { groups: chosen, people: people.filter((person) => person.groups.some((group) => names.has(group))) };
}

function sourceOf(place: Place | null): Omit<Place, 'length'> | null {
  return place === null ? null : { file: place.file, line: place.line, column: place.column };
}

interface Sides {
  /** The group as it is told. */
  readonly each: GroupCover;
  readonly cover: Coverage | null;
  readonly was: GroupCover | undefined;
  readonly earlier: Coverage | null;
  readonly change: CoverChange | undefined;
}

function groupReport({ each, cover, was, earlier, change }: Sides): GroupReport {
  const week = (cover ?? earlier)?.week;
  const named = (times: readonly Interval[] = []): readonly NamedSpan[] =>
    week === undefined ? [] : times.map((time) => namedSpan(week, time));
  const { reference, name } = each.group;
  return {
    address: addressOf(MEMBERSHIP.right.kind.name, reference),
    name,
    cover: cover === null ? null : coverReport(each, cover),
    before: was === undefined || earlier === null ? null : coverReport(was, earlier),
    lost: named(change?.lost),
    gained: named(change?.gained),
  };
}

function coverReport({ group, ...cover }: GroupCover, { week, worked }: Coverage): CoverReport {
  const { people, slots, anytime, unsized, uncovered, pieces } = cover;
  return {
    complete: group.isWhole,
    people,
    slots,
    anytime,
    unsized,
    uncovered_hours: hours(uncovered),
    uncovered: uncovered.map((time) => namedSpan(week, time)),
    pieces: pieces.map((piece) => ({ ...span(week, piece), people: piece.people, slots: piece.slots })),
    members: group.members.map((member) => memberReport(member, worked)),
  };
}

function hours(times: readonly Interval[]): number {
  return times.reduce((sum, { from, to }) => sum + to - from, 0) / HOUR;
}

function span(week: Week, { from, to }: Interval): Span {
  return { from: timestampIn(week, from), to: timestampIn(week, to) };
}

function namedSpan(week: Week, time: Interval): NamedSpan {
  return { ...span(week, time), text: spanText(week, time) };
}

function memberReport(member: Member, worked: (person: Person) => number | null): MemberReport {
  const { kind, reference, name, priority, barred, slots, areSlotsAssumed, hours: kept } = member;
  return {
    address: addressOf(kind, reference),
    name,
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
