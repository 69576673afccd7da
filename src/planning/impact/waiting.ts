// One touched group: its demand over its cover, hour by hour, and the hours in which chats would wait longer than now.

import type { Address } from '../../base/model.ts';
import type { Week } from '../../base/week.ts';
import { atOnce, type Waiting } from '../../demand/erlang.ts';
import {
  coverByHour,
  dayAndHour,
  demandByHour,
  excessIn,
  HOURS_OF_WEEK,
  type HourPart,
  hoursText,
  meanSlots,
  rounded,
  waitingIn,
} from '../../demand/week.ts';
import type { TouchedGroupImpact, WaitingHour, WorseHour } from '../../plan/impact.ts';
import type { GroupCover } from '../../routing/staff/coverage.ts';
import { boundOf, chatsOf, type Demands, type GroupDemand } from './carried.ts';
import type { MadeGroup, TouchedGroup } from './touched.ts';

/** The cover of a group before and after; null for a group whose slots are not known then. */
export interface CoverSides {
  readonly before: GroupCover | null;
  readonly after: GroupCover | null;
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
  week: Week,
): TouchedGroupImpact {
  const parts = { before: partsOf(cover.before, week), after: partsOf(cover.after, week) };
  return impactOn(touched, demand, demands, parts);
}

/** A group that the plan makes: it has no chats yet, and no slots. */
export function madeGroupImpact(
  made: MadeGroup,
  demands: Demands,
  cover: CoverSides['after'],
  week: Week,
): TouchedGroupImpact {
  const nothing: GroupDemand = { chats: 0, notTaken: 0, last: null, hours: demandByHour([], week.zone), length: null };
  const { slots, ...others } = impactOn(made, nothing, demands, { before: [], after: partsOf(cover, week) });
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
): TouchedGroupImpact {
  const sources = boundOf(gains, demands);
  const loads = loadsOf(demand, sources ?? [], demands);
  const length = lengthOf(demand, sources ?? [], demands);
  return {
    group: address,
    name,
    touched_by: touchedBy,
    chats: demand.chats,
    not_taken: demand.notTaken,
    last: demand.last,
    gains: chatsOf(sources, demands),
    chat_seconds: demand.length === null ? null : rounded(demand.length),
    demand: {
      before: loads.map(({ before }) => rounded(atOnce(before, length))),
      after: loads.map(({ after }) => rounded(atOnce(after, length))),
    },
    slots: { before: slotsOf(parts.before), after: slotsOf(parts.after) },
    worse: parts.before === null || parts.after === null ? [] : worseHours(loads, length, parts.before, parts.after),
  };
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
}

/** In an hour that is full already every chat waits as long as it can be said, so that only the excess tells more from fewer slots. */
function isWorse(before: HourWaiting, after: HourWaiting): boolean {
  return (
    after.share - before.share >= NOTICEABLE.share ||
    after.excess - before.excess >= NOTICEABLE.excess ||
    after.seconds - before.seconds >= NOTICEABLE.seconds
  );
}

function worseHours(
  loads: readonly HourLoad[],
  length: number,
  before: HourParts,
  after: HourParts,
): readonly WorseHour[] {
  const waitingOf = (parts: readonly HourPart[], perHour: number): HourWaiting => ({
    ...waitingIn(parts, perHour, length),
    excess: excessIn(parts, perHour, length),
  });
  const shown = (parts: readonly HourPart[], perHour: number, { share, seconds }: Waiting): WaitingHour => ({
    at_once: rounded(atOnce(perHour, length)),
    slots: rounded(meanSlots(parts)),
    share: rounded(share),
    seconds: rounded(seconds),
  });
  const hours = Array.from({ length: HOURS_OF_WEEK }, (_, index) => {
    const load = loads[index] ?? { before: 0, after: 0, chats: 0, times: 0 };
    const [had, has] = [before[index] ?? [], after[index] ?? []];
    return { index, load, had, has, was: waitingOf(had, load.before), is: waitingOf(has, load.after) };
  });
  return hours
    .filter(({ was, is }) => isWorse(was, is))
    .sort(
      ({ is: one }, { is: other }) =>
        other.share - one.share || other.seconds - one.seconds || other.excess - one.excess,
    )
    .map(({ index, load, had, has, was, is }) => ({
      text: hoursText(index),
      ...dayAndHour(index),
      chats: load.chats,
      times: load.times,
      before: shown(had, load.before, was),
      after: shown(has, load.after, is),
    }));
}
