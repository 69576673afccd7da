// One touched group: its demand over its cover, hour by hour, and the hours in which chats would wait longer than now.

import type { Address } from '../../base/model.ts';
import type { Week } from '../../base/week.ts';
import { atOnce, type Waiting } from '../../demand/erlang.ts';
import { measuredWaiting, type QueueFigures, shownWaiting } from '../../demand/queues.ts';
import { sharedLoad } from '../../demand/shared.ts';
import {
  chatsIn,
  coverByHour,
  dayAndHour,
  demandByHour,
  excessIn,
  HOURS_OF_WEEK,
  type HourPart,
  hoursText,
  type LoadedPart,
  meanSlots,
  meanWaiting,
  rounded,
  waitingIn,
} from '../../demand/week.ts';
import type { GroupWaiting, TouchedGroupImpact, WaitingHour, WorseHour } from '../../plan/impact.ts';
import type { GroupCover } from '../../routing/staff/coverage.ts';
import { boundOf, chatsOf, type Demands, type GroupDemand, type ServedDemand } from './carried.ts';
import type { Waiters } from './queue.ts';
import type { HourTeams } from './sharing.ts';
import type { MadeGroup, TouchedGroup } from './touched.ts';

/** The cover of a group before and after; null for a group whose slots are not known then. */
export interface CoverSides {
  readonly before: GroupCover | null;
  readonly after: GroupCover | null;
}

/** What the waiting of every group is calculated from. */
export interface WaitingBasis extends Waiters {
  readonly week: Week;
  /** Of the touched groups, and of those that share agents with them. */
  readonly teams: { readonly before: HourTeams; readonly after: HourTeams };
  readonly served: ReadonlyMap<Address, ServedDemand>;
}

/** An hour counts as worse from so much more on: share of the chats that waits, chats at once beyond the slots, or mean wait in seconds. */
const NOTICEABLE = { share: 0.01, excess: 0.01, seconds: 10 } as const;

/** One hour of the week, before and after. */
interface HourLoad {
  readonly before: number;
  readonly after: number;
  /** What they were counted from: chats, those of all sources included, in so many such hours. */
  readonly chats: number;
  readonly times: number;
}

export function groupImpact(
  touched: TouchedGroup,
  demand: GroupDemand,
  demands: Demands,
  cover: CoverSides,
  basis: WaitingBasis,
): TouchedGroupImpact {
  const parts = { before: partsOf(cover.before, basis.week), after: partsOf(cover.after, basis.week) };
  return impactOn(touched, demand, demands, parts, basis);
}

/** A group that the plan makes: it has no chats yet, and no slots. */
export function madeGroupImpact(
  made: MadeGroup,
  demands: Demands,
  cover: CoverSides['after'],
  basis: WaitingBasis,
): TouchedGroupImpact {
  const { week } = basis;
  const hours = demandByHour([], week.zone);
  const nothing: GroupDemand = { chats: 0, notTaken: 0, last: null, hours, length: null };
  const parts = { before: [], after: partsOf(cover, week) };
  const { slots, ...others } = impactOn(made, nothing, demands, parts, basis);
  return { ...others, slots: { ...slots, before: null }, is_new: true };
}

interface PartSides {
  readonly before: HourParts | null;
  readonly after: HourParts | null;
}

/** One entry for each hour of the week; empty for a group that does not exist. */
type HourParts = readonly (readonly HourPart[])[];

function impactOn(
  { address, name, touchedBy, gains }: MadeGroup,
  demand: GroupDemand,
  demands: Demands,
  parts: PartSides,
  basis: WaitingBasis,
): TouchedGroupImpact {
  const sources = boundOf(gains, demands);
  const loads = loadsOf(demand, sources ?? [], demands);
  const length = lengthOf(demand, sources ?? [], demands);
  const patience = basis.patienceIn(address);
  const isKnown = parts.before !== null && parts.after !== null;
  const hours = isKnown ? hourWaits({ address, sources: sources ?? [], loads, length, patience }, basis) : [];
  return {
    group: address,
    name,
    touched_by: touchedBy,
    chats: demand.chats,
    not_taken: demand.notTaken,
    last: demand.last,
    gains: chatsOf(sources, demands),
    chat_seconds: demand.length === null ? null : rounded(demand.length),
    patience_seconds: patience === null ? null : rounded(patience),
    demand: {
      before: loads.map(({ before }) => rounded(atOnce(before, length))),
      after: loads.map(({ after }) => rounded(atOnce(after, length))),
    },
    slots: { before: slotsOf(parts.before), after: slotsOf(parts.after) },
    waiting: {
      measured: measuredIn(demand, basis.queueIn(address)),
      before: isKnown ? overall(hours.map(({ load, was }) => ({ perHour: load.before, waiting: was }))) : null,
      after: isKnown ? overall(hours.map(({ load, is }) => ({ perHour: load.after, waiting: is }))) : null,
    },
    worse: parts.before === null || parts.after === null ? [] : worseHours(hours, length, parts.before, parts.after),
  };
}

/** Of the chats that need a slot; null where the reports do not measure who waited. */
function measuredIn({ hours }: GroupDemand, queue: QueueFigures | null): GroupWaiting | null {
  const waiting = queue === null ? null : measuredWaiting(queue, chatsIn(hours));
  return waiting === null ? null : shownWaiting(waiting);
}

/** Of all chats of a week; null without one. */
function overall(hours: readonly { readonly perHour: number; readonly waiting: Waiting }[]): GroupWaiting | null {
  const all = hours.reduce((sum, { perHour }) => sum + perHour, 0);
  if (all === 0) return null;
  return shownWaiting(meanWaiting(hours.map(({ perHour, waiting }) => ({ weight: perHour / all, waiting }))));
}

/** Whether more chats may wait in the group, and its slots do not tell. */
export function isWaitingUnknown({ changed, gains }: TouchedGroup, { before, after }: CoverSides): boolean {
  return changed.length + gains.length > 0 && (before === null || after === null);
}

function loadsOf({ hours }: GroupDemand, sources: readonly Address[], demands: Demands): readonly HourLoad[] {
  return hours.map((own, index): HourLoad => {
    const others = sources.flatMap((group) => demands.get(group)?.hours[index] ?? []);
    return {
      before: own.perHour,
      after: others.reduce((sum, { perHour }) => sum + perHour, own.perHour),
      chats: others.reduce((sum, { chats }) => sum + chats, own.chats),
      times: Math.max(own.times, ...others.map(({ times }) => times)),
    };
  });
}

/** Of the group's own chats; without any, of the longest of those that come. */
function lengthOf({ length }: GroupDemand, sources: readonly Address[], demands: Demands): number {
  return length ?? Math.max(0, ...sources.map((group) => demands.get(group)?.length ?? 0));
}

function partsOf(cover: GroupCover | null, week: Week): HourParts | null {
  return cover === null ? null : coverByHour(cover, week);
}

function slotsOf(parts: HourParts | null): readonly number[] | null {
  return parts === null ? null : parts.map((hour) => rounded(meanSlots(hour)));
}

/** Waiting in one hour, and the chats at once that find no slot in all of it. */
interface HourWaiting extends Waiting {
  readonly excess: number;
  /** Chats at once of other groups on the slots of the group. */
  readonly others: number;
}

/** One hour of the week, now and after the plan. */
interface HourSides {
  readonly index: number;
  readonly load: HourLoad;
  readonly was: HourWaiting;
  readonly is: HourWaiting;
}

/** The chats of one group. Times in seconds. */
interface GroupLoads {
  readonly address: Address;
  readonly sources: readonly Address[];
  readonly loads: readonly HourLoad[];
  readonly length: number;
  readonly patience: number | null;
}

/** The chats of the sources are counted in the group afterwards, and so not in the sources. */
function hourWaits(group: GroupLoads, { teams, served }: WaitingBasis): readonly HourSides[] {
  const { address, sources, loads, length, patience } = group;
  const others = [...served].filter(([name]) => name !== address);
  const staying = others.filter(([name]) => !sources.includes(name));
  const loadsIn = (index: number, own: number, those: typeof others): ReadonlyMap<string, number> =>
    new Map<string, number>([
      [address, own],
      ...those.map(([name, { hours, length: each }]) => [name, atOnce(hours[index]?.perHour ?? 0, each ?? 0)] as const),
    ]);
  const waitingAt = (index: number, perHour: number, side: HourTeams, those: typeof others): HourWaiting => {
    const own = atOnce(perHour, length);
    if (own === 0) return { share: 0, seconds: 0, leaves: patience === null ? null : 0, excess: 0, others: 0 };
    const all = loadsIn(index, own, those);
    const parts = (side[index] ?? []).map(
      ({ share, piece }): LoadedPart => ({ share, ...sharedLoad(address, piece.teams, all) }),
    );
    const load = parts.reduce((sum, part) => sum + part.share * part.load, 0);
    return { ...waitingIn(parts, length, patience), excess: excessIn(parts), others: Math.max(0, load - own) };
  };
  return Array.from({ length: HOURS_OF_WEEK }, (_, index) => {
    const load = loads[index] ?? { before: 0, after: 0, chats: 0, times: 0 };
    return {
      index,
      load,
      was: waitingAt(index, load.before, teams.before, others),
      is: waitingAt(index, load.after, teams.after, staying),
    };
  });
}

/** In an hour that is full already every chat waits as long as it can be said, so that only the excess tells more from fewer slots. */
function isWorse({ was, is }: HourSides): boolean {
  return (
    is.share - was.share >= NOTICEABLE.share ||
    is.excess - was.excess >= NOTICEABLE.excess ||
    is.seconds - was.seconds >= NOTICEABLE.seconds
  );
}

function worseHours(
  hours: readonly HourSides[],
  length: number,
  before: HourParts,
  after: HourParts,
): readonly WorseHour[] {
  const shown = (parts: readonly HourPart[], perHour: number, waiting: HourWaiting): WaitingHour => ({
    at_once: rounded(atOnce(perHour, length)),
    ...(waiting.others < LEAST_SHOWN ? {} : { others_at_once: rounded(waiting.others) }),
    slots: rounded(meanSlots(parts)),
    ...shownWaiting(waiting),
  });
  return hours
    .filter(isWorse)
    .sort(
      ({ is: one }, { is: other }) =>
        other.share - one.share || other.seconds - one.seconds || other.excess - one.excess,
    )
    .map(({ index, load, was, is }) => ({
      text: hoursText(index),
      ...dayAndHour(index),
      chats: load.chats,
      times: load.times,
      before: shown(before[index] ?? [], load.before, was),
      after: shown(after[index] ?? [], load.after, is),
    }));
}

/** Chats at once of other groups from which on they are shown. */
const LEAST_SHOWN = 0.05;
