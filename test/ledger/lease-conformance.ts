// What every place that keeps a lease must do: one suite for all of them.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Lease, type LeaseRecord, leaseState } from '../../src/ledger/lease.ts';
import { type Taken, type Tenure, takeLease } from '../../src/ledger/tenure.ts';

export const START = Date.UTC(2026, 10, 20, 12);

export const holderOf = (user: string) => ({ user, host: 'build-7', pid: 4711, command: 'apply' });

export function recordOf(generation: number, run = 'a'): LeaseRecord {
  const at = new Date(START).toISOString();
  const until = new Date(START + 60_000).toISOString();
  return { generation, run, holder: holderOf(run), since: at, renewed: at, until };
}

/** A clock that only the test moves. */
export function steppedClock(start = START) {
  let now = start;
  return {
    now: () => now,
    move: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

export function tenureOf(taken: Taken): Tenure {
  if ('lockedBy' in taken) throw new Error(`locked by ${taken.lockedBy.run}`);
  return taken.tenure;
}

export interface LeasePlace {
  /** May be called more than once. `clock`: that of its machine, and of a place that has one, with which it agrees. */
  readonly open: (clock?: ReturnType<typeof steppedClock>) => Lease;
}

/** `make` gives a place for one lease that was never held. */
export function describeLease(name: string, make: () => Promise<LeasePlace>): void {
  const claim = (open: LeasePlace['open'], run: string, clock = steppedClock()) =>
    takeLease({ lease: open(clock), run, holder: holderOf(run), clock, ttl: 60_000 });

  describe(`${name} keeps a lease`, () => {
    test('A lease that was never held has no record', async () => {
      const { open } = await make();
      expect(await open().read()).toBe(null);
    });

    test('The newest record is read back as it was, by whoever looks next', async () => {
      const { open } = await make();
      for (const record of [recordOf(1), recordOf(2), { ...recordOf(3, 'b'), until: null }]) {
        expect(await open().replace(record)).toBe(true);
        expect(await open().read()).toEqual(record);
      }
    });

    test('Only the generation after the newest is kept, whatever is asked for', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat({ max: 6 }), { maxLength: 12 }), async (generations) => {
          const { open } = await make();
          let newest = 0;
          for (const [index, generation] of generations.entries()) {
            const kept = await open().replace(recordOf(generation, `run ${index}`));
            expect(kept).toBe(generation === newest + 1);
            if (kept) newest = generation;
          }
          expect((await open().read())?.generation ?? 0).toBe(newest);
        }),
        { numRuns: 25 },
      );
    });

    test('Of many who ask for the same generation at once, one gets it', async () => {
      const { open } = await make();
      for (let generation = 1; generation <= 5; generation += 1) {
        const runs = Array.from({ length: 8 }, (_, index) => `run ${index}`);
        const kept = await Promise.all(runs.map((run) => open().replace(recordOf(generation, run))));
        expect(kept.filter(Boolean)).toHaveLength(1);
        expect((await open().read())?.run).toBe(runs[kept.indexOf(true)]);
      }
    });

    test('A reader beside a writer sees whole records only, never an older one after a newer', async () => {
      const { open } = await make();
      let done = false;
      const seen: number[] = [];
      const reader = (async () => {
        while (!done) seen.push((await open().read())?.generation ?? 0);
      })();
      for (let generation = 1; generation <= 30; generation += 1) await open().replace(recordOf(generation));
      done = true;
      await reader;
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    });

    test('A lease that is held is not taken, and its holder is named; once it is given back, it is', async () => {
      const { open } = await make();
      const tenure = tenureOf(await claim(open, 'a'));
      expect(await claim(open, 'b')).toMatchObject({ lockedBy: { run: 'a', holder: holderOf('a') } });
      await tenure.release();
      expect(leaseState(await open().read(), START)).toBe('free');
      expect(await claim(open, 'b')).toMatchObject({ expired: null });
    });

    test('An expired lease is taken over, and whoever held it may write nothing more', async () => {
      const { open } = await make();
      const [mine, theirs] = [steppedClock(), steppedClock(START + 70_000)];
      const sleeper = tenureOf(await claim(open, 'a', mine));
      expect(await claim(open, 'b', theirs)).toMatchObject({ expired: { run: 'a' } });
      expect(await sleeper.refusal(0)).toBe(
        'it was taken from this run by b@build-7 (pid 4711, chatform apply) at 2026-11-20T12:01:10.000Z',
      );
      await sleeper.release();
      expect((await open().read())?.run).toBe('b');
    });

    test('Of many who want a free lease at once, one gets it', async () => {
      const { open } = await make();
      const taken = await Promise.all(Array.from({ length: 8 }, (_, index) => claim(open, `run ${index}`)));
      expect(taken.filter((each) => 'tenure' in each)).toHaveLength(1);
    });
  });
}
