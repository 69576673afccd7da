// What the hours of one group say of each measure: its figures, and the test whether it changed.

import type { Hour, Measures } from '../../../demand/hourly.ts';
import { FOLLOWED, type Followed, type FollowedFigure } from './schema.ts';
import { type Mean, probabilityOfCount, probabilityOfMean } from './tests.ts';
import { type Count, eventsOf, exposureOf, sumOf, variations, type Weeks } from './variation.ts';
import { type FollowWindow, matched } from './window.ts';

/** What is read of a group, hour by hour: one request each. */
export const FOLLOWED_REPORTS = ['chats', 'not_taken', 'first_response', 'ratings'] as const;

/** Each from four weeks before the window to its end. */
export type GroupHours = {
  readonly [measure in (typeof FOLLOWED_REPORTS)[number]]: readonly Hour<Measures[measure]>[];
};

/** One measure of a group, before it is known what the other tests say. */
export interface TestedMeasure {
  readonly measure: Followed;
  readonly now: FollowedFigure;
  /** The latest first. */
  readonly before: readonly FollowedFigure[];
  /** Null where the numbers are too few. */
  readonly probability: number | null;
  /** Which way it went, if it changed. */
  readonly direction: 'rises' | 'falls';
}

/**
 * Events of the window below which no test is made, as they are expected from all five weeks together: with so few, hardly any change could be told
 * from chance.
 */
export const LEAST_EVENTS = 10;

/** Chats with a first response, in each of the weeks and in the window, below which their mean is not tested. */
export const LEAST_RESPONSES = 10;

/** The sums of some hours of one week. */
interface Sums {
  readonly hours: number;
  readonly chats: number;
  readonly taken: number;
  readonly answered: number;
  readonly seconds: number;
  readonly good: number;
  readonly rated: number;
}

/** One part of the week, now and before. */
interface SummedDay {
  readonly isOwn: boolean;
  readonly now: Sums;
  readonly before: readonly Sums[];
}

export function measuresOf(hours: GroupHours, window: FollowWindow): readonly TestedMeasure[] {
  const days = daysOf(hours, window);
  const own = days.filter(({ isOwn }) => isOwn);
  const now = allOf(own.map((day) => day.now));
  const before = weeksIn(own.map((day) => day.before)).map(allOf);
  return FOLLOWED.map((measure) => ({
    measure,
    now: figureOf(measure, now),
    before: before.map((sums) => figureOf(measure, sums)),
    ...(measure === 'first_response' ? testedMean(now, before) : testedCount(COUNTED[measure], days)),
  }));
}

function daysOf(hours: GroupHours, window: FollowWindow): readonly SummedDay[] {
  return matched(window, joined(hours)).map((day) => ({
    isOwn: day.now.length > 0,
    now: allOf(day.now),
    before: day.before.map(allOf),
  }));
}

/** All measures of each hour. */
function joined({ chats, not_taken, first_response, ratings }: GroupHours): readonly Hour<Sums>[] {
  const [notTaken, responses, rated] = [byTime(not_taken), byTime(first_response), byTime(ratings)];
  return chats.map(({ at, chats: all }) => {
    const { chats: answered = 0, seconds = 0 } = responses.get(at) ?? {};
    const { good = 0, bad = 0 } = rated.get(at) ?? {};
    return {
      at,
      hours: 1,
      chats: all,
      taken: Math.max(0, all - (notTaken.get(at)?.chats ?? 0)),
      answered: Math.min(all, answered),
      seconds,
      good,
      rated: good + bad,
    };
  });
}

function byTime<C>(hours: readonly Hour<C>[]): ReadonlyMap<number, Hour<C>> {
  return new Map(hours.map((hour) => [hour.at, hour]));
}

function allOf(parts: readonly Sums[]): Sums {
  const sum = { hours: 0, chats: 0, taken: 0, answered: 0, seconds: 0, good: 0, rated: 0 };
  for (const part of parts) {
    sum.hours += part.hours;
    sum.chats += part.chats;
    sum.taken += part.taken;
    sum.answered += part.answered;
    sum.seconds += part.seconds;
    sum.good += part.good;
    sum.rated += part.rated;
  }
  return sum;
}

/** The parts of each week, from the weeks of each part. */
function weeksIn<T>(parts: readonly (readonly T[])[]): readonly (readonly T[])[] {
  const weeks = Math.max(0, ...parts.map(({ length }) => length));
  return Array.from({ length: weeks }, (_, week) => parts.flatMap((part) => part[week] ?? []));
}

function figureOf(measure: Followed, { chats, taken, answered, seconds, good, rated }: Sums): FollowedFigure {
  switch (measure) {
    case 'arrivals':
      return { chats, of: null, seconds: null };
    case 'taken':
      return { chats: taken, of: chats, seconds: null };
    case 'unanswered':
      return { chats: chats - answered, of: chats, seconds: null };
    case 'first_response':
      return { chats: answered, of: null, seconds: answered === 0 ? null : Math.round((seconds / answered) * 10) / 10 };
    case 'ratings':
      return { chats: good, of: rated, seconds: null };
  }
}

const COUNTED: { readonly [measure in Exclude<Followed, 'first_response'>]: (sums: Sums) => Count } = {
  arrivals: ({ chats, hours }) => ({ events: chats, exposure: hours }),
  taken: ({ taken, chats }) => ({ events: taken, exposure: chats }),
  unanswered: ({ chats, answered }) => ({ events: chats - answered, exposure: chats }),
  ratings: ({ good, rated }) => ({ events: good, exposure: rated }),
};

type Tested = Pick<TestedMeasure, 'probability' | 'direction'>;

function testedCount(counted: (sums: Sums) => Count, days: readonly SummedDay[]): Tested {
  const own = days.filter(({ isOwn }) => isOwn);
  const now = summed(own.map((day) => counted(day.now)));
  const blocks = [...own, ...days.filter(({ isOwn }) => !isOwn)].map(({ before }) => before.map(counted));
  const weeks = weeksIn(blocks.slice(0, own.length)).map(summed);
  const usual = eventsOf(weeks) / exposureOf(weeks);
  const direction = now.events > usual * now.exposure ? 'rises' : 'falls';
  // Of most chats that are taken, the few that are not say more: their number varies as chance makes it.
  const isShare = counted !== COUNTED.arrivals;
  const all = eventsOf(weeks) + now.events;
  const inverts = isShare && 2 * all > exposureOf(weeks) + now.exposure;
  const turned = ({ events, exposure }: Count): Count => ({ events: inverts ? exposure - events : events, exposure });
  const [seen, known] = [turned(now), weeks.map(turned)];
  const expected = ((seen.events + eventsOf(known)) * seen.exposure) / (seen.exposure + exposureOf(known));
  if (!(expected >= LEAST_EVENTS)) return { probability: null, direction };
  const possible = variations(
    blocks.map((block): Weeks => block.map(turned)),
    own.length,
  );
  return { probability: probabilityOfCount(seen, known, possible), direction };
}

function summed(counts: readonly Count[]): Count {
  return { events: eventsOf(counts), exposure: exposureOf(counts) };
}

function testedMean(now: Sums, before: readonly Sums[]): Tested {
  const meanOf = ({ answered, seconds }: Sums): Mean => ({ mean: seconds / answered, count: answered });
  const isEnough = ({ answered, seconds }: Sums): boolean => answered >= LEAST_RESPONSES && seconds > 0;
  const usual = sumOf(before.map(({ seconds }) => seconds)) / sumOf(before.map(({ answered }) => answered));
  const direction = now.seconds > usual * now.answered ? 'rises' : 'falls';
  const isTested = before.length > 1 && [now, ...before].every(isEnough);
  return { probability: isTested ? probabilityOfMean(meanOf(now), before.map(meanOf)) : null, direction };
}
