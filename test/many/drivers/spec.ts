// A spec of the drivers of a fleet run: waves and limits, what targets and gates do, what persons do and when, and what the run must come to.

import type { FleetSpec } from '../../../src/many/log/events.ts';
import type { FreezeWindow } from '../../../src/project/fleet-settings.ts';

/** What becomes of a target when it is begun. */
export type Outcome = 'done' | 'unchanged' | 'over' | 'failed' | 'unreachable' | 'throws';

/**
 * An event of the log, such as `started a`, `ended a`, `gate customers a` or `stopped`. `before`: before a driver is there. `later`: a moment after it
 * began.
 */
export type Moment = string;

/** A driver from its beginning until the run stops, or the driver is lost. */
export interface Round {
  /** `person`: begins or resumes the run. `engine`: goes on with the run of a driver that was lost. */
  readonly by?: 'person' | 'engine';
  readonly retry?: readonly ('failed' | 'unreachable')[];
  /** Names of waves that the person who resumes the run approves. */
  readonly approved?: readonly string[];
  /** When a person cancels the run. */
  readonly cancel?: Moment;
  /** When the process of the driver is killed; only in the first round. */
  readonly kill?: Moment;
  /** When the process of the driver is told to stop; only in the first round. */
  readonly stop?: Moment;
  /** Why the run stopped; not there when the driver is lost. */
  readonly end?: string;
}

export interface DriverSpec {
  readonly title: string;
  readonly run: FleetSpec;
  /** By target, for each time that it is begun; the last one for further times. `done` by default. */
  readonly outcomes?: Readonly<Record<string, readonly Outcome[]>>;
  /** By gate and target, for each time that it is checked; the last one for further times. True by default. */
  readonly gates?: Readonly<Record<string, readonly boolean[]>>;
  /** By target: an event without which its work does not end, or `freeze` for the beginning of the window. */
  readonly waits?: Readonly<Record<string, Moment>>;
  readonly freeze?: FreezeWindow;
  /** What the clock of the driver shows when the run begins. */
  readonly clock?: string;
  readonly rounds: readonly Round[];
  /** Each target with its state, and its attempt after the first. */
  readonly targets: string;
  /** As many targets are worked on at once; the others that were begun wait for their turn. Without it, all of them. */
  readonly slots?: number;
  /** What was checked, in this order. */
  readonly checked?: string;
  /** What was begun, in this order; for waves with one target at a time. */
  readonly begun?: string;
  /** What waited for its turn and was not begun, by name. */
  readonly unbegun?: string;
  /** Also on PostgreSQL in each test run, and not only in `npm run test:all`. */
  readonly isQuick?: true;
}
