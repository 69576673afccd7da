// Demand of groups next to their declared staff: hours with chats and no agent scheduled, and hours with agents in which no chat came.

import type { Address, Reference } from '../../base/model.ts';
import { timestamp, type Week } from '../../base/week.ts';
import { atOnce } from '../../demand/erlang.ts';
import { type Hour, type Measures, totalOf } from '../../demand/hourly.ts';
import { measuredWaiting, type QueueFigures, shownWaiting } from '../../demand/queues.ts';
import { daysOf, type ReportRange } from '../../demand/range.ts';
import {
  coverByHour,
  demandByHour,
  type HourDemand,
  type HourPart,
  hoursText,
  meanSlots,
  mostWithoutAny,
  rounded,
  runsOf,
} from '../../demand/week.ts';
import type { GroupCover } from '../../routing/staff/coverage.ts';
import type { DemandReport, StaffedDemand } from './report.ts';

/** The chats of one group. */
export interface GroupChats {
  readonly address: Address;
  /** All of them: where no agent is there, visitors often leave a message in a continuous chat. */
  readonly chats: readonly Hour<Measures['chats']>[];
  /** Those that need a slot. */
  readonly synchronous: readonly Hour<Measures['chats']>[];
  /** Null where the reports do not measure it for the group. */
  readonly queue: QueueFigures | null;
}

/** The chats of groups, as far as they could be read. */
export interface ReadChats {
  readonly range: ReportRange;
  readonly groups: readonly GroupChats[];
  /** Why not all of them were read; null when they were. */
  readonly missing: string | null;
}

interface CoveredGroup {
  readonly address: Address;
  readonly cover: GroupCover;
}

type MeasuredGroup = GroupChats & CoveredGroup;

/** `missing` says what else was not looked at, and why. */
export function demandReport(
  covers: readonly CoveredGroup[],
  { range, groups, missing: failure }: ReadChats,
  week: Week,
  missing: readonly string[] = [],
): DemandReport {
  const { zone, from, to } = range;
  const chats = new Map(groups.map((group) => [group.address, group]));
  const measured = covers.flatMap(({ address, cover }): readonly MeasuredGroup[] => {
    const own = chats.get(address);
    return own === undefined ? [] : [{ ...own, cover }];
  });
  return {
    from: timestamp(zone, from),
    to: timestamp(zone, to),
    days: daysOf(range).length,
    groups: measured.map((each) => staffedDemand(each, week, zone)),
    missing: [...(failure === null ? [] : [failure]), ...missing],
  };
}

function staffedDemand(
  { cover, address, chats, synchronous, queue }: MeasuredGroup,
  week: Week,
  zone: string,
): StaffedDemand {
  const demand = demandByHour(chats, zone);
  const total = totalOf(synchronous);
  const length = total === null || total.chats === 0 ? 0 : total.seconds / total.chats;
  const parts = coverByHour(cover, week);
  const waited = queue === null ? null : measuredWaiting(queue, total?.chats ?? 0);
  // Of the default group every agent may be a member.
  const isKnown = cover.group.isWhole && !cover.group.builtin;
  const busiest = busiestOf(demand);
  return {
    address,
    chats: totalOf(chats)?.chats ?? 0,
    busiest: busiest === null ? null : { text: hoursText(busiest), per_hour: rounded(demand[busiest]?.perHour ?? 0) },
    at_once: demandByHour(synchronous, zone).map(({ perHour }) => rounded(atOnce(perHour, length))),
    slots: isKnown && cover.unsized === 0 ? parts.map((hour) => rounded(meanSlots(hour))) : null,
    waited: waited === null ? null : shownWaiting(waited),
    unstaffed: isKnown
      ? spansOf((index) => isUnstaffed(parts[index] ?? []) && (demand[index]?.chats ?? 0) > 0, demand)
      : [],
    idle: isKnown ? idleSpans(parts, demand) : [],
  };
}

/** Hours with agents in which no chat came, and what that proves. An hour that these days do not have proves nothing. */
function idleSpans(parts: readonly (readonly HourPart[])[], demand: readonly HourDemand[]): StaffedDemand['idle'] {
  const isIdle = (index: number): boolean => {
    const { chats = 0, times = 0 } = demand[index] ?? {};
    return isStaffed(parts[index] ?? []) && times > 0 && chats === 0;
  };
  return spansOf(isIdle, demand).map((span) => {
    const looked = span.hours.reduce((sum, index) => sum + (demand[index]?.times ?? 0), 0);
    return { ...span, looked_at: looked, at_most_per_hour: Math.ceil(mostWithoutAny(looked) * 1000) / 1000 };
  });
}

/** An hour that the clock skips has no part, so it is neither. */
function isUnstaffed(parts: readonly HourPart[]): boolean {
  return parts.length > 0 && parts.every(({ people }) => people === 0);
}

function isStaffed(parts: readonly HourPart[]): boolean {
  return parts.length > 0 && parts.every(({ people }) => people > 0);
}

function spansOf(wanted: (index: number) => boolean, demand: readonly HourDemand[]): StaffedDemand['unstaffed'] {
  return runsOf(wanted).map(({ from, count }) => ({
    text: hoursText(from, count),
    hours: Array.from({ length: count }, (_, index) => (from + index) % demand.length),
    chats: Array.from({ length: count }, (_, index) => demand[(from + index) % demand.length]?.chats ?? 0).reduce(
      (sum, chats) => sum + chats,
      0,
    ),
  }));
}

/** Null without a chat. */
function busiestOf(demand: readonly HourDemand[]): number | null {
  const most = Math.max(...demand.map(({ perHour }) => perHour));
  return most === 0 ? null : demand.findIndex(({ perHour }) => perHour === most);
}

/** Id of a group on the license, for a declared one from `ids`; null when it is not known. */
export function groupIdOf(reference: Reference, ids: ReadonlyMap<string, number>): number | null {
  return ids.get(reference) ?? (/^\d+$/.test(reference) ? Number(reference) : null);
}
