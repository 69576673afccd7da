// The nouns of what was measured, and what is asked of it; must not know how it came about or how it is shown.

import type { Entry, Sample } from './rounds.ts';
import { ratio } from './stats.ts';

/** Everyone's samples of one job at one latency; the first entry is what the others are compared with. */
export interface Table {
  readonly id: string;
  readonly title: string;
  /** Milliseconds that the service takes for every request. */
  readonly latency: number;
  readonly entries: readonly Entry[];
}

export interface Results {
  readonly machine: string;
  readonly tables: readonly Table[];
  /** Who is missing, and why. */
  readonly absent: readonly string[];
}

export function tableOf({ tables }: Results, id: string, latency = 0): Table | undefined {
  return tables.find((table) => table.id === id && table.latency === latency);
}

export function samplesOf(table: Table | undefined, name: string): readonly Sample[] {
  return table?.entries.find((entry) => entry.name === name)?.samples ?? [];
}

export type Measure = (sample: Sample) => number;

export const wall: Measure = (sample) => sample.wall;

/** NaN where the machine does not tell it. */
export const processor: Measure = (sample) => sample.cpu ?? Number.NaN;

/** Until the license is as it should be: whoever looks whether it is does that afterwards. */
export const applied: Measure = (sample) => sample.applied ?? sample.wall;

/** While anything was written: what a service can be asked to do at once. */
export const writing: Measure = (sample) => sample.writing ?? Number.NaN;

export function ratioIn(table: Table | undefined, of: string, to: string, measure: Measure): number {
  return ratio(samplesOf(table, of).map(measure), samplesOf(table, to).map(measure));
}
