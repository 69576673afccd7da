// What people read of a run over several targets: how far it is, the worst targets first; every name is text, and 10,000 targets stay small.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FleetReading, fleetView, runsBlocks } from '../../../src/features/fleet/view.ts';
import type { FleetEvent } from '../../../src/many/log/events.ts';
import { resultsOf, withQueued } from '../../../src/many/log/log.ts';
import { onTerminal, uncoloured } from '../../../src/view/paint.ts';
import { plain } from '../../../src/view/plain.ts';
import { htmlPage } from '../../../src/view/writers/html.ts';
import { blocksText, terminalText } from '../../../src/view/writers/terminal.ts';
import { ANN, ended, runOf, START, spec, stampAt, started, wave } from '../../many/names.ts';
import { tries } from '../../tries.ts';
import { hostileText } from '../../view/hostile.ts';
import { all, type Element, parsed, shapeOf, textIn } from '../../view/html/parsed.ts';
import { fleetCalled, fleetChecked, fleetOf } from './examples.ts';

const pageOf = (reading: FleetReading): string => htmlPage(fleetView(reading));

const shown = (reading: FleetReading, details = false): string =>
  terminalText(fleetView(reading), onTerminal(uncoloured, 80), { details });

function of(page: string, tag: string): readonly Element[] {
  return all(parsed(page)).filter((element) => element.tag === tag);
}

test('A terminal has the waves, their gates, and the targets that deserve a look', () => {
  expect(shown({ ...fleetCalled('acme'), others: [] })).toMatchInlineSnapshot(`
    "Run 3e9a0b12: apply, begun 2026-11-23T12:00:00Z by ann acme@build-7

    Waves:
      Wave         Targets  Done  Failed  Under way  Not begun
      canary acme        2     2       -          -          -  ████████████████████
      tenth              4     -       1          1          2
      rest               1     -       -          -          1

      canary acme 2, held 10 min, gates no_drift, tests; tenth 4, 2 at a time, stops
        after more than 3 failures or more than 1 unreachable target; rest 1. Stops
        after more than 5 failures.

      Wave canary acme: gate no_drift is not checked.
      Wave canary acme: gate tests passed on 1 of 2 targets.
      Gate tests of wave canary acme did not pass on acme 1: 2 of 31 acme

    Failed:
      Target  Wave   Requests  Seconds  Message
      acme 2  tenth         1        1  list_groups: acme: the token may not do this

    Cut off:
      Their process is gone, so it is not known how far they are. A resume begins
        them again.

      Target  Wave   Begun
      acme 4  tenth  2026-11-23T12:15:00Z

    Under way: 1: acme 5
    Not begun: 2: acme 3, acme 6
    Done: 2: acme 0, acme 1
    \`--details\` shows each of them.

    Under way: 2 of 7 targets done.
    The run waits for a worker: another commit acme. 1 worker: acme@build-7 (pid 7,
      16 at a time).
    Made 2026-11-23T12:23:00Z. The run may have gone on since.
    "
  `);
});

test('With details it has all that is known of the run, and each target', () => {
  expect(shown(fleetCalled('acme'), true)).toMatchInlineSnapshot(`
    "Run 3e9a0b12:
      id            3e9a0b12-0000-4000-8000-000000000000
      command       apply
      begun         2026-11-23T12:00:00Z by ann acme@build-7 (pid 7)
      last event    2026-11-23T12:22:00Z, after 22 min
      commit        0123456789abcdef0123456789abcdef01234567
      approved      aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
      plans

    Waves:
      Wave         Targets  Done  Failed  Under way  Not begun
      canary acme        2     2       -          -          -  ████████████████████
      tenth              4     -       1          1          2
      rest               1     -       -          -          1

      canary acme 2, held 10 min, gates no_drift, tests; tenth 4, 2 at a time, stops
        after more than 3 failures or more than 1 unreachable target; rest 1. Stops
        after more than 5 failures.

      Wave canary acme: gate no_drift is not checked.
      Wave canary acme: gate tests passed on 1 of 2 targets.
      Gate tests of wave canary acme did not pass on acme 1: 2 of 31 acme

    Failed:
      Target  Wave   Requests  Seconds  Message
      acme 2  tenth         1        1  list_groups: acme: the token may not do this

    Cut off:
      Their process is gone, so it is not known how far they are. A resume begins
        them again.

      Target  Wave   Begun
      acme 4  tenth  2026-11-23T12:15:00Z

    Under way:
      Target  Wave   Begun
      acme 5  tenth  2026-11-23T12:21:00Z

    Not begun:
      Target  Message
      acme 3  Before: the environment variable TOKEN_OF_A_LICENSE_WITH_A_LONG_NAME
              is not set
      acme 6  -

    Done:
      Target  Wave         Requests  Seconds
      acme 0  canary acme        12     61.3
      acme 1  canary acme         1        1

    Other runs:
      Run  Begun                 Command     Done    State
      r1   2026-11-23T11:00:00Z  drift acme  1 of 1  done

    Under way: 2 of 7 targets done.
    The run waits for a worker: another commit acme. 1 worker: acme@build-7 (pid 7,
      16 at a time).
    Made 2026-11-23T12:23:00Z. The run may have gone on since.
    "
  `);
});

test('A run that stopped says why, and how to go on', () => {
  expect(shown(fleetOf(60, 20))).toMatchInlineSnapshot(`
    "Run r1: apply, begun 2026-11-23T12:00:00Z by ann@build-7

    Waves:
      Wave   Targets  Done  Failed
      tenth        6     5       1  ████████████████████
      rest        54    52       2  ███████████████████████▏

      tenth 6, 2 at a time; rest 54, 50 at a time. Stops after the first failure.

    Failed:
      3 targets failed: list_groups: authorization (403): tenant-00000, tenant-00020
        and 1 more

      Target        Wave   Requests  Seconds  Message
      tenant-00000  tenth         1        1  list_groups: authorization (403)
      tenant-00020  rest          1        1  list_groups: authorization (403)
      tenant-00040  rest          1        1  list_groups: authorization (403)

    Done: 57
    \`--details\` shows each of them.

    Stopped: 3 targets failed (max_failures 0). 0 targets not begun. Try again:
      \`chatform apply --resume r1 --retry failed\`.
    Made 2026-11-23T12:03:00Z.
    "
  `);
});

test('A check that found differences shows where', () => {
  expect(shown(fleetChecked('bravo', 'acme'))).toMatchInlineSnapshot(`
    "Run r1: drift, begun 2026-11-23T12:00:00Z by ann@build-7

    Waves:
      Wave  Targets  Done
      all         2     2  ████████████████████████

      all 2. Stops after the first failure.

    Differs:
      Target  Requests  Seconds
      bravo          1        1

    Done: 1: acme
    \`--details\` shows each of them.

    Done: 2 of 2 targets.
    Made 2026-11-23T12:03:00Z.
    "
  `);
});

test('A list has a line for each run', () => {
  const { results, others } = fleetCalled('acme');
  const runs = [{ results, onWorkers: false }, ...others, { ...fleetOf(60, 20), onWorkers: true }];
  expect(blocksText(runsBlocks(runs, 3), onTerminal(uncoloured, 80))).toMatchInlineSnapshot(`
    "Run       Begun                 Command     Done      State
    3e9a0b12  2026-11-23T12:00:00Z  apply       2 of 7    under way, or killed
    r1        2026-11-23T11:00:00Z  drift acme  1 of 1    done
    r1        2026-11-23T12:00:00Z  apply       57 of 60  stopped: 3 targets failed…

    3 older runs: \`chatform fleet list --all\` has all of them
    "
  `);
  expect(blocksText(runsBlocks([], 0), uncoloured)).toMatchInlineSnapshot(`
    "No run over several targets yet: \`chatform apply --all\` makes one.
    "
  `);
});

const UNDER_WAY = resultsOf([
  runOf(spec([wave('all', ['a', 'b', 'c', 'd'], { parallel: 3 })])),
  started('a'),
  started('b'),
  started('c'),
  ended('a'),
]);
const BEGUN = [
  { target: 'a', attempt: 1 },
  { target: 'b', attempt: 1 },
];
const ON_WORKERS: FleetReading = {
  results: withQueued(UNDER_WAY, BEGUN),
  workers: { state: { state: 'waiting', refused: null }, live: [] },
  ...{ commit: null, others: [], at: stampAt(START).at },
};

test('What no worker has begun is queued', () => {
  const text = shown(ON_WORKERS).replaceAll(/ +/g, ' ');
  expect(text).toContain('Wave Targets Done Under way Queued Not begun\n all 4 1 1 1 1');
  expect(text).toContain('Queued: 1: c\n');
  expect(text).toContain(
    '\nWaits for a worker: 1 of 4 targets done.\nThe run waits for a worker. No worker is there: start ',
  );
});

test('A run that is cancelled while no worker is there says who ends it', () => {
  const results = { ...UNDER_WAY, cancelled: ANN };
  expect(shown({ ...ON_WORKERS, results })).toContain('\nCancelled; the next worker ends it: 1 of 4 targets done.\n');
  const holder = { ...ANN, command: 'fleet worker' };
  const live = [{ id: 'w1', since: '', holder, project: 'chatform', parallel: 2, refused: [] }];
  const workers = { state: { state: 'waiting', refused: null }, live } as const;
  expect(shown({ ...ON_WORKERS, results, workers })).toContain('\nBeing cancelled: 1 of 4 targets done.\n');
});

test('A page has the worst targets first, then the other runs', () => {
  const page = pageOf(fleetCalled('acme'));
  expect(of(page, 'h2').map(textIn)).toEqual([
    ...['Run 3e9a0b12', 'Waves 3', 'Failed 1', 'Cut off 1', 'Under way 1', 'Not begun 2', 'Done 2'],
    'Other runs 1',
  ]);
});

test('A wave that is held says until when, unless the run is over', () => {
  const reading = { ...fleetCalled('acme'), at: '2026-11-23T12:11:00.000Z' };
  const held = 'Wave canary acme is held until 2026-11-23T12:12:00Z.';
  expect(shown(reading)).toContain(held);
  expect(shown(fleetCalled('acme'))).not.toContain('is held until');
  const stopped = { ...reading.results, stopped: { kind: 'interrupted' } as const };
  expect(shown({ ...reading, results: stopped })).not.toContain('is held until');
});

test('Messages that targets share, apart from their own names, are told once above the targets', () => {
  expect(shown(fleetOf(60, 5)).replaceAll(/\s+/g, ' ')).toContain(
    'Failed: 12 targets failed: list_groups: authorization (403): tenant-00000, tenant-00005 and 10 more',
  );
  const told = /\d targets failed: /;
  expect(shown(fleetOf(4, 2)).split('Stopped:')[0]).not.toMatch(told);
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const failedWith = (messageOf: (name: string) => string): string => {
    const ends = names.map((name) => ({ ...ended(name, 'failed'), message: messageOf(name) }));
    const events = [
      runOf(spec([wave('all', names)])),
      ...names.map((name) => started(name)),
      ...(ends as FleetEvent[]),
    ];
    return shown({ ...ON_WORKERS, results: resultsOf(events) });
  };
  expect(failedWith((name) => `${name}: x-${name} has no ${name}`)).not.toMatch(told);
  expect(failedWith((name) => `${name} x: no ${name}`)).toContain('6 targets failed: … x: no …: a, b and 4 more\n');
});

test('Whatever a name or a message is, the page has the same elements', () => {
  const shape = shapeOf(parsed(pageOf(fleetCalled('nAnn'))));
  fc.assert(
    fc.property(hostileText, (text) => {
      const page = pageOf(fleetCalled(`n${text}`));
      expect(shapeOf(parsed(page))).toBe(shape);
      const read = page.replace(/<style>.*<\/style>/s, '').trimEnd();
      expect(plain(read)).toBe(read);
    }),
    { numRuns: tries(60, 30) },
  );
});

test('10,000 targets are folded by name; each is on the page, which is smaller than 3 MB', () => {
  const page = pageOf(fleetOf(10_000, 50));
  expect(Buffer.byteLength(page)).toBeLessThan(3_000_000);
  expect(page.match(/<th scope="row"><code>tenant-/g)).toHaveLength(10_000);
  const folds = of(page, 'summary').map(textIn);
  expect(folds).toHaveLength(48);
  expect([folds[0], folds.at(-1)]).toEqual(['tenant-00205 to tenant-00408', 'tenant-09796 to tenant-09999']);
});

test('10,000 failures with long messages stay below 10 MB: the last ones are counted', () => {
  const page = pageOf(fleetOf(10_000, 1, 'why '.repeat(1_000)));
  expect(Buffer.byteLength(page)).toBeLessThan(10_000_000);
  const rows = page.match(/<th scope="row"><code>tenant-/g)?.length ?? 0;
  expect(rows).toBeGreaterThan(2_000);
  expect(page).toContain(`and ${10_000 - rows} more`);
  expect(of(page, 'h2').map(textIn)).toContain('Run r1');
});
