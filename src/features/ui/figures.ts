// Figures of chats next to the page: what usually comes in a time, the last seven days next to those before, and what came since each change.

import { dayOf, timestamp } from '../../base/week.ts';
import { HOUR, type Interval } from '../../base/zone.ts';
import { daysOf, type ReportRange } from '../../demand/range.ts';
import { demandByHour } from '../../demand/week.ts';
import { WEEK } from '../../routing/staff/dates.ts';
import type { GroupChats, ReadChats } from '../coverage/demand.ts';
import type { RunEntry } from '../history/schema.ts';
import { changesText } from '../history/words.ts';
import type { ShownMembers } from '../show/schema.ts';

/** Chats of a time, and of the same time a week before; null where that was not read. */
export interface ComparedChats {
  readonly group: string;
  readonly chats: number;
  readonly before: number | null;
}

export interface ChangeChats {
  /** Id of the run. */
  readonly run: string;
  /** RFC 3339: the first hour that is counted. */
  readonly from: string;
  readonly what: string;
  /** Those that the change is about. */
  readonly groups: readonly ComparedChats[];
}

/** A run, as far as it says whose chats it is about. */
export type RunOfChats = Pick<RunEntry, 'id' | 'at' | 'ended_at' | 'command' | 'changes' | 'objects' | 'order'>;

export interface PageFigures {
  /** How many days were read. */
  readonly days: number;
  /** RFC 3339: what came later is not counted. */
  readonly to: string;
  readonly week: {
    /** YYYY-MM-DD. */
    readonly first: string;
    readonly last: string;
    readonly groups: readonly ComparedChats[];
  };
  /** Newest first, without those of which no whole hour was read. */
  readonly changes: readonly ChangeChats[];
}

export function figuresOf(read: ReadChats, runs: readonly RunOfChats[], members: ShownMembers): PageFigures {
  const { range, groups } = read;
  const days = daysOf(range);
  const week = days.slice(-7);
  const [first, last] = [week[0], week.at(-1)];
  return {
    days: days.length,
    to: timestamp(range.zone, range.to),
    week: {
      first: first?.date ?? '',
      last: last?.date ?? '',
      groups: groups.map((group) => compared(group, { from: first?.from ?? range.from, to: range.to }, range)),
    },
    changes: runs.flatMap((run) => changeChats(run, read, members)),
  };
}

function changeChats(run: RunOfChats, { range, groups }: ReadChats, members: ShownMembers): readonly ChangeChats[] {
  const from = Math.ceil(Date.parse(run.ended_at ?? run.at) / HOUR) * HOUR;
  const about = groupsIn(run, members);
  const those = groups.filter(({ address }) => about.has(address));
  if (from + HOUR > range.to || those.length === 0) return [];
  const compare = (group: GroupChats): ComparedChats => compared(group, { from, to: range.to }, range);
  return [{ run: run.id, from: timestamp(range.zone, from), what: changesText(run), groups: those.map(compare) }];
}

/** Groups that a run changed, that its values name, and those of the people whom it changed. */
function groupsIn({ objects = [], order }: RunOfChats, { groups, people }: ShownMembers): ReadonlySet<string> {
  const text = JSON.stringify([objects.map(({ address, fields }) => [address, fields]), order ?? null]);
  const changed = new Set<string>(objects.map(({ address }) => address));
  const named = groups.map(({ address }) => address).filter((address) => text.includes(JSON.stringify(address)));
  const theirs = people.filter(({ address }) => changed.has(address)).flatMap((person) => person.groups);
  return new Set([...named, ...theirs.map(({ group }) => group)]);
}

function compared({ address, chats }: GroupChats, time: Interval, range: ReportRange): ComparedChats {
  const within = ({ from, to }: Interval): number =>
    chats.reduce((sum, hour) => sum + (hour.at >= from && hour.at < to ? hour.chats : 0), 0);
  const earlier = { from: time.from - WEEK, to: time.to - WEEK };
  return { group: address, chats: within(time), before: earlier.from < range.from ? null : within(earlier) };
}

/** Chats that usually come in each hour of the week; null for one that the range does not have. */
export function usualByHour({ chats }: Pick<GroupChats, 'chats'>, zone: string): readonly (number | null)[] {
  return demandByHour(chats, zone).map(({ perHour, times }) => (times === 0 ? null : Math.round(perHour * 100) / 100));
}

/** `2026-11-22 to 2026-11-28`. */
export function weekText({ first, last }: PageFigures['week']): string {
  return dayOf(first) === dayOf(last) ? first : `${first} to ${last}`;
}
