// The streams of a description with everything that they say, or take from what all visitors have.

import type { VisitorPlace } from '../chats/records.ts';
import type { Traffic, VisitorStream } from './description.ts';
import { type DrawnTime, spanOf } from './draws.ts';
import { rateOfDay, rateOfHours, type WeeklyRate } from './week.ts';

type Weighted<T> = readonly (readonly [item: T, weight: number])[];

/** How the visitors of one stream behave; shares are 0 to 1. */
export interface StreamHabits {
  readonly name: string;
  readonly rate: WeeklyRate;
  /** IANA time zone of its hours. */
  readonly zone: string;
  /** Patterns of URLs. */
  readonly pages: Weighted<string>;
  readonly places: Weighted<VisitorPlace>;
  readonly length: DrawnTime;
  readonly patience: DrawnTime;
  readonly answer: DrawnTime;
  readonly rated: number;
  readonly good: number;
  readonly returning: number;
  /** Tags with their shares. */
  readonly tags: readonly (readonly [tag: string, share: number])[];
  readonly greeting: VisitorStream['greeting'];
}

function placesOf(given: VisitorStream['place']): Weighted<VisitorPlace> {
  const all = given === undefined ? [{}] : Array.isArray(given) ? given : [given];
  return all.map(({ weight = 1, ...place }) => [place, weight] as const);
}

export function streamsOf(traffic: Traffic): readonly StreamHabits[] {
  return Object.entries(traffic.visitors).map(([name, stream]) => {
    const { page, place, per_day = 0, by_hour, tags = {}, greeting } = stream;
    return {
      name,
      rate: by_hour === undefined ? rateOfDay(per_day) : rateOfHours(by_hour),
      zone: stream.timezone ?? traffic.timezone ?? 'UTC',
      pages: typeof page === 'string' ? [[page, 1] as const] : Object.entries(page),
      places: placesOf(place),
      length: spanOf(stream.length ?? traffic.length ?? '8m'),
      patience: spanOf(stream.patience ?? traffic.patience ?? '2m'),
      answer: spanOf(stream.answer ?? traffic.answer ?? '30s'),
      rated: stream.rated ?? traffic.rated ?? 0.3,
      good: stream.good ?? traffic.good ?? 0.85,
      returning: stream.returning ?? traffic.returning ?? 0.2,
      tags: Object.entries(tags),
      greeting,
    };
  });
}
