// Several that do the same in, what each used in every round out. They take turns, so that whatever else the machine does meets all of them.

import type { Contender } from './contenders.ts';
import { leftIn, type Place, reset } from './place.ts';
import { type Command, type Measured, run } from './run.ts';
import { type Requests, requestsOf, writesOf } from './served.ts';

export interface Sample extends Measured {
  readonly requests: Requests;
  /** Milliseconds from the start to the answer of the last write; null when there was none. */
  readonly applied: number | null;
  /** Milliseconds from the first write to the answer of the last; null when there was none. */
  readonly writing: number | null;
}

/** One of those who take turns. */
export interface Turn {
  readonly name: string;
  readonly take: () => Promise<Sample>;
  /** Looked at once, after the warm-up. @throws an Error when it did not do what it should */
  readonly check: () => Promise<void>;
}

/** The samples of one, round by round. */
export interface Entry {
  readonly name: string;
  readonly samples: readonly Sample[];
}

/** Whoever takes longer than this, in milliseconds, runs only as often as that; once means not even a warm-up. */
const PATIENCE = [
  { above: 12_000, rounds: 1 },
  { above: 3_000, rounds: 2 },
] as const;

const NO_REQUESTS: Requests = { reads: 0, writes: 0, verification: 0, together: 0 };

/** A command that asks nobody. */
export function plainTurn(name: string, command: Command): Turn {
  return {
    name,
    take: async () => ({ ...(await run(command)), requests: NO_REQUESTS, applied: null, writing: null }),
    check: async () => {},
  };
}

/** A contender doing a job; null for a job that it is not made for. */
export function turnAt(place: Place, contender: Contender, name = contender.name): Turn | null {
  const command = contender.command(place);
  if (command === null) return null;
  const take = async (): Promise<Sample> => {
    await reset(place);
    const measured = await run(command);
    const served = await place.service.served();
    const writes = writesOf(served);
    const requests = requestsOf(served);
    if (writes.length === 0) return { ...measured, requests, applied: null, writing: null };
    const last = Math.max(...writes.map(({ ended }) => ended));
    const first = Math.min(...writes.map(({ begun }) => begun));
    return { ...measured, requests, applied: last - measured.started, writing: last - first };
  };
  const check = async (): Promise<void> => {
    const left = contender.isElsewhere === true ? null : await leftIn(place);
    if (left !== null) throw new Error(`after job ${place.job.id}, ${name} left this to do:\n${left}`);
  };
  return { name, take, check };
}

export async function takeTurns(turns: readonly Turn[], rounds: number): Promise<readonly Entry[]> {
  const entries: { readonly turn: Turn; readonly samples: Sample[]; readonly most: number }[] = [];
  for (const turn of turns) {
    const sample = await turn.take();
    await turn.check();
    const most = PATIENCE.find(({ above }) => sample.wall > above)?.rounds ?? rounds;
    entries.push({ turn, most: Math.min(rounds, most), samples: most === 1 ? [sample] : [] });
  }
  for (let round = 0; round < rounds; round += 1)
    for (const { turn, samples, most } of entries) if (samples.length < most) samples.push(await turn.take());
  return entries.map(({ turn, samples }) => ({ name: turn.name, samples }));
}
