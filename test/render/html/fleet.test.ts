// The page of a run over several targets: the worst comes first, every name is text, and 10,000 targets stay small.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fleetPage } from '../../../src/render/html/fleet.ts';
import { plain } from '../../../src/view/plain.ts';
import { tries } from '../../tries.ts';
import { hostileText } from '../hostile.ts';
import { fleetCalled, fleetOf } from './fleet.ts';
import { all, type Element, parsed, shapeOf, textIn } from './parsed.ts';

function of(page: string, tag: string): readonly Element[] {
  return all(parsed(page)).filter((element) => element.tag === tag);
}

const headings = (page: string): readonly string[] => of(page, 'h2').map(textIn);

/** The texts of the row of a target. */
function rowOf(page: string, target: string): readonly string[] {
  const row = of(page, 'tr').find(({ inside: [first] }) => first !== undefined && textIn(first).startsWith(target));
  return row?.inside.map(textIn) ?? [];
}

test('It has the waves, then the targets by state with the worst first, then the run and the other runs', () => {
  const page = fleetPage(fleetCalled('acme'));
  expect(headings(page)).toEqual([
    'Targets 7',
    'Waves 3',
    'Failed 1',
    'Cut off 1',
    'Under way 1',
    'Not begun 2',
    'Done 2',
    'The run',
    'Other runs 1',
  ]);
  expect(of(page, 'h3').map(textIn)).toEqual(['canary acme 2', 'tenth 4', 'rest 1']);
});

test('A target has its wave, attempt, requests and seconds, or when it began, and its message', () => {
  const page = fleetPage(fleetCalled('acme'));
  expect(rowOf(page, 'acme 0')).toEqual(['acme 0', 'canary acme', '1', '12', '61.3']);
  expect(rowOf(page, 'acme 2')).toEqual([
    'acme 2list_groups: acme: the token may not do this',
    ...['tenth', '1', '1', '1'],
  ]);
  expect(rowOf(page, 'acme 3')).toEqual([
    'acme 3Before: the environment variable TOKEN_OF_A_LICENSE_WITH_A_LONG_NAME is not set',
    ...['tenth', '2'],
  ]);
  expect(rowOf(page, 'acme 5')).toEqual(['acme 5', 'tenth', '1', '2026-11-23 12:21 UTC']);
});

test('A wave says how many of its targets are in which state, how long it is held, and what its gates found', () => {
  const [first = '', second = '', third = ''] = of(fleetPage(fleetCalled('acme')), 'div')
    .filter(({ attributes }) => attributes.get('class') === 'wave')
    .map(textIn);
  expect(first).toContain('2 done');
  expect(first).toContain('All at once, then held 10 min.');
  expect(first).toContain('gate no_drift: not checked');
  expect(first).toContain('gate tests: passed on 1 of 2 done');
  expect(first).toContain('did not pass on acme 12 of 31 acme');
  expect(second).toContain('1 failed … 1 under way · 2 not begun');
  expect(second).toContain('2 at a time. Stops after more than 3 failures or more than 1 unreachable target.');
  expect(third).toContain('1 not begun');
});

test('A wave that is held says until when, unless the run is over', () => {
  const reading = fleetCalled('acme');
  expect(fleetPage({ ...reading, at: '2026-11-23T12:11:00.000Z' })).toContain(
    'It is held until <time datetime="2026-11-23T12:12:00.000Z">',
  );
  expect(fleetPage(reading)).not.toContain('It is held until');
  const stopped = { ...reading.results, stopped: { kind: 'interrupted' } as const };
  expect(fleetPage({ ...reading, results: stopped, at: '2026-11-23T12:11:00.000Z' })).not.toContain('It is held until');
});

test('A run that stopped says why, and how to go on; one under way says who works on it', () => {
  const stopped = fleetOf(60, 20);
  expect(textIn(parsed(fleetPage(stopped)))).toContain(
    'Stopped: 3 targets failed (max_failures 0). 0 targets not begun. Try again: chatform apply --resume r1 --retry failed.',
  );
  const page = textIn(parsed(fleetPage(fleetCalled('acme'))));
  expect(page).toContain(
    'The run waits for a worker: another commit acme. 1 worker: acme@build-7 (pid 7, 16 at a time).',
  );
  expect(page).toContain('The run may have gone on since.');
});

test('Messages that targets share, apart from their own names, are counted above the targets', () => {
  const shared = of(fleetPage(fleetOf(60, 20)), 'li').map(textIn);
  expect(shared).toContain('3 list_groups: authorization (403)');
  const alone = fleetCalled('acme');
  const messages = ['acme 0: x-acme 0 has no acme 0', 'bravo 1: x-acme 0 has no bravo 1', 'other'];
  const targets = new Map(
    ['acme 0', 'bravo 1', 'acme 2'].map((target, index) => {
      const found = alone.results.targets.get('acme 2');
      if (found?.end == null) throw new Error('it has failed');
      return [target, { ...found, end: { ...found.end, message: messages[index] ?? '' } }];
    }),
  );
  const page = fleetPage({ ...alone, results: { ...alone.results, targets } });
  expect(of(page, 'li').map(textIn)).toContain('2 …: x-acme 0 has no …');
});

test('The parts of a bar fill it, and the smallest can be seen', () => {
  const bars = of(fleetPage(fleetOf(10_000, 10_000)), 'svg');
  const widths = bars.map((bar) => bar.inside.map(({ attributes }) => Number(attributes.get('width'))));
  expect(widths).toEqual([[992, 8], [1000]]);
});

test('Whatever a name or a message is, the page has the same elements', () => {
  const shape = shapeOf(parsed(fleetPage(fleetCalled('nAnn'))));
  fc.assert(
    fc.property(hostileText, (text) => {
      const page = fleetPage(fleetCalled(`n${text}`));
      expect(shapeOf(parsed(page))).toBe(shape);
      const read = page.replace(/<style>.*<\/style>/s, '').trimEnd();
      expect(plain(read)).toBe(read);
    }),
    { numRuns: tries(60, 30) },
  );
});

test('10,000 targets are folded by name; each is on the page, which is smaller than 3 MB', () => {
  const page = fleetPage(fleetOf(10_000, 50));
  expect(Buffer.byteLength(page)).toBeLessThan(3_000_000);
  expect(page.match(/<th scope="row"><bdi>tenant-/g)).toHaveLength(10_000);
  const folds = of(page, 'summary').map(textIn);
  expect(folds).toHaveLength(20);
  expect(folds[0]).toBe('tenant-00001 to tenant-00510 500');
  expect(folds.at(-1)).toBe('tenant-09694 to tenant-09999 300');
});

test('10,000 failures with long messages stay below 10 MB: the last ones are counted', () => {
  const page = fleetPage(fleetOf(10_000, 1, 'why '.repeat(1_000)));
  expect(Buffer.byteLength(page)).toBeLessThan(10_000_000);
  const shown = page.match(/<th scope="row"><bdi>tenant-/g)?.length ?? 0;
  expect(shown).toBeGreaterThan(5_000);
  expect(page).toContain(`and ${10_000 - shown} more; <code>chatform fleet status --json</code> has all of them`);
});
