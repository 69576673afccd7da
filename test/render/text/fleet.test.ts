import { expect, test } from 'vitest';
import { resultsOf, withQueued } from '../../../src/fleet/log.ts';
import { type RunWorkers, statusText } from '../../../src/render/text/fleet.ts';
import { uncoloured } from '../../../src/view/paint.ts';
import { ANN, ended, runOf, START, spec, stampAt, started, wave } from '../../fleet/names.ts';

const EVENTS = [
  runOf(spec([wave('all', ['a', 'b', 'c', 'd'], { parallel: 3 })])),
  started('a'),
  started('b'),
  started('c'),
  ended('a'),
];
const BEGUN = [
  { target: 'a', attempt: 1 },
  { target: 'b', attempt: 1 },
];
const NONE: RunWorkers = { state: { state: 'waiting', refused: null }, live: [] };

const shown = (events = EVENTS, workers = NONE): string =>
  statusText(withQueued(resultsOf(events), BEGUN), workers, uncoloured).replaceAll(/ +/g, ' ');

test('The status says what is under way, and what is queued', () => {
  expect(shown()).toContain('WAVE TARGETS DONE FAILED UNREACHABLE UNDER WAY QUEUED NOT BEGUN\nall 4 1 - - 1 1 1\n');
  expect(shown()).toContain(': under way\n');
});

test('A run that is cancelled while no worker is there says who ends it', () => {
  const cancelled = [...EVENTS, { ...stampAt(START), type: 'cancel', by: ANN } as const];
  expect(shown(cancelled)).toContain(': cancelled; the next worker ends it\n');
  const holder = { ...ANN, command: 'fleet worker' };
  const live = [{ id: 'w1', since: '', holder, project: 'chatform', parallel: 2, refused: [] }];
  expect(shown(cancelled, { ...NONE, live })).toContain(': being cancelled\n');
});

test('A target that was not begun after all comes again where it was; one that an earlier worker had begun is cut off, and first', () => {
  const unbegun = (target: string, cut: boolean) =>
    ({ ...stampAt(START), type: 'unbegun', target, attempt: 1, cut }) as const;
  const { waves, targets } = resultsOf([...EVENTS, unbegun('c', true), unbegun('b', false)]);
  expect([...(waves[0]?.open ?? [])]).toEqual(['c', 'b', 'd']);
  expect(['b', 'c'].map((name) => targets.get(name))).toMatchObject([
    { state: 'pending', begun: null },
    { state: 'unknown', begun: new Date(START).toISOString() },
  ]);
});
