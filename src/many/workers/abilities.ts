// What this worker can do for each run: the work, or the reason why it cannot. Asks once for each run.

import { asError } from '../../base/errors.ts';
import type { FleetEnd, FleetWork } from '../drive.ts';
import type { WorkerState } from './workers.ts';

/** Whether the work is still that of this worker. One that was suspended, or did not reach the database, may have lost it to another. */
export type IsOurs = () => Promise<boolean>;

/**
 * Drives a run as one that is recovered, with its lease, for which it waits while another coordinator has it. `signal` aborts when the worker stops: it must end soon
 * then, also while it waits, and another worker goes on. A rejection is tried again, unless it is one of `does`.
 */
export type Drive = (does: FleetWork, signal: AbortSignal) => Promise<FleetEnd>;

/** The work of one run. A target that fails, and a gate that does not pass, are results. */
export interface RunWork {
  /** Must come to the same end when it is asked again for one attempt: a worker may die before its end is known. */
  readonly apply: (
    target: string,
    attempt: number,
    digest: string | null,
    isOurs: IsOurs,
  ) => ReturnType<FleetWork['work']>;
  readonly check: FleetWork['check'];
  readonly drive: Drive;
}

/**
 * `refused`: why this worker cannot do the run, such as a commit that it cannot fetch; another worker gets it then. `drive`: of a run that is cancelled, so that nothing
 * of it is begun, and any worker can end it; null for any other.
 */
export type Ability = RunWork | { readonly refused: string; readonly drive: Drive | null };

export interface Abilities {
  readonly of: (run: string) => Promise<Ability>;
  /** Those of the last minute. */
  readonly refused: () => WorkerState['refused'];
}

/** Runs whose work is kept: a long-lived worker sees many. */
const KEPT = 32;

/** Milliseconds after which a worker that refused a run asks again: its commits may have been fetched. */
const REFUSAL = 20_000;

/** Milliseconds for which a refusal is shown. */
const SHOWN = 60_000;

export function abilitiesOf(work: (run: string) => Promise<Ability>, now: () => number): Abilities {
  /** Least recently asked first. */
  const known = new Map<string, { readonly ability: Promise<Ability>; readonly at: number; refused: boolean }>();
  const refusals = new Map<string, { readonly reason: string; readonly at: number }>();

  async function of(run: string): Promise<Ability> {
    const before = known.get(run);
    const isOld = before?.refused === true && now() - before.at > REFUSAL;
    const entry = before === undefined || isOld ? { ability: asked(run), at: now(), refused: false } : before;
    known.delete(run);
    known.set(run, entry);
    const [oldest] = known.keys();
    if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
    const ability = await entry.ability;
    entry.refused = 'refused' in ability;
    if ('refused' in ability) refusals.set(run, { reason: ability.refused, at: now() });
    else refusals.delete(run);
    return ability;
  }

  /** Work that cannot be prepared here is left to another worker, or to a later question. */
  function asked(run: string): Promise<Ability> {
    return work(run).catch((error: unknown) => ({ refused: asError(error).message, drive: null }));
  }

  return {
    of,
    refused: () => {
      for (const [run, { at }] of refusals) if (now() - at > SHOWN) refusals.delete(run);
      return [...refusals].map(([run, { reason }]) => ({ run, reason }));
    },
  };
}
