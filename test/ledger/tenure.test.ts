// Who may write, and until when: renewals, expiry, clocks that disagree, places that fail, and every interleaving of two holders.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import { endLease, LEASE_TIMES, type Lease, leaseState, leaseTtl } from '../../src/ledger/lease.ts';
import { memoryLease } from '../../src/ledger/memory.ts';
import { type Tenure, takeLease } from '../../src/ledger/tenure.ts';
import { tries } from '../tries.ts';
import { holderOf, recordOf, START, steppedClock, tenureOf } from './lease-conformance.ts';

const RUNS = tries(500);
const TTL = 60_000;
const TIMEOUT = 30_000;

const claimOf = (lease: Lease, run: string, clock = steppedClock()) => ({
  lease,
  run,
  holder: holderOf(run),
  clock,
  ttl: TTL,
});

async function held(lease: Lease = memoryLease()) {
  const clock = steppedClock();
  return { lease, clock, tenure: tenureOf(await takeLease(claimOf(lease, 'a', clock))) };
}

/** A place whose writes fail while `how.fails` is true. */
function failing() {
  const lease = memoryLease();
  const how = { fails: false };
  return {
    how,
    lease: {
      ...lease,
      replace: async (record: Parameters<Lease['replace']>[0]) => {
        if (how.fails) throw new UsageError('the disk is full');
        return lease.replace(record);
      },
    },
  };
}

describe('a lease that is held', () => {
  test('Renewed by its heartbeat it never ends, and each renewal is a generation', async () => {
    const { lease, clock, tenure } = await held();
    for (let beat = 1; beat <= 10; beat += 1) {
      clock.move(20_000);
      await tenure.renew();
      expect(await tenure.refusal(TIMEOUT)).toBe(null);
      expect(await lease.read()).toMatchObject({ run: 'a', generation: beat + 1, since: '2026-11-20T12:00:00.000Z' });
    }
  });

  test.each(['read', 'replace'] as const)(
    'A server that is away for longer than it, at a %s, does not end it if no run took it',
    async (at) => {
      const [lease, clock] = [memoryLease(), steppedClock()];
      let away = 0;
      const waits = (call: string): void => {
        if (call !== at) return;
        clock.move(away);
        away = 0;
      };
      /** By its own clock, as a database. */
      const served: Lease = {
        ...lease,
        read: async () => {
          waits('read');
          return lease.read();
        },
        replace: async (record) => {
          waits('replace');
          const renewed = new Date(clock.now()).toISOString();
          return lease.replace({ ...record, renewed, until: new Date(clock.now() + TTL).toISOString() });
        },
      };
      const tenure = tenureOf(await takeLease(claimOf(served, 'a', clock)));
      away = TTL + 10_000;
      await tenure.renew();
      expect(await tenure.refusal(TIMEOUT)).toBe(null);
      away = 2 * TTL;
      const other = { ...recordOf(9, 'b'), generation: ((await lease.read())?.generation ?? 0) + 1 };
      await lease.replace(other);
      expect(await tenure.refusal(TIMEOUT)).toContain('it was taken from this run');
    },
  );

  test('A write leaves only while the lease outlives its deadline; what ends too soon is renewed first', async () => {
    const { lease, clock, tenure } = await held();
    clock.move(29_999);
    expect(await tenure.refusal(TIMEOUT)).toBe(null);
    expect((await lease.read())?.generation).toBe(1);
    clock.move(1);
    expect(await tenure.refusal(TIMEOUT)).toBe(null);
    expect((await lease.read())?.generation).toBe(2);
  });

  test('While it cannot be renewed, writes leave as long as there is time for them, and then say why not', async () => {
    const { how, lease } = failing();
    const { clock, tenure } = await held(lease);
    how.fails = true;
    clock.move(20_000);
    await tenure.renew();
    expect(await tenure.refusal(TIMEOUT)).toBe(null);
    clock.move(20_000);
    expect(await tenure.refusal(TIMEOUT)).toBe(
      'it ends at 2026-11-20T12:01:00.000Z, before the request must, because it could not be renewed: the disk is full',
    );
    how.fails = false;
    await tenure.renew();
    expect(await tenure.refusal(TIMEOUT)).toBe(tenure.refused());
    await tenure.release();
    expect(leaseState(await lease.read(), START)).toBe('free');
  });

  test('A holder that wakes up after its end writes nothing more, although nobody took the lease', async () => {
    const { lease, clock, tenure } = await held();
    clock.move(60_000);
    await tenure.renew();
    const reason = 'it ran out at 2026-11-20T12:01:00.000Z, while this process was suspended';
    expect([await tenure.refusal(0), tenure.refused()]).toEqual([reason, reason]);
    clock.move(-60_000);
    expect(await tenure.refusal(0)).toBe(reason);
    expect((await lease.read())?.generation).toBe(1);
  });

  test('A holder whose clock was put back notices that another took over', async () => {
    const { lease, clock, tenure } = await held();
    clock.move(-3_600_000);
    tenureOf(await takeLease(claimOf(lease, 'b', steppedClock(START + 70_000))));
    expect(await tenure.refusal(0)).toContain('it was taken from this run by b@build-7');
  });

  test('A lease that somebody released is lost, and giving it back does not end that of the next run', async () => {
    const { lease, tenure } = await held();
    const found = await lease.read();
    if (found === null) throw new Error('nobody holds it');
    expect(
      await endLease(lease, found, { run: 'x', holder: { ...holderOf('zoe'), command: 'lease release' } }, START),
    ).toBe(true);
    tenureOf(await takeLease(claimOf(lease, 'b')));
    expect(await tenure.refusal(0)).toContain('it was taken from this run by b@build-7');
    await tenure.release();
    expect(leaseState(await lease.read(), START)).toBe('held');
  });

  test('A renewal that stood although it seemed to fail is no loss', async () => {
    const lease = memoryLease();
    const clock = steppedClock();
    let loses = false;
    const lossy: Lease = {
      ...lease,
      replace: async (record) => {
        const kept = await lease.replace(record);
        if (loses) throw new UsageError('the answer was lost');
        return kept;
      },
    };
    const tenure = tenureOf(await takeLease(claimOf(lossy, 'a', clock)));
    loses = true;
    clock.move(20_000);
    await tenure.renew();
    loses = false;
    clock.move(20_000);
    await tenure.renew();
    clock.move(20_000);
    await tenure.renew();
    expect([await tenure.refusal(TIMEOUT), (await lease.read())?.generation]).toEqual([null, 3]);
  });

  test('A place that answers late makes the lease age, and it is renewed before a write leaves', async () => {
    const lease = memoryLease();
    const clock = steppedClock();
    let wait = 0;
    const read = async () => {
      clock.move(wait);
      return lease.read();
    };
    const tenure = tenureOf(await takeLease(claimOf({ ...lease, read }, 'a', clock)));
    wait = 40_000;
    expect(await tenure.refusal(TIMEOUT)).toBe(null);
    wait = TTL;
    expect(await tenure.refusal(TIMEOUT)).toBe(null);
    clock.move(TTL);
    expect(await tenure.refusal(TIMEOUT)).toMatch(/^it ran out at /);
  });

  test('A place that cannot be looked at lets nothing leave', async () => {
    const lease = memoryLease();
    let gone = false;
    const tenure = tenureOf(
      await takeLease(
        claimOf(
          { ...lease, read: async () => (gone ? Promise.reject(new UsageError('no such place')) : lease.read()) },
          'a',
        ),
      ),
    );
    gone = true;
    expect(await tenure.refusal(0)).toBe('no such place');
  });

  test('A place that shows old records for ever is given up, and not asked without end', async () => {
    const lease: Lease = { read: async () => null, replace: async () => false, times: LEASE_TIMES };
    await expect(takeLease(claimOf(lease, 'a'))).rejects.toThrow(/does not show what was just written/);
  });

  test('Once it is given back nothing may leave, and a heartbeat under way takes nothing again', async () => {
    const { lease, tenure } = await held();
    await Promise.all([tenure.renew(), tenure.release(), tenure.renew()]);
    expect(await lease.read()).toMatchObject({ generation: 3, until: null });
    expect(await tenure.refusal(0)).toBe('it was given back');
  });

  test('A longer time for requests makes a longer lease, so that a write always fits in', () => {
    expect([leaseTtl(1_000), leaseTtl(30_000), leaseTtl(120_000)]).toEqual([60_000, 60_000, 150_000]);
  });
});

describe('releasing a lease by hand', () => {
  test('It ends also when its holder renews it at the same time', async () => {
    const { lease, clock, tenure } = await held();
    const found = await lease.read();
    if (found === null) throw new Error('nobody holds it');
    clock.move(1);
    await tenure.renew();
    expect(await endLease(lease, found, { run: 'x', holder: holderOf('zoe') }, START)).toBe(true);
    expect(await tenure.refusal(0)).toContain('it was taken from this run by zoe@build-7');
  });

  test('What another run holds by then is not ended', async () => {
    const { lease, tenure } = await held();
    const found = await lease.read();
    if (found === null) throw new Error('nobody holds it');
    await tenure.release();
    tenureOf(await takeLease(claimOf(lease, 'b')));
    expect(await endLease(lease, found, { run: 'x', holder: holderOf('zoe') }, START)).toBe(false);
    expect(leaseState(await lease.read(), START)).toBe('held');
  });
});

type Deed =
  | { readonly do: 'take' | 'renew' | 'write' | 'release' | 'crash' }
  | { readonly do: 'move'; readonly by: number };

/** How often each deed is done, of about twenty. */
interface Habits {
  readonly take: number;
  readonly write: number;
  readonly renew: number;
  readonly end: number;
}

const deed = (moves: fc.Arbitrary<number>, { take, write, renew, end }: Habits): fc.Arbitrary<Deed> =>
  fc.oneof(
    { weight: take, arbitrary: fc.constant({ do: 'take' as const }) },
    { weight: write, arbitrary: fc.constant({ do: 'write' as const }) },
    { weight: renew, arbitrary: fc.constant({ do: 'renew' as const }) },
    { weight: end, arbitrary: fc.constantFrom({ do: 'release' as const }, { do: 'crash' as const }) },
    { weight: 6, arbitrary: moves.map((by) => ({ do: 'move' as const, by })) },
  );

interface Watched {
  readonly lease: Lease;
  /** The run of every record that was kept, in order. */
  readonly kept: string[];
}

/** Every step at the place waits for its turn; what was kept is noted at that moment. */
function watched(scheduler: fc.Scheduler): Watched {
  const lease = memoryLease();
  const kept: string[] = [];
  let newest = 0;
  return {
    kept,
    lease: {
      ...lease,
      read: async () => {
        await scheduler.schedule(Promise.resolve());
        return lease.read();
      },
      replace: async (record) => {
        await scheduler.schedule(Promise.resolve());
        const done = await lease.replace(record);
        if (done) {
          expect(record.generation).toBeGreaterThan(newest);
          newest = record.generation;
          kept.push(record.until === null ? '' : record.run);
        }
        await scheduler.schedule(Promise.resolve());
        return done;
      },
    },
  };
}

describe('two holders, whatever each does and when', () => {
  test('Never do two hold it, whatever their clocks say: who asks after another took over is refused for ever', async () => {
    const moves = fc.integer({ min: -200_000, max: 200_000 });
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(deed(moves, { take: 4, write: 4, renew: 4, end: 2 }), { minLength: 5, maxLength: 15 }),
        fc.array(deed(moves, { take: 4, write: 4, renew: 4, end: 2 }), { minLength: 5, maxLength: 15 }),
        async (scheduler, ...scripts) => {
          const { lease, kept } = watched(scheduler);
          const live = async (name: string, script: readonly Deed[]): Promise<void> => {
            const clock = steppedClock();
            let mine: { readonly run: string; readonly tenure: Tenure; over: boolean } | null = null;
            for (const [index, step] of script.entries()) {
              const before = kept.at(-1);
              if (step.do === 'move') clock.move(step.by);
              else if (step.do === 'take') {
                const run = `${name}${index}`;
                const taken = await takeLease(claimOf(lease, run, clock));
                if ('tenure' in taken) mine = { run, tenure: taken.tenure, over: false };
              } else if (mine !== null && step.do === 'write') {
                const refusal = await mine.tenure.refusal(TIMEOUT);
                if (mine.over || before !== mine.run) expect(refusal).not.toBe(null);
                mine.over ||= before !== mine.run;
              } else if (mine !== null && step.do === 'renew') await mine.tenure.renew();
              else if (mine !== null && step.do === 'release') await mine.tenure.release();
              else mine = null;
            }
          };
          const lives = Promise.all(scripts.map((script, index) => live(index === 0 ? 'a' : 'b', script)));
          await scheduler.waitFor(lives);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('While their clocks differ by no more than is tolerated, no write is under way when another takes over', async () => {
    const moves = fc.constantFrom(1, 5_000, 12_000, 26_000);
    const who = fc.constantFrom(0, 1);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(who, deed(moves, { take: 7, write: 5, renew: 1, end: 1 })), { minLength: 10, maxLength: 40 }),
        fc.tuple(fc.constantFrom(0, 4_000), fc.constantFrom(0, LEASE_TIMES.tolerance)),
        async (script, ahead) => {
          const lease = memoryLease();
          const time = steppedClock();
          const runs = ahead.map((by, index) => ({
            name: index === 0 ? 'a' : 'b',
            clock: { now: () => time.now() + by, move: time.move },
            tenure: null as Tenure | null,
            writesUntil: 0,
          }));
          for (const [index, [side, step]] of script.entries()) {
            const [own, other] = side === 0 ? [runs[0], runs[1]] : [runs[1], runs[0]];
            if (own === undefined || other === undefined) throw new Error('there are two');
            if (step.do === 'move') time.move(step.by);
            else if (step.do === 'take') {
              const taken = await takeLease(claimOf(lease, `${own.name}${index}`, own.clock));
              if ('lockedBy' in taken) continue;
              own.tenure = taken.tenure;
              expect(other.writesUntil).toBeLessThanOrEqual(time.now());
            } else if (step.do === 'write') {
              if (own.tenure !== null && (await own.tenure.refusal(TIMEOUT)) === null)
                own.writesUntil = time.now() + TIMEOUT;
            } else if (step.do === 'renew') await own.tenure?.renew();
            else if (step.do === 'crash') own.tenure = null;
            // Who gives it back has waited for what was under way.
            else if (own.writesUntil <= time.now()) await own.tenure?.release();
          }
        },
      ),
      { numRuns: RUNS * 4 },
    );
  });
});
