// `drift --watch`: what it prints of each look, and when it looks.

import { describe, expect, test } from 'vitest';
import { beatsOf, keepChecking } from '../../src/commands/drift-watch.ts';
import type { Terminal } from '../../src/commands/terminal.ts';
import { every } from '../../src/run/watch.ts';
import type { DriftCheck, DriftReport } from '../../src/tasks/drift/report.ts';
import { fakeTerminal } from '../cli/terminal.ts';
import { CALM, FAILED, ITEMS, REPORT, SEEN } from '../tasks/drift/example.ts';

const CALM_AT = '2026-11-21T12:15:00.000Z';

const START = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;

describe('Output', () => {
  /** What is said of these looks, one after the other, until the signal. */
  async function saidOf(looks: readonly DriftCheck[], quiet = false) {
    const { terminal, said } = fakeTerminal(null);
    const stop = new AbortController();
    const shown: number[] = [];
    let count = 0;
    const looking = {
      look: async (own: Terminal): Promise<DriftCheck> => {
        count += 1;
        if (count === looks.length) stop.abort();
        // A look that is begun when the signal comes is not cut off.
        expect(own.signal.aborted).toBe(false);
        return looks[count - 1] as DriftCheck;
      },
      show: () => shown.push(count),
    };
    const beats = every('15m', terminal.clock.now());
    await keepChecking(beats, looking, { quiet }, { ...terminal, signal: stop.signal });
    return { shown, lines: said().trimEnd().split('\n') };
  }
  const again = (changes: Partial<DriftReport>): DriftCheck => ({ outcome: 'seen', report: { ...REPORT, ...changes } });
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
      '2026-11-21T12:00:00.000Z production: drifted, 4 errors, 2 warnings, 4 infos',
      `${CALM_AT} production: drifted, 4 errors, 2 warnings, 4 infos`,
      '2026-11-21T12:00:00.000Z production: in sync',
      '2026-11-21T12:00:00.000Z production: the check failed',
      '2026-11-21T12:00:00.000Z production: in sync',
      '2026-11-21T12:00:00.000Z production: drifted, 4 errors, 2 warnings, 4 infos',
    ]);
  });

  test('is nothing but what changed with --quiet', async () => {
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
