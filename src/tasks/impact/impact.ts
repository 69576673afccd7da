// The impact of a plan: what is asked of the reports, and what their answers say about it.

import type { Address } from '../../base/model.ts';
import { few } from '../../base/text.ts';
import { ROUTED } from '../../kinds/index.ts';
import type { LedgerEvent } from '../../ledger/events.ts';
import type { Impact, TouchedGroupImpact } from '../../plan/impact.ts';
import { addressOf } from '../../plan/reference.ts';
import { coverageOf, type GroupCover } from '../../staff/coverage.ts';
import type { Staff } from '../../staff/staff.ts';
import { timestamp, type Week } from '../../staff/week.ts';
import { offsetAt, wallOf } from '../../staff/zone.ts';
import { type AgentFigures, type Hour, type Measures, totalOf } from '../reports/demand.ts';
import { daysOf, type ReportRange } from '../reports/range.ts';
import { boundOf, carriedBy, chatsOf, type Demands, type GroupDemand } from './carried.ts';
import { demandByHour } from './hours.ts';
import { sharesOf } from './people.ts';
import type { Touched } from './touched.ts';
import { type CoverSides, groupImpact, isWaitingUnknown } from './waiting.ts';

/** What the reports say of one group. */
interface GroupReadings {
  readonly chats: readonly Hour<Measures['chats']>[];
  /** Without continuous chats, which wait for no agent. */
  readonly synchronous: readonly Hour<Measures['chats']>[];
  readonly notTaken: readonly Hour<Measures['not_taken']>[];
}

export function demandOf({ chats, synchronous, notTaken }: GroupReadings, zone: string): GroupDemand {
  const total = totalOf(synchronous);
  const last = chats.findLast((hour) => hour.chats > 0);
  return {
    chats: totalOf(chats)?.chats ?? 0,
    notTaken: totalOf(notTaken)?.chats ?? 0,
    last: last === undefined ? null : wallOf(last.at + offsetAt(zone, last.at)).date,
    hours: demandByHour(synchronous, zone),
    length: total === null || total.chats === 0 ? null : total.seconds / total.chats,
  };
}

/** What was learned, and what it is about. */
interface ImpactInput {
  readonly touched: Touched;
  readonly staff: { readonly before: Staff; readonly after: Staff };
  /** The week whose working hours count. */
  readonly week: Week;
  readonly range: ReportRange;
  readonly demands: Demands;
  /** Figures of persons by group; null when they were not asked for. */
  readonly figures: ReadonlyMap<Address, readonly AgentFigures[]> | null;
  readonly rulesChanged: string | null;
  /** Why the reports were not read to the end; null when they were. */
  readonly missing: string | null;
  readonly requests: { readonly [report: string]: number };
}

export function impactOf(input: ImpactInput): Impact {
  const { touched, demands, range, week, figures, missing, rulesChanged, requests } = input;
  const days = daysOf(range).length;
  const perWeek = (count: number | null): number | null =>
    count === null ? null : Math.round((count / days) * 70) / 10;
  const changes = touched.changes.map((change) => carriedBy(change, { touched, demands, rulesChanged }));
  const destroyed = touched.changes.flatMap((change) => (change.what === 'destroyed-group' ? [change.address] : []));
  const covers = new Map(touched.groups.map((group) => [group.address, coverOf(group.address, input)]));
  const isGone = (group: Address): boolean => destroyed.includes(group);
  const groups = touched.groups.flatMap((group): readonly TouchedGroupImpact[] => {
    const demand = demands.get(group.address);
    const cover = covers.get(group.address) ?? UNKNOWN_COVER;
    return demand === undefined ? [] : [groupImpact(group, demand, demands, cover, week)];
  });
  const from = boundOf(touched.sources, demands);
  const moved = from === null || !touched.isWhole ? null : chatsOf([...new Set([...from, ...destroyed])], demands);
  const counted = new Set([...changes.flatMap((change) => change.groups), ...(from ?? []), ...destroyed]);
  const isKnown = moved !== null && changes.every(({ chats }) => chats !== null);
  const chats = isKnown ? chatsOf([...counted], demands) : null;
  const isWaitingKnown =
    groups.length === touched.groups.length &&
    touched.groups.every(
      (group) => isGone(group.address) || !isWaitingUnknown(group, covers.get(group.address) ?? UNKNOWN_COVER),
    );
  const worst = groups.flatMap(({ worse }) => worse.slice(0, 1)).sort((a, b) => b.after.seconds - a.after.seconds)[0];
  return {
    from: timestamp(range.zone, range.from),
    to: timestamp(range.zone, range.to),
    days,
    timezone: range.zone,
    chats,
    chats_per_week: perWeek(chats),
    moved,
    moved_per_week: perWeek(moved),
    wait_before: isWaitingKnown ? (worst?.before.seconds ?? 0) : null,
    wait_after: isWaitingKnown ? (worst?.after.seconds ?? 0) : null,
    changes,
    groups,
    missing: missing === null ? [] : [missing],
    assumptions: assumptionsOf(input, groups, covers),
    requests_sent: requests,
    ...(figures === null ? {} : { people: sharesOf(touched.groups, figures, demands) }),
  };
}

const UNKNOWN_COVER: CoverSides = { before: null, after: null };

/** Null where members, slots or the group itself are not known. Of the default group every agent may be a member. */
function coverOf(address: Address, { touched, staff, week }: ImpactInput): CoverSides {
  const of = (side: Staff): GroupCover | null => {
    const groups = side.groups.filter(({ reference }) => touched.groupOf(reference) === address);
    const cover = groups.length === 0 ? undefined : coverageOf({ ...side, groups }, week).groups[0];
    if (cover === undefined) return null;
    return cover.group.isWhole && !cover.group.builtin && cover.unsized === 0 ? cover : null;
  };
  return { before: of(staff.before), after: of(staff.after) };
}

/** The day of `zone` on which a run last changed the rules within a range, YYYY-MM-DD; null when none did. `kind` is that of the rules. */
export function rulesChangedIn(
  events: readonly LedgerEvent[],
  { from, zone }: ReportRange,
  kind: string,
): string | null {
  const times = events.flatMap((event) => {
    const isAbout = (event.type === 'before' || event.type === 'intent') && event.address.startsWith(`${kind}/`);
    const isOrder = event.type === 'order' && event.kind === kind && event.moment === 'before';
    const at = isAbout || isOrder ? Date.parse(event.at) : Number.NaN;
    return at >= from ? [at] : [];
  });
  if (times.length === 0) return null;
  const last = Math.max(...times);
  return wallOf(last + offsetAt(zone, last)).date;
}

function assumptionsOf(
  { touched, rulesChanged }: ImpactInput,
  groups: readonly TouchedGroupImpact[],
  covers: ReadonlyMap<Address, CoverSides>,
): readonly string[] {
  if (groups.length === 0) return [];
  const hasRules = touched.changes.some(({ what }) => what === 'rule');
  const hasGains = touched.groups.some(({ gains }) => gains.length > 0);
  const known = groups.filter(({ slots }) => slots.before !== null || slots.after !== null);
  const free = known.filter(({ group }) => {
    const { before, after } = covers.get(group as Address) ?? UNKNOWN_COVER;
    return [before, after].some((cover) => (cover?.anytime.people ?? 0) > 0);
  });
  const unknown = groups.filter(({ slots }) => slots.before === null && slots.after === null);
  const named = (those: readonly TouchedGroupImpact[]): string =>
    few(
      those.map(({ group }) => addressOf(ROUTED.name, group)),
      3,
    );
  return [
    'a chat is a thread; one that an agent or an integration starts in a group, or moves there, counts for the group as well',
    ...(hasRules && rulesChanged === null ? ['the rules were the same in all of these days'] : []),
    ...(hasGains ? ['a group gains at most all chats of the groups that its new visitors come from'] : []),
    ...(known.length === 0
      ? []
      : [
          'waiting is calculated by Erlang C: chats come at random, at the mean rate of their hour of the week, and take the mean length; all slots at work serve all of them, so real waits are longer',
          'an agent in several groups counts in each of them with all slots',
        ]),
    ...(free.length === 0 ? [] : [`members without known hours count as always there: ${named(free)}`]),
    ...(unknown.length === 0 ? [] : [`the slots are not known, so no waiting is calculated: ${named(unknown)}`]),
  ];
}
