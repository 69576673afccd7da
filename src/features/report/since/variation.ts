// How much the rate of events varies from week to week and from day to day, more than chance alone: learned from the four weeks before.

/** Events, and what they could have happened in: chats in hours, or chats without an answer in chats. */
export interface Count {
  readonly events: number;
  readonly exposure: number;
}

/** One block of hours, in each of the weeks before. */
export type Weeks = readonly Count[];

/** A standard deviation of rates, as a share of the mean, and how likely it is. */
export interface Variation {
  readonly deviation: number;
  readonly weight: number;
}

/** Standard deviations that are tried, as shares of the mean. */
const TRIED = [0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.13, 0.16, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7] as const;

/** What is believed before any number is seen: the standard deviation of half a normal distribution. */
const BELIEVED = { weeks: 0.1, days: 0.2 } as const;

/** Fewer expected events than this in a block say nothing about its variation. */
const LEAST_EXPECTED = 1;

/** Pearson's statistic, its degrees of freedom, and the number of events that its variation goes with. */
interface Spread {
  readonly square: number;
  readonly freedom: number;
}

/**
 * Possible variations of the first `own` blocks together, with weights that add up to 1. The other blocks are as long, at the same time of other days.
 * Weeks vary as wholes, and the blocks of a week by themselves.
 */
export function variations(blocks: readonly Weeks[], own: number): readonly Variation[] {
  const used = blocks.filter((weeks) => eventsOf(weeks) >= LEAST_EXPECTED * weeks.length);
  const weekly = weeksOf(used);
  const means = used.map((weeks) => eventsOf(weeks) / weeks.length);
  const mean = sumOf(means);
  // A week is busier by chance where its days are.
  const concentrated = mean * unevenness(means);
  const typical = mean === 0 ? 0 : mean / means.length;
  const [ofWeeks, ofDays] = [spreadOfWeeks(weekly), spreadOfDays(used, weekly)];
  const daysUnevenness = unevenness(blocks.slice(0, own).map(eventsOf));
  const found = TRIED.flatMap((week, one) =>
    TRIED.map((day, other) => ({
      deviation: Math.sqrt(week ** 2 + day ** 2 * daysUnevenness),
      log:
        likelihood(ofWeeks, 1 + week ** 2 * mean + day ** 2 * concentrated) +
        likelihood(ofDays, 1 + day ** 2 * typical) -
        (week / BELIEVED.weeks) ** 2 / 2 -
        (day / BELIEVED.days) ** 2 / 2 +
        Math.log(widthOf(one) * widthOf(other)),
    })),
  );
  const most = Math.max(...found.map(({ log }) => log));
  const weights = new Map<number, number>();
  for (const { deviation, log } of found) {
    const rounded = Math.round(deviation * STEPS) / STEPS;
    weights.set(rounded, (weights.get(rounded) ?? 0) + Math.exp(log - most));
  }
  const all = sumOf([...weights.values()]);
  return [...weights].map(([deviation, weight]) => ({ deviation, weight: weight / all }));
}

/** Deviations that are closer than a hundredth are one. */
const STEPS = 100;

/** How much of the variation of parts is left in their sum: 1 for one part, less the more parts there are and the more alike they are. */
function unevenness(parts: readonly number[]): number {
  const all = sumOf(parts);
  return all === 0 ? 1 : sumOf(parts.map((part) => (part / all) ** 2));
}

function widthOf(index: number): number {
  const [low, high] = [TRIED[index - 1] ?? 0, TRIED[index + 1] ?? TRIED[index] ?? 0];
  return (high - low) / 2;
}

/** A statistic that is `scale` times a chi-squared variable. */
function likelihood({ square, freedom }: Spread, scale: number): number {
  return freedom === 0 ? 0 : -(freedom * Math.log(scale) + square / scale) / 2;
}

function spreadOfWeeks(weeks: Weeks): Spread {
  const rate = eventsOf(weeks) / exposureOf(weeks);
  if (!(rate > 0)) return { square: 0, freedom: 0 };
  const parts = weeks
    .filter(({ exposure }) => exposure > 0)
    .map(({ events, exposure }) => pearson(events, rate * exposure));
  return { square: sumOf(parts), freedom: Math.max(0, parts.length - 1) };
}

/** What is left of the variation when that of whole weeks is taken out. */
function spreadOfDays(blocks: readonly Weeks[], weekly: Weeks): Spread {
  const rates = weekly.map(({ events, exposure }) => (exposure > 0 ? events / exposure : 0));
  const spreads = blocks.map((weeks): Spread => {
    const weighted = weeks.map(({ exposure }, index) => exposure * (rates[index] ?? 0));
    const all = sumOf(weighted);
    const parts = weeks.flatMap(({ events }, index) => {
      const expected = all === 0 ? 0 : (eventsOf(weeks) * (weighted[index] ?? 0)) / all;
      return expected > 0 ? [pearson(events, expected)] : [];
    });
    return { square: sumOf(parts), freedom: Math.max(0, parts.length - 1) };
  });
  const freedom = sumOf(spreads.map((each) => each.freedom));
  const weeks = weekly.filter(({ exposure }) => exposure > 0).length;
  return { square: sumOf(spreads.map(({ square }) => square)), freedom: Math.max(0, freedom - Math.max(0, weeks - 1)) };
}

/** The weeks of all blocks together. */
function weeksOf(blocks: readonly Weeks[]): Weeks {
  const weeks = Math.max(0, ...blocks.map(({ length }) => length));
  return Array.from({ length: weeks }, (_, index) => ({
    events: sumOf(blocks.map((block) => block[index]?.events ?? 0)),
    exposure: sumOf(blocks.map((block) => block[index]?.exposure ?? 0)),
  }));
}

function pearson(events: number, expected: number): number {
  return (events - expected) ** 2 / expected;
}

export function eventsOf(weeks: Weeks): number {
  return sumOf(weeks.map(({ events }) => events));
}

export function exposureOf(weeks: Weeks): number {
  return sumOf(weeks.map(({ exposure }) => exposure));
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
