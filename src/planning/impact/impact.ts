// The impact of a plan: what is asked of the reports, and what their answers say about it.

import { byText } from '../../base/json.ts';
import type { Address, Reference } from '../../base/model.ts';
import { few } from '../../base/text.ts';
import { timestamp, type Week } from '../../base/week.ts';
import { offsetAt, wallOf } from '../../base/zone.ts';
import { type AgentFigures, type Hour, type Measures, totalOf } from '../../demand/hourly.ts';
import { hiddenAmong } from '../../demand/privacy.ts';
import type { MeasuredQueues } from '../../demand/queues.ts';
import { daysOf, type ReportRange } from '../../demand/range.ts';
import { demandByHour } from '../../demand/week.ts';
import { ROUTED } from '../../kinds/index.ts';
import type { Impact, PersonShare, TouchedGroupImpact } from '../../plan/impact.ts';
import { addressOf } from '../../plan/reference.ts';
import { coverageOf, type GroupCover } from '../../routing/staff/coverage.ts';
import type { Member, Staff } from '../../routing/staff/staff.ts';
import { boundOf, carriedBy, chatsOf, type Demands, type GroupDemand, type ServedDemand } from './carried.ts';
import { uncountedLeavers, type Waiters, waitersIn, withoutWaits } from './queue.ts';
import { type HourTeams, type StaffSides, teamsByHour } from './sharing.ts';
import type { Touched, TouchedGroup } from './touched.ts';
import { type CoverSides, groupImpact, isWaitingUnknown, madeGroupImpact, type WaitingBasis } from './waiting.ts';

/** What the reports say of one group. */
interface GroupReadings {
  readonly chats: readonly Hour<Measures['chats']>[];
  /** Without continuous chats, which wait for no agent. */
  readonly synchronous: readonly Hour<Measures['chats']>[];
  readonly notTaken: readonly Hour<Measures['not_taken']>[];
}

/** Of the chats that need a slot. */
export function servedDemand(synchronous: GroupReadings['synchronous'], zone: string): ServedDemand {
  const total = totalOf(synchronous);
  return {
    hours: demandByHour(synchronous, zone),
    length: total === null || total.chats === 0 ? null : total.seconds / total.chats,
  };
}

export function demandOf({ chats, synchronous, notTaken }: GroupReadings, zone: string): GroupDemand {
  const last = chats.findLast((hour) => hour.chats > 0);
  return {
    chats: totalOf(chats)?.chats ?? 0,
    notTaken: totalOf(notTaken)?.chats ?? 0,
    last: last === undefined ? null : wallOf(last.at + offsetAt(zone, last.at)).date,
    ...servedDemand(synchronous, zone),
  };
}

/** What was learned, and what it is about. */
interface ImpactInput {
  readonly touched: Touched;
  readonly staff: StaffSides;
  /** The week whose working hours count. */
  readonly week: Week;
  readonly range: ReportRange;
  readonly demands: Demands;
  /** Of groups that share agents with the touched ones. */
  readonly sharing: ReadonlyMap<Address, ServedDemand>;
  /** Who waited in the touched groups. */
  readonly queues: MeasuredQueues;
  /** Bots whose routing status cannot be read, and who took no chat: the staff has them as without one. */
  readonly silent: ReadonlySet<Address>;
  /** Figures of persons by group; null when they were not asked for. */
  readonly figures: ReadonlyMap<Address, readonly AgentFigures[]> | null;
  /** Why the chats of these days do not tell what rules send where, as a clause; null where they do. */
  readonly rulesChanged: string | null;
  /** Why the reports were not read to the end; null when they were. */
  readonly missing: string | null;
  readonly requests: { readonly [report: string]: number };
}

export function impactOf(input: ImpactInput): Impact {
  const { touched, staff, sharing, queues, range, week, figures, missing, rulesChanged, requests } = input;
  const waiters = waitersIn(touched, queues);
  const demands = withoutWaits(input.demands, waiters);
  const days = daysOf(range).length;
  const changes = touched.changes.map((change) => carriedBy(change, { touched, demands, rulesChanged }));
  const destroyed = touched.changes.flatMap((change) => (change.what === 'destroyed-group' ? [change.address] : []));
  const covers = new Map(
    [...touched.groups, ...touched.made].map((group) => [group.address, coverOf(group.address, input)]),
  );
  const coverFor = (group: Address): CoverSides => covers.get(group) ?? UNKNOWN_COVER;
  // What a group gains is told from the chats of other groups, which say nothing once rules changed.
  const known: Demands = rulesChanged === null ? demands : new Map();
  const served = new Map<Address, ServedDemand>([...sharing, ...demands]);
  const serving = new Set([...served.keys(), ...touched.made.map(({ address }) => address)]);
  const teamsOf = (side: Staff): HourTeams => teamsByHour(side, serving, touched.groupOf, week);
  const teams = { before: teamsOf(staff.before), after: teamsOf(staff.after) };
  const basis: WaitingBasis = { week, teams, served, ...waiters };
  const existing = touched.groups.flatMap((group): readonly TouchedGroupImpact[] => {
    const demand = demands.get(group.address);
    return demand === undefined ? [] : [groupImpact(group, demand, known, coverFor(group.address), basis)];
  });
  const made = touched.made.map((group) => madeGroupImpact(group, known, coverFor(group.address).after, basis));
  const groups = [...existing, ...made].sort((one, other) => byText(one.group, other.group));
  const from = boundOf(touched.sources, demands);
  const isTold = rulesChanged === null || touched.sources.length + destroyed.length === 0;
  const moved =
    from === null || !touched.isWhole || !isTold ? null : chatsOf([...new Set([...from, ...destroyed])], demands);
  const counted = [...new Set([...changes.flatMap((change) => change.groups), ...(from ?? []), ...destroyed])];
  const isKnown = moved !== null && changes.every(({ chats }) => chats !== null);
  const chats = isKnown ? chatsOf(counted, demands) : null;
  const notTaken = counted.reduce((sum, group) => sum + (demands.get(group)?.notTaken ?? 0), 0);
  const isWaitingKnown =
    touched.isWhole &&
    (rulesChanged === null || touched.groups.every(({ changed }) => changed.length === 0)) &&
    touched.unknown.length === 0 &&
    existing.length === touched.groups.length &&
    groups.every(({ gains }) => gains !== null) &&
    touched.made.every(({ address }) => coverFor(address).after !== null) &&
    touched.groups.every(
      (group) => destroyed.includes(group.address) || !isWaitingUnknown(group, coverFor(group.address)),
    );
  const worst = groups.flatMap(({ worse }) => worse).sort((a, b) => b.after.seconds - a.after.seconds)[0];
  return {
    from: timestamp(range.zone, range.from),
    to: timestamp(range.zone, range.to),
    days,
    timezone: range.zone,
    chats,
    chats_per_week: perWeek(chats, days),
    ...(chats === null ? {} : { not_taken: notTaken }),
    moved,
    moved_per_week: perWeek(moved, days),
    wait_before: isWaitingKnown ? (worst?.before.seconds ?? 0) : null,
    wait_after: isWaitingKnown ? (worst?.after.seconds ?? 0) : null,
    changes,
    groups,
    missing: [
      ...(missing === null ? [] : [missing]),
      ...(touched.unknown.length === 0 ? [] : [`not found on the license: ${few(touched.unknown, 3)}`]),
    ],
    assumptions: assumptionsOf(input, groups, coverFor, waiters),
    requests_sent: requests,
    ...(figures === null ? {} : { people: sharesOf(touched.groups, figures, demands) }),
  };
}

/** Rounded up to a tenth: it says "at most". */
function perWeek(count: number | null, days: number): number | null {
  return count === null ? null : Math.ceil((count * 70) / days) / 10;
}

/** What keeps a member from chats, and a person may end. */
const WAITING: readonly Member['barred'][] = ['waiting for approval', 'offline', 'not accepting chats'];

const UNKNOWN_COVER: CoverSides = { before: null, after: null };

/** Null where members, slots or the group itself are not known. Others than its members may answer in the default group: there the cover is the least. */
function coverOf(address: Address, { touched, staff, week }: ImpactInput): CoverSides {
  const of = (side: Staff): GroupCover | null => {
    const groups = side.groups.filter(({ reference }) => touched.groupOf(reference) === address);
    const cover = groups.length === 0 ? undefined : coverageOf({ ...side, groups }, week).groups[0];
    if (cover === undefined) return null;
    return cover.group.isWhole && cover.unsized === 0 ? cover : null;
  };
  return { before: of(staff.before), after: of(staff.after) };
}

function assumptionsOf(
  { touched, staff, demands, queues, silent, rulesChanged }: ImpactInput,
  groups: readonly TouchedGroupImpact[],
  coverFor: (group: Address) => CoverSides,
  waiters: Waiters,
): readonly string[] {
  if (groups.length === 0) return [];
  const isOf = (those: readonly TouchedGroupImpact[], reference: Reference): boolean =>
    those.some(({ group }) => group === touched.groupOf(reference));
  const hasRules = touched.changes.some(({ what }) => what === 'rule');
  const hasGains = [...touched.groups, ...touched.made].some(({ gains }) => gains.length > 0);
  const known = groups.filter(({ slots }) => slots.before !== null || slots.after !== null);
  const isShared = [...staff.before.people, ...staff.after.people].some(
    (person) => person.groups.length > 1 && person.groups.some((group) => isOf(known, group)),
  );
  const coversOf = ({ group }: TouchedGroupImpact): readonly GroupCover[] => {
    const { before, after } = coverFor(group as Address);
    return [before, after].flatMap((cover) => cover ?? []);
  };
  const free = known.filter((group) => coversOf(group).some(({ anytime }) => anytime.people > 0));
  const members = known.flatMap((group) => coversOf(group).flatMap((cover) => cover.group.members));
  const isSilent = (member: Member): boolean => silent.has(touched.personOf(member));
  const idle = members.filter(isSilent);
  const pending = members.filter((member) => WAITING.includes(member.barred) && !isSilent(member));
  const doubtful = members.filter(({ barred, doubt }) => barred === null && doubt !== null);
  const called = (those: readonly Member[]): string =>
    few([...new Set(those.map(({ kind, reference }) => addressOf(kind, reference)))], 3);
  const unknown = groups.filter(({ slots }) => slots.before === null && slots.after === null);
  const open = known.filter((group) => coversOf(group).some((cover) => cover.group.builtin));
  const named = (those: readonly Pick<TouchedGroupImpact, 'group'>[]): string =>
    few(
      those.map(({ group }) => addressOf(ROUTED.name, group)),
      3,
    );
  const uncounted = uncountedLeavers(demands, waiters).map((group) => ({ group }));
  return [
    'a chat is a thread; one that an agent or an integration starts in a group, or moves there, counts for the group as well',
    ...(hasRules && rulesChanged === null ? ['the rules were the same in all of these days'] : []),
    ...(rulesChanged === null
      ? []
      : [
          `${rulesChanged}: the chats of these days do not tell what a change of rules moves, nor where chats would wait longer`,
        ]),
    ...(hasGains && rulesChanged === null
      ? ['a group gains at most all chats of the groups that its new visitors come from']
      : []),
    ...(known.length === 0 ? [] : [modelText(known, queues)]),
    ...(groups.some(({ waiting }) => (waiting.measured?.leaves ?? 0) > 0)
      ? [
          'visitors who left the queue are chats of their group, and took no slot: no page of the service says whether reports count them',
        ]
      : []),
    ...(uncounted.length === 0
      ? []
      : [
          `more visitors waited in ${named(uncounted)} than there were chats: those who left seem to be no chats there, and the measured shares are too high`,
        ]),
    ...(isShared ? ['an agent in several groups counts once: the chats of all of these groups share the slots'] : []),
    ...(open.length === 0
      ? []
      : [
          `in ${named(open)}, the default group, any agent may answer, and only its members count: waits are at most so long`,
        ]),
    ...(free.length === 0 ? [] : [`members without known hours count as always there: ${named(free)}`]),
    ...(pending.length === 0 ? [] : [`members who get no chats have no slots: ${called(pending)}`]),
    ...(idle.length === 0
      ? []
      : [`no chat went to ${called(idle)} in these days: counted as if the routing status were not set`]),
    ...(doubtful.length === 0
      ? []
      : [`the routing status of ${called(doubtful)} cannot be read: counted as if it were set`]),
    ...(touched.isWhole
      ? []
      : [
          'the rules are too many to compare, so it is not known how many chats move, and where chats would wait longer',
        ]),
    ...(unknown.length === 0 ? [] : [`the slots are not known, so no waiting is calculated: ${named(unknown)}`]),
  ];
}

/** What waiting in these groups is calculated from. */
function modelText(groups: readonly TouchedGroupImpact[], queues: MeasuredQueues): string {
  const patience = groups.flatMap(({ patience_seconds: seconds }) => seconds ?? []).map(Math.round);
  const chats = 'chats come at random, at the mean rate of their hour of the week, and take the mean length';
  if (patience.length < groups.length) {
    const why =
      queues.by === 'nothing' ? 'the reports do not measure it before version 3.6' : 'too few left in these days';
    return `waiting is calculated by Erlang C: ${chats}; visitors wait as long as it takes, and how many would leave is not known, because ${why}`;
  }
  const [least, most] = [Math.min(...patience), Math.max(...patience)];
  const seconds = least === most ? `${most} s` : `${least} to ${most} s`;
  return `waiting is calculated by Erlang A: ${chats}; visitors leave after ${seconds} on average without an agent, as those did who waited in these days`;
}

/** `figures` by group. */
export function sharesOf(
  groups: readonly TouchedGroup[],
  figures: ReadonlyMap<Address, readonly AgentFigures[]>,
  demands: Demands,
): readonly PersonShare[] {
  return groups.flatMap(({ address: group, changed }) => {
    const known = figures.get(group);
    const of = demands.get(group)?.chats;
    if (known === undefined || of === undefined) return [];
    const counts = changed.map(({ id }) => known.find(({ agent }) => agent === id)?.chats ?? 0);
    const others = known.filter(({ agent }) => changed.every(({ id }) => id !== agent));
    // Those of the group, less the shares, are the chats of all who have none.
    const hidden = hiddenAmong(
      counts,
      others.reduce((sum, { chats }) => sum + chats, 0),
    );
    return changed.map(({ address }, place): PersonShare => {
      return { address, group, chats: hidden.has(place) ? null : (counts[place] ?? null), of };
    });
  });
}
