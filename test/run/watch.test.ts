// Looks at their times, on a clock that moves when somebody waits.

import { describe, expect, test } from 'vitest';
import { type Beats, cron, every, jittered } from '../../../src/commands/drift/beats.ts';
import { beatsOf, keepLooking } from '../../../src/commands/drift/keep-looking.ts';
import { watch } from '../../../src/commands/drift/watch.ts';
import type { Terminal } from '../../../src/commands/terminal.ts';
import type { DriftReport, Look } from '../../../src/tasks/drift/report.ts';
import { fakeTerminal } from '../../cli/terminal.ts';
import { CALM, FAILED, ITEMS, REPORT, SEEN } from '../../tasks/drift/example.ts';
import { seededRandom, virtualClock } from '../../world.ts';

const CALM_AT = '2026-11-21T12:15:00.000Z';

const START = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;

interface Scene {
  readonly beats: Beats;
  /** Minutes that each look takes. */
  readonly takes?: readonly number[];
  readonly random?: () => number;
  readonly looks: number;
}

/** When the looks began, in minutes, until the signal after so many of them. */
async function begun({ beats, takes = [], random = () => 0, looks }: Scene): Promise<readonly number[]> {
  const clock = virtualClock(START);
  const stop = new AbortController();
  const times: number[] = [];
  let under = 0;
  const look = async (): Promise<void> => {
    under += 1;
    expect(under).toBe(1);
    times.push((clock.now() - START) / MINUTE);
    await clock.sleep((takes[times.length - 1] ?? 0) * MINUTE);
    if (times.length === looks) stop.abort();
    under -= 1;
  };
  await watch({ look, beats, clock, random, signal: stop.signal });
  return times;
}

describe('With --every', () => {
  test('the first look is now, and the others come at their times', async () => {
    expect(await begun({ beats: every('15m', START), looks: 4 })).toEqual([0, 15, 30, 45]);
  });

  test('a look that takes longer skips beats, and the next ones come at their times again', async () => {
    expect(await begun({ beats: every('15m', START), takes: [5, 40, 15], looks: 5 })).toEqual([0, 15, 60, 90, 105]);
  });

  test('every look but the first comes a little later than its time, by a tenth of the time between two at most', async () => {
    const times = await begun({ beats: every('15m', START), random: seededRandom(3), looks: 50 });
    const late = times.slice(1).map((time, index) => time - (index + 1) * 15);
    expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...late)).toBeLessThanOrEqual(1.5);
    expect(new Set(late).size).toBeGreaterThan(40);
  });

  test('the delay is five minutes at most, however rarely it looks', () => {
    const beats = every('24h', START);
    expect(jittered(beats(START), beats, () => 1) - beats(START)).toBe(5 * MINUTE);
  });

  test.each([
    ['30s', 'at least 1m'],
    ['0m', 'at least 1m'],
    ['soon', '15m or 1h'],
    ['15', '15m or 1h'],
  ])('%s is refused', (duration, said) => {
    expect(() => every(duration, START)).toThrow(said);
  });
});

describe('With --cron', () => {
  test('looks come at the times of the expression', async () => {
    expect(await begun({ beats: await cron('*/20 * * * *'), looks: 4 })).toEqual([0, 20, 40, 60]);
  });

  test('a time that no timer can count to is waited for', async () => {
    const beats = await cron('0 0 1 1 *');
    const clock = virtualClock(START);
    const stop = new AbortController();
    const sleeps: number[] = [];
    const patient = {
      now: clock.now,
      sleep: async (milliseconds: number) => {
        sleeps.push(milliseconds);
        await clock.sleep(Math.min(milliseconds, 2 ** 31 - 1));
      },
    };
    let looks = 0;
    const look = async (): Promise<void> => {
      looks += 1;
      if (looks === 2) stop.abort();
    };
    await watch({ look, beats, clock: patient, random: () => 0, signal: stop.signal });
    expect(sleeps.length).toBe(2);
    expect(new Date(clock.now())).toEqual(new Date(2027, 0, 1));
  });

  test.each(['* * * * * *', 'every day', '61 * * * *', '', '@never'])('%s is refused', async (expression) => {
    await expect(cron(expression)).rejects.toThrow('five fields');
  });

  test('an expression without any time is refused when it is asked', async () => {
    const beats = await cron('0 0 31 2 *');
    expect(() => beats(START)).toThrow('no such time');
  });
});

describe('A signal', () => {
  test('between two looks ends the watch at once', async () => {
    const stop = new AbortController();
    let looks = 0;
    const clock = {
      now: () => START,
      sleep: async (_: number, signal?: AbortSignal) => {
        stop.abort();
        expect(signal?.aborted).toBe(true);
      },
    };
    const look = async (): Promise<void> => {
      looks += 1;
    };
    await watch({ look, beats: every('15m', START), clock, random: () => 0, signal: stop.signal });
    expect(looks).toBe(1);
  });

  test('before the first look means no look', async () => {
    const look = async (): Promise<void> => expect.unreachable();
    await watch({ look, beats: every('1m', 0), clock: virtualClock(), random: () => 0, signal: AbortSignal.abort() });
  });
});

describe('Output', () => {
  /** What is said of these looks, one after the other, until the signal. */
  async function saidOf(looks: readonly Look[], quiet = false) {
    const { terminal, said } = fakeTerminal(null);
    const stop = new AbortController();
    const shown: number[] = [];
    let count = 0;
    const looking = {
      look: async (own: Terminal): Promise<Look> => {
        count += 1;
        if (count === looks.length) stop.abort();
        // A look that is begun when the signal comes is not cut off.
        expect(own.signal.aborted).toBe(false);
        return looks[count - 1] as Look;
      },
      show: () => shown.push(count),
    };
    const beats = every('15m', terminal.clock.now());
    const code = await keepLooking(beats, looking, { quiet }, { ...terminal, signal: stop.signal });
    expect(code).toBe(0);
    return { shown, lines: said().trimEnd().split('\n') };
  }
  const again = (changes: Partial<DriftReport>): Look => ({ outcome: 'seen', report: { ...REPORT, ...changes } });
  const items = ITEMS.map((item) => ({ ...item, seen_count: item.seen_count + 1, live: 'else' }));

  test('has a line for each look, and the whole text of those that saw something else', async () => {
    const older = ITEMS.map((item) => ({ ...item, seen_count: item.seen_count + 1 }));
    const { shown, lines } = await saidOf([
      SEEN,
      again({ items: older, at: CALM_AT }),
      CALM,
      FAILED,
      CALM,
      again({ items }),
    ]);
    expect(shown).toEqual([1, 3, 6]);
    expect(lines).toEqual([
      '2026-11-21T12:00:00.000Z production: drifted, 4 errors, 2 warnings, 3 infos',
      `${CALM_AT} production: drifted, 4 errors, 2 warnings, 3 infos`,
      '2026-11-21T12:00:00.000Z production: in sync',
      '2026-11-21T12:00:00.000Z production: the look failed',
      '2026-11-21T12:00:00.000Z production: in sync',
      '2026-11-21T12:00:00.000Z production: drifted, 4 errors, 2 warnings, 3 infos',
    ]);
  });

  test('is nothing but what changed for whoever wants it quiet', async () => {
    expect(await saidOf([SEEN, SEEN, CALM], true)).toEqual({ shown: [1, 3], lines: [''] });
  });

  test('shows a value that moved on, though it is the same difference', async () => {
    expect((await saidOf([SEEN, again({ items })])).shown).toEqual([1, 2]);
  });
});

test('Flags say one time, and only to a watch', async () => {
  expect(await beatsOf({}, START)).toBeNull();
  expect((await beatsOf({ watch: true }, START))?.(START)).toBe(START + 15 * MINUTE);
  expect((await beatsOf({ watch: true, cron: '30 * * * *' }, START))?.(START)).toBe(START + 30 * MINUTE);
  await expect(beatsOf({ every: '15m' }, START)).rejects.toThrow('--watch');
  await expect(beatsOf({ watch: true, every: '15m', cron: '* * * * *' }, START)).rejects.toThrow('one of them');
});
