// The rules of `wrongStarts`, each broken once.

import { expect, test } from 'vitest';
import type { FleetEvent } from '../../../src/many/log/events.ts';
import { ANN, ended, runOf, START, spec, stampAt, started, wave } from '../names.ts';
import { wrongStarts } from './order.ts';

const RUN = runOf(spec([wave('one', ['a', 'b'], { hold: 10, gates: ['tests'] }), wave('two', ['c', 'd', 'e'])]));
const ENDED = [started('a'), started('b'), ended('a'), ended('b', 'failed')];
const PASSED: FleetEvent = {
  ...stampAt(START),
  type: 'gate',
  wave: 'one',
  gate: 'tests',
  target: 'a',
  passed: true,
  message: null,
};
const STOPPED: FleetEvent = { ...stampAt(START), type: 'stopped', because: { kind: 'cancelled', by: ANN } };
const LATER = START + 10;

test.each<readonly [string | null, readonly FleetEvent[]]>([
  [null, [...ENDED, PASSED, started('c', LATER), started('d', LATER)]],
  ['3 of two were under way', [...ENDED, PASSED, started('c', LATER), started('d', LATER), started('e', LATER)]],
  ['c was begun before one ended', [...ENDED.slice(0, 3), PASSED, started('c', LATER)]],
  ['c was begun before the gates of one', [...ENDED, started('c', LATER)]],
  ['c was begun before the gates of one', [...ENDED, { ...PASSED, passed: false }, started('c', LATER)]],
  ['c was begun in the hold of one', [...ENDED, PASSED, started('c', LATER - 1)]],
  ['c was begun after the run had stopped', [...ENDED, PASSED, STOPPED, started('c', LATER)]],
  ['c was begun in a window', [...ENDED, PASSED, started('c', LATER + 5)]],
  ['x is in no wave', [started('x')]],
])('%s', (wrong, events) => {
  expect(wrongStarts([RUN, ...events], (at) => at === LATER + 5)).toEqual(wrong === null ? [] : [wrong]);
});
