// Demand as reports measure it, hour by hour, and its sums. A chat of the reports is a thread. customer-and-reports-notes.md, "Reports: semantics".

import { groupedBy } from '../base/grouped.ts';
import { type HourOfWeek, hourOfWeek } from './range.ts';

/** Whose work is measured. */
export interface StaffSelection {
  /** Ids of groups; without any, the whole license. A chat of two of them counts once. */
  readonly groups: readonly number[];
  /** Ids of agents, which are their e-mail addresses; without any, all of them. */
  readonly agents?: readonly string[];
}

/** Which chats are measured. */
export interface ChatSelection extends StaffSelection {
  readonly tags?: readonly string[];
  /** Leave out continuous chats, which wait for no agent. */
  readonly synchronous?: true;
  /** Leave out the chats that `test --on customer --chat` rehearsed, by the mark of the target. */
  readonly unrehearsed?: true;
}

/** What each measure says of one hour. Every member adds up over hours. */
export interface Measures {
  /** Chats that began in the hour; `seconds` that they took, and `agent_seconds` in which agents chatted in them. */
  readonly chats: { readonly chats: number; readonly seconds: number; readonly agent_seconds: number };
  /** Chats that no agent took. */
  readonly not_taken: { readonly chats: number };
  /** Chats that no agent answered. */
  readonly not_answered: { readonly chats: number };
  /** Chats with a first response, and the seconds until all of these together. */
  readonly first_response: { readonly chats: number; readonly seconds: number };
  /** Rated chats. */
  readonly ratings: { readonly good: number; readonly bad: number };
  /**
   * Visitors who waited in the queue: `served` got a chat from it, `left` gave up, and the seconds that each of these waited together. A version before
   * 3.6 does not measure it.
   */
  readonly queue: {
    readonly served: number;
    readonly served_seconds: number;
    readonly left: number;
    readonly left_seconds: number;
  };
}

export type Measure = keyof Measures;

/** One hour. `at` is when it begins; of a range that begins or ends within it, it holds that part. */
export type Hour<Content> = Content & { readonly at: number };

/** Time in which at least one of the agents accepted chats. */
export type PresenceTimes = {
  readonly minutes: number;
};

/** Numbers by name. */
export type HourCounts = { readonly [name: string]: number };

/** What one agent did in a range. Times in seconds; `first_response` is the average. It is a figure of a person: docs/how-to/how-many-chats.md, "Privacy". */
export interface AgentFigures {
  readonly agent: string;
  readonly chats: number;
  readonly good: number;
  readonly bad: number;
  readonly answered: number;
  readonly first_response: number;
  readonly accepting: number;
  readonly not_accepting: number;
  readonly logged_in: number;
  readonly chatting: number;
}

/** Below this many chats, a figure of a person says more about single chats than about a person, so it is not shown. */
export const LEAST_CHATS = 5;

/** The members of all hours, added up; null without an hour. */
export function totalOf<Content extends HourCounts>(hours: readonly Hour<Content>[]): Content | null {
  const [first] = hours;
  if (first === undefined) return null;
  const sums = Object.keys(withoutTime(first)).map((name) => [
    name,
    hours.reduce((sum, hour) => sum + (hour[name] ?? 0), 0),
  ]);
  return Object.fromEntries(sums) as Content;
}

/** One hour of the week, with the sum of all such hours and how many of them there are. */
export interface WeekHour<Content> extends HourOfWeek {
  readonly times: number;
  readonly sum: Content;
}

/** The hours by their hour of the week, from Monday 00:00; one that the range does not have is left out. */
export function byHourOfWeek<Content extends HourCounts>(
  hours: readonly Hour<Content>[],
  zone: string,
): readonly WeekHour<Content>[] {
  const slots = groupedBy(hours, ({ at }) => {
    const { weekday, hour } = hourOfWeek(zone, at);
    return weekday * 24 + hour;
  });
  return [...slots]
    .sort(([a], [b]) => a - b)
    .flatMap(([slot, found]): readonly WeekHour<Content>[] => {
      const sum = totalOf(found);
      if (sum === null) return [];
      return [{ weekday: Math.floor(slot / 24), hour: slot % 24, times: found.length, sum }];
    });
}

/** The numbers of an hour. */
export function withoutTime(hour: Hour<HourCounts>): HourCounts {
  const { at: _, ...content } = hour;
  return content;
}
