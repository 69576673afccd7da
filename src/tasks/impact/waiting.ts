// One touched group: its demand over its cover, hour by hour, and the hours in which more chats would wait than now.

import type { Address } from '../../base/model.ts';
import type { TouchedGroupImpact, WaitingHour, WorseHour } from '../../plan/impact.ts';
import type { GroupCover } from '../../staff/coverage.ts';
import type { Week } from '../../staff/week.ts';
import { boundOf, chatsOf, type Demands, type GroupDemand } from './carried.ts';
import { atOnce } from './erlang.ts';
import {
  coverByHour,
  dayAndHour,
  HOURS_OF_WEEK,
  type HourPart,
  hoursText,
  meanSlots,
  rounded,
  waitingIn,
} from './hours.ts';
import type { TouchedGroup } from './touched.ts';

/** The cover of a group before and after; null for a group that does not exist then, or whose slots are not known. */
export interface CoverSides {
  readonly before: GroupCover | null;
  readonly after: GroupCover | null;
}

/** From this share of the chats on, an hour counts as worse. */
const NOTICEABLE = 0.01;

/** One hour of the week, before and after. */
interface HourLoad {
  readonly before: number;
  readonly after: number;
}

export function groupImpact(
  touched: TouchedGroup,
  demand: GroupDemand,
  demands: Demands,
  cover: CoverSides,
  week: Week,
): TouchedGroupImpact {
  const sources = boundOf(touched.gains, demands);
  const loads = loadsOf(demand, sources ?? [], demands);
  const length = lengthOf(demand, sources ?? [], demands);
  const parts = { before: partsOf(cover.before, week), after: partsOf(cover.after, week) };
  return {
    group: touched.address,
    name: touched.name,
    touched_by: touched.touchedBy,
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
  return hours.map(({ perHour: before }, index) => ({
    before,
    after: sources.reduce((sum, group) => sum + (demands.get(group)?.hours[index]?.perHour ?? 0), before),
  }));
}

/** Of the group's own chats; without any, of the longest of those that come. */
function lengthOf({ length }: GroupDemand, sources: readonly Address[], demands: Demands): number {
  return length ?? Math.max(0, ...sources.map((group) => demands.get(group)?.length ?? 0));
}

function partsOf(cover: GroupCover | null, week: Week): readonly (readonly HourPart[])[] | null {
  return cover === null ? null : coverByHour(cover, week);
}

function slotsOf(parts: readonly (readonly HourPart[])[] | null): readonly number[] | null {
  return parts === null ? null : parts.map((hour) => rounded(meanSlots(hour)));
}

function worseHours(
  loads: readonly HourLoad[],
  length: number,
  before: readonly (readonly HourPart[])[],
  after: readonly (readonly HourPart[])[],
): readonly WorseHour[] {
  const hourOf = (parts: readonly HourPart[], perHour: number): WaitingHour => {
    const { share, seconds } = waitingIn(parts, perHour, length);
    const at_once = rounded(atOnce(perHour, length));
    return { at_once, slots: rounded(meanSlots(parts)), share: rounded(share), seconds: rounded(seconds) };
  };
  const hours = Array.from({ length: HOURS_OF_WEEK }, (_, index): WorseHour => {
    const load = loads[index] ?? { before: 0, after: 0 };
    return {
      text: hoursText(index),
      ...dayAndHour(index),
      before: hourOf(before[index] ?? [], load.before),
      after: hourOf(after[index] ?? [], load.after),
    };
  });
  return hours
    .filter((hour) => hour.after.share - hour.before.share >= NOTICEABLE)
    .sort((one, other) => other.after.seconds - one.after.seconds || other.after.share - one.after.share);
}
